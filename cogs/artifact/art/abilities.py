"""The nine abilities as signs, and the ten-sided die that rolls them. They are still told apart 18 pixels wide."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import with_figure
from engine.artifact.party import ABILITIES

HEAVY: Final = 5
"""The width of the lines of what is mostly seen small."""


@cache
def combat() -> Part:
    """A sabre."""
    sketch = Sketch("combat")
    sketch.path("M30 64 C54 56 76 36 88 6 C94 40 72 70 38 76 Z", ink.BONE, line=HEAVY)
    sketch.line([(40, 69), (62, 58), (78, 40)], width=ink.FINE, smooth=True)
    sketch.path("M22 58 L46 84", line=HEAVY + 4)
    sketch.path("M32 72 L12 92", line=HEAVY + 7)
    sketch.path("M28 58 C10 60 4 78 12 88", line=HEAVY, ink=ink.INK)
    sketch.dots([(10, 91)], 7, ink.CLAY)
    return sketch.part()


@cache
def strength() -> Part:
    """A weight with a ring to lift it by."""
    sketch = Sketch("strength")
    sketch.path("M34 44 C20 34 24 8 50 8 C76 8 80 34 66 44", line=HEAVY + 7)
    sketch.path("M32 42 C12 52 10 84 26 93 L74 93 C90 84 88 52 68 42 Z", ink.SLATE, line=HEAVY)
    sketch.path("M26 62 C27 54 31 50 36 48", line=4, ink=ink.BONE)
    sketch.hatch(((60, 82), (78, 74)), 12, 4)
    return sketch.part()


@cache
def agility() -> Part:
    """Somebody in mid-leap."""
    sketch = Sketch("agility")
    limb = 11
    for points in ([(52, 38), (74, 44), (92, 30)], [(50, 38), (28, 34), (16, 48)]):
        sketch.line(points, width=limb)
    for points in ([(44, 60), (66, 68), (92, 64)], [(42, 60), (34, 78), (8, 84)]):
        sketch.line(points, width=limb + 1)
    sketch.path("M44 30 L62 34 L54 64 L36 60 Z", ink.CLAY, line=HEAVY)
    sketch.oval(62, 17, 11, fill=ink.SAND, line=HEAVY)
    sketch.line([(20, 96), (44, 93)], width=3.4)
    sketch.line([(56, 95), (72, 94)], width=3.4)
    return sketch.part()


@cache
def navigation() -> Part:
    """An anchor."""
    sketch = Sketch("navigation")
    sketch.path(
        "M43 30 L43 74 C30 72 22 64 20 54 L28 58 L16 38 L5 58 L11 56 C13 78 30 92 50 95 "
        "C70 92 87 78 89 56 L95 58 L84 38 L72 58 L80 54 C78 64 70 72 57 74 L57 30 Z",
        ink.INDIGO,
        line=HEAVY - 1,
    )
    sketch.box(28, 33, 44, 10, ink.OCHRE, line=HEAVY - 1)
    sketch.oval(50, 18, 12, fill=ink.BONE, line=HEAVY + 2)
    return sketch.part()


@cache
def survival() -> Part:
    """A camp fire."""
    sketch = Sketch("survival")
    sketch.path(
        "M50 4 C58 20 80 32 78 56 C77 70 66 76 50 76 C34 76 22 70 22 54 C22 42 30 36 32 24 C38 30 40 34 41 40 "
        "C48 30 52 20 50 4 Z",
        ink.CLAY,
        line=HEAVY,
    )
    sketch.path("M50 40 C54 50 64 54 62 64 C60 72 40 72 39 64 C38 56 48 52 50 40 Z", ink.GOLD, line=ink.FINE)
    sketch.line([(10, 92), (88, 74)], width=14)
    sketch.line([(90, 92), (12, 74)], width=14)
    sketch.line([(12, 91), (86, 74)], width=6, ink=ink.OCHRE)
    sketch.line([(88, 91), (14, 74)], width=6, ink=ink.OCHRE)
    return sketch.part()


@cache
def mechanics() -> Part:
    """A cogwheel."""
    sketch = Sketch("mechanics")
    points: list[tuple[float, float]] = []
    for tooth in range(8):
        for turn, far in ((-15, 33), (-10, 45), (10, 45), (15, 33)):
            angle = radians(tooth * 45 + turn)
            points.append((50 + far * sin(angle), 50 - far * cos(angle)))
    sketch.polygon(points, ink.STONE, line=HEAVY)
    sketch.oval(50, 50, 14, fill=ink.CREAM, line=HEAVY)
    sketch.hatch(((61, 70), (78, 60)), 11, 5)
    return sketch.part()


@cache
def linguistics() -> Part:
    """A tablet with signs: an eye, waves, a foot."""
    sketch = Sketch("linguistics")
    sketch.path("M18 94 L18 34 C18 12 34 5 50 5 C66 5 82 12 82 34 L82 94 Z", ink.SAND, line=HEAVY)
    sketch.path("M30 34 C40 20 60 20 70 34 C60 46 40 46 30 34 Z", ink.CREAM, line=4)
    sketch.dots([(50, 33)], 6.5)
    sketch.line([(29, 60), (38, 53), (46, 60), (54, 53), (62, 60), (71, 53)], width=4.4)
    sketch.line([(32, 82), (32, 70), (44, 82)], width=4.4)
    sketch.path("M56 70 L70 70 L70 83 L56 83 Z", line=4.4)
    return sketch.part()


@cache
def personality() -> Part:
    """A winning smile, with a moustache."""
    sketch = Sketch("personality")
    sketch.oval(50, 54, 41, 41, ink.SAND, line=HEAVY)
    sketch.path(
        "M10 40 C14 12 36 4 54 6 C78 8 90 24 91 42 C74 40 62 34 54 24 C44 36 26 40 10 40 Z",
        ink.OCHRE,
        line=HEAVY,
    )
    sketch.dots([(35, 52), (66, 52)], 5.5)
    sketch.path("M28 70 C36 92 64 92 72 70 Z", ink.CREAM, line=HEAVY)
    sketch.path(
        "M50 62 C42 58 34 62 28 68 C38 72 46 70 50 66 C54 70 62 72 72 68 C66 62 58 58 50 62 Z",
        ink.INK,
        line=2,
    )
    return sketch.part()


@cache
def science() -> Part:
    """A flask with something that bubbles."""
    sketch = Sketch("science")
    sketch.path(
        "M38 10 L38 40 L12 84 C9 92 14 95 20 95 L80 95 C86 95 91 92 88 84 L62 40 L62 10 Z",
        ink.CREAM,
        line=HEAVY,
    )
    sketch.path("M28 60 L72 60 L86 84 C88 91 84 93 79 93 L21 93 C16 93 12 91 14 84 Z", ink.VERDIGRIS, line=0)
    sketch.line([(29, 61), (42, 65), (56, 58), (71, 61)], width=3, smooth=True)
    sketch.line([(32, 9), (68, 9)], width=HEAVY + 4)
    for x, y, size in ((38, 76, 5.5), (58, 82, 4.5), (54, 70, 3.4)):
        sketch.oval(x, y, size, fill=ink.CREAM, line=2.4)
    return sketch.part()


_DRAWN: Final = {
    "combat": combat,
    "strength": strength,
    "agility": agility,
    "navigation": navigation,
    "survival": survival,
    "mechanics": mechanics,
    "linguistics": linguistics,
    "personality": personality,
    "science": science,
}


def ability(number: int) -> Part:
    """An ability's sign."""
    return _DRAWN[ABILITIES[number]]()


@cache
def ten_sided(face: int | None = None) -> Part:
    """The ten-sided die, from 1 to 10; without a face, the die as such."""
    sketch = Sketch(f"ten-sided die {face}")
    sketch.polygon([(50, 3), (94, 36), (94, 64), (50, 97), (6, 64), (6, 36)], ink.MADDER, line=4)
    sketch.polygon([(50, 3), (80, 62), (50, 76), (20, 62)], ink.BONE if face else ink.CREAM, line=4)
    sketch.line([(80, 62), (94, 64)], width=ink.FINE)
    sketch.line([(20, 62), (6, 64)], width=ink.FINE)
    sketch.line([(50, 76), (50, 97)], width=ink.FINE)
    if face is None:
        return sketch.part()
    return with_figure(sketch.part(), str(face), 31, 33 if face < 10 else 26, 1.2)


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [*(_DRAWN[key]() for key in ABILITIES), ten_sided(), *map(ten_sided, range(1, 11))]
