"""The Artifact of each scenario, as a treasure of its own."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch

HEAVY: Final = 4.4


@cache
def singing_jaguar() -> Part:
    """The Singing Jaguar: of jade, sitting, its mouth wide open."""
    sketch = Sketch("Singing Jaguar")
    sketch.path("M72 88 C96 86 96 60 84 52", line=11)
    sketch.path("M72 88 C96 86 96 60 84 52", line=4.5, ink=ink.VERDIGRIS)
    sketch.path("M34 52 C26 66 24 80 26 94 L78 94 C82 76 76 58 64 48 Z", ink.VERDIGRIS, line=HEAVY)
    sketch.path("M30 94 C30 78 36 70 40 66 L46 94 Z", ink.VERDIGRIS, line=ink.LINE)
    sketch.path(
        "M20 30 L14 10 L32 14 C42 9 54 10 62 16 L78 8 L76 28 C80 40 74 50 66 56 C52 62 34 60 26 52 C20 46 18 38 20 30 Z",
        ink.VERDIGRIS,
        line=HEAVY,
    )
    sketch.path(
        "M32 40 C36 34 56 33 62 38 C64 50 58 56 48 56 C38 56 31 50 32 40 Z", ink.MADDER, line=ink.LINE
    )
    sketch.path("M37 38 L40 46 L43 37 M53 37 L56 45 L59 38", ink.CREAM, line=ink.FINE)
    sketch.path("M42 30 L54 29 L48 36 Z", ink.CREAM, line=ink.LINE)
    for x in (34, 62):
        sketch.oval(x, 25, 5, 4, ink.GOLD, line=ink.LINE)
        sketch.dots([(x, 25)], 2)
    for x, y in ((54, 68), (64, 74), (52, 80), (66, 86), (70, 64)):
        sketch.oval(x, y, 3.6, line=ink.FINE + 0.6)
    sketch.path("M6 96 L92 96 L88 88 L12 88 Z", ink.GOLD, line=ink.LINE)
    return sketch.part()


@cache
def pearl_of_tides() -> Part:
    """The Pearl of Tides: in a giant clam."""
    sketch = Sketch("Pearl of Tides")
    sketch.path(
        "M8 52 C2 30 14 8 26 18 C32 0 48 0 52 12 C60 0 76 2 78 18 C92 10 100 32 92 52 C76 60 24 60 8 52 Z",
        ink.SKY,
        line=HEAVY,
    )
    for x, top in ((28, 22), (52, 15), (76, 22)):
        sketch.line([(50 + (x - 50) * 0.55, 52), (x, top + 6)], width=ink.LINE)
    sketch.oval(50, 50, 23, fill=ink.CREAM, line=HEAVY)
    sketch.path("M38 48 C38 39 44 34 51 34", line=ink.LINE, ink=ink.SKY)
    sketch.hatch(((58, 64), (66, 54)), 10, 4, slant=45)
    sketch.path(
        "M4 60 C14 54 22 66 32 60 C40 56 44 66 52 62 C60 58 66 66 74 60 C82 56 90 64 96 58 C98 82 82 96 50 96 C18 96 2 82 4 60 Z",
        ink.VERDIGRIS,
        line=HEAVY,
    )
    for x, foot in ((20, 36), (38, 44), (62, 56), (80, 64)):
        sketch.line([(x, 66), (foot, 92)], width=ink.LINE)
    return sketch.part()


@cache
def star_globe() -> Part:
    """The Star Globe: the night sky in a ring of brass."""
    sketch = Sketch("Star Globe")
    sketch.path("M36 82 L64 82 L74 97 L26 97 Z", ink.OCHRE, line=HEAVY)
    sketch.line([(50, 74), (50, 84)], width=9)
    sketch.oval(50, 42, 34, fill=ink.INDIGO, line=HEAVY)
    sketch.line([(19, 52), (50, 60), (81, 34)], width=ink.FINE, ink=ink.SKY, smooth=True)
    for x, y, size in ((36, 28, 7), (62, 24, 5), (58, 48, 8), (34, 52, 4.5), (72, 44, 4)):
        points = [
            (
                x + (size if n % 2 == 0 else size * 0.4) * sin(radians(n * 45)),
                y - (size if n % 2 == 0 else size * 0.4) * cos(radians(n * 45)),
            )
            for n in range(8)
        ]
        sketch.polygon(points, ink.GOLD, line=0)
    sketch.line([(36, 28), (58, 48), (62, 24)], width=1.4, ink=ink.BONE)
    sketch.path("M18 10 C2 30 4 66 34 78 C60 88 86 76 94 52", line=9)
    sketch.path("M18 10 C2 30 4 66 34 78 C60 88 86 76 94 52", line=4, ink=ink.GOLD)
    sketch.dots([(19, 11)], 6)
    sketch.dots([(19, 11)], 3, ink.GOLD)
    sketch.dots([(93, 53)], 6)
    sketch.dots([(93, 53)], 3, ink.GOLD)
    return sketch.part()


@cache
def urn() -> Part:
    """The Artifact of any other scenario, and as such: a golden urn."""
    sketch = Sketch("golden urn")
    sketch.path("M28 30 C6 28 6 56 24 60", line=9)
    sketch.path("M28 30 C6 28 6 56 24 60", line=4, ink=ink.GOLD)
    sketch.path("M72 30 C94 28 94 56 76 60", line=9)
    sketch.path("M72 30 C94 28 94 56 76 60", line=4, ink=ink.GOLD)
    sketch.path(
        "M32 6 L68 6 L64 22 C84 30 86 60 62 82 L66 95 L34 95 L38 82 C14 60 16 30 36 22 Z",
        ink.GOLD,
        line=HEAVY,
    )
    sketch.path("M22 44 L78 44 L77 58 L23 58 Z", ink.CLAY, line=ink.LINE)
    sketch.line(
        [(26, 55), (34, 47), (42, 55), (50, 47), (58, 55), (66, 47), (74, 55)], width=ink.LINE, ink=ink.CREAM
    )
    sketch.line([(36, 22), (64, 22)], width=ink.LINE)
    sketch.line([(38, 82), (62, 82)], width=ink.LINE)
    sketch.hatch(((58, 76), (68, 64)), 10, 5, slant=-30)
    return sketch.part()


_OF: Final = {"lost_city": singing_jaguar, "drowned_temple": pearl_of_tides, "ice_tomb": star_globe}


def prize(scenario: str) -> Part:
    """The Artifact of the scenario with this key; the urn for a scenario of an owner's."""
    return _OF.get(scenario, urn)()


@cache
def rays() -> Part:
    """Light around something precious."""
    sketch = Sketch("rays", 200, 200)
    for turn in range(0, 360, 20):
        long = 92 if turn % 40 else 76
        a, b = radians(turn - 4), radians(turn + 4)
        sketch.path(
            f"M{100 + 50 * sin(radians(turn)):.1f} {100 - 50 * cos(radians(turn)):.1f} "
            f"L{100 + long * sin(a):.1f} {100 - long * cos(a):.1f} L{100 + long * sin(b):.1f} {100 - long * cos(b):.1f} Z",
            ink.GOLD,
            line=0,
            beside=False,
        )
    return sketch.part()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [singing_jaguar(), pearl_of_tides(), star_globe(), urn(), rays()]
