"""The New Expedition's agents, the weakest first: those of the Archaeology family, extended for Tents and monuments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.archaeology_family.agents.expert import NOVICE
from engine.expedition.agents.master import ExpeditionExpert, ExpeditionMaster, ExpeditionPlayouts
from engine.expedition.state import ExpeditionView
from engine.game import Agent

VETERAN: Final = 10.0
"""Dollars that a veteran's trade must gain: a person who does what the lesson teaches wins a third of the matches."""


def agents_of(game: Any) -> Mapping[str, Agent[ExpeditionView, Any]]:
    """The agents that play by the rules of this game."""
    expert = ExpeditionExpert()
    return {
        "novice": ExpeditionExpert(*NOVICE),
        "veteran": ExpeditionExpert(VETERAN),
        "expert": expert,
        "master": ExpeditionMaster(expert, ExpeditionPlayouts(game)),
    }
