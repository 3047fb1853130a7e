"""When to stop in the Mine: what is turned up against what one more card may bring or bury."""

from __future__ import annotations

from collections.abc import Sequence

from engine.expedition.agents.gains import MOST, Gains
from engine.expedition.monuments import SAFE


class Shaft:
    """The Mine as one seat sees it: the cards that may turn up next, and what they are worth to it.

    `left` are the cards still hidden, as expected by treasure. Cards turned up are counts by treasure.
    """

    def __init__(self, gains: Gains, trade: Sequence[int], left: Sequence[float]) -> None:
        self._gains = gains
        self._trade = trade
        self._left = left
        self._kinds = [kind for kind, n in enumerate(left) if n > 0]
        self._values: dict[tuple[int, ...], float] = {}

    def prospect(self, turned: tuple[int, ...]) -> float:
        """What turning up one more card and playing well from there should add; 0 where none is left."""
        return self._next(turned, turned)

    def taken(self, turned: tuple[int, ...]) -> float:
        """What taking these cards adds."""
        return sum(self._gains[kind][min(n, MOST)] for kind, n in enumerate(turned) if n)

    def _next(self, start: tuple[int, ...], turned: tuple[int, ...]) -> float:
        worth = self._worth(turned)
        left = {kind: max(0.0, self._left[kind] - turned[kind] + start[kind]) for kind in self._kinds}
        total = sum(left.values())
        if not total:
            return self.taken(turned)
        value = 0.0
        for kind, n in left.items():
            if n and worth + self._trade[kind] <= SAFE:
                value += n * self._best(start, (*turned[:kind], turned[kind] + 1, *turned[kind + 1 :]))
        return value / total

    def _best(self, start: tuple[int, ...], turned: tuple[int, ...]) -> float:
        """What these cards are worth with the better of stopping and going on."""
        if turned not in self._values:
            taken = self.taken(turned)
            goes_on = self._worth(turned) < SAFE
            self._values[turned] = max(taken, self._next(start, turned)) if goes_on else taken
        return self._values[turned]

    def _worth(self, turned: tuple[int, ...]) -> int:
        return sum(self._trade[kind] * n for kind, n in enumerate(turned) if n)
