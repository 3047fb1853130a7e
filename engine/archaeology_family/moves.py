"""The moves that both games of the Archaeology family have, and their form as JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from engine.archaeology_family.card_list import TREASURES, Bundles
from engine.errors import BadData, IllegalMove
from engine.forms import Form, move_forms, read_move


class Dig(NamedTuple):
    """Take the dig site's top card."""


class Steal(NamedTuple):
    """Send the Thief to the opponent at seat `victim`."""

    victim: int


class Discard(NamedTuple):
    """Lose `cards` to the Sandstorm."""

    cards: Bundles


class Trade(NamedTuple):
    """Lay `give` from the hand in the market and take `take` that lay there before."""

    give: Bundles
    take: Bundles


class Explore(NamedTuple):
    """Discard Maps for the chamber of this number."""

    chamber: int


class Sell(NamedTuple):
    """Sell a set of `count` cards of `treasure` to the museum."""

    treasure: int
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]  # nobody counts a move's parts


class EndTurn(NamedTuple):
    """Leave the turn to the next player."""


Move = Dig | Steal | Discard | Trade | Explore | Sell | EndTurn


def weigh(counts: Sequence[int], cards: Bundles, weights: Sequence[int], code: str) -> int:
    """The sum of the cards' `weights`, after checking that they are well formed and all among `counts`.

    Raises `IllegalMove`, with this `code` if some are not among them.
    """
    last, total, kinds = -1, 0, len(counts)
    for kind, n in cards:
        if not last < kind < kinds or n < 1:
            raise IllegalMove("malformed-cards")
        if counts[kind] < n:
            raise IllegalMove(code, treasure=kind)
        last = kind
        total += weights[kind] * n
    return total


Number = Annotated[int, Field(ge=0, le=99)]
Cards = Annotated[dict[str, Annotated[int, Field(ge=1, le=99)]], Field(max_length=len(TREASURES))]


class _Dig(Form):
    kind: Literal["dig"]

    def move(self) -> Dig:
        return Dig()


class _Steal(Form):
    kind: Literal["steal"]
    victim: Number

    def move(self) -> Steal:
        return Steal(self.victim)


class _Discard(Form):
    kind: Literal["discard"]
    cards: Cards

    def move(self) -> Discard:
        return Discard(read_cards(self.cards))


class _Trade(Form):
    kind: Literal["trade"]
    give: Cards
    take: Cards

    def move(self) -> Trade:
        return Trade(read_cards(self.give), read_cards(self.take))


class _Explore(Form):
    kind: Literal["explore"]
    chamber: Number

    def move(self) -> Explore:
        return Explore(self.chamber)


class _Sell(Form):
    kind: Literal["sell"]
    treasure: str
    count: Number

    def move(self) -> Sell:
        return Sell(read_treasure(self.treasure), self.count)


class _EndTurn(Form):
    kind: Literal["end_turn"]

    def move(self) -> EndTurn:
        return EndTurn()


FORMS: Final = (_Dig, _Steal, _Discard, _Trade, _Explore, _Sell, _EndTurn)
_FORMS: Final = move_forms(*FORMS)


def read_treasure(key: str) -> int:
    """The number of the treasure with this key. Raises `BadData`."""
    try:
        return TREASURES.index(key)
    except ValueError:
        raise BadData("a move names a treasure that does not exist") from None


def read_cards(cards: Mapping[str, int]) -> Bundles:
    """Bundles from counts by the treasures' keys."""
    return tuple(sorted((read_treasure(key), count) for key, count in cards.items()))


def write_cards(cards: Bundles) -> dict[str, int]:
    """Bundles as counts by the treasures' keys."""
    return {TREASURES[kind]: count for kind, count in cards}


def load_move(data: Mapping[str, Any], forms: TypeAdapter[Any] = _FORMS) -> Any:
    """The move that JSON data describe. Raises `BadData` where they are of no known form."""
    return read_move(forms, data).move()


def dump_move(move: Move) -> dict[str, Any]:
    """A move as JSON data, its cards by name."""
    match move:
        case Dig():
            return {"kind": "dig"}
        case Steal(victim):
            return {"kind": "steal", "victim": victim}
        case Discard(cards):
            return {"kind": "discard", "cards": write_cards(cards)}
        case Trade(give, take):
            return {"kind": "trade", "give": write_cards(give), "take": write_cards(take)}
        case Explore(chamber):
            return {"kind": "explore", "chamber": chamber}
        case Sell(treasure, count):
            return {"kind": "sell", "treasure": TREASURES[treasure], "count": count}
        case EndTurn():
            return {"kind": "end_turn"}
