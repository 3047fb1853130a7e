"""Rows of things with their numbers, as several pictures have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.art.ink import Part, Point
from bot.art.numerals import figures_width
from bot.art.scene import Scene
from cogs.artifacts_inc.art.cards import DIGITS

MARGIN: Final = 6
"""Between the edge of a picture and the things in it, in pixels."""
_GAP = 4
"""Between a thing and its number."""


class Counted(NamedTuple):
    """A thing, and the number beside it; without one it stands alone."""

    part: Part
    number: int | str = ""

    def width(self, size: float) -> float:
        """How wide both are together if the thing is so large."""
        number = str(self.number)
        return size + (_GAP + figures_width(number, DIGITS) if number else 0)


def row(
    scene: Scene,
    things: Sequence[Counted],
    start: Point,
    *,
    room: float,
    size: float = 32,
    gap: float = 12,
) -> float:
    """Lays things in a row from `start`, with less between them or smaller if there is too little room. Where it ends."""
    x, y = start
    numbers = sum(thing.width(0) for thing in things)
    gaps = max(len(things) - 1, 1)
    if numbers + size * len(things) + gap * gaps > room:
        gap = min(gap, max(3.0, (room - numbers - size * len(things)) / gaps))
        size = min(size, (room - numbers - gap * gaps) / max(len(things), 1))
    for thing in things:
        scene.place(thing.part, x, y + (DIGITS - size) / 2, size)
        scene.figure(thing.number, x + size + _GAP, y, DIGITS, anchor="start")
        x += thing.width(size) + gap
    return x
