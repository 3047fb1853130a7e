"""The six monuments: each with what lies in its chambers, what that costs, and what all know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from bot.art import common, ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import Pen
from bot.art.scene import Box, Scene
from cogs.archaeology_family.art.places import (
    PLACE_HEIGHT,
    PLACE_WIDTH,
    ROOM,
    lamp,
    place_pile,
    place_price,
    place_pyramid,
)
from cogs.archaeology_family.art.treasures import treasure
from engine.expedition.monuments import PILE, SAFE
from engine.expedition.state import ExpeditionView, MonumentKey

DOORS: Final = (26, 102, 178)
"""The left edges of the Temple's doors."""
DOOR: Final = (60, 110)
"""Their width and height."""


# -- the Temple


@cache
def temple() -> Part:
    """A temple's front: three doors between four columns with lotus capitals, the winged sun above them."""
    sketch = Sketch("temple", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.box(4, 222, 256, 14, ink.SHADE, line=ROOM)
    sketch.box(12, 208, 240, 14, ink.BONE, line=ROOM)
    sketch.path("M16 84 L248 84 L248 208 L16 208 Z", ink.STONE, line=ROOM)
    sketch.path("M6 46 L258 46 L252 84 L12 84 Z", ink.SAND, line=ROOM)
    sketch.path("M2 28 Q132 22 262 28 L254 46 L10 46 Z", ink.OCHRE, line=ROOM)
    sketch.path(
        "M20 34 L17 46 M38 33 L36 46 M56 32 L55 46 M208 32 L209 46 M226 33 L228 46 M244 34 L247 46 M74 31 L74 46 M190 31 L190 46",
        line=1.6,
    )
    sketch.oval(132, 33, 14, 14, ink.CLAY, line=ROOM)
    sketch.path(
        "M118 32 Q98 20 84 27 Q94 42 119 38 M146 32 Q166 20 180 27 Q170 42 145 38", ink.VERDIGRIS, line=2.2
    )
    for x in (15, 91, 167, 243):
        sketch.path(f"M{x - 8} 104 L{x + 8} 104 L{x + 7} 200 L{x - 7} 200 Z", ink.BONE, line=ROOM)
        sketch.path(
            f"M{x - 13} 85 Q{x - 10} 102 {x - 8} 106 L{x + 8} 106 Q{x + 10} 102 {x + 13} 85 Z",
            ink.VERDIGRIS,
            line=ROOM,
        )
        sketch.path(f"M{x} 86 L{x} 105 M{x - 6} 87 L{x - 3} 105 M{x + 6} 87 L{x + 3} 105", line=1.4)
        sketch.box(x - 11, 200, 22, 8, ink.SAND, line=ROOM)
        sketch.hatch(((x + 4, 116), (x + 4, 192)), 6, 9, slant=30, width=1.3)
    return sketch.part()


@cache
def door() -> Part:
    """A door of the Temple that is still shut."""
    width, height = DOOR
    sketch = Sketch("door", width, height)
    sketch.box(0, 0, width, height, ink.CLAY, line=ROOM)
    sketch.path(f"M{width / 2} 0 L{width / 2} {height}", line=ink.FINE)
    sketch.path(
        f"M4 6 L{width / 2 - 4} 6 L{width / 2 - 4} {height - 6} L4 {height - 6} Z M{width / 2 + 4} 6 L{width - 4} 6 L{width - 4} {height - 6} L{width / 2 + 4} {height - 6} Z",
        line=1.3,
    )
    return sketch.part()


@cache
def door_open() -> Part:
    """A door that stands open: a lantern burns in the empty chamber."""
    width, height = DOOR
    sketch = Sketch("door open", width, height)
    sketch.box(0, 0, width, height, ink.SLATE, line=ROOM)
    sketch.path(f"M8 {height - 2} Q{width / 2} 6 {width - 8} {height - 2} Z", ink.OCHRE, line=0)
    sketch.add(lamp(), width / 2 - 20, 42)
    sketch.path(
        f"M0 0 L12 8 L12 {height - 2} L0 {height} Z M{width} 0 L{width - 12} 8 L{width - 12} {height - 2} L{width} {height} Z",
        ink.CLAY,
        line=ROOM,
    )
    return sketch.part()


@cache
def eye() -> Part:
    """Somebody has seen what lies here."""
    sketch = Sketch("eye", 60, 44)
    sketch.path("M3 22 Q30 -8 57 22 Q30 48 3 22 Z", ink.CREAM, line=4)
    sketch.dots([(30, 21)], 10, ink.INDIGO)
    sketch.dots([(30, 21)], 5)
    return sketch.part()


def place_witnesses(scene: Scene, seats: Sequence[int], x: float, y: float, width: float) -> None:
    """The tokens of those who know what lies in a chamber, in a row below an eye, or nothing if nobody does."""
    if not seats:
        return
    size, columns = (20.0, 2) if len(seats) <= 2 else (18.0, 3)
    across = min(len(seats), columns) * size
    begin, rows = x + (width - 26 - across) / 2, -(-len(seats) // columns)
    scene.place(eye(), begin, y + 2, 24)
    for number, seat in enumerate(seats):
        left, top = begin + 27 + number % columns * size, y + 10 - rows * size / 2 + number // columns * size
        scene.place(common.token(seat), left, top, size - 1)


def place_temple(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(temple(), x, y)
    width, height = DOOR
    for cards, cost, seats, left in zip(view.chambers, view.costs, view.privy, DOORS, strict=True):
        left, top = x + left, y + 98
        if not cards:
            scene.place(door_open(), left, top)
            continue
        scene.place(door(), left, top)
        place_pile(scene, cards, left + width / 2 - 24, top + 8, 48)
        place_price(scene, cost, left + width / 2 - cost * 14, top + height - 40, 29)
        place_witnesses(scene, seats, left - 8, y + 56, width + 16)


# -- the Tomb


@cache
def tomb() -> Part:
    """Two burial chambers below the sand; steps lead down between them, and a jackal keeps watch above."""
    sketch = Sketch("tomb", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.path("M2 76 Q40 66 78 74 L112 74 L152 74 Q200 64 262 76 L262 240 L2 240 Z", ink.SAND, line=ROOM)
    sketch.path("M102 74 L162 74 L162 108 L148 108 L148 122 L116 122 L116 108 L102 108 Z", ink.SHADE, line=0)
    sketch.path("M118 74 L146 74 L146 222 L118 222 Z", ink.SLATE, line=ROOM)
    for step in range(7):
        sketch.path(f"M118 {92 + step * 20} L146 {92 + step * 20}", line=1.6, ink=ink.BONE)
    sketch.path("M96 74 L102 34 L162 34 L168 74 Z", ink.BONE, line=ROOM)
    sketch.path("M94 34 L170 34 L166 24 L98 24 Z", ink.OCHRE, line=ROOM)
    sketch.path("M116 74 L119 46 L145 46 L148 74 Z", ink.INK, line=ROOM)
    # the jackal
    sketch.path(
        "M184 70 L184 52 Q188 38 208 38 L214 36 L216 22 L222 30 L227 22 L230 33 L244 40 L242 46 L230 46 Q226 54 226 70 L218 70 L216 56 Q206 56 198 60 L198 70 Z",
        ink.SLATE,
        line=ROOM,
    )
    sketch.path("M184 54 Q174 60 176 72", line=4)
    sketch.path("M212 42 L222 48", line=3.4, ink=ink.GOLD)
    sketch.dots([(230, 37)], 1.6, ink.CREAM)
    sketch.path("M178 72 L236 71 L240 78 L176 79 Z", ink.CLAY, line=ROOM)
    sketch.path("M30 70 l3 -10 M36 70 l6 -8 M24 71 l-4 -8", line=2, ink=ink.OLIVE)
    for x, y in ((12, 92), (250, 96), (12, 232), (132, 233), (250, 233), (96, 84), (166, 88)):
        sketch.path(f"M{x - 4} {y} l4 -3 l4 3", line=1.4)
    return sketch.part()


@cache
def burial_chamber() -> Part:
    """One of the Tomb's chambers with its walls painted."""
    sketch = Sketch("burial chamber", 98, 132)
    sketch.box(0, 0, 98, 132, ink.BONE, line=ROOM)
    sketch.path("M2 12 L96 12", line=1.6)
    sketch.path(
        "M4 8 l6 -5 l6 5 l6 -5 l6 5 l6 -5 l6 5 l6 -5 l6 5 l6 -5 l6 5 l6 -5 l6 5 l6 -5 l6 5",
        line=1.4,
        ink=ink.CLAY,
    )
    return sketch.part()


def _coffin(sketch: Sketch, top: int) -> None:
    sketch.path(
        f"M4 {top + 14} Q6 {top + 2} 22 {top + 2} L28 {top} Q70 {top - 2} 86 {top + 6} L86 {top + 22} L4 {top + 22} Z",
        ink.GOLD,
        line=ROOM,
    )
    sketch.path(f"M6 {top + 14} Q14 {top + 18} 24 {top + 14} L26 {top + 2}", line=1.8)
    sketch.path(
        f"M34 {top + 2} L36 {top + 21} M46 {top + 1} L48 {top + 21} M58 {top + 1} L60 {top + 21} M70 {top + 3} L72 {top + 21}",
        line=4,
        ink=ink.INDIGO,
    )
    sketch.dots([(14, top + 9)], 1.8)


@cache
def coffin() -> Part:
    """A coffin in the Tomb, closed."""
    sketch = Sketch("coffin", 90, 56)
    sketch.path("M4 36 L86 36 L82 54 L8 54 Z", ink.OCHRE, line=ROOM)
    _coffin(sketch, 14)
    sketch.path("M18 40 L18 52 M36 40 L36 52 M54 40 L54 52 M72 40 L72 52", line=1.6)
    return sketch.part()


@cache
def coffin_open() -> Part:
    """A coffin whose lid has been lifted: somebody is choosing what to keep."""
    sketch = Sketch("coffin open", 90, 56)
    sketch.path("M4 36 L86 36 L82 54 L8 54 Z", ink.OCHRE, line=ROOM)
    sketch.path("M8 36 L84 36 L78 28 L16 28 Z", ink.INK, line=ROOM)
    lid = Sketch("coffin lid", 90, 24)
    _coffin(lid, 2)
    sketch.add(lid.part(), 6, 0, turn=-10)
    sketch.path("M18 40 L18 52 M36 40 L36 52 M54 40 L54 52 M72 40 L72 52", line=1.6)
    return sketch.part()


def place_tomb(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(tomb(), x, y)
    for number, (cards, cost, seats) in enumerate(zip(view.chambers, view.costs, view.privy, strict=True)):
        left, top = x + (14, 152)[number], y + 96
        scene.place(burial_chamber(), left, top)
        if not cards:
            scene.place(lamp(), left + 36, top + 30, 26)
            scene.place(coffin_open(), left + 4, top + 74)
            continue
        place_price(scene, cost, left + 10, top + 22, 32)
        place_pile(scene, cards, left + 46, top + 19, 44)
        place_witnesses(scene, seats, left, top + 63, 98)
        scene.place(coffin_open() if view.opened == number else coffin(), left + 4, top + 75)


# -- the Mine


@cache
def mine() -> Part:
    """A hill with a timbered entrance; rails lead out of the dark."""
    sketch = Sketch("mine", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.path(
        "M2 180 Q14 120 44 98 Q58 44 96 34 Q120 2 152 16 Q190 14 206 62 Q240 84 250 130 Q262 160 262 180 Z",
        ink.STONE,
        line=ROOM,
    )
    sketch.path(
        "M60 96 Q72 70 84 64 M190 70 Q204 78 214 98 M100 44 Q114 26 128 26 M36 140 Q42 124 52 116 M228 120 Q236 134 240 152",
        line=ink.FINE,
    )
    sketch.hatch(((206, 70), (252, 168)), 16, 12, slant=60, width=1.5)
    sketch.path("M2 180 Q70 174 132 180 Q200 186 262 180 L262 190 L2 190 Z", ink.SAND, line=ROOM)
    sketch.path("M84 182 L92 84 Q132 64 172 84 L180 182 Z", ink.INK, line=ROOM)
    sketch.path("M74 186 L84 82 L98 82 L92 186 Z M190 186 L180 82 L166 82 L172 186 Z", ink.OCHRE, line=ROOM)
    sketch.path("M68 66 L196 66 L196 84 L68 84 Z", ink.OCHRE, line=ROOM)
    sketch.path("M76 72 L120 71 M136 76 L186 75 M82 110 L80 140 M182 110 L184 142", line=1.4)
    sketch.path("M112 182 L124 130 M152 182 L140 130", line=2.6, ink=ink.STONE)
    sketch.path(
        "M111 176 L153 176 M114 166 L150 166 M117 156 L147 156 M119 146 L145 146", line=2.2, ink=ink.OCHRE
    )
    sketch.add(lamp(), 190, 82, scale=0.6)
    sketch.path("M20 186 l-3 -9 M24 186 l3 -10 M236 186 l-3 -8 M241 186 l4 -9", line=2, ink=ink.OLIVE)
    return sketch.part()


@cache
def prop() -> Part:
    """A prop of the Mine's roof that has broken."""
    sketch = Sketch("prop", 30, 44)
    sketch.path("M10 2 L20 2 L22 18 L14 24 L22 28 L20 42 L10 42 L8 26 L16 20 L9 16 Z", ink.CLAY, line=2.6)
    sketch.path("M2 2 L28 2 M4 42 L26 42", line=4)
    return sketch.part()


def place_mine(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(mine(), x, y)
    cards = view.chambers[0]
    if cards:
        place_pile(scene, cards, x + 106, y + 98, 52, 34)
        if not view.turned:
            place_price(scene, view.costs[0], x + 26, y + 128, 36)
    else:
        scene.place(lamp(), x + 116, y + 110, 32)
    if not view.turned:
        place_known(scene, view.public_within[0], x + 6, y + 196, PLACE_WIDTH - 12)
        return
    scene.figure(f"{view.worth_turned}/{SAFE}", x + 132, y + 24, 36, pen=Pen(weight=1.25, halo=ink.CREAM))
    size = min(50.0, (PLACE_WIDTH - 8) / len(view.turned))
    begin = x + (PLACE_WIDTH - size * len(view.turned)) / 2
    for number, kind in enumerate(view.turned):
        scene.panel(Box(begin + number * size + 1, y + 193, size - 3, 50), corner=5, line=2)
        scene.place(treasure(kind), begin + number * size + 3, y + 195, min(size - 7, 44))


def place_known(scene: Scene, known: Sequence[int], x: float, y: float, width: float) -> None:
    """The cards that everybody knows to lie in a chamber: a small sheet for each, below an eye."""
    cards = [kind for kind, n in enumerate(known) for _ in range(n)]
    if not cards:
        return
    rows = 1 if len(cards) <= 7 else 2
    columns = -(-len(cards) // rows)
    size = min(44.0 if rows == 1 else 25.0, (width - 34) / columns)
    begin = x + 34
    scene.place(eye(), x, y + 12, 30)
    for number, kind in enumerate(cards):
        left, top = begin + number % columns * size, y + number // columns * (size + 1)
        scene.place(treasure(kind), left + 1, top, size - 2)


# -- the Sphinx


def _sphinx_head(sketch: Sketch) -> None:
    """The head cloth and the face in it."""
    sketch.path(
        "M46 112 L58 54 Q66 18 104 16 Q142 18 150 54 L160 112 Q150 122 134 118 L74 118 Q58 122 46 112 Z",
        ink.GOLD,
        line=ROOM,
    )
    for low in (70, 84, 98):
        sketch.path(
            f"M{58 - (low - 54) * 0.2} {low} L76 {low - 2} L75 {low + 5} L{56 - (low - 54) * 0.2} {low + 7} Z M{150 + (low - 54) * 0.2} {low} L132 {low - 2} L133 {low + 5} L{152 + (low - 54) * 0.2} {low + 7} Z",
            ink.INDIGO,
            line=1.4,
        )
    sketch.path(
        "M74 54 Q74 34 104 34 Q134 34 134 54 Q136 84 124 98 Q112 108 104 108 Q96 108 84 98 Q72 84 74 54 Z",
        ink.SAND,
        line=ROOM,
    )
    sketch.path("M72 46 Q104 32 136 46", line=2.6)
    sketch.path("M104 40 Q95 34 99 22 Q101 15 104 13 Q107 15 109 22 Q113 34 104 40 Z", ink.CLAY, line=2.2)
    for side in (1, -1):
        sketch.path(
            f"M{104 + side * 24} 63 Q{104 + side * 15} 55 {104 + side * 7} 64 Q{104 + side * 15} 70 {104 + side * 24} 63 Z",
            ink.CREAM,
            line=2,
        )
        sketch.path(f"M{104 + side * 25} 57 Q{104 + side * 15} 49 {104 + side * 6} 57", line=2.6)
        sketch.dots([(104 + side * 15, 63)], 2.8)
    sketch.path("M104 66 L99 79 L105 81 L112 77", line=2)
    sketch.path("M94 90 Q104 96 114 90", line=2.6)
    sketch.path("M97 108 L111 108 L112 124 L96 124 Z", ink.INDIGO, line=2.2)


@cache
def sphinx() -> Part:
    """The Sphinx at rest, seen from before its left paw; a door opens between its paws."""
    sketch = Sketch("sphinx", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.oval(34, 34, 20, 20, ink.OCHRE, line=ROOM)
    sketch.path("M2 190 Q60 184 132 188 Q200 192 262 188", line=ROOM)
    # the body behind, and the tail
    sketch.path("M120 186 L122 116 Q150 96 190 104 Q236 108 246 150 Q252 172 246 186 Z", ink.SAND, line=ROOM)
    sketch.path("M196 186 Q194 146 222 140 Q246 142 246 186 Z", ink.SAND, line=ROOM)
    sketch.path("M246 170 Q262 160 258 138 Q252 128 248 138", line=5, ink=ink.INK)
    sketch.path("M158 112 Q176 108 196 116 M168 126 Q184 122 200 128", line=ink.FINE)
    _sphinx_head(sketch)
    # chest, door and paws
    sketch.path("M62 118 Q56 150 60 188 L148 188 Q152 150 146 118 Q104 132 62 118 Z", ink.SAND, line=ROOM)
    sketch.path("M72 188 L76 136 L132 136 L136 188 Z", ink.SLATE, line=ROOM)
    sketch.path("M64 137 L144 137 L140 129 L68 129 Z", ink.BONE, line=ROOM)
    sketch.path(
        "M8 188 Q4 160 22 156 L56 156 Q66 164 66 188 Z M142 188 Q142 164 152 156 L188 156 Q206 160 202 188 Z",
        ink.SAND,
        line=ROOM,
    )
    sketch.path(
        "M18 188 Q16 176 22 172 M32 188 Q30 176 36 172 M158 188 Q156 176 162 172 M176 188 Q174 176 180 172",
        line=2,
    )
    sketch.hatch(((214, 150), (240, 180)), 12, 6, slant=60, width=1.5)
    sketch.hatch(((150, 124), (178, 150)), 10, 6, slant=60, width=1.5)
    return sketch.part()


def place_sphinx(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(sphinx(), x, y)
    if cards := view.chambers[0]:
        place_pile(scene, cards, x + 80, y + 138, 48, 32)
        place_price(scene, view.costs[0], x + 216, y + 60, 36)
    else:
        scene.place(lamp(), x + 90, y + 142, 28)
    place_known(scene, view.public_within[0], x + 6, y + 196, PLACE_WIDTH - 12)


# -- the Buried Ruins


@cache
def ruins() -> Part:
    """Broken columns and half an arch in the sand, above three open pits."""
    sketch = Sketch("ruins", PLACE_WIDTH, PLACE_HEIGHT)
    sketch.path("M2 96 Q40 84 90 92 Q140 100 190 90 Q230 84 262 94 L262 240 L2 240 Z", ink.SAND, line=ROOM)
    sketch.path("M16 96 L18 36 L24 40 L30 32 L38 38 L42 34 L44 94 Z", ink.BONE, line=ROOM)
    sketch.path("M24 44 L24 90 M31 40 L31 90 M38 44 L38 90", line=1.5)
    sketch.path("M12 97 L48 96 L46 88 L14 88 Z", ink.SHADE, line=ROOM)
    sketch.path("M66 92 L67 20 L92 20 L93 93 Z", ink.BONE, line=ROOM)
    sketch.path("M74 22 L74 90 M80 22 L80 90 M86 22 L86 90", line=1.5)
    sketch.path("M60 20 L99 20 L96 8 L63 8 Z", ink.STONE, line=ROOM)
    sketch.path(
        "M92 20 Q98 4 122 2 Q140 2 150 14 L144 22 L136 18 L130 26 Q112 18 106 32 L99 34 Z",
        ink.STONE,
        line=ROOM,
    )
    sketch.path("M110 6 L113 20 M128 3 L126 18", line=1.6)
    sketch.path("M104 88 Q116 76 132 82 Q140 76 150 86 Q150 96 126 97 Q108 98 104 88 Z", ink.STONE, line=ROOM)
    sketch.path("M126 84 Q122 92 126 97", line=1.6)
    sketch.path("M54 92 l-3 -9 M58 92 l3 -10 M160 94 l-3 -8 M164 94 l4 -9", line=2, ink=ink.OLIVE)
    return sketch.part()


@cache
def pit() -> Part:
    """An open pit of the Ruins: what lies in it is seen by all."""
    sketch = Sketch("pit", 80, 134)
    sketch.path("M2 2 L78 2 L76 130 L4 130 Z", ink.SHADE, line=ROOM)
    sketch.path("M6 4 L10 126 L70 126 L74 4", ink.CREAM, line=1.6)
    return sketch.part()


def place_ruins(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(ruins(), x, y)
    if view.pile:
        place_pile(scene, view.pile, x + 204, y + 28, 54, 34)
    for number, within in enumerate(view.public_within):
        left, top = x + 5 + number * 87, y + 104
        scene.place(pit(), left, top)
        cards = [kind for kind, n in enumerate(within) for _ in range(n)]
        if not cards:
            scene.place(lamp(), left + 27, top + 46, 26)
            continue
        for (across, down, size), kind in zip(SPOTS[min(len(cards), max(SPOTS))], cards, strict=False):
            scene.place(treasure(kind), left + across, top + down, size)
    place_price(scene, view.costs[0], x + 164, y + 42, 34)


SPOTS: Final[Mapping[int, Sequence[tuple[float, float, float]]]] = {
    1: ((12, 37, 56),),
    2: ((16, 10, 48), (16, 72, 48)),
    3: ((5, 6, 42), (34, 46, 42), (5, 86, 42)),
    4: ((4, 14, 36), (40, 14, 36), (4, 74, 36), (40, 74, 36)),
    5: ((4, 4, 36), (40, 4, 36), (22, 46, 36), (4, 90, 36), (40, 90, 36)),
}
"""Where so many cards lie in a pit of the Ruins: left, top and size of each. Four storms bring the fifth."""
assert max(SPOTS) == 1 + PILE // 3

PLACED: Final[Mapping[MonumentKey, Callable[[Scene, ExpeditionView, float, float], None]]] = {
    "great_pyramid": lambda scene, view, x, y: place_pyramid(scene, view.chambers, view.costs, x, y),
    "temple": place_temple,
    "tomb": place_tomb,
    "mine": place_mine,
    "sphinx": place_sphinx,
    "ruins": place_ruins,
}


def place_monument(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    """The match's monument with its upper left corner here, made from what everybody knows."""
    PLACED[view.monument](scene, view, x, y)
