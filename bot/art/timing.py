"""The times and sizes of the rendering of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PictureCacheLimits:
    """The picture cache, which has pictures rendered and keeps them."""

    kept: int = 32_000_000
    """Bytes of rendered pictures that are kept for those who see the same."""
    slow: float = 0.5
    """Seconds a rendering may take before nobody waits for pictures any more, until one has been quicker."""


@dataclass(frozen=True, slots=True)
class TileLimits:
    """The tiles, which are rasterised layers of pictures."""

    kept: int = 32_000_000
    """The most bytes of tiles that a process keeps."""


PICTURE_CACHE: Final = PictureCacheLimits()
TILES: Final = TileLimits()
