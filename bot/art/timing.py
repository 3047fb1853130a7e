"""The times and sizes of the rendering of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PictureCacheLimits:
    """The picture cache, which has pictures rendered and keeps them."""

    kept: int = 32_000_000
    """Bytes of rendered pictures that are kept for those who see the same."""
    places: int = 5000
    """The number of places whose newest picture is known."""
    slow: float = 0.5
    """Seconds a rendering may take before nobody waits for pictures any more, until one has been quicker."""
    longest: float = 15.0
    """Seconds after which a rendering is given up, and its process ended."""
    nice: int = 10
    """The niceness of the rendering process (see nice(1)): the bot itself comes first."""


@dataclass(frozen=True, slots=True)
class TileLimits:
    """The tiles, which are rasterised layers of pictures."""

    kept: int = 32_000_000
    """The most bytes of tiles that a process keeps."""
    margins: tuple[int, ...] = (8, 32, 128, 512, 2048)
    """Pixels around a layer's box within which it is looked for, tried in turn: lines are thicker than the shapes they
    surround."""
    large: int = 15_000
    """The area in pixels from which the inside of a tile is pasted without a mask, if it is opaque."""
    edge: int = 16
    """The width in pixels of a large tile's edges: more than the round corners of sheets."""


PICTURE_CACHE: Final = PictureCacheLimits()
TILES: Final = TileLimits()
