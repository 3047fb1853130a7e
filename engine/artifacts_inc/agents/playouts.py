"""Playing a match of Artifacts, Inc. on by a quickened Veteran, which plans a turn once and follows fewer courses.

It plays in a world that an agent imagines, so it needs no views; of that world it uses nothing that its seat could not
see. It rolls no dice again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple, Protocol

from engine.agents.lines import Line, best_line
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import Box
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course, Table, table_of
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.state import ACT, ARRANGE, OVER, Position, State
from engine.game import Outcome

_MOST_KEPT: Final = 128
"""Tables whose judgement is kept in memory."""
_ROLL: Final = m.Roll()


class Rules(Protocol):
    """The questions of playouts to the game."""

    def apply(self, state: State, seat: int, move: object) -> object: ...
    def outcome(self, state: State) -> Outcome | None: ...


class Haste(NamedTuple):
    """How little is looked at: positions followed and judged (`engine.agents.lines`), dice and purchases (`Turn`)."""

    width: int = 6
    limit: int = 900
    dies: int = 1
    purchases: int = 4


class Playouts:
    """Plays matches on by the rules `game`, with what `box` has of its cards."""

    haste = Haste()

    def __init__(self, game: Rules, box: Box) -> None:
        self._game, self._box = game, box
        self._known: dict[Table, Standing] = {}

    def standing(self, position: Position) -> Standing:
        """The judge of the active seat's turn."""
        table = table_of(position)
        standing = self._known.get(table)
        if standing is None:
            if len(self._known) >= _MOST_KEPT:
                del self._known[next(iter(self._known))]
            standing = self._known[table] = Standing(table, self._box)
        return standing

    def plan(self, state: State) -> Line[Course, m.Move]:
        """The best line found for the rest of the turn."""
        haste, standing = self.haste, self.standing(state)
        turn = Turn(standing, haste.dies, haste.purchases)
        return best_line(turn, standing.begun(state), haste.width, haste.limit)

    def turn(self, state: State) -> None:
        """Plays the rest of the active seat's turn."""
        if state.phase == ARRANGE:
            self._game.apply(state, state.active, _ROLL)
        self.finish(state, self.plan(state).moves)

    def finish(self, state: State, moves: Sequence[m.Move]) -> None:
        """Makes these moves of the active seat, and ends its turn."""
        seat, apply = state.active, self._game.apply
        for move in moves:
            apply(state, seat, move)
        if state.phase == ACT and state.active == seat:
            apply(state, seat, m.PASS)

    def result(self, world: State, moves: Sequence[m.Move]) -> float:
        """The active seat's chance to win if its turn is these moves, and all play on until it has planned its next."""
        state, seat = world.copy(), world.active
        self.finish(state, moves)
        while state.phase != OVER and state.active != seat:
            self.turn(state)
        if state.phase != OVER:
            return exp(min(0.0, self.plan(state).worth))
        outcome = self._game.outcome(state)
        assert outcome
        return 1 / len(outcome.winners) if seat in outcome.winners else 0.0
