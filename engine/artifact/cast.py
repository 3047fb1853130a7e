"""The cast of a match of Artifact: a number from public facts, by which screens give the members of parties names."""

from __future__ import annotations

from typing import Final

from engine.artifact.state import Position

CASTS: Final = 720


def cast(position: Position) -> int | None:
    """The number of the match's cast, from the scenario and the rolls for the order of play; None before the rolls."""
    if not position.order:
        return None
    number = position.scenario
    for _seat, roll in position.order:
        number = (number * 31 + roll) % CASTS
    return number
