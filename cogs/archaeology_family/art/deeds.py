"""A turn of both games in signs, for the captions of films."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.art import common
from bot.art.captions import Deed, Sign, counted
from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family.art import draw
from cogs.archaeology_family.art.cards import treasure
from engine.archaeology_family.card_list import Bundles

OfAnEvent = Callable[[SeenEvent], Iterator[Sign]]
"""The signs of an event; none if it says nothing of its own."""

NOTHING: Final = "−"
"""The figure for a turn that brought nothing."""


def deeds(events: Sequence[SeenEvent], signs_of: OfAnEvent) -> list[Deed]:
    """The events of a turn in their order, those of other players behind the player's token."""
    mover = next((event.seat for event in events if event.seat is not None), None)
    found: list[Deed] = []
    for event in events:
        signs = list(signs_of(event))
        if signs and event.seat not in (None, mover):
            signs.insert(0, common.token(event.seat or 0))
        if signs:
            found.append(signs)
    return found or [[NOTHING]]


def cards(bundles: Bundles) -> list[Sign]:
    """Cards by treasure, with their numbers."""
    return [sign for kind, n in bundles for sign in counted(treasure(kind), n)]


def family_signs(event: SeenEvent) -> Iterator[Sign]:
    """The signs of an event of both games. Cards that a viewer may not know are shown by their backs.

    A Sandstorm's own picture shows what it takes, and whose Tent holds.
    """
    facts = event.facts
    match event.kind:
        case "found":
            yield from (draw("pick"), _card(facts))
        case "stolen":
            yield from (draw("thief"), common.token(facts["victim"]), draw("arrow"), _card(facts))
        case "sandstorm":
            yield draw("sandstorm")
        case "traded":
            yield from (*cards(facts["give"]), draw("arrow"), *cards(facts["take"]))
        case "sold":
            sold = counted(treasure(facts["treasure"]), facts["count"])
            yield from (*sold, draw("arrow"), f"${facts['price']}")
        case "explored" | "kept":
            found = cards(facts["cards"]) if "cards" in facts else counted(common.card_back(), facts["count"])
            yield from (draw("lamp"), *found)
        case _:
            return


def _card(facts: Mapping[str, Any]) -> Sign:
    return treasure(facts["treasure"]) if "treasure" in facts else common.card_back()
