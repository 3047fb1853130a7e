"""Archaeology's agents, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.archaeology_family.agents.apprentice import Apprentice
from engine.archaeology_family.agents.explore import PyramidExplorations
from engine.archaeology_family.agents.novice import Novice
from engine.archaeology_family.agents.veteran import Veteran
from engine.archaeology_family.state import View
from engine.game import Agent

AGENTS: Final[Mapping[str, Agent[View, Any]]] = {
    "apprentice": Apprentice(Novice(PyramidExplorations())),
    "novice": Novice(PyramidExplorations()),
    "veteran": Veteran(PyramidExplorations()),
}
