"""The scenery of banners and vignettes besides treasures and hazards: dunes, doorways, an aeroplane."""

from __future__ import annotations

from functools import cache

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.scene import WIDTH


@cache
def sky() -> Part:
    """Morning over the desert: a low sun, and far hills."""
    sketch = Sketch("sky", WIDTH, 150)
    sketch.path(f"M0 0 L{WIDTH} 0 L{WIDTH} 150 L0 150 Z", ink.SKY, line=0, beside=False)
    sketch.path(
        "M0 118 Q60 96 130 112 Q190 84 270 110 Q360 92 440 112 Q540 86 610 108 Q670 98 720 110 L720 150 L0 150 Z",
        ink.SHADE,
        line=2,
    )
    sketch.path(
        "M96 34 q14 -14 30 -4 q18 -12 30 6 q18 0 14 10 L88 46 q-8 -10 8 -12 Z M520 26 q12 -12 26 -4 q16 -8 26 6 q14 2 10 10 L514 38 q-6 -10 6 -12 Z",
        ink.CREAM,
        line=2,
    )
    sketch.path(
        "M300 42 q6 -7 12 0 q6 -7 12 0 M334 56 q5 -6 10 0 q5 -6 10 0 M460 60 q5 -6 10 0 q5 -6 10 0", line=2
    )
    return sketch.part()


@cache
def dunes() -> Part:
    """Sand in the foreground."""
    sketch = Sketch("dunes", WIDTH, 126)
    sketch.path(
        "M0 22 Q90 2 190 16 Q300 30 400 16 Q520 0 610 16 Q680 26 720 16 L720 128 L0 128 Z",
        ink.SAND,
        line=2.6,
        beside=False,
    )
    sketch.path("M0 66 Q120 50 230 66 M420 74 Q520 50 720 66", line=2)
    sketch.hatch(((60, 42), (150, 36)), 16, 10, slant=10, width=1.4)
    sketch.hatch(((440, 40), (540, 34)), 16, 10, slant=8, width=1.4)
    sketch.hatch(((250, 112), (400, 116)), 14, 14, slant=-8, width=1.4)
    return sketch.part()


@cache
def dig_pit() -> Part:
    """A square hole in the sand with a ladder in it, and what was dug up beside it."""
    sketch = Sketch("dig pit", 170, 90)
    sketch.path("M112 26 Q132 -4 152 22 Q164 30 168 40 L106 40 Z", ink.OCHRE, line=2.6)
    sketch.path("M16 34 L112 34 L128 76 L2 76 Z", ink.SLATE, line=2.6)
    sketch.path("M16 34 L28 42 L104 42 L112 34 M28 42 L20 76 M104 42 L112 76", ink.STONE, line=2)
    sketch.path("M50 62 L58 10 M74 62 L78 10 M52 52 L75 52 M54 38 L77 38 M56 24 L78 24", line=4)
    sketch.path(
        "M50 62 L58 10 M74 62 L78 10 M52 52 L75 52 M54 38 L77 38 M56 24 L78 24", line=1.6, ink=ink.OCHRE
    )
    return sketch.part()


@cache
def palm() -> Part:
    """A date palm."""
    sketch = Sketch("palm", 80, 110)
    sketch.path("M36 108 Q30 66 42 34 L48 36 Q40 66 46 108 Z", ink.OCHRE, line=2.4)
    sketch.path("M33 92 l12 -3 M33 78 l11 -3 M35 64 l9 -2 M38 50 l8 -2", line=1.6)
    for d in (
        "M45 34 Q30 18 6 28 Q24 26 45 34 Z",
        "M45 34 Q36 8 14 8 Q34 16 45 34 Z",
        "M45 34 Q52 6 72 8 Q54 16 45 34 Z",
        "M45 34 Q62 20 78 34 Q60 28 45 34 Z",
        "M45 34 Q26 36 18 54 Q30 42 45 34 Z",
        "M45 34 Q64 38 68 58 Q58 42 45 34 Z",
    ):
        sketch.path(d, ink.OLIVE, line=2.4)
    sketch.dots([(42, 38), (48, 39), (45, 43)], 3.2, ink.MADDER)
    return sketch.part()


@cache
def aeroplane() -> Part:
    """A biplane that brings an expedition its post."""
    sketch = Sketch("aeroplane", 140, 74)
    sketch.path("M30 8 L112 4 Q118 8 112 12 L30 17 Q22 13 30 8 Z", ink.CLAY, line=2.6)
    sketch.path(
        "M8 30 L20 28 L30 36 L108 32 Q124 34 126 42 Q124 50 108 50 L30 48 L16 44 Z", ink.BONE, line=2.6
    )
    sketch.path("M6 18 Q16 16 20 30 L24 40 L12 38 Z", ink.CLAY, line=2.6)
    sketch.path("M36 52 L114 48 Q120 52 114 57 L36 61 Q28 56 36 52 Z", ink.CLAY, line=2.6)
    sketch.path("M48 16 L46 52 M96 13 L98 49 M64 15 L66 34 M82 14 L80 33", line=2)
    sketch.path("M64 34 Q66 22 74 24 Q80 26 80 33", ink.SLATE, line=2.4)
    sketch.path("M130 22 Q136 42 130 62 Q126 42 130 22 Z", ink.STONE, line=2)
    sketch.oval(84, 68, 5.5, 5.5, ink.SLATE, line=2.4)
    sketch.path("M80 56 L83 66 M92 56 L86 66", line=2)
    return sketch.part()


@cache
def doorway() -> Part:
    """A doorway into the dark: light falls in from a lantern, and steps lead down."""
    sketch = Sketch("doorway", 200, 200)
    sketch.path("M8 196 L14 44 L186 44 L192 196 Z", ink.SAND, line=3)
    sketch.path("M2 44 L198 44 L190 14 L10 14 Z", ink.OCHRE, line=3)
    sketch.oval(100, 29, 11, 11, ink.CLAY, line=2.6)
    sketch.path("M88 29 Q66 16 46 24 Q60 38 88 34 M112 29 Q134 16 154 24 Q140 38 112 34", ink.BONE, line=2.4)
    sketch.path("M44 196 L50 64 L150 64 L156 196 Z", ink.SLATE, line=3)
    sketch.path("M66 196 L100 70 L134 196 Z", ink.OCHRE, line=0, beside=False)
    sketch.path("M52 150 L148 150 M50 164 L150 164 M48 180 L152 180", line=2)
    sketch.path(
        "M16 84 L42 84 M14 124 L40 124 M158 84 L184 84 M160 124 L186 124 M28 44 L27 84 M172 44 L173 84 M30 84 L29 124 M170 84 L171 124 M22 124 L22 160 M178 124 L178 160",
        line=ink.FINE,
    )
    return sketch.part()


@cache
def pedestal() -> Part:
    """Where the museum shows what it has bought."""
    sketch = Sketch("pedestal", 200, 70)
    sketch.path("M22 2 L178 2 L172 18 L28 18 Z", ink.BONE, line=3)
    sketch.path("M36 18 L164 18 L160 66 L40 66 Z", ink.STONE, line=3)
    sketch.hatch(((140, 26), (152, 60)), 12, 6, slant=40, width=1.6)
    return sketch.part()


@cache
def rubble() -> Part:
    """A heap of fallen rock, dust above it."""
    sketch = Sketch("rubble", 200, 130)
    sketch.path(
        "M20 60 Q6 40 26 30 Q34 6 62 16 Q86 -6 110 14 Q140 0 150 26 Q184 22 182 52 Q196 70 170 78 L30 78 Q12 74 20 60 Z",
        ink.BONE,
        line=2.6,
    )
    sketch.path("M46 50 q8 -12 18 -2 M96 36 q10 -12 20 -2 M138 52 q8 -10 16 0", line=2.2)
    for points, colour in (
        ([(8, 126), (18, 92), (50, 84), (66, 104), (60, 126)], ink.STONE),
        ([(134, 126), (140, 96), (170, 86), (192, 104), (194, 126)], ink.STONE),
        ([(54, 126), (66, 78), (104, 66), (138, 88), (142, 126)], ink.SLATE),
        ([(30, 126), (40, 108), (64, 106), (74, 126)], ink.CLAY),
        ([(112, 126), (120, 106), (146, 108), (152, 126)], ink.STONE),
    ):
        sketch.polygon([(float(x), float(y)) for x, y in points], colour, line=3)
    sketch.hatch(((110, 84), (128, 116)), 12, 5, slant=40)
    return sketch.part()
