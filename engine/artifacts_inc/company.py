"""A company: a player's cards in two rows, and what they give as long as these sides are up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from engine.artifacts_inc.catalogue import Ability, Catalogue, Side, Slot
from engine.errors import BadData
from engine.forms import ALWAYS, Spelled, by_key

UPPER: Final = 0
LOWER: Final = 1
ROWS: Final = ("upper", "lower")
MOST_DICE: Final = 7
"""Dice in the box (R30)."""


def _number(key: str, catalogue: Catalogue) -> int:
    try:
        return catalogue.numbers[key]
    except KeyError:
        raise BadData("a move names a card that does not exist") from None


def _key(number: int, catalogue: Catalogue) -> str:
    return catalogue.cards[number].key


CardNumber = Annotated[int, Field(ge=0), Spelled(str, _number, _key)]
"""A card's number, which moves write as its key."""
Small = Annotated[int, Field(ge=0, le=99)]


class Place(NamedTuple):
    """Where a card lies: in the upper (0) or the lower (1) row. Column 0 is that of the first starting card.

    Columns left of it are negative.
    """

    row: Annotated[int, by_key(ROWS)]
    column: Annotated[int, Field(ge=-99, le=99)]


def around(place: Place) -> tuple[Place, Place, Place]:
    """The places left, right, and straight above or below (R34)."""
    row, column = place
    return Place(row, column - 1), Place(row, column + 1), Place(1 - row, column)


class CompanyCard(NamedTuple):
    """One of a seat's own cards: its number, and which of the seat's copies it is, from 0 in the order bought."""

    card: CardNumber
    copy: Small = 0


class Space(NamedTuple):
    """Where a die can lie: a slot, from 0, of a public card or of one of the active seat's own."""

    card: CardNumber
    copy: Small = 0
    slot: Annotated[Small, ALWAYS] = 0

    @property
    def own(self) -> CompanyCard:
        """The card without its slot."""
        return CompanyCard(self.card, self.copy)


class Spot(NamedTuple):
    """A space with its slot."""

    space: Space
    slot: Slot


class Usable(NamedTuple):
    """An own card with what can be done by it."""

    own: CompanyCard
    ability: Ability


class Holding(NamedTuple):
    """One of a seat's own cards with the side that is up."""

    own: CompanyCard
    side: Side
    spots: tuple[Spot, ...]
    abilities: tuple[Usable, ...]


class Powers(NamedTuple):
    """The powers that a company's cards give; `holdings` and `cards` go by index.

    `spots` are all slots that the seat may ever use, the public cards' first. `dice` are rolled each turn, if the box
    has so many; `dive` is added to the sum of dives; `yields` are the artifacts that its Expeditions yield, as bits.
    """

    holdings: tuple[Holding, ...]
    cards: tuple[CompanyCard, ...]
    spots: tuple[Spot, ...]
    abilities: tuple[Usable, ...]
    dice: int
    dive: int
    yields: int

    def with_card(self, holding: Holding) -> Powers:
        """The powers with one more card."""
        side = holding.side
        return Powers(
            (*self.holdings, holding),
            (*self.cards, holding.own),
            self.spots + holding.spots,
            self.abilities + holding.abilities,
            self.dice + side.dice,
            self.dive + side.dive,
            self.yields | side.yields,
        )


@lru_cache(maxsize=1 << 12)
def holding(catalogue: Catalogue, number: int, copy: int) -> Holding:
    """A copy of a card with this side up. There are few, so each is made once."""
    own, side = CompanyCard(number >> 1, copy), catalogue.side(number)
    spots = tuple([Spot(Space(*own, at), slot) for at, slot in enumerate(side.slots)])
    return Holding(own, side, spots, (Usable(own, side.ability),) if side.ability else ())


@lru_cache(maxsize=8)
def no_powers(catalogue: Catalogue) -> Powers:
    """The powers without any card of one's own: the public cards."""
    spots = tuple([Spot(Space(card.number), card.sides[0].slots[0]) for card in catalogue.public_cards])
    return Powers((), (), spots, (), 0, 0, 0)


@lru_cache(maxsize=1 << 12)
def powers_of(catalogue: Catalogue, sides: tuple[int, ...]) -> Powers:
    """The powers that the cards with these sides up give."""
    cards = [side >> 1 for side in sides]
    copies = [cards[:at].count(card) for at, card in enumerate(cards)]
    return together(catalogue, [holding(catalogue, *own) for own in zip(sides, copies, strict=True)])


def together(catalogue: Catalogue, holdings: Iterable[Holding]) -> Powers:
    """The powers that these cards give, in the order in which they came."""
    powers = no_powers(catalogue)
    for own in holdings:
        powers = powers.with_card(own)
    return powers
