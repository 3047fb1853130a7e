"""The moves that only The New Expedition has, and their form as JSON data."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from engine.archaeology_family import moves as family
from engine.forms import Moves


class UseTent(NamedTuple):
    """Say whether the Tent is used against the Sandstorm."""

    use: bool


class LookAt(NamedTuple):
    """Look at the cards of a chamber of the Temple."""

    chamber: family.Number


class Keep(NamedTuple):
    """Keep `cards` of the Tomb's chamber and put the rest back."""

    cards: family.Cards


class TurnUp(NamedTuple):
    """Turn up another card of the Mine."""


class Stop(NamedTuple):
    """Take what is turned up in the Mine."""


class Guess(NamedTuple):
    """Explore the Sphinx, naming two different treasures."""

    treasures: tuple[family.Treasure, family.Treasure]


Move = family.Move | UseTent | LookAt | Keep | TurnUp | Stop | Guess
MOVES: Final = Moves[Any](*family.MOVES.kinds, UseTent, LookAt, Keep, TurnUp, Stop, Guess)
