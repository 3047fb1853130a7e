"""The New Expedition's agents, the weakest first: the family's, with what Tents and monuments ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.expedition.agents.novice import ExpeditionNovice
from engine.expedition.agents.veteran import ExpeditionVeteran
from engine.expedition.state import ExpeditionView
from engine.game import Agent

AGENTS: Final[Mapping[str, Agent[ExpeditionView, Any]]] = {
    "novice": ExpeditionNovice(),
    "veteran": ExpeditionVeteran(),
}
