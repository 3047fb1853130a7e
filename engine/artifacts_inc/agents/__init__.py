"""The agents of Artifacts, Inc., the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.artifacts_inc.agents.novice import Novice
from engine.artifacts_inc.agents.veteran import Rules, Veteran
from engine.artifacts_inc.state import View
from engine.game import Agent


def agents_of(rules: Rules) -> Mapping[str, Agent[View, Any]]:
    """The agents that play by these rules."""
    return {"novice": Novice(), "veteran": Veteran(rules)}
