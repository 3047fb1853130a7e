"""The card lists of the Archaeology family: how many cards of each kind there are, what they trade and sell for, and
how each of these numbers is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from engine import cards, chance
from engine.cards import CardData, Provenance
from engine.errors import BadData

TREASURES: Final = (
    "pot_shard",
    "parchment_scrap",
    "coin",
    "talisman",
    "broken_cup",
    "map",
    "pharaohs_mask",
    "broken_tablet",
    "broken_pendant",
)
"""The treasures' keys. A treasure's number in states, moves and events is its place here; never reorder."""

DEAL: Final = 4
"""Cards dealt to each player."""
MARKET: Final = 5
"""Cards that the market begins with."""
CHAMBERED: Final = 15
"""Cards that lie in chambers at the start, in both games."""

MAP: Final = TREASURES.index("map")
THIEF: Final = -1
SANDSTORM: Final = -2
"""The dig site's cards that are no treasures."""

Bundles = tuple[tuple[int, int], ...]
"""Cards without order: (treasure, how many) pairs, treasures ascending, how many at least 1."""


class Treasure(CardData):
    """One kind of treasure. `sales[n - 1]` is what a set of n brings, in dollars."""

    key: str
    copies: int = Field(ge=1, le=40)
    trade: int = Field(ge=1, le=20)
    sales: tuple[int, ...] = Field(min_length=1, max_length=10)
    from_seats: int = Field(default=2, ge=2, le=8)
    provenance: Mapping[Literal["copies", "trade", "sales", "largest"], Provenance]

    @model_validator(mode="after")
    def _rising(self) -> Treasure:
        if any(more <= less for less, more in zip(self.sales, self.sales[1:], strict=False)):
            raise ValueError("a larger set must bring more than a smaller one")
        if missing := {"copies", "trade", "sales"} - set(self.provenance):
            raise ValueError(f"the provenance of {', '.join(sorted(missing))} is missing")
        return self

    @property
    def largest(self) -> int:
        """How many cards the largest set holds."""
        return len(self.sales)


class Hazards(CardData):
    """How many cards of a hazard are in play, by the number of seats."""

    by_seats: Mapping[int, Annotated[int, Field(ge=0, le=40)]]
    provenance: Mapping[int, Provenance]


class CardList(CardData):
    """All the numbers of a game's cards. The treasures stand in the order of `TREASURES`."""

    game: str
    treasures: tuple[Treasure, ...]
    thieves: Hazards
    sandstorms: Hazards

    @model_validator(mode="after")
    def _complete(self) -> CardList:
        keys = tuple(treasure.key for treasure in self.treasures)
        if keys != TREASURES[: len(keys)]:
            raise ValueError(f"the treasures must be, in this order: {', '.join(TREASURES)}")
        begins = [treasure.from_seats for treasure in self.treasures]
        if begins != sorted(begins):
            raise ValueError("a treasure is in play from fewer seats on than one before it")
        return self

    def kinds(self, seats: int) -> int:
        """How many kinds of treasure are in play with so many seats: the first so many of the card list."""
        return sum(treasure.from_seats <= seats for treasure in self.treasures)

    @cached_property
    def digest(self) -> str:
        """Names this card list's numbers, whatever their provenance, in a record: 16 hexadecimal digits."""
        return cards.digest(self)


def read_card_list(data: object, *, game: str, kinds: int, seats: range) -> CardList:
    """A card list from JSON data, checked. Raises `BadData` with the path of the first fault."""
    card_list = cards.read_cards(CardList, data, game)
    if len(card_list.treasures) != kinds:
        raise BadData(f"treasures: there must be {kinds}", ("treasures",))
    for name, hazards in (("thieves", card_list.thieves), ("sandstorms", card_list.sandstorms)):
        if set(hazards.by_seats) != set(seats) or set(hazards.provenance) != set(seats):
            counts = ", ".join(str(n) for n in seats)
            raise BadData(f"{name}: a number and its provenance are needed for {counts} players", (name,))
    for count in seats:
        _check_size(card_list, count)
    return card_list


def _check_size(card_list: CardList, seats: int) -> None:
    """Checks that there are enough cards for the set-up, and no more than a shuffle takes. Raises `BadData`."""
    in_play = card_list.treasures[: card_list.kinds(seats)]
    if len(in_play) <= MAP:
        raise BadData(f"treasures: the Map must be in play with {seats} players", ("treasures",))
    dealt = sum(treasure.copies for treasure in in_play if treasure.key != TREASURES[MAP])
    if dealt < DEAL * seats + MARKET + CHAMBERED:
        raise BadData(f"treasures: too few for the set-up with {seats} players", ("treasures",))
    whole = (
        dealt + in_play[MAP].copies + card_list.thieves.by_seats[seats] + card_list.sandstorms.by_seats[seats]
    )
    if whole > chance.LARGEST:
        raise BadData(f"treasures: more than {chance.LARGEST} cards with {seats} players", ("treasures",))


def bundles(counts: Any) -> Bundles:
    """Counts by treasure as bundles.

    >>> bundles([0, 2, 0, 1])
    ((1, 2), (3, 1))
    """
    return tuple([(kind, n) for kind, n in enumerate(counts) if n])
