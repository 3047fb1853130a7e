"""When to use the Tent: what this Sandstorm would take, against what later ones may."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import Final

from engine.archaeology_family.agents.planner import best_kept
from engine.archaeology_family.agents.worth import Worths
from engine.expedition.state import ExpeditionView

LOSS: Final = 4.0
"""Dollars that saving the Tent for a later Sandstorm is taken to bring.

A Sandstorm takes about 6 on average. But hands are sold off towards the end, and what is spared now can be played with.
The values 3 and 5 win a little less often; 7 wins less often still, above all with many seats.
"""


def loss(view: ExpeditionView, kept: Worths) -> float:
    """The viewer's loss to the Sandstorm without a Tent."""
    hand = view.hand
    assert hand is not None
    worth = [kept[kind][: n + 1] for kind, n in enumerate(hand)]
    size = sum(hand)
    left = best_kept(worth, hand, size - size // 2)
    return sum(values[n] - values[m] for values, n, m in zip(worth, hand, left, strict=True))


@lru_cache(maxsize=64)
def worth_saving(storms: int) -> float:
    """The loss that a saved Tent is expected to spare, with so many Sandstorms to come.

    Before the last it is what that may take; before each earlier one the better of what it takes and what those
    after it may. Losses are taken to be distributed exponentially.

    >>> [round(worth_saving(storms) / LOSS, 2) for storms in range(4)]
    [0.0, 1.0, 1.37, 1.62]
    """
    if not storms:
        return 0.0
    later = worth_saving(storms - 1)
    return later + LOSS * exp(-later / LOSS)


def wants_tent(view: ExpeditionView, kept: Worths) -> bool:
    """Whether the viewer should use its Tent against this Sandstorm."""
    return loss(view, kept) >= worth_saving(view.sandstorms)
