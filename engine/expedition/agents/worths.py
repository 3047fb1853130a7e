"""The worth of cards in The New Expedition: kept ones, the final gain of a hand from more, and those that a Tent saves.

Kept cards are worth the estimate of the Archaeology family, adapted to the number of seats and to what can still come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, exp
from typing import Final

from engine.archaeology_family.agents.expert import best_sales
from engine.archaeology_family.agents.planner import best_holdings
from engine.archaeology_family.agents.worth import Worths, kept_worth
from engine.archaeology_family.card_list import MAP
from engine.expedition.state import ExpeditionView

CHANGE: Final = 1.8
"""Dollars that each card is worth, whatever it is, divided by the number of seats: with more seats there are fewer
turns in which it can be used.
"""


def worths(view: ExpeditionView, map_worth: float) -> Worths:
    """The worth to the viewer of cards kept till the next turn.

    A set that can no longer come together, too many of its cards having been sold, counts for nothing.
    """
    prices = tuple(steps[: max(1, n)] for steps, n in zip(view.prices, view.unsold, strict=True))
    return kept_worth(prices, view.site == 0, round(map_worth, 1), CHANGE / view.seats)


MOST: Final = 8
"""The most cards of one treasure that an exploration is expected to bring at once."""

Gains = Sequence[Sequence[float]]
"""`gains[kind][n]`: what n more cards of the kind add to what the turn's end is worth, n from 0 to `MOST`."""


def gains_of(view: ExpeditionView, kept: Worths, maps: int = 0) -> Gains:
    """The gain from more cards to the best hand that the viewer can trade for this turn, with so many Maps set apart.

    Sales are included. It is not the hand as it is that counts: if a trade changed what an exploration seems worth, two
    trades could undo each other for ever.
    """
    hand = view.own_hand
    held = [have + lie for have, lie in zip(hand, view.market, strict=True)]
    worth = [
        [end.worth for end in best_sales(prices, values, 0.0)[: total + MOST + 1]]
        for prices, values, total in zip(view.prices, kept, held, strict=True)
    ]
    within = [values[: total + 1] for values, total in zip(worth, held, strict=True)]
    budget = sum(value * n for value, n in zip(view.trade, hand, strict=True)) - view.trade[MAP] * maps
    start = best_holdings(within, (0,) * view.kinds, view.trade, max(0, budget))
    return [
        [values[min(n + more, len(values) - 1)] - values[n] for more in range(MOST + 1)]
        for values, n in zip(worth, start, strict=True)
    ]


def gain_of(gains: Gains, cards: Iterable[tuple[int, int]]) -> float:
    """The gain from these cards."""
    return sum(gains[kind][min(n, MOST)] for kind, n in cards)


def drawn(gain: Sequence[float], draws: int, chance: float) -> float:
    """The expected gain from a treasure when each of some cards drawn is one of it with this chance.

    >>> drawn([0.0, 1.0, 10.0], 2, 0.5)
    3.0
    """
    return sum(
        odds * gain[min(n, len(gain) - 1)] for n, odds in enumerate(_binomial(draws, round(chance, 3)))
    )


@lru_cache(maxsize=4096)
def _binomial(draws: int, chance: float) -> tuple[float, ...]:
    return tuple(comb(draws, n) * chance**n * (1 - chance) ** (draws - n) for n in range(draws + 1))


def found(gains: Gains, cards: Sequence[float], draws: int) -> float:
    """The expected gain from so many cards drawn from these, counted by treasure."""
    total = sum(cards)
    return sum(drawn(gain, draws, n / total) for gain, n in zip(gains, cards, strict=True) if n > 0)


def best_pick(gain: Sequence[float], cards: Sequence[float], draws: int, first: int, last: int) -> float:
    """The expected gain from the `first`-best to the `last`-best of some cards drawn, the best counting as 1.

    `gain` is a card's by treasure, `cards` what they are drawn from.
    """
    total = sum(cards)
    kinds = sorted(range(len(gain)), key=lambda kind: -gain[kind])
    worth, above = 0.0, 0.0
    for place, kind in enumerate(kinds):
        above += cards[kind] / total
        below = gain[kinds[place + 1]] if place + 1 < len(kinds) else 0.0
        odds = _binomial(draws, round(min(1.0, above), 3))
        worth += (gain[kind] - below) * sum(sum(odds[rank:]) for rank in range(first, last + 1))
    return worth


LOSS: Final = 4.0
"""Dollars that saving the Tent for a later Sandstorm is taken to bring.

A Sandstorm takes about 6 on average. But hands are sold off towards the end, and what is spared now can be played with.
The values 3 and 5 win a little less often; 7 wins less often still, above all with many seats.
"""


@lru_cache(maxsize=64)
def worth_saving(storms: int) -> float:
    """The loss that a saved Tent is expected to spare, with so many Sandstorms to come.

    Before the last it is what that may take; before each earlier one the better of what it takes and what those
    after it may. Losses are taken to be distributed exponentially.

    >>> [round(worth_saving(storms) / LOSS, 2) for storms in range(4)]
    [0.0, 1.0, 1.37, 1.62]
    """
    if not storms:
        return 0.0
    later = worth_saving(storms - 1)
    return later + LOSS * exp(-later / LOSS)
