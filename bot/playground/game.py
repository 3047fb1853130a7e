"""A game as the page offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


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


Games = Mapping[str, Game]
