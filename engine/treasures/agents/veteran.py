"""A player of the Archaeology games who plans each turn exactly, by what experience says that cards are worth.

Within a turn hand and market together hold the same cards until something is sold or explored, so one sum tells what
any end of the turn is worth: money from sales, cards kept, cards left to others. The best end is found exactly, and
the turn's moves lead there: explore with Maps in hand first (what is found may change the plan), trade once, explore,
sell. Each trade must raise that sum by `MARGIN`, so that a turn cannot go to and fro for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.treasures.agents.experience import Experience, Worths, estimated, worths
from engine.treasures.agents.explore import Expeditions, Offer
from engine.treasures.agents.museum import largest_set, revenue
from engine.treasures.agents.planner import best_holdings, best_kept, removed, trade_to
from engine.treasures.agents.theft import best_victim
from engine.treasures.moves import Dig, Discard, EndTurn, Sell, Steal
from engine.treasures.state import ACT, DIG, STEAL, STORM, View
from engine.treasures.table import MAP

MARGIN: Final = 0.3
"""Dollars that a trade must gain: less than what experience is sure of, more than nothing."""
MARGIN_DRY: Final = 0.005
"""The same when nothing is left to chance; below `CARD`."""
CARD: Final = 0.02
"""What a card sold costs at the dry end, where nothing else decides: among tied players who sold fewer cards wins."""


class End(NamedTuple):
    """The best way to end a turn with so many cards of one kind: what it is worth, and what to do with them."""

    worth: float
    sell: int
    offer: Offer | None


class Veteran:
    """Plans whole turns. `experiences` are tried in their order; where none fits, cards' worth is estimated."""

    slow = False

    def __init__(self, expeditions: Expeditions, experiences: Sequence[Experience] = ()) -> None:
        self.expeditions = expeditions
        self._experiences = tuple(experiences)

    def choose(self, view: View, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        if view.phase == DIG:
            return Dig()
        if view.phase == ACT:
            return self._act(view)
        if view.phase == STORM:
            return self._discard(view)
        assert view.phase == STEAL
        return Steal(best_victim(view, self._worths(view)))

    def _worths(self, view: View) -> Worths:
        for experience in self._experiences:
            if experience.fits(view):
                return worths(experience, view.site)
        return worths(estimated(view.seats, view.prices, view.trade), view.site)

    # -- actions

    def _act(self, view: View) -> Any:
        hand = view.hand
        assert hand is not None
        ends = self._ends(view, hand)
        holdings = self._plan(view, hand, ends)
        offer = ends[MAP][holdings[MAP]].offer
        if offer and offer.maps <= hand[MAP]:
            return offer.move
        return trade_to(holdings, hand) or self._sale(view, hand, ends) or EndTurn()

    def _plan(self, view: View, hand: Sequence[int], ends: list[list[End]]) -> list[int]:
        """The holdings to trade for: the hand itself where no trade gains enough."""
        worth = [[end.worth for end in each] for each in ends]
        budget = sum(value * n for value, n in zip(view.trade, hand, strict=True))
        holdings = best_holdings(worth, hand, view.trade, budget)
        gain = sum(values[n] - values[have] for values, n, have in zip(worth, holdings, hand, strict=True))
        margin = MARGIN_DRY if view.dry else MARGIN
        return holdings if gain > margin and trade_to(holdings, hand) else list(hand)

    def _ends(self, view: View, hand: Sequence[int]) -> list[list[End]]:
        """By treasure, for every number of cards that could be held: the best end of the turn with them."""
        known = self._worths(view)
        ends: list[list[End]] = []
        for kind, have in enumerate(hand):
            most = have + view.market[kind]
            offered = known.offered[kind]
            kept = known.kept[kind]
            each = [_best_sale(view, kind, n, kept) for n in range(most + 1)]
            if kind == MAP:
                each = self._with_offers(view, each, kept)
            ends.append([end._replace(worth=end.worth + offered[most - n]) for n, end in enumerate(each)])
        return ends

    def _with_offers(self, view: View, ends: list[End], kept: list[float]) -> list[End]:
        for offer in self.expeditions.offers(view):
            for n in range(offer.maps, len(ends)):
                worth = offer.gain + kept[n - offer.maps]
                if worth > ends[n].worth:
                    ends[n] = End(worth, 0, offer)
        return ends

    def _sale(self, view: View, hand: Sequence[int], ends: list[list[End]]) -> Sell | None:
        """A set that the plan sells; where a duty to sell is all there is, the set that costs least."""
        for kind, n in enumerate(hand):
            if n and ends[kind][n].sell:
                return Sell(kind, largest_set(view.prices[kind], ends[kind][n].sell))
        return self._least_loss(view, hand) if view.duty else None

    def _least_loss(self, view: View, hand: Sequence[int]) -> Sell:
        known = self._worths(view)
        sales = [
            Sell(kind, count)
            for kind, n in enumerate(hand)
            for count in range(1, min(n, len(view.prices[kind])) + 1)
        ]
        return max(sales, key=lambda sale: _gain(view, known, hand, sale))

    # -- Sandstorms

    def _discard(self, view: View) -> Discard:
        hand = view.hand
        assert hand is not None
        known = self._worths(view)
        worth = [
            [known.kept[kind][n] + known.offered[kind][have - n + view.market[kind]] for n in range(have + 1)]
            for kind, have in enumerate(hand)
        ]
        return Discard(removed(hand, best_kept(worth, hand, sum(hand) - view.to_lose)))


def _best_sale(view: View, kind: int, held: int, kept: list[float]) -> End:
    """How many of the cards held to sell now, and what that and the rest are worth."""
    sold = revenue(view.prices[kind], held)
    fee = CARD if view.dry else 0.0
    worth, sell = max((sold[n] - fee * n + kept[held - n], -n) for n in range(held + 1))
    return End(worth, -sell, None)


def _gain(view: View, known: Worths, hand: Sequence[int], sale: Sell) -> float:
    kind, count = sale
    kept = known.kept[kind]
    return view.prices[kind][count - 1] + kept[hand[kind] - count] - kept[hand[kind]]
