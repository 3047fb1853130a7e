"""The best trades of a turn, and the payments for cards that cost the hand least, found exactly.

A trade is judged by what the whole hand would bring if all of it were sold afterwards in the best sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import mul
from typing import Final, NamedTuple

from engine.archaeology_family.agents.planner import best_now, trade_to
from engine.archaeology_family.agents.worth import brings, largest_set, revenue
from engine.archaeology_family.card_list import Bundles, bundles

Counts = tuple[int, ...]


class Offer(NamedTuple):
    """A trade. `brings` are the dollars that the whole hand brings after it, `lost` the trade value that is lost."""

    brings: int
    lost: int
    give: Bundles
    take: Bundles


def set_sizes(prices: Counts, cards: int) -> list[int]:
    """The sizes of the sets in which so many cards of one treasure bring most, the first to sell first.

    >>> set_sizes((2, 15), 5)
    [2, 2, 1]
    """
    sizes: list[int] = []
    while cards:
        sizes.append(largest_set(prices, cards))
        cards -= sizes[-1]
    return sizes


@lru_cache(maxsize=512)
def best_trades(hand: Counts, market: Counts, trade: Counts, prices: tuple[Counts, ...]) -> tuple[Offer, ...]:
    """For each treasure and number of it that can be paid, the trade with these cards after which the hand brings most,
    and that with these alone; the best first.

    Among equal ones those come first that lose less trade value, and then those of fewer cards. No treasure is both
    given and taken, and no card is given that could be left out.
    """
    found, budget = set[tuple[int, int, int, Offer]](), sum(map(mul, trade, hand))
    taken = [(kind, n) for kind, lie in enumerate(market) for n in range(1, lie + 1)]
    for (kind, n), only in product(taken, (False, True)):
        held = best_now(hand, market, trade, prices, ((kind, n),), only=only)
        if held[kind] == hand[kind] + n and (move := trade_to(held, hand)):
            money, lost = brings(held, prices), budget - sum(map(mul, trade, held))
            moved = sum([each for _kind, each in (*move.give, *move.take)])
            found.add((-money, lost, moved, Offer(money, lost, *move)))
    return tuple([offer for *_rank, offer in sorted(found)])


PAYMENTS: Final = 10
"""How many payments a menu offers."""
DOLLAR: Final = 10_000
"""The weight of a dollar when choices are compared. A point of trade value weighs 1, which only breaks ties."""


class Payment(NamedTuple):
    """Cards to give. `lost` is their trade value beyond the price, `hurt` the dollars that the hand's sets lose."""

    lost: int
    hurt: int
    cards: Bundles


def cheapest(
    hand: Sequence[int],
    weights: Sequence[int],
    trade: Sequence[int],
    prices: Sequence[tuple[int, ...]],
    limit: int,
    keep: int = PAYMENTS,
) -> list[list[tuple[int, tuple[int, ...]]]]:
    """For every total weight up to `limit`, the `keep` choices of exactly that weight that cost the least.

    Each is a pair of its cost (see `DOLLAR`) and of how many cards it has of each treasure.
    """
    best: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(limit + 1)]
    best[0] = [(0, ())]
    for kind, have in enumerate(hand):
        sold = revenue(prices[kind], have)
        wider: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(limit + 1)]
        for n in range(have + 1):
            weight = n * weights[kind]
            if weight > limit:
                break
            hurt = (sold[have] - sold[have - n]) * DOLLAR + n * trade[kind]
            for total in range(limit - weight + 1):
                wider[total + weight] += [(cost + hurt, (*counts, n)) for cost, counts in best[total]]
        best = [sorted(choices)[:keep] for choices in wider]
    return best


def payments(
    hand: Sequence[int], trade: Sequence[int], prices: Sequence[tuple[int, ...]], price: int
) -> list[Payment]:
    """Up to ten payments of at least `price`: first those that lose the least trade value, among these those that hurt
    the hand's sets least. No payment contains a card that could be left out.
    """
    highest = price + max(trade) - 1
    found: list[Payment] = []
    for total, choices in enumerate(cheapest(hand, trade, trade, prices, highest)):
        lost = total - price
        if lost < 0:
            continue
        for hurt, counts in choices:
            if all(trade[kind] > lost for kind, n in enumerate(counts) if n):
                found.append(Payment(lost, hurt // DOLLAR, bundles(counts)))
    return sorted(found)[:PAYMENTS]


@lru_cache(maxsize=512)
def least_losses(
    hand: tuple[int, ...], trade: tuple[int, ...], prices: tuple[tuple[int, ...], ...], due: int, limit: int
) -> tuple[Bundles, ...]:
    """The `limit` choices of `due` cards whose loss hurts the hand's sets least, the best first.

    Among equal choices, those come first that have the least trade value.
    """
    choices = cheapest(hand, [1] * len(hand), trade, prices, due, limit)[due]
    return tuple(bundles(counts) for _cost, counts in choices)
