"""A player of The New Expedition that tries a few moves in imagined worlds: Tents, what to keep, when to stop, too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from engine.archaeology_family.agents.master import Master
from engine.expedition.agents.playouts import ExpeditionPlayouts
from engine.expedition.moves import Keep, Stop, TurnUp, UseTent
from engine.expedition.state import ExpeditionState, ExpeditionView

GUESSES: Final = 4
"""The treasures of which pairs are named to the Sphinx."""


class ExpeditionMaster(Master[ExpeditionState, ExpeditionView]):
    """The family's master in the six monuments."""

    _playouts: ExpeditionPlayouts

    def others(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Any]:
        match view.phase:
            case "tent":
                yield from (UseTent(True), UseTent(False))
            case "mine":
                yield from (TurnUp(), Stop())
            case "keep":
                yield from self._picks(view, world)
            case _:
                yield from super().others(view, world)

    def _acts(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Any]:
        yield from super()._acts(view, world)

    def _picks(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Keep]:
        """The cards to keep from the Tomb, the best pairs first."""
        assert view.choice
        gains = self._playouts.gains(world, world.asked)
        cards = [kind for kind, n in enumerate(view.choice) for _ in range(min(n, 2))]
        pairs = {((a, 2),) if a == b else ((a, 1), (b, 1)) for a, b in combinations(cards, 2)}
        yield from map(Keep, sorted(pairs, key=lambda pair: (-sum(gains[kind][n] for kind, n in pair), pair)))
