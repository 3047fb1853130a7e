"""A finished drawing, before it is made into a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Final

ALT_TEXT: Final = 1024
"""The most characters of a picture's description that Discord takes."""

_WHOLE: Final = re.compile(r"<svg [^>]*><defs>(.*?)</defs>(.*)</svg>", re.S)
_DEFINITION: Final = re.compile(r'<g id="([^"]+)">')


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG, its size in pixels, and what it shows, in words for those who cannot see it.

    The words are in the language that was being spoken. The drawing has none: equal `key`s mean equal drawings. Its SVG
    has the form that `bot.art.scene.Scene` gives it.
    """

    svg: str = field(repr=False)
    alt: str = field(repr=False)
    width: int
    height: int

    @cached_property
    def key(self) -> str:
        """A digest of the drawing."""
        return blake2b(self.svg.encode(), digest_size=12).hexdigest()

    @property
    def definitions(self) -> Mapping[str, str]:
        """The parts that the drawing is made of: their SVG elements by the ids to which `body` refers.

        In all pictures, an id means the same part.
        """
        _before, *found = _DEFINITION.split(self._halves[0])
        return {name: body.removesuffix("</g>") for name, body in zip(found[::2], found[1::2], strict=True)}

    @property
    def body(self) -> str:
        """The drawing's SVG elements without the definitions."""
        return self._halves[1]

    @cached_property
    def _halves(self) -> tuple[str, str]:
        whole = _WHOLE.fullmatch(self.svg)
        assert whole, "a picture is made by a scene"
        return whole[1], whole[2]
