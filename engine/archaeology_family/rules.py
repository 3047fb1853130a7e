"""The rules that both games of the Archaeology family share. Rulings R1 to R8 are named where they are kept.

A game of the family is a subclass: it gives the card list, lays out the chambers and says how they are explored.
`engine.archaeology` changes nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from engine.archaeology_family import moves as m
from engine.archaeology_family import snapshot
from engine.archaeology_family.card_list import (
    DEAL,
    MAP,
    MARKET,
    SANDSTORM,
    THIEF,
    TREASURES,
    CardList,
    bundles,
)
from engine.archaeology_family.sampling import sample_discard, sample_kind, sample_trade
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State, View
from engine.chance import draw, shuffle
from engine.errors import BadData, IllegalMove, NotYourMove
from engine.game import Decision, Event, Game, Options, Outcome, make, rank, sole

STALL_ROUNDS: Final = 3
"""R6: after so many dry turns for each player without a sale or an exploration, somebody must sell."""

EACH: Final = (1,) * len(TREASURES)
_NOTHING: Final[Mapping[str, Any]] = {}

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

Handler = Callable[[Any, int, Any], list[Event]]


class ArchaeologyFamily(Game[S, Any, V]):
    """A game of the Archaeology family: players dig, trade, explore and sell."""

    min_seats: ClassVar[int] = 2
    limits: ClassVar[Mapping[str, float]] = {STORM: 0.25}
    out_of_turn: ClassVar[frozenset[str]] = frozenset({STORM})

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
        self._found = [
            [Event("found", seat, _NOTHING, {"treasure": kind}, (seat,), True) for kind in every]
            for seat in seats
        ]
        self._sold = [
            [[self._sale(seat, kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
            for seat in seats
        ]
        self._sells = [[m.Sell(kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
        self._met_thief = [Event("thief", seat, final=True) for seat in seats]
        self._met_storm = [Event("sandstorm", seat, final=True) for seat in seats]
        self._ended = [Event("ended", seat) for seat in seats]
        self._passed = [Event("passed", seat) for seat in seats]
        self._handlers: dict[type, Handler] = {
            m.Dig: self._dig,
            m.Steal: self._steal,
            m.Discard: self._discard,
            m.Trade: self._trade,
            m.Explore: self._explore,
            m.Sell: self._sell,
            m.EndTurn: self._end_turn,
        }

    def _sale(self, seat: int, kind: int, n: int) -> Event:
        price = self.prices[kind][n - 1]
        return Event("sold", seat, {"treasure": kind, "count": n, "price": price})

    @property
    def cards_digest(self) -> str:
        return self.card_list.digest

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

    def _storm_order(self, state: S) -> list[int]:
        """The seats in the order in which a Sandstorm strikes them: from who dug, clockwise."""
        return [*range(state.active, state.seats), *range(state.active)]

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
        return [Event("first", state.active, {"market": bundles(state.market)}, final=True)]

    # -- play
    # Agents that think ahead play a match some ten thousand times a minute. So events and moves without variable
    # parts are made once for all matches, and the others with `make`, which is quicker than their class.

    def pending(self, state: S) -> tuple[Decision, ...]:
        return () if state.phase == OVER else sole(state.moves, state.asked, state.phase)

    def apply(self, state: S, seat: int, move: object) -> list[Event]:
        if seat != state.asked or state.phase == OVER:
            raise NotYourMove
        try:
            handler = self._handlers[type(move)]
        except KeyError:
            raise IllegalMove("unknown-move") from None
        return handler(state, seat, move)

    def _dig(self, state: S, seat: int, move: m.Dig) -> list[Event]:
        if state.phase != DIG:
            raise IllegalMove("no-dig-due")
        state.moves += 1
        card = state.site.pop()
        if card >= 0:
            state.hands[seat][card] += 1
            state.phase = ACT
            return [self._found[seat][card]]
        if card == THIEF:
            return self._thief(state, seat)
        return self._sandstorm(state, seat)

    def _thief(self, state: S, seat: int) -> list[Event]:
        state.thieves += 1
        events = [self._met_thief[seat]]
        victims = [s for s, hand in enumerate(state.hands) if s != seat and any(hand)]
        if not victims:
            self._begin_actions(state, events)
        elif len(victims) == 1:  # public facts leave one choice (R2): nobody is asked
            self._take(state, seat, victims[0], events)
        else:
            state.phase = STEAL
        return events

    def _steal(self, state: S, seat: int, move: m.Steal) -> list[Event]:
        if state.phase != STEAL:
            raise IllegalMove("no-thief-due")
        victim = move.victim
        if victim == seat or not 0 <= victim < state.seats:
            raise IllegalMove("thief-needs-opponent")
        if not any(state.hands[victim]):
            raise IllegalMove("thief-needs-cards")
        state.moves += 1
        events: list[Event] = []
        self._take(state, seat, victim, events)
        return events

    def _take(self, state: S, thief: int, victim: int, events: list[Event]) -> None:
        hand = state.hands[victim]
        left = draw(state.key, state.counters, "thief", sum(hand))
        card = 0
        while left >= hand[card]:
            left -= hand[card]
            card += 1
        hand[card] -= 1
        state.hands[thief][card] += 1
        self._learn_theft(state, thief, victim, card)
        concerned = (thief, victim)
        events.append(make(Event, ("stolen", thief, {"victim": victim}, {"treasure": card}, concerned, True)))
        self._begin_actions(state, events)

    def _sandstorm(self, state: S, seat: int) -> list[Event]:
        state.sandstorms += 1
        events = [self._met_storm[seat]]
        self._strike(state, events)
        return events

    def ahead(self, state: S, seat: int) -> S | None:
        """R2: a Sandstorm asks one player after another. Nobody's hand changes before their own loss."""
        if state.phase != STORM or seat not in state.queue:
            return None
        return self._asked_ahead(state, seat, STORM, state.queue)

    def _asked_ahead(self, state: S, seat: int, phase: str, order: list[int]) -> S:
        """A copy in which this seat is asked already, and after it those who follow it in this order."""
        twin = self.copy(state)
        twin.phase, twin.asked = phase, seat
        twin.queue = order[order.index(seat) + 1 :]
        return twin

    def _strike(self, state: S, events: list[Event]) -> None:
        """Begins the Sandstorm's losses. R2: who holds 0 or 1 card loses nothing and is not asked."""
        state.queue = self._struck(state)
        self._next_in_storm(state, events)

    def _struck(self, state: S) -> list[int]:
        """The seats that lose cards to the Sandstorm, in the order in which they are asked."""
        hands = state.hands
        return [s for s in self._storm_order(state) if sum(hands[s]) > 1]

    def _next_in_storm(self, state: S, events: list[Event]) -> None:
        if state.queue:
            state.asked = state.queue.pop(0)
            state.phase = STORM
            return
        state.asked = state.active
        if state.site:
            state.phase = DIG
        else:  # R3: no second dig
            self._begin_actions(state, events)

    def _discard(self, state: S, seat: int, move: m.Discard) -> list[Event]:
        if state.phase != STORM:
            raise IllegalMove("no-sandstorm")
        hand, cards = state.hands[seat], move.cards
        count = m.weigh(hand, cards, EACH, "not-in-hand")
        due = sum(hand) // 2
        if count != due:
            raise IllegalMove("discard-count", due=due, chosen=count)
        state.moves += 1
        market = state.market
        for kind, n in cards:
            hand[kind] -= n
            market[kind] += n
            self._forget(state, seat, kind, n)
        events = [make(Event, ("lost", seat, {"cards": cards}, _NOTHING, (), False))]
        self._next_in_storm(state, events)
        return events

    def _trade(self, state: S, seat: int, move: m.Trade) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        give, take = move
        if not give or not take:
            raise IllegalMove("trade-needs-both")
        hand, market = state.hands[seat], state.market
        over = m.weigh(hand, give, self.trade, "not-in-hand")
        over -= m.weigh(market, take, self.trade, "not-in-market")
        if over < 0:
            raise IllegalMove("trade-too-dear", short=-over)
        state.moves += 1
        for kind, n in give:
            hand[kind] -= n
            market[kind] += n
            self._forget(state, seat, kind, n)
        known = state.known[seat]
        for kind, n in take:
            hand[kind] += n
            market[kind] -= n
            known[kind] += n
        state.acted = True
        state.row.clear()
        return [
            make(Event, ("traded", seat, {"give": give, "take": take, "over": over}, _NOTHING, (), False))
        ]

    def _sell(self, state: S, seat: int, move: m.Sell) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        kind, count = move
        if not 0 <= kind < state.kinds or count < 1:
            raise IllegalMove("no-such-set")
        if count > self.largest[kind]:
            raise IllegalMove("set-too-large", treasure=kind, largest=self.largest[kind])
        hand = state.hands[seat]
        left = hand[kind] - count
        if left < 0:
            raise IllegalMove("not-in-hand", treasure=kind)
        state.moves += 1
        hand[kind] = left
        self._forget(state, seat, kind, count)
        state.sold[seat].append((kind, count))
        state.acted = state.fruitful = True
        if state.dry:
            self._go_on(state)
            state.duty = False
        events = [self._sold[seat][kind][count]]
        if not self._after_sale(state) and not any(hand):
            self._leave_empty_hand(state, events)
        return events

    def _after_sale(self, state: S) -> bool:
        """Offers the seller what a sale gives a right to. True if the turn goes on for that even with an empty hand."""
        return False

    def _end_turn(self, state: S, seat: int, move: m.EndTurn) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        if state.duty:
            raise IllegalMove("must-sell")
        state.moves += 1
        return [self._close_turn(state)]

    def _spend_maps(self, state: S, seat: int, cost: int) -> None:
        """Begins an exploration: its Maps leave the game."""
        hand = state.hands[seat]
        if hand[MAP] < cost:
            raise IllegalMove("too-few-maps", cost=cost)
        state.moves += 1
        hand[MAP] -= cost
        state.maps_gone += cost
        self._forget(state, seat, MAP, cost)
        state.acted = state.fruitful = True
        self._go_on(state)

    def _go_on(self, state: S) -> None:
        """Begins the row of R5 and the count of R6 anew, for something was done that cannot go on for ever."""
        state.stall = 0
        state.row.clear()

    # -- the course of turns

    def _begin_actions(self, state: S, events: list[Event]) -> None:
        state.asked = state.active
        state.phase = ACT
        if not any(state.hands[state.active]):
            self._leave_empty_hand(state, events)

    def _leave_empty_hand(self, state: S, events: list[Event]) -> None:
        """Ends the turn of a seat without cards, for it has nothing to choose, or the match if nobody has any (R4)."""
        if not state.site and not any(map(any, state.hands)):
            self._finish(state, events)
        else:
            events.append(self._close_turn(state))

    def _close_turn(self, state: S) -> Event:
        seat = state.active
        event = self._close_dry_turn(state, seat) if state.dry else self._ended[seat]
        state.acted = state.fruitful = state.explored = False
        following = seat + 1
        if following == state.seats:
            following = 0
        if state.site:
            state.phase = DIG
        else:
            following = self._begin_dry_turn(state, following)
        state.active = state.asked = following
        return event

    def _close_dry_turn(self, state: S, seat: int) -> Event:
        if not state.fruitful:
            state.stall += 1
        if state.acted:
            return self._ended[seat]
        state.row.append(seat)
        return self._passed[seat]

    def _begin_dry_turn(self, state: S, following: int) -> int:
        """Begins a turn without a dig and returns whose it is. R4: who holds no card is skipped."""
        hands = state.hands
        while not any(hands[following]):
            following = (following + 1) % state.seats
        state.phase = ACT
        state.dry = True
        holders = sum(map(any, hands))
        state.duty = len(state.row) >= holders or state.stall >= STALL_ROUNDS * holders
        return following

    def _finish(self, state: S, events: list[Event]) -> None:
        state.phase = OVER
        outcome = self.outcome(state)
        assert outcome
        events.append(Event("over", None, {"winners": outcome.winners, "scores": outcome.scores}, final=True))

    # -- what seats know of hands

    def _forget(self, state: S, seat: int, kind: int, n: int) -> None:
        """Forgets that cards are in a hand which have openly left it: first what everybody knew, then what single seats
        did.
        """
        known = state.known[seat]
        left = known[kind] - n
        if left >= 0:
            known[kind] = left
            return
        known[kind] = 0
        for counts in state.learnt[seat].values():
            if counts[kind]:
                counts[kind] = max(0, counts[kind] + left)

    def _learn_theft(self, state: S, thief: int, victim: int, card: int) -> None:
        """The two concerned know which card went over; to others any card known in the hand may be it.

        So others know one card less of every treasure, and the thief of the stolen one. What everybody knows
        bears the loss first; the thief, who has seen that most of it still holds, keeps that knowledge alone.
        """
        known, learnt = state.known[victim], state.learnt[victim]
        for observer, counts in learnt.items():
            for kind in (card,) if observer == thief else range(state.kinds):
                if counts[kind] and not known[kind]:
                    counts[kind] -= 1
        if any(known):
            kept = learnt.setdefault(thief, [0] * state.kinds)
            for kind, public in enumerate(known):
                if public:
                    known[kind] = public - 1
                    if kind != card:
                        kept[kind] += 1
        state.learnt[thief].setdefault(victim, [0] * state.kinds)[card] += 1

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
        return self._sells[kind][n]

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

    def copy(self, state: S) -> S:
        return state.copy()

    def money(self, state: S) -> tuple[int, ...]:
        """What each seat's sold sets have brought, in dollars."""
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

    def _view_facts(self, state: S, viewer: int | None) -> dict[str, Any]:
        """The fields of a `View` that the family shares."""
        seats, kinds = state.seats, state.kinds
        learnt: list[tuple[int, tuple[int, ...]]] = []
        if viewer is not None:
            for seat, about in enumerate(state.learnt):
                if viewer in about and any(about[viewer]):
                    learnt.append((seat, tuple(about[viewer])))
        return {
            "viewer": viewer,
            "seats": seats,
            "kinds": kinds,
            "moves": state.moves,
            "pending": self.pending(state),
            "outcome": self.outcome(state),
            "phase": state.phase,
            "active": state.active,
            "asked": state.asked,
            "queue": tuple(state.queue),
            "site": len(state.site),
            "thieves": self.card_list.thieves.by_seats[seats] - state.thieves,
            "sandstorms": self.card_list.sandstorms.by_seats[seats] - state.sandstorms,
            "market": tuple(state.market),
            "chambers": tuple(map(sum, state.chambers)),
            "hand": tuple(state.hands[viewer]) if viewer is not None else None,
            "sizes": tuple(map(sum, state.hands)),
            "public_known": tuple(map(tuple, state.known)),
            "learnt": tuple(learnt),
            "sold": tuple(map(tuple, state.sold)),
            "maps_gone": state.maps_gone,
            "dry": state.dry,
            "acted": state.acted,
            "fruitful": state.fruitful,
            "row": tuple(state.row),
            "stall": state.stall,
            "duty": state.duty,
            "money": self.money(state),
            "prices": self.prices[:kinds],
            "trade": self.trade[:kinds],
            "copies": self.copies[:kinds],
        }

    def _imagine_base(self, state: S, view: V, rng: Random) -> list[int]:
        """Fills in what the view shows, fills the chambers and the hands, and returns the rest: the dig site.

        No chamber holds Maps (set-up, step 1), so they join the hidden cards once the chambers are filled.
        """
        state.market = list(view.market)
        state.sold = [list(sets) for sets in view.sold]
        state.known = [list(counts) for counts in view.public_known]
        if view.viewer is not None:
            for seat, counts in view.learnt:
                state.learnt[seat][view.viewer] = list(counts)
        state.maps_gone = view.maps_gone
        state.thieves = self.card_list.thieves.by_seats[view.seats] - view.thieves
        state.sandstorms = self.card_list.sandstorms.by_seats[view.seats] - view.sandstorms
        for name in ("active", "asked", "phase", "moves", "dry", "acted", "fruitful", "stall", "duty"):
            setattr(state, name, getattr(view, name))
        state.queue, state.row = list(view.queue), list(view.row)
        unseen = list(view.copies)
        unseen[MAP] -= view.maps_gone
        for sets in view.sold:
            for kind, n in sets:
                unseen[kind] -= n
        known = view.known
        seen = [view.market, *known]
        state.hands = [list(counts) for counts in known]
        if view.viewer is not None and view.hand is not None:
            state.hands[view.viewer] = list(view.hand)
            seen[1 + view.viewer] = view.hand
        for counts in seen:
            for kind, n in enumerate(counts):
                unseen[kind] -= n
        self._imagine_seen(view, unseen)
        hidden = [kind for kind, n in enumerate(unseen) if kind != MAP for _ in range(n)]
        rng.shuffle(hidden)
        self._imagine_chambers(state, view, hidden)
        hidden += [MAP] * unseen[MAP]
        rng.shuffle(hidden)
        for seat, hand in enumerate(state.hands):
            for _ in range(view.sizes[seat] - sum(hand)):
                hand[hidden.pop()] += 1
        hidden += [THIEF] * view.thieves + [SANDSTORM] * view.sandstorms
        rng.shuffle(hidden)
        return hidden

    def _imagine_seen(self, view: V, unseen: list[int]) -> None:
        """Subtracts from `unseen` what else the view of this game shows."""

    def _imagine_chambers(self, state: S, view: V, hidden: list[int]) -> None:
        """Fills the chambers from the end of `hidden`."""
        state.chambers = []
        for size in view.chambers:
            chamber = [0] * view.kinds
            for _ in range(size):
                chamber[hidden.pop()] += 1
            state.chambers.append(chamber)

    def imagine(self, view: V, rng: Random) -> S:
        state = self._imagine_empty(view, rng.randbytes(32))
        state.site = self._imagine_base(state, view, rng)
        return state

    @abstractmethod
    def _imagine_empty(self, view: V, key: bytes) -> S:
        """An empty state for this view's match."""

    # -- data

    def dump(self, state: S) -> dict[str, Any]:
        return snapshot.dump(state, self.cards_digest)

    def _read(self, data: Mapping[str, Any], form: type[snapshot.Snapshot] = snapshot.Snapshot) -> Any:
        """The fields of a snapshot of this game, of this `form`. Raises `BadData`, `UnknownVersion`."""
        fields = snapshot.read(data, self.cards_digest, form)
        if fields.kinds != self._kinds.get(fields.seats):
            raise BadData("the snapshot is damaged at seats")
        return fields

    def _accept(self, state: S) -> S:
        """A state just read, if all its cards are there. Raises `BadData`."""
        hazards = (state.thieves + state.site.count(THIEF), state.sandstorms + state.site.count(SANDSTORM))
        due = (self.card_list.thieves.by_seats[state.seats], self.card_list.sandstorms.by_seats[state.seats])
        if hazards != due or self.census(state) != list(self.copies[: state.kinds]):
            raise BadData("the snapshot is damaged: its cards are not those of the card_list")
        if any(n > self.largest[kind] for sets in state.sold for kind, n in sets):
            raise BadData("the snapshot is damaged at sold")
        return state

    def census(self, state: S) -> list[int]:
        """The treasures wherever they are, discarded Maps included, counted by treasure."""
        counts = [sum(place) for place in zip(state.market, *state.hands, *state.chambers, strict=True)]
        for card in state.site:
            if card >= 0:
                counts[card] += 1
        for sets in state.sold:
            for kind, n in sets:
                counts[kind] += n
        counts[MAP] += state.maps_gone
        return counts

    def dump_move(self, move: Any) -> dict[str, Any]:
        return m.dump_move(move)

    def load_move(self, data: Mapping[str, Any]) -> Any:
        return m.load_move(data)


_DIG: Final = m.Dig()
_END_TURN: Final = m.EndTurn()
