"""A game of the family, for the modules of its rules: its cards, its events, and how it differs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, CardList
from engine.archaeology_family.state import OVER, State, View
from engine.game import Event, Game, Outcome, rank

NOTHING: Final[Mapping[str, Any]] = {}

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)


class FamilyGame(Game[S, Any, V]):
    """The cards, and the events without variable parts, which are made once for all matches."""

    def __init__(self, card_list: CardList) -> None:
        self.card_list = card_list
        self.trade = tuple(treasure.trade for treasure in card_list.treasures)
        self.prices = tuple(treasure.sales for treasure in card_list.treasures)
        self.copies = tuple(treasure.copies for treasure in card_list.treasures)
        self.largest = tuple(treasure.largest for treasure in card_list.treasures)
        seats = range(self.max_seats)
        every = range(len(card_list.treasures))
        self._kinds = {count: card_list.kinds(count) for count in range(self.min_seats, self.max_seats + 1)}
        self._set_aside = {
            count: [MAP] * self.copies[MAP]
            + [THIEF] * card_list.thieves.by_seats[count]
            + [SANDSTORM] * card_list.sandstorms.by_seats[count]
            for count in self._kinds
        }
        self._decks = {
            count: [kind for kind in range(kinds) if kind != MAP for _ in range(self.copies[kind])]
            for count, kinds in self._kinds.items()
        }
        self.found = [
            [Event("found", seat, NOTHING, {"treasure": kind}, (seat,), True) for kind in every]
            for seat in seats
        ]
        self.sold = [
            [[self._sale(seat, kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
            for seat in seats
        ]
        self.sells = [[m.Sell(kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
        self.ended = [Event("ended", seat) for seat in seats]
        self.ended_empty = [Event("ended", seat, {"empty": True}) for seat in seats]
        self.passed = [Event("passed", seat) for seat in seats]

    def _sale(self, seat: int, kind: int, n: int) -> Event:
        price = self.prices[kind][n - 1]
        return Event("sold", seat, {"treasure": kind, "count": n, "price": price})

    @property
    def cards_digest(self) -> str:
        return self.card_list.digest

    @abstractmethod
    def strike(self, state: S, events: list[Event]) -> None:
        """Begins what a Sandstorm does."""

    def storm_order(self, state: S) -> list[int]:
        """The seats in the order in which a Sandstorm strikes them: from the one that dug, clockwise."""
        return [*range(state.active, state.seats), *range(state.active)]

    def after_sale(self, state: S) -> bool:
        """Offers the seller what a sale gives a right to. True if the turn goes on for that even with an empty hand."""
        return False

    def money(self, state: S) -> tuple[int, ...]:
        """The proceeds of each seat's sold sets, in dollars."""
        prices = self.prices
        return tuple([sum([prices[kind][n - 1] for kind, n in sets]) for sets in state.sold])

    def outcome(self, state: S) -> Outcome | None:
        if state.phase != OVER:
            return None
        money = self.money(state)
        cards = tuple([sum([n for _, n in sets]) for sets in state.sold])
        ranks = rank([(dollars, -n) for dollars, n in zip(money, cards, strict=True)])
        why = "money"
        if money.count(max(money)) > 1:
            why = "fewer-cards" if ranks.count(1) == 1 else "shared"  # R7
        return Outcome(ranks, money, why, cards)
