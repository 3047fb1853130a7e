"""Archaeology's agents, the weakest first."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final

from engine.archaeology_family.agents.expert import CARD, Expert
from engine.archaeology_family.agents.explore import CARD_FOUND, DRY, MAP_WORTH, Offer, PyramidExplorations
from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.novice import Novice
from engine.archaeology_family.agents.playouts import Ends, Playouts, ends_of
from engine.archaeology_family.agents.worth import kept_worth
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import State, View
from engine.game import Agent


class PyramidPlayouts(Playouts[State]):
    """Plays matches on with the pyramid."""

    def situation(self, state: State) -> Hashable:
        return not state.site, state.dry, *map(any, state.chambers)

    def make_ends(self, state: State) -> Ends:
        prices = self.game.prices
        over = not state.site
        kept = kept_worth(prices, over, DRY * prices[MAP][0] if over else MAP_WORTH)
        offers = [
            Offer(number + 1, sum(chamber) * CARD_FOUND, Explore(number))
            for number, chamber in enumerate(state.chambers)
            if any(chamber)
        ]
        return ends_of(prices, kept, offers, CARD if state.dry else 0.0)


NOVICE: Final = 9.0
"""Dollars that a trade of a novice must gain: with so many a child wins about half of its matches (docs/agents.md)."""
VETERAN: Final = 6.5
"""The same for a veteran: with so many a person who does what the lesson teaches wins a third of the matches."""


def agents_of(game: Any) -> Mapping[str, Agent[View, Any]]:
    """The agents that play by the rules of this game."""
    explorations = PyramidExplorations()
    expert = Expert(explorations)
    return {
        "novice": Novice(explorations, NOVICE),
        "veteran": Expert(explorations, VETERAN),
        "expert": expert,
        "master": Master[State, View](expert, PyramidPlayouts(game)),
    }
