"""The rules that both games of the Archaeology family share. Rulings R1 to R8 are named where they are kept.

A game of the family is a subclass: it gives the card list, lays out the chambers and says how they are explored.
`engine.archaeology` changes nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import MethodType
from typing import Any, ClassVar, Final, TypeVar

from engine.archaeology_family import determinize
from engine.archaeology_family import moves as m
from engine.archaeology_family.actions import end_turn, sell, trade
from engine.archaeology_family.card_list import (
    DEAL,
    MAP,
    MARKET,
    SANDSTORM,
    THIEF,
    CardList,
    bundles,
)
from engine.archaeology_family.digging import dig, steal
from engine.archaeology_family.sampling import sample_discard, sample_kind, sample_trade
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State, View
from engine.archaeology_family.storms import begin_losses, discard
from engine.chance import draw, shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Decision, Event, Feat, Game, Options, Outcome, one_decision, rank

_NOTHING: Final[Mapping[str, Any]] = {}

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

Handler = Callable[[Any, int, Any], list[Event]]


class ArchaeologyFamily(Game[S, Any, V]):
    """A game of the Archaeology family: players dig, trade, explore and sell."""

    move_forms: ClassVar[Moves[Any]] = m.MOVES
    min_seats: ClassVar[int] = 2
    time_shares: ClassVar[Mapping[str, float]] = {STORM: 0.25}
    out_of_turn: ClassVar[frozenset[str]] = frozenset({STORM})
    daily: ClassVar[bool] = True

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
            [Event("found", seat, _NOTHING, {"treasure": kind}, (seat,), True) for kind in every]
            for seat in seats
        ]
        self.sold = [
            [[self._sale(seat, kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
            for seat in seats
        ]
        self.sells = [[m.Sell(kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
        self.met_thief = [Event("thief", seat, reveals=True) for seat in seats]
        self.met_thief_in_vain = [Event("thief", seat, {"in_vain": True}, reveals=True) for seat in seats]
        self.met_storm = [Event("sandstorm", seat, reveals=True) for seat in seats]
        self.ended = [Event("ended", seat) for seat in seats]
        self.ended_empty = [Event("ended", seat, {"empty": True}) for seat in seats]
        self.passed = [Event("passed", seat) for seat in seats]
        self._handlers: dict[type, Handler] = {
            m.Dig: MethodType(dig, self),
            m.Steal: MethodType(steal, self),
            m.Discard: MethodType(discard, self),
            m.Trade: MethodType(trade, self),
            m.Explore: self._explore,
            m.Sell: MethodType(sell, self),
            m.EndTurn: MethodType(end_turn, self),
        }

    def _sale(self, seat: int, kind: int, n: int) -> Event:
        price = self.prices[kind][n - 1]
        return Event("sold", seat, {"treasure": kind, "count": n, "price": price})

    @property
    def cards_digest(self) -> str:
        return self.card_list.digest

    def feats(self, events: Iterable[Event]) -> Iterable[Feat]:
        """The price of each set that was sold."""
        return [
            Feat("sale", event.seat, event.facts["price"])
            for event in events
            if event.kind == "sold" and event.seat is not None
        ]

    # -- what the games differ in

    @abstractmethod
    def _make(self, seats: int, kinds: int, key: bytes, options: Options) -> S:
        """An empty state."""

    @abstractmethod
    def _lay_chambers(self, state: S, cards: list[int]) -> None:
        """Takes the chambers' cards from the end of `cards`."""

    @abstractmethod
    def _explore(self, state: S, seat: int, move: Any) -> list[Event]: ...

    @abstractmethod
    def _sample_explore(self, state: S, seat: int, rng: Random) -> Any | None:
        """A random exploration open to the seat, or None."""

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> S:
        self.check_seats(seats)
        state = self._make(seats, self._kinds[seats], seed, options)
        cards = self._decks[seats].copy()
        shuffle(state.key, state.counters, "deal", cards)
        for hand in state.hands:
            for _ in range(DEAL):
                hand[cards.pop()] += 1
        for _ in range(MARKET):
            state.market[cards.pop()] += 1
        self._lay_chambers(state, cards)
        cards += self._set_aside[seats]
        shuffle(state.key, state.counters, "site", cards)
        state.site = cards
        state.active = state.asked = draw(state.key, state.counters, "first", seats)
        return state

    def opening(self, state: S) -> list[Event]:
        return [Event("first", state.active, {"market": bundles(state.market)}, reveals=True)]

    # -- play
    # Agents that think ahead play a match some ten thousand times a minute. So events and moves without variable
    # parts are made once for all matches, and the others with `make`, which is quicker than their class.

    def pending(self, state: S) -> tuple[Decision, ...]:
        return () if state.phase == OVER else one_decision(state.moves, state.asked, state.phase)

    def apply(self, state: S, seat: int, move: object) -> list[Event]:
        if seat != state.asked or state.phase == OVER:
            raise NotYourMove
        try:
            handler = self._handlers[type(move)]
        except KeyError:
            raise IllegalMove("unknown-move") from None
        return handler(state, seat, move)

    def strike(self, state: S, events: list[Event]) -> None:
        """Begins what a Sandstorm does."""
        begin_losses(self, state, events)

    def storm_order(self, state: S) -> list[int]:
        """The seats in the order in which a Sandstorm strikes them: from the one that dug, clockwise."""
        return [*range(state.active, state.seats), *range(state.active)]

    def after_sale(self, state: S) -> bool:
        """Offers the seller what a sale gives a right to. True if the turn goes on for that even with an empty hand."""
        return False

    def upcoming(self, state: S, seat: int) -> S | None:
        """R2: a Sandstorm asks one player after another. Nobody's hand changes before their own loss."""
        if state.phase != STORM or seat not in state.queue:
            return None
        return self.asked_next(state, seat, STORM, state.queue)

    def asked_next(self, state: S, seat: int, phase: str, order: list[int]) -> S:
        """A copy in which this seat is asked already, and after it those who follow it in this order."""
        twin = state.copy()
        twin.phase, twin.asked = phase, seat
        twin.queue = order[order.index(seat) + 1 :]
        return twin

    # -- random play

    def sample(self, state: S, seat: int, rng: Random) -> Any:
        if state.phase == DIG:
            return _DIG
        if state.phase != ACT:
            return self._sample_answer(state, seat, rng)
        random = rng.random
        chance = random()
        if chance < 0.4 and not state.duty:
            return _END_TURN
        hand = state.hands[seat]
        if chance < 0.6:
            trade = sample_trade(hand, state.market, self.trade, rng)
            if trade:
                return trade
        elif chance < 0.7 and hand[MAP]:
            explore = self._sample_explore(state, seat, rng)
            if explore:
                return explore
        kind = sample_kind(hand, random)
        n = hand[kind]
        if n > 1:
            most = self.largest[kind]
            n = 1 + int(random() * (n if n < most else most))
        return self.sells[kind][n]

    def _sample_answer(self, state: S, seat: int, rng: Random) -> Any:
        """A random answer to what a turn's owner or another seat is asked between dig and actions."""
        hand = state.hands[seat]
        if state.phase == STORM:
            return m.Discard(sample_discard(hand, sum(hand) // 2, rng))
        if state.phase == STEAL:
            victims = [s for s, hand in enumerate(state.hands) if s != seat and any(hand)]
            return m.Steal(victims[int(rng.random() * len(victims))])
        raise AssertionError(f"nothing is asked in the phase {state.phase}")

    # -- views

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

    def view_facts(self, state: S, viewer: int | None) -> dict[str, Any]:
        """The fields of a `View` that the family shares."""
        seats, kinds = state.seats, state.kinds
        learnt: list[tuple[int, tuple[int, ...]]] = []
        if viewer is not None:
            for seat, about in enumerate(state.learnt):
                if viewer in about and any(about[viewer]):
                    learnt.append((seat, tuple(about[viewer])))
        facts = state.seen_by(viewer)
        facts["pending"] = self.pending(state)
        facts["outcome"] = self.outcome(state)
        facts["site"] = len(state.site)
        facts["thieves"] = self.card_list.thieves.by_seats[seats] - state.thieves
        facts["sandstorms"] = self.card_list.sandstorms.by_seats[seats] - state.sandstorms
        facts["chambers"] = tuple(map(sum, state.chambers))
        facts["sizes"] = tuple(map(sum, state.hands))
        facts["learnt"] = tuple(learnt)
        facts["money"] = self.money(state)
        facts["prices"] = self.prices[:kinds]
        facts["trade"] = self.trade[:kinds]
        facts["copies"] = self.copies[:kinds]
        return facts

    def subtract_seen(self, view: V, unseen: list[int]) -> None:
        """Subtracts from `unseen` what else the view of this game shows."""

    def fill_chambers(self, state: S, view: V, hidden: list[int]) -> None:
        """Fills the chambers from the end of `hidden`."""
        state.chambers = []
        for size in view.chambers:
            chamber = [0] * view.kinds
            for _ in range(size):
                chamber[hidden.pop()] += 1
            state.chambers.append(chamber)

    def determinize(self, view: V, rng: Random) -> S:
        state = self.state_type.of_view(view, rng.randbytes(32))
        determinize.fill(self, state, view, rng)
        return state


_DIG: Final = m.Dig()
_END_TURN: Final = m.EndTurn()
