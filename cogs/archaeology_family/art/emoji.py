"""The drawings of the two games' emoji."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.art.common import TOKEN_WORDS, token
from bot.art.emoji import as_emoji, edged
from bot.art.ink import Part
from bot.ui.screens.kit import SEATS
from cogs.archaeology_family import names
from cogs.archaeology_family.art import draw
from cogs.archaeology_family.art.cards import treasure


@cache
def family_emoji(kinds: int) -> Mapping[str, Part]:
    """The drawings of both games' emoji, with the first so many treasures."""
    treasures = {emoji: treasure(kind) for kind, emoji in enumerate(names.EMOJI[:kinds])}
    others = {
        names.THIEF: draw("thief"),
        names.SANDSTORM: draw("sandstorm"),
        "⛏️": draw("pick"),
        "💰": draw("money-bag"),
        "🤝": draw("trade"),
        "💎": draw("largest-set"),
        "⛰️": draw("small-pyramid"),
    }
    bold = {emoji: as_emoji(part) for emoji, part in (treasures | others).items()}
    return bold | {emoji: edged(token(seat), TOKEN_WORDS[seat]) for seat, emoji in enumerate(SEATS)}
