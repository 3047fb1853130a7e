"""The moves of Artifacts, Inc., and their form as JSON data: cards by key, dice by face.

Dice with the same face are alike, so a die is named by its face. Own cards are named by key and by which of one's
copies is meant, so that a move means the same wherever the card lies. `PASS` is an empty tuple: ask whether a move is
None, not whether it is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from engine.artifacts_inc.card_list import ARTIFACTS, STARTING, ArtifactKey
from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.company import ROWS, OwnCard, Place, Space
from engine.errors import BadData
from engine.forms import Form, move_forms, read_move


class Roll(NamedTuple):
    """Roll the dice of one's first turn, the starting cards in this `order` from left to right (None: as they lie)."""

    order: tuple[int, ...] | None = None


class PlaceDie(NamedTuple):
    """Place a die on a slot whose action asks nothing more: gain an artifact, earn dollars."""

    die: int
    on: Space


class Gather(NamedTuple):
    """Place a die for an artifact of a kind that an Expedition of one's own yields."""

    die: int
    on: Space
    artifact: int


class FillOrder(NamedTuple):
    """Place a die to fill an order, from 0, of a museum."""

    die: int
    on: Space
    museum: int
    order: int


class Collect(NamedTuple):
    """Place a die to sell so many artifacts, by kind, as Private Collectors buy them."""

    die: int
    on: Space
    artifacts: tuple[int, ...]


class SellOne(NamedTuple):
    """Place a die to sell one artifact for the slot's dollars."""

    die: int
    on: Space
    artifact: int


class Buy(NamedTuple):
    """Place a die to buy a card on offer and lay it in this place."""

    die: int
    on: Space
    card: int
    place: Place


class TurnCard(NamedTuple):
    """Place a die to turn a level-1 card of one's own to level 2."""

    die: int
    on: Space
    own: OwnCard


class Dive(NamedTuple):
    """Place these dice on the Dive space, all at once, for the top U card."""

    dice: tuple[int, ...]


class TurnDie(NamedTuple):
    """By a card's ability, turn an unplaced die to another face."""

    by: OwnCard
    die: int
    to: int


class RollAgain(NamedTuple):
    """By a card's ability, roll these unplaced dice again."""

    by: OwnCard
    dice: tuple[int, ...]


class Pass(NamedTuple):
    """End the turn."""


Placement = PlaceDie | Gather | FillOrder | Collect | SellOne | Buy | TurnCard
"""The moves that place one die on a slot."""
Move = Roll | Placement | Dive | TurnDie | RollAgain | Pass

PASS: Final = Pass()


# -- as JSON data

_Face = Annotated[int, Field(ge=1, le=6)]
_Number = Annotated[int, Field(ge=0, le=99)]
_Dice = Annotated[list[_Face], Field(min_length=1, max_length=7)]


class _Own(Form):
    card: str
    copy_: _Number = Field(default=0, alias="copy")

    def own(self, catalogue: Catalogue) -> OwnCard:
        return OwnCard(_card(self.card, catalogue), self.copy_)


class _Space(_Own):
    slot: _Number

    def space(self, catalogue: Catalogue) -> Space:
        return Space(_card(self.card, catalogue), self.copy_, self.slot)


class _Place(Form):
    row: Literal["upper", "lower"]
    column: Annotated[int, Field(ge=-99, le=99)]


class _Roll(Form):
    kind: Literal["roll"]
    order: list[str] = Field(default_factory=list[str], min_length=STARTING, max_length=STARTING)

    def move(self, catalogue: Catalogue) -> Roll:
        return Roll(None if not self.order else tuple([_card(key, catalogue) for key in self.order]))


class _Placement(Form):
    die: _Face
    on: _Space


class _PlaceDie(_Placement):
    kind: Literal["place_die"]

    def move(self, catalogue: Catalogue) -> PlaceDie:
        return PlaceDie(self.die, self.on.space(catalogue))


class _Gather(_Placement):
    kind: Literal["gather"]
    artifact: ArtifactKey

    def move(self, catalogue: Catalogue) -> Gather:
        return Gather(self.die, self.on.space(catalogue), ARTIFACTS.index(self.artifact))


class _FillOrder(_Placement):
    kind: Literal["fill_order"]
    museum: ArtifactKey
    order: _Number

    def move(self, catalogue: Catalogue) -> FillOrder:
        return FillOrder(self.die, self.on.space(catalogue), ARTIFACTS.index(self.museum), self.order)


class _Collect(_Placement):
    kind: Literal["collect"]
    artifacts: dict[ArtifactKey, Annotated[int, Field(ge=1, le=9999)]]

    def move(self, catalogue: Catalogue) -> Collect:
        counts = {str(key): n for key, n in self.artifacts.items()}
        return Collect(self.die, self.on.space(catalogue), tuple([counts.get(key, 0) for key in ARTIFACTS]))


class _SellOne(_Placement):
    kind: Literal["sell_one"]
    artifact: ArtifactKey

    def move(self, catalogue: Catalogue) -> SellOne:
        return SellOne(self.die, self.on.space(catalogue), ARTIFACTS.index(self.artifact))


class _Buy(_Placement):
    kind: Literal["buy"]
    card: str
    place: _Place

    def move(self, catalogue: Catalogue) -> Buy:
        place = Place(ROWS.index(self.place.row), self.place.column)
        return Buy(self.die, self.on.space(catalogue), _card(self.card, catalogue), place)


class _TurnCard(_Placement):
    kind: Literal["turn_card"]
    own: _Own

    def move(self, catalogue: Catalogue) -> TurnCard:
        return TurnCard(self.die, self.on.space(catalogue), self.own.own(catalogue))


class _Dive(Form):
    kind: Literal["dive"]
    dice: _Dice

    def move(self, catalogue: Catalogue) -> Dive:
        return Dive(tuple(sorted(self.dice)))


class _TurnDie(Form):
    kind: Literal["turn_die"]
    by: _Own
    die: _Face
    to: _Face

    def move(self, catalogue: Catalogue) -> TurnDie:
        return TurnDie(self.by.own(catalogue), self.die, self.to)


class _RollAgain(Form):
    kind: Literal["roll_again"]
    by: _Own
    dice: _Dice

    def move(self, catalogue: Catalogue) -> RollAgain:
        return RollAgain(self.by.own(catalogue), tuple(sorted(self.dice)))


class _Pass(Form):
    kind: Literal["pass"]

    def move(self, catalogue: Catalogue) -> Pass:
        return PASS


_FORMS: Final = move_forms(
    _Roll,
    _PlaceDie,
    _Gather,
    _FillOrder,
    _Collect,
    _SellOne,
    _Buy,
    _TurnCard,
    _Dive,
    _TurnDie,
    _RollAgain,
    _Pass,
)


def _card(key: str, catalogue: Catalogue) -> int:
    try:
        return catalogue.numbers[key]
    except KeyError:
        raise BadData("a move names a card that does not exist") from None


def load_move(data: Mapping[str, Any], catalogue: Catalogue) -> Move:
    """The move that JSON data describe. Raises `BadData` where they are of no known form."""
    return read_move(_FORMS, data).move(catalogue)


def dump_move(move: Move, catalogue: Catalogue) -> dict[str, Any]:
    """A move as JSON data."""
    cards = catalogue.cards
    match move:
        case Roll(order):
            if order is None:
                return {"kind": "roll"}
            return {"kind": "roll", "order": [cards[number].key for number in order]}
        case Dive(dice):
            return {"kind": "dive", "dice": list(dice)}
        case TurnDie(by, die, to):
            return {"kind": "turn_die", "by": _dump_own(by, catalogue), "die": die, "to": to}
        case RollAgain(by, dice):
            return {"kind": "roll_again", "by": _dump_own(by, catalogue), "dice": list(dice)}
        case Pass():
            return {"kind": "pass"}
        case _:
            return _dump_placement(move, catalogue)


def _dump_placement(move: Placement, catalogue: Catalogue) -> dict[str, Any]:
    data = {"die": move.die, "on": {**_dump_own(move.on.own, catalogue), "slot": move.on.slot}}
    match move:
        case PlaceDie():
            return {"kind": "place_die", **data}
        case Gather(_, _, artifact):
            return {"kind": "gather", **data, "artifact": ARTIFACTS[artifact]}
        case FillOrder(_, _, museum, order):
            return {"kind": "fill_order", **data, "museum": ARTIFACTS[museum], "order": order}
        case Collect(_, _, artifacts):
            sold = {key: n for key, n in zip(ARTIFACTS, artifacts, strict=True) if n}
            return {"kind": "collect", **data, "artifacts": sold}
        case SellOne(_, _, artifact):
            return {"kind": "sell_one", **data, "artifact": ARTIFACTS[artifact]}
        case Buy(_, _, card, place):
            lies = {"row": ROWS[place.row], "column": place.column}
            return {"kind": "buy", **data, "card": catalogue.cards[card].key, "place": lies}
        case TurnCard(_, _, own):
            return {"kind": "turn_card", **data, "own": _dump_own(own, catalogue)}


def _dump_own(own: OwnCard, catalogue: Catalogue) -> dict[str, Any]:
    """A card by key; which copy is said where it is not the first."""
    data: dict[str, Any] = {"card": catalogue.cards[own.card].key}
    return {**data, "copy": own.copy} if own.copy else data
