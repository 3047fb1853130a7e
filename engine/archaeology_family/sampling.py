"""Chance outside matches: cards for random play of the Archaeology family, and states that fit a view.

Of a state that fits a view, what the view hides is drawn at random. Every choice that is legal may come up, though not
all equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Protocol

from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, Bundles, CardList
from engine.archaeology_family.moves import Trade
from engine.archaeology_family.state import State, View
from engine.chance import LARGEST
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
    cards = dict(take)
    while True:
        kind = sample_kind(market, random)
        if kind not in cards and trade[kind] <= budget:
            n = min(1 + int(random() * market[kind]), budget // trade[kind])
            cards[kind] = n
            budget -= n * trade[kind]
        if random() < 0.5:
            return tuple(sorted(cards.items()))


_BITS: Final = [n.bit_length() for n in range(LARGEST + 1)]


def mix(cards: list[int], rng: Random) -> None:
    """Does what `rng.shuffle` does, from the same random bits, in half of the time. For at most `LARGEST` cards."""
    random_bits = rng.getrandbits
    for last in range(len(cards) - 1, 0, -1):
        bits = _BITS[last + 1]
        other = random_bits(bits)
        while other > last:
            other = random_bits(bits)
        cards[last], cards[other] = cards[other], cards[last]


class Hiding(Protocol):
    """A game with its hidden places: what the two games differ in."""

    @property
    def card_list(self) -> CardList: ...
    def fill_chambers(self, state: Any, view: Any, hidden: list[int]) -> None: ...


def fill(game: Hiding, state: State, view: View, rng: Random) -> None:
    """Fills in what this state, which has all that the view shows, does not have from it.

    No chamber holds Maps (set-up, step 1), so they join the hidden cards once the chambers are filled.
    """
    if view.viewer is not None:
        for seat, counts in view.learnt:
            state.learnt[seat][view.viewer] = list(counts)
    state.thieves = game.card_list.thieves.by_seats[view.seats] - view.thieves
    state.sandstorms = game.card_list.sandstorms.by_seats[view.seats] - view.sandstorms
    state.hands = [list(counts) for counts in view.known]
    if view.viewer is not None and view.hand is not None:
        state.hands[view.viewer] = list(view.hand)
    unseen = view.unseen
    hidden = [kind for kind, n in enumerate(unseen) if kind != MAP for _ in range(n)]
    mix(hidden, rng)
    game.fill_chambers(state, view, hidden)
    hidden += [MAP] * unseen[MAP]
    mix(hidden, rng)
    for seat, hand in enumerate(state.hands):
        for _ in range(view.sizes[seat] - sum(hand)):
            hand[hidden.pop()] += 1
    hidden += [THIEF] * view.thieves + [SANDSTORM] * view.sandstorms
    mix(hidden, rng)
    state.site = hidden
