"""A match of Artifacts, Inc.: its state, the view that anybody may have of it, and what both have in common.

All lies open but the order of the piles and the dice to come. So a view holds nearly what a state holds, under the
same names, and whoever wants to know what can be done (`engine.artifacts_inc.choices`) asks either of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, Self

from engine.artifacts_inc.catalogue import Card, Catalogue, Side
from engine.artifacts_inc.table import ARTIFACTS, FINDS, PILES, SLOTS, STARTING
from engine.chance import Counters
from engine.game import Decision, Outcome

# The phases of a turn; each but OVER is the kind of the decision that waits.
ARRANGE: Final = "arrange"
ACT: Final = "act"
OVER: Final = "over"

GOAL: Final = 20
"""Reputation that makes the round the last one."""
ROUNDS: Final = 60
"""R32: the last round in any case."""
OFFERED: Final = (4, 4, 4, 1, 1)
"""Cards on offer, by pile; fewer once it is empty (R28)."""

FREE: Final = -1
"""In an order's place of a seat: nobody's cube."""

UPPER: Final = 0
LOWER: Final = 1
ROWS: Final = ("upper", "lower")

CARDS, ABILITIES, DIVES, MUSEUMS = range(4)
"""Where reputation comes from: cards' icons, what their abilities count, dives, majorities at the end."""
SOURCES: Final = ("cards", "abilities", "dives", "museums")

COPY_BITS: Final = 6
"""A card of one's own is `card << COPY_BITS | copy` inside the state."""


class Place(NamedTuple):
    """Where a card lies: in the upper (0) or lower (1) row. Column 0 is where the first starting card lies.

    Columns left of it are negative. Inside the state a place is a number: twice the column and the row.
    """

    row: int
    column: int

    @property
    def code(self) -> int:
        """The place as the state has it."""
        return self.column * 2 + self.row


def place_of(code: int) -> Place:
    """The place that a state's number means.

    >>> place_of(Place(LOWER, -3).code)
    Place(row=1, column=-3)
    """
    return Place(code & 1, code >> 1)


def around(code: int) -> tuple[int, int, int]:
    """The places left, right, and straight above or below (R34)."""
    return code - 2, code + 2, code ^ 1


class OwnCard(NamedTuple):
    """One of a seat's own cards: its number, and which of the seat's copies it is, from 0 in the order bought."""

    card: int
    copy: int = 0


class Space(NamedTuple):
    """Where a die can lie: a slot, from 0, of a public card or of one of the active seat's own."""

    card: int
    copy: int = 0
    slot: int = 0

    @property
    def own(self) -> OwnCard:
        """The card without its slot."""
        return OwnCard(self.card, self.copy)


Rolls = tuple[tuple[int, int, int], ...]
"""The rolls for the first player, in order: (seat, die, die); who tied for the highest rolled again."""


class Position(Protocol):
    """What states and views both show. Lists go by seat unless something else is said.

    - `round` counts from 1, `first` began it. `active` is the seat whose turn it is.
    - `dice` are the faces of the unplaced dice, ascending. `covered` are the spaces with a die, in the order in which
      they were covered, and `laid` the dice's faces. `used` has a card's index for each use of its ability this turn.
      `dived` are the dice on the Dive space.
    - A company's cards are numbered by an index, in the order in which they came. `sides[s]` are the sides that are
      up, `places[s]` where they lie (`Place.code`); `cubes[s]` the artifacts on them: four numbers a card.
    - `artifacts[s]` are those of the whole company, by kind. `earned[s]` is reputation by source.
    - `offers` are the cards on offer by pile, the newest last. `orders[m]` are the seats whose cubes lie on a museum's
      orders, or `FREE`. `divers` are the seats that took the U cards so far.

    A covered space is a number: a public card's is its number, an own card's its index and that of all public cards;
    times `SLOTS`, and the slot. (`space_code`)
    """

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def seats(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def first(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def dice(self) -> Sequence[int]: ...
    @property
    def covered(self) -> Sequence[int]: ...
    @property
    def laid(self) -> Sequence[int]: ...
    @property
    def used(self) -> Sequence[int]: ...
    @property
    def dived(self) -> Sequence[int]: ...
    @property
    def dollars(self) -> Sequence[int]: ...
    @property
    def reputation(self) -> Sequence[int]: ...
    @property
    def earned(self) -> Sequence[Sequence[int]]: ...
    @property
    def artifacts(self) -> Sequence[Sequence[int]]: ...
    @property
    def sides(self) -> Sequence[Sequence[int]]: ...
    @property
    def places(self) -> Sequence[Sequence[int]]: ...
    @property
    def cubes(self) -> Sequence[Sequence[int]]: ...
    @property
    def offers(self) -> Sequence[Sequence[int]]: ...
    @property
    def orders(self) -> Sequence[Sequence[int]]: ...
    @property
    def divers(self) -> Sequence[int]: ...


class Held(NamedTuple):
    """A card in a company, as people look at it. `artifacts` go by kind; `used`: uses of its ability this turn."""

    own: OwnCard
    card: Card
    level: int
    side: Side
    place: Place
    artifacts: tuple[int, ...]
    used: int


def company(position: Position, seat: int) -> tuple[Held, ...]:
    """A seat's cards, in the order in which they came."""
    catalogue = position.catalogue
    copies: dict[int, int] = {}
    held: list[Held] = []
    places, cubes, sides = position.places[seat], position.cubes[seat], position.sides[seat]
    for index, (side, place) in enumerate(zip(sides, places, strict=True)):
        number = side >> 1
        copy = copies.get(number, 0)
        copies[number] = copy + 1
        held.append(
            Held(
                OwnCard(number, copy),
                catalogue.cards[number],
                1 + (side & 1),
                catalogue.side(side),
                place_of(place),
                tuple(cubes[index * len(ARTIFACTS) : (index + 1) * len(ARTIFACTS)]),
                position.used.count(index) if seat == position.active else 0,
            )
        )
    return tuple(held)


def index_of(position: Position, seat: int, own: OwnCard) -> int | None:
    """The index of one of a seat's cards; None where it has no such card."""
    left = own.copy
    for index, side in enumerate(position.sides[seat]):
        if side >> 1 == own.card:
            if not left:
                return index
            left -= 1
    return None


def own_card(position: Position, seat: int, index: int) -> OwnCard:
    """The card with this index."""
    numbers = [side >> 1 for side in position.sides[seat][: index + 1]]
    return OwnCard(numbers[-1], numbers.count(numbers[-1]) - 1)


def space_code(position: Position, space: Space) -> int | None:
    """A space of the active seat's as `covered` has it; None where there is no such card."""
    public = position.catalogue.public
    if space.card < public:
        return space.card * SLOTS + space.slot
    index = index_of(position, position.active, space.own)
    return None if index is None else (public + index) * SLOTS + space.slot


def space_of(position: Position, code: int) -> Space:
    """The space that a number in `covered` means."""
    at, slot = divmod(code, SLOTS)
    public = position.catalogue.public
    if at < public:
        return Space(at, 0, slot)
    own = own_card(position, position.active, at - public)
    return Space(own.card, own.copy, slot)


def finds(position: Position, seat: int) -> tuple[int, ...]:
    """What a seat has found on its dives, by find (R65)."""
    found = [0] * len(FINDS)
    for diver, dive in zip(position.divers, position.catalogue.dives, strict=False):
        if diver == seat:
            found[dive.find] += 1
    return tuple(found)


def cubes_on_museums(position: Position, seat: int) -> int:
    """The orders that a seat has filled."""
    return sum(list(orders).count(seat) for orders in position.orders)


def _numbered(sides: Sequence[int]) -> list[int]:
    """A company's cards as `State.owned` has them."""
    cards = [side >> 1 for side in sides]
    return [card << COPY_BITS | cards[:index].count(card) for index, card in enumerate(cards)]


class State:
    """Everything about a match. Beside what a `Position` has, `piles` are the cards still to come, the next one last.

    `owned[s]` are the company's cards as numbers (`COPY_BITS`), by index. `last`: somebody has reached the goal.
    Only `Game.apply` changes a state.
    """

    __slots__ = (
        "active",
        "artifacts",
        "catalogue",
        "counters",
        "covered",
        "cubes",
        "dice",
        "dived",
        "divers",
        "dollars",
        "earned",
        "first",
        "key",
        "laid",
        "last",
        "moves",
        "offers",
        "orders",
        "owned",
        "phase",
        "piles",
        "places",
        "reputation",
        "rolls",
        "round",
        "seats",
        "sides",
        "used",
    )

    def __init__(self, catalogue: Catalogue, seats: int, key: bytes) -> None:
        each = range(seats)
        self.catalogue = catalogue
        self.seats = seats
        self.key = key
        self.counters: Counters = {}
        self.moves = 0
        self.round = 1
        self.first = 0
        self.active = 0
        self.phase = ARRANGE
        self.last = False
        self.rolls: Rolls = ()
        self.dice: list[int] = []
        self.covered: list[int] = []
        self.laid: list[int] = []
        self.used: list[int] = []
        self.dived: list[int] = []
        self.dollars = [0] * seats
        self.reputation = [0] * seats
        self.earned = [[0] * len(SOURCES) for _ in each]
        self.artifacts = [[0] * len(ARTIFACTS) for _ in each]
        self.sides = [[number * 2 for number in catalogue.start] for _ in each]
        self.owned = [[number << COPY_BITS for number in catalogue.start] for _ in each]
        self.places = [list(range(0, 2 * STARTING, 2)) for _ in each]
        self.cubes = [[0] * (STARTING * len(ARTIFACTS)) for _ in each]
        self.piles: list[list[int]] = [[] for _ in PILES]
        self.offers: list[list[int]] = [[] for _ in PILES]
        self.orders = [[FREE] * len(catalogue.orders(m, seats)) for m in range(len(ARTIFACTS))]
        self.divers: list[int] = []

    def __repr__(self) -> str:
        return f"<State seats={self.seats} moves={self.moves} round={self.round} phase={self.phase}>"

    def derive(self) -> None:
        """Works out what follows from the rest: `reputation`, `artifacts`, `owned` and `last`."""
        kinds = len(ARTIFACTS)
        self.reputation = [sum(by_source) for by_source in self.earned]
        self.last = any(sum(by_source[:MUSEUMS]) >= GOAL for by_source in self.earned)
        self.artifacts = [[sum(cubes[kind::kinds]) for kind in range(kinds)] for cubes in self.cubes]
        self.owned = [_numbered(sides) for sides in self.sides]

    def copy(self) -> Self:
        """The same match, to go another way."""
        twin = type(self).__new__(type(self))
        twin.catalogue = self.catalogue
        twin.seats = self.seats
        twin.key = self.key
        twin.moves = self.moves
        twin.round = self.round
        twin.first = self.first
        twin.active = self.active
        twin.phase = self.phase
        twin.last = self.last
        twin.rolls = self.rolls
        twin.counters = self.counters.copy()
        twin.dice = self.dice.copy()
        twin.covered = self.covered.copy()
        twin.laid = self.laid.copy()
        twin.used = self.used.copy()
        twin.dived = self.dived.copy()
        twin.dollars = self.dollars.copy()
        twin.reputation = self.reputation.copy()
        twin.divers = self.divers.copy()
        twin.earned = [by_source.copy() for by_source in self.earned]
        twin.artifacts = [by_kind.copy() for by_kind in self.artifacts]
        twin.sides = [sides.copy() for sides in self.sides]
        twin.owned = [cards.copy() for cards in self.owned]
        twin.places = [places.copy() for places in self.places]
        twin.cubes = [cubes.copy() for cubes in self.cubes]
        twin.piles = [pile.copy() for pile in self.piles]
        twin.offers = [offer.copy() for offer in self.offers]
        twin.orders = [orders.copy() for orders in self.orders]
        return twin


@dataclass(frozen=True)
class View:
    """What one seat or a spectator may know of a match: the same for all but for `viewer`. Made with `of`.

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
    dice: tuple[int, ...]
    covered: tuple[int, ...]
    laid: tuple[int, ...]
    used: tuple[int, ...]
    dived: tuple[int, ...]
    dollars: tuple[int, ...]
    reputation: tuple[int, ...]
    earned: tuple[tuple[int, ...], ...]
    artifacts: tuple[tuple[int, ...], ...]
    sides: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    cubes: tuple[tuple[int, ...], ...]
    piles: tuple[tuple[tuple[int, int], ...], ...]
    offers: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[int, ...], ...]
    divers: tuple[int, ...]
    catalogue: Catalogue

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Self:
        """The view whose fields these are, all of them: far cheaper than a frozen class's own way, one by one."""
        view = cls.__new__(cls)
        view.__dict__.update(facts)
        return view

    def __repr__(self) -> str:
        return f"<View viewer={self.viewer} moves={self.moves} round={self.round} phase={self.phase}>"
