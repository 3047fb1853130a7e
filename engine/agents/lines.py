"""Planning a turn of several moves: a beam search for the line of moves whose end is worth most.

The moves of a turn use something up: dice, action points, cards in hand. Positions with equally much left are compared
with each other, the most promising `width` of them are followed, and wherever a line could stop it is judged. The work
is bounded by a count of positions, so that a search repeats itself on any machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, NamedTuple, Protocol, TypeVar

P = TypeVar("P")
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class Judged(NamedTuple):
    """The value of stopping in a position, and the promise of going on; each is compared only with its like."""

    worth: float
    promise: float


class Plan(Protocol[P, M_co]):
    """A turn as the search sees it; without chance, so expectations have to stand in `judge`."""

    def steps(self, position: P, /) -> Iterable[tuple[tuple[M_co, ...], P]]:
        """The ways to go on: moves that belong together, with the position after them."""
        ...

    def left(self, position: P, /) -> int:
        """How much there is left to use up. Every step must lower it."""
        ...

    def same(self, position: P, /) -> Hashable:
        """Equal for positions from which nothing differs, however they came about."""
        ...

    def judge(self, position: P, /) -> Judged: ...


class Line(NamedTuple, Generic[P, M]):
    """Moves one after the other, where they lead, and what stopping there is worth."""

    worth: float
    moves: tuple[M, ...]
    end: P


def best_line(plan: Plan[P, M], start: P, width: int, limit: int) -> Line[P, M]:
    """The best line found; one of no moves where stopping at once is best. Of equal ones the first found.

    `width` positions are followed of those with equally much left; `limit` positions are judged at most.
    """
    first = plan.judge(start)
    best: Line[P, M] = Line(first.worth, (), start)
    waiting: dict[int, list[tuple[float, tuple[M, ...], P]]] = {
        plan.left(start): [(first.promise, (), start)]
    }
    seen = {plan.same(start)}
    judged = 1
    while waiting:
        level = waiting.pop(max(waiting))
        level.sort(key=lambda one: -one[0])
        for _, moves, position in level[:width]:
            for step, after in plan.steps(position):
                same = plan.same(after)
                if same in seen:
                    continue
                if judged >= limit:
                    return best
                seen.add(same)
                judged += 1
                worth, promise = plan.judge(after)
                line = moves + step
                if worth > best.worth:
                    best = Line(worth, line, after)
                left = plan.left(after)
                if left:
                    waiting.setdefault(left, []).append((promise, line, after))
    return best
