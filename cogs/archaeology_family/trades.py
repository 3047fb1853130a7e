"""The best trades of a turn, found exactly: for each choice of cards to take, the payment that costs the hand least.

A trade is judged by what the whole hand would bring if all of it were sold afterwards in the best sets.

They are found without trying every combination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.archaeology_family.agents.worth import brings, largest_set, revenue
from engine.archaeology_family.card_list import Bundles, bundles

OFFERS: Final = 12
"""How many trades are found among which a menu's are chosen."""
_DOLLAR: Final = 1000
"""The weight of a dollar in a score. A card that changes hands weighs 1, which only breaks ties."""
_BITS: Final = 7
"""The width of one treasure's count where cards are packed into a number: no card list has 128 of a treasure."""

Counts = tuple[int, ...]
_Part = tuple[int, int, int]
"""A part of a trade: its score (see `_DOLLAR`), then the cards taken and the cards given, packed into numbers."""


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
def best_trades(
    hand: Counts, market: Counts, trade: Counts, prices: tuple[Counts, ...], limit: int = OFFERS
) -> tuple[Offer, ...]:
    """The `limit` trades after which the hand brings most, the best first; of each choice to take, the best payment.

    Among equal ones those come first that lose less trade value, and then those of fewer cards. No treasure is both
    given and taken, and no card is given that could be left out.

    Treasure by treasure, it extends parts of trades, and keeps the `limit` best of those that take equally much more
    trade value than they give. No other can become one of the best trades, because all that were kept can be
    completed in the same way, and then are better; one more is kept, for that which takes nothing is no trade.
    """
    to_give = sum(n * value for n, value in zip(hand, trade, strict=True))
    to_take = sum(n * value for n, value in zip(market, trade, strict=True))
    waste = max(trade) - 1  # whoever gives more than this for nothing has given a card too many
    parts: dict[int, list[_Part]] = {0: [(0, 0, 0)]}
    for kind, (have, lie, value) in enumerate(zip(hand, market, trade, strict=True)):
        if have or lie:
            to_give -= have * value
            to_take -= lie * value
            steps = _steps(kind, have, lie, value, prices[kind])
            parts = _extended(parts, steps, range(-to_take - waste, to_give + 1), limit + 1)
    found: dict[int, tuple[int, int, int, _Part]] = {}
    for balance, several in parts.items():
        for part in several:
            score, take, _give = part
            rank = (score // -_DOLLAR, -balance, -score, part)
            if take and (take not in found or rank < found[take]):
                found[take] = rank
    now = brings(hand, prices)
    return tuple(
        Offer(now - loss, lost, _unpacked(give), _unpacked(take))
        for loss, lost, _score, (_same, take, give) in sorted(found.values())[:limit]
    )


def _steps(kind: int, have: int, lie: int, value: int, prices: Counts) -> list[tuple[int, int, int, int]]:
    """The trade of one treasure: the trade value it takes, its score, the cards taken, the cards given."""
    sold = revenue(prices, have + lie)
    place = _BITS * kind
    return [
        (
            n * value,
            (sold[have + n] - sold[have]) * _DOLLAR - abs(n),
            max(n, 0) << place,
            max(-n, 0) << place,
        )
        for n in range(-have, lie + 1)
    ]


def _extended(
    parts: Mapping[int, list[_Part]], steps: Sequence[tuple[int, int, int, int]], within: range, limit: int
) -> dict[int, list[_Part]]:
    """The parts with each of these steps added, by balance; the `limit` best of each, no two of which take the same."""
    longer: dict[int, list[_Part]] = {}
    for cost, gain, taken, given in steps:
        for balance, several in parts.items():
            if balance + cost in within:
                longer.setdefault(balance + cost, []).extend(
                    [(score + gain, take | taken, give | given) for score, take, give in several]
                )
    for balance, several in longer.items():
        several.sort(reverse=True)
        if len(several) > 1:
            distinct: dict[int, _Part] = {}
            for part in several:
                distinct.setdefault(part[1], part)
                if len(distinct) == limit:
                    break
            longer[balance] = list(distinct.values())
    return longer


def _unpacked(cards: int) -> Bundles:
    """The cards that a number stands for."""
    counts: list[tuple[int, int]] = []
    kind = 0
    while cards:
        n = cards & ((1 << _BITS) - 1)
        if n:
            counts.append((kind, n))
        cards >>= _BITS
        kind += 1
    return tuple(counts)


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
