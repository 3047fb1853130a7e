"""Renders pictures to PNG files: rasterises the layers, and reduces the colours to a palette."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from bot.art.picture import Picture
from bot.art.tiles import Tiles, pixels

COLOURS: Final = 64
"""The number of colours of a file: enough for flat colours and the edges between them."""
COMPRESSION: Final = 3
"""The compression level of a file: a third of the time of the default level 6, and files a seventh larger."""

_tiles: Final = Tiles()
"""The tile cache of this process."""


def render(picture: Picture, tiles: Tiles = _tiles) -> bytes:
    """A picture with an opaque ground as a PNG file with a palette. Raises `ValueError` if a layer is no SVG."""
    image = tiles.compose(picture)
    out = io.BytesIO()
    _in_palette(image).save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _in_palette(image: Image.Image) -> Image.Image:
    """An image in the colours that a quarter of its pixels choose.

    To give each pixel the nearest of these colours takes less time than to choose them from all pixels, and comes
    nearer to the image.
    """
    size = max(1, image.width // 2), max(1, image.height // 2)
    # Pillow describes the size's type by NumPy's, which is not installed.
    half = image.resize(size, Image.Resampling.NEAREST)  # pyright: ignore[reportUnknownMemberType]
    palette = half.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def render_clear(svg: str) -> bytes:
    """An SVG as a PNG file with all its colours and a transparent ground. Raises `ValueError` if it is no SVG."""
    out = io.BytesIO()
    pixels(svg).save(out, "PNG", optimize=True)
    return out.getvalue()
