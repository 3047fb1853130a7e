"""The lands of the scenarios, and the trail that winds through them: two parts, from home to the Artifact."""

from __future__ import annotations

from math import atan2, degrees, sin
from typing import Final

from bot.art.ink import Point
from bot.art.scene import Scene
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


_HOME: Final = (-2, 268, 86)
_END: Final = (616, 8, 108)

_LANDS: Final = {"lost_city": "jungle-land", "drowned_temple": "sea-land", "ice_tomb": "mountain-land"}
_GENERAL: Final = "country-land"
"""The land of a scenario of an owner's. A file of a land has the trail through `SQUARES` as well."""


def place(scene: Scene, scenario: str) -> None:
    """The whole land of a scenario with its trail, squares left out."""
    scene.place(draw(_LANDS.get(scenario, _GENERAL)), 0, 0)
    scene.place(marks.home(scenario), *_HOME)
    scene.place(marks.end(scenario), *_END)


assert len(SQUARES) == END
