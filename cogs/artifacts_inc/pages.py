"""The rules as players read them: the texts of `rules.md`, and every card from its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import Page
from bot.ui.screens.kit import paged
from bot.ui.screens.pages import read_rules
from cogs.artifacts_inc import effects
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import (
    ARTIFACTS,
    FINDS,
    LONG,
    PILES,
    SHORT,
    Asset,
    CardList,
    Known,
    Museum,
    PileAsset,
)
from engine.artifacts_inc.catalogue import Card, Catalogue
from engine.artifacts_inc.rules import DOLLARS
from engine.artifacts_inc.state import GOAL, ROUNDS

RULES: Final = Path(__file__).with_name("rules.md")
ROOM: Final = 3400
"""Characters of a page of cards."""
PRINTED: Final = "🖨️"
PARTLY: Final = "◐"


def rules(card_list: CardList, catalogue: Catalogue, illustrated: Sequence[Page]) -> list[Page]:
    """All pages (`rules.md`), with the `illustrated` ones and those of the cards."""
    start = [catalogue.cards[number] for number in catalogue.start]
    buys = [any(slot.action.do == "buy" for slot in card.side(1).slots) for card in start]
    buyers = [name.written(card) for card, can in zip(start, buys, strict=True) if can]
    fields = {
        "star": name.REPUTATION,
        "die": name.DIE,
        "kinds": " ".join(name.ARTIFACT),
        "goal": GOAL,
        "buyers": f" ({listing(buyers)})" if buyers else "",
        "dollars": listing([f"${n}" for n in DOLLARS]),
        "rounds": ROUNDS,
    }
    cards = paged(list(_cards(card_list, catalogue)), ROOM)
    legend = _(
        "-# {printed} printed on the card or in the rules · {partly} in part · all else is this project's own"
    ).format(printed=PRINTED, partly=PARTLY)
    every_card = [Page(_("Every card"), "\n".join([legend, *page])) for page in cards]
    return read_rules(RULES, fields, {"pictures": illustrated, "cards": every_card})


# -- every card


def _cards(card_list: CardList, catalogue: Catalogue) -> Iterator[str]:
    cards = iter(catalogue.cards)
    for museum in card_list.museums:
        yield _museum(museum, next(cards))
    for public in card_list.public:
        card = next(cards)
        text = effects.slot_text(catalogue, card.side(1).slots[0])
        yield f"**{name.written(card)}** · {text}{origin(public, public.slot)}"
    groups: list[tuple[str, Sequence[Asset]]] = [(_("__Starting cards__"), card_list.start)]
    groups += [(_("__Pile {pile}__").format(pile=pile), card_list.piles[pile]) for pile in PILES]
    for heading, assets in groups:
        first, *others = (_asset(asset, next(cards), catalogue) for asset in assets)
        yield f"{heading}\n{first}"
        yield from others
    yield _("__Dives__")
    for dive in card_list.dives:
        find = FINDS.index(dive.find)
        brings = f"{name.REPUTATION} {dive.reputation} · {name.FIND[find]} {name.find(find)}"
        yield f"`{dive.number:>2}` {brings}{origin(dive)}"


def _museum(museum: Museum, card: Card) -> str:
    kind = ARTIFACTS.index(museum.artifact)
    line = _("{picture} **{museum}** · `{die}` · bonus ${bonus} · most cubes: {star} {majority}").format(
        picture=name.ARTIFACT[kind],
        museum=name.written(card),
        die=effects.requirement(museum.requires),
        bonus=museum.bonus,
        star=name.REPUTATION,
        majority=museum.majority,
    )
    orders = _("orders: {many}; with two players: {few}").format(
        many=" ".join(map(str, museum.nine)), few=" ".join(map(str, museum.six))
    )
    assert (len(museum.six), len(museum.nine)) == (SHORT, LONG)
    return f"{line}{origin(museum)}\n-# {orders}"


def _asset(asset: Asset, card: Card, catalogue: Catalogue) -> str:
    head = f"**{name.written(card)}** · {name.cost(card)}"
    if isinstance(asset, PileAsset):
        head += f" · ×{asset.copies}"
    lines = [
        f"{level} · {effects.side_text(catalogue, side)}{origin(data, *data.slots)}"
        for level, side, data in zip(name.LEVELS, card.sides, asset.sides, strict=True)
    ]
    return "\n".join([head, *lines])


def origin(*parts: Known) -> str:
    """A mark for what is printed, wholly or in part; nothing for what is this project's own."""
    words: set[str] = set()
    for part in parts:
        known = part.provenance
        words |= set(known.values()) if isinstance(known, Mapping) else {known}
    if words == {"printed"}:
        return f" {PRINTED}"
    return f" {PARTLY}" if words & {"printed", "inferred"} else ""
