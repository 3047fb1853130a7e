"""The moves that both games of the Archaeology family have, and their form as JSON data: cards by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from engine.archaeology_family.card_list import TREASURES, Bundles
from engine.errors import IllegalMove
from engine.forms import Moves, Spelled, by_key

Number = Annotated[int, Field(ge=0, le=99)]
Treasure = Annotated[int, by_key(TREASURES)]


def _read(copies: dict[str, int], _: object) -> Bundles:
    return tuple(sorted((TREASURES.index(key), n) for key, n in copies.items()))


def _write(cards: Bundles, _: object) -> dict[str, int]:
    return {TREASURES[kind]: n for kind, n in cards}


_Copies = Annotated[int, Field(ge=1, le=99)]
_KEYS: Any = Literal[TREASURES]  # pyright: ignore[reportInvalidTypeForm]
Cards = Annotated[Bundles, Spelled(dict[_KEYS, _Copies], _read, _write)]
"""Cards as an object: how many by the treasures' keys."""


class Dig(NamedTuple):
    """Take the dig site's top card."""


class Steal(NamedTuple):
    """Send the Thief to the opponent at seat `victim`."""

    victim: Number


class Discard(NamedTuple):
    """Lose `cards` to the Sandstorm."""

    cards: Cards


class Trade(NamedTuple):
    """Lay `give` from the hand in the market and take `take` that lay there before."""

    give: Cards
    take: Cards


class Explore(NamedTuple):
    """Discard Maps for the chamber of this number."""

    chamber: Number


class Sell(NamedTuple):
    """Sell a set of `count` cards of `treasure` to the museum."""

    treasure: Treasure
    count: Number  # pyright: ignore[reportIncompatibleMethodOverride]  # nobody counts a move's parts


class EndTurn(NamedTuple):
    """Leave the turn to the next player."""


Move = Dig | Steal | Discard | Trade | Explore | Sell | EndTurn
MOVES: Final = Moves[Move](Dig, Steal, Discard, Trade, Explore, Sell, EndTurn)


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
