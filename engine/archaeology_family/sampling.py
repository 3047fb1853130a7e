"""Random choices of cards for random play in the Archaeology family.

Every choice that is legal may come up, though not all equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.moves import Trade
from engine.game import make

_Source = Callable[[], float]


def sample_kind(counts: Sequence[int], random: _Source) -> int:
    """A kind of which there is a card; there must be one.

    >>> sample_kind([0, 2, 0], Random(1).random)
    1
    """
    kinds = len(counts)
    kind = int(random() * kinds)
    while not counts[kind]:  # from a random place on downwards, -1 being the last
        kind -= 1
    return kind % kinds


def sample_discard(hand: Sequence[int], due: int, rng: Random) -> Bundles:
    """`due` random cards of a hand."""
    left = list(hand)
    chosen = [0] * len(left)
    random = rng.random
    for _ in range(due):
        kind = sample_kind(left, random)
        left[kind] -= 1
        chosen[kind] += 1
    return tuple([(kind, n) for kind, n in enumerate(chosen) if n])


def sample_trade(
    hand: Sequence[int], market: Sequence[int], trade: Sequence[int], rng: Random
) -> Trade | None:
    """A random trade, or None where the cards that were tried first buy nothing."""
    if not any(market):
        return None
    random = rng.random
    wanted = sample_kind(market, random)
    count, price = market[wanted], trade[wanted]
    given = sample_kind(hand, random)
    n = hand[given]
    if n > 1:
        n = 1 + int(random() * n)
    budget = trade[given] * n
    give: Bundles = ((given, n),)
    if budget < price or random() < 0.2:
        cards = {given: n}
        while random() < 0.6:
            kind = sample_kind(hand, random)
            cards[kind] = 1 + int(random() * hand[kind])
        give = tuple(sorted(cards.items()))
        budget = 0
        for kind, n in give:
            budget += trade[kind] * n
        if budget < price:
            return None
    if count > 1:
        count = 1 + int(random() * count)
    if count * price > budget:
        count = budget // price
    budget -= count * price
    take: Bundles = ((wanted, count),)
    if budget and random() < 0.5:
        take = _more(take, budget, market, trade, random)
    return make(Trade, (give, take))


def _more(
    take: Bundles, budget: int, market: Sequence[int], trade: Sequence[int], random: _Source
) -> Bundles:
    """Takes further kinds of cards for what is left of the budget."""
    cards = dict(take)
    while True:
        kind = sample_kind(market, random)
        if kind not in cards and trade[kind] <= budget:
            n = min(1 + int(random() * market[kind]), budget // trade[kind])
            cards[kind] = n
            budget -= n * trade[kind]
        if random() < 0.5:
            return tuple(sorted(cards.items()))
