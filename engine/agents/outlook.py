"""A seat's outlook: how far it will be ahead, and its chance to win. Moves are compared by both together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from engine.agents.search import gain_over

M = TypeVar("M")
W = TypeVar("W")

VICTORY: Final = 40.0
"""The lead that a victory counts as, in the unit of the game's scores."""


class Outlook(NamedTuple):
    """The lead over the best of the others that a seat can expect, and `VICTORY` times its chance to win."""

    lead: float
    victory: float

    @property
    def result(self) -> float:
        """Both together, by which agents compare moves."""
        return self.lead + self.victory

    @property
    def chance(self) -> float:
        """The chance to win, from 0 to 1."""
        return self.victory / VICTORY


class Compared(NamedTuple):
    """The mean outlooks of two moves in the same worlds, and the standard error of the difference of their results."""

    one: Outlook
    other: Outlook
    error: float


def compare(
    one: M, other: M, imagine: Callable[[], W], outlook: Callable[[W, M], Outlook], worlds: int
) -> Compared:
    """Both moves, each tried in the same worlds. `outlook` leaves a world as it was."""
    ones: list[Outlook] = []
    others: list[Outlook] = []
    for _ in range(max(1, worlds)):
        world = imagine()
        ones.append(outlook(world, one))
        others.append(outlook(world, other))
    _, error = gain_over([each.result for each in others], [each.result for each in ones])
    return Compared(_mean(ones), _mean(others), error)


def _mean(outlooks: Sequence[Outlook]) -> Outlook:
    n = len(outlooks)
    return Outlook(sum([each.lead for each in outlooks]) / n, sum([each.victory for each in outlooks]) / n)
