"""The times and sizes of matches and lobbies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ThinkingTiming:
    """Agents that think in processes of their own."""

    longest: float = 10.0
    """Seconds after which a slow agent's answer is no longer awaited, and a quick level answers in its place."""


THINKING: Final = ThinkingTiming()
