"""Signs of what happened, in rows: captions of pictures, which hold no words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.art import ink
from bot.art.ink import Part
from bot.art.numerals import Pen, figures_width
from bot.art.scene import Box, Scene

Sign = Part | str
"""A drawing, or a number with its signs."""
Deed = Sequence[Sign]
"""Signs that stand together: what was done, with what, and how many."""

SIZES: Final = (56, 50, 44, 38, 32, 26)
"""The heights of drawings that are tried, in pixels."""
_FIGURE: Final = 0.7
"""The height of a figure, as a share of a drawing's."""
_NEAR: Final = 5
_APART: Final = 26
_ROWS: Final = 8
"""Between two signs of a deed, between two deeds, and between two rows, in pixels."""


def counted(part: Part, number: int) -> list[Sign]:
    """A drawing with its number; alone if there is only one."""
    return [part, f"×{number}"] if number > 1 else [part]


def place_deeds(scene: Scene, deeds: Sequence[Deed], box: Box) -> None:
    """Lays deeds in rows in a box, as large as it has room for. If there are too many, the last ones are left out."""
    deeds = [deed for deed in deeds if deed]
    for size in SIZES:
        rows = _rows(deeds, size, box.width)
        fitting = int((box.height + _ROWS) // (size + _ROWS))
        if len(rows) <= fitting or size == SIZES[-1]:
            break
    else:
        return
    rows = rows[:fitting]
    y = box.y + (box.height - len(rows) * (size + _ROWS) + _ROWS) / 2
    for row in rows:
        x = box.x
        for deed in row:
            x = _place(scene, deed, x, y, size) + _APART
        y += size + _ROWS


def _rows(deeds: Sequence[Deed], size: float, room: float) -> list[list[Deed]]:
    rows: list[list[Deed]] = []
    left = 0.0
    for deed in deeds:
        width = sum(_width(sign, size) + _NEAR for sign in deed) - _NEAR
        if not rows or width > left:
            rows.append([])
            left = room
        left -= width + _APART
        rows[-1].append(deed)
    return rows


def _width(sign: Sign, size: float) -> float:
    return (
        figures_width(sign, size * _FIGURE) if isinstance(sign, str) else min(sign.width_at(size), 2 * size)
    )


def _place(scene: Scene, deed: Deed, x: float, y: float, size: float) -> float:
    """Places a deed's signs from `x` on; returns where they end."""
    for sign in deed:
        width = _width(sign, size)
        if isinstance(sign, str):
            high = size * _FIGURE
            scene.figure(sign, x, y + (size - high) / 2, high, anchor="start", pen=Pen(halo=ink.PAPER))
        else:
            high = width * sign.height / sign.width
            scene.place(sign, x, y + (size - high) / 2, width)
        x += width + _NEAR
    return x - _NEAR
