"""The agents of Artifacts, Inc., the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from engine.artifacts_inc.agents import expert, master, playouts
from engine.artifacts_inc.state import View
from engine.game import Agent


class Rules(expert.Rules, playouts.Rules, master.Rules, Protocol):
    """The questions of agents to the game."""


def agents_of(rules: Rules) -> Mapping[str, Agent[View, Any]]:
    """The agents that play by these rules."""
    strong = expert.Expert(rules)
    searching = master.Master(rules, strong, playouts.Playouts(rules, strong.box))
    return {
        "novice": expert.Novice(rules),
        "veteran": expert.Veteran(rules),
        "expert": strong,
        "master": searching,
    }
