"""Cards out in the field, as drawings: Expeditions, camps, and what moves by land, air and sea.

Every card has a drawing for each of its two levels: on level 2 there is more of the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.art import ink
from bot.art.ink import Sketch
from cogs.artifacts_inc.art import goods

WIDE: Final = 100
HIGH: Final = 76
"""The box of a card's drawing."""


# -- what several of them have


def flag(sketch: Sketch, x: float, y: float, high: float = 26, colour: str = ink.MADDER) -> None:
    """A pennant on a pole that stands here."""
    sketch.line([(x, y), (x, y - high)], width=2.6)
    sketch.path(f"M{x} {y - high} L{x + 17} {y - high + 5} L{x} {y - high + 11} Z", colour, line=2.4)


def tent(sketch: Sketch, x: float, y: float, wide: float, colour: str = ink.CREAM) -> None:
    """A tent whose left corner stands here."""
    high = wide * 0.72
    sketch.polygon([(x, y), (x + wide / 2, y - high), (x + wide, y)], colour)
    sketch.polygon(
        [(x + wide * 0.36, y), (x + wide / 2, y - high * 0.72), (x + wide * 0.64, y)],
        ink.SLATE,
        line=ink.FINE,
    )
    sketch.hatch(((x + wide * 0.68, y - high * 0.4), (x + wide * 0.86, y - 4)), wide * 0.14, 4, slant=-60)


def sun(sketch: Sketch, x: float, y: float, radius: float = 9) -> None:
    sketch.oval(x, y, radius, fill=ink.GOLD, line=2.6)


def sea(sketch: Sketch, y: float, colour: str = ink.VERDIGRIS) -> None:
    """Water from here down to the edge."""
    crest = " ".join(f"Q{x + 6.25} {y - 6} {x + 12.5} {y}" for x in (0, 12.5, 25, 37.5, 50, 62.5, 75, 87.5))
    sketch.path(f"M0 {y} {crest} L100 {HIGH} L0 {HIGH} Z", colour, line=2.6, beside=False)


def palm(sketch: Sketch, x: float, y: float, high: float) -> None:
    """A palm tree that stands here."""
    top = y - high
    sketch.line([(x, y), (x + 3, y - high / 2), (x - 1, top)], width=4.4, smooth=True)
    for dx, dy in ((-19, 4), (-13, -9), (2, -14), (14, -8), (18, 5)):
        sketch.path(
            f"M{x - 1} {top} Q{x + dx * 0.4 - 1} {top + dy * 0.9 - 7} {x + dx} {top + dy + 3} "
            f"Q{x + dx * 0.5} {top + dy * 0.5 + 2} {x - 1} {top} Z",
            ink.OLIVE,
            line=2.2,
        )


# -- Expeditions


def desert(sketch: Sketch, level: int) -> None:
    sun(sketch, 82, 14)
    sketch.polygon([(4, 58), (36, 12), (68, 58)], ink.SAND)
    sketch.polygon([(36, 12), (68, 58), (44, 58)], ink.OCHRE, line=ink.FINE)
    sketch.hatch(((42, 26), (60, 52)), 9, 6, slant=0)
    sketch.path("M0 62 Q26 46 54 60 T100 54 L100 76 L0 76 Z", ink.SAND, beside=False)
    if level == 2:
        tent(sketch, 54, 68, 36)
        flag(sketch, 72, 44, 22)
    else:
        sketch.line([(60, 66), (72, 62), (86, 65)], width=ink.FINE, smooth=True)
        sketch.line([(14, 70), (28, 66), (44, 70)], width=ink.FINE, smooth=True)


def canyon(sketch: Sketch, level: int) -> None:
    sketch.path("M30 76 L42 40 L58 40 L76 76 Z", ink.SKY, line=ink.FINE, beside=False)
    sketch.path("M0 8 L22 6 L24 22 L36 24 L34 40 L46 44 L38 60 L40 76 L0 76 Z", ink.CLAY)
    sketch.path("M100 12 L80 10 L78 26 L66 28 L68 44 L56 46 L62 62 L60 76 L100 76 Z", ink.CLAY)
    for y, left, right in ((24, 20, 82), (42, 30, 72), (60, 34, 66)):
        sketch.line([(4, y), (left, y + 1)], width=ink.FINE)
        sketch.line([(right, y + 3), (96, y + 2)], width=ink.FINE)
    if level == 2:
        sketch.line([(22, 10), (50, 18), (80, 14)], width=2.6, smooth=True)
        for x, y in ((34, 14), (44, 17), (56, 18), (67, 16)):
            sketch.line([(x, y), (x, y - 9)], width=2.2)
        sketch.line([(22, 1), (50, 9), (80, 4)], width=2.2, smooth=True)
        tent(sketch, 2, 74, 26)
        flag(sketch, 90, 12, 12)


def mountain(sketch: Sketch, level: int) -> None:
    sketch.polygon([(40, 76), (74, 20), (100, 62), (100, 76)], ink.SLATE)
    sketch.polygon([(0, 76), (38, 6), (76, 76)], ink.STONE)
    sketch.path("M25 30 L38 6 L51 30 L44 27 L39 36 L33 27 Z", ink.CREAM, line=ink.FINE)
    sketch.path("M64 36 L74 20 L84 36 L77 33 L72 40 Z", ink.CREAM, line=ink.FINE)
    sketch.hatch(((46, 40), (64, 70)), 12, 7)
    if level == 2:
        tent(sketch, 4, 74, 32)
        flag(sketch, 38, 8, 8)
        sketch.line([(36, 70), (46, 56), (40, 42), (38, 14)], width=2.2, ink=ink.MADDER)


def jungle(sketch: Sketch, level: int) -> None:
    sketch.path(
        "M22 68 L30 52 L36 52 L42 36 L46 36 L50 22 L66 22 L70 36 L74 36 L80 52 L86 52 L94 68 Z", ink.STONE
    )
    sketch.line([(36, 52), (80, 52)], width=ink.FINE)
    sketch.line([(46, 36), (70, 36)], width=ink.FINE)
    sketch.box(52, 26, 12, 10, ink.SLATE, line=ink.FINE)
    sketch.path("M53 68 L55 38 L61 38 L63 68 Z", ink.BONE, line=ink.FINE)
    palm(sketch, 16, 72, 52)
    sketch.path(
        "M0 76 Q8 60 18 70 Q30 58 42 70 Q54 60 66 71 Q78 58 88 69 Q96 62 100 68 L100 76 Z",
        ink.OLIVE,
        beside=False,
    )
    if level == 2:
        palm(sketch, 86, 72, 46)
        flag(sketch, 58, 22, 18)


def tents(sketch: Sketch, level: int) -> None:
    """An Expedition of an owner's own card list."""
    sketch.path("M0 60 Q30 46 60 58 T100 52 L100 76 L0 76 Z", ink.SAND, beside=False)
    tent(sketch, 8, 68, 52)
    flag(sketch, 34, 34, 26)
    if level == 2:
        tent(sketch, 58, 70, 36, ink.SHADE)


# -- camps and offices in the field


def dig_camp(sketch: Sketch, level: int) -> None:
    tent(sketch, 2, 56, 48)
    if level == 2:
        tent(sketch, 56, 46, 34, ink.SHADE)
        flag(sketch, 26, 24, 20)
    sketch.path("M0 58 L46 58 L54 72 L100 72 L100 76 L0 76 Z", ink.OCHRE, beside=False)
    sketch.add(goods.fossil(), 50, 40, scale=0.34)
    sketch.line([(97, 18), (88, 50)], width=4)
    sketch.path("M80 46 L95 50 L92 66 L83 74 L77 63 Z", ink.STONE, line=2.6)


def field_office(sketch: Sketch, level: int) -> None:
    sketch.box(14, 34, 56, 36, ink.SAND)
    sketch.path("M6 36 L20 14 L64 14 L78 36 Z", ink.MADDER)
    sketch.box(22, 44, 14, 26, ink.SLATE, line=ink.FINE)
    sketch.box(44, 44, 18, 13, ink.SKY, line=ink.FINE)
    sketch.line([(53, 44), (53, 57)], width=ink.FINE)
    sketch.line([(84, 70), (84, 8)], width=2.6)
    sketch.line([(76, 70), (84, 30), (92, 70)], width=ink.FINE)
    sketch.line([(78, 58), (90, 58)], width=ink.FINE)
    if level == 2:
        for reach in (7, 13):
            sketch.path(
                f"M{84 - reach} {8 + reach * 0.7} Q{84 - reach * 1.6} 4 {84 - reach} {4 - reach * 0.5}",
                line=2.4,
                ink=ink.MADDER,
            )
            sketch.path(
                f"M{84 + reach} {8 + reach * 0.7} Q{84 + reach * 1.2} 4 {84 + reach} {4 - reach * 0.5}",
                line=2.4,
                ink=ink.MADDER,
            )
        flag(sketch, 28, 14, 14, ink.INDIGO)
        sketch.box(0, 54, 16, 16, ink.OCHRE)
        sketch.line([(0, 54), (16, 70)], width=ink.FINE)
    sketch.line([(0, 71), (100, 71)])


# -- by land, air and sea


def camel(sketch: Sketch, x: float, y: float, scale: float, load: str) -> None:
    """A camel, its forefeet to the right."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in points]

    for leg in (16, 25, 46, 54):
        sketch.line(at((leg, 38), (leg - 1, 54), (leg + 1, 66)), width=4.6 * scale + 0.6)
    sketch.blob(
        at(
            (8, 40),
            (10, 26),
            (20, 22),
            (28, 8),
            (38, 22),
            (52, 26),
            (62, 24),
            (70, 10),
            (76, 6),
            (88, 8),
            (90, 14),
            (80, 17),
            (76, 30),
            (64, 42),
            (48, 44),
            (24, 44),
        ),
        ink.SAND,
    )
    sketch.blob(at((20, 22), (30, 10), (42, 22), (42, 34), (20, 34)), load, line=2.6)
    sketch.line(at((8, 28), (4, 44)), width=2.4)
    sketch.dots(at((80, 11)), 1.8)


def caravan(sketch: Sketch, level: int) -> None:
    sun(sketch, 12, 12, 8)
    if level == 2:
        camel(sketch, -2, 20, 0.62, ink.MADDER)
        camel(sketch, 40, 6, 0.66, ink.INDIGO)
        sketch.path("M0 64 Q30 58 50 62 T100 50 L100 76 L0 76 Z", ink.SAND, beside=False)
    else:
        camel(sketch, 6, 4, 0.98, ink.MADDER)
        sketch.path("M0 70 Q30 62 60 68 T100 64 L100 76 L0 76 Z", ink.SAND, beside=False)


def plane(sketch: Sketch, x: float, y: float, scale: float, colour: str) -> None:
    """A biplane that flies to the right."""

    def path(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in points]

    sketch.polygon(path((2, 12), (14, 12), (26, 30), (12, 30)), colour, line=ink.LINE)
    sketch.blob(path((4, 32), (40, 24), (72, 24), (84, 32), (82, 44), (68, 48), (36, 46), (10, 38)), colour)
    sketch.oval(x + 60 * scale, y + 24 * scale, 6 * scale, fill=ink.BONE, line=2.4)
    for wing, top in (
        (((30, 10), (78, 6), (80, 13), (32, 17)), True),
        (((32, 46), (78, 44), (80, 51), (34, 54)), False),
    ):
        sketch.polygon(path(*wing), ink.CREAM if top else ink.BONE, line=2.8)
    for strut in (40, 70):
        sketch.line(path((strut, 14), (strut + 1, 46)), width=2)
    sketch.line(path((86, 16), (90, 36), (86, 56)), width=3.4, smooth=True)
    for wheel in (48, 66):
        sketch.oval(x + wheel * scale, y + 60 * scale, 6 * scale, fill=ink.SLATE, line=2.4)


def cloud(sketch: Sketch, x: float, y: float, wide: float) -> None:
    sketch.path(
        f"M{x} {y} Q{x - 2} {y - 9} {x + wide * 0.25} {y - 8} Q{x + wide * 0.45} {y - 17} {x + wide * 0.66} {y - 8} "
        f"Q{x + wide} {y - 10} {x + wide} {y} Z",
        ink.CREAM,
        line=2.4,
    )


def biplane(sketch: Sketch, level: int) -> None:
    if level == 2:
        cloud(sketch, 4, 18, 34)
        plane(sketch, 50, -2, 0.5, ink.OLIVE)
        plane(sketch, 0, 26, 0.74, ink.MADDER)
        cloud(sketch, 68, 66, 30)
    else:
        cloud(sketch, 2, 68, 34)
        plane(sketch, 4, 4, 1, ink.MADDER)


def hangar(sketch: Sketch, x: float, y: float, wide: float, colour: str) -> None:
    high = wide * 0.7
    sketch.path(
        f"M{x} {y} L{x} {y - high * 0.4} Q{x + wide / 2} {y - high * 1.5} {x + wide} {y - high * 0.4} L{x + wide} {y} Z",
        colour,
    )
    sketch.path(
        f"M{x + wide * 0.18} {y} L{x + wide * 0.18} {y - high * 0.42} L{x + wide * 0.82} {y - high * 0.42} L{x + wide * 0.82} {y} Z",
        ink.SLATE,
        line=2.4,
    )


def airfield(sketch: Sketch, level: int) -> None:
    if level == 2:
        hangar(sketch, 0, 58, 42, ink.VERDIGRIS)
        hangar(sketch, 38, 64, 40, ink.STONE)
        sketch.path("M82 64 L84 28 L96 28 L98 64 Z", ink.BONE)
        sketch.path("M78 28 L80 14 L100 14 L100 28 Z", ink.SKY)
        sketch.line([(90, 14), (90, 2)], width=2.4)
    else:
        hangar(sketch, 4, 62, 58, ink.VERDIGRIS)
        sketch.line([(80, 66), (80, 14)])
        sketch.path("M80 14 L98 19 L98 27 L80 32 Z", ink.CLAY, line=2.6)
        sketch.line([(87, 16), (87, 30)], width=ink.FINE)
    sketch.path("M0 66 L100 62 L100 76 L0 76 Z", ink.OLIVE, beside=False)
    sketch.line([(8, 72), (24, 71)], width=2.4, ink=ink.CREAM)
    sketch.line([(40, 71), (56, 70)], width=2.4, ink=ink.CREAM)
    sketch.line([(72, 69), (88, 69)], width=2.4, ink=ink.CREAM)


def _fish(sketch: Sketch, x: float, y: float) -> None:
    sketch.path(
        f"M{x} {y} Q{x + 8} {y - 8} {x + 17} {y} L{x + 23} {y - 5} L{x + 23} {y + 5} L{x + 17} {y} Q{x + 8} {y + 8} {x} {y} Z",
        ink.OCHRE,
        line=2.2,
    )


def _bell(sketch: Sketch, x: float, y: float, scale: float) -> None:
    def path(d: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in d]

    sketch.line([(x + 20 * scale, y), (x + 20 * scale, 2)], width=2.6)
    sketch.blob(path([(8, 36), (6, 14), (12, 3), (28, 3), (34, 14), (32, 36)]), ink.OCHRE)
    sketch.box(x + 2 * scale, y + 34 * scale, 36 * scale, 8 * scale, ink.STONE)
    sketch.oval(x + 20 * scale, y + 18 * scale, 8 * scale, fill=ink.SKY, line=2.6)


def diving_bell(sketch: Sketch, level: int) -> None:
    sketch.path(
        "M0 14 Q6 9 12.5 14 T25 14 T37.5 14 T50 14 T62.5 14 T75 14 T87.5 14 T100 14 L100 76 L0 76 Z",
        ink.VERDIGRIS,
        beside=False,
    )
    sketch.path("M0 70 Q20 60 40 69 T80 67 L100 64 L100 76 L0 76 Z", ink.SAND, line=2.4, beside=False)
    if level == 2:
        _bell(sketch, 6, 20, 0.8)
        _bell(sketch, 52, 12, 1.06)
        _fish(sketch, 30, 62)
    else:
        _bell(sketch, 26, 16, 1.1)
        _fish(sketch, 72, 44)
    sketch.dots([(6, 30), (92, 26), (95, 34)], 2)


def _ship(sketch: Sketch, x: float, y: float, scale: float, colour: str) -> None:
    def path(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * scale, y + py * scale) for px, py in points]

    sketch.polygon(path((26, -14), (26, -34), (40, -34), (40, -14)), ink.MADDER)
    sketch.polygon(path((26, -28), (40, -28), (40, -34), (26, -34)), ink.INK, line=0)
    sketch.polygon(path((12, 0), (12, -16), (48, -16), (48, 0)), ink.CREAM)
    sketch.polygon(path((0, 0), (76, 0), (66, 20), (8, 20)), colour)
    sketch.line(path((58, 0), (58, -20), (84, -38), (84, -10)), width=2.8)
    sketch.line(path((58, -6), (74, -31)), width=2)
    sketch.dots(path((20, -8), (30, -8), (40, -8)), 2.2)


def salvage_fleet(sketch: Sketch, level: int) -> None:
    if level == 2:
        _ship(sketch, 42, 32, 0.62, ink.CLAY)
        _ship(sketch, 2, 46, 0.78, ink.INDIGO)
        sketch.add(goods.doubloon(), 60, 36, scale=0.18)
    else:
        _ship(sketch, 6, 42, 1, ink.INDIGO)
        sketch.add(goods.doubloon(), 81, 30, scale=0.2)
    sea(sketch, 60)


DRAWN: Final[Mapping[str, Callable[[Sketch, int], None]]] = {
    "desert_expedition": desert,
    "canyon_expedition": canyon,
    "mountain_expedition": mountain,
    "jungle_expedition": jungle,
    "dig_camp": dig_camp,
    "field_office": field_office,
    "caravan": caravan,
    "biplane": biplane,
    "airfield": airfield,
    "diving_bell": diving_bell,
    "salvage_fleet": salvage_fleet,
}
"""How a card is drawn, by its key: onto a sketch, at a level."""
