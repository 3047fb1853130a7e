"""The moves of Artifacts, Inc., and their form as JSON data: cards by key, dice by face.

Dice with the same face are alike, so a die is named by its face. Own cards are named by key and by which of one's
copies is meant, so that a move means the same wherever the card lies. `PASS` is an empty tuple: ask whether a move is
None, not whether it is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, Field

from engine.artifacts_inc.card_list import ARTIFACTS, STARTING, ArtifactKey
from engine.artifacts_inc.company import MOST_DICE, CardNumber, CompanyCard, Place, Small, Space
from engine.forms import Moves, Spelled, by_key


def _read_artifacts(counts: Mapping[ArtifactKey, int], _: object) -> tuple[int, ...]:
    return tuple([counts.get(key, 0) for key in ARTIFACTS])


def _write_artifacts(artifacts: tuple[int, ...], _: object) -> dict[str, int]:
    return {key: n for key, n in zip(ARTIFACTS, artifacts, strict=True) if n}


def _ascending(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(dice))


_Artifact = Annotated[int, by_key(ARTIFACTS)]
_Count = Annotated[int, Field(ge=1, le=9999)]
_Face = Annotated[int, Field(ge=1, le=6)]
_Dice = Annotated[tuple[_Face, ...], Field(min_length=1, max_length=MOST_DICE), AfterValidator(_ascending)]


class Roll(NamedTuple):
    """Roll the dice of one's first turn, the starting cards in this `order` from left to right (None: as they lie)."""

    order: Annotated[tuple[CardNumber, ...], Field(min_length=STARTING, max_length=STARTING)] | None = None


class PlaceDie(NamedTuple):
    """Place a die on a slot whose action asks nothing more: gain an artifact, earn dollars."""

    die: _Face
    on: Space


class Gather(NamedTuple):
    """Place a die for an artifact of a kind that an Expedition of one's own yields."""

    die: _Face
    on: Space
    artifact: _Artifact


class FillOrder(NamedTuple):
    """Place a die to fill an order, from 0, of a museum."""

    die: _Face
    on: Space
    museum: _Artifact
    order: Small


class Collect(NamedTuple):
    """Place a die to sell so many artifacts, by kind, as Private Collectors buy them."""

    die: _Face
    on: Space
    artifacts: Annotated[
        tuple[int, ...], Spelled(dict[ArtifactKey, _Count], _read_artifacts, _write_artifacts)
    ]


class SellOne(NamedTuple):
    """Place a die to sell one artifact for the slot's dollars."""

    die: _Face
    on: Space
    artifact: _Artifact


class Buy(NamedTuple):
    """Place a die to buy a card on offer and lay it in this place."""

    die: _Face
    on: Space
    card: CardNumber
    place: Place


class TurnCard(NamedTuple):
    """Place a die to turn a level-1 card of one's own to level 2."""

    die: _Face
    on: Space
    own: CompanyCard


class Dive(NamedTuple):
    """Place these dice on the Dive space, all at once, for the top U card."""

    dice: _Dice


class TurnDie(NamedTuple):
    """By a card's ability, turn an unplaced die to another face."""

    by: CompanyCard
    die: _Face
    to: _Face


class RollAgain(NamedTuple):
    """By a card's ability, roll these unplaced dice again."""

    by: CompanyCard
    dice: _Dice


class Pass(NamedTuple):
    """End the turn."""


Placement = PlaceDie | Gather | FillOrder | Collect | SellOne | Buy | TurnCard
"""The moves that place one die on a slot."""
Move = Roll | Placement | Dive | TurnDie | RollAgain | Pass
MOVES: Final = Moves[Move](
    Roll, PlaceDie, Gather, FillOrder, Collect, SellOne, Buy, TurnCard, Dive, TurnDie, RollAgain, Pass
)

PASS: Final = Pass()
