"""The agents of Artifact, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact.agents.novice import Novice
from engine.artifact.agents.veteran import Veteran
from engine.artifact.state import View
from engine.game import Agent

AGENTS: Final[Mapping[str, Agent[View, Any]]] = {"novice": Novice(), "veteran": Veteran()}
