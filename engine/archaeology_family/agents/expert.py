"""A player of the Archaeology family that plans each turn exactly.

Within a turn hand and market together hold the same cards until something is sold or explored, so one sum tells what
an end of the turn is worth: money from sales, and the worth of the cards kept. The best end is found exactly, and the
turn's moves lead there: explore with Maps in hand first (what is found may change the plan), trade once, explore with
Maps bought, sell. Each trade must raise that sum by a margin, so that a turn cannot go to and fro for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from engine.archaeology_family.agents.planner import Worth, best_holdings, best_kept, removed, trade_to
from engine.archaeology_family.agents.worth import (
    HELD,
    Explorations,
    Offer,
    Worths,
    best_victim,
    kept_worth,
    largest_set,
    revenue,
)
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Sell, Steal
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM, View

MARGIN: Final = 0.3
"""Dollars that a trade must gain while there is something to dig. The estimates are not exact enough for less."""
NOVICE: Final = 18.0, 0.5
"""The margin and the patience of novices: with these a child wins about half of its matches (docs/agents.md)."""
MARGIN_DRY: Final = 0.005
"""The same when nothing is left to chance. It is less than `CARD`."""
CARD: Final = 0.02
"""Dollars that are subtracted for each card sold once the dig site is empty: of tied players, the one who sold fewer
cards wins.
"""


class End(NamedTuple):
    """The best way to end a turn with so many cards of one kind: what it is worth, and what to do with them."""

    worth: float
    sell: int
    offer: Offer | None


class Expert:
    """Plans whole turns. Uses no chance of its own."""

    slow = False

    def __init__(self, explorations: Explorations, margin: float = MARGIN, patience: float = 1.0) -> None:
        """`margin` is what a trade must gain, in dollars, while there is something to dig. `patience` is the part of
        their worth that kept cards seem to have.
        """
        self._explorations, self._margin, self._patience = explorations, margin, patience

    def choose(self, view: View, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        if view.phase == DIG:
            return Dig()
        if view.phase == ACT:
            return self.act(view)
        hand, kept = view.own_hand, self.kept(view)
        if view.phase == STORM:
            return Discard(removed(hand, struck(hand, kept)[0]))
        assert view.phase == STEAL
        return Steal(best_victim(view, kept))

    def storm_loss(self, view: View) -> float:
        """The worth of the cards that the next Sandstorm would take from the viewer."""
        return struck(view.own_hand, self.kept(view))[1]

    def kept(self, view: View) -> Worths:
        """The value of cards kept till the next turn."""
        worths, patience = self._kept(view), self._patience
        return worths if patience == 1 else tuple([tuple([patience * n for n in each]) for each in worths])

    def _kept(self, view: View) -> Worths:
        return kept_worth(view.prices, view.site == 0, self._explorations.map_worth(view))

    def act(self, view: View, *, trades: bool = True) -> Any:
        """The next move of the viewer's turn; without `trades`, one that is no trade."""
        hand, kept = view.own_hand, self.kept(view)
        ends = self._ends(view, hand, kept)
        holdings = _plan(view, hand, ends, self._margin) if trades else list(hand)
        offer = ends[MAP][holdings[MAP]].offer
        if offer and offer.maps <= hand[MAP]:
            return offer.move
        return trade_to(holdings, hand) or _sale(view, hand, kept, ends) or EndTurn()

    def turn_worth(self, view: View) -> list[list[float]]:
        """By treasure, what the best end of the turn with 0, 1, 2, ... cards of it is worth, up to all within reach."""
        ends = self._ends(view, view.own_hand, self.kept(view))
        return [[end.worth for end in each] for each in ends]

    def offers(self, view: View) -> Sequence[Offer]:
        """The explorations that are open this turn to a seat with enough Maps."""
        return self._explorations.offers(view)

    def _ends(self, view: View, hand: Sequence[int], kept: Worths) -> list[list[End]]:
        """By treasure, for every number of cards that could be held: the best end of the turn with them."""
        fee = CARD if view.dry else 0.0
        ends = [
            list(best_sales(prices, values, fee)[: have + lie + 1])
            for prices, values, have, lie in zip(view.prices, kept, hand, view.market, strict=True)
        ]
        for offer in self._explorations.offers(view):
            for n in range(offer.maps, len(ends[MAP])):
                worth = offer.gain + kept[MAP][n - offer.maps]
                if worth > ends[MAP][n].worth:
                    ends[MAP][n] = End(worth, 0, offer)
        return ends


def struck(hand: Sequence[int], kept: Worth) -> tuple[list[int], float]:
    """The cards that the cheapest loss in a Sandstorm leaves of a hand, and the loss, in the terms of `kept`."""
    worth = [values[: n + 1] for values, n in zip(kept, hand, strict=True)]
    left = best_kept(worth, hand, sum(hand) - sum(hand) // 2)
    return left, sum([values[n] - values[m] for values, n, m in zip(worth, hand, left, strict=True)])


@lru_cache(maxsize=1024)
def best_sales(prices: tuple[int, ...], kept: tuple[float, ...], fee: float) -> Sequence[End]:
    """By the number of cards held, how many of them to sell now, and what these and the rest are worth.

    If it is the same, it sells later.
    """
    sold, ends = revenue(prices, HELD - 1), list[End]()
    for held in range(HELD):
        worth, unsold = max([(sold[n] - fee * n + kept[held - n], held - n) for n in range(held + 1)])
        ends.append(End(worth, held - unsold, None))
    return tuple(ends)


def _plan(view: View, hand: Sequence[int], ends: Sequence[Sequence[End]], margin: float) -> list[int]:
    """The holdings to trade for: the hand itself where no trade gains enough."""
    worth = [[end.worth for end in each] for each in ends]
    budget = sum(value * n for value, n in zip(view.trade, hand, strict=True))
    holdings = best_holdings(worth, hand, view.trade, budget)
    gain = sum(values[n] - values[have] for values, n, have in zip(worth, holdings, hand, strict=True))
    least = MARGIN_DRY if view.dry else margin
    return holdings if gain > least and trade_to(holdings, hand) else list(hand)


def _sale(view: View, hand: Sequence[int], kept: Worths, ends: Sequence[Sequence[End]]) -> Sell | None:
    """A set that the plan sells; where there is a duty to sell and no such set, the one that costs least."""
    for kind, n in enumerate(hand):
        if sell := ends[kind][n].sell:
            return Sell(kind, largest_set(view.prices[kind], sell))
    if not view.duty:
        return None

    def gain(sale: Sell) -> float:
        kind, count = sale
        return view.prices[kind][count - 1] + kept[kind][hand[kind] - count] - kept[kind][hand[kind]]

    sets = [
        Sell(kind, count)
        for kind, n in enumerate(hand)
        for count in range(1, min(n, len(view.prices[kind])) + 1)
    ]
    return max(sets, key=gain)
