"""A finished drawing, before it is made into a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Final

ALT_TEXT: Final = 1024
"""The most characters of a picture's description that Discord takes."""


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG, its size in pixels, and what it shows, in words for those who cannot see it.

    The words are in the language that was being spoken. The drawing has none: equal `key`s mean equal drawings.
    """

    svg: str = field(repr=False)
    alt: str = field(repr=False)
    width: int
    height: int

    @cached_property
    def key(self) -> str:
        """A digest of the drawing."""
        return blake2b(self.svg.encode(), digest_size=12).hexdigest()
