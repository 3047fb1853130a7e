"""The leaning of an agent beyond the worth of things: a plan of its own, given as a few numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

CHEAP: Final = 4
"""Dollars up to which an asset is not dear."""
OF_AN_ORDER: Final = 0.4
"""The part of an order that an artifact usually fills."""


class Leaning(NamedTuple):
    """Reputation that a plan's own deeds seem to bring beyond what they do bring; 0 is no leaning.

    `museums`: each order filled. `dives`: each U card taken. `dear`: each dollar above `CHEAP` that an asset costs,
    bought or turned. `adventurers`: each die that a company gives beyond those at the start. One of them at 1 is a
    player who seldom looks at anything else; 0.3 to 0.5 is a taste.
    """

    museums: float = 0.0
    dives: float = 0.0
    dear: float = 0.0
    adventurers: float = 0.0

    def purchase(self, dollars: int, dice: int) -> float:
        """For a purchase at this price that gives so many dice more."""
        return self.dear * max(0, dollars - CHEAP) + self.adventurers * dice


NO_LEANING: Final = Leaning()
