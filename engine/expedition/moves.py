"""The moves that only The New Expedition has, and their form as JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from engine.archaeology_family import moves as family
from engine.archaeology_family.card_list import TREASURES, Bundles
from engine.forms import Form, move_forms


class UseTent(NamedTuple):
    """Say whether the Tent is used against the Sandstorm."""

    use: bool


class LookAt(NamedTuple):
    """Look at the cards of a chamber of the Temple."""

    chamber: int


class Keep(NamedTuple):
    """Keep `cards` of the Tomb's chamber and put the rest back."""

    cards: Bundles


class TurnUp(NamedTuple):
    """Turn up another card of the Mine."""


class Stop(NamedTuple):
    """Take what is turned up in the Mine."""


class Guess(NamedTuple):
    """Explore the Sphinx, naming two different treasures."""

    treasures: tuple[int, int]


Move = family.Move | UseTent | LookAt | Keep | TurnUp | Stop | Guess


class _UseTent(Form):
    kind: Literal["use_tent"]
    use: bool

    def move(self) -> UseTent:
        return UseTent(self.use)


class _LookAt(Form):
    kind: Literal["look_at"]
    chamber: family.Number

    def move(self) -> LookAt:
        return LookAt(self.chamber)


class _Keep(Form):
    kind: Literal["keep"]
    cards: family.Cards

    def move(self) -> Keep:
        return Keep(family.read_cards(self.cards))


class _TurnUp(Form):
    kind: Literal["turn_up"]

    def move(self) -> TurnUp:
        return TurnUp()


class _Stop(Form):
    kind: Literal["stop"]

    def move(self) -> Stop:
        return Stop()


class _Guess(Form):
    kind: Literal["guess"]
    treasures: Annotated[list[str], Field(min_length=2, max_length=2)]

    def move(self) -> Guess:
        first, second = self.treasures
        return Guess((family.read_treasure(first), family.read_treasure(second)))


_FORMS: Final = move_forms(*family.FORMS, _UseTent, _LookAt, _Keep, _TurnUp, _Stop, _Guess)


def load_move(data: Mapping[str, Any]) -> Move:
    """The move that JSON data describe. Raises `BadData` where they are of no known form."""
    return family.load_move(data, _FORMS)


def dump_move(move: Move) -> dict[str, Any]:
    """A move as JSON data, its cards by name."""
    match move:
        case UseTent(use):
            return {"kind": "use_tent", "use": use}
        case LookAt(chamber):
            return {"kind": "look_at", "chamber": chamber}
        case Keep(cards):
            return {"kind": "keep", "cards": family.write_cards(cards)}
        case TurnUp():
            return {"kind": "turn_up"}
        case Stop():
            return {"kind": "stop"}
        case Guess(treasures):
            return {"kind": "guess", "treasures": [TREASURES[kind] for kind in treasures]}
        case _:
            return family.dump_move(move)
