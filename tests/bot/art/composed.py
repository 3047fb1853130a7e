"""Checks that pictures composed of tiles look like their whole SVG."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

from bot.art.picture import Picture
from bot.art.rendering import Tiles, pixels

ROUNDED = 1
"""How far a channel may differ in ordinary pixels, of 255: blending rounds."""
ROUNDED_OFTEN = 4
"""How far a channel may differ in every pixel of a square of 3 by 3."""
FLIPPED = 8
"""How far a channel differs at most, unless an edge lies so near a sample that it falls on its other side."""


def check_composed(picture: Picture, tiles: Tiles | None = None, whole: Picture | None = None) -> None:
    """Checks that a picture composed of tiles has the pixels of its whole SVG, but for what blending rounds.

    `whole`: another drawing, whose SVG it must look like.
    """
    off = _difference((tiles or Tiles()).compose(picture), pixels((whole or picture).svg).convert("RGB"))
    counts, size = off.histogram(), off.width * off.height
    assert sum(counts[ROUNDED + 1 :]) <= size * 0.02
    assert sum(counts[FLIPPED + 1 :]) <= size * 0.0015
    assert not any(off.filter(ImageFilter.MinFilter(3)).histogram()[ROUNDED_OFTEN + 1 :])


def _difference(one: Image.Image, other: Image.Image) -> Image.Image:
    """By pixel, the greatest difference of a channel."""
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)
