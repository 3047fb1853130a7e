"""A game as the page offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its texts in English. Its key is the name of its group of commands."""

    key: str
    title: str
    summary: str
    taught: bool
    """Whether the game has a lesson."""
    picture: Callable[[], bytes]
    """Draws a PNG, in any thread."""

    @property
    def about(self) -> dict[str, Any]:
        """The game, as the page shows it."""
        return {"key": self.key, "title": self.title, "summary": self.summary, "taught": self.taught}


Games = Mapping[str, Game]
