"""Composes pictures of parts, numbers, and rows of signs as captions. Numbers are lines of ink, without a font."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from typing import Final, Literal, NamedTuple

from bot.art import ink
from bot.art.ink import CREAM, INK, LINE, PAPER, Part, short
from bot.art.picture import ALT_TEXT, Layer, Picture


class Pen(NamedTuple):
    """The style of a number: its colour, a factor for the thickness of its lines, and the colour of its outline.

    The outline, `halo`, makes the number readable on any ground; None: no outline.
    """

    ink: str = INK
    weight: float = 1
    halo: str | None = None


PLAIN: Final = Pen()

_HEIGHT: Final = 100
_GAP: Final = 22
_STROKE: Final = 13

_FIGURES: Final[dict[str, tuple[int, str]]] = {
    "0": (56, "M28 4 C8 4 4 28 4 50 C4 74 9 96 28 96 C47 96 52 72 52 50 C52 27 47 4 28 4 Z"),
    "1": (32, "M4 24 L22 5 L22 96"),
    "2": (54, "M5 26 C7 10 17 4 27 4 C40 4 49 12 49 26 C49 46 20 66 4 95 L51 95"),
    "3": (52, "M5 15 C12 7 20 4 28 4 C40 4 47 13 47 24 C47 38 36 46 22 47 C38 47 49 56 49 71 C49 87 38 96 25 96 C15 96 8 92 3 85"),
    "4": (58, "M40 96 L40 5 L4 66 L54 66"),
    "5": (53, "M46 5 L12 5 L8 45 C16 39 22 38 28 38 C42 38 50 50 50 65 C50 84 39 96 24 96 C15 96 8 92 3 86"),
    "6": (54, "M44 6 C22 16 4 40 4 67 C4 85 14 96 28 96 C42 96 51 85 51 70 C51 55 41 46 29 46 C17 46 8 54 5 64"),
    "7": (50, "M4 5 L47 5 C34 32 24 62 20 96"),
    "8": (54, "M27 47 C14 44 7 36 7 25 C7 12 15 4 27 4 C39 4 47 12 47 25 C47 36 40 44 27 47 C12 50 4 59 4 72 C4 87 13 96 27 96 C41 96 50 87 50 72 C50 59 42 50 27 47 Z"),
    "9": (54, "M49 34 C46 46 37 53 26 53 C13 53 4 44 4 29 C4 14 13 4 27 4 C41 4 50 15 50 32 C50 60 36 84 12 95"),
    "×": (44, "M4 34 L40 74 M40 34 L4 74"),
    "+": (48, "M24 28 L24 80 M2 54 L48 54"),
    "−": (44, "M3 54 L43 54"),
    "-": (44, "M3 54 L43 54"),
    "/": (40, "M36 2 L4 98"),
    "=": (46, "M3 42 L45 42 M3 66 L45 66"),
    "?": (46, "M4 24 C5 10 14 4 23 4 C35 4 43 12 43 24 C43 40 23 44 23 66 M23 92 L23 94"),
    "!": (14, "M7 4 L7 66 M7 92 L7 94"),
    ".": (12, "M6 92 L6 95"),
    ":": (12, "M6 40 L6 42 M6 78 L6 80"),
    "$": (52, "M47 22 C42 14 35 12 27 12 C14 12 7 20 7 30 C7 54 48 44 48 70 C48 82 38 89 26 89 C15 89 8 84 4 76 M27 0 L27 100"),
    "%": (64, "M56 8 L8 94 M16 6 C4 6 4 34 16 34 C28 34 28 6 16 6 Z M48 66 C36 66 36 94 48 94 C60 94 60 66 48 66 Z"),
    "<": (40, "M36 30 L5 54 L36 78"),
    ">": (40, "M5 30 L36 54 L5 78"),
    "A": (60, "M4 96 L30 4 L56 96 M14 64 L46 64"),
    "B": (54, "M7 5 L7 95 L28 95 C42 95 50 86 50 71 C50 57 41 48 27 48 L7 48 M7 5 L26 5 C38 5 46 13 46 26 C46 39 38 48 27 48"),
    "C": (56, "M52 20 C46 10 39 4 30 4 C13 4 4 24 4 50 C4 76 13 96 30 96 C39 96 46 90 52 80"),
    "D": (56, "M7 5 L7 95 L22 95 C42 95 52 76 52 50 C52 24 42 5 22 5 Z"),
    "E": (48, "M45 5 L7 5 L7 95 L46 95 M7 49 L38 49"),
    " ": (18, ""),
}  # fmt: skip
"""By character: its width and its line as SVG path data, in a box 100 high."""


def figures_width(text: str, height: float) -> float:
    """The width of this text as `figures` draws it."""
    inner = sum(_FIGURES[character][0] for character in text) + _GAP * (len(text) - 1)
    return inner * height / _HEIGHT


@lru_cache(maxsize=2048)
def figures(text: str, height: float, pen: Pen) -> str:
    """The SVG element of a number with its signs, with the placeholder `{}` for its upper left corner.

    `height`: the height of the digits.
    """
    strokes: list[str] = []
    at = 0
    for character in text:
        width, line = _FIGURES[character]
        if line:
            strokes.append(f'<path d="{line}" transform="translate({at} 0)"/>')
        at += width + _GAP
    body = "".join(strokes)
    if pen.halo is not None:
        around = f'<g stroke="{pen.halo}" stroke-width="{short(_STROKE * pen.weight + 22)}">{body}</g>'
        body = f"{around}<g>{body}</g>"
    place = f'transform="translate({{}}) scale({height / _HEIGHT:.4g})"'
    style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g {place} {style} stroke="{pen.ink}" stroke-width="{short(_STROKE * pen.weight)}">{body}</g>'


def with_figure(part: Part, text: str, y: float, height: float, weight: float) -> Part:
    """A part with a number, centred horizontally; `y` is the upper edge of the digits."""
    left = part.width / 2 - figures_width(text, height) / 2
    drawn = figures(text, height, Pen(weight=weight)).format(f"{short(left)} {short(y)}")
    return Part(part.name, part.width, part.height, part.body + drawn)


WIDTH: Final = 720
"""The width, in pixels, of every picture that fills a message's width: twice that of a phone."""

Anchor = Literal["start", "middle", "end"]


class Box(NamedTuple):
    """A rectangle in a picture: its upper left corner and its size, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Scene:
    """The builder of a picture: places parts and numbers from the back to the front. Lengths are in pixels."""

    def __init__(self, width: int = WIDTH, height: int = 360, ground: str | None = PAPER) -> None:
        self.width = width
        self.height = height
        self.ground = ground
        self._parts: dict[str, str] = {}
        """The SVG elements of the placed parts, by the parts' ids."""
        self._layers: list[Layer] = []

    def place(
        self, part: Part, x: float, y: float, width: float | None = None, *, turn: float = 0, faint: float = 1
    ) -> Scene:
        """Places a part with its upper left corner at this point, scaled to `width` if given.

        `turn`: clockwise rotation around the middle, in degrees. `faint`: opacity, from 0 to 1.
        """
        scale = 1.0 if width is None else width / part.width
        width, height = part.width * scale, part.height * scale
        moved = "translate({})"
        if turn:
            moved += f" rotate({short(turn)} {short(width / 2)} {short(height / 2)})"
        if scale != 1:
            moved += f" scale({scale:.4g})"
        see = f' opacity="{faint:.2g}"' if faint < 1 else ""
        self._parts[part.id] = part.body
        element = f'<use href="#{part.id}" transform="{moved}"{see}/>'
        self._layers.append(Layer(x, y, width, height, element))
        return self

    def figure(
        self,
        text: str | int,
        x: float,
        y: float,
        height: float,
        *,
        anchor: Anchor = "middle",
        pen: Pen = PLAIN,
    ) -> Scene:
        """Places a number with its signs. `y` is the upper edge of the digits, `height` their height.

        `anchor`: the part of the number that is at `x`.
        """
        width = figures_width(str(text), height)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        element = figures(str(text), height, pen)
        self._layers.append(Layer(left, y, width, height, element))
        return self

    def panel(
        self, box: Box, fill: str | None = CREAM, *, line: float = LINE, ink: str = INK, corner: float = 10
    ) -> Scene:
        """Places a sheet with rounded corners, as the ground of a group of things."""
        stroke = f' stroke="{ink}" stroke-width="{short(line)}"' if line else ""
        element = (
            f'<rect width="{short(box.width)}" height="{short(box.height)}" rx="{short(corner)}" '
            f'fill="{fill or "none"}"{stroke} transform="translate({{}})"/>'
        )
        self._layers.append(Layer(*box, element))
        return self

    def line(self, begin: tuple[float, float], end: tuple[float, float], line: float, ink: str) -> Scene:
        """Places a straight line between two points."""
        x, y = min(begin[0], end[0]) - line / 2, min(begin[1], end[1]) - line / 2
        (a, b), (c, d) = ((short(across - x), short(down - y)) for across, down in (begin, end))
        element = (
            f'<path d="M{a} {b} L{c} {d}" fill="none" stroke="{ink}" stroke-width="{short(line)}" '
            'transform="translate({})"/>'
        )
        width, height = abs(end[0] - begin[0]) + line, abs(end[1] - begin[1]) + line
        self._layers.append(Layer(x, y, width, height, element))
        return self

    def inset(self, picture: Picture, x: float, y: float, width: float) -> Scene:
        """Places another picture, scaled to `width`."""
        height = picture.height * width / picture.width
        self._parts |= picture.parts
        element = (
            f'<g transform="translate({{}})"><svg width="{short(width)}" height="{short(height)}" '
            f'viewBox="0 0 {picture.width} {picture.height}">{picture.inner}</svg></g>'
        )
        self._layers.append(Layer(x, y, width, height, element))
        return self

    def spread(self, picture: Picture, x: float, y: float, width: float) -> Scene:
        """Places another picture as `inset` does, but layer by layer, so that each layer is rasterised once only.

        Its ground is left out, and what it draws beyond its box is not cut off.
        """
        box = float(short(width)), float(short(picture.height * width / picture.width))
        scale = min(box[0] / picture.width, box[1] / picture.height)
        x = float(short(x)) + (box[0] - scale * picture.width) / 2
        y = float(short(y)) + (box[1] - scale * picture.height) / 2
        self._parts |= picture.parts
        for layer in picture.layers:
            left, across = divmod(x + scale * float(short(layer.x)), 1)
            top, down = divmod(y + scale * float(short(layer.y)), 1)
            # Positions of layers are rounded to tenths, which is too coarse for this one.
            moved = f"translate({{}}) translate({across:.2f} {down:.2f}) scale({scale:.5g})"
            element = f'<g transform="{moved}">{layer.at(0, 0)}</g>'
            self._layers.append(Layer(left, top, scale * layer.width, scale * layer.height, element))
        return self

    def again(self, layer: Layer, x: float, y: float) -> Scene:
        """Places a layer of an inset picture once more, in front, moved by this much."""
        self._layers.append(layer._replace(x=layer.x + x, y=layer.y + y))
        return self

    def picture(self, alt: str) -> Picture:
        """The finished picture. `alt` is its alt text, in the current language."""
        assert alt
        assert len(alt) <= ALT_TEXT
        return Picture(alt, self.width, self.height, self.ground, tuple(self._layers), self._parts)


Sign = Part | str
"""A drawing, or a number with its signs."""
Deed = Sequence[Sign]
"""Signs that stand together: what was done, with what, and how many."""

SIZES: Final = (56, 50, 44, 38, 32, 26)
"""The heights of drawings that are tried, in pixels."""
_FIGURE: Final = 0.7
"""The height of a figure, as a share of a drawing's."""
_NEAR: Final = 5
_APART: Final = 26
_ROWS: Final = 8
"""Between two signs of a deed, between two deeds, and between two rows, in pixels."""


def counted(part: Part, number: int) -> list[Sign]:
    """A drawing with its number; alone if there is only one."""
    return [part, f"×{number}"] if number > 1 else [part]


def place_deeds(scene: Scene, deeds: Sequence[Deed], box: Box) -> None:
    """Lays deeds in rows in a box, as large as it has room for. If there are too many, the last ones are left out."""
    deeds = [deed for deed in deeds if deed]
    for size in SIZES:
        rows = _rows(deeds, size, box.width)
        fitting = int((box.height + _ROWS) // (size + _ROWS))
        if len(rows) <= fitting or size == SIZES[-1]:
            break
    else:
        return
    rows = rows[:fitting]
    y = box.y + (box.height - len(rows) * (size + _ROWS) + _ROWS) / 2
    for row in rows:
        x = box.x
        for deed in row:
            x = _place(scene, deed, x, y, size) + _APART
        y += size + _ROWS


def _rows(deeds: Sequence[Deed], size: float, room: float) -> list[list[Deed]]:
    rows: list[list[Deed]] = []
    left = 0.0
    for deed in deeds:
        width = fsum(_width(sign, size) + _NEAR for sign in deed) - _NEAR
        if not rows or width > left:
            rows.append([])
            left = room
        left -= width + _APART
        rows[-1].append(deed)
    return rows


def _width(sign: Sign, size: float) -> float:
    return (
        figures_width(sign, size * _FIGURE) if isinstance(sign, str) else min(sign.width_at(size), 2 * size)
    )


def _place(scene: Scene, deed: Deed, x: float, y: float, size: float) -> float:
    """Places a deed's signs from `x` on; returns where they end."""
    for sign in deed:
        width = _width(sign, size)
        if isinstance(sign, str):
            high = size * _FIGURE
            scene.figure(sign, x, y + (size - high) / 2, high, anchor="start", pen=Pen(halo=ink.PAPER))
        else:
            high = width * sign.height / sign.width
            scene.place(sign, x, y + (size - high) / 2, width)
        x += width + _NEAR
    return x - _NEAR
