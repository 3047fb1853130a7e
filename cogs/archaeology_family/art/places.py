"""The parts of both games' monuments: piles of hidden cards, prices in Maps, and the pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.scene import Scene

PLACE_WIDTH: Final = 264
PLACE_HEIGHT: Final = 246
"""The box of each monument."""

ROOM: Final = 2.6
"""The width of lines in drawings of whole places."""


@cache
def pile() -> Part:
    """A pile of cards that lie face down, with room for a number."""
    sketch = Sketch("pile", 56, 60)
    for step in (8, 4, 0):
        sketch.path(
            f"M{6 + step / 2} {2 + step} L{50 - step / 2} {2 + step} L{54 - step / 2} {46 + step} L{2 + step / 2} {46 + step} Z",
            ink.BONE if step else ink.VERDIGRIS,
            line=2.4,
        )
    sketch.path("M10 7 L46 7 L49 41 L7 41 Z", line=1.4)
    return sketch.part()


@cache
def price_map() -> Part:
    """A Map as the price of an exploration: a folded sheet with a cross."""
    sketch = Sketch("price map", 60, 60)
    sketch.polygon([(4, 12), (21, 5), (21, 48), (4, 55)], ink.CREAM, line=3)
    sketch.polygon([(21, 5), (39, 12), (39, 55), (21, 48)], ink.SAND, line=3)
    sketch.polygon([(39, 12), (56, 5), (56, 48), (39, 55)], ink.CREAM, line=3)
    sketch.path("M8 38 Q14 28 21 32 Q27 36 32 28", line=4, ink=ink.INDIGO)
    sketch.path("M40 19 L52 34 M52 17 L41 36", line=5, ink=ink.MADDER)
    return sketch.part()


@cache
def lamp() -> Part:
    """A lantern that somebody left burning: explored."""
    sketch = Sketch("lamp", 40, 60)
    sketch.path("M12 16 Q20 -4 28 16", line=2.6)
    sketch.path("M9 16 L31 16 L34 50 L6 50 Z", ink.SAND, line=2.8)
    sketch.path("M4 50 L36 50 L36 57 L4 57 Z", ink.SLATE, line=2.6)
    sketch.path("M20 24 Q30 36 20 44 Q10 36 20 24 Z", ink.MADDER, line=2)
    return sketch.part()


def place_pile(scene: Scene, cards: int, x: float, y: float, width: float = 44, figure: float = 30) -> None:
    """A pile with the number of its cards. The number may be wider than a narrow pile."""
    scene.place(pile(), x, y, width)
    scene.figure(
        cards,
        x + width / 2,
        y + width * 0.42 - figure / 2,
        figure,
        pen=Pen(ink=ink.CREAM, weight=1.25, halo=ink.INK),
    )


def place_price(scene: Scene, maps: int, x: float, y: float, size: float = 26) -> None:
    """So many Maps beside each other."""
    for number in range(maps):
        scene.place(price_map(), x + number * (size - 1), y, size)


@cache
def pyramid() -> Part:
    """A pyramid, cut open: a shaft leads down its middle."""
    sketch = Sketch("pyramid", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.oval(222, 40, 24, 24, ink.OCHRE, line=ROOM)
    for x1, y1, x2, y2 in ((222, 6, 222, 0), (194, 14, 190, 9), (186, 42, 179, 43), (250, 14, 254, 9)):
        sketch.line([(x1, y1), (x2, y2)], width=2.4)
    sketch.path("M6 230 Q-4 214 14 206 L8 230", line=0)
    sketch.path("M132 8 L262 232 L2 232 Z", ink.SAND)
    sketch.path("M132 8 L149 38 L137 44 L128 38 L116 42 Z", ink.BONE, line=ROOM)
    rows = (70, 96, 124, 150, 178, 206)
    for number, row in enumerate(rows):
        half = (row - 8) * 130 / 224
        reach = min(half * 0.34, 34)
        sketch.line([(132 - half, row), (132 - half + reach, row)], width=1.6)
        sketch.line([(132 + half, row), (132 + half - reach, row)], width=1.6)
        down = half - reach * (0.45 if number % 2 else 0.75)
        if number < len(rows) - 1:
            sketch.line([(132 - down, row), (132 - down, row + 26)], width=1.6)
            sketch.line([(132 + down, row), (132 + down, row + 26)], width=1.6)
    sketch.hatch(((152, 58), (240, 208)), 12, 20, slant=20, width=1.5)
    sketch.path("M0 233 Q60 228 132 234 Q200 239 264 232", line=ROOM)
    sketch.path(
        "M20 232 Q18 214 24 200 M24 200 Q12 194 6 204 M24 200 Q20 188 10 188 M24 200 Q28 188 38 190 M24 200 Q36 196 42 206",
        line=3,
        ink=ink.OLIVE,
    )
    return sketch.part()


@cache
def shaft() -> Part:
    """The stairs down the pyramid's middle to its chambers."""
    sketch = Sketch("shaft", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.path("M132 60 L132 200", line=9)
    sketch.path("M132 60 L132 200", line=4, ink=ink.SLATE)
    return sketch.part()


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
    sketch.path(
        f"M{width / 2 - 30} {height - 3} Q{width / 2} {-height * 0.4} {width / 2 + 30} {height - 3} Z",
        ink.OCHRE,
        line=0,
    )
    sketch.add(lamp(), width / 2 - 20 * scale, 5, scale=scale)
    return sketch.part()


ROOMS: Final = ((94, 80, 76, 40), (72, 128, 120, 42), (44, 178, 176, 46))
"""The pyramid's chambers from the smallest to the largest: left, top, width and height."""


def place_pyramid(scene: Scene, chambers: Sequence[int], costs: Sequence[int], x: float, y: float) -> None:
    """The pyramid with what is left in its three chambers, and what each costs."""
    scene.place(pyramid(), x, y)
    scene.place(shaft(), x, y)
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


@cache
def small_pyramid() -> Part:
    """The pyramid as a sign: two sides and a door."""
    sketch = Sketch("small pyramid")
    sketch.path("M46 10 L64 88 L4 88 Z", ink.SAND)
    sketch.path("M46 10 L96 88 L64 88 Z", ink.OCHRE)
    sketch.path("M27 88 L29 68 L43 68 L45 88 Z", ink.SLATE)
    sketch.path("M20 58 L34 58 M40 44 L54 44", line=2.4)
    return sketch.part()
