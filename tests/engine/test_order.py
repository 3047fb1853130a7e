"""The seat that begins: the highest roll, and of those tied for it the highest of their next rolls."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.order import first_by, roll_for_first

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


@given(st.integers(2, 6), st.integers(1, 2), st.integers(2, 10), st.integers(0, 2**32))
def test_by_its_rolls_the_same_seat_begins(seats: int, dice: int, faces: int, number: int):
    rng = Random(number)

    def throw(rolling: Sequence[int]) -> list[Roll]:
        return [(seat, *(rng.randint(1, faces) for _ in range(dice))) for seat in rolling]

    rolls, first = roll_for_first(seats, throw)
    assert first_by(rolls, seats, faces) == first
    assert first_by(rolls[:-1], seats, faces) is None
    assert first_by([*rolls, (first, 1)], seats, faces) is None


@pytest.mark.parametrize(
    "rolls",
    [
        [],
        [(0, 3)],
        [(1, 3), (0, 4)],
        [(0, 3), (2, 4)],
        [(0, 0), (1, 4)],
        [(0, 3), (1, 7)],
        [(0, 4), (1, 4)],
        [(0, 3), (1, 4), (1, 2)],
    ],
)
def test_rolls_that_no_match_begins_with_name_nobody(rolls: list[Roll]):
    assert first_by(rolls, 2, faces=6) is None
