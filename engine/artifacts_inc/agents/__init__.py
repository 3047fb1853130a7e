"""The agents of Artifacts, Inc., the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifacts_inc.agents.novice import Novice
from engine.artifacts_inc.state import View
from engine.game import Agent

AGENTS: Final[Mapping[str, Agent[View, Any]]] = {"novice": Novice()}
