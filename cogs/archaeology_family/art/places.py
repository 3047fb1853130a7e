"""The parts of both games' monuments: piles of hidden cards, prices in Maps, and the pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.scene import Scene
from cogs.archaeology_family.art import draw

PLACE_WIDTH: Final = 264
"""The width of each monument's box."""

ROOM: Final = 2.6
"""The width of lines in drawings of whole places."""


def place_pile(scene: Scene, cards: int, x: float, y: float, width: float = 44, figure: float = 30) -> None:
    """A pile with the number of its cards. The number may be wider than a narrow pile."""
    scene.place(draw("pile"), x, y, width)
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
    sketch.path(
        f"M{width / 2 - 30} {height - 3} Q{width / 2} {-height * 0.4} {width / 2 + 30} {height - 3} Z",
        ink.OCHRE,
        line=0,
    )
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
