"""A match of Artifacts, Inc.: its state, the view that anybody may have of it, and what both have in common.

All lies open but the order of the piles and the dice to come. So a view holds nearly what a state holds, under the
same names, and whoever wants to know what can be done (`engine.artifacts_inc.choices`) asks either of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field

from engine.artifacts_inc.card_list import ARTIFACTS, FINDS, PILES, STARTING
from engine.artifacts_inc.catalogue import Card, Catalogue, Side
from engine.artifacts_inc.company import MOST_DICE, UPPER, CompanyCard, Place, Powers, Space, powers_of
from engine.game import Decision, Outcome, QuickView
from engine.state import Derived, Hidden, MatchState, Number, no_entries, no_items, start

# The phases of a turn; each but OVER is the kind of the decision that waits.
ARRANGE: Final = "arrange"
ACT: Final = "act"
OVER: Final = "over"

GOAL: Final = 20
"""When a seat has this much reputation, the round is the last one."""
NEAR: Final = GOAL - 7
"""The reputation from which the best of turns reaches the goal."""
CLOSE: Final = GOAL - 2
"""The reputation from which most turns reach it."""
ROUNDS: Final = 60
"""R32: the round that is the last one in any case."""
OFFERED: Final = (4, 4, 4, 1, 1)
"""Cards on offer, by pile; fewer once it is empty (R28)."""

FREE: Final = -1
"""Stands where an order names a seat, and means that nobody's cube lies on it."""

CARDS, ABILITIES, DIVES, MUSEUMS = range(4)
"""Where reputation comes from: cards' icons, what their abilities count, dives, majorities at the end."""
SOURCES: Final = ("cards", "abilities", "dives", "museums")

STARTING_PLACES: Final = tuple(Place(UPPER, column) for column in range(STARTING))

Numbers = tuple[int, ...]
_Seat = Annotated[int, Field(ge=0, le=3)]
_SeatOrFree = Annotated[int, Field(ge=FREE, le=3)]
_Face = Annotated[int, Field(ge=1, le=6)]
_BySource = Annotated[tuple[Number, ...], Field(min_length=len(SOURCES), max_length=len(SOURCES))]
_ByPile = Annotated[list[tuple[Number, ...]], Field(min_length=len(PILES), max_length=len(PILES))]
Rolls = tuple[tuple[Number, Number, Number], ...]
"""The rolls for the first player, in order: (seat, lower die, higher die); who tied for the highest rolled again."""


class Held(NamedTuple):
    """A card in a company, as people look at it. `artifacts` go by kind; `used`: uses of its ability this turn."""

    own: CompanyCard
    card: Card
    level: int
    side: Side
    place: Place
    artifacts: Numbers
    used: int


def company(position: Position, seat: int) -> tuple[Held, ...]:
    """A seat's cards, in the order in which they came."""
    kinds, places, cubes = len(ARTIFACTS), position.places[seat], position.cubes[seat]
    used = position.used if seat == position.active else ()
    return tuple(
        Held(
            holding.own,
            position.catalogue.cards[holding.own.card],
            1 + (position.sides[seat][index] & 1),
            holding.side,
            places[index],
            tuple(cubes[index * kinds : (index + 1) * kinds]),
            used.count(holding.own),
        )
        for index, holding in enumerate(powers(position, seat).holdings)
    )


def powers(position: Position, seat: int) -> Powers:
    """The powers that a seat's cards give now."""
    return powers_of(position.catalogue, position.sides[seat])


def finds(position: Position, seat: int) -> Numbers:
    """The finds of a seat on its dives, by find (R65)."""
    found = [0] * len(FINDS)
    for diver, dive in zip(position.divers, position.catalogue.dives, strict=False):
        if diver == seat:
            found[dive.find] += 1
    return tuple(found)


def cubes_on_museums(position: Position, seat: int) -> int:
    """The orders that a seat has filled."""
    return sum([list(orders).count(seat) for orders in position.orders])


class State(MatchState):
    """Everything about a match; only `Game.apply` changes it.

    Beside what a `Position` has: `piles` are the cards still to come, the next one last; `powers` what each company's
    cards give; `last`: somebody has reached the goal. Fields that change seldom are tuples, which copies share.
    """

    catalogue: Derived[Catalogue]
    seats: Annotated[int, Field(ge=2, le=4)]
    moves: Number = 0
    round: Annotated[int, Field(ge=1, le=ROUNDS)] = 1
    first: _Seat = 0
    active: _Seat = 0
    phase: Literal["arrange", "act", "over"] = ARRANGE
    counters: Hidden[dict[str, Number]] = start(no_entries)
    dice: Annotated[list[_Face], Field(max_length=MOST_DICE)] = start(no_items)
    laid: Annotated[list[_Face], Field(max_length=MOST_DICE)] = start(no_items)
    dived: Annotated[tuple[_Face, ...], Field(max_length=MOST_DICE)] = ()
    dollars: list[Number] = start(lambda match: [0] * match.seats)
    divers: tuple[_Seat, ...] = ()
    rolls: Rolls = ()
    covered: list[Space] = start(no_items)
    used: list[CompanyCard] = start(no_items)
    earned: list[_BySource] = start(lambda match: [(0,) * len(SOURCES)] * match.seats)
    sides: list[tuple[Number, ...]] = start(
        lambda match: [tuple([2 * number for number in match.catalogue.start])] * match.seats
    )
    cubes: list[list[Number]] = start(
        lambda match: [[0] * (STARTING * len(ARTIFACTS)) for _ in range(match.seats)]
    )
    piles: Hidden[_ByPile] = start(lambda _: [()] * len(PILES))
    offers: _ByPile = start(lambda _: [()] * len(PILES))
    orders: Annotated[
        list[tuple[_SeatOrFree, ...]], Field(min_length=len(ARTIFACTS), max_length=len(ARTIFACTS))
    ] = start(
        lambda match: [(FREE,) * len(match.catalogue.orders(n, match.seats)) for n in range(len(ARTIFACTS))]
    )
    places: list[tuple[Place, ...]] = start(lambda match: [STARTING_PLACES] * match.seats)
    last: Hidden[Derived[bool]] = False
    reputation: Derived[list[int]] = start(no_items)
    artifacts: Derived[list[list[int]]] = start(no_items)
    powers: Hidden[Derived[list[Powers]]] = start(no_items)

    def __repr__(self) -> str:
        return f"<State seats={self.seats} moves={self.moves} round={self.round} phase={self.phase}>"

    def derive(self) -> None:
        """Works out what follows from the rest: `reputation`, `artifacts`, `powers` and `last`."""
        kinds = len(ARTIFACTS)
        self.reputation = [sum(by_source) for by_source in self.earned]
        self.last = any(sum(by_source[:MUSEUMS]) >= GOAL for by_source in self.earned)
        self.artifacts = [[sum(cubes[kind::kinds]) for kind in range(kinds)] for cubes in self.cubes]
        self.powers = [powers_of(self.catalogue, sides) for sides in self.sides]


@dataclass(frozen=True)
class View(QuickView):
    """The parts of a match that one seat or a spectator may know: the same for all but for `viewer`. Made with `of`.

    Beside what a `Position` has: `rolls` for the first player, and `piles`, the cards that each pile still holds, as
    (card, how many) pairs; only their order is unknown.
    """

    viewer: int | None
    seats: int
    moves: int
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    phase: str
    round: int
    first: int
    active: int
    rolls: Rolls
    dice: Numbers
    covered: tuple[Space, ...]
    laid: Numbers
    used: tuple[CompanyCard, ...]
    dived: Numbers
    dollars: Numbers
    reputation: Numbers
    earned: tuple[Numbers, ...]
    artifacts: tuple[Numbers, ...]
    sides: tuple[Numbers, ...]
    places: tuple[tuple[Place, ...], ...]
    cubes: tuple[Numbers, ...]
    piles: tuple[tuple[tuple[int, int], ...], ...]
    offers: tuple[Numbers, ...]
    orders: tuple[Numbers, ...]
    divers: Numbers
    catalogue: Catalogue

    def __repr__(self) -> str:
        return f"<View viewer={self.viewer} moves={self.moves} round={self.round} phase={self.phase}>"


Position: TypeAlias = State | View
"""A state or a view, of which the reader uses the data that both have. Lists go by seat unless something else is said.

- `round` counts from 1, `first` began it. `active` is the seat whose turn it is.
- `dice` are the faces of the unplaced dice, ascending. `covered` are the spaces with a die, in the order in which
  they were covered, and `laid` the dice's faces. `used` has a card for each use of its ability this turn.
  `dived` are the dice on the Dive space.
- A company's cards go by an index, in the order in which they came. `sides[s]` are the numbers of the sides that
  are up, `places[s]` where they lie; `cubes[s]` are the artifacts on them, four numbers a card.
- `artifacts[s]` are those of the whole company, by kind. `earned[s]` is reputation by source.
- `offers` are the cards on offer by pile, the newest last. `orders[m]` are the seats whose cubes lie on a museum's
  orders, or `FREE`. `divers` are the seats that took the U cards so far.
"""
