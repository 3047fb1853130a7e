"""A finished drawing, before it is rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Final, NamedTuple

from bot.art.ink import short

ALT_TEXT: Final = 1024
"""The maximum length of an alt text at Discord, in characters."""


class Layer(NamedTuple):
    """A part or a shape that is placed in a picture: an SVG element, and its box in pixels.

    `element` has the placeholder `{}` for the coordinates "x y" of its upper left corner, and refers to parts by their
    ids. It may draw a little beyond the box.
    """

    x: float
    y: float
    width: float
    height: float
    element: str

    def at(self, x: float, y: float) -> str:
        """The SVG element with its upper left corner at this point."""
        return self.element.format(f"{short(x)} {short(y)}")

    @property
    def svg(self) -> str:
        """The SVG element at the layer's position."""
        return self.at(self.x, self.y)


@dataclass(frozen=True)
class Picture:
    """A drawing in layers from the back to the front, its size in pixels, and its alt text.

    Only the alt text depends on the language. Equal `key`s mean equal drawings.
    """

    alt: str = field(repr=False)
    width: int
    height: int
    ground: str | None
    """The colour behind all layers; None: transparent."""
    layers: tuple[Layer, ...] = field(repr=False)
    parts: Mapping[str, str] = field(repr=False, compare=False)
    """The SVG elements of the parts, by id. An id means the same part in all pictures."""

    @cached_property
    def key(self) -> str:
        """A digest of the drawing. Layers contain the ids of their parts, so the parts' bodies need not be read."""
        layers = (f"{each.x:.1f} {each.y:.1f} {each.element}" for each in self.layers)
        drawing = f"{self.width} {self.height} {self.ground} {' '.join(layers)}"
        return blake2b(drawing.encode(), digest_size=12).hexdigest()

    @property
    def elements(self) -> list[str]:
        """The SVG elements of the ground and the layers, which refer to `parts`."""
        ground = [f'<rect width="{self.width}" height="{self.height}" fill="{self.ground}"/>']
        return [*(ground if self.ground is not None else []), *(layer.svg for layer in self.layers)]

    @cached_property
    def inner(self) -> str:
        """The elements in one string, for a picture in which this one is placed."""
        return "".join(self.elements)

    @property
    def svg(self) -> str:
        """The whole drawing as SVG."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}">{definitions(self.parts)}{self.inner}</svg>'
        )


def definitions(parts: Mapping[str, str]) -> str:
    """The SVG element that defines these parts, given by their ids."""
    groups = (f'<g id="{name}">{body}</g>' for name, body in parts.items())
    return f"<defs>{''.join(groups)}</defs>"
