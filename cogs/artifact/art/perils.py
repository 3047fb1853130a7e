"""Challenges as small scenes, one for each ability that is asked for first: 200 wide and 150 high."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from cogs.artifact.art.abilities import mechanics
from engine.artifact.party import ABILITIES


def _sketch(name: str) -> Sketch:
    return Sketch(f"peril of {name}", 200, 150)


@cache
def _combat() -> Part:
    """Eyes and teeth in the dark."""
    sketch = _sketch("combat")
    sketch.path("M4 6 L196 4 L194 146 L6 146 Z", ink.INDIGO)
    sketch.path(
        "M36 146 C26 96 30 60 52 44 L56 22 L76 38 C92 32 108 32 124 38 L144 22 L148 44 C170 60 174 96 164 146 Z",
        ink.INK,
    )
    for x in (76, 124):
        sketch.path(
            f"M{x - 17} 66 C{x - 8} 52 {x + 8} 52 {x + 17} 66 C{x + 8} 76 {x - 8} 76 {x - 17} 66 Z",
            ink.GOLD,
            line=0,
        )
        sketch.path(f"M{x} 56 C{x + 5} 62 {x + 5} 70 {x} 75 C{x - 5} 70 {x - 5} 62 {x} 56 Z", ink.INK, line=0)
    sketch.path(
        "M58 96 C80 88 120 88 142 96 C138 126 118 138 100 138 C82 138 62 126 58 96 Z", ink.MADDER, line=0
    )
    sketch.path(
        "M60 97 L72 94 L76 114 L84 92 L92 91 L96 106 L104 106 L108 91 L116 92 L124 114 L128 94 L140 97 L138 100 L62 100 Z",
        ink.CREAM,
        line=0,
    )
    sketch.path("M78 132 L84 116 L92 136 Z M108 136 L116 116 L122 132 Z", ink.CREAM, line=0)
    for x, y in ((18, 20), (34, 40), (176, 24), (184, 52), (14, 70)):
        sketch.dots([(x, y)], 2, ink.GOLD)
    return sketch.part()


@cache
def _strength() -> Part:
    """Somebody who holds back a boulder on a slope."""
    sketch = _sketch("strength")
    sketch.path("M4 146 L4 132 L196 44 L196 146 Z", ink.LEAF)
    sketch.oval(120, 46, 42, 40, ink.STONE, line=4)
    sketch.line([(98, 30), (108, 42), (102, 54)], width=ink.FINE)
    sketch.line([(136, 22), (130, 34)], width=ink.FINE)
    sketch.hatch(((124, 80), (150, 56)), 16, 7)
    sketch.line([(88, 62), (62, 74)], width=9)
    sketch.line([(88, 48), (64, 68)], width=9)
    sketch.path("M46 62 L64 62 L56 92 L40 96 Z", ink.CLAY)
    sketch.line([(48, 92), (40, 118)], width=10)
    sketch.line([(46, 92), (20, 124)], width=10)
    sketch.oval(58, 50, 12, fill=ink.SAND)
    sketch.path("M44 47 C46 32 66 30 72 44 L78 47 Z", ink.CREAM)
    for x, y in ((158, 20), (166, 34), (168, 50)):
        sketch.line([(x, y), (x + 18, y - 9)], width=ink.LINE)
    return sketch.part()


@cache
def _agility() -> Part:
    """A bridge of one rope over a gorge."""
    sketch = _sketch("agility")
    sketch.path("M4 146 L4 60 L42 62 C50 90 40 116 50 146 Z", ink.STONE)
    sketch.path("M196 146 L196 56 L158 60 C150 90 160 116 152 146 Z", ink.STONE)
    sketch.hatch(((26, 84), (34, 136)), 20, 6, slant=20)
    sketch.hatch(((176, 84), (170, 136)), 20, 6, slant=-20)
    sketch.path("M52 146 C80 132 120 132 150 146 Z", ink.SKY, line=ink.LINE)
    sketch.line([(36, 62), (100, 84), (164, 60)], width=5, smooth=True)
    sketch.line([(36, 62), (36, 34)], width=6)
    sketch.line([(164, 60), (164, 32)], width=6)
    sketch.path("M36 36 C48 46 44 58 56 62", line=ink.FINE)
    sketch.line([(90, 82), (98, 62), (106, 82)], width=7)
    sketch.path("M90 36 L106 36 L106 64 L91 64 Z", ink.MADDER)
    sketch.line([(92, 40), (66, 34)], width=7)
    sketch.line([(104, 40), (132, 30)], width=7)
    sketch.line([(54, 40), (146, 24)], width=ink.LINE)
    sketch.oval(98, 24, 10, fill=ink.SAND)
    sketch.path("M86 22 C86 8 110 8 111 20 Z", ink.OCHRE)
    return sketch.part()


@cache
def _navigation() -> Part:
    """A boat between rocks, on wild water."""
    sketch = _sketch("navigation")
    sketch.path(
        "M4 66 C30 52 52 76 80 62 C110 48 130 76 160 60 C176 52 190 58 196 62 L196 146 L4 146 Z", ink.SKY
    )
    sketch.path("M8 84 L24 40 L40 52 L52 92 Z", ink.SLATE)
    sketch.path("M196 110 L184 60 L170 52 L152 112 Z", ink.SLATE)
    sketch.path("M56 74 L150 50 C152 76 138 96 118 98 L80 106 C66 104 58 90 56 74 Z", ink.OCHRE)
    sketch.line([(62, 84), (146, 64)], width=ink.FINE)
    sketch.oval(88, 42, 10, fill=ink.SAND)
    sketch.path("M78 52 L100 48 L104 64 L80 70 Z", ink.VERDIGRIS)
    sketch.path("M76 40 C76 26 100 26 101 38 L106 40 Z", ink.CREAM)
    sketch.line([(98, 56), (126, 34)], width=5)
    sketch.line([(134, 22), (96, 118)], width=5)
    sketch.path("M100 110 L92 128 L84 122 Z", ink.OCHRE)
    for y, points in (
        (108, (10, 34, 58)),
        (126, (24, 66, 120, 150)),
        (118, (126, 160)),
        (140, (50, 96, 176)),
    ):
        for x in points:
            sketch.line(
                [(x, y + 5), (x + 10, y - 4), (x + 20, y + 5)],
                width=ink.LINE,
                ink=ink.CREAM if y == 126 else ink.INK,
                smooth=True,
            )
    return sketch.part()


@cache
def _survival() -> Part:
    """A tent in a storm."""
    sketch = _sketch("survival")
    sketch.path(
        "M4 8 L196 6 L196 60 C170 74 150 56 126 66 C100 78 74 58 50 68 C32 74 16 66 4 66 Z", ink.SLATE
    )
    sketch.path("M140 60 L116 96 L132 94 L120 126 L154 84 L138 86 L152 60 Z", ink.GOLD)
    sketch.path("M4 122 C60 112 140 126 196 116 L196 146 L4 146 Z", ink.LEAF)
    sketch.path("M62 60 L108 130 L16 130 Z", ink.SAND)
    sketch.path("M62 82 L78 130 L48 130 Z", ink.INK, line=ink.LINE)
    sketch.line([(62, 60), (56, 50)], width=5)
    sketch.line([(108, 130), (122, 138)], width=ink.LINE)
    for x in (20, 44, 80, 108, 166, 184):
        sketch.line([(x, 76), (x - 8, 92)], width=ink.LINE, ink=ink.INDIGO)
        sketch.line([(x + 6, 100), (x - 2, 114)], width=ink.LINE, ink=ink.INDIGO)
    sketch.line([(176, 146), (166, 110), (178, 92)], width=6, smooth=True)
    sketch.path("M178 92 C160 92 156 76 166 70 C176 60 194 70 194 82 C192 92 186 94 178 92 Z", ink.OLIVE)
    return sketch.part()


@cache
def _mechanics() -> Part:
    """A door that only wheels can open."""
    sketch = _sketch("mechanics")
    sketch.path("M16 146 L16 30 C60 0 140 0 184 30 L184 146 Z", ink.STONE, line=4)
    sketch.path("M40 146 L40 46 C70 24 130 24 160 46 L160 146 Z", ink.SLATE, line=4)
    sketch.line([(100, 30), (100, 146)], width=ink.LINE)
    wheel = mechanics()
    sketch.add(wheel, 50, 44, scale=0.58)
    sketch.add(wheel, 94, 66, scale=0.66, turn=22)
    sketch.add(wheel, 52, 96, scale=0.44, turn=10)
    sketch.hatch(((22, 60), (32, 130)), 12, 8)
    sketch.hatch(((168, 60), (178, 130)), 12, 8)
    for x, y in ((28, 44), (172, 44), (60, 22), (140, 22)):
        sketch.dots([(x, y)], 3.4)
    return sketch.part()


@cache
def _linguistics() -> Part:
    """A riddle that runs along the backs of two serpents."""
    sketch = _sketch("linguistics")
    sketch.path("M30 146 L36 24 C70 4 130 4 164 24 L170 146 Z", ink.SAND, line=4)
    for column, x in enumerate((58, 96, 134)):
        for row, y in enumerate((40, 72, 104)):
            match (column + row * 2) % 5:
                case 0:
                    sketch.path(
                        f"M{x - 12} {y + 9} C{x - 4} {y - 2} {x + 6} {y - 2} {x + 13} {y + 9} C{x + 6} {y + 18} {x - 4} {y + 18} {x - 12} {y + 9} Z",
                        ink.CREAM,
                    )
                    sketch.dots([(x, y + 8)], 3.6)
                case 1:
                    sketch.line(
                        [(x - 12, y + 12), (x - 6, y + 5), (x, y + 12), (x + 6, y + 5), (x + 12, y + 12)],
                        width=4,
                    )
                case 2:
                    sketch.oval(x, y + 8, 9, fill=ink.GOLD)
                case 3:
                    sketch.path(
                        f"M{x - 10} {y + 18} L{x - 10} {y} L{x + 10} {y} L{x + 10} {y + 18} M{x - 3} {y + 18} L{x - 3} {y + 8} L{x + 4} {y + 8}",
                        line=ink.LINE,
                    )
                case _:
                    sketch.polygon([(x, y - 2), (x + 12, y + 18), (x - 12, y + 18)], ink.CLAY)
    for flip in (1, -1):
        middle = 100
        points = [
            (middle - flip * x, float(y))
            for x, y in ((92, 146), (82, 124), (94, 100), (80, 76), (94, 50), (78, 26))
        ]
        sketch.line(points, width=14, smooth=True)
        sketch.line(points, width=8, ink=ink.OLIVE, smooth=True)
        sketch.oval(points[-1][0], 20, 11, 8, ink.OLIVE)
        sketch.dots([(points[-1][0] + flip * 3, 17)], 2)
    return sketch.part()


@cache
def _personality() -> Part:
    """An official behind a barrier, who has all the time in the world."""
    sketch = _sketch("personality")
    sketch.path("M4 128 L196 124 L196 146 L4 146 Z", ink.LEAF)
    sketch.path("M62 122 C60 86 76 74 100 74 C124 74 140 86 138 122 Z", ink.OLIVE)
    sketch.path("M78 44 C76 68 86 80 100 80 C114 80 124 68 122 44 Z", ink.SAND)
    sketch.dots([(91, 54), (109, 54)], 2.6)
    sketch.line([(84, 48), (96, 50)], width=ink.LINE)
    sketch.line([(104, 50), (116, 48)], width=ink.LINE)
    sketch.path(
        "M100 63 C92 58 82 62 76 58 C80 70 92 72 100 67 C108 72 120 70 124 58 C118 62 108 58 100 63 Z",
        ink.INK,
        line=ink.FINE,
    )
    sketch.path("M74 44 C70 18 84 14 100 14 C116 14 130 18 126 44 C110 38 90 38 74 44 Z", ink.INDIGO)
    sketch.path("M72 44 C90 36 110 36 128 44 L124 50 C110 43 90 43 76 50 Z", ink.INK, line=ink.FINE)
    sketch.path(
        "M100 20 L103 27 L110 27 L105 32 L107 39 L100 35 L93 39 L95 32 L90 27 L97 27 Z",
        ink.GOLD,
        line=ink.FINE,
    )
    for x, y in ((88, 92), (112, 92), (88, 106), (112, 106)):
        sketch.dots([(x, y)], 3, ink.GOLD)
    sketch.path("M4 98 L196 90 L196 106 L4 114 Z", ink.CREAM)
    for x in (42, 84, 126, 164):
        sketch.path(
            f"M{x} {113 - x * 0.042:.1f} L{x + 12} {97 - x * 0.042:.1f} L{x + 26} {96.5 - x * 0.042:.1f} L{x + 14} {112.4 - x * 0.042:.1f} Z",
            ink.MADDER,
            line=0,
        )
    sketch.path("M4 98 L196 90 L196 106 L4 114 Z", line=ink.LINE)
    sketch.path("M20 82 L34 82 L36 140 L18 140 Z", ink.STONE)
    return sketch.part()


@cache
def _science() -> Part:
    """A cave of crystals, full of vapours."""
    sketch = _sketch("science")
    sketch.path("M4 146 L4 40 C40 0 160 0 196 40 L196 146 Z", ink.SLATE, line=4)
    sketch.path("M24 146 C20 90 40 34 100 34 C160 34 180 90 176 146 Z", ink.INDIGO)
    for points, fill in (
        ([(30, 142), (36, 104), (48, 94), (58, 108), (60, 142)], ink.SKY),
        ([(52, 142), (60, 76), (74, 62), (86, 80), (86, 142)], ink.CREAM),
        ([(116, 142), (120, 88), (134, 72), (148, 92), (148, 142)], ink.SKY),
        ([(142, 142), (150, 112), (160, 104), (170, 118), (170, 142)], ink.CREAM),
    ):
        sketch.polygon(points, fill)
        sketch.line([points[2], (points[2][0] - 2, 138)], width=ink.FINE)
    for x, top in ((96, 54), (108, 44)):
        sketch.line(
            [(x, 128), (x + 8, 110), (x - 4, 92), (x + 8, 74), (x - 2, top)],
            width=5,
            ink=ink.VERDIGRIS,
            smooth=True,
        )
    sketch.path("M70 142 C76 130 132 130 138 142 Z", ink.VERDIGRIS)
    for x, y in ((92, 136), (112, 137), (104, 133)):
        sketch.oval(x, y, 3, fill=ink.CREAM, line=ink.FINE)
    for x in (46, 70, 130, 152):
        sketch.path(f"M{x - 8} 38 L{x + 1} 60 L{x + 9} 36", ink.SLATE, line=ink.LINE)
    return sketch.part()


_DRAWN: Final = {
    "combat": _combat,
    "strength": _strength,
    "agility": _agility,
    "navigation": _navigation,
    "survival": _survival,
    "mechanics": _mechanics,
    "linguistics": _linguistics,
    "personality": _personality,
    "science": _science,
}


def peril(number: int) -> Part:
    """The scene of a Challenge that asks for this ability first."""
    return _DRAWN[ABILITIES[number]]()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [_DRAWN[key]() for key in ABILITIES]
