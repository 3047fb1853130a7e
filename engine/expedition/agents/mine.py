"""When to stop in the Mine: what is turned up against what one more card may bring or bury."""

from __future__ import annotations

from collections.abc import Sequence

from engine.expedition.agents.gains import MOST, Gains
from engine.expedition.monuments import SAFE


class Shaft:
    """The Mine as one seat sees it: what is turned up, and what it may hope for from there.

    `left` are the cards still hidden, as expected by treasure; `turned` are counts by treasure.
    """

    def __init__(
        self, gains: Gains, trade: Sequence[int], left: Sequence[float], turned: Sequence[int] | None = None
    ) -> None:
        self._gains = gains
        self._trade = trade
        self._turned = tuple(turned or [0] * len(left))
        self._left = [n + up for n, up in zip(left, self._turned, strict=True)]
        self._kinds = [kind for kind, n in enumerate(left) if n > 0]
        self._values: dict[tuple[int, ...], float] = {}

    def prospect(self) -> float:
        """The expected gain from turning up one more card, and from going on while that is better."""
        return self._next(self._turned)

    def taken(self) -> float:
        """The gain from taking the cards turned up."""
        return self._taken(self._turned)

    def _next(self, turned: tuple[int, ...]) -> float:
        worth = self._worth(turned)
        left = {kind: max(0.0, self._left[kind] - turned[kind]) for kind in self._kinds}
        total = sum(left.values())
        if not total:
            return self._taken(turned)
        value = 0.0
        for kind, n in left.items():
            if n and worth + self._trade[kind] <= SAFE:
                value += n * self._best((*turned[:kind], turned[kind] + 1, *turned[kind + 1 :]))
        return value / total

    def _best(self, turned: tuple[int, ...]) -> float:
        """The gain from these cards with the better of stopping and going on."""
        if turned not in self._values:
            taken = self._taken(turned)
            goes_on = self._worth(turned) < SAFE
            self._values[turned] = max(taken, self._next(turned)) if goes_on else taken
        return self._values[turned]

    def _taken(self, turned: tuple[int, ...]) -> float:
        return sum(self._gains[kind][min(n, MOST)] for kind, n in enumerate(turned) if n)

    def _worth(self, turned: tuple[int, ...]) -> int:
        return sum(self._trade[kind] * n for kind, n in enumerate(turned) if n)
