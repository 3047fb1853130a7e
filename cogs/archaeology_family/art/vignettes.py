"""Small square pictures of what was most memorable in a turn: a great sale, an exploration, a Sandstorm, a Thief."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.art import common, ink
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import Box, Scene
from bot.language import gettext as _
from bot.language import ngettext
from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art import texts
from cogs.archaeology_family.art.hazards import sandstorm, tent, thief
from cogs.archaeology_family.art.places import place_pile
from cogs.archaeology_family.art.scenery import doorway, palm, pedestal
from cogs.archaeology_family.art.treasures import treasure
from engine.archaeology_family.card_list import CardList

SIDE: Final = 240
GREAT: Final = 0.3
"""A sale is great if it brings at least this share of what the dearest set of the game does: $15 of $50."""


def is_great(price: int, card_list: CardList) -> bool:
    """Whether a sale at this price is worth a picture."""
    dearest = max(treasure.sales[-1] for treasure in card_list.treasures)
    return price >= GREAT * dearest


def vignette(events: Sequence[SeenEvent], card_list: CardList) -> Picture | None:
    """The picture of a turn in either game; None if nothing in it was worth one. A great sale comes first."""
    sales = [event for event in events if event.kind == "sold"]
    best = max(sales, key=lambda event: event.facts["price"], default=None)
    if best is not None and is_great(best.facts["price"], card_list):
        return _sale(best)
    explored = [event for event in events if event.kind == "explored"]
    if explored:
        return _exploration(explored[-1])
    if any(event.kind == "sandstorm" for event in events):
        return _storm(events)
    stolen = [event for event in events if event.kind == "stolen"]
    return _theft(stolen[-1]) if stolen else None


def frame(ground: str = ink.PAPER) -> Scene:
    """A sheet for a vignette."""
    scene = Scene(SIDE, SIDE, ink.PAPER)
    scene.panel(Box(5, 5, SIDE - 10, SIDE - 10), ground, line=3, corner=16)
    return scene


def place_actor(scene: Scene, seat: int | None, x: float = 14) -> None:
    """The token of the player, in the corner."""
    if seat is not None:
        scene.place(common.token(seat), x, 14, 46)


def place_row(scene: Scene, kinds: Sequence[int], x: float, y: float, width: float, size: float) -> None:
    """Treasures side by side, over each other where there is too little room."""
    step = min(size, (width - size) / max(len(kinds) - 1, 1))
    begin = x + (width - size - step * (len(kinds) - 1)) / 2
    for number, kind in enumerate(kinds):
        scene.place(treasure(kind), begin + number * step, y, size)


def sentence(text: str) -> str:
    """A sentence that begins with a capital letter, whoever it is about."""
    return text[0].upper() + text[1:]


def _sale(event: SeenEvent) -> Picture:
    kind, count, price = (int(event.facts[fact]) for fact in ("treasure", "count", "price"))
    scene = frame(ink.SKY)
    scene.place(pedestal(), 20, 162)
    size = (118, 84, 68)[min(count, 3) - 1]
    upper = [kind] * (count // 2 if count > 3 else 0)
    place_row(scene, upper, 22, 156 - 1.95 * size, 196, size)
    place_row(scene, [kind] * (count - len(upper)), 18, 160 - size, 204, size)
    scene.figure(f"${price}", 120, 185, 38, pen=Pen(weight=1.3, halo=ink.CREAM))
    place_actor(scene, event.seat)
    text = _("A great sale: {player} sells {cards} to the museum for ${price}.")
    player = texts.player(event.seat or 0)
    return scene.picture(sentence(text.format(player=player, cards=card.counted(kind, count), price=price)))


def _exploration(event: SeenEvent) -> Picture:
    count = event.facts["count"]
    scene = frame(ink.SHADE)
    scene.place(doorway(), 24, 34, 192)
    place_pile(scene, count, 87, 134, 66, 42)
    place_actor(scene, event.seat)
    text = _("{player} goes down into a chamber and comes back with {cards}.")
    return scene.picture(
        sentence(text.format(player=texts.player(event.seat or 0), cards=card.number_of_cards(count)))
    )


def _storm(events: Sequence[SeenEvent]) -> Picture:
    lost = [bundle for event in events if event.kind == "lost" for bundle in event.facts["cards"]]
    total = sum(n for _kind, n in lost)
    scene = frame(ink.SKY)
    scene.place(palm(), 168, 118, 58, turn=-16)
    scene.place(tent(), 20, 162, 58, turn=-9)
    scene.place(sandstorm(), 34, 26, 164)
    spots = ((18, 60), (186, 40), (160, 96), (10, 118), (186, 88))
    kinds = sorted({kind for kind, _n in lost})
    for number, (kind, (x, y)) in enumerate(zip(kinds, spots, strict=False)):
        scene.place(treasure(kind), x, y, 42, turn=(-24, 18, 32, 14, -20)[number])
    if total:
        scene.figure(f"−{total}", 128, 186, 38, pen=Pen(weight=1.3, halo=ink.CREAM))
        text = ngettext(
            "A Sandstorm sweeps over the camp and carries {n} card to the market.",
            "A Sandstorm sweeps over the camp and carries {n} cards to the market.",
            total,
        ).format(n=total)
        return scene.picture(text)
    return scene.picture(_("A Sandstorm sweeps over the camp. Nobody has lost a card to it so far."))


def _theft(event: SeenEvent) -> Picture:
    scene = frame(ink.SHADE)
    scene.place(thief(), 44, 20, 152)
    scene.place(common.token(event.facts["victim"]), 22, 176, 46)
    scene.place(common.card_back(), 78, 164, 38, turn=-14)
    scene.place(common.arrow(), 124, 178, 42)
    if event.seat is not None:
        scene.place(common.token(event.seat), 174, 176, 46)
    text = _("A Thief steals a card from {victim} for {player}.")
    victim, player = texts.player(event.facts["victim"]), texts.player(event.seat or 0)
    return scene.picture(sentence(text.format(victim=victim, player=player)))
