"""The dig site: a section through the ground, as high as cards are left in it, with the hazards that they hold."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.scene import Scene
from cogs.archaeology_family.art import draw
from cogs.archaeology_family.art.places import ROOM, place_pile

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
        sketch.path(
            f"M12 {low} L12 {high} Q28 {high - wave} 43 {high} Q60 {high + wave} 74 {high} L74 {low} Z",
            colour,
            line=1.6,
        )
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
        scene.figure(
            left,
            x + 62,
            top + 6,
            32,
            pen=Pen(ink=ink.INK if left else ink.STONE, weight=1.15, halo=ink.PAPER),
        )
