"""The New Expedition's emoji: the monuments as signs, the Tent, a look, and the collapse of the Mine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.art.emoji import as_emoji
from bot.art.ink import Part
from cogs.archaeology_family.art.emoji import family_emoji
from cogs.expedition.art import draw
from cogs.expedition.monuments import EMOJI
from engine.archaeology_family.card_list import TREASURES
from engine.expedition.state import MONUMENTS, MonumentKey


def sign(monument: MonumentKey) -> Part:
    """A monument as a sign."""
    return draw("small-pyramid" if monument == "great_pyramid" else f"small-{monument}")


@cache
def expedition_emoji() -> Mapping[str, Part]:
    """The drawings of The New Expedition's emoji."""
    monuments = {EMOJI[key]: as_emoji(sign(key)) for key in MONUMENTS}
    own = {"⛺": as_emoji(draw("tent")), "👁️": as_emoji(draw("look")), "💥": as_emoji(draw("collapse"))}
    return {**family_emoji(len(TREASURES)), **monuments, **own}
