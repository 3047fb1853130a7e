"""The dice of Artifact, thrown from the words of one stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.artifact.state import State
from engine.chance import words

DICE: Final = "dice"
"""The stream of all throws after the order of play."""

TWO: Final = tuple((1 + number // 6, 1 + number % 6) for number in range(36))
"""Two six-sided dice, thrown as one number."""
THREE: Final = tuple((1 + number // 36, TWO[number % 36], sum(TWO[number % 36])) for number in range(216))
"""An ability roll's die, a Challenge roll's two, and the sum of these, thrown as one number."""

Dice = Iterator[int]
"""The words that a move's dice are thrown with."""


def dice(state: State) -> Dice:
    """The words for all that one move throws."""
    return words(state.key, state.counters, DICE)
