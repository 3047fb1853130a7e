"""Random legal cards for random play: any cards that may be chosen may come up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engine.treasures.moves import Trade
from engine.treasures.table import Bundles

_new = tuple.__new__


def sample_bundle(counts: Sequence[int], random: Callable[[], float]) -> tuple[int, int]:
    """One kind among `counts`, which must not be all 0, and a number of it from 1 to all."""
    kinds = len(counts)
    kind = int(random() * kinds)
    while not counts[kind]:
        kind = int(random() * kinds)
    have = counts[kind]
    return kind, (1 if have == 1 else 1 + int(random() * have))


def sample_discard(hand: Sequence[int], due: int, rng: Random) -> Bundles:
    """`due` random cards of a hand."""
    left = list(hand)
    chosen = [0] * len(left)
    kinds, random = len(left), rng.random
    while due:
        kind = int(random() * kinds)
        if left[kind]:
            left[kind] -= 1
            chosen[kind] += 1
            due -= 1
    return tuple([(kind, n) for kind, n in enumerate(chosen) if n])


def sample_trade(
    hand: Sequence[int], market: Sequence[int], trade: Sequence[int], rng: Random
) -> Trade | None:
    """A random trade, or None where the cards that were tried first buy nothing."""
    if not any(market):
        return None
    random = rng.random
    wanted, most = sample_bundle(market, random)
    given, n = sample_bundle(hand, random)
    budget = trade[given] * n
    give: Bundles = ((given, n),)
    if budget < trade[wanted] or random() < 0.2:
        cards = {given: n}
        while random() < 0.6:
            kind, n = sample_bundle(hand, random)
            cards[kind] = n
        give = tuple(sorted(cards.items()))
        budget = 0
        for kind, n in give:
            budget += trade[kind] * n
        if budget < trade[wanted]:
            return None
    price = trade[wanted]
    if most * price > budget:
        most = budget // price
    budget -= most * price
    take: Bundles = ((wanted, most),)
    if budget and random() < 0.5:
        take = _more(take, budget, market, trade, random)
    return _new(Trade, (give, take))


def _more(
    take: Bundles, budget: int, market: Sequence[int], trade: Sequence[int], random: Callable[[], float]
) -> Bundles:
    """Takes further kinds of cards for what is left of the budget."""
    cards = dict(take)
    while True:
        kind, n = sample_bundle(market, random)
        if kind not in cards and trade[kind] <= budget:
            n = min(n, budget // trade[kind])
            cards[kind] = n
            budget -= n * trade[kind]
        if random() < 0.5:
            return tuple(sorted(cards.items()))
