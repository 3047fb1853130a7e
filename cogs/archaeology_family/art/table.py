"""The public part of a table as a picture: market, seats, dig site, and the monument in the middle of it all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.art import common, ink
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import dearest_first, place_market_card, place_sets
from cogs.archaeology_family.art.places import PLACE_WIDTH
from cogs.archaeology_family.art.site import SITE_WIDTH, place_site
from engine.archaeology_family.state import View

HEIGHT: Final = 380
EDGE: Final = 8
CARD: Final = 108
"""The height of a card in the market."""
LOWER: Final = CARD + 2 * EDGE + 4
"""Where everything below the market begins."""
SEATS_WIDTH: Final = WIDTH - 2 * EDGE - PLACE_WIDTH - SITE_WIDTH - 18
LINE_HEIGHT: Final = 42
TALL: Final = 100
"""Seats' panels of at least this height have a line of their own for what was sold."""

Place = Callable[[Scene, float, float], None]
"""Draws a monument into a scene, its upper left corner at this point."""


def table_picture(view: View, place: Place, monument: str, tents: Sequence[bool] | None = None) -> Picture:
    """The picture of a table. `monument` is the sentence for it, `tents` says which seats have theirs still."""
    scene = Scene(WIDTH, HEIGHT)
    _place_market(scene, view)
    _place_seats(scene, view, tents)
    left = EDGE + SEATS_WIDTH + 8
    place_site(scene, view.site, view.thieves, view.sandstorms, left, LOWER)
    place(scene, left + SITE_WIDTH + 10, LOWER + 2)
    return scene.picture(texts.table(view, monument, tents))


def _place_market(scene: Scene, view: View) -> None:
    pitch = (WIDTH - 2 * EDGE) / view.kinds
    width = CARD * common.CARD_WIDTH / common.CARD_HEIGHT
    scene.panel(Box(-10, -12, WIDTH + 20, CARD + EDGE + 18), ink.SHADE, line=2.4, corner=0)
    for kind in range(view.kinds):
        x = EDGE + kind * pitch + (pitch - width) / 2
        place_market_card(scene, view, kind, x, EDGE + 2, CARD)


def _place_seats(scene: Scene, view: View, tents: Sequence[bool] | None) -> None:
    pitch = (HEIGHT - LOWER - EDGE + 5) / view.seats
    for seat in range(view.seats):
        tent_left = None if tents is None else tents[seat]
        _place_seat(scene, view, seat, LOWER + seat * pitch, pitch - 5, tent_left)


def _place_seat(
    scene: Scene, view: View, seat: int, top: float, height: float, tent_left: bool | None
) -> None:
    """A seat's line: its token, the cards in its hand, its money, its Tent, and the sets that it has sold."""
    asked = any(decision.seat == seat for decision in view.pending)
    ground = ink.SKY if seat == view.active and view.pending else ink.CREAM
    scene.panel(Box(EDGE, top, SEATS_WIDTH, height), ground, line=2.4, ink=ink.INK)
    if asked:
        scene.panel(Box(EDGE, top, SEATS_WIDTH, height), None, line=5, ink=ink.MADDER)
    line = min(height, LINE_HEIGHT if height < TALL else LINE_HEIGHT + 6)
    middle = top + line / 2 + (2 if height >= TALL else (height - line) / 2)
    if asked:
        scene.place(draw("arrow"), 0, middle - 12, 24)
    x: float = EDGE + 16
    scene.place(common.token(seat), x, middle - 17, 34)
    x += 40
    size = view.sizes[seat]
    back = common.card_back()
    scene.place(back, x, middle - 16, back.width_at(33))
    scene.figure(
        size,
        x + 28,
        middle - 15,
        30,
        anchor="start",
        pen=Pen(ink=ink.INK if size else ink.STONE, weight=1.15),
    )
    x += 69
    scene.place(draw("money"), x, middle - 15, 30)
    scene.figure(view.money[seat], x + 34, middle - 15, 30, anchor="start", pen=Pen(weight=1.15))
    x += 94
    if tent_left is not None:
        scene.place(draw("tent") if tent_left else draw("tent-gone"), x, middle - 17, 33)
        x += 36
    sets = dearest_first(view.sold[seat], view.prices)
    if height >= TALL:
        place_sets(scene, sets, Box(EDGE + 10, top + line + 4, SEATS_WIDTH - 20, height - line - 8))
    else:
        place_sets(scene, sets, Box(x, top + 3, EDGE + SEATS_WIDTH - 6 - x, height - 6), 34)
