"""The starting seat by dice: each seat rolls, the highest begins, and seats tied for the highest roll again.

A *roll* is a seat with what its dice show: `(seat, die)` or `(seat, die, die)`, of which the sum counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

R = TypeVar("R", bound=tuple[int, ...])


def roll_for_first(seats: int, throw: Callable[[Sequence[int]], Sequence[R]]) -> tuple[tuple[R, ...], int]:
    """All rolls in the order in which they fell, and the seat that begins.

    `throw` gives the rolls of the seats that it is given.

    >>> roll_for_first(2, lambda seats: [(seat, 3 + seat) for seat in seats])
    (((0, 3), (1, 4)), 1)
    """
    tied: Sequence[int] = range(seats)
    rolls: list[R] = []
    while len(tied) > 1:
        thrown = throw(tied)
        rolls += thrown
        tied = _highest(thrown)
    return tuple(rolls), tied[0]


def _highest(rolls: Sequence[Sequence[int]]) -> list[int]:
    """The seats that are tied for the highest of these rolls, or the only one."""
    best = max(sum(dice) for _, *dice in rolls)
    return [seat for seat, *dice in rolls if sum(dice) == best]
