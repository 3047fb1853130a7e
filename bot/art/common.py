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

SEATS: Final = 6
SEAT_COLOURS: Final = (ink.INDIGO, ink.OCHRE, ink.OLIVE, ink.CLAY, ink.MADDER, ink.GOLD)
"""The colours of the seats' tokens. Each token also has its own shape: circle, diamond, square, triangle, heart, star.

Colours and shapes are those of the seats' emoji in texts: 🔵 🔶 🟩 🔺 💜 ⭐.
"""


@cache
def card(ground: str = ink.CREAM) -> Part:
    """The empty front of a card."""
    sketch = Sketch(f"card {ground}", CARD_WIDTH, CARD_HEIGHT)
    sketch.path(
        "M10 2 L90 3 Q97 3 97 11 L98 130 Q98 138 90 138 L11 137 Q3 137 3 129 L2 10 Q2 2 10 2 Z", ground
    )
    sketch.path(
        "M13 9 L88 9 Q91 9 91 13 L91 127 Q91 131 87 131 L13 131 Q9 131 9 127 L9 13 Q9 9 13 9 Z", line=1.2
    )
    return sketch.part()


@cache
def card_back() -> Part:
    """The back of a card: a spade and a pick, crossed over a square field."""
    sketch = Sketch("card back", CARD_WIDTH, CARD_HEIGHT)
    sketch.add(card(ink.VERDIGRIS))
    sketch.path("M18 18 L82 18 L82 122 L18 122 Z", ink.BONE, line=ink.FINE)
    sketch.hatch(((22, 28), (78, 28)), 14, 9, width=1.4)
    sketch.hatch(((22, 113), (78, 113)), 14, 9, width=1.4)
    sketch.line([(34, 96), (66, 46)], width=5)
    sketch.line([(66, 96), (34, 46)], width=5)
    sketch.path("M22 54 Q34 34 52 40 Q38 44 31 60 Z", ink.STONE)
    sketch.path("M58 52 L70 36 Q80 36 80 46 L72 60 Z", ink.STONE)
    return sketch.part()


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


PIPS: Final = {
    1: ((50, 50),),
    2: ((28, 28), (72, 72)),
    3: ((26, 26), (50, 50), (74, 74)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((27, 27), (73, 27), (50, 50), (27, 73), (73, 73)),
    6: ((28, 24), (72, 24), (28, 50), (72, 50), (28, 76), (72, 76)),
}


@cache
def die(face: int, ground: str = ink.BONE) -> Part:
    """A die that shows `face`, from 1 to 6."""
    sketch = Sketch(f"die {face} {ground}")
    sketch.path(
        "M18 6 L82 6 Q94 6 94 18 L94 82 Q94 94 82 94 L18 94 Q6 94 6 82 L6 18 Q6 6 18 6 Z", ground, line=4
    )
    sketch.dots([(float(x), float(y)) for x, y in PIPS[face]], 9.5)
    return sketch.part()


@cache
def cube(colour: str = ink.CLAY) -> Part:
    """A wooden cube that marks a place."""
    sketch = Sketch(f"cube {colour}")
    sketch.polygon([(50, 8), (90, 28), (90, 72), (50, 94), (10, 72), (10, 28)], colour)
    sketch.line([(10, 28), (50, 50), (90, 28)], width=ink.FINE + 1)
    sketch.line([(50, 50), (50, 94)], width=ink.FINE + 1)
    sketch.hatch(((60, 66), (82, 54)), 16, 4)
    return sketch.part()


@cache
def ground_line(width: int, seed: str = "ground") -> Part:
    """A line of ground with tufts, on which things stand."""
    sketch = Sketch(f"{seed} {width}", width, 20)
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


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [
        *draw.all(),
        card(),
        card(ink.SHADE),
        card_back(),
        *map(die, range(1, 7)),
        cube(),
        cube(ink.OCHRE),
        ground_line(300),
    ]
