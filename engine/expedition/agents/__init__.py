"""The New Expedition's agents, the weakest first: those of the Archaeology family, extended for Tents and monuments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.archaeology_family.agents.apprentice import Apprentice
from engine.expedition.agents.master import ExpeditionMaster
from engine.expedition.agents.novice import ExpeditionNovice
from engine.expedition.agents.playouts import ExpeditionPlayouts
from engine.expedition.agents.veteran import ExpeditionVeteran
from engine.expedition.state import ExpeditionView
from engine.game import Agent


def agents_of(game: Any) -> Mapping[str, Agent[ExpeditionView, Any]]:
    """The agents that play by the rules of this game."""
    novice, veteran = ExpeditionNovice(), ExpeditionVeteran()
    return {
        "apprentice": Apprentice(novice),
        "novice": novice,
        "veteran": veteran,
        "master": ExpeditionMaster(veteran, ExpeditionPlayouts(game)),
    }
