"""Helpers for the highlights of a match: the seats that did something most often, ties included."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import listing
from bot.ui.screens.names import Names


def leaders(totals: Sequence[int]) -> list[int]:
    """The seats with the highest of these totals, which are ordered by seat; none if all totals are 0.

    >>> leaders([2, 0, 2]), leaders([0, 0])
    ([0, 2], [])
    """
    highest = max(totals, default=0)
    return [seat for seat, total in enumerate(totals) if total == highest] if highest > 0 else []


def most(mark: str, totals: Sequence[int], names: Names, alone: str, shared: str) -> list[str]:
    """The line about the seat with the highest total: `alone`, or `shared` for several. No line if all totals are 0.

    The line begins with `mark`, an emoji. The texts have the fields `who` and `n`.
    """
    first = leaders(totals)
    if not first:
        return []
    text = alone if len(first) == 1 else shared
    return [f"{mark} " + text.format(who=named(first, names), n=totals[first[0]])]


def named(seats: Sequence[int], names: Names) -> str:
    """These seats by name, in a sentence."""
    return listing([names.bold(seat) for seat in seats])
