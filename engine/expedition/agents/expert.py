"""A player of The New Expedition who plans each turn exactly and weighs Tents and explorations by expected worth."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.archaeology_family.agents.expert import MARGIN, Expert
from engine.archaeology_family.agents.worth import Worths
from engine.archaeology_family.state import View
from engine.expedition.agents.explorations import Shaft, Surveys, best_two, contents, look
from engine.expedition.agents.worths import gains_of, worth_saving, worths
from engine.expedition.moves import Keep, Stop, TurnUp, UseTent
from engine.expedition.state import TENT, ExpeditionView


class ExpeditionExpert(Expert):
    """The family's expert in the six monuments."""

    def __init__(self, margin: float = MARGIN) -> None:
        super().__init__(Surveys(), margin)

    def choose(self, view: View, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        assert isinstance(view, ExpeditionView)
        match view.phase:
            case "tent":
                return UseTent(self.storm_loss(view) >= worth_saving(view.sandstorms))
            case "keep":
                assert view.choice
                return Keep(best_two(view.choice, gains_of(view, self.kept(view))))
            case "mine":
                return self._mine(view)
            case _:
                return look(view) or super().choose(view, rng)

    def kept(self, view: View) -> Worths:
        assert isinstance(view, ExpeditionView)
        return worths(view, self._explorations.map_worth(view))

    def storm_loss(self, view: View) -> float:
        assert isinstance(view, ExpeditionView)
        assert view.viewer is not None
        spared = view.tents[view.viewer] and view.phase != TENT
        return 0.0 if spared else super().storm_loss(view)

    def shaft(self, view: ExpeditionView) -> Shaft:
        """The Mine in which the viewer stands."""
        turned = [view.turned.count(kind) for kind in range(view.kinds)]
        return Shaft(gains_of(view, self.kept(view)), view.trade, contents(view, 0), turned)

    def _mine(self, view: ExpeditionView) -> TurnUp | Stop:
        shaft = self.shaft(view)
        return TurnUp() if shaft.prospect() > shaft.taken() else Stop()
