"""Makes files of pictures: SVG becomes pixels, and these a file with a palette."""

from __future__ import annotations

import io
from typing import Final

import resvg_py
from PIL import Image

COLOURS: Final = 64
"""How many colours a file has. Flat colours and the edges between them need no more."""


def pixels(svg: str, width: int | None = None) -> Image.Image:
    """The picture's pixels, as wide as said or in its own size. Raises `ValueError` if it is no SVG."""
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, width=width)
    return Image.open(io.BytesIO(bytes(data)))


def render(svg: str, width: int | None = None) -> bytes:
    """The picture as a PNG file with a palette. Raises `ValueError` if it is no SVG."""
    image = pixels(svg, width)
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    out = io.BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def render_clear(svg: str) -> bytes:
    """The picture as a PNG file with all its colours, and a ground that stays transparent. Raises `ValueError`."""
    out = io.BytesIO()
    pixels(svg).convert("RGBA").save(out, "PNG", optimize=True)
    return out.getvalue()
