"""The value of exploring: the part of the agents in which the games of the Archaeology family differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import View

CARD_FOUND: Final = 5.0
"""Dollars that an unknown card brings in the end: its mean share of a largest set.

So an expert explores wherever it can. In 500 matches each against the value 4, the value 3 won 41 in a hundred and the
value 5 won 52; 6 and 8 play like 5.
"""

MAP_WORTH: Final = 8.0
"""Dollars for a Map kept till the next turn. To trade with, it would be worth about 6. The value 6.5 plays worse, 10
does not.
"""
DRY: Final = 0.9
"""The part of a Map's price that it is worth when the dig site is empty."""


class Offer(NamedTuple):
    """An exploration: the Maps it costs, what it should bring in dollars, and the move."""

    maps: int
    gain: float
    move: Any


class Explorations(Protocol):
    """A game's explorations, as agents see them."""

    def offers(self, view: View) -> Sequence[Offer]:
        """The chambers that could be explored this turn with enough Maps, even if the viewer does not have them."""
        ...

    def map_worth(self, view: View) -> float:
        """Dollars for a Map that is kept till the next turn."""
        ...


class PyramidExplorations:
    """Chambers of unknown cards, each explored once: chamber n costs n + 1 Maps."""

    def offers(self, view: View) -> Sequence[Offer]:
        return [
            Offer(number + 1, cards * CARD_FOUND, Explore(number))
            for number, cards in enumerate(view.chambers)
            if cards
        ]

    def map_worth(self, view: View) -> float:
        return MAP_WORTH if view.site else DRY * view.prices[MAP][0]
