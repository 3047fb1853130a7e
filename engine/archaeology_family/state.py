"""A match of the Archaeology family: its state with all hidden cards, and the view that one seat may have of it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Final, Self

from engine.archaeology_family.card_list import Bundles
from engine.chance import Counters
from engine.game import Decision, Outcome, QuickView

# The phases of a turn; each but OVER is the kind of the decision that waits.
DIG: Final = "dig"
STEAL: Final = "steal"
STORM: Final = "sandstorm"
ACT: Final = "act"
OVER: Final = "over"

Set = tuple[int, int]
"""A sold set: (treasure, how many)."""


class State:
    """Everything about a match. Counts are lists by treasure; only `Game.apply` changes them.

    `site` is the dig site, its top card last. `known[s]` counts, by treasure, the cards that everybody knows
    seat s to hold (taken from the market and not gone since); `learnt[s][o]` what observer o knows of the
    hand of s beyond that, from Thieves. Both are lower bounds. `asked` is the seat that the match waits for,
    `active` the one whose turn it is, `queue` the seats that a Sandstorm still asks after `asked`.
    `dry`: the turn began with the dig site empty. `acted`: something was done in it, `fruitful`: a sale or an
    exploration. `row`: who passed, in a row (R5). `stall`: dry turns without a sale or an exploration (R6).
    `explored`: the turn's exploration has been made, in a game that has one a turn. `duty`: a set must be sold
    before the turn ends.
    """

    __slots__ = (
        "acted",
        "active",
        "asked",
        "chambers",
        "counters",
        "dry",
        "duty",
        "explored",
        "fruitful",
        "hands",
        "key",
        "kinds",
        "known",
        "learnt",
        "maps_gone",
        "market",
        "moves",
        "phase",
        "queue",
        "row",
        "sandstorms",
        "seats",
        "site",
        "sold",
        "stall",
        "thieves",
    )

    def __init__(self, seats: int, kinds: int, key: bytes) -> None:
        self.seats = seats
        self.kinds = kinds
        self.key = key
        self.counters: Counters = {}
        self.site: list[int] = []
        self.market: list[int] = [0] * kinds
        self.hands: list[list[int]] = [[0] * kinds for _ in range(seats)]
        self.chambers: list[list[int]] = []
        self.sold: list[list[Set]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[0] * kinds for _ in range(seats)]
        self.learnt: list[dict[int, list[int]]] = [{} for _ in range(seats)]
        self.thieves = 0
        self.sandstorms = 0
        self.maps_gone = 0
        self.active = 0
        self.asked = 0
        self.phase = DIG
        self.queue: list[int] = []
        self.moves = 0
        self.dry = False
        self.acted = False
        self.fruitful = False
        self.explored = False
        self.row: list[int] = []
        self.stall = 0
        self.duty = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} seats={self.seats} moves={self.moves} phase={self.phase}>"

    def copy(self) -> Self:
        """A copy of the match. What is then done to one of the two does not change the other."""
        twin = type(self).__new__(type(self))
        twin.seats = self.seats
        twin.kinds = self.kinds
        twin.key = self.key
        twin.thieves = self.thieves
        twin.sandstorms = self.sandstorms
        twin.maps_gone = self.maps_gone
        twin.active = self.active
        twin.asked = self.asked
        twin.phase = self.phase
        twin.moves = self.moves
        twin.dry = self.dry
        twin.acted = self.acted
        twin.fruitful = self.fruitful
        twin.explored = self.explored
        twin.stall = self.stall
        twin.duty = self.duty
        twin.counters = self.counters.copy()
        twin.site = self.site.copy()
        twin.market = self.market.copy()
        twin.hands = [hand.copy() for hand in self.hands]
        twin.chambers = [chamber.copy() for chamber in self.chambers]
        twin.sold = [sets.copy() for sets in self.sold]
        twin.known = [counts.copy() for counts in self.known]
        twin.learnt = [{o: counts.copy() for o, counts in about.items()} for about in self.learnt]
        twin.queue = self.queue.copy()
        twin.row = self.row.copy()
        return twin


Further = tuple[tuple[int, tuple[int, ...]], ...]
"""What one seat knows of some places beyond what everybody knows: the number of each, and counts by treasure."""


def together(public: tuple[tuple[int, ...], ...], own: Further) -> tuple[tuple[int, ...], ...]:
    """What everybody knows of all places and what one seat knows beyond that, added up.

    >>> together(((1, 0), (2, 0)), ((1, (1, 1)),))
    ((1, 0), (3, 1))
    """
    if not own:
        return public
    known = list(public)
    for place, counts in own:
        known[place] = tuple(map(add, known[place], counts))
    return tuple(known)


@dataclass(frozen=True)
class View(QuickView):
    """What one seat (or a spectator) may know of a match. Counts are tuples by treasure. Made with `of`.

    `hand` is the viewer's own, None for a spectator. `public_known[s]` counts cards that everybody knows seat s
    to hold; `learnt` is what the viewer knows of hands beyond that, and `known[s]` counts both together: lower
    bounds all. `thieves` and `sandstorms` are still in the dig site, `site` its cards in all.
    `chambers` are the cards left in each; `to_lose` is what the asked seat must choose for the Sandstorm.
    """

    viewer: int | None
    seats: int
    kinds: int
    moves: int
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    phase: str
    active: int
    asked: int
    queue: tuple[int, ...]
    site: int
    thieves: int
    sandstorms: int
    market: tuple[int, ...]
    chambers: tuple[int, ...]
    hand: tuple[int, ...] | None
    sizes: tuple[int, ...]
    public_known: tuple[tuple[int, ...], ...]
    learnt: Further
    sold: tuple[tuple[Set, ...], ...]
    maps_gone: int
    dry: bool
    acted: bool
    fruitful: bool
    row: tuple[int, ...]
    stall: int
    duty: bool
    money: tuple[int, ...]
    prices: tuple[tuple[int, ...], ...]
    trade: tuple[int, ...]
    copies: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} viewer={self.viewer} moves={self.moves} phase={self.phase}>"

    @property
    def known(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the cards that the viewer knows it to hold; of the viewer's own hand, what everybody knows."""
        return together(self.public_known, self.learnt)

    @property
    def to_lose(self) -> int:
        """How many cards the asked seat loses to the Sandstorm; 0 when none is being resolved."""
        return self.sizes[self.asked] // 2 if self.phase == STORM else 0

    @property
    def victims(self) -> tuple[int, ...]:
        """The opponents of the active seat who hold cards."""
        return tuple(s for s, size in enumerate(self.sizes) if size and s != self.active)

    def worth(self, cards: Bundles) -> int:
        """The trade value of some cards."""
        return sum(self.trade[kind] * count for kind, count in cards)
