"""Archaeology's agents, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.game import Agent
from engine.treasures.agents.explore import PyramidExpeditions
from engine.treasures.agents.novice import Novice
from engine.treasures.agents.veteran import Veteran
from engine.treasures.state import View

AGENTS: Final[Mapping[str, Agent[View, Any]]] = {
    "novice": Novice(PyramidExpeditions()),
    "veteran": Veteran(PyramidExpeditions()),
}
