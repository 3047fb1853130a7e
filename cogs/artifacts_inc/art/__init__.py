"""The pictures of Artifacts, Inc.: its parts by subject, and what is put together of them."""

from __future__ import annotations

from bot.art.ink import Part
from cogs.artifacts_inc.art import board, cards, goods, results, sides, strips, vignettes


def parts() -> list[Part]:
    """Every part that this game's pictures have."""
    return [
        *goods.parts(),
        *cards.parts(),
        *board.parts(),
        *sides.parts(),
        *strips.parts(),
        *results.parts(),
        *vignettes.parts(),
    ]
