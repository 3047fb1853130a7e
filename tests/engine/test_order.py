"""The seat that begins: the highest roll, and of those tied for it the highest of their next rolls (R33, R59)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import roll_for_first

Roll = tuple[int, ...]


def test_only_those_tied_for_the_highest_roll_again():
    falls = iter([[(0, 4), (1, 6), (2, 6), (3, 1)], [(1, 2), (2, 2)], [(1, 3), (2, 5)]])
    asked: list[list[int]] = []

    def throw(seats: Sequence[int]) -> list[Roll]:
        asked.append(list(seats))
        return next(falls)

    rolls, first = roll_for_first(4, throw)
    assert asked == [[0, 1, 2, 3], [1, 2], [1, 2]]
    assert (len(rolls), first) == (8, 2)


def test_of_several_dice_the_sum_counts():
    assert roll_for_first(2, lambda _: [(0, 1, 6), (1, 4, 4)])[1] == 1
