"""Numbered pictures for explanations: discs with numbers over a picture, and pictures one below another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.art import ink
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene

DISC: Final = 44
"""The diameter of a disc in a picture that fills a message's width; on a phone it is 16 pixels."""
_FIGURE: Final = 26
_GAP: Final = 10


def labelled(picture: Picture, spots: Sequence[tuple[float, float]], alt: str) -> Picture:
    """A picture with numbered discs, from 1, whose middles are at these spots."""
    scene = Scene(picture.width, picture.height, picture.ground).inset(picture, 0, 0, picture.width)
    for number, (x, y) in enumerate(spots, 1):
        _disc(scene, number, x, y)
    return scene.picture(alt)


def steps(pictures: Sequence[Picture], alt: str) -> Picture:
    """Pictures one below another, each with its number, from 1, in the upper left corner."""
    across = WIDTH - DISC - 2 * _GAP
    scaled = [(picture, min(across, picture.width)) for picture in pictures]
    heights = [max(DISC, round(picture.height * width / picture.width)) for picture, width in scaled]
    scene = Scene(WIDTH, sum(heights) + _GAP * (len(heights) + 1))
    y = _GAP
    for number, ((picture, width), height) in enumerate(zip(scaled, heights, strict=True), 1):
        _disc(scene, number, _GAP + DISC / 2, y + DISC / 2)
        scene.inset(picture, DISC + 2 * _GAP, y, width)
        y += height + _GAP
    return scene.picture(alt)


def _disc(scene: Scene, number: int, x: float, y: float) -> None:
    box = Box(x - DISC / 2, y - DISC / 2, DISC, DISC)
    scene.panel(box, ink.CLAY, line=3, ink=ink.CREAM, corner=DISC / 2)
    scene.figure(number, x, y - _FIGURE / 2, _FIGURE, pen=Pen(ink.CREAM, 1.3))
