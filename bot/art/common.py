"""The parts used in pictures of several games: cards, dice, and the seats' tokens."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from bot.art import ink
from bot.art.drawings import Drawings
from bot.art.ink import Part, Sketch

draw: Final = Drawings(Path(__file__).with_name("drawings"))

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140

SEAT_COLOURS: Final = (ink.INDIGO, ink.OCHRE, ink.OLIVE, ink.CLAY, ink.MADDER, ink.GOLD)
"""The colours of the seats' tokens. Each token also has its own shape: circle, diamond, square, triangle, heart, star.

Colours and shapes are those of the seats' emoji in texts: 🔵 🔶 🟩 🔺 💜 ⭐.
"""


TOKEN_WORDS: Final = (
    "blue circle",
    "orange diamond",
    "green square",
    "red triangle",
    "violet heart",
    "yellow star",
)
"""The names of the seats' tokens as emoji."""


def token(seat: int) -> Part:
    """A seat's token, which differs from the others in colour and in shape."""
    return draw(f"token-{seat}")


@cache
def die(face: int, ground: str = ink.BONE) -> Part:
    """A die that shows `face`, from 1 to 6."""
    part = draw(f"die-{face}")
    body = part.body.replace(ink.BONE, ground)
    return Part(f"die {face} {ground}", part.width, part.height, body)


@cache
def ground_line(width: int) -> Part:
    """A line of ground with tufts, on which things stand."""
    sketch = Sketch(f"ground {width}", width, 20)
    steps = max(width // 60, 2)
    sketch.line([(width * step / steps, 8 + (step % 3) * 2) for step in range(steps + 1)], smooth=True)
    for step in range(1, steps):
        x = width * step / steps + (step * 37 % 23)
        sketch.line([(x, 9), (x + 4, 2)], width=ink.FINE)
        sketch.line([(x + 5, 10), (x + 5, 3)], width=ink.FINE)
    return sketch.part()


def step_height(score: int, best: int, between: tuple[int, int]) -> int:
    """The height of a podium's step to scale, in pixels: the best score's is the upper bound, none is below the lower one.

    >>> step_height(40, 80, (30, 160)), step_height(3, 80, (30, 160)), step_height(0, 0, (30, 160))
    (80, 30, 160)
    """
    least, tallest = between
    return max(least, round(tallest * score / best)) if best > 0 else tallest
