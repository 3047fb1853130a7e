"""Cards in the city, as drawings: offices, shops, halls, and who works there.

Every card has a drawing for each of its two levels: on level 2 there is more of the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from bot.art import ink
from bot.art.ink import Sketch
from cogs.artifacts_inc.art import goods
from cogs.artifacts_inc.art.sites import HIGH, flag

_FLOOR: Final = 72


def _windows(sketch: Sketch, left: float, top: float, columns: int, rows: int, *, gap: float = 10) -> None:
    for row in range(rows):
        for column in range(columns):
            sketch.box(left + column * gap, top + row * gap, gap * 0.5, gap * 0.55, ink.GOLD, line=1.6)


def _pavement(sketch: Sketch) -> None:
    sketch.line([(0, _FLOOR), (100, _FLOOR)])


# -- people


def _person(sketch: Sketch, x: float, y: float, scale: float, coat: str, hat: str) -> None:
    """Head and shoulders of somebody in a hat; the chin is about here."""

    def path(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in points]

    sketch.blob(path((-24, 40), (-22, 16), (-8, 8), (8, 8), (22, 16), (24, 40)), coat)
    sketch.polygon(path((-8, 8), (0, 20), (8, 8)), ink.CREAM, line=2.2)
    sketch.blob(path((-11, -12), (-10, 2), (0, 9), (10, 2), (11, -12)), ink.BONE)
    sketch.polygon(path((-12, -12), (-9, -28), (9, -28), (12, -12)), hat)
    sketch.blob(path((-21, -12), (0, -16), (21, -12), (0, -7)), hat)
    sketch.dots(path((-4, -3), (5, -3)), 1.5)


def adventurers(sketch: Sketch, level: int) -> None:
    if level == 2:
        _person(sketch, 34, 20, 0.66, ink.SLATE, ink.SAND)
        _person(sketch, 67, 20, 0.66, ink.CLAY, ink.STONE)
    else:
        _person(sketch, 50, 24, 0.72, ink.SLATE, ink.SAND)
    aside = 3 if level == 2 else 0
    _person(sketch, 23 - aside, 44, 0.78, ink.VERDIGRIS, ink.OCHRE)
    _person(sketch, 77 + aside, 44, 0.78, ink.MADDER, ink.OCHRE)


def hired_adventurers(sketch: Sketch, level: int) -> None:
    if level == 2:
        _person(sketch, 72, 34, 0.92, ink.OLIVE, ink.SLATE)
        _person(sketch, 30, 32, 1.04, ink.INDIGO, ink.OCHRE)
    else:
        _person(sketch, 42, 33, 1.04, ink.INDIGO, ink.OCHRE)
        sketch.path("M74 6 L96 6 L98 52 L74 54 Z", ink.CREAM)
        for y in (16, 26, 36):
            sketch.line([(79, y), (91, y)], width=2.2)


# -- offices and shops


def headquarters(sketch: Sketch, level: int) -> None:
    if level == 2:
        sketch.box(4, 36, 24, 36, ink.CLAY)
        _windows(sketch, 9, 42, 2, 3)
        sketch.box(72, 36, 24, 36, ink.CLAY)
        _windows(sketch, 78, 42, 2, 3)
    sketch.path(
        "M28 72 L28 26 L36 26 L36 14 L44 14 L44 8 L56 8 L56 14 L64 14 L64 26 L72 26 L72 72 Z", ink.SAND
    )
    sketch.line([(50, 8), (50, -1)])
    _windows(sketch, 42, 20, 2, 1, gap=11)
    _windows(sketch, 34, 32, 4, 3)
    sketch.box(44, 61, 12, 11, ink.SLATE, line=2.4)
    if level == 2:
        flag(sketch, 50, 8, 8)
        flag(sketch, 10, 36, 22, ink.VERDIGRIS)
        flag(sketch, 78, 36, 22, ink.VERDIGRIS)
    _pavement(sketch)


def _awning(sketch: Sketch, x: float, y: float, wide: float, colour: str) -> None:
    stripes = 5
    each = wide / stripes
    for stripe in range(stripes):
        left = x + stripe * each
        sketch.path(
            f"M{left + 1} {y} L{left + each + 1} {y} L{left + each} {y + 14} Q{left + each / 2} {y + 21} {left} {y + 14} Z",
            ink.CREAM if stripe % 2 else colour,
            line=2.4,
            beside=False,
        )


def antiquarian(sketch: Sketch, level: int) -> None:
    sketch.box(8, 8, 84, 64, ink.OLIVE if level == 2 else ink.STONE)
    sketch.box(16, 30, 42, 36, ink.CREAM, line=2.6)
    sketch.box(66, 34, 18, 38, ink.SLATE, line=2.6)
    sketch.dots([(70, 54)], 2, ink.GOLD)
    sketch.add(goods.pottery(), 20, 34, scale=0.3)
    if level == 2:
        sketch.add(goods.statue(), 37, 35, scale=0.28)
        sketch.oval(75, 15, 9, fill=ink.CREAM, line=2.4)
        sketch.line([(75, 10), (75, 15), (79, 17)], width=2)
    _awning(sketch, 8 if level == 2 else 12, 22, 84 if level == 2 else 50, ink.MADDER)
    _pavement(sketch)


def curators_office(sketch: Sketch, level: int) -> None:
    if level == 2:
        sketch.box(4, 2, 40, 44, ink.OCHRE)
        sketch.line([(4, 17), (44, 17)], width=2.4)
        sketch.line([(4, 32), (44, 32)], width=2.4)
        for number, (x, y) in enumerate(
            ((9, 6), (15, 6), (21, 6), (30, 6), (9, 21), (18, 21), (24, 21), (33, 21), (36, 6))
        ):
            sketch.box(x, y, 5, 10, (ink.MADDER, ink.VERDIGRIS, ink.CREAM, ink.INDIGO)[number % 4], line=1.6)
    sketch.add(goods.statue(), 52, 16, scale=0.34)
    sketch.path("M6 46 L94 46 L94 54 L6 54 Z", ink.CLAY)
    sketch.box(10, 54, 24, 20, ink.CLAY)
    sketch.box(66, 54, 24, 20, ink.CLAY)
    sketch.dots([(22, 63), (78, 63)], 2.2)
    sketch.line([(18, 45), (18, 26)])
    sketch.path("M6 28 Q18 12 30 28 Z", ink.VERDIGRIS)
    sketch.oval(42, 36, 8, fill=ink.SKY, line=2.6)
    sketch.line([(36, 42), (31, 46)], width=4)


def auction_house(sketch: Sketch, level: int) -> None:
    if level == 2:
        for x, colour in ((18, ink.INDIGO), (50, ink.CLAY), (82, ink.OLIVE)):
            sketch.oval(x, 50, 7, fill=ink.BONE, line=2.4)
            sketch.path(f"M{x - 13} 76 Q{x - 12} 58 {x} 58 Q{x + 12} 58 {x + 13} 76 Z", colour, line=2.6)
        sketch.line([(88, 48), (92, 30)], width=2.6)
        sketch.box(86, 16, 13, 15, ink.CREAM, line=2.4)
        _gavel(sketch, 10, -4, 0.62)
    else:
        _gavel(sketch, 8, 2, 1)


def _gavel(sketch: Sketch, x: float, y: float, scale: float) -> None:
    def path(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in points]

    sketch.polygon(path((40, 28), (84, 62), (90, 55), (46, 21)), ink.OCHRE)
    sketch.polygon(path((10, 30), (42, 2), (56, 18), (24, 46)), ink.OCHRE)
    sketch.line(path((17, 24), (31, 40)), width=2.4)
    sketch.line(path((35, 8), (49, 24)), width=2.4)
    sketch.polygon(path((0, 58), (44, 58), (48, 70), (-4, 70)), ink.CLAY)
    sketch.line(path((4, 50), (-4, 46)), width=2.4)
    sketch.line(path((40, 50), (50, 46)), width=2.4)


# -- houses of learning and of leisure


def explorers_club(sketch: Sketch, level: int) -> None:
    if level == 2:
        sketch.box(54, 10, 44, 62, ink.STONE)
        sketch.path("M62 72 L62 46 Q76 32 90 46 L90 72 Z", ink.SLATE, line=2.6)
        sketch.path("M68 72 Q66 58 74 50 Q74 60 80 56 Q88 66 83 72 Z", ink.CLAY, line=2.4)
        sketch.box(50, 4, 50, 8, ink.OCHRE)
    else:
        sketch.line([(80, 72), (80, 36)])
        sketch.path("M64 38 L72 14 L88 14 L96 38 Z", ink.GOLD)
        sketch.line([(72, 72), (88, 72)], width=4.4)
    sketch.path("M10 66 L10 20 Q12 6 28 6 L34 6 Q44 8 44 20 L44 40 L30 40 L26 52 Z", ink.MADDER)
    sketch.path("M8 68 L8 46 Q14 36 24 44 L24 50 L44 50 Q58 36 58 52 L56 68 Z", ink.MADDER)
    sketch.line([(24, 56), (46, 56)], width=2.4)
    sketch.dots([(20, 18), (30, 16), (22, 30), (32, 28)], 1.8)
    sketch.line([(14, 68), (13, 74)], width=4)
    sketch.line([(50, 68), (51, 74)], width=4)


def research_institute(sketch: Sketch, level: int) -> None:
    if level == 2:
        sketch.path("M64 6 L78 6 L77 30 L94 66 Q94 72 88 72 L56 72 Q50 72 50 66 L66 30 Z", ink.CREAM)
        sketch.path("M60 48 L84 48 L92 66 Q92 70 88 70 L56 70 Q52 70 52 66 Z", ink.VERDIGRIS, line=ink.FINE)
        sketch.dots([(66, 60), (76, 56), (72, 64)], 2.2)
        sketch.line([(62, 6), (80, 6)], width=4)
    left = 0 if level == 2 else 20
    sketch.path(f"M{left + 4} 72 L{left + 4} 64 L{left + 54} 64 L{left + 54} 72 Z", ink.SLATE)
    sketch.path(
        f"M{left + 34} 64 Q{left + 62} 42 {left + 36} 20 L{left + 32} 28 Q{left + 46} 42 {left + 28} 64 Z",
        ink.SLATE,
    )
    sketch.polygon([(left + 22, 4), (left + 36, 0), (left + 42, 16), (left + 28, 20)], ink.OCHRE)
    sketch.polygon([(left + 27, 18), (left + 39, 14), (left + 45, 34), (left + 33, 38)], ink.STONE)
    sketch.line([(left + 12, 50), (left + 40, 50)], width=4.4)
    sketch.box(left + 14, 44, 18, 4, ink.SKY, line=2)
    if level == 1:
        sketch.path("M78 72 L78 46 L94 46 L94 72 Z", ink.MADDER)
        sketch.line([(82, 52), (90, 52)], width=2.2)


def grand_hall(sketch: Sketch, level: int) -> None:
    if level == 2:
        for x in (2, 76):
            sketch.box(x, 44, 22, 28, ink.BONE)
            _windows(sketch, x + 4, 50, 2, 2, gap=9)
    sketch.box(22, 38, 56, 34, ink.CREAM)
    sketch.path("M26 38 Q26 12 50 12 Q74 12 74 38 Z", ink.VERDIGRIS)
    sketch.line([(42, 37), (45, 14)], width=ink.FINE)
    sketch.line([(58, 37), (55, 14)], width=ink.FINE)
    sketch.box(45, 4, 10, 9, ink.GOLD, line=2.4)
    for x in (28, 40, 54, 66):
        sketch.box(x, 44, 6, 28, ink.STONE, line=2)
    sketch.box(16, 70, 68, 6, ink.STONE, line=2.6)
    if level == 2:
        flag(sketch, 12, 44, 22)
        flag(sketch, 86, 44, 22)
        sketch.line([(50, 4), (50, -1)])


def world_exhibition(sketch: Sketch, level: int) -> None:
    x, y, radius = (34.0, 36.0, 29.0) if level == 2 else (50.0, 37.0, 33.0)
    if level == 2:
        sketch.path("M70 72 Q80 50 81 8 L85 8 Q86 50 96 72 L88 72 Q83 60 78 72 Z", ink.OCHRE)
        sketch.line([(75, 56), (91, 56)])
        sketch.line([(79, 36), (87, 36)])
        flag(sketch, 83, 10, 9)
    sketch.line([(x - 20, _FLOOR), (x, y), (x + 20, _FLOOR)], width=4)
    sketch.oval(x, y, radius, line=ink.LINE + 0.6)
    sketch.oval(x, y, radius - 7, line=ink.FINE)
    colours = (ink.MADDER, ink.GOLD, ink.VERDIGRIS, ink.INDIGO)
    for spoke in range(8):
        turn = spoke * math.tau / 8 + 0.2
        sketch.line([(x, y), (x + radius * math.cos(turn), y + radius * math.sin(turn))], width=ink.FINE)
    for spoke in range(8):
        turn = spoke * math.tau / 8 + 0.2
        sketch.oval(
            x + radius * math.cos(turn), y + radius * math.sin(turn), 5, fill=colours[spoke % 4], line=2
        )
    sketch.oval(x, y, 5, fill=ink.GOLD, line=2.4)
    _pavement(sketch)


# -- public cards, and what an owner's own card list has


def private_collectors(sketch: Sketch, level: int) -> None:
    sketch.add(goods.collectors(), 12, -3, scale=0.78)


def guide_work(sketch: Sketch, level: int) -> None:
    sketch.line([(50, 74), (50, 4)], width=5)
    sketch.path("M42 10 L82 10 L95 20 L82 30 L42 30 Z", ink.SAND)
    sketch.path("M58 36 L20 36 L6 46 L20 56 L58 56 Z", ink.BONE)
    sketch.line([(50, 20), (80, 20)], width=2.4)
    sketch.line([(22, 46), (50, 46)], width=2.4)
    sketch.path("M30 74 Q36 66 44 72 Q52 64 60 72 L68 74 Z", ink.OLIVE, line=2.6)


def crates(sketch: Sketch, level: int) -> None:
    """Any other card."""
    if level == 2:
        sketch.box(34, 4, 32, 30, ink.SAND)
        sketch.line([(34, 4), (66, 34)], width=2.4)
    for x in (12, 52):
        sketch.box(x, 34, 36, 38, ink.SAND if x == 12 else ink.SHADE)
        sketch.line([(x, 34), (x + 36, 72)], width=2.4)
        sketch.line([(x + 36, 34), (x, 72)], width=2.4)
    sketch.line([(0, HIGH - 4), (100, HIGH - 4)])


DRAWN: Final[Mapping[str, Callable[[Sketch, int], None]]] = {
    "headquarters": headquarters,
    "adventurers": adventurers,
    "hired_adventurers": hired_adventurers,
    "antiquarian": antiquarian,
    "auction_house": auction_house,
    "curators_office": curators_office,
    "explorers_club": explorers_club,
    "research_institute": research_institute,
    "grand_hall": grand_hall,
    "world_exhibition": world_exhibition,
    "private_collectors": private_collectors,
    "guide_work": guide_work,
}
"""How a card is drawn, by its key: onto a sketch, at a level."""
