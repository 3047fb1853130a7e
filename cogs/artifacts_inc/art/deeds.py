"""A turn in signs, for the captions of films: what it brought, and not die by die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.art.captions import Deed, counted
from bot.art.common import die, token
from bot.ui.screens.game_screens import SeenEvent
from cogs.artifacts_inc.art import draw, goods
from cogs.artifacts_inc.art.cards import drawing
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Catalogue

NOTHING: Final = "−"
"""The figure for a turn that brought nothing."""


def deeds(events: Sequence[SeenEvent], catalogue: Catalogue) -> list[Deed]:
    """The sum of a turn: finds, sales, cards, dives, dollars and reputation; at the end of a match, the museums."""
    return [*_traded(events), *_cards(events, catalogue), *_sums(events), *_end(events)] or [
        [die(1), NOTHING]
    ]


def _traded(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    for kind, key in enumerate(ARTIFACTS):
        found = sum(each.kind in ("gained", "gathered") and each.facts["artifact"] == key for each in events)
        if found:
            yield counted(goods.artifact(kind), found)
    for kind, key in enumerate(ARTIFACTS):
        if any(each.kind == "filled" and each.facts["artifact"] == key for each in events):
            takes_lead = any(each.kind == "filled" and each.facts["takes_lead"] for each in events)
            yield [goods.museum_of(kind), *([draw("laurel")] if takes_lead else [])]


def _cards(events: Sequence[SeenEvent], catalogue: Catalogue) -> Iterator[Deed]:
    for each in events:
        number = catalogue.numbers.get(each.facts.get("card", ""))
        if each.kind == "dived":
            yield [draw("dive"), f"{each.facts['number']}"]
        elif each.kind in ("bought", "turned_card"):
            improved = each.kind == "turned_card"
            card = [] if number is None else [drawing(catalogue.cards[number], 1 + improved)]
            yield [draw("improving") if improved else draw("buying"), *card]


def _sums(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    if dollars := sum(each.facts.get("dollars", 0) for each in events):
        yield [draw("money"), f"+{dollars}"]
    own = [each.facts for each in events if each.kind not in ("majority", "reached")]
    if reputation := sum(facts.get("reputation", 0) + facts.get("counted", 0) for facts in own):
        yield [draw("reputation"), f"+{reputation}"]


def _end(events: Sequence[SeenEvent]) -> Iterator[Deed]:
    for each in events:
        if each.kind == "majority":
            museum = goods.museum_of(ARTIFACTS.index(each.facts["artifact"]))
            yield [museum, token(each.seat or 0), f"+{each.facts['reputation']}"]
        elif each.kind == "over":
            yield [draw("laurel"), *map(token, each.facts["winners"])]
