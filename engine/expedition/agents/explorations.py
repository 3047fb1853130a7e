"""The offer of each monument to a seat that plans exactly: the cards that may lie there, and the stop in the Mine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.archaeology_family.agents.worth import Offer
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import View
from engine.expedition.agents.worths import MOST, Gains, best_pick, drawn, found, gain_of, gains_of, worths
from engine.expedition.monuments import KEPT, SAFE, TURNED, Tomb
from engine.expedition.moves import Guess, LookAt
from engine.expedition.state import ExpeditionView


class Shaft:
    """The Mine as one seat sees it: what is turned up, and what it may hope for from there.

    `left` are the cards still hidden, as expected by treasure; `turned` are counts by treasure.
    """

    def __init__(
        self, gains: Gains, trade: Sequence[int], left: Sequence[float], turned: Sequence[int] | None = None
    ) -> None:
        self._gains = gains
        self._trade = trade
        self._turned = tuple(turned or [0] * len(left))
        self._left = [n + up for n, up in zip(left, self._turned, strict=True)]
        self._kinds = [kind for kind, n in enumerate(left) if n > 0]
        self._values: dict[tuple[int, ...], float] = {}

    def prospect(self) -> float:
        """The expected gain from turning up one more card, and from going on while that is better."""
        return self._next(self._turned)

    def taken(self) -> float:
        """The gain from taking the cards turned up."""
        return self._taken(self._turned)

    def _next(self, turned: tuple[int, ...]) -> float:
        worth = self._worth(turned)
        left = {kind: max(0.0, self._left[kind] - turned[kind]) for kind in self._kinds}
        total = sum(left.values())
        if not total:
            return self._taken(turned)
        value = 0.0
        for kind, n in left.items():
            if n and worth + self._trade[kind] <= SAFE:
                value += n * self._best((*turned[:kind], turned[kind] + 1, *turned[kind + 1 :]))
        return value / total

    def _best(self, turned: tuple[int, ...]) -> float:
        if turned not in self._values:
            taken = self._taken(turned)
            goes_on = self._worth(turned) < SAFE
            self._values[turned] = max(taken, self._next(turned)) if goes_on else taken
        return self._values[turned]

    def _taken(self, turned: tuple[int, ...]) -> float:
        return sum(self._gains[kind][min(n, MOST)] for kind, n in enumerate(turned) if n)

    def _worth(self, turned: tuple[int, ...]) -> int:
        return sum(self._trade[kind] * n for kind, n in enumerate(turned) if n)


def unseen(view: ExpeditionView) -> list[int]:
    """By treasure, the cards that may lie in chambers or the pile for all that the viewer knows; no Map does."""
    return [n * (kind != MAP) for kind, n in enumerate(view.unseen)]


def contents(view: ExpeditionView, number: int) -> list[float]:
    """By treasure, how many cards the viewer should expect in a chamber: those known, and a share of the unseen."""
    seen = view.within[number]
    hidden = view.chambers[number] - sum(seen)
    if not hidden:
        return [float(n) for n in seen]
    pool = unseen(view)
    share = hidden / max(1, sum(pool))
    return [n + share * more for n, more in zip(seen, pool, strict=True)]


def is_known(view: ExpeditionView, number: int) -> bool:
    """Whether the viewer knows every card of a chamber."""
    return sum(view.within[number]) == view.chambers[number]


def unknown(view: ExpeditionView) -> list[int]:
    """The chambers of which the viewer does not know every card."""
    return [number for number in range(len(view.chambers)) if not is_known(view, number)]


def look(view: ExpeditionView) -> LookAt | None:
    """The look into the Temple, if one is offered: into a chamber that the viewer does not know, nor many others."""
    if not view.look:
        return None
    chamber = min(unknown(view), key=lambda number: len(view.privy[number]), default=None)
    return None if chamber is None else LookAt(chamber)


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
        return self._surveyed(view, view.explorable, self.map_worth(view)) if view.explorable else ()

    def map_worth(self, view: View) -> float:
        """Dollars for a Map kept till the next turn. No trade of this turn may change it."""
        assert isinstance(view, ExpeditionView)
        left = any(view.chambers) or (view.pile and view.sandstorms)
        if view.site:
            return MAP_WORTH if left else CHANGE
        least, within = 0.9 * view.prices[MAP][0], view.own_hand[MAP] + view.market[MAP]
        chambers = [n for n, size in enumerate(view.chambers) if within and size and view.costs[n] == 1]
        return max([least, *(LATER * offer.gain for offer in self._surveyed(view, chambers, least))])

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
    first, second = sorted(sorted(range(view.kinds), key=lambda kind: -worth[kind])[:2])
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
