"""The final gain of a hand from more cards, treasure by treasure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from typing import Final

from engine.archaeology_family.agents.expert import best_sale
from engine.archaeology_family.agents.planner import best_holdings
from engine.archaeology_family.agents.worth import HELD, Worths
from engine.archaeology_family.card_list import MAP
from engine.expedition.state import ExpeditionView

MOST: Final = 8
"""The most cards of one treasure that an exploration is expected to bring at once."""

Gains = Sequence[Sequence[float]]
"""`gains[kind][n]`: what n more cards of the kind add to what the turn's end is worth, n from 0 to `MOST`."""


def gains_of(view: ExpeditionView, kept: Worths, maps: int = 0) -> Gains:
    """The gain from more cards to the best hand that the viewer can trade for this turn, with so many Maps set apart.

    Sales are included. It is not the hand as it is that counts: if a trade changed what an exploration seems worth, two
    trades could undo each other for ever.
    """
    hand = view.hand
    assert hand is not None, "an agent plays from a seat"
    held = [have + lie for have, lie in zip(hand, view.market, strict=True)]
    worth = [
        [best_sale(prices, n, values, 0.0).worth for n in range(min(total + MOST, HELD - 1) + 1)]
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
