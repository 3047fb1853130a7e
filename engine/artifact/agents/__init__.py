"""The agents of Artifact, the weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.artifact.agents.novice import Novice
from engine.artifact.agents.veteran import Veteran
from engine.artifact.state import State, View
from engine.game import Agent, Game


def agents_of(game: Game[State, Any, View]) -> Mapping[str, Agent[View, Any]]:
    """The agents that play by the rules of this game."""
    return {"novice": Novice(), "veteran": Veteran(game)}
