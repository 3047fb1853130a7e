"""The best use of a hand, exactly: which cards to end up with.

Several trades of a turn are never better than one, so a turn's trading is a choice of *holdings*: how many cards of
each treasure to hold after it. They may exceed neither what hand and market hold together nor the hand's trade
value. Where the worth of holdings is a sum over the treasures, a table over budgets finds the best (a knapsack).
The choice of cards to keep in a Sandstorm is the same question with a budget of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from engine.archaeology_family.agents.worth import revenue
from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.moves import Trade
from engine.game import make

Worth = Sequence[Sequence[float]]
"""`worth[kind][n]`: what ending up with n cards of the kind is worth, for every n that can be had."""

_IMPOSSIBLE: Final = -1e9


def best_holdings(worth: Worth, hand: Sequence[int], costs: Sequence[int], budget: int) -> list[int]:
    """The holdings of the most worth that cost at most `budget`; among equals, as near to the hand as may be.

    >>> best_holdings([[0, 1, 2], [0, 2, 9]], [2, 1], [1, 1], 3)
    [1, 2]
    """
    return _solve(worth, hand, costs, budget, [0.0] * (budget + 1))


def best_kept(worth: Worth, hand: Sequence[int], count: int) -> list[int]:
    """The best `count` cards of a hand to keep, no fewer."""
    return _solve(worth, hand, [1] * len(hand), count, [0.0] + [_IMPOSSIBLE] * count)


def _solve(
    worth: Worth, hand: Sequence[int], costs: Sequence[int], budget: int, start: list[float]
) -> list[int]:
    tables = [start]
    for values, cost in zip(worth, costs, strict=True):
        nothing = len(values) == 1 and not values[0]
        tables.append(tables[-1] if nothing else with_kind(tables[-1], values, cost))
    holdings = [0] * len(worth)
    for kind in range(len(worth) - 1, -1, -1):
        if len(worth[kind]) == 1:
            continue
        n = _chosen(tables[kind], tables[kind + 1][budget], worth[kind], costs[kind], budget, hand[kind])
        holdings[kind] = n
        budget -= n * costs[kind]
    return holdings


def with_kind(before: Sequence[float], values: Sequence[float], cost: int) -> list[float]:
    """The best worth by budget, with one more treasure to spend it on."""
    none, size, at = values[0], len(before), 0
    best = [worth + none for worth in before]
    for value in values[1:]:
        at += cost
        if at >= size:
            break
        budget = at
        for worth in before[: size - at]:  # tables are short: slices at a time would take twice as long
            worth += value
            if worth > best[budget]:
                best[budget] = worth
            budget += 1
    return best


def _chosen(
    before: list[float], goal: float, values: Sequence[float], cost: int, budget: int, have: int
) -> int:
    """How many cards of the last treasure give the table's best: the sums are the same, so equality is exact."""
    most = min(len(values) - 1, budget // cost)
    for away in range(max(have, most - have) + 1):
        for n in (have - away, have + away):
            if 0 <= n <= most and before[budget - n * cost] + values[n] == goal:
                return n
    raise AssertionError("no number of cards gives the best")


def trade_to(holdings: Sequence[int], hand: Sequence[int]) -> Trade | None:
    """The trade that turns the hand into these holdings; None where nothing is given or nothing taken (R1).

    >>> trade_to([0, 3], [2, 2])
    Trade(give=((0, 2),), take=((1, 1),))
    """
    give: list[tuple[int, int]] = []
    take: list[tuple[int, int]] = []
    for kind, (n, have) in enumerate(zip(holdings, hand, strict=True)):
        if n < have:
            give.append((kind, have - n))
        elif n > have:
            take.append((kind, n - have))
    return make(Trade, (tuple(give), tuple(take))) if give and take else None


def removed(hand: Sequence[int], kept: Sequence[int]) -> Bundles:
    """The cards of a hand that are not kept."""
    return tuple(
        [(kind, have - n) for kind, (n, have) in enumerate(zip(kept, hand, strict=True)) if have > n]
    )


_DOLLAR, _POINT = 100_000, 100
"""The weights of a dollar and of a point of trade value, where a card that changes hands, weighing 1, breaks ties."""


def best_now(
    hand: Sequence[int],
    market: Sequence[int],
    trade: Sequence[int],
    prices: Sequence[tuple[int, ...]],
    take: Bundles = (),
    *,
    only: bool = False,
) -> list[int]:
    """The holdings after the trade that makes most of a hand at the museum now, of several one that wastes least trade
    value, and then one of fewest cards. With cards to `take`, such a trade with these, perhaps `only` these; it takes
    fewer if they cannot be paid.
    """
    worth, due = list[list[int]](), dict(take)
    for kind, (steps, have, value) in enumerate(zip(prices, hand, trade, strict=True)):
        taken = due.get(kind, 0)
        sold = revenue(steps, have + (taken if taken or only else market[kind]))
        dollars = [_DOLLAR * price + _POINT * n * value - abs(n - have) for n, price in enumerate(sold)]
        worth.append([-_DOLLAR * _DOLLAR] * (len(dollars) - 1) + dollars[-1:] if taken else dollars)
    worth.reverse()  # of cards that are worth the same, it keeps the common ones
    return best_holdings(worth, hand[::-1], trade[::-1], sum(map(mul, trade, hand)))[::-1]
