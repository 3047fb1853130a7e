"""A company's goods and deeds, as drawings: artifacts, finds, reputation, and signs for what dice bring about."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.common import coin, die, token
from bot.art.ink import Part, Point, Sketch
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS

BOLD: Final = 5.5
"""The width of lines in what is seen small."""


# -- artifacts


@cache
def fossil() -> Part:
    """A bone with a broken end, half in the stone."""
    sketch = Sketch("fossil")
    sketch.path(
        "M22 40 C8 38 4 22 16 16 C18 4 36 2 39 16 C41 22 40 27 44 32 L70 58 C75 62 81 60 86 62 "
        "C98 66 96 82 85 83 C82 96 65 97 62 84 C60 79 61 74 57 70 L31 44 C28 41 26 41 22 40 Z",
        ink.BONE,
        line=4.4,
    )
    sketch.line([(41, 40), (49, 47)], width=ink.FINE)
    sketch.line([(54, 60), (63, 68)], width=ink.FINE)
    sketch.hatch(((30, 32), (60, 66)), 9, 7, slant=-20)
    sketch.dots([(20, 26), (77, 78)], 2.6)
    return sketch.part()


@cache
def scroll() -> Part:
    """A papyrus between two rolled ends."""
    sketch = Sketch("scroll")
    sketch.path("M24 20 L78 17 L76 82 L22 84 Z", ink.SAND, line=4.4)
    for y, end in ((33, 66), (44, 58), (55, 68), (66, 50)):
        sketch.line([(33, y), ((33 + end) / 2, y - 3), (end, y)], width=3.4, smooth=True)
    for y in (16, 84):
        sketch.path(
            f"M15 {y - 9} L86 {y - 11} Q96 {y - 1} 86 {y + 9} L15 {y + 10} Q5 {y} 15 {y - 9} Z",
            ink.OCHRE,
            line=4.4,
        )
        sketch.line([(22, y + 4), (80, y + 3)], width=ink.FINE)
    return sketch.part()


@cache
def statue() -> Part:
    """A long stone head."""
    sketch = Sketch("statue")
    sketch.path(
        "M30 10 Q52 0 72 11 L77 42 L71 58 L74 80 L80 95 L20 95 L27 78 L22 50 L20 40 Q22 20 30 10 Z",
        ink.STONE,
        line=4.4,
    )
    sketch.path(
        "M23 38 Q36 28 49 38 Q60 29 76 37 L76 43 Q60 38 54 43 L56 63 Q48 71 41 62 L45 43 Q36 37 22 43 Z",
        ink.SLATE,
        line=ink.FINE,
    )
    sketch.line([(35, 78), (48, 75), (63, 78)], width=5)
    sketch.hatch(((68, 52), (67, 90)), 12, 7)
    return sketch.part()


@cache
def gem() -> Part:
    """A cut stone."""
    sketch = Sketch("gem")
    sketch.path("M24 18 L76 18 L96 44 L50 92 L4 44 Z", ink.VERDIGRIS, line=4.4)
    sketch.path("M24 18 L36 44 L50 18 L64 44 L76 18 L96 44 L4 44 Z", ink.SKY, line=0, beside=False)
    sketch.line([(4, 44), (96, 44)], width=3)
    sketch.line([(24, 18), (36, 44), (50, 18), (64, 44), (76, 18)], width=3)
    sketch.line([(36, 44), (50, 92), (64, 44)], width=3)
    sketch.hatch(((66, 60), (80, 50)), 12, 4)
    sketch.path("M24 18 L76 18 L96 44 L50 92 L4 44 Z", line=4.4)
    return sketch.part()


_ARTIFACTS = (fossil, scroll, statue, gem)
assert len(_ARTIFACTS) == len(ARTIFACTS)


def artifact(kind: int) -> Part:
    """An artifact by its kind, as states count them."""
    return _ARTIFACTS[kind]()


# -- finds


@cache
def pottery() -> Part:
    """An amphora with a band."""
    sketch = Sketch("pottery")
    sketch.line([(38, 22), (16, 22), (18, 46), (30, 50)], width=BOLD, smooth=True)
    sketch.line([(62, 22), (84, 22), (82, 46), (70, 50)], width=BOLD, smooth=True)
    sketch.path(
        "M34 6 L66 6 L62 26 C84 40 84 66 60 86 L64 95 L36 95 L40 86 C16 66 16 40 38 26 Z", ink.CLAY, line=4.4
    )
    sketch.path("M23 50 L77 50 L76 64 L24 64 Z", ink.BONE, line=ink.FINE)
    sketch.line([(26, 62), (34, 52), (42, 62), (50, 52), (58, 62), (66, 52), (74, 62)], width=3)
    return sketch.part()


@cache
def doubloon() -> Part:
    """A coin of another age: its edge is clipped, and it bears a cross."""
    sketch = Sketch("doubloon")
    sketch.blob(
        [(48, 6), (74, 12), (92, 34), (94, 58), (78, 84), (54, 94), (26, 90), (8, 66), (6, 40), (22, 14)],
        ink.OCHRE,
        line=4.4,
    )
    sketch.path(
        "M42 20 L58 20 L58 42 L80 42 L80 58 L58 58 L58 80 L42 80 L42 58 L20 58 L20 42 L42 42 Z",
        ink.GOLD,
        line=3,
    )
    sketch.dots([(30, 30), (70, 30), (30, 70), (70, 70)], 4)
    return sketch.part()


@cache
def trident() -> Part:
    """The trident of a sunken city's god."""
    sketch = Sketch("trident", 78, 100)
    sketch.path(
        "M35 96 L35 50 Q12 50 12 30 L12 12 L6 16 L16 2 L26 16 L20 12 L20 30 Q22 40 35 41 L35 12 L28 17 "
        "L39 0 L50 17 L43 12 L43 41 Q56 40 58 30 L58 12 L52 16 L62 2 L72 16 L66 12 L66 30 Q66 50 43 50 L43 96 Z",
        ink.GOLD,
        line=3,
    )
    return sketch.part()


@cache
def sunken_city() -> Part:
    """A trident and a broken column that rise out of the sea."""
    sketch = Sketch("sunken city")
    sketch.path("M66 42 L72 36 L78 43 L84 34 L90 42 L89 74 L67 74 Z", ink.STONE)
    sketch.line([(74, 46), (74, 72)], width=ink.FINE)
    sketch.line([(82, 46), (82, 72)], width=ink.FINE)
    sketch.add(trident())
    sketch.path("M2 74 Q14 62 26 74 T50 74 T74 74 T98 74 L98 95 L2 95 Z", ink.INDIGO)
    sketch.line([(10, 86), (18, 82), (26, 86)], width=ink.FINE, ink=ink.CREAM, smooth=True)
    sketch.line([(60, 87), (68, 83), (76, 87)], width=ink.FINE, ink=ink.CREAM, smooth=True)
    return sketch.part()


_FINDS = (pottery, doubloon, sunken_city)
assert len(_FINDS) == len(FINDS)


def find(kind: int) -> Part:
    """A find by its kind, as states count them."""
    return _FINDS[kind]()


# -- what is counted


def _star(x: float, y: float, outer: float, inner: float) -> list[Point]:
    return [
        (
            x + (outer if step % 2 == 0 else inner) * math.sin(step * math.pi / 5),
            y - (outer if step % 2 == 0 else inner) * math.cos(step * math.pi / 5),
        )
        for step in range(10)
    ]


@cache
def reputation() -> Part:
    """A star."""
    sketch = Sketch("reputation")
    sketch.polygon(_star(50, 54, 48, 20), ink.GOLD, line=4.4)
    sketch.hatch(((62, 76), (76, 46)), 10, 5)
    return sketch.part()


@cache
def price() -> Part:
    """A blank coin, on which a number is written."""
    sketch = Sketch("price")
    sketch.oval(50, 50, 46, fill=ink.GOLD, line=4)
    sketch.oval(50, 50, 39, line=1.4)
    return sketch.part()


@cache
def asset() -> Part:
    """Cards in a stack: how many a company has."""
    sketch = Sketch("assets")
    sketch.path("M34 8 L92 16 L82 88 L30 80 Z", ink.SHADE, line=4)
    sketch.path("M14 8 L72 6 L76 90 L16 92 Z", ink.CREAM, line=4.4)
    sketch.path("M24 18 L63 16 L65 48 L26 50 Z", ink.VERDIGRIS, line=ink.FINE)
    sketch.path("M26 50 L40 28 L49 40 L55 34 L65 48 Z", ink.SAND, line=ink.FINE)
    sketch.line([(27, 64), (62, 63)], width=3.4)
    sketch.line([(28, 76), (52, 75)], width=3.4)
    return sketch.part()


@cache
def hat() -> Part:
    """An explorer's hat: one's company."""
    sketch = Sketch("company")
    sketch.path("M4 66 C20 54 80 54 96 66 C98 82 70 88 50 88 C30 88 2 82 4 66 Z", ink.OCHRE, line=4.4)
    sketch.path("M24 64 L30 26 Q42 10 50 22 Q60 10 70 26 L76 64 Q50 74 24 64 Z", ink.OCHRE, line=4.4)
    sketch.path("M26 52 Q50 62 74 52 L76 65 Q50 75 24 65 Z", ink.MADDER, line=ink.FINE)
    sketch.line([(50, 22), (51, 42)], width=ink.FINE)
    sketch.hatch(((64, 28), (68, 46)), 10, 5)
    return sketch.part()


# -- museums


def _front(sketch: Sketch, roof: str, colour: str) -> None:
    sketch.path(roof, colour, line=4)
    sketch.box(12, 33, 76, 8, ink.BONE)
    sketch.box(6, 86, 88, 10, ink.STONE)


_PEDIMENT: Final = "M6 32 L50 5 L94 32 Z"
_ROOFS: Final = (
    (_PEDIMENT, ink.CLAY),
    ("M16 32 Q16 4 46 4 L46 0 L54 0 L54 4 Q84 4 84 32 Z", ink.OCHRE),
    ("M8 32 L8 22 L24 22 L24 12 L38 12 L38 3 L62 3 L62 12 L76 12 L76 22 L92 22 L92 32 Z", ink.SLATE),
    ("M10 32 L10 12 L20 2 L30 12 L30 24 L70 24 L70 12 L80 2 L90 12 L90 32 Z", ink.INDIGO),
)
"""The museums' roofs, by artifact: a gable, a dome, steps, and two towers."""


@cache
def museum() -> Part:
    """A house with columns."""
    sketch = Sketch("museum")
    _front(sketch, _PEDIMENT, ink.VERDIGRIS)
    sketch.path("M14 42 L86 42 L86 84 L14 84 Z", ink.SHADE, line=0)
    for x in (14, 36, 57, 78):
        sketch.box(x, 43, 9, 41, ink.CREAM, line=3.6)
    sketch.dots([(50, 23)], 5)
    return sketch.part()


@cache
def museum_of(kind: int) -> Part:
    """The museum of an artifact, which stands in its gate."""
    sketch = Sketch(f"museum {ARTIFACTS[kind]}")
    _front(sketch, *_ROOFS[kind])
    sketch.path("M14 42 L86 42 L86 84 L14 84 Z", ink.CREAM, line=0)
    for x in (9, 82):
        sketch.box(x, 43, 9, 41, ink.CREAM)
    sketch.add(artifact(kind), 18, 29, scale=0.64)
    return sketch.part()


# -- what dice bring about


def _clasp(sketch: Sketch) -> None:
    sketch.path("M0 30 L26 22 L34 60 L4 72 Z", ink.INDIGO, line=4)
    sketch.path("M100 30 L74 22 L66 60 L96 72 Z", ink.CLAY, line=4)
    sketch.path(
        "M28 28 L48 24 L62 25 L73 28 L69 58 C66 66 60 72 55 76 C50 80 44 78 42 72 C36 74 34 68 36 64 L31 56 Z",
        ink.BONE,
        line=4.4,
    )
    sketch.path("M62 26 L46 36 C42 42 48 47 54 43 L58 41 L70 56", line=4)
    sketch.line([(42, 72), (50, 62)], width=3)
    sketch.line([(50, 78), (58, 66)], width=3)
    sketch.line([(58, 74), (64, 62)], width=3)


@cache
def collectors() -> Part:
    """Two hands that shake on a sale."""
    sketch = Sketch("sale")
    _clasp(sketch)
    return sketch.part()


@cache
def buying() -> Part:
    """A card and the coin that it costs."""
    sketch = Sketch("buying")
    sketch.path("M12 6 L66 4 L68 88 L14 90 Z", ink.CREAM, line=4.4)
    sketch.path("M21 16 L58 15 L59 48 L22 49 Z", ink.VERDIGRIS, line=ink.FINE)
    sketch.path("M22 49 L36 26 L46 40 L51 33 L59 48 Z", ink.SAND, line=ink.FINE)
    sketch.line([(23, 62), (44, 61)], width=3.4)
    sketch.oval(68, 68, 27, fill=ink.GOLD, line=4.4)
    sketch.path(
        "M76 60 C73 55 70 54 67 54 C61 54 59 57 59 61 C59 70 77 66 77 75 C77 80 73 82 67 82 C63 82 60 80 58 77 M67 49 L67 87",
        line=4,
    )
    return sketch.part()


@cache
def improving() -> Part:
    """A card that is raised."""
    sketch = Sketch("improving")
    sketch.path("M12 6 L66 4 L68 88 L14 90 Z", ink.CREAM, line=4.4)
    sketch.line([(23, 18), (44, 17)], width=3.4)
    sketch.line([(23, 30), (38, 29)], width=3.4)
    sketch.path("M66 30 L96 64 L78 64 L78 95 L54 95 L54 64 L36 64 Z", ink.OLIVE, line=4.4)
    return sketch.part()


@cache
def helmet() -> Part:
    """A diver's helmet: a dive."""
    sketch = Sketch("dive")
    sketch.path("M14 94 Q12 74 30 72 L70 72 Q88 74 86 94 Z", ink.OCHRE, line=4.4)
    sketch.oval(50, 42, 37, fill=ink.OCHRE, line=4.4)
    sketch.oval(50, 44, 22, fill=ink.SKY, line=4)
    sketch.line([(50, 23), (50, 65)], width=3.4)
    sketch.line([(29, 44), (71, 44)], width=3.4)
    sketch.box(40, 2, 20, 9, ink.OCHRE)
    sketch.dots([(26, 84), (50, 84), (74, 84)], 3.6)
    sketch.hatch(((78, 26), (82, 56)), 11, 6)
    return sketch.part()


def _curl(sketch: Sketch, colour: str = ink.OCHRE) -> None:
    """Two arrows around what stands in the middle."""
    sketch.path("M8 56 C4 24 34 0 64 12", line=10, ink=colour)
    sketch.path("M60 0 L80 18 L54 26 Z", colour, ink=colour, beside=False)
    sketch.path("M92 44 C96 76 66 100 36 88", line=10, ink=colour)
    sketch.path("M40 100 L20 82 L46 74 Z", colour, ink=colour, beside=False)


@cache
def rolling_again() -> Part:
    """A die between arrows: it is rolled again."""
    sketch = Sketch("rolling again")
    _curl(sketch)
    sketch.add(die(5), 23, 23, scale=0.54)
    return sketch.part()


@cache
def turning() -> Part:
    """A die with an arrow up and one down: it is turned by one."""
    sketch = Sketch("turning a die")
    sketch.add(die(3), -4, 12, scale=0.78)
    sketch.path("M86 4 L100 40 L72 40 Z", ink.OLIVE)
    sketch.path("M86 96 L100 60 L72 60 Z", ink.MADDER)
    return sketch.part()


@cache
def setting() -> Part:
    """Dice with several faces: one is chosen."""
    sketch = Sketch("setting a die")
    sketch.add(die(1), 0, 4, scale=0.46, turn=-12)
    sketch.add(die(6), 54, 4, scale=0.46, turn=12)
    sketch.add(die(4), 24, 42, scale=0.54)
    return sketch.part()


ABILITIES: Final = {"turn": turning, "set": setting, "roll": rolling_again}
"""By what an ability does to dice."""


@cache
def used() -> Part:
    """A stroke through what has been used this turn."""
    sketch = Sketch("used")
    sketch.line([(8, 92), (92, 8)], width=9, ink=ink.STONE)
    return sketch.part()


@cache
def gathering() -> Part:
    """All four artifacts: any of those that Expeditions yield."""
    sketch = Sketch("any artifact")
    for kind, (x, y) in enumerate(((0, 0), (52, 0), (0, 52), (52, 52))):
        sketch.add(artifact(kind), x, y, scale=0.48)
    return sketch.part()


@cache
def selling() -> Part:
    """An artifact goes away."""
    sketch = Sketch("selling one")
    sketch.add(statue(), -8, 8, scale=0.8)
    sketch.path("M56 42 L74 42 L74 28 L98 52 L74 76 L74 62 L56 62 Z", ink.MADDER)
    return sketch.part()


@cache
def slot() -> Part:
    """A space for a die."""
    sketch = Sketch("slot")
    sketch.path(
        "M18 6 L82 6 Q94 6 94 18 L94 82 Q94 94 82 94 L18 94 Q6 94 6 82 L6 18 Q6 6 18 6 Z", ink.SHADE, line=4
    )
    return sketch.part()


@cache
def tent() -> Part:
    """A tent with a flag: an Expedition."""
    sketch = Sketch("tent")
    sketch.line([(50, 34), (50, 4)], width=4)
    sketch.path("M50 4 L78 12 L50 22 Z", ink.MADDER, line=3)
    sketch.path("M6 90 L50 30 L94 90 Z", ink.CREAM, line=4.4)
    sketch.path("M38 90 L50 50 L62 90 Z", ink.SLATE, line=3)
    return sketch.part()


@cache
def counting() -> Part:
    """Tallies on a card: what its ability counts."""
    sketch = Sketch("counting")
    sketch.path("M16 6 L84 4 L86 94 L14 96 Z", ink.CREAM, line=4.4)
    for y in (30, 70):
        for x in (30, 42, 54, 66):
            sketch.line([(x, y - 13), (x - 1, y + 13)], width=4)
        sketch.line([(22, y + 10), (76, y - 10)], width=4, ink=ink.MADDER)
    return sketch.part()


@cache
def second_level() -> Part:
    """The ribbon of a card that has been improved."""
    sketch = Sketch("level 2")
    sketch.path("M22 4 L78 4 L78 92 L50 70 L22 92 Z", ink.MADDER, line=5)
    sketch.path("M50 14 L66 34 L34 34 Z", ink.GOLD, line=3)
    sketch.path("M50 36 L66 56 L34 56 Z", ink.GOLD, line=3)
    return sketch.part()


def parts() -> list[Part]:
    """Every part of this module."""
    kinds = range(len(ARTIFACTS))
    return [
        *map(artifact, kinds),
        *map(find, range(len(FINDS))),
        trident(),
        *map(museum_of, kinds),
        museum(),
        reputation(),
        price(),
        asset(),
        hat(),
        collectors(),
        buying(),
        improving(),
        helmet(),
        *(sign() for sign in ABILITIES.values()),
        used(),
        gathering(),
        selling(),
        slot(),
        counting(),
        tent(),
        second_level(),
    ]


def emoji() -> dict[str, Part]:
    """The drawings of the emoji in this game's texts, by the emoji."""
    return {
        "🎲": die(5),
        "🔵": token(0),
        "🔶": token(1),
        "🟩": token(2),
        "🔺": token(3),
        "⭐": reputation(),
        "💰": coin(),
        "🎩": hat(),
        "🏛️": museum(),
        "🤝": collectors(),
        "🛒": buying(),
        "⬆️": improving(),
        "🤿": helmet(),
        "🔄": rolling_again(),
        "🦴": fossil(),
        "📜": scroll(),
        "🗿": statue(),
        "💎": gem(),
        "🏺": pottery(),
        "🪙": doubloon(),
        "🔱": sunken_city(),
    }
