"""Drawings as Discord's application emoji: bold, and with a pale edge, so that they stand out on dark and light."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from bot.art.common import token
from bot.art.ink import CREAM, Part, short
from bot.ui.kit import SEATS
from cogs.archaeology_family import names
from cogs.archaeology_family.art.hazards import largest_set, money_bag, pick, sandstorm, thief, trade
from cogs.archaeology_family.art.places import small_pyramid
from cogs.archaeology_family.art.treasures import treasure

SMALLEST: Final = 2.1
"""Thinner lines than this are left out: at 22 pixels they would only grey the colours."""
BOLDER: Final = 1.5
EDGE: Final = 11
"""How much wider the pale edge is than the lines that it surrounds."""

_LINE: Final = re.compile(r'<path d="[^"]*" fill="none" stroke="[^"]*" stroke-width="([\d.]+)"[^>]*/>')
_WIDTH: Final = re.compile(r'stroke-width="([\d.]+)"')
_COLOUR: Final = re.compile(r'(fill|stroke)="#[0-9a-f]+"')


@cache
def as_emoji(part: Part) -> Part:
    """A simpler, bolder drawing of a part, in a square box, with a pale edge around its outline."""
    bold = _LINE.sub(lambda line: line[0] if float(line[1]) >= SMALLEST else "", part.body)
    bold = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) * BOLDER)}"', bold)
    edge = _COLOUR.sub(rf'\1="{CREAM}"', bold)
    edge = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) + EDGE)}"', edge)
    side = max(part.width, part.height)
    scale = 100 / (side + EDGE)
    x, y = ((100 - length * scale) / 2 for length in (part.width, part.height))
    place = f'<g transform="translate({short(x)} {short(y)}) scale({scale:.3g})">'
    return Part(f"{part.name} emoji", 100, 100, f"{place}{edge}{bold}</g>")


@cache
def family_emoji(kinds: int) -> Mapping[str, Part]:
    """What both games have emoji for, with the first so many treasures."""
    treasures = {emoji: treasure(kind) for kind, emoji in enumerate(names.EMOJI[:kinds])}
    others = {
        names.THIEF: thief(),
        names.SANDSTORM: sandstorm(),
        "⛏️": pick(),
        "💰": money_bag(),
        "🤝": trade(),
        "💎": largest_set(),
        "⛰️": small_pyramid(),
    }
    bold = {emoji: as_emoji(part) for emoji, part in (treasures | others).items()}
    return bold | {emoji: token(seat) for seat, emoji in enumerate(SEATS)}
