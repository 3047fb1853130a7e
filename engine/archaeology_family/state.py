"""A match of the Archaeology family: its state with all hidden cards, and the view that one seat may have of it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add, sub
from typing import Annotated, Any, Final

from pydantic import Field

from engine.archaeology_family.card_list import MAP, Bundles
from engine.game import Decision, Outcome, QuickView
from engine.state import Derived, Hidden, MatchState, Number, Seen, no_entries, no_items, start

# The phases of a turn; each but OVER is the kind of the decision that waits.
DIG: Final = "dig"
STEAL: Final = "steal"
STORM: Final = "sandstorm"
ACT: Final = "act"
OVER: Final = "over"

Set = tuple[Number, Annotated[int, Field(ge=1)]]
"""A sold set: (treasure, how many)."""


Seat = Annotated[int, Field(ge=0, le=7)]
Counts = list[Annotated[int, Field(ge=0, le=255)]]
"""Cards by treasure."""


def _no_cards(match: Any) -> list[list[int]]:
    return [[0] * match.kinds for _ in range(match.seats)]


class State(MatchState):
    """Everything about a match. Counts are lists by treasure; only `Game.apply` changes them.

    `thieves` and `sandstorms` have been dug. `active` is the seat whose turn it is, `asked` the one that the match
    waits for, `queue` the seats that a Sandstorm still asks after `asked`. `dry`: the turn began with the dig site
    empty. `acted`: something was done in it, `fruitful`: a sale or an exploration. `stall`: dry turns without a sale
    or an exploration (R6). `duty`: a set must be sold before the turn ends. `row`: who passed, in a row (R5).
    `explored`: the turn's exploration has been made, in a game that has one a turn.

    `site` is the dig site, its top card last. `known[s]` counts, by treasure, the cards that everybody knows
    seat s to hold (taken from the market and not gone since); `learnt[s][o]` what observer o knows of the
    hand of s beyond that, from Thieves. Both are lower bounds. `gone` counts the cards that were sold, by treasure.
    """

    seats: Annotated[int, Field(ge=2, le=8)]
    kinds: Annotated[int, Field(ge=1, le=9)]
    thieves: Hidden[Number] = 0
    sandstorms: Hidden[Number] = 0
    maps_gone: Number = 0
    active: Seat = 0
    asked: Seat = 0
    phase: str = DIG
    moves: Number = 0
    dry: bool = False
    acted: bool = False
    fruitful: bool = False
    stall: Number = 0
    duty: bool = False
    explored: Hidden[Derived[bool]] = False
    counters: Hidden[dict[str, Number]] = start(no_entries)
    site: Hidden[list[Annotated[int, Field(ge=-2, le=8)]]] = start(no_items)
    market: Counts = start(lambda match: [0] * match.kinds)
    queue: list[Seat] = start(no_items)
    row: list[Seat] = start(no_items)
    hands: Annotated[list[Counts], Seen("owner", "hand")] = start(_no_cards)
    chambers: Hidden[list[Counts]] = start(no_items)
    known: Annotated[list[Counts], Seen("all", "public_known")] = start(_no_cards)
    sold: list[list[Set]] = start(lambda match: [no_items(match) for _ in range(match.seats)])
    learnt: Hidden[list[dict[Seat, Counts]]] = start(
        lambda match: [no_entries(match) for _ in range(match.seats)]
    )
    gone: Hidden[Derived[Counts]] = start(lambda match: _sold_by_kind(match))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} seats={self.seats} moves={self.moves} phase={self.phase}>"


def _sold_by_kind(match: Any) -> list[int]:
    sold = [0] * match.kinds
    for sets in match.sold:
        for kind, n in sets:
            sold[kind] += n
    return sold


Further = tuple[tuple[int, tuple[int, ...]], ...]
"""One seat's knowledge of some places beyond the public: the number of each, and counts by treasure."""


def together(public: tuple[tuple[int, ...], ...], own: Further) -> tuple[tuple[int, ...], ...]:
    """The public knowledge of all places and that of one seat, added up.

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
    """The knowledge of a match that one seat (or a spectator) may have. Counts are tuples by treasure. Made with `of`.

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
    def own_hand(self) -> tuple[int, ...]:
        """The hand of the viewer, who plays from a seat."""
        assert self.hand is not None
        return self.hand

    @property
    def unsold(self) -> list[int]:
        """By treasure, the cards that have not been sold."""
        return list(map(sub, self.copies, _sold_by_kind(self)))

    @property
    def unseen(self) -> list[int]:
        """By treasure, the cards that the viewer cannot place: they are in the dig site, chambers or other hands."""
        left, hands = self.unsold, list(self.known)
        left[MAP] -= self.maps_gone
        if self.viewer is not None and self.hand is not None:
            hands[self.viewer] = self.hand
        for counts in (self.market, *hands):
            for kind, n in enumerate(counts):
                left[kind] -= n
        return left

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
