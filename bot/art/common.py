"""The parts used in pictures of several games: cards, dice, and the seats' tokens."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch

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


@cache
def empty_place() -> Part:
    """An empty place for a card."""
    sketch = Sketch("empty place", CARD_WIDTH, CARD_HEIGHT)
    for x1, y1, x2, y2 in ((8, 4, 92, 4), (96, 10, 96, 130), (92, 136, 8, 136), (4, 130, 4, 10)):
        steps = 7
        for step in range(steps):
            begin, end = step / steps, (step + 0.55) / steps
            sketch.line(
                [
                    (x1 + (x2 - x1) * begin, y1 + (y2 - y1) * begin),
                    (x1 + (x2 - x1) * end, y1 + (y2 - y1) * end),
                ],
                width=2.2,
                ink=ink.STONE,
            )
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


@cache
def token(seat: int) -> Part:
    """A seat's token, which differs from the others in colour and in shape."""
    sketch = Sketch(f"token {seat}")
    colour = SEAT_COLOURS[seat]
    match seat:
        case 0:
            sketch.oval(50, 50, 41, fill=colour)
            sketch.oval(50, 50, 17, fill=ink.CREAM, line=ink.FINE)
        case 1:
            sketch.polygon([(50, 4), (92, 50), (50, 96), (8, 50)], colour)
            sketch.line([(28, 50), (72, 50)], width=7, ink=ink.INK)
        case 2:
            sketch.box(12, 12, 76, 76, colour)
            sketch.line([(12, 12), (88, 88)], width=ink.FINE, ink=ink.CREAM)
            sketch.line([(88, 12), (12, 88)], width=ink.FINE, ink=ink.CREAM)
        case 3:
            sketch.polygon([(50, 8), (92, 88), (8, 88)], colour)
            sketch.dots([(50, 62)], 10, ink.CREAM)
        case 4:
            sketch.path(
                "M50 92 C22 70 6 52 8 32 C10 10 40 4 50 28 C60 4 90 10 92 32 C94 52 78 70 50 92 Z", colour
            )
            sketch.line([(50, 42), (50, 70)], width=8, ink=ink.CREAM)
            sketch.line([(36, 56), (64, 56)], width=8, ink=ink.CREAM)
        case _:
            star = [
                (50, 4),
                (62, 36),
                (96, 38),
                (69, 59),
                (79, 93),
                (50, 73),
                (21, 93),
                (31, 59),
                (4, 38),
                (38, 36),
            ]
            sketch.polygon(star, colour)
    return sketch.part()


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
def coin() -> Part:
    """Money: a coin with its sign."""
    sketch = Sketch("money")
    sketch.oval(50, 50, 42, fill=ink.GOLD)
    sketch.oval(50, 50, 33, line=ink.FINE)
    sketch.path(
        "M62 38 C58 32 54 31 49 31 C41 31 37 35 37 41 C37 54 63 48 63 61 C63 68 57 71 49 71 C43 71 38 68 36 63 M49 25 L49 77",
        line=5,
    )
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
def arrow() -> Part:
    """An arrow to the right, which points to the seat whose turn it is."""
    sketch = Sketch("arrow")
    sketch.polygon([(8, 34), (52, 34), (52, 12), (94, 50), (52, 88), (52, 66), (8, 66)], ink.MADDER)
    return sketch.part()


@cache
def laurel() -> Part:
    """The winner's wreath."""
    sketch = Sketch("laurel")
    sketch.line([(50, 90), (24, 80), (12, 56), (16, 26)], smooth=True)
    sketch.line([(50, 90), (76, 80), (88, 56), (84, 26)], smooth=True)
    leaves = ((16, 26, -30), (11, 44, -12), (14, 61, 12), (24, 77, 40))
    for x, y, lean in leaves:
        for side in (1, -1):
            middle = x if side == 1 else 100 - x
            outer = (middle - side * 13 + lean * 0.1 * side, y - 10)
            inner = (middle + side * 11, y - 12)
            sketch.path(
                f"M{middle} {y} Q{outer[0] - 2 * side} {y - 2} {outer[0]} {outer[1]} Q{middle} {y - 12} {middle} {y} Z",
                ink.OLIVE,
                line=ink.FINE,
            )
            sketch.path(
                f"M{middle} {y} Q{inner[0] + 2 * side} {y - 2} {inner[0]} {inner[1]} Q{middle} {y - 12} {middle} {y} Z",
                ink.OLIVE,
                line=ink.FINE,
            )
    return sketch.part()


@cache
def hidden() -> Part:
    """The sign of something unknown: a question mark."""
    sketch = Sketch("hidden")
    sketch.oval(50, 50, 40, fill=ink.SHADE)
    sketch.path("M35 38 C36 27 43 23 51 23 C61 23 67 29 67 38 C67 50 51 52 51 64 M51 77 L51 79", line=8)
    return sketch.part()


@cache
def check() -> Part:
    """The sign of something done or true: a tick."""
    sketch = Sketch("check")
    sketch.path("M12 54 L38 82 L90 18 L78 10 L38 60 L24 44 Z", ink.OLIVE)
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
        card(),
        card(ink.SHADE),
        card_back(),
        empty_place(),
        *map(token, range(SEATS)),
        *map(die, range(1, 7)),
        coin(),
        cube(),
        cube(ink.OCHRE),
        arrow(),
        laurel(),
        hidden(),
        check(),
        ground_line(300),
    ]
