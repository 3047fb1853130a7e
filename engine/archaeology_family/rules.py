"""The rules that both games of the Archaeology family share. Rulings R1 to R8 are named where they are kept.

A game of the family is a subclass: it gives the card list, lays out the chambers and says how they are explored.
`engine.archaeology` changes nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import MethodType
from typing import Any, ClassVar, Final

from engine.archaeology_family import moves as m
from engine.archaeology_family import sampling, turns
from engine.archaeology_family.card_list import DEAL, MAP, MARKET, CardList, bundles
from engine.archaeology_family.game import FamilyGame, S, V
from engine.archaeology_family.sampling import sample_discard, sample_kind, sample_trade
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM
from engine.archaeology_family.turns import begin_losses, dig, discard, end_turn, sell, steal, trade
from engine.chance import draw, shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Decision, Event, Feat, Options, one_decision

Handler = Callable[[Any, int, Any], list[Event]]


class ArchaeologyFamily(FamilyGame[S, V]):
    """A game of the Archaeology family: players dig, trade, explore and sell."""

    move_forms: ClassVar[Moves[Any]] = m.MOVES
    min_seats: ClassVar[int] = 2
    time_shares: ClassVar[Mapping[str, float]] = {STORM: 0.25}
    out_of_turn: ClassVar[frozenset[str]] = frozenset({STORM})
    daily: ClassVar[bool] = True

    def __init__(self, card_list: CardList) -> None:
        super().__init__(card_list)
        self._handlers: dict[type, Handler] = {
            m.Dig: MethodType(dig, self),
            m.Steal: MethodType(steal, self),
            m.Discard: MethodType(discard, self),
            m.Trade: MethodType(trade, self),
            m.Explore: self._explore,
            m.Sell: MethodType(sell, self),
            m.EndTurn: MethodType(end_turn, self),
        }

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
        begin_losses(self, state, events)

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

    def fill_chambers(self, state: S, view: V, hidden: list[int]) -> None:
        """Fills the chambers from the end of `hidden`."""
        state.chambers = [turns.lay_chamber(hidden, size, view.kinds) for size in view.chambers]

    def determinize(self, view: V, rng: Random) -> S:
        state = self.state_type.of_view(view, rng.randbytes(32))
        sampling.fill(self, state, view, rng)
        return state


_DIG: Final = m.Dig()
_END_TURN: Final = m.EndTurn()
