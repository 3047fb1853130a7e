"""The search for the best line of moves, on a toy: coins are laid one by one on squares that pay for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.lines import Judged, best_line


class Board(NamedTuple):
    """Coins in hand and squares that are free, both ascending, and what was paid so far."""

    coins: tuple[int, ...]
    squares: tuple[int, ...]
    paid: int = 0


class Laying:
    """A coin on a square pays their product; one in hand is worth `kept` a pip.

    The promise of a board is what its coins can still be paid, or nothing for the short-sighted.
    """

    def __init__(self, kept: int = 0, short_sighted: bool = False) -> None:
        self.kept = kept
        self.short_sighted = short_sighted
        self.judged = 0

    def steps(self, board: Board, /) -> Iterator[tuple[tuple[tuple[int, int], ...], Board]]:
        for coin in board.coins:
            for square in board.squares:
                coins, squares = list(board.coins), list(board.squares)
                coins.remove(coin)
                squares.remove(square)
                yield ((coin, square),), Board(tuple(coins), tuple(squares), board.paid + coin * square)

    def left(self, board: Board, /) -> int:
        return len(board.coins)

    def judge(self, board: Board, /) -> Judged:
        self.judged += 1
        worth = board.paid + self.kept * sum(board.coins)
        best = sum(
            coin * square
            for coin, square in zip(reversed(board.coins), reversed(board.squares), strict=False)
        )
        return Judged(worth, worth if self.short_sighted else worth + best)


def most(coins: tuple[int, ...], squares: tuple[int, ...]) -> int:
    """The pay of the best way to lay coins, found by trying all ways."""
    return max(
        sum(coin * square for coin, square in zip(order, squares, strict=False))
        for order in permutations(coins)
    )


numbers = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(lambda each: tuple(sorted(each)))


@given(numbers)
def test_a_wide_search_finds_the_best_line(coins: tuple[int, ...]) -> None:
    squares = tuple(range(1, len(coins) + 1))
    line = best_line(Laying(short_sighted=True), Board(coins, squares), 1000, 100_000)
    assert line.worth == line.end.paid == most(coins, squares)
    assert sum(coin * square for coin, square in line.moves) == line.worth


def test_a_good_promise_needs_no_width() -> None:
    assert best_line(Laying(), Board((1, 2, 5, 6), (1, 3, 4)), 1, 1000).worth == 6 * 4 + 5 * 3 + 2


def test_a_line_ends_where_going_on_is_worth_less() -> None:
    """A coin in hand is worth three of its pips: only the better square is worth a coin."""
    line = best_line(Laying(kept=3), Board((2, 5), (1, 4)), 10, 1000)
    assert line.moves == ((5, 4),)
    assert line.worth == 20 + 6


def test_where_stopping_is_best_the_line_has_no_moves() -> None:
    start = Board((2, 5), (1, 4))
    line = best_line(Laying(kept=9), start, 10, 1000)
    assert (line.moves, line.end, line.worth) == ((), start, 63)


def test_no_position_is_judged_twice() -> None:
    plan = Laying()
    best_line(plan, Board((1, 1, 1), (2, 2, 2)), 100, 1000)
    assert plan.judged == 4  # three coins in hand, two, one, none


@pytest.mark.parametrize("count", [1, 5, 40])
def test_the_work_is_bounded_by_a_count(count: int) -> None:
    plan = Laying()
    line = best_line(plan, Board((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)), 100, count)
    assert plan.judged == count
    assert line.worth >= 0


def test_positions_compete_with_those_that_have_as_much_left() -> None:
    """With a width of one the better start is followed, though a worse one has already gone further."""
    wide = best_line(Laying(short_sighted=True), Board((1, 6), (1, 2, 6)), 100, 1000)
    narrow = best_line(Laying(short_sighted=True), Board((1, 6), (1, 2, 6)), 1, 1000)
    assert wide.worth == 38
    assert narrow.moves[0] == (6, 6)
