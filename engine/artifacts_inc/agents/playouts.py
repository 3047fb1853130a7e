"""Playing a match of Artifacts, Inc. on by a quickened Expert, which plans a turn once and follows fewer courses.

It plays in a world that an agent imagines, so it needs no views; of that world it uses nothing that its seat could not
see. It rolls no dice again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from engine.agents.lines import Line, best_line
from engine.agents.search import VICTORY, Outlook
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import Box
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course, Table, table_of
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.state import ACT, ARRANGE, OVER, Position, State
from engine.game import Outcome

ROUNDS: Final = 2
"""The rounds after which a line is judged: what a purchase brings shows in the second."""
_MOST_KEPT: Final = 128
"""Tables whose judgement is kept in memory."""
_ROLL: Final = m.Roll()


class Rules(Protocol):
    """The questions of playouts to the game."""

    def apply(self, state: State, seat: int, move: object) -> object: ...
    def outcome(self, state: State) -> Outcome | None: ...


class Haste(NamedTuple):
    """How little is looked at: positions followed and judged (`engine.agents.lines`), and of a turn (`Turn`) dice,
    purchases and sales.
    """

    width: int = 6
    limit: int = 900
    dies: int = 1
    purchases: int = 4
    sales: int = 10


class Playouts:
    """Plays matches on by the rules `game`, with what `box` has of its cards."""

    haste = Haste()

    def __init__(self, game: Rules, box: Box) -> None:
        self._game, self._box = game, box
        self._known: dict[Table, Standing] = {}
        self._generation = box.generation

    def standing(self, position: Position) -> Standing:
        """The judge of the active seat's turn."""
        table = table_of(position)
        if self._generation != self._box.generation:
            self._known.clear()
            self._generation = self._box.generation
        standing = self._known.get(table)
        if standing is None:
            if len(self._known) >= _MOST_KEPT:
                del self._known[next(iter(self._known))]
            standing = self._known[table] = Standing(table, self._box)
        return standing

    def plan(self, state: State) -> Line[Course, m.Move]:
        """The best line found for the rest of the turn."""
        haste, standing = self.haste, self.standing(state)
        turn = Turn(standing, haste.dies, haste.purchases, haste.sales)
        return best_line(turn, standing.begun(state), haste.width, haste.limit)

    def turn(self, state: State) -> None:
        """Plays the rest of the active seat's turn."""
        seat, apply = state.active, self._game.apply
        if state.phase == ARRANGE:
            apply(state, seat, _ROLL)
        for move in self.plan(state).moves:
            apply(state, seat, move)
        if state.phase == ACT and state.active == seat:
            apply(state, seat, m.PASS)

    def after(self, world: State, moves: Sequence[m.Move]) -> State:
        """The world once the active seat has made these moves, and the rest of its turn as the quickened Expert."""
        state, seat, number = world.copy(), world.active, world.round
        for move in moves:
            self._game.apply(state, seat, move)
        if state.phase != OVER and (state.active, state.round) == (seat, number):
            self.turn(state)
        return state

    def next_turn(self, world: State, moves: Sequence[m.Move]) -> State:
        """The active seat's next turn, or the end of the match, if its turn begins with these moves and all play on."""
        state, seat = self.after(world, moves), world.active
        while state.phase != OVER and state.active != seat:
            self.turn(state)
        return state

    def judged(self, state: State) -> Outlook:
        """The active seat's outlook once its turn is planned."""
        chance, lead, own = self.standing(state).outlook(self.plan(state).end)
        return Outlook(lead, VICTORY * chance, own)

    def outlook_after(self, world: State, moves: Sequence[m.Move]) -> Outlook:
        """The active seat's outlook, in points of reputation, if its turn begins with these moves.

        It is judged once all have played on for `ROUNDS`, until the seat's next turn is planned.
        """
        state, seat = self.next_turn(world, moves), world.active
        for _ in range(1, ROUNDS):
            state = self.next_turn(state, ()) if state.phase != OVER else state
        if state.phase != OVER:
            return self.judged(state)
        outcome = self._game.outcome(state)
        assert outcome
        return Outlook.of(outcome, seat)
