"""Digits, signs, and the letters of piles as lines of ink, so that numbers need no font."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.art.ink import INK, Part, short


class Pen(NamedTuple):
    """The style of a number: its colour, a factor for the thickness of its lines, and the colour of its outline.

    The outline, `halo`, makes the number readable on any ground; None: no outline.
    """

    ink: str = INK
    weight: float = 1
    halo: str | None = None


PLAIN: Final = Pen()

_HEIGHT: Final = 100
_GAP: Final = 22
_STROKE: Final = 13

_FIGURES: Final[dict[str, tuple[int, str]]] = {
    "0": (56, "M28 4 C8 4 4 28 4 50 C4 74 9 96 28 96 C47 96 52 72 52 50 C52 27 47 4 28 4 Z"),
    "1": (32, "M4 24 L22 5 L22 96"),
    "2": (54, "M5 26 C7 10 17 4 27 4 C40 4 49 12 49 26 C49 46 20 66 4 95 L51 95"),
    "3": (52, "M5 15 C12 7 20 4 28 4 C40 4 47 13 47 24 C47 38 36 46 22 47 C38 47 49 56 49 71 C49 87 38 96 25 96 C15 96 8 92 3 85"),
    "4": (58, "M40 96 L40 5 L4 66 L54 66"),
    "5": (53, "M46 5 L12 5 L8 45 C16 39 22 38 28 38 C42 38 50 50 50 65 C50 84 39 96 24 96 C15 96 8 92 3 86"),
    "6": (54, "M44 6 C22 16 4 40 4 67 C4 85 14 96 28 96 C42 96 51 85 51 70 C51 55 41 46 29 46 C17 46 8 54 5 64"),
    "7": (50, "M4 5 L47 5 C34 32 24 62 20 96"),
    "8": (54, "M27 47 C14 44 7 36 7 25 C7 12 15 4 27 4 C39 4 47 12 47 25 C47 36 40 44 27 47 C12 50 4 59 4 72 C4 87 13 96 27 96 C41 96 50 87 50 72 C50 59 42 50 27 47 Z"),
    "9": (54, "M49 34 C46 46 37 53 26 53 C13 53 4 44 4 29 C4 14 13 4 27 4 C41 4 50 15 50 32 C50 60 36 84 12 95"),
    "×": (44, "M4 34 L40 74 M40 34 L4 74"),
    "+": (48, "M24 28 L24 80 M2 54 L48 54"),
    "−": (44, "M3 54 L43 54"),
    "-": (44, "M3 54 L43 54"),
    "/": (40, "M36 2 L4 98"),
    "=": (46, "M3 42 L45 42 M3 66 L45 66"),
    "?": (46, "M4 24 C5 10 14 4 23 4 C35 4 43 12 43 24 C43 40 23 44 23 66 M23 92 L23 94"),
    "!": (14, "M7 4 L7 66 M7 92 L7 94"),
    ".": (12, "M6 92 L6 95"),
    ":": (12, "M6 40 L6 42 M6 78 L6 80"),
    "$": (52, "M47 22 C42 14 35 12 27 12 C14 12 7 20 7 30 C7 54 48 44 48 70 C48 82 38 89 26 89 C15 89 8 84 4 76 M27 0 L27 100"),
    "%": (64, "M56 8 L8 94 M16 6 C4 6 4 34 16 34 C28 34 28 6 16 6 Z M48 66 C36 66 36 94 48 94 C60 94 60 66 48 66 Z"),
    "<": (40, "M36 30 L5 54 L36 78"),
    ">": (40, "M5 30 L36 54 L5 78"),
    "A": (60, "M4 96 L30 4 L56 96 M14 64 L46 64"),
    "B": (54, "M7 5 L7 95 L28 95 C42 95 50 86 50 71 C50 57 41 48 27 48 L7 48 M7 5 L26 5 C38 5 46 13 46 26 C46 39 38 48 27 48"),
    "C": (56, "M52 20 C46 10 39 4 30 4 C13 4 4 24 4 50 C4 76 13 96 30 96 C39 96 46 90 52 80"),
    "D": (56, "M7 5 L7 95 L22 95 C42 95 52 76 52 50 C52 24 42 5 22 5 Z"),
    "E": (48, "M45 5 L7 5 L7 95 L46 95 M7 49 L38 49"),
    " ": (18, ""),
}  # fmt: skip
"""By character: its width and its line as SVG path data, in a box 100 high."""


def figures_width(text: str, height: float) -> float:
    """The width of this text as `figures` draws it."""
    inner = sum(_FIGURES[character][0] for character in text) + _GAP * (len(text) - 1)
    return inner * height / _HEIGHT


def figures(text: str, height: float, pen: Pen) -> str:
    """The SVG element of a number with its signs, with the placeholder `{}` for its upper left corner.

    `height`: the height of the digits.
    """
    strokes: list[str] = []
    at = 0
    for character in text:
        width, line = _FIGURES[character]
        if line:
            strokes.append(f'<path d="{line}" transform="translate({at} 0)"/>')
        at += width + _GAP
    body = "".join(strokes)
    if pen.halo is not None:
        around = f'<g stroke="{pen.halo}" stroke-width="{short(_STROKE * pen.weight + 22)}">{body}</g>'
        body = f"{around}<g>{body}</g>"
    place = f'transform="translate({{}}) scale({height / _HEIGHT:.4g})"'
    style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g {place} {style} stroke="{pen.ink}" stroke-width="{short(_STROKE * pen.weight)}">{body}</g>'


def with_figure(part: Part, text: str, y: float, height: float, weight: float) -> Part:
    """A part with a number, centred horizontally; `y` is the upper edge of the digits."""
    left = part.width / 2 - figures_width(text, height) / 2
    drawn = figures(text, height, Pen(weight=weight)).format(f"{short(left)} {short(y)}")
    return Part(part.name, part.width, part.height, part.body + drawn)
