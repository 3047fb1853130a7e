"""A strong player of Artifacts, Inc.: it plans each turn to its end and judges what that leaves everybody with.

The line of moves comes from a beam search over the rest of the turn (`turn`), the judgement from what things will
become in the turns that are left (`standing`). Dice are rolled again where some rolls of them, drawn from the agent's
own chance, turn out better on average than the best line without.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple, Protocol

from engine.agents.lines import Line, best_line
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.leaning import NO_LEANING, Leaning
from engine.artifacts_inc.agents.opinions import Opinions, opinionated, opinions_of
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.turn import Course, Turn, planned
from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.choices import abilities
from engine.artifacts_inc.state import ARRANGE, State, View


class Rules(Protocol):
    """The questions of the veteran to the game."""

    @property
    def catalogue(self) -> Catalogue: ...
    def apply(self, state: State, seat: int, move: object) -> object: ...
    def determinize(self, view: View, rng: Random) -> State: ...


class Effort(NamedTuple):
    """How much is looked at: positions followed and judged for a turn, rolls tried before dice are rolled again.

    No further set of dice is tried once `positions` are judged for the turn and all rolls together. Decisions with the
    built-in cards take fewer than 1,000; with an operator's cards, which may have more abilities to roll dice again, no
    decision takes much longer for that.
    """

    width: int = 12
    limit: int = 900
    rolls: int = 5
    rolled_width: int = 3
    rolled_limit: int = 80
    positions: int = 1200


USUAL: Final = Effort()
QUICK: Final = Effort(width=5, limit=250, rolls=3, rolled_width=2, rolled_limit=60)
"""For simulations of many matches."""
_SETS_ROLLED: Final = 5


class Veteran:
    """Plays the line that its search likes best, or the first moves of it up to what chance decides."""

    slow = True

    def __init__(
        self,
        rules: Rules,
        effort: Effort = USUAL,
        leaning: Leaning = NO_LEANING,
        opinions: Opinions | None = None,
    ) -> None:
        """`opinions` are what it has learnt, where it is not what veterans have (`opinions_of`)."""
        self._rules = rules
        self._effort = effort
        catalogue = rules.catalogue
        self._incomes = opinionated(
            catalogue, opinions_of(catalogue) if opinions is None else opinions, leaning
        )

    def choose(self, view: View, rng: Random) -> m.Move:
        """The next move of the best line."""
        return self.moves(view, rng)[0]

    def moves(self, view: View, rng: Random) -> Sequence[m.Move]:
        """The moves of the best line until something is rolled or revealed, or the turn ends; at least one.

        Simulations may play them one after the other without asking again.
        """
        if view.phase == ARRANGE:
            return (m.Roll(),)
        state = self._rules.determinize(view, rng)
        standing = Standing(state, self._incomes)
        turn = Turn(self._rules.apply, standing)
        start = planned(state)
        effort = self._effort
        line = best_line(turn, start, effort.width, effort.limit)
        if again := self._rolled_again(turn, start, line, rng):
            return (again,)
        return _foreseen(state, line.moves) or (m.PASS,)

    def _rolled_again(
        self, turn: Turn, start: Course, line: Line[Course, m.Move], rng: Random
    ) -> m.RollAgain | None:
        """The dice that are better rolled again, if any are."""
        state = start.state
        rollers = [own for own, ability, _ in abilities(state) if ability.do == "roll"]
        if not rollers or len(state.dice) < 2:
            return None
        best, chosen = line.worth + 1e-6, None
        effort = self._effort
        for dice in _worst(state.dice[1:], line):
            if turn.judged >= effort.positions:
                break
            total = 0.0
            for _ in range(effort.rolls):
                rolled = state.copy()
                for die in dice:
                    rolled.dice.remove(die)
                rolled.dice = sorted([*rolled.dice, *(rng.randint(1, 6) for _ in dice)])
                rolled.used.append(rollers[0])
                total += best_line(turn, Course(rolled), effort.rolled_width, effort.rolled_limit).worth
            if total / effort.rolls > best:
                best, chosen = total / effort.rolls, m.RollAgain(rollers[0], dice)
        return chosen


def _foreseen(state: State, moves: Sequence[m.Move]) -> Sequence[m.Move]:
    """Moves up to the first purchase after which a card is revealed (R28)."""
    for at, move in enumerate(moves, start=1):
        if isinstance(move, m.Buy) and state.piles[state.catalogue.cards[move.card].pile]:
            return moves[:at]
    return moves


def _worst(dice: Sequence[int], line: Line[Course, m.Move]) -> list[tuple[int, ...]]:
    """Sets of dice worth rolling again: what the line leaves over, with more and more of the lowest, and all."""
    idle = sorted(line.end.state.dice[1:])
    sets = [tuple(idle)] if idle else []
    ordered = sorted(dice)
    sets += [tuple(ordered[:count]) for count in range(1, len(ordered) + 1)]
    possible = [chosen for chosen in dict.fromkeys(sets) if chosen and _within(chosen, dice)]
    return possible[:_SETS_ROLLED]


def _within(chosen: Sequence[int], dice: Sequence[int]) -> bool:
    return all(chosen.count(die) <= dice.count(die) for die in chosen)
