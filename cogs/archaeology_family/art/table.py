"""The public part of a table as a picture: market, seats, dig site, and the monument in the middle of it all.

The dig site is a section through the ground, as high as cards are left in it, with the hazards that they hold. A
banner shows the desert, the camp and the dig.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from bot.art import common, ink
from bot.art.ink import Part, Sketch
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import (
    dearest_first,
    place_market_card,
    place_sets,
    treasure,
)
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.state import View

PLACE_WIDTH: Final = 264
"""The width of each monument's box."""

ROOM: Final = 2.6
"""The width of lines in drawings of whole places."""


def place_pile(scene: Scene, cards: int, x: float, y: float, width: float = 44, figure: float = 30) -> None:
    """A pile with the number of its cards. The number may be wider than a narrow pile."""
    scene.place(draw("pile"), x, y, width)
    pen = Pen(ink=ink.CREAM, weight=1.25, halo=ink.INK)
    scene.figure(cards, x + width / 2, y + width * 0.42 - figure / 2, figure, pen=pen)


def place_price(scene: Scene, maps: int, x: float, y: float, size: float = 26) -> None:
    """So many Maps beside each other."""
    for number in range(maps):
        scene.place(draw("price-map"), x + number * (size - 1), y, size)


@cache
def closed_room(width: int, height: int) -> Part:
    """A chamber that nobody has explored."""
    sketch = Sketch(f"closed room {width} {height}", width, height)
    sketch.box(1, 1, width - 2, height - 2, ink.SHADE, line=ROOM)
    sketch.hatch(((5, 5), (width - 5, 5)), 6, max(width // 9, 4), slant=70, width=1.3)
    return sketch.part()


@cache
def open_room(width: int, height: int) -> Part:
    """A chamber that has been explored: dark and empty, a lantern in it."""
    sketch = Sketch(f"open room {width} {height}", width, height)
    sketch.box(1, 1, width - 2, height - 2, ink.SLATE, line=ROOM)
    sketch.hatch(((8, 9), (width * 0.4, 9)), 9, 5, slant=60, width=1.6)
    sketch.path(f"M{width - 22} {height - 2} l3 -6 l6 -1 l4 4 l5 -1 l2 4", ink.BONE, line=ink.FINE)
    scale = (height - 8) / 60
    light = f"M{width / 2 - 30} {height - 3} Q{width / 2} {-height * 0.4} {width / 2 + 30} {height - 3} Z"
    sketch.path(light, ink.OCHRE, line=0)
    sketch.add(draw("lamp"), width / 2 - 20 * scale, 5, scale=scale)
    return sketch.part()


ROOMS: Final = ((94, 80, 76, 40), (72, 128, 120, 42), (44, 178, 176, 46))
"""The pyramid's chambers from the smallest to the largest: left, top, width and height."""


def place_pyramid(scene: Scene, chambers: Sequence[int], costs: Sequence[int], x: float, y: float) -> None:
    """The pyramid with what is left in its three chambers, and what each costs."""
    scene.place(draw("pyramid"), x, y)
    scene.place(draw("shaft"), x, y)
    for cards, cost, (left, top, width, height) in zip(chambers, costs, ROOMS, strict=True):
        left, top = x + left, y + top
        if not cards:
            scene.place(open_room(width, height), left, top)
            continue
        scene.place(closed_room(width, height), left, top)
        used = cost * 29 + 6 + 40
        begin = left + (width - used) / 2
        place_price(scene, cost, begin, top + height / 2 - 15, 30)
        place_pile(scene, cards, begin + cost * 29 + 6, top + height / 2 - 18, 40)


SITE_WIDTH: Final = 76
DEEPEST: Final = 104
"""The height of the ground at a match's start, in pixels."""
FULL: Final = 60
"""About as many cards as a dig site holds at the start."""
_LAYERS: Final = (ink.STONE, ink.CLAY, ink.OCHRE, ink.SHADE, ink.SAND, ink.OCHRE, ink.BONE, ink.SAND)
_LAYER: Final = 13


@cache
def ground(height: int) -> Part:
    """The ground, so many pixels high, in layers that hold bones, shells and shards."""
    sketch = Sketch(f"ground {height}", SITE_WIDTH, DEEPEST + 10)
    bottom = DEEPEST + 8
    top = bottom - height
    for number, colour in enumerate(_LAYERS):
        low = bottom - number * _LAYER
        high = max(low - _LAYER, top)
        if high >= low:
            break
        wave = 3 if number % 2 else -3
        layer = f"M12 {low} L12 {high} Q28 {high - wave} 43 {high} Q60 {high + wave} 74 {high} L74 {low} Z"
        sketch.path(layer, colour, line=1.6)
    finds = (
        (22, 10, "m0 0 l9 3 m-1 -2 l3 2 m-12 -4 l-3 -1"),
        (58, 22, "a5 5 0 1 1 4 5 a2.6 2.6 0 1 1 -1 -4"),
        (30, 35, "l8 -4 l3 5 l-7 4 Z"),
        (56, 48, "m0 0 l10 2 m-11 -3 l-2 2 m13 -1 l2 3"),
        (24, 61, "a5 5 0 1 1 4 5 a2.6 2.6 0 1 1 -1 -4"),
        (50, 74, "l7 3 l-3 5 l-7 -3 Z"),
        (62, 86, "m0 0 l8 -3"),
    )
    for x, up, find in finds:
        if up + 8 < height:
            sketch.path(f"M{x} {bottom - up} {find}", line=ink.FINE)
    sketch.path(f"M12 {bottom} L12 {top} M74 {bottom} L74 {top}", line=ROOM)
    sketch.path(f"M0 {bottom} L76 {bottom}", line=ROOM)
    if height > _LAYER:
        sketch.path(f"M12 {top} Q28 {top + 4} 43 {top} Q60 {top - 4} 74 {top}", line=ROOM)
        sketch.path(f"M66 {top - 2} l-3 -8 M70 {top - 2} l3 -9", line=2, ink=ink.OLIVE)
    return sketch.part()


def place_site(scene: Scene, cards: int, thieves: int, sandstorms: int, x: float, y: float) -> None:
    """The dig site with its cards, and below it the Thieves and Sandstorms among them."""
    height = round(min(cards / FULL, 1) * DEEPEST / 4) * 4
    height = max(height, 8) if cards else 4
    scene.place(ground(height), x, y + 40)
    scene.place(draw("staff"), x, y + 40)
    surface = y + 48 + DEEPEST - height
    if cards:
        place_pile(scene, cards, x + 16, surface - 46, 52, 32)
    else:
        scene.place(draw("pick"), x + 18, surface - 50, 48)
    for number, (part, left) in enumerate(((draw("thief"), thieves), (draw("sandstorm"), sandstorms))):
        top = y + 160 + number * 45
        scene.place(part, x, top, 42, faint=1 if left else 0.3)
        pen = Pen(ink=ink.INK if left else ink.STONE, weight=1.15, halo=ink.PAPER)
        scene.figure(left, x + 62, top + 6, 32, pen=pen)


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
    back = draw("card-back")
    scene.place(back, x, middle - 16, back.width_at(33))
    pen = Pen(ink=ink.INK if size else ink.STONE, weight=1.15)
    scene.figure(size, x + 28, middle - 15, 30, anchor="start", pen=pen)
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


BANNER_HEIGHT: Final = 240


def desert() -> Scene:
    """A banner's sheet with the sky over it."""
    return Scene(WIDTH, BANNER_HEIGHT).place(draw("sky"), 0, 0)


def place_camp(scene: Scene) -> None:
    """The foreground: sand, a pit, a tent, and finds that lie about. A Sandstorm is coming up on the left."""
    scene.place(draw("sandstorm"), 14, 46, 92)
    scene.place(draw("dunes"), 0, 114)
    scene.place(draw("dig-pit"), 238, 134, 158)
    scene.place(draw("pick"), 398, 148, 50, turn=14)
    scene.place(draw("tent"), 584, 84, 126)
    for key, x, y, turn in FINDS:
        scene.place(treasure(TREASURES.index(key)), x, y, 58, turn=turn)


FINDS: Final = (
    ("broken_cup", 24, 172, -8),
    ("parchment_scrap", 96, 158, 10),
    ("talisman", 164, 174, -6),
    ("pot_shard", 452, 160, -12),
    ("pharaohs_mask", 520, 152, 8),
    ("map", 490, 186, -6),
    ("coin", 566, 188, 0),
)
"""The things in the sand: their places and angles."""
