"""The moves of Artifact, and their form as JSON data: abilities, equipment and Aids by key.

`ROLL` is an empty tuple: ask whether a move is None, not whether it is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from engine.artifact.card_list import Key
from engine.artifact.party import ABILITIES, CHOSEN, EQUIPMENT_KEYS, ROLLS, AbilityKey, EquipmentKey
from engine.forms import Form, move_forms, read_move

MOST_AIDS: Final = 999


class Create(NamedTuple):
    """Make the party: an ability for each 10 rolled, in the order of the rolls, and two pieces of equipment."""

    tens: tuple[int, ...]
    equipment: tuple[str, ...]


class Roll(NamedTuple):
    """Roll for movement."""


class Go(NamedTuple):
    """Move what was rolled toward square 30 (`forward`) or toward square 1."""

    forward: bool


class Meet(NamedTuple):
    """Fight this party, of several on the square (R44)."""

    seat: int


class Name(NamedTuple):
    """Name the ability of a fight, on a 10 (R42)."""

    ability: int


class Use(NamedTuple):
    """Spend these Aids, or none, on the roll that is due."""

    aids: tuple[str, ...] = ()


class GiveUp(NamedTuple):
    """Lose this Aid to an encounter (R51)."""

    aid: str


Move = Create | Roll | Go | Meet | Name | Use | GiveUp

ROLL: Final = Roll()
FORWARD: Final = Go(True)
BACK: Final = Go(False)
HOLD_BACK: Final = Use()
"""Spends no Aid."""


# -- as JSON data

_Tens = Annotated[list[AbilityKey], Field(max_length=ROLLS)]
_Equipment = Annotated[list[EquipmentKey], Field(min_length=CHOSEN, max_length=CHOSEN)]


class _Create(Form):
    kind: Literal["create"]
    tens: _Tens
    equipment: _Equipment

    def move(self) -> Create:
        tens = tuple([ABILITIES.index(ability) for ability in self.tens])
        return Create(tens, tuple(sorted(self.equipment, key=EQUIPMENT_KEYS.index)))


class _Roll(Form):
    kind: Literal["roll"]

    def move(self) -> Roll:
        return ROLL


class _Go(Form):
    kind: Literal["go"]
    direction: Literal["forward", "back"]

    def move(self) -> Go:
        return FORWARD if self.direction == "forward" else BACK


class _Meet(Form):
    kind: Literal["meet"]
    seat: Annotated[int, Field(ge=0, le=5)]

    def move(self) -> Meet:
        return Meet(self.seat)


class _Name(Form):
    kind: Literal["name"]
    ability: AbilityKey

    def move(self) -> Name:
        return Name(ABILITIES.index(self.ability))


class _Use(Form):
    kind: Literal["use"]
    aids: Annotated[list[Key], Field(max_length=MOST_AIDS)]

    def move(self) -> Use:
        return Use(tuple(sorted(self.aids)))


class _GiveUp(Form):
    kind: Literal["give_up"]
    aid: Key

    def move(self) -> GiveUp:
        return GiveUp(self.aid)


_FORMS: Final = move_forms(_Create, _Roll, _Go, _Meet, _Name, _Use, _GiveUp)


def load_move(data: Mapping[str, Any]) -> Move:
    """The move that JSON data describe. Raises `BadData` where they are of no known form."""
    return read_move(_FORMS, data).move()


def dump_move(move: Move) -> dict[str, Any]:
    """A move as JSON data."""
    match move:
        case Create(tens, equipment):
            chosen = [ABILITIES[ability] for ability in tens]
            return {"kind": "create", "tens": chosen, "equipment": list(equipment)}
        case Roll():
            return {"kind": "roll"}
        case Go(forward):
            return {"kind": "go", "direction": "forward" if forward else "back"}
        case Meet(seat):
            return {"kind": "meet", "seat": seat}
        case Name(ability):
            return {"kind": "name", "ability": ABILITIES[ability]}
        case Use(aids):
            return {"kind": "use", "aids": list(aids)}
        case GiveUp(aid):
            return {"kind": "give_up", "aid": aid}
