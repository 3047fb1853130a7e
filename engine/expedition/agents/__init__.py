"""The New Expedition's agents, the weakest first: those of the Archaeology family, extended for Tents and monuments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.archaeology_family.agents.apprentice import Apprentice
from engine.expedition.agents.novice import ExpeditionNovice
from engine.expedition.agents.veteran import ExpeditionVeteran
from engine.expedition.state import ExpeditionView
from engine.game import Agent

AGENTS: Final[Mapping[str, Agent[ExpeditionView, Any]]] = {
    "apprentice": Apprentice(ExpeditionNovice()),
    "novice": ExpeditionNovice(),
    "veteran": ExpeditionVeteran(),
}
