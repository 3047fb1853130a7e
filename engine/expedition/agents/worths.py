"""The worth of kept cards in The New Expedition: the estimate of the Archaeology family, adapted to the number of
seats and to what can still come.
"""

from __future__ import annotations

from typing import Final

from engine.archaeology_family.agents.worth import Worths, kept_worth
from engine.expedition.state import ExpeditionView

CHANGE: Final = 1.8
"""Dollars that each card is worth, whatever it is, divided by the number of seats: with more seats there are fewer
turns in which it can be used.
"""


def worths(view: ExpeditionView, map_worth: float) -> Worths:
    """The worth to the viewer of cards kept till the next turn.

    A set that can no longer come together, too many of its cards having been sold, counts for nothing.
    """
    left = list(view.copies)
    for sets in view.sold:
        for kind, n in sets:
            left[kind] -= n
    prices = tuple(steps[: max(1, n)] for steps, n in zip(view.prices, left, strict=True))
    return kept_worth(prices, view.site == 0, round(map_worth, 1), CHANGE / view.seats)
