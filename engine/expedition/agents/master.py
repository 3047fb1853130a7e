"""A player of The New Expedition that tries a few moves in imagined worlds: Tents, what to keep, when to stop, too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from engine.agents.advice import Reason
from engine.agents.search import Tried
from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.reasons import worths
from engine.expedition.agents.contents import look
from engine.expedition.agents.playouts import ExpeditionPlayouts
from engine.expedition.agents.tents import loss
from engine.expedition.monuments import SAFE
from engine.expedition.moves import Guess, Keep, LookAt, Stop, TurnUp, UseTent
from engine.expedition.state import ExpeditionState, ExpeditionView


class ExpeditionMaster(Master[ExpeditionState, ExpeditionView]):
    """The family's master in the six monuments."""

    playouts: ExpeditionPlayouts

    def moves(self, view: ExpeditionView, rng: Random) -> list[Any]:
        if chosen := look(view):  # playouts cannot tell what knowledge is worth
            return [chosen]
        return super().moves(view, rng)

    def others(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Any]:
        match view.phase:
            case "tent":
                yield from (UseTent(True), UseTent(False))
            case "mine":  # the Expert's sum is exact
                return
            case "keep":
                yield from self._picks(view, world)
            case _:
                yield from super().others(view, world)

    def reason(self, view: ExpeditionView, best: Tried[Any], rival: Any | None) -> Reason:
        match best.move:
            case UseTent(use):
                facts = {"cards": view.sizes[view.asked] // 2, "storms": view.sandstorms}
                code = "spares-cards" if use else "saves-tent"
                return Reason(code, {**facts, "dollars": round(loss(view, self._expert.kept(view)))})
            case Keep(cards):
                return Reason("keeps-best", {"cards": cards, **worths(view, cards)})
            case TurnUp() | Stop():
                lying = [(kind, 1) for kind in view.turned]
                facts = {"worth": view.worth_turned, "room": SAFE - view.worth_turned, **worths(view, lying)}
                # Moves without parts are equal to each other, so the class tells them apart.
                return Reason("risks-more" if isinstance(best.move, TurnUp) else "takes-what-lies", facts)
            case LookAt(chamber):
                return Reason("looks", {"chamber": chamber})
            case Guess(treasures):
                return Reason(
                    "names-likeliest",
                    {"treasures": treasures, **worths(view, [(kind, 1) for kind in treasures])},
                )
            case _:
                return super().reason(view, best, rival)

    def _picks(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Keep]:
        """The cards to keep from the Tomb, the best pairs first."""
        assert view.choice
        gains = self.playouts.gains(world, world.asked)
        cards = [kind for kind, n in enumerate(view.choice) for _ in range(min(n, 2))]
        pairs = {((a, 2),) if a == b else ((a, 1), (b, 1)) for a, b in combinations(cards, 2)}
        yield from map(Keep, sorted(pairs, key=lambda pair: (-sum(gains[kind][n] for kind, n in pair), pair)))
