"""The drawings of the two games' emoji."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.art.common import TOKEN_WORDS, token
from bot.art.emoji import as_emoji, edged
from bot.art.ink import Part
from bot.ui.screens.kit import SEATS
from cogs.archaeology_family import names
from cogs.archaeology_family.art.hazards import largest_set, money_bag, pick, sandstorm, thief, trade
from cogs.archaeology_family.art.places import small_pyramid
from cogs.archaeology_family.art.treasures import treasure


@cache
def family_emoji(kinds: int) -> Mapping[str, Part]:
    """The drawings of both games' emoji, with the first so many treasures."""
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
    return bold | {emoji: edged(token(seat), TOKEN_WORDS[seat]) for seat, emoji in enumerate(SEATS)}
