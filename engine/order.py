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


def first_by(rolls: Sequence[Sequence[int]], seats: int, faces: int) -> int | None:
    """The seat that begins by these rolls of dice with so many faces; None where no match begins with such rolls.

    >>> first_by([(0, 3), (1, 3), (0, 2), (1, 6)], 2, faces=6)
    1
    >>> first_by([(0, 3), (1, 4), (0, 6)], 2, faces=6)
    """
    tied: Sequence[int] = range(seats)
    left = rolls
    while len(tied) > 1:
        thrown, left = left[: len(tied)], left[len(tied) :]
        if [seat for seat, *_ in thrown] != list(tied):
            return None
        if any(not 1 <= die <= faces for _, *dice in thrown for die in dice):
            return None
        tied = _highest(thrown)
    return None if left else tied[0]


def _highest(rolls: Sequence[Sequence[int]]) -> list[int]:
    """The seats that are tied for the highest of these rolls, or the only one."""
    best = max(sum(dice) for _, *dice in rolls)
    return [seat for seat, *dice in rolls if sum(dice) == best]
