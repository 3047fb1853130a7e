"""The table's picture in three zones: the museums, the market with the next dive, and the companies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.art import ink
from bot.art.common import token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene
from cogs.artifacts_inc.art import alt, draw, goods, strips
from cogs.artifacts_inc.art.cards import DIGITS, MARGIN, drawing, requirement
from engine.artifacts_inc.card_list import PILES
from engine.artifacts_inc.catalogue import Card
from engine.artifacts_inc.choices import majority, next_dive
from engine.artifacts_inc.state import FREE, View

MUSEUM_WIDE: Final = 351
MUSEUM_HIGH: Final = 72
CARD_WIDE: Final = 76
CARD_HIGH: Final = 88
_STEP: Final = 80
"""From one card on offer to the next."""
_ROWS: Final = ((0, 1), (2, 3, 4))
"""The piles in the rows of the market."""
MARKET_HIGH: Final = len(_ROWS) * (CARD_HIGH + 4) + 8
HIGHEST: Final = 1080
"""The height up to which a table has room for the cards on offer: 400 pixels of a phone."""
KEPT: Final = 256
"""The number of drawn cards that are kept."""
EDGE: Final = 3
"""The room around a card for its outline."""
_SMALL: Final = 22
"""The height of a figure on a card."""


def table(view: View) -> Picture:
    """The museums with their orders, the cards on offer, and a strip for each company.

    Where large companies leave no room for the cards on offer, these are on their sheet alone (`sides.offers`).
    """
    museums = MARGIN + -(-len(view.orders) // 2) * (MUSEUM_HIGH + MARGIN)
    market = MARKET_HIGH + MARGIN
    if museums + market + strips.height(view) > HIGHEST:
        market = 0
    top = museums + market
    scene = Scene(WIDTH, top + strips.height(view))
    for number in range(len(view.orders)):
        across, down = number % 2, number // 2
        box = MARGIN + across * (MUSEUM_WIDE + MARGIN), MARGIN + down * (MUSEUM_HIGH + MARGIN)
        _museum(scene, view, number, *box)
    if market:
        _market(scene, view, museums)
    strips.companies(scene, view, top)
    return scene.picture(alt.table(view))


# -- museums


def _museum(scene: Scene, view: View, number: int, x: int, y: int) -> None:
    """A museum: the die that it takes, its bonus, the worth of its majority and the leader, and its orders."""
    museum = view.catalogue.museums[number]
    (slot,) = view.catalogue.cards[number].side(1).slots
    scene.panel(Box(x, y, MUSEUM_WIDE, MUSEUM_HIGH), ink.BONE, line=2.4)
    scene.place(goods.museum_of(number), x + 5, y + 6, 60)
    requirement(scene, slot.requires, x + 72, y + 4, 1)
    scene.place(draw("price"), x + 126, y + 3, 32)
    scene.figure(museum.bonus, x + 142, y + 7, 24)
    scene.place(draw("reputation"), x + 170, y + 3, 30)
    scene.figure(museum.majority, x + 202, y + 5, DIGITS, anchor="start")
    leads = majority(view, number)
    if leads is not None:
        scene.place(draw("laurel"), x + 230, y + 1, 36)
        scene.place(token(leads), x + 238, y + 7, 20)
        scene.figure(_lead(view.orders[number], leads), x + 272, y + 6, 26, anchor="start")
    _orders(scene, view.catalogue.orders(number, view.seats), view.orders[number], (x + 71, y + 38))


def _lead(orders: Sequence[int], leads: int) -> str:
    """The cubes of the leading company, and those of the next one where there is one: "3:2"."""
    cubes = Counter(seat for seat in orders if seat != FREE)
    others = [n for seat, n in cubes.items() if seat != leads]
    return ":".join(map(str, [cubes[leads], *([max(others)] if others else [])]))


def _orders(scene: Scene, sizes: Sequence[int], filled: Sequence[int], at: tuple[int, int]) -> None:
    left, y = at
    for number, (size, seat) in enumerate(zip(sizes, filled, strict=True)):
        x = left + number * 31
        if seat == FREE:
            scene.inset(_free_order(size), x, y - 1, 30)
        else:
            scene.place(token(seat), x, y, 30)


@lru_cache(maxsize=KEPT)
def _free_order(size: int) -> Picture:
    scene = Scene(30, 32, None)
    scene.panel(Box(1, 1, 28, 30), ink.CREAM, line=1.8, ink=ink.SLATE, corner=4)
    scene.figure(size, 15, 4, 24, pen=Pen(weight=0.9))
    return scene.picture("·")


# -- the market


def _market(scene: Scene, view: View, top: int) -> None:
    """The cards on offer, each pile behind its letter, and the next dive."""
    scene.panel(Box(MARGIN, top, WIDTH - 2 * MARGIN, MARKET_HIGH), ink.SHADE, line=2.4)
    for down, piles in enumerate(_ROWS):
        x, y = MARGIN + 6, top + 6 + down * (CARD_HIGH + 4)
        for pile in piles:
            scene.figure(PILES[pile], x + 10, y + 4, 28)
            places = 4 if pile < len(_ROWS) + 1 else 1
            for at, number in enumerate(view.offers[pile]):
                card = offer(view.catalogue.cards[number])
                scene.inset(card, x + 22 + at * _STEP - EDGE, y - EDGE, card.width)
            x += 26 + places * _STEP
    _next_dive(scene, view, WIDTH - MARGIN - 6 - 132, top + 6 + CARD_HIGH + 4)


@lru_cache(maxsize=KEPT)
def offer(card: Card) -> Picture:
    """A card on offer: its drawing, its price on a tab in the corner, and the reputation that it brings."""
    scene = Scene(CARD_WIDE + 2 * EDGE, CARD_HIGH + 2 * EDGE, None)
    x = y = EDGE
    scene.panel(Box(x, y, CARD_WIDE, CARD_HIGH), ink.CREAM, line=2.4, corner=6)
    tab, left = (50, 26) if card.scrolls else (28, 2)
    scene.place(drawing(card), x + left, y + 3, CARD_WIDE - left - 2)
    scene.panel(Box(x, y + CARD_HIGH - tab, 24, tab), ink.GOLD, line=2.4, corner=6)
    scene.figure(card.dollars, x + 12, y + CARD_HIGH - 25, _SMALL)
    if card.scrolls:
        scene.place(draw("scroll"), x + 1, y + CARD_HIGH - tab + 2, 22)
    reputation = card.side(1).reputation
    if reputation:
        scene.place(draw("reputation"), x + CARD_WIDE - 39, y + CARD_HIGH - 27, 23)
        scene.figure(reputation, x + CARD_WIDE - 15, y + CARD_HIGH - 25, _SMALL, anchor="start")
    return scene.picture("·")


def _next_dive(scene: Scene, view: View, x: int, y: int) -> None:
    """The top of the dive pile: the sum that it takes, what is found, and its reputation."""
    scene.panel(Box(x, y, 132, CARD_HIGH), ink.SKY, line=2.4, corner=6)
    scene.place(draw("waves"), x + 3, y + 2, 126)
    top = next_dive(view)
    if top is None:
        scene.place(draw("dive"), x + 46, y + 34, 40, faint=0.5)
        return
    scene.place(draw("dive"), x + 8, y + 32, 44)
    scene.figure(f"{top.number}+", x + 92, y + 24, DIGITS, pen=Pen(halo=ink.SKY))
    scene.place(goods.find(top.find), x + 58, y + 55, 30)
    scene.place(draw("reputation"), x + 90, y + 57, 24)
    scene.figure(top.reputation, x + 116, y + 59, _SMALL, anchor="start")
