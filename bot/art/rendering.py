"""Makes files of pictures: their layers become pixels, and these a file with a palette."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from bot.art.picture import Picture
from bot.art.tiles import Tiles, pixels

COLOURS: Final = 64
"""How many colours a file has. Flat colours and the edges between them need no more."""
COMPRESSION: Final = 4
"""The level of a file's compression: half the time of the usual 6, and files 6 % larger."""

_tiles: Final = Tiles()
"""What this process has rasterised."""


def render(picture: Picture, tiles: Tiles = _tiles) -> bytes:
    """A picture whose ground is a colour as a PNG file with a palette. Raises `ValueError` if a layer is no SVG."""
    image = tiles.compose(picture)
    image = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def render_clear(svg: str) -> bytes:
    """An SVG as a PNG file with all its colours, and a ground that stays transparent. Raises `ValueError`."""
    out = io.BytesIO()
    pixels(svg).save(out, "PNG", optimize=True)
    return out.getvalue()
