"""Planning a turn of several moves: a beam search for the line of moves whose end is worth most.

The moves of a turn use something up: dice, action points, cards in hand. Positions with equally much left are compared
with each other, the most promising `width` of them are followed, and wherever a line could stop it is judged. The work
is bounded by a count of positions, so that a search repeats itself on any machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from operator import itemgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

from engine.game import make

P = TypeVar("P", bound=Hashable)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class Judged(NamedTuple):
    """The value of stopping in a position, and the promise of going on; each is compared only with its like."""

    worth: float
    promise: float


class Plan(Protocol[P, M_co]):
    """A turn as the search sees it; without chance, so expectations have to stand in `judge`.

    Positions are equal where nothing differs from there on, however they came about.
    """

    def steps(self, position: P, /) -> Iterable[tuple[tuple[M_co, ...], P]]:
        """The ways to go on: moves that belong together, with the position after them."""
        ...

    def left(self, position: P, /) -> int:
        """How much there is left to use up. Every step must lower it."""
        ...

    def judge(self, position: P, /) -> Judged: ...


class Line(NamedTuple, Generic[P, M]):
    """Moves one after the other, where they lead, and what stopping there is worth."""

    worth: float
    moves: tuple[M, ...]
    end: P


def lines(plan: Plan[P, M], start: P, width: int, limit: int) -> list[Line[P, M]]:
    """All lines judged, in the order found; the first has no moves.

    `width` positions are followed of those with equally much left; `limit` positions are judged at most.
    """
    worth, promise = plan.judge(start)
    found: list[Line[P, M]] = [Line(worth, (), start)]
    waiting: dict[int, list[tuple[float, Line[P, M]]]] = {plan.left(start): [(promise, found[0])]}
    seen, judge, steps, left = {start}, plan.judge, plan.steps, plan.left
    kind: type[Line[P, M]] = Line  # for `make`
    count = 1
    while waiting:
        level = waiting.pop(max(waiting))
        level.sort(key=itemgetter(0), reverse=True)
        for _, (_, moves, position) in level[:width]:
            for step, after in steps(position):
                seen.add(after)
                if len(seen) == count:
                    continue
                if count == limit:
                    return found
                count += 1
                worth, promise = judge(after)
                line = make(kind, (worth, moves + step, after))
                found.append(line)
                if to_use := left(after):
                    waiting.setdefault(to_use, []).append((promise, line))
    return found


def best_line(plan: Plan[P, M], start: P, width: int, limit: int) -> Line[P, M]:
    """The best line found; one of no moves where stopping at once is best. Of equal ones the first found."""
    return max(lines(plan, start, width, limit), key=itemgetter(0))
