"""The lands of the scenarios, and the trail that winds through them: two parts, from home to the Artifact."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import atan2, degrees, sin
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.ink import Part, Point, Sketch
from bot.art.scene import WIDTH, Scene
from cogs.artifact.art import draw, marks
from engine.artifact.state import END, HOME

HEIGHT: Final = 380
"""The height of the picture of the trail."""
SQUARE: Final = 50
"""The width of a square of the trail."""
SQUARE_HEIGHT: Final = 44

_ROWS: Final = ((343, 104, 676), (236, 676, 44), (129, 44, 596))
"""The trail's three rows of ten squares: height, and where the row begins and ends. All three rise and fall alike."""


def _squares() -> tuple[Point, ...]:
    found: list[Point] = []
    for y, left, right in _ROWS:
        for number in range(10):
            x = left + (right - left) * number / 9
            found.append((x, y + 9 * sin(x / 74)))
    return tuple(found)


SQUARES: Final = _squares()
"""The middle of each square of the trail, from square 1."""


def middle(square: int) -> Point:
    """The middle of a square, by its number."""
    return SQUARES[square - HOME]


def row(square: int) -> int:
    """Which of the trail's three rows a square is in, from the lowest."""
    return (square - HOME) // 10


def between(square: int) -> tuple[Point, float]:
    """The point halfway from a square to the one before it, and the way there in degrees, from the right clockwise."""
    (x, y), (to_x, to_y) = middle(square), middle(square - 1)
    return ((x + to_x) / 2, (y + to_y) / 2), degrees(atan2(to_y - y, to_x - x))


# -- the ground

_SECOND_PART: Final = (
    "C120 282 250 298 326 288 C366 282 360 262 360 238 C360 202 366 188 400 186 C520 178 620 200 722 184"
)
"""The border between the trail's parts, from the left to the right."""


def _grounds(sketch: Sketch, first: str, second: str, horizon: str) -> None:
    """The two parts in these colours, the second one ending above with this line, from the right to the left."""
    sketch.path(f"M-4 290 {_SECOND_PART} L724 384 L-4 384 Z", first, line=0, beside=False)
    sketch.path(f"M-4 290 {_SECOND_PART} L724 74 {horizon} Z", second, line=0, beside=False)
    sketch.path(f"M-4 290 {_SECOND_PART}", line=ink.FINE, ink=ink.SLATE)
    sketch.path(f"M724 74 {horizon}", line=ink.FINE)


def _trail(sketch: Sketch, ground: str) -> None:
    """The path from square to square, and to both ends of the trail."""
    way = [(40.0, 352.0), *SQUARES, (650.0, 112.0)]
    sketch.line(way, width=24, ink=ink.INK, smooth=True)
    sketch.line(way, width=19, ink=ground, smooth=True)


@cache
def _jungle() -> Part:
    sketch = Sketch("jungle ground", WIDTH, HEIGHT)
    canopy = "C690 50 670 52 640 66 C610 40 570 48 548 64 C520 44 480 46 452 66 C420 40 380 50 352 66 C320 42 280 48 250 66 C220 44 180 46 150 64 C120 42 80 48 50 66 C30 54 10 56 -4 66"
    _grounds(sketch, ink.LEAF, ink.BONE, canopy)
    sketch.path(
        f"M724 74 {canopy} L-4 88 C120 78 240 94 360 84 C480 76 600 94 724 84 Z",
        ink.OLIVE,
        line=ink.FINE,
        beside=False,
    )
    river = "M724 268 C640 256 560 300 470 296 C380 292 330 318 250 310 C160 302 120 326 60 318 C40 316 16 322 -4 318 L-4 384 L30 384 C60 360 130 352 250 350 C340 348 400 330 480 330 C570 330 640 300 724 312 Z"
    sketch.path(river, ink.SAND, line=ink.FINE, beside=False)
    for x, y in ((560, 296), (650, 284), (420, 314), (200, 330), (90, 336), (340, 326)):
        sketch.line([(x, y), (x + 14, y - 4), (x + 28, y)], width=ink.FINE, ink=ink.SLATE, smooth=True)
    for x, y in ((30, 176), (250, 170), (470, 160), (150, 268), (300, 214), (560, 164)):
        sketch.path(
            f"M{x} {y} l16 -2 l2 12 l-17 2 Z M{x + 20} {y - 3} l16 -1 l1 12 l-16 2 Z",
            line=ink.FINE,
            ink=ink.STONE,
        )
    _trail(sketch, ink.SHADE)
    return sketch.part()


@cache
def _islands() -> Part:
    sketch = Sketch("sea ground", WIDTH, HEIGHT)
    _grounds(sketch, ink.SKY, ink.VERDIGRIS, "L-4 74")
    sketch.path(
        "M-4 74 L-4 62 C60 56 90 66 140 74 Z M420 74 C460 58 520 60 560 74 Z",
        ink.OLIVE,
        line=ink.FINE,
        beside=False,
    )
    for x, y in ((40, 20), (66, 28), (330, 34)):
        sketch.path(f"M{x} {y} q8 -8 12 2 q6 -9 13 -1", line=2.4)
    for x, y, colour in (
        (150, 330, ink.INK), (420, 296, ink.INK), (560, 318, ink.INK), (610, 222, ink.INK), (470, 222, ink.INK), (660, 300, ink.INK),
        (60, 260, ink.SKY), (170, 214, ink.SKY), (300, 180, ink.SKY), (420, 150, ink.SKY), (90, 112, ink.SKY), (250, 96, ink.SKY),
        (520, 100, ink.SKY), (640, 162, ink.SKY), (20, 160, ink.SKY), (330, 250, ink.SKY),
    ):  # fmt: skip
        sketch.line(
            [(x, y + 4), (x + 9, y - 3), (x + 17, y + 4), (x + 25, y - 3), (x + 33, y + 4)],
            width=2,
            ink=colour,
            smooth=True,
        )
    way = [(40.0, 352.0), *SQUARES, (650.0, 112.0)]
    for (x, y), (to_x, to_y) in pairwise(way):
        for share in (0.12, 0.42, 0.72):
            points = [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (share, share + 0.16)]
            sketch.line(points, width=11, ink=ink.INK)
            sketch.line(points, width=6.5, ink=ink.CREAM)
    return sketch.part()


@cache
def _mountains() -> Part:
    sketch = Sketch("mountain ground", WIDTH, HEIGHT)
    _grounds(sketch, ink.LEAF, ink.CREAM, "C640 66 600 80 520 70 C440 62 380 80 300 70 C200 60 100 80 -4 70")
    for d in (
        "M20 180 C60 168 120 172 150 186 C120 200 50 200 20 180 Z",
        "M210 268 C250 258 300 260 322 272 C290 284 230 282 210 268 Z",
        "M420 158 C470 146 540 150 570 162 C540 176 450 174 420 158 Z",
    ):
        sketch.path(d, ink.SKY, line=ink.FINE, beside=False)
    sketch.path(
        "M640 384 C620 350 660 330 640 306 C624 286 676 276 724 280 L724 300 C690 300 660 304 668 318 C684 342 650 356 668 384 Z",
        ink.SKY,
        line=ink.FINE,
        beside=False,
    )
    sketch.hatch(((30, 100), (120, 94)), 14, 8, slant=-30, ink=ink.STONE)
    sketch.hatch(((380, 210), (440, 200)), 14, 5, slant=-30, ink=ink.STONE)
    sketch.hatch(((160, 300), (330, 310)), 16, 11, slant=60, ink=ink.OLIVE)
    sketch.hatch(((420, 290), (600, 286)), 16, 11, slant=60, ink=ink.OLIVE)
    _trail(sketch, ink.SHADE)
    return sketch.part()


@cache
def _country() -> Part:
    sketch = Sketch("country ground", WIDTH, HEIGHT)
    _grounds(sketch, ink.LEAF, ink.SAND, "C640 60 560 80 470 70 C380 60 300 80 210 70 C120 62 60 76 -4 66")
    sketch.hatch(((130, 300), (320, 312)), 15, 14, slant=60, ink=ink.OLIVE)
    sketch.hatch(((420, 284), (640, 290)), 15, 14, slant=60, ink=ink.OLIVE)
    for x, y in ((60, 178), (220, 182), (400, 156), (520, 168), (120, 262), (270, 256)):
        sketch.line([(x, y), (x + 22, y - 6), (x + 48, y)], width=ink.FINE, smooth=True)
    _trail(sketch, ink.BONE)
    return sketch.part()


# -- what stands in it


class Stands(NamedTuple):
    """A drawing that stands in a land: its upper left corner and its width."""

    drawing: str
    x: float
    y: float
    width: float


class Land(NamedTuple):
    """A land: what rises behind its horizon, its ground, and what stands on it."""

    behind: tuple[Stands, ...]
    ground: Callable[[], Part]
    stands: tuple[Stands, ...]


_HOME: Final = (-2, 268, 86)
_END: Final = (616, 8, 108)

_LANDS: Final = {
    "lost_city": Land(
        (),
        _jungle,
        (
            Stands("jungle-tree", 8, 34, 62),
            Stands("jungle-tree", 548, 40, 60),
            Stands("stone-head", 286, 146, 56),
            Stands("palm", 96, 152, 58),
            Stands("jungle-tree", 446, 144, 66),
            Stands("fern", 560, 166, 60),
            Stands("fern", 196, 268, 56),
            Stands("stone-head", 176, 42, 46),
            Stands("palm", 668, 186, 56),
            Stands("steamer", 322, 256, 110),
            Stands("caiman", 556, 296, 84),
            Stands("jungle-tree", 128, 246, 64),
            Stands("palm", 486, 254, 56),
            Stands("fern", 660, 336, 54),
        ),
    ),
    "drowned_temple": Land(
        (),
        _islands,
        (
            Stands("column", 22, 30, 38),
            Stands("column", 250, 148, 40),
            Stands("column", 296, 158, 34),
            Stands("fish", 96, 166, 70),
            Stands("fish", 440, 58, 56),
            Stands("column", 500, 152, 36),
            Stands("fish", 190, 262, 60),
            Stands("islet", 300, 28, 60),
            Stands("junk", 452, 258, 76),
            Stands("islet", 560, 172, 70),
            Stands("islet", 232, 290, 78),
            Stands("fin", 600, 290, 60),
            Stands("fin", 376, 300, 52),
            Stands("islet", 640, 256, 74),
        ),
    ),
    "ice_tomb": Land(
        (
            Stands("peak", 100, 10, 120),
            Stands("peak", 260, 14, 110),
            Stands("peak", 420, 8, 130),
            Stands("peak", 560, 12, 110),
            Stands("peak", 4, 8, 130),
            Stands("peak", 320, 8, 130),
            Stands("peak", 180, 14, 112),
            Stands("peak", 500, 8, 130),
        ),
        _mountains,
        (
            Stands("ice", 88, 160, 62),
            Stands("ice", 268, 152, 66),
            Stands("ice", 190, 258, 62),
            Stands("ice", 470, 146, 62),
            Stands("pine", 396, 150, 40),
            Stands("monastery", 566, 160, 66),
            Stands("pine", 640, 256, 44),
            Stands("pine", 600, 266, 40),
            Stands("yak", 372, 268, 74),
            Stands("pine", 130, 254, 44),
            Stands("pine", 506, 258, 44),
            Stands("pine", 318, 270, 40),
        ),
    ),
}
_GENERAL: Final = Land(
    (
        Stands("hill", -20, 22, 180),
        Stands("hill", 420, 24, 190),
        Stands("hill", 160, 30, 160),
        Stands("hill", 290, 18, 200),
    ),
    _country,
    (
        Stands("arch", 96, 164, 62),
        Stands("column", 294, 150, 38),
        Stands("arch", 446, 156, 60),
        Stands("tree", 572, 160, 44),
        Stands("column", 202, 42, 32),
        Stands("tree", 130, 256, 52),
        Stands("tree", 184, 266, 44),
        Stands("signpost", 388, 262, 56),
        Stands("tree", 508, 258, 52),
        Stands("tree", 640, 260, 54),
        Stands("fern", 580, 300, 56),
    ),
)


def land(scenario: str) -> Land:
    """The land of the scenario with this key; a general one for a scenario of an owner's."""
    return _LANDS.get(scenario, _GENERAL)


def place(scene: Scene, scenario: str) -> None:
    """The whole land with its trail, squares left out."""
    here = land(scenario)
    for one in here.behind:
        scene.place(draw(one.drawing), one.x, one.y, one.width)
    scene.place(here.ground(), 0, 0)
    for one in here.stands:
        scene.place(draw(one.drawing), one.x, one.y, one.width)
    scene.place(marks.home(scenario), *_HOME)
    scene.place(marks.end(scenario), *_END)


def parts() -> list[Part]:
    """The grounds, for the contact sheet."""
    return [_jungle(), _islands(), _mountains(), _country()]


assert len(SQUARES) == END
