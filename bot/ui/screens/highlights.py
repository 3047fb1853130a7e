"""Helpers for the highlights of a match: the seat that did something most often. A tie is no highlight."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.screens.names import Names


def leader(totals: Sequence[int]) -> int | None:
    """The seat with the highest of these totals, which are ordered by seat; None for a tie, and if all totals are 0.

    >>> leader([2, 0, 3]), leader([2, 0, 2]), leader([0, 0])
    (2, None, None)
    """
    highest = max(totals, default=0)
    return totals.index(highest) if highest > 0 and totals.count(highest) == 1 else None


def most(mark: str, totals: Sequence[int], names: Names, text: str) -> list[str]:
    """The line about the seat with the highest total; no line for a tie, and if all totals are 0.

    The line begins with `mark`, an emoji. The text has the fields `who` and `n`.
    """
    first = leader(totals)
    if first is None:
        return []
    return [f"{mark} " + text.format(who=names.bold(first), n=totals[first])]
