"""The cards on offer, or those of a company, each with its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import alt, draw
from cogs.artifacts_inc.art.cards import DIGITS, CardSide, draw_side
from cogs.artifacts_inc.art.layout import MARGIN
from engine.artifacts_inc.catalogue import Card
from engine.artifacts_inc.state import View, company

_ACROSS: Final = 4
_DOWN: Final = 4
"""The rows of cards on offer: one for each long pile, and one for the short piles."""
OFFER_HIGH: Final = 150
"""The height of a card with its two sides and what stands above them."""


class Whole(NamedTuple):
    """A card to be shown with both sides: how many of it there are, and the level that is up, if one is."""

    card: Card
    copies: int = 1
    up: int = 0


def offers(view: View) -> Picture:
    """The cards on offer, each once with its price and its two sides."""
    rows: list[list[Whole]] = [[] for _ in range(_DOWN)]
    for pile, offer in enumerate(view.offers):
        for number in dict.fromkeys(offer):
            rows[min(pile, _DOWN - 1)].append(Whole(view.catalogue.cards[number], offer.count(number)))
    return _whole_cards([row for row in rows if row], alt.offers(view))


def both_sides(view: View, seat: int) -> Picture:
    """A company's cards as they lie, row by row, each with its two sides; those that are up are marked."""
    lying = sorted(company(view, seat), key=lambda held: held.place)
    cards = [Whole(held.card, up=held.level) for held in lying]
    across = max(_ACROSS, -(-len(cards) // _DOWN))
    rows = [cards[start : start + across] for start in range(0, len(cards), across)]
    return _whole_cards(rows, alt.company(view, seat))


def _whole_cards(rows: Sequence[Sequence[Whole]], text: str) -> Picture:
    scene = Scene(WIDTH, max(len(rows), 1) * OFFER_HIGH + 8)
    wide = (WIDTH - MARGIN) / max(_ACROSS, *map(len, rows), 0)
    for down, cards in enumerate(rows):
        for across, whole in enumerate(cards):
            _whole_card(scene, whole, MARGIN + across * wide, 5 + down * OFFER_HIGH, wide - 5)
    if not rows:
        scene.place(draw("luggage"), 185, 30, 350)
    return scene.picture(text)


def _whole_card(scene: Scene, whole: Whole, x: float, y: float, wide: float) -> None:
    """Price and reputation in a line, the two sides below; what is on offer several times lies on others."""
    card, copies, up = whole
    side = (wide - 3) / 2
    high = OFFER_HIGH - 38
    for behind in range(copies - 1, 0, -1):
        scene.panel(Box(x + 3 * behind, y + 34 + 2 * behind, side * 2 + 3, high), ink.SHADE, line=2, corner=7)
    middle = x + wide / 2 - card.scrolls * 9
    scene.place(draw("price"), middle - 17, y - 1, 35)
    scene.figure(card.dollars, middle + 0.5, y + 2.5, DIGITS if card.dollars < 10 else 22)
    for number in range(card.scrolls):
        scene.place(draw("scroll"), middle + 18 + number * 20, y + 6, 22)
    for level in (1, 2):
        left = x + (level - 1) * (side + 3)
        reputation = card.side(level).reputation
        if reputation:
            at = left if level == 1 else left + side - 46
            scene.place(draw("reputation"), at, y + 3, 27)
            scene.figure(reputation, at + 29, y + 3, DIGITS, anchor="start")
        shown = CardSide(card, level, marked=level == up)
        draw_side(scene, shown, Box(left, y + 34, side, high), counts=True)
