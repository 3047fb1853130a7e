"""Composes pictures of parts and numbers."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from bot.art.ink import CREAM, INK, LINE, PAPER, Part, short
from bot.art.numerals import PLAIN, Pen, figures, figures_width
from bot.art.picture import ALT_TEXT, Layer, Picture

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
        self,
        part: Part,
        x: float,
        y: float,
        width: float | None = None,
        *,
        turn: float = 0,
        faint: float = 1,
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
        self,
        box: Box,
        fill: str | None = CREAM,
        *,
        line: float = LINE,
        ink: str = INK,
        corner: float = 10,
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

    def again(self, layer: Layer, x: float, y: float) -> Scene:
        """Places a layer of an inset picture once more, in front, moved by this much."""
        self._layers.append(layer._replace(x=layer.x + x, y=layer.y + y))
        return self

    def picture(self, alt: str) -> Picture:
        """The finished picture. `alt` is its alt text, in the current language."""
        assert alt
        assert len(alt) <= ALT_TEXT
        return Picture(alt, self.width, self.height, self.ground, tuple(self._layers), self._parts)
