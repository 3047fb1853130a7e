"""The colours, and `Sketch`, which draws the small named parts of all pictures.

All lengths are in the units of a part's box. Boxes are about 100 units wide, so a line of the usual width looks alike
in all parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import Final

INK: Final = "#2d2219"
"""The colour of every line."""
PAPER: Final = "#f4e9d0"
"""The colour of every picture's ground."""
CREAM: Final = "#fbf5e6"
"""The colour of cards and sheets on the ground."""
SHADE: Final = "#d9c7a0"
"""The colour of shadows, empty places and worn paper."""
SAND: Final = "#dfb866"
OCHRE: Final = "#c98a2b"
CLAY: Final = "#b5533c"
MADDER: Final = "#8e2f3a"
VERDIGRIS: Final = "#4f8f86"
SKY: Final = "#a9cbd0"
INDIGO: Final = "#34507c"
OLIVE: Final = "#7d8a45"
LEAF: Final = "#b9bd84"
"""The colour of green land: lighter than the things on it."""
STONE: Final = "#a89f91"
SLATE: Final = "#6a675f"
BONE: Final = "#e9dcc0"
GOLD: Final = "#e6b422"
COLOURS: Final = (
    *(INK, PAPER, CREAM, SHADE, SAND, OCHRE, CLAY, MADDER, VERDIGRIS),
    *(SKY, INDIGO, OLIVE, LEAF, STONE, SLATE, BONE, GOLD),
)
"""All colours of pictures."""

LINE: Final = 3.2
"""The usual width of a line."""
FINE: Final = 1.8
"""The width of lines inside a shape."""
BESIDE: Final = (1.8, 1.4)
"""The offset of colours from their lines, as in a cheap print."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Part:
    """A small drawing, to be placed in pictures: its unique name, the size of its box, and its SVG elements."""

    name: str
    width: float
    height: float
    body: str = field(repr=False)

    @cached_property
    def id(self) -> str:
        """Depends on the drawing only, so that pictures on one page can share parts."""
        return "p" + blake2b(f"{self.name} {self.body}".encode(), digest_size=5).hexdigest()

    def width_at(self, height: float) -> float:
        """The width of the part if it is placed with this height."""
        return height * self.width / self.height


def short(number: float) -> str:
    """A length as text for SVG, rounded to tenths.

    >>> short(12.04), short(3.0), short(-0.01)
    ('12', '3', '0')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def points_of(path: Sequence[Point]) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in path)


def ellipse(x: float, y: float, across: float, down: float) -> list[Point]:
    """Points on an ellipse around a point, with the radii `across` and `down`: an outline for `Sketch.blob`."""
    turns = (step * math.tau / 10 for step in range(10))
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]


class Sketch:
    """Draws a part, shape by shape, from the back to the front.

    Shapes have a flat colour beside their ink line. Shapes and lines that are given as points tremble a little, as if
    drawn by hand. The part's name is the seed of the trembling, so a part always looks the same.
    """

    def __init__(self, name: str, width: float = 100, height: float = 100) -> None:
        self.name = name
        self.width = width
        self.height = height
        self._chance = Random(name)
        self.body: list[str] = []

    def part(self) -> Part:
        """The finished part."""
        return Part(self.name, self.width, self.height, "".join(self.body))

    # -- shapes

    def path(
        self, d: str, fill: str | None = None, *, line: float = LINE, ink: str = INK, beside: bool = True
    ) -> Sketch:
        """Adds a shape given as SVG path data. `line`: the width of its line; 0: no line. `fill` None: no colour."""
        if fill is not None:
            shift = f' transform="translate({short(BESIDE[0])} {short(BESIDE[1])})"' if beside else ""
            self.body.append(f'<path d="{d}" fill="{fill}"{shift}/>')
        if line:
            self.body.append(
                f'<path d="{d}" fill="none" stroke="{ink}" stroke-width="{short(line)}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
        return self

    def polygon(
        self, points: Sequence[Point], fill: str | None = None, *, line: float = LINE, ink: str = INK
    ) -> Sketch:
        """Adds a shape with straight sides."""
        shaken = [self._shaken(point) for point in points]
        return self.path(
            "M" + " L".join(points_of([point]) for point in shaken) + " Z", fill, line=line, ink=ink
        )

    def blob(
        self, points: Sequence[Point], fill: str | None = None, *, line: float = LINE, ink: str = INK
    ) -> Sketch:
        """Adds a shape with a smooth outline through these points."""
        return self.path(
            _smooth([self._shaken(point) for point in points], closed=True), fill, line=line, ink=ink
        )

    def oval(
        self,
        x: float,
        y: float,
        across: float,
        down: float | None = None,
        fill: str | None = None,
        *,
        line: float = LINE,
    ) -> Sketch:
        """Adds a circle or an ellipse around a point, with the radii `across` and `down`."""
        return self.blob(ellipse(x, y, across, across if down is None else down), fill, line=line)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str | None = None, *, line: float = LINE
    ) -> Sketch:
        """Adds a rectangle, given by its upper left corner and its size."""
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return self.polygon(corners, fill, line=line)

    # -- lines

    def line(
        self, points: Sequence[Point], *, width: float = LINE, ink: str = INK, smooth: bool = False
    ) -> Sketch:
        """Adds an open line through these points, with straight segments unless `smooth`."""
        shaken = [self._shaken(point) for point in points]
        if smooth:
            return self.path(_smooth(shaken, closed=False), line=width, ink=ink)
        return self.path("M" + " L".join(points_of([point]) for point in shaken), line=width, ink=ink)

    def hatch(
        self,
        side: tuple[Point, Point],
        length: float,
        count: int,
        *,
        slant: float = 45,
        ink: str = INK,
        width: float = FINE,
    ) -> Sketch:
        """Adds the shadow on a side of a shape: `count` short strokes between two points.

        `slant`: the angle of the strokes, in degrees.
        """
        start, end = side
        lean = math.radians(slant)
        dx, dy = math.cos(lean) * length / 2, -math.sin(lean) * length / 2
        strokes: list[str] = []
        for number in range(count):
            share = number / max(count - 1, 1)
            x = start[0] + (end[0] - start[0]) * share
            y = start[1] + (end[1] - start[1]) * share
            reach = self._chance.uniform(0.75, 1.1)
            strokes.append(
                f"M{points_of([(x - dx * reach, y - dy * reach)])} L{points_of([(x + dx * reach, y + dy * reach)])}"
            )
        return self.path(" ".join(strokes), line=width, ink=ink)

    def dots(self, points: Sequence[Point], radius: float = 2.2, ink: str = INK) -> Sketch:
        """Adds spots of ink."""
        for x, y in points:
            self.body.append(f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" fill="{ink}"/>')
        return self

    def add(self, part: Part, x: float = 0, y: float = 0, *, scale: float = 1) -> Sketch:
        """Adds another part with its upper left corner at this point."""
        size = f" scale({scale:.3g})" if scale != 1 else ""
        self.body.append(f'<g transform="translate({short(x)} {short(y)}){size}">{part.body}</g>')
        return self

    def _shaken(self, point: Point) -> Point:
        return point[0] + self._chance.uniform(-0.7, 0.7), point[1] + self._chance.uniform(-0.7, 0.7)


def _smooth(points: Sequence[Point], *, closed: bool) -> str:
    """A curve through all points (Catmull-Rom, as cubic Bézier curves)."""
    count = len(points)

    def at(index: int) -> Point:
        return points[index % count] if closed else points[min(max(index, 0), count - 1)]

    curve = [f"M{points_of([points[0]])}"]
    for index in range(count if closed else count - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (at(index + step) for step in (-1, 0, 1, 2))
        first = (bx + (cx - ax) / 6, by + (cy - ay) / 6)
        second = (cx - (dx - bx) / 6, cy - (dy - by) / 6)
        curve.append(f"C{points_of([first, second, (cx, cy)])}")
    return " ".join(curve) + (" Z" if closed else "")
