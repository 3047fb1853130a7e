"""Renders pictures to PNG files: rasterises each layer once, caches its pixels, and reduces the colours to a palette."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, NamedTuple

import resvg_py
from PIL import Image, ImageColor

from bot.art import ink
from bot.art.picture import Layer, Picture, definitions


@dataclass(frozen=True, slots=True)
class PictureCacheLimits:
    """The picture cache, which has pictures rendered and keeps them."""

    kept: int = 32_000_000
    """Bytes of rendered pictures that are kept for those who see the same."""
    slow: float = 0.5
    """Seconds a rendering may take before nobody waits for pictures any more, until one has been quicker."""


PICTURE_CACHE: Final = PictureCacheLimits()
TILES: Final = 32_000_000
"""The most bytes of tiles that a process keeps."""


_MARGINS: Final = (8, 32, 128, 512, 2048)
"""Pixels around a layer's box within which it is looked for, tried in turn: lines are thicker than the shapes they
surround."""


class Tile(NamedTuple):
    """A layer's pixels, cropped, and their offset from its upper left corner. A layer may draw nothing."""

    image: Image.Image
    left: int
    top: int


class Tiles:
    """The tile cache of a process; evicts the least recently used tiles first.

    The key of a tile is a layer's element and the fractions of a pixel in its position. The element contains the ids of
    its parts, so equal elements of different pictures share their tiles.
    """

    def __init__(self, kept: int = TILES) -> None:
        self.bytes = 0
        self._limit = kept
        self._tiles: OrderedDict[tuple[str, float, float], Tile] = OrderedDict()

    def compose(self, picture: Picture) -> Image.Image:
        """The pixels of a picture with an opaque ground: except for rounding, those of its whole SVG.

        Raises `ValueError` if a layer is no SVG.
        """
        assert picture.ground is not None
        image = Image.new("RGB", (picture.width, picture.height), picture.ground)
        for layer in picture.layers:
            (x, left), (y, top) = _split(layer.x), _split(layer.y)
            tile = self._tile(layer._replace(x=x, y=y), picture.parts)
            image.paste(tile.image, (left + tile.left, top + tile.top), tile.image)
        return image

    def _tile(self, layer: Layer, parts: Mapping[str, str]) -> Tile:
        key = layer.element, layer.x, layer.y
        tile = self._tiles.get(key)
        if tile is not None:
            self._tiles.move_to_end(key)
            return tile
        tile = self._tiles[key] = rasterised(layer, parts)
        self.bytes += _size(key[0], tile)
        while self.bytes > self._limit:
            (element, _x, _y), oldest = self._tiles.popitem(last=False)
            self.bytes -= _size(element, oldest)
        return tile


def _split(length: float) -> tuple[float, int]:
    """The fraction of a pixel in a length, rounded to tenths as in the SVG, and the whole pixels."""
    rounded = round(length, 1)
    return round(rounded % 1, 1), floor(rounded)


def _size(element: str, tile: Tile) -> int:
    return len(element) + 4 * tile.image.width * tile.image.height


def rasterised(layer: Layer, parts: Mapping[str, str]) -> Tile:
    """The tile of a layer whose `x` and `y` are less than 1, with everything drawn beyond its box.

    Raises `ValueError` if the layer is no SVG or draws too far beyond its box.
    """
    used = definitions({name: body for name, body in parts.items() if f'"#{name}"' in layer.element})
    for margin in _MARGINS:
        x, y = layer.x + margin, layer.y + margin
        width, height = ceil(x + layer.width) + margin, ceil(y + layer.height) + margin
        image = pixels(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f"{used}{layer.at(x, y)}</svg>"
        )
        left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
        if right == 0 or (left > 0 and top > 0 and right < width and bottom < height):
            return Tile(image.crop((left, top, right, bottom)), left - margin, top - margin)
        # The margin may have cut something off.
    raise ValueError("a layer draws too far beyond its box")


def pixels(svg: str, width: int | None = None) -> Image.Image:
    """The pixels of an SVG as RGBA, scaled to `width` if given. Raises `ValueError` if it is no SVG."""
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, width=width)
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


EDGES: Final = (0.25, 0.5, 0.75)
"""The shares of a colour in the pixels between it and a line of ink, for which the palette has entries."""
PALE: Final = (0.3, 0.55)
"""The shares of a colour in what lies faint on paper, for which the palette has entries."""
COMPRESSION: Final = 2
"""The compression level of a file: a fifth less time than level 3, and files a thirtieth larger."""


def palette() -> Image.Image:
    """The palette of all files: the colours of ink, and those that lie between each of them and ink or paper.

    A palette chosen anew for each picture takes five times as long, and comes no nearer to a board.
    """
    line, paper, *_others = pure = [ImageColor.getrgb(colour)[:3] for colour in ink.COLOURS]
    between = [
        tuple(round(a + (b - a) * share) for a, b in zip(ground, colour, strict=True))
        for ground, shares in ((line, EDGES), (paper, PALE))
        for colour in pure
        for share in shares
    ]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in dict.fromkeys([*pure, *between]) for part in colour])
    return image


_palette: Final = palette()
_tiles: Final = Tiles()
"""The tile cache of this process."""


def render(picture: Picture, tiles: Tiles = _tiles) -> bytes:
    """A picture with an opaque ground as a PNG file with a palette. Raises `ValueError` if a layer is no SVG."""
    image = tiles.compose(picture).quantize(palette=_palette, dither=Image.Dither.NONE)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def render_clear(svg: str) -> bytes:
    """An SVG as a PNG file with all its colours and a transparent ground. Raises `ValueError` if it is no SVG."""
    out = io.BytesIO()
    pixels(svg).save(out, "PNG", optimize=True)
    return out.getvalue()
