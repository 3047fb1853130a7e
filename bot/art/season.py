"""The picture of a season's end: for a game, the three best on their steps, with their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.art import ink
from bot.art.common import draw, ground_line
from bot.art.ink import Part
from bot.art.numerals import Pen
from bot.art.picture import ALT_TEXT, Picture
from bot.art.scene import WIDTH, Box, Scene

HEIGHT: Final = 220
STEPS: Final = 3
_GROUND: Final = 204
_STEP: Final = 132
_TALL: Final = (128, 98, 74)
"""The heights of the steps by place."""
_ORDER: Final = (1, 0, 2)
"""The places from left to right: the first stands in the middle."""
_COLOURS: Final = (ink.GOLD, ink.STONE, ink.CLAY)
_SIGN: Final = 150


def season_podium(ratings: Sequence[int], sign: Part | None, alt: str) -> Picture:
    """The podium of a game: at most three ratings, best first, and the game's sign. `alt` says the same in words."""
    scene = Scene(WIDTH, HEIGHT)
    left = 250.0 if sign is not None else (WIDTH - STEPS * _STEP) / 2
    scene.place(ground_line(STEPS * _STEP + 40), left - 20, _GROUND - 9)
    if sign is not None:
        width = min(_SIGN, sign.width_at(_SIGN))
        height = width * sign.height / sign.width
        scene.place(sign, 50 + (_SIGN - width) / 2, _GROUND - height, width)
    for number, place in enumerate(_ORDER):
        if place < len(ratings):
            height = _TALL[place]
            _place_step(
                scene, place, ratings[place], Box(left + number * _STEP, _GROUND - height, _STEP, height)
            )
    return scene.picture(alt[:ALT_TEXT])


def _place_step(scene: Scene, place: int, rating: int, box: Box) -> None:
    x, top = box.x, box.y
    middle = x + box.width / 2
    scene.panel(Box(x + 2, top + 4, box.width - 4, box.height - 4), _COLOURS[place], corner=0)
    scene.panel(Box(x, top, box.width, 9), _COLOURS[place], corner=2)
    scene.figure(rating, middle, _GROUND - 50, 38, pen=Pen(weight=1.15, halo=ink.BONE))
    if place == 0:
        scene.place(draw("laurel"), middle - 37, top - 74, 74)
    height = 34 if place == 0 else 42
    scene.figure(
        place + 1, middle, top - (54 if place == 0 else 50), height, pen=Pen(weight=1.3, halo=ink.BONE)
    )
