"""The planner finds what trying everything finds."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology_family.agents.planner import best_holdings, best_kept, removed, trade_to
from engine.archaeology_family.agents.worth import largest_set, revenue
from engine.archaeology_family.moves import Trade


@st.composite
def knapsacks(draw: Any) -> tuple[list[list[float]], list[int], list[int]]:
    kinds = draw(st.integers(1, 4))
    worth = [
        draw(st.lists(st.floats(-20, 50, allow_nan=False), min_size=1, max_size=5)) for _ in range(kinds)
    ]
    hand = [draw(st.integers(0, len(values) - 1)) for values in worth]
    costs = [draw(st.integers(1, 4)) for _ in range(kinds)]
    return worth, hand, costs


def value(worth: list[list[float]], holdings: Any) -> float:
    return sum(values[n] for values, n in zip(worth, holdings, strict=True))


@given(knapsacks(), st.integers(0, 20))
def test_the_best_holdings_are_the_best_of_all_within_the_budget(
    case: tuple[list[list[float]], list[int], list[int]], budget: int
) -> None:
    worth, hand, costs = case
    found = best_holdings(worth, hand, costs, budget)
    every = [
        holdings
        for holdings in product(*(range(len(values)) for values in worth))
        if sum(n * cost for n, cost in zip(holdings, costs, strict=True)) <= budget
    ]
    assert tuple(found) in every
    assert value(worth, found) == pytest.approx(max(value(worth, holdings) for holdings in every))


@given(knapsacks(), st.data())
def test_the_best_cards_to_keep_are_exactly_so_many(
    case: tuple[list[list[float]], list[int], list[int]], data: Any
) -> None:
    worth, hand, _ = case
    worth = [values[: have + 1] for values, have in zip(worth, hand, strict=True)]
    count = data.draw(st.integers(0, sum(hand)))
    found = best_kept(worth, hand, count)
    every = [kept for kept in product(*(range(have + 1) for have in hand)) if sum(kept) == count]
    assert tuple(found) in every
    assert value(worth, found) == pytest.approx(max(value(worth, kept) for kept in every))


def test_where_nothing_is_gained_the_hand_stays_as_it_is() -> None:
    assert best_holdings([[0, 1, 2], [0, 1, 2]], [2, 1], [1, 1], 3) == [2, 1]


def test_a_trade_gives_and_takes_or_is_none() -> None:
    assert trade_to([1, 2, 0], [3, 0, 0]) == Trade(((0, 2),), ((1, 2),))
    assert trade_to([1, 0, 0], [3, 0, 0]) is None
    assert removed([3, 1, 2], [1, 1, 0]) == ((0, 2), (2, 2))


def test_cards_are_sold_in_the_sets_that_bring_the_most() -> None:
    coins = (2, 5, 10, 18, 30)
    assert revenue(coins, 7) == (0, 2, 5, 10, 18, 30, 32, 35)
    assert largest_set(coins, 7) == 5
    assert revenue((1, 2, 3, 10), 3) == (0, 1, 2, 3)
