"""Drawings as emoji, with a pale edge, so that they stand out on dark and on light backgrounds."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from bot.art.ink import CREAM, Part, short

SMALLEST: Final = 2.1
"""The least width of a line. Thinner lines are omitted, because at 22 pixels they would only grey the colours."""
BOLDER: Final = 1.5
"""The factor by which lines are widened."""
EDGE: Final = 11
"""The width that the pale edge adds to the lines that it surrounds."""

_LINE: Final = re.compile(r'<path d="[^"]*" fill="none" stroke="[^"]*" stroke-width="([\d.]+)"[^>]*/>')
_WIDTH: Final = re.compile(r'stroke-width="([\d.]+)"')
_COLOUR: Final = re.compile(r'(fill|stroke)="#[0-9a-f]+"')


@cache
def as_emoji(part: Part) -> Part:
    """A part drawn for larger pictures as an emoji: without thin lines, bolder, with a pale edge."""
    bold = _LINE.sub(lambda line: line[0] if float(line[1]) >= SMALLEST else "", part.body)
    bold = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) * BOLDER)}"', bold)
    return edged(Part(part.name, part.width, part.height, bold))


@cache
def edged(part: Part, word: str | None = None) -> Part:
    """A part in a square box with a pale edge around its outline.

    `word`: the name of the emoji, which screen readers read aloud; by default the part's name.
    """
    edge = _COLOUR.sub(rf'\1="{CREAM}"', part.body)
    edge = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) + EDGE)}"', edge)
    side = max(part.width, part.height)
    scale = 100 / (side + EDGE)
    x, y = ((100 - length * scale) / 2 for length in (part.width, part.height))
    place = f'<g transform="translate({short(x)} {short(y)}) scale({scale:.3g})">'
    return Part(f"{word or part.name} emoji", 100, 100, f"{place}{edge}{part.body}</g>")
