"""The offer of each monument to a seat that plans exactly: the worth of the cards that an exploration should bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.archaeology_family.agents.explore import Offer
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import View
from engine.expedition.agents.contents import contents, is_known
from engine.expedition.agents.gains import Gains, best_pick, drawn, found, gain_of, gains_of
from engine.expedition.agents.mine import Shaft
from engine.expedition.agents.worths import worths
from engine.expedition.monuments import KEPT, TURNED, Tomb
from engine.expedition.moves import Guess
from engine.expedition.state import ExpeditionView

MAP_WORTH: Final = 6.5
"""Dollars for a Map kept while there is something to explore.

The value 5 plays as well, 8 a little worse, 10 far worse.
"""
CHANGE: Final = 6.0
"""The same when nothing is left to explore: a Map can still be traded."""
LATER: Final = 0.95
"""The part of its worth that an exploration keeps which must wait for the next turn, once the dig site is empty."""


class Surveys:
    """The explorations of the six monuments by what their cards would add to the viewer's hand."""

    def offers(self, view: View) -> Sequence[Offer]:
        assert isinstance(view, ExpeditionView)
        assert view.hand is not None
        maps = view.hand[MAP] + view.market[MAP]
        chambers = [number for number in view.explorable if view.costs[number] <= maps]
        return self._surveyed(view, chambers, self.map_worth(view)) if chambers else ()

    def map_worth(self, view: View) -> float:
        """Dollars for a Map kept till the next turn. No trade of this turn may change it."""
        assert isinstance(view, ExpeditionView)
        left = any(view.chambers) or (view.pile and view.sandstorms)
        if view.site:
            return MAP_WORTH if left else CHANGE
        least = 0.9 * view.prices[MAP][0]
        chambers = [number for number, size in enumerate(view.chambers) if size and view.costs[number] == 1]
        assert view.hand is not None
        if not chambers or not view.hand[MAP] + view.market[MAP]:
            return least
        return max(least, LATER * max(offer.gain for offer in self._surveyed(view, chambers, least)))

    def _surveyed(self, view: ExpeditionView, chambers: Sequence[int], map_worth: float) -> list[Offer]:
        kept = worths(view, map_worth)
        gains = {cost: gains_of(view, kept, cost) for cost in {view.costs[number] for number in chambers}}
        return [self._offer(view, number, gains[view.costs[number]]) for number in chambers]

    def _offer(self, view: ExpeditionView, number: int, gains: Gains) -> Offer:
        cost = view.costs[number]
        match view.monument:
            case "sphinx":
                return best_guess(view, number, gains)
            case "mine":
                shaft = Shaft(gains, view.trade, contents(view, number))
                return Offer(cost, shaft.prospect(), Explore(number))
            case "tomb":
                return Offer(cost, best_of_tomb(view, number, gains), Explore(number))
            case _:
                if is_known(view, number):
                    gain = gain_of(gains, enumerate(view.within[number]))
                else:
                    gain = found(gains, contents(view, number), view.chambers[number])
                return Offer(cost, gain, Explore(number))


def best_guess(view: ExpeditionView, number: int, gains: Gains) -> Offer:
    """The two treasures to name to the Sphinx: each adds for itself, so they are the two that add the most."""
    size, cards = view.chambers[number], contents(view, number)
    worth = [drawn(gain, min(TURNED, size), n / size) for gain, n in zip(gains, cards, strict=True)]
    first, second, *_ = sorted(range(view.kinds), key=lambda kind: -worth[kind])
    return Offer(view.costs[number], worth[first] + worth[second], Guess((first, second)))


def best_of_tomb(view: ExpeditionView, number: int, gains: Gains) -> float:
    """The expected gain from the cards kept from a chamber. If others chose from it before, the best are gone."""
    each = [gain[1] for gain in gains]
    size, cards = view.chambers[number], contents(view, number)
    if is_known(view, number):
        return gain_of(gains, best_two(view.within[number], gains))
    first = Tomb.sizes[number] - size
    return best_pick(each, cards, Tomb.sizes[number], first + 1, first + min(KEPT, size))


def best_two(cards: Sequence[int], gains: Gains) -> tuple[tuple[int, int], ...]:
    """The cards to keep of a chamber of the Tomb: `KEPT`, or all where there are fewer."""
    kinds = [kind for kind, n in enumerate(cards) if n]
    picks = [((kind, KEPT),) for kind in kinds if cards[kind] >= KEPT]
    picks += [((a, 1), (b, 1)) for a in kinds for b in kinds if a < b]
    if not picks:
        return tuple((kind, cards[kind]) for kind in kinds)
    return max(picks, key=lambda pick: gain_of(gains, pick))
