"""The landmarks of the lands: plants, beasts, boats and buildings, and the two ends of each trail."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch

# -- the jungle


@cache
def palm() -> Part:
    """A palm tree."""
    sketch = Sketch("palm")
    sketch.path("M44 98 C48 76 46 58 54 38 L61 40 C56 60 58 78 58 98 Z", ink.OCHRE)
    for y in (56, 68, 80, 90):
        sketch.line([(47, y), (57, y - 2)], width=ink.FINE)
    for d in (
        "M57 40 C40 22 20 24 6 40 C24 36 40 38 57 40 Z",
        "M57 40 C46 44 28 52 22 70 C38 60 50 52 57 40 Z",
        "M57 40 C56 18 40 6 24 8 C38 16 48 26 57 40 Z",
        "M57 40 C58 20 74 8 90 12 C78 18 66 28 57 40 Z",
        "M57 40 C74 26 90 32 98 46 C84 40 70 38 57 40 Z",
        "M57 40 C70 44 84 54 88 72 C74 62 64 54 57 40 Z",
    ):
        sketch.path(d, ink.OLIVE, line=2.6)
    sketch.dots([(53, 44), (61, 45)], 4, ink.CLAY)
    return sketch.part()


@cache
def jungle_tree() -> Part:
    """A tree with creepers."""
    sketch = Sketch("jungle tree")
    sketch.path("M36 98 C44 84 44 70 43 52 L58 52 C57 70 58 84 68 98 L56 94 L50 98 L46 94 Z", ink.OCHRE)
    sketch.blob(
        [(6, 44), (12, 22), (32, 8), (54, 4), (78, 12), (94, 30), (94, 50), (72, 58), (50, 52), (26, 60)],
        ink.OLIVE,
    )
    sketch.line([(20, 34), (32, 28), (42, 34)], width=ink.FINE, smooth=True)
    sketch.line([(52, 22), (64, 18), (74, 24)], width=ink.FINE, smooth=True)
    sketch.line([(60, 42), (72, 38), (82, 44)], width=ink.FINE, smooth=True)
    for x, y, down in ((20, 58, 82), (78, 56, 88), (86, 54, 72)):
        sketch.line([(x, y), (x + 2, (y + down) / 2), (x - 1, down)], width=ink.FINE, smooth=True)
    return sketch.part()


@cache
def fern() -> Part:
    """Low leaves."""
    sketch = Sketch("fern", 100, 60)
    for d in (
        "M50 58 C40 36 24 24 4 26 C20 32 34 42 46 58 Z",
        "M50 58 C46 30 40 14 28 4 C32 20 40 38 46 58 Z",
        "M50 58 C54 30 62 14 74 4 C70 20 60 38 54 58 Z",
        "M50 58 C60 36 76 24 96 26 C80 32 66 42 54 58 Z",
    ):
        sketch.path(d, ink.OLIVE, line=2.6)
    return sketch.part()


@cache
def steamer() -> Part:
    """A river steamer."""
    sketch = Sketch("steamer", 150, 90)
    sketch.path("M66 20 C60 8 76 6 72 -2 C84 0 82 12 78 20 Z", ink.STONE, line=ink.FINE)
    sketch.path("M64 20 L80 20 L79 46 L65 46 Z", ink.MADDER)
    sketch.path("M22 44 L126 44 L122 66 L24 66 Z", ink.CREAM)
    sketch.path("M16 40 L132 40 L132 46 L16 46 Z", ink.CLAY, line=ink.LINE)
    for x in (36, 52, 84, 100, 114):
        sketch.box(x, 50, 8, 9, ink.SLATE, line=ink.FINE)
    sketch.path("M4 64 L146 60 C144 74 138 84 128 86 L20 86 C10 84 4 74 4 64 Z", ink.OCHRE)
    sketch.oval(30, 68, 18, fill=ink.BONE)
    for x, y in ((30, 51), (30, 85), (13, 68), (47, 68)):
        sketch.line([(30, 68), (x, y)], width=ink.FINE)
    return sketch.part()


@cache
def caiman() -> Part:
    """A caiman in the water."""
    sketch = Sketch("caiman", 120, 44)
    sketch.path(
        "M4 30 C20 20 30 22 40 20 C42 10 54 10 54 18 C70 16 84 18 94 24 L114 16 C108 26 104 32 96 36 L20 38 C12 38 8 36 4 30 Z",
        ink.OLIVE,
    )
    sketch.path("M60 17 L65 10 L69 18 M74 18 L79 12 L83 20", line=ink.FINE)
    sketch.dots([(48, 17)], 2.6)
    sketch.line([(8, 32), (40, 31)], width=ink.FINE)
    sketch.line([(2, 42), (30, 41)], width=ink.FINE)
    sketch.line([(60, 42), (104, 41)], width=ink.FINE)
    return sketch.part()


@cache
def stilt_house() -> Part:
    """A quay and a house on stilts: home, on the river."""
    sketch = Sketch("stilt house")
    for x in (18, 40, 62, 84):
        sketch.line([(x, 66), (x, 97)], width=5)
    sketch.path("M20 38 L80 38 L80 66 L20 66 Z", ink.SAND)
    for x in (32, 44, 56, 68):
        sketch.line([(x, 40), (x, 64)], width=ink.FINE)
    sketch.path("M42 66 L42 46 L58 46 L58 66 Z", ink.SLATE, line=ink.LINE)
    sketch.path("M50 6 L96 42 L4 42 Z", ink.OCHRE)
    for x, y in ((30, 24), (42, 16), (60, 18), (72, 28)):
        sketch.line([(x, y + 4), (x - 6, 40)], width=ink.FINE)
    sketch.path("M2 66 L98 66 L98 74 L2 74 Z", ink.OCHRE, line=ink.LINE)
    return sketch.part()


@cache
def stepped_pyramid() -> Part:
    """A stepped pyramid, overgrown: the end of the jungle's trail."""
    sketch = Sketch("stepped pyramid", 140, 130)
    for left, top, right, bottom in ((4, 100, 136, 126), (20, 74, 120, 100), (36, 48, 104, 74)):
        sketch.path(
            f"M{left + 5} {top} L{right - 5} {top} L{right} {bottom} L{left} {bottom} Z", ink.STONE, line=3.6
        )
        sketch.hatch(((right - 18, top + 8), (right - 6, top + 20)), 15, 4, slant=60)
    sketch.path("M46 22 L94 22 L98 48 L42 48 Z", ink.STONE, line=3.6)
    sketch.path("M40 12 L100 12 L96 22 L44 22 Z", ink.BONE, line=3.6)
    sketch.path("M62 48 L62 30 L78 30 L78 48 Z", ink.INK, line=ink.LINE)
    sketch.path("M60 50 L80 50 L88 126 L52 126 Z", ink.BONE, line=ink.LINE)
    for y in range(58, 126, 9):
        sketch.line([(60 - (y - 50) * 0.1, y), (80 + (y - 50) * 0.1, y)], width=ink.FINE)
    for d in ("M44 14 C40 30 48 34 44 46", "M30 74 C24 86 34 92 28 106", "M106 50 C112 62 102 70 110 80"):
        sketch.path(d, line=6, ink=ink.OLIVE)
    return sketch.part()


@cache
def stone_head() -> Part:
    """A great head of stone, half sunk in the ground."""
    sketch = Sketch("stone head")
    sketch.path("M10 96 C6 60 8 22 26 12 C42 4 60 4 76 12 C94 22 94 60 90 96 Z", ink.STONE, line=3.6)
    sketch.path("M12 38 C34 26 66 26 88 38 L87 26 C66 14 34 14 14 26 Z", ink.BONE, line=ink.LINE)
    sketch.path("M24 50 L42 50 L38 60 L26 60 Z M58 50 L76 50 L74 60 L62 60 Z", ink.SLATE, line=ink.LINE)
    sketch.path("M46 46 L54 46 L60 72 L40 72 Z", ink.BONE, line=ink.LINE)
    sketch.path("M28 80 L72 80 L68 90 L32 90 Z", ink.SLATE, line=ink.LINE)
    sketch.hatch(((80, 56), (84, 88)), 13, 5, slant=-30)
    sketch.path(
        "M2 97 C10 88 20 96 26 90 C34 98 44 92 52 97 C66 88 80 98 98 92 L98 99 L2 99 Z",
        ink.OLIVE,
        line=ink.LINE,
    )
    return sketch.part()


# -- the sea


@cache
def islet() -> Part:
    """A small island with a palm."""
    sketch = Sketch("islet")
    sketch.path("M2 88 C10 72 32 68 50 70 C72 68 92 74 98 88 C80 96 20 96 2 88 Z", ink.SAND)
    sketch.add(palm(), 12, -4, scale=0.78)
    sketch.line([(0, 96), (20, 95), (36, 98)], width=ink.FINE, smooth=True)
    sketch.line([(58, 97), (78, 95), (98, 96)], width=ink.FINE, smooth=True)
    return sketch.part()


@cache
def junk() -> Part:
    """A junk under sail."""
    sketch = Sketch("junk", 110, 110)
    sketch.line([(36, 12), (36, 82)], width=4)
    sketch.line([(70, 4), (70, 82)], width=4)
    sketch.path("M36 12 C20 26 12 44 10 66 L42 70 C48 48 46 26 36 12 Z", ink.CLAY)
    sketch.path("M70 4 C52 20 46 44 46 66 L84 70 C92 44 84 18 70 4 Z", ink.CLAY)
    for y, a, b in ((30, 24, 44), (44, 16, 46), (57, 12, 44)):
        sketch.line([(a, y), (b, y + 2)], width=ink.FINE)
    for y, a, b in ((24, 54, 82), (40, 49, 87), (55, 47, 87)):
        sketch.line([(a, y), (b, y + 2)], width=ink.FINE)
    sketch.path(
        "M4 76 L20 82 L84 82 L92 70 L106 70 C104 90 96 100 84 104 L24 104 C12 100 6 90 4 76 Z", ink.OCHRE
    )
    sketch.line([(12, 92), (98, 90)], width=ink.FINE)
    sketch.line([(0, 108), (50, 106), (108, 109)], width=2.2, smooth=True)
    return sketch.part()


@cache
def fin() -> Part:
    """A shark's fin."""
    sketch = Sketch("fin", 80, 50)
    sketch.path("M22 42 C28 22 38 8 54 4 C48 18 50 32 56 42 Z", ink.SLATE)
    sketch.line([(4, 44), (24, 40), (44, 45), (76, 41)], width=2.6, smooth=True)
    sketch.hatch(((34, 34), (44, 18)), 8, 4, slant=20)
    return sketch.part()


@cache
def beach_hut() -> Part:
    """A hut under palms, with an outrigger on the beach: home, on the islands."""
    sketch = Sketch("beach hut")
    sketch.path("M0 84 C20 70 80 70 100 84 C90 98 10 98 0 84 Z", ink.SAND, line=ink.LINE)
    sketch.add(palm(), 44, -6, scale=0.6)
    sketch.path("M20 50 L62 50 L62 80 L20 80 Z", ink.BONE)
    sketch.path("M41 14 C56 22 68 36 72 54 L10 54 C14 36 26 22 41 14 Z", ink.OCHRE)
    for x in (28, 41, 54):
        sketch.line([(41, 20), (x + (x - 41) * 0.5, 52)], width=ink.FINE)
    sketch.path("M34 80 L34 62 L48 62 L48 80 Z", ink.SLATE, line=ink.LINE)
    sketch.path("M50 86 C62 92 84 92 98 82 C94 96 60 98 50 86 Z", ink.CLAY, line=ink.LINE)
    return sketch.part()


@cache
def column() -> Part:
    """A broken column."""
    sketch = Sketch("column", 60, 100)
    sketch.path("M18 30 L26 22 L32 30 L42 20 L44 86 L16 86 Z", ink.BONE, line=3.4)
    for x in (23, 30, 37):
        sketch.line([(x, 34), (x, 84)], width=ink.FINE)
    sketch.path("M8 86 L52 86 L54 97 L6 97 Z", ink.BONE, line=3.4)
    sketch.path("M40 22 C50 30 44 40 50 50", line=5, ink=ink.OLIVE)
    return sketch.part()


@cache
def fish() -> Part:
    """Three fish."""
    sketch = Sketch("fish", 100, 60)
    for x, y, fill in ((10, 8, ink.GOLD), (48, 24, ink.CLAY), (14, 38, ink.GOLD)):
        sketch.path(
            f"M{x} {y + 9} C{x + 8} {y - 2} {x + 22} {y - 2} {x + 30} {y + 9} C{x + 22} {y + 20} {x + 8} {y + 20} {x} {y + 9} Z",
            fill,
            line=2.6,
        )
        sketch.path(f"M{x + 30} {y + 9} L{x + 40} {y} L{x + 40} {y + 18} Z", fill, line=2.6)
        sketch.dots([(x + 8, y + 7)], 2)
    return sketch.part()


@cache
def sea_temple() -> Part:
    """A gate with a shell above it, in the water: the end of the islands' trail."""
    sketch = Sketch("sea temple", 140, 130)
    sketch.path("M8 118 L132 118 L136 128 L4 128 Z", ink.STONE, line=3.6)
    sketch.path("M40 56 L100 56 L100 118 L40 118 Z", ink.SLATE, line=3.6)
    sketch.path("M54 118 L54 84 C58 66 82 66 86 84 L86 118 Z", ink.INK, line=ink.LINE)
    for x in (18, 104):
        sketch.path(f"M{x} 52 L{x + 18} 52 L{x + 20} 118 L{x - 2} 118 Z", ink.BONE, line=3.6)
        sketch.line([(x + 6, 56), (x + 5, 116)], width=ink.FINE)
        sketch.line([(x + 12, 56), (x + 13, 116)], width=ink.FINE)
    sketch.path("M8 40 L132 40 L126 54 L14 54 Z", ink.BONE, line=3.6)
    sketch.path("M70 4 C92 8 112 22 118 40 L22 40 C28 22 48 8 70 4 Z", ink.SKY, line=3.6)
    for x in (38, 54, 70, 86, 102):
        sketch.line([(70, 38), (x, 10 + abs(x - 70) * 0.36)], width=ink.FINE)
    for d in ("M22 118 C16 104 28 98 22 84", "M122 118 C128 106 116 98 124 86"):
        sketch.path(d, line=6, ink=ink.OLIVE)
    return sketch.part()


# -- mountains and ice


@cache
def peak() -> Part:
    """A mountain with snow on it."""
    sketch = Sketch("peak", 160, 100)
    sketch.path("M2 98 L58 22 L72 38 L92 4 L158 98 Z", ink.STONE)
    sketch.path(
        "M36 52 L58 22 L72 38 L92 4 L118 42 L106 38 L100 52 L90 36 L80 58 L68 46 L58 60 L52 46 Z",
        ink.CREAM,
        line=ink.LINE,
    )
    sketch.hatch(((112, 56), (140, 92)), 22, 8, slant=-50)
    sketch.hatch(((72, 66), (84, 92)), 18, 5, slant=-50)
    return sketch.part()


@cache
def pine() -> Part:
    """A pine tree with snow on it."""
    sketch = Sketch("pine", 70, 100)
    sketch.path("M30 84 L40 84 L40 98 L30 98 Z", ink.OCHRE, line=ink.LINE)
    sketch.path("M35 40 L66 86 L4 86 Z", ink.OLIVE)
    sketch.path("M35 22 L60 62 L10 62 Z", ink.OLIVE)
    sketch.path("M35 3 L53 38 L17 38 Z", ink.OLIVE)
    sketch.path("M35 3 L47 26 L40 22 L35 30 L29 22 L23 26 Z", ink.CREAM, line=ink.FINE)
    sketch.path(
        "M10 62 L18 54 L26 62 L35 55 L46 62 L53 54 L60 62 L46 56 L35 50 L22 56 Z", ink.CREAM, line=ink.FINE
    )
    return sketch.part()


@cache
def yak() -> Part:
    """A yak with a load."""
    sketch = Sketch("yak", 110, 90)
    sketch.path(
        "M18 34 C28 18 74 18 92 34 C102 44 100 62 96 84 L86 84 L84 72 L74 86 L60 74 L46 86 L36 72 L32 84 L22 84 C16 66 12 48 18 34 Z",
        ink.SLATE,
    )
    sketch.path("M4 42 C2 32 12 28 22 34 C30 40 30 58 20 64 C10 66 4 54 4 42 Z", ink.SLATE, line=ink.LINE)
    sketch.path("M8 34 C0 26 2 18 8 14 M20 32 C26 24 26 18 22 12", line=5, ink=ink.INK)
    sketch.path("M8 34 C0 26 2 18 8 14 M20 32 C26 24 26 18 22 12", line=2, ink=ink.BONE)
    sketch.dots([(12, 44), (20, 45)], 2.2, ink.BONE)
    sketch.path("M44 8 L78 8 L80 34 L42 34 Z", ink.CLAY)
    sketch.path("M44 20 L79 20", line=ink.LINE, ink=ink.GOLD)
    return sketch.part()


@cache
def monastery() -> Part:
    """A monastery on a rock."""
    sketch = Sketch("monastery", 120, 110)
    sketch.path("M6 106 C14 84 22 74 30 66 L92 66 C102 76 110 90 116 106 Z", ink.STONE)
    sketch.path("M34 34 L88 34 L92 72 L30 72 Z", ink.CREAM)
    sketch.path("M30 26 L92 26 L96 36 L26 36 Z", ink.MADDER, line=ink.LINE)
    sketch.path("M44 10 L78 10 L80 26 L42 26 Z", ink.CREAM, line=ink.LINE)
    sketch.path("M61 0 L88 12 L34 12 Z", ink.GOLD, line=ink.LINE)
    for x in (40, 54, 68, 80):
        sketch.box(x, 46, 6, 10, ink.SLATE, line=ink.FINE)
    sketch.hatch(((70, 82), (96, 94)), 16, 6, slant=70)
    return sketch.part()


@cache
def school() -> Part:
    """A house with strings of flags: home, in the mountains."""
    sketch = Sketch("school")
    sketch.path("M14 46 L74 46 L76 94 L12 94 Z", ink.CREAM)
    sketch.path("M6 36 L82 36 L80 48 L8 48 Z", ink.MADDER, line=ink.LINE)
    sketch.path("M36 94 L36 66 L52 66 L52 94 Z", ink.OCHRE, line=ink.LINE)
    sketch.box(19, 58, 11, 13, ink.SLATE, line=ink.FINE)
    sketch.box(59, 58, 11, 13, ink.SLATE, line=ink.FINE)
    sketch.line([(94, 8), (94, 96)], width=4)
    sketch.line([(94, 10), (60, 26), (20, 26), (8, 38)], width=ink.FINE, smooth=True)
    for x, y, fill in (
        (82, 14, ink.INDIGO),
        (68, 20, ink.CREAM),
        (52, 24, ink.CLAY),
        (36, 25, ink.OLIVE),
        (21, 24, ink.GOLD),
    ):
        sketch.path(f"M{x} {y} L{x + 10} {y + 1} L{x + 9} {y + 12} L{x} {y + 11} Z", fill, line=ink.FINE)
    return sketch.part()


@cache
def ice() -> Part:
    """Towers of ice."""
    sketch = Sketch("ice", 100, 80)
    sketch.path("M4 78 L14 40 L30 24 L40 78 Z", ink.SKY)
    sketch.path("M34 78 L44 14 L58 4 L70 30 L74 78 Z", ink.CREAM)
    sketch.path("M66 78 L78 36 L90 46 L97 78 Z", ink.SKY)
    sketch.line([(58, 5), (56, 40), (60, 76)], width=ink.FINE)
    sketch.line([(30, 25), (28, 76)], width=ink.FINE)
    sketch.hatch(((60, 44), (66, 72)), 10, 5, slant=60)
    return sketch.part()


@cache
def ice_gate() -> Part:
    """A gate in a wall of ice, with two guards: the end of the mountains' trail."""
    sketch = Sketch("ice gate", 140, 130)
    sketch.path(
        "M2 128 L10 60 L28 30 L44 20 L62 4 L84 12 L104 22 L122 40 L132 74 L138 128 Z", ink.SKY, line=3.6
    )
    sketch.path("M28 30 L44 20 L62 4 L84 12 L74 34 L50 40 Z", ink.CREAM, line=ink.LINE)
    sketch.path("M38 128 L38 62 L70 40 L102 62 L102 128 Z", ink.CREAM, line=3.6)
    sketch.path("M50 128 L50 74 L70 58 L90 74 L90 128 Z", ink.INK, line=ink.LINE)
    sketch.path("M70 64 L74 72 L83 73 L76 79 L79 88 L70 83 L61 88 L64 79 L57 73 L66 72 Z", ink.GOLD, line=0)
    for x in (20, 112):
        sketch.path(f"M{x - 8} 128 L{x - 6} 86 L{x + 14} 86 L{x + 16} 128 Z", ink.OCHRE, line=ink.LINE)
        sketch.oval(x + 4, 78, 9, fill=ink.OCHRE, line=ink.LINE)
        sketch.line([(x + 18, 70), (x + 18, 127)], width=3.4)
    sketch.path("M56 58 L58 68 L60 56 M80 56 L82 68 L84 58", ink.CREAM, line=ink.FINE)
    return sketch.part()


# -- any other land


@cache
def tree() -> Part:
    """A tree with a round crown."""
    sketch = Sketch("tree", 80, 100)
    sketch.path("M34 98 L36 58 L46 58 L50 98 Z", ink.OCHRE)
    sketch.oval(40, 36, 33, 32, ink.OLIVE)
    sketch.line([(24, 30), (32, 24), (40, 29)], width=ink.FINE, smooth=True)
    sketch.line([(42, 48), (50, 43), (58, 48)], width=ink.FINE, smooth=True)
    sketch.hatch(((56, 58), (66, 40)), 12, 5)
    return sketch.part()


@cache
def hill() -> Part:
    """A range of hills."""
    sketch = Sketch("hill", 200, 70)
    sketch.path("M2 68 C20 30 50 12 80 28 C96 10 136 8 156 36 C172 36 190 50 198 68 Z", ink.LEAF)
    sketch.hatch(((120, 34), (160, 56)), 20, 8, slant=-50)
    sketch.hatch(((46, 36), (72, 52)), 16, 6, slant=-50)
    return sketch.part()


@cache
def signpost() -> Part:
    """A signpost with two boards."""
    sketch = Sketch("signpost", 80, 100)
    sketch.path("M36 8 L44 8 L45 98 L35 98 Z", ink.OCHRE, line=ink.LINE)
    sketch.path("M14 16 L62 16 L74 27 L62 38 L14 38 Z", ink.SAND)
    sketch.path("M66 46 L22 46 L8 56 L22 66 L66 66 Z", ink.SAND)
    sketch.line([(24, 27), (54, 27)], width=ink.FINE)
    sketch.line([(28, 56), (58, 56)], width=ink.FINE)
    return sketch.part()


@cache
def arch() -> Part:
    """The ruin of a gate."""
    sketch = Sketch("arch", 110, 100)
    sketch.path("M6 98 L8 30 L28 30 L28 98 Z", ink.BONE, line=3.4)
    sketch.path("M78 98 L78 30 L98 32 L102 98 Z", ink.BONE, line=3.4)
    sketch.path("M4 32 C10 4 60 -4 86 10 L76 30 C60 20 40 20 30 32 Z", ink.BONE, line=3.4)
    for y in (46, 62, 80):
        sketch.line([(8, y), (28, y)], width=ink.FINE)
        sketch.line([(79, y), (100, y)], width=ink.FINE)
    sketch.line([(42, 6), (44, 22)], width=ink.FINE)
    sketch.line([(64, 4), (62, 20)], width=ink.FINE)
    sketch.hatch(((90, 86), (98, 60)), 10, 5)
    return sketch.part()


@cache
def cottage() -> Part:
    """A house with a garden fence: home, in any other land."""
    sketch = Sketch("cottage")
    sketch.path("M66 16 L78 16 L78 40 L66 32 Z", ink.STONE, line=ink.LINE)
    sketch.path("M14 48 L82 48 L82 86 L14 86 Z", ink.CREAM)
    sketch.path("M24 20 L72 20 L94 52 L2 52 Z", ink.CLAY)
    sketch.path("M42 86 L42 62 L56 62 L56 86 Z", ink.OCHRE, line=ink.LINE)
    sketch.box(22, 60, 12, 12, ink.SLATE, line=ink.FINE)
    sketch.box(64, 60, 12, 12, ink.SLATE, line=ink.FINE)
    for x in (4, 16, 28, 70, 82, 94):
        sketch.line([(x, 80), (x, 96)], width=4)
    sketch.line([(2, 88), (34, 88)], width=ink.LINE)
    sketch.line([(64, 88), (98, 88)], width=ink.LINE)
    return sketch.part()


@cache
def tower() -> Part:
    """A round tomb with a door: the end of any other trail."""
    sketch = Sketch("tower", 140, 130)
    sketch.path("M6 110 L134 110 L138 128 L2 128 Z", ink.STONE, line=3.6)
    sketch.path("M16 52 L124 52 L126 110 L14 110 Z", ink.BONE, line=3.6)
    sketch.path("M70 4 C104 6 120 28 122 44 L18 44 C20 28 36 6 70 4 Z", ink.OCHRE, line=3.6)
    sketch.path("M10 42 L130 42 L130 54 L10 54 Z", ink.BONE, line=3.6)
    sketch.path("M52 110 L52 76 C56 62 84 62 88 76 L88 110 Z", ink.INK, line=ink.LINE)
    for x in (24, 38, 102, 116):
        sketch.line([(x, 58), (x, 108)], width=ink.FINE + 1)
    sketch.hatch(((92, 36), (106, 18)), 16, 5)
    sketch.line([(70, 4), (70, -2)], width=5)
    return sketch.part()


HOMES: Final = {"lost_city": stilt_house, "drowned_temple": beach_hut, "ice_tomb": school}
ENDS: Final = {"lost_city": stepped_pyramid, "drowned_temple": sea_temple, "ice_tomb": ice_gate}


def home(scenario: str) -> Part:
    """The landmark at square 1 of this scenario's trail."""
    return HOMES.get(scenario, cottage)()


def end(scenario: str) -> Part:
    """The landmark at square 30 of this scenario's trail."""
    return ENDS.get(scenario, tower)()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    drawn = (
        palm, jungle_tree, fern, steamer, caiman, stilt_house, stepped_pyramid, stone_head,
        islet, junk, fin, beach_hut, column, fish, sea_temple,
        peak, pine, yak, monastery, school, ice, ice_gate,
        tree, hill, signpost, arch, cottage, tower,
    )  # fmt: skip
    return [draw() for draw in drawn]
