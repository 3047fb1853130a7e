"""The moves of Artifact, and their form as JSON data: abilities, equipment and Aids by key.

`ROLL` is an empty tuple: ask whether a move is None, not whether it is true.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, NamedTuple

from pydantic import AfterValidator, Field

from engine.artifact.card_list import Key
from engine.artifact.party import ABILITIES, CHOSEN, EQUIPMENT_KEYS, ROLLS
from engine.forms import Moves, Spelled, by_key

MOST_AIDS: Final = 999


_Ability = Annotated[int, by_key(ABILITIES)]


def _in_order(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Pieces of equipment in the order of the rules' list. Raises `ValueError` for a key of none."""
    return tuple(sorted(keys, key=EQUIPMENT_KEYS.index))


def _is_forward(direction: str, _: object) -> bool:
    return direction == "forward"


def _direction(forward: bool, _: object) -> str:
    return "forward" if forward else "back"


def _sorted(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(keys))


class Create(NamedTuple):
    """Make the party: an ability for each 10 rolled, in the order of the rolls, and two pieces of equipment."""

    tens: Annotated[tuple[_Ability, ...], Field(max_length=ROLLS)]
    equipment: Annotated[
        tuple[str, ...], Field(min_length=CHOSEN, max_length=CHOSEN), AfterValidator(_in_order)
    ]


class Roll(NamedTuple):
    """Roll for movement."""


class Go(NamedTuple):
    """Move what was rolled toward square 30 (`forward`) or toward square 1."""

    forward: Annotated[bool, Spelled(Literal["forward", "back"], _is_forward, _direction, name="direction")]


class Meet(NamedTuple):
    """Fight this party, of several on the square (R44)."""

    seat: Annotated[int, Field(ge=0, le=5)]


class Name(NamedTuple):
    """Name the ability of a fight, on a 10 (R42)."""

    ability: _Ability


class Use(NamedTuple):
    """Spend these Aids, or none, on the roll that is due."""

    aids: Annotated[tuple[Key, ...], Field(max_length=MOST_AIDS), AfterValidator(_sorted)]


class GiveUp(NamedTuple):
    """Lose this Aid to an encounter (R51)."""

    aid: Key


Move = Create | Roll | Go | Meet | Name | Use | GiveUp
MOVES: Final = Moves[Move](Create, Roll, Go, Meet, Name, Use, GiveUp)

ROLL: Final = Roll()
FORWARD: Final = Go(True)
BACK: Final = Go(False)
HOLD_BACK: Final = Use(())
"""Spends no Aid."""
