"""All parts of the pictures that both Archaeology games share, for the sheet on which they are looked at together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.art.ink import Part
from cogs.archaeology_family.art import cards, draw, places, site
from cogs.archaeology_family.art.cards import treasure
from cogs.archaeology_family.art.emoji import family_emoji

_DRAWN: Final = (
    *("thief", "sandstorm", "tent", "pick", "tag", "pile", "price-map", "lamp", "pyramid", "staff"),
    *("sky", "dunes", "dig-pit", "palm", "doorway", "pedestal", "case"),
)
"""The drawings besides treasures that pictures of both games have."""


def family_parts(kinds: int = 7) -> Sequence[Part]:
    """The parts of both games, with the first so many treasures."""
    return [
        *(treasure(kind) for kind in range(kinds)),
        *map(draw, _DRAWN),
        *(cards.treasure_card(kind) for kind in range(kinds)),
        *(cards.pips(count) for count in range(1, 6)),
        *(
            room(width, height)
            for room in (places.closed_room, places.open_room)
            for _x, _y, width, height in places.ROOMS
        ),
        site.ground(site.DEEPEST // 2),
        *family_emoji(kinds).values(),
    ]


def unique(parts: Iterable[Part]) -> Sequence[Part]:
    """The parts without those that come twice."""
    return list({part.name: part for part in parts}.values())
