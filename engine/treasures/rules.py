"""The rules that both Archaeology games share. Rulings R1 to R8 of the rule page are named where they are kept.

A subclass gives the card table, lays out the chambers and says how they are explored; `engine.archaeology` changes
nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from engine.chance import draw, shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.game import Decision, Event, Game, Options, Outcome, rank
from engine.treasures import moves as m
from engine.treasures import snapshot
from engine.treasures.sampling import sample_bundle, sample_discard, sample_trade
from engine.treasures.state import ACT, DIG, OVER, STEAL, STORM, State, View
from engine.treasures.table import MAP, SANDSTORM, THIEF, Bundles, CardTable, bundles

DEAL: Final = 4
MARKET: Final = 5
STALL_ROUNDS: Final = 3
"""R6: so many dry turns a player without a sale or an exploration, and somebody must sell."""

_NOTHING: Final[Mapping[str, Any]] = {}
_new = tuple.__new__

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

Handler = Callable[[Any, int, Any], list[Event]]


class TreasureGame(Game[S, Any, V]):
    """Dig, trade, explore, sell: a game of the Archaeology family."""

    min_seats: ClassVar[int] = 2

    def __init__(self, table: CardTable) -> None:
        self.table = table
        self.trade = tuple(treasure.trade for treasure in table.treasures)
        self.prices = tuple(treasure.sales for treasure in table.treasures)
        self.copies = tuple(treasure.copies for treasure in table.treasures)
        self.largest = tuple(treasure.largest for treasure in table.treasures)
        seats = range(self.max_seats)
        every = range(len(table.treasures))
        self._found = [
            [Event("found", seat, _NOTHING, {"treasure": kind}, (seat,), True) for kind in every] for seat in seats
        ]
        self._sold = [
            [[self._sale(seat, kind, n) for n in range(self.largest[kind] + 1)] for kind in every]
            for seat in seats
        ]
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
    def table_digest(self) -> str:
        return self.table.digest

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
        return [(state.active + step) % state.seats for step in range(state.seats)]

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> S:
        if not self.min_seats <= seats <= self.max_seats:
            raise IllegalMove("seats", least=self.min_seats, most=self.max_seats)
        kinds = self.table.kinds(seats)
        state = self._make(seats, kinds, seed, options)
        cards = [kind for kind in range(kinds) if kind != MAP for _ in range(self.copies[kind])]
        shuffle(state.key, state.counters, "deal", cards)
        for hand in state.hands:
            for _ in range(DEAL):
                hand[cards.pop()] += 1
        for _ in range(MARKET):
            state.market[cards.pop()] += 1
        self._lay_chambers(state, cards)
        cards += [MAP] * self.copies[MAP]
        cards += [THIEF] * self.table.thieves.by_seats[seats]
        cards += [SANDSTORM] * self.table.sandstorms.by_seats[seats]
        shuffle(state.key, state.counters, "site", cards)
        state.site = cards
        state.active = state.asked = draw(state.key, state.counters, "first", seats)
        return state

    def opening(self, state: S) -> list[Event]:
        return [Event("first", state.active, {"market": bundles(state.market)}, final=True)]

    # -- play
    # Events and moves without variable parts are made once: a match is played some ten thousand times a minute
    # by agents that think ahead, and `_new` makes a named tuple at half the price of calling its class.

    def pending(self, state: S) -> tuple[Decision, ...]:
        if state.phase == OVER:
            return ()
        return (_new(Decision, (state.moves, state.asked, state.phase)),)

    def apply(self, state: S, seat: int, move: Any) -> list[Event]:
        if seat != state.asked or state.phase == OVER:
            raise NotYourMove
        handler = self._handlers.get(type(move))
        if handler is None:
            raise IllegalMove("unknown-move")
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
        events.append(_new(Event, ("stolen", thief, {"victim": victim}, {"treasure": card}, concerned, True)))
        self._begin_actions(state, events)

    def _sandstorm(self, state: S, seat: int) -> list[Event]:
        state.sandstorms += 1
        events = [self._met_storm[seat]]
        self._strike(state, events)
        return events

    def _strike(self, state: S, events: list[Event]) -> None:
        """Begins the Sandstorm's losses. R2: who holds 0 or 1 card loses nothing and is not asked."""
        state.queue = [s for s in self._storm_order(state) if sum(state.hands[s]) > 1]
        self._next_in_storm(state, events)

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
        count = self._holding(state, hand, cards, "not-in-hand")
        due = sum(hand) // 2
        if count != due:
            raise IllegalMove("discard-count", due=due, chosen=count)
        state.moves += 1
        market = state.market
        for kind, n in cards:
            hand[kind] -= n
            market[kind] += n
        self._forget(state, seat, cards)
        events = [_new(Event, ("lost", seat, {"cards": cards}, _NOTHING, (), False))]
        self._next_in_storm(state, events)
        return events

    def _trade(self, state: S, seat: int, move: m.Trade) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        give, take = move
        if not give or not take:
            raise IllegalMove("trade-needs-both")
        hand, market, trade = state.hands[seat], state.market, self.trade
        self._holding(state, hand, give, "not-in-hand")
        self._holding(state, market, take, "not-in-market")
        over = 0
        for kind, n in give:
            over += trade[kind] * n
        for kind, n in take:
            over -= trade[kind] * n
        if over < 0:
            raise IllegalMove("trade-too-dear", short=-over)
        state.moves += 1
        self._forget(state, seat, give)
        known = state.known[seat]
        for kind, n in give:
            hand[kind] -= n
            market[kind] += n
        for kind, n in take:
            hand[kind] += n
            market[kind] -= n
            known[kind] += n
        state.acted = True
        if state.row:
            state.row.clear()
        return [_new(Event, ("traded", seat, {"give": give, "take": take, "over": over}, _NOTHING, (), False))]

    def _sell(self, state: S, seat: int, move: m.Sell) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        kind, count = move
        if not 0 <= kind < state.kinds or count < 1:
            raise IllegalMove("no-such-set")
        if count > self.largest[kind]:
            raise IllegalMove("set-too-large", treasure=kind, largest=self.largest[kind])
        hand = state.hands[seat]
        if hand[kind] < count:
            raise IllegalMove("not-in-hand", treasure=kind)
        state.moves += 1
        hand[kind] -= count
        if state.known[seat][kind] or state.learnt[seat]:
            self._forget(state, seat, ((kind, count),))
        state.sold[seat].append((kind, count))
        state.acted = state.fruitful = True
        state.duty = False
        state.stall = 0
        if state.row:
            state.row.clear()
        events = [self._sold[seat][kind][count]]
        self._after_sale(state, events)
        return events

    def _after_sale(self, state: S, events: list[Event]) -> None:
        if not any(state.hands[state.active]):
            self._leave_empty_hand(state, events)

    def _end_turn(self, state: S, seat: int, move: m.EndTurn) -> list[Event]:
        if state.phase != ACT:
            raise IllegalMove("not-now")
        if state.duty:
            raise IllegalMove("must-sell")
        state.moves += 1
        events: list[Event] = []
        self._close_turn(state, events)
        return events

    # -- the course of turns

    def _begin_actions(self, state: S, events: list[Event]) -> None:
        state.asked = state.active
        state.phase = ACT
        if not any(state.hands[state.active]):
            self._leave_empty_hand(state, events)

    def _leave_empty_hand(self, state: S, events: list[Event]) -> None:
        """Who holds nothing has nothing to choose: the turn ends, or the match where nobody holds a card (R4)."""
        if not state.site and not any(map(any, state.hands)):
            self._finish(state, events)
        else:
            self._close_turn(state, events)

    def _close_turn(self, state: S, events: list[Event]) -> None:
        seat = state.active
        if state.dry:
            if not state.fruitful:
                state.stall += 1
            if not state.acted:
                state.row.append(seat)
        events.append(self._ended[seat] if state.acted or not state.dry else self._passed[seat])
        state.acted = state.fruitful = False
        following = (seat + 1) % state.seats
        if state.site:
            state.phase = DIG
        else:
            following = self._begin_dry_turn(state, following)
        state.active = state.asked = following

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

    def _forget(self, state: S, seat: int, gone: Bundles) -> None:
        """Cards that leave a hand in the open are no longer known to be in it."""
        known = state.known[seat]
        for kind, n in gone:
            before = known[kind]
            if before >= n:
                known[kind] = before - n
                continue
            known[kind] = 0
            for counts in state.learnt[seat].values():
                if counts[kind]:
                    counts[kind] = max(0, counts[kind] - (n - before))

    def _learn_theft(self, state: S, thief: int, victim: int, card: int) -> None:
        """The two concerned know which card went over; to others any card known in the victim's hand may be it."""
        known, learnt = state.known[victim], state.learnt[victim]
        if any(known):
            learnt.setdefault(thief, [0] * state.kinds)
        for observer, counts in learnt.items():
            for kind, public in enumerate(known):
                total = public + counts[kind]
                if total:
                    if observer != thief or kind == card:
                        total -= 1
                    counts[kind] = total - public + 1 if public else total
        for kind, public in enumerate(known):
            if public:
                known[kind] = public - 1
        about_thief = state.learnt[thief]
        if victim not in about_thief:
            about_thief[victim] = [0] * state.kinds
        about_thief[victim][card] += 1

    def _holding(self, state: S, counts: list[int], cards: Bundles, code: str) -> int:
        """How many cards these are, after checking that they are well formed and all among `counts`."""
        last, total, kinds = -1, 0, state.kinds
        for kind, n in cards:
            if not last < kind < kinds or n < 1:
                raise IllegalMove("malformed-cards")
            if counts[kind] < n:
                raise IllegalMove(code, treasure=kind)
            last = kind
            total += n
        return total

    # -- random play

    def sample(self, state: S, seat: int, rng: Random) -> Any:
        phase = state.phase
        if phase == DIG:
            return _DIG
        if phase == ACT:
            return self._sample_action(state, seat, rng)
        if phase == STORM:
            hand = state.hands[seat]
            return m.Discard(sample_discard(hand, sum(hand) // 2, rng))
        victims = [s for s, hand in enumerate(state.hands) if s != seat and any(hand)]
        return m.Steal(victims[int(rng.random() * len(victims))])

    def _sample_action(self, state: S, seat: int, rng: Random) -> Any:
        hand = state.hands[seat]
        chance = rng.random()
        if chance < 0.4 and not state.duty:
            return _END_TURN
        if chance < 0.6:
            trade = sample_trade(hand, state.market, self.trade, rng)
            if trade:
                return trade
        elif chance < 0.7:
            explore = self._sample_explore(state, seat, rng)
            if explore:
                return explore
        kind, n = sample_bundle(hand, rng.random)
        largest = self.largest[kind]
        if n > largest:
            n = 1 + int(rng.random() * largest)
        return _new(m.Sell, (kind, n))

    # -- views

    def copy(self, state: S) -> S:
        return state.copy()  # type: ignore[return-value]

    def money(self, state: S) -> tuple[int, ...]:
        """What each seat's sold sets have brought, in dollars."""
        prices = self.prices
        return tuple(sum(prices[kind][n - 1] for kind, n in sets) for sets in state.sold)

    def outcome(self, state: S) -> Outcome | None:
        if state.phase != OVER:
            return None
        money = self.money(state)
        cards = tuple(sum(n for _, n in sets) for sets in state.sold)
        ranks = rank([(money[s], -cards[s]) for s in range(state.seats)])
        richest = [s for s in range(state.seats) if money[s] == max(money)]
        if len(richest) == 1:
            why = "money"
        elif sum(r == 1 for r in ranks) == 1:
            why = "fewer-cards"
        else:
            why = "shared"
        return Outcome(ranks, money, why, cards)

    def _view_facts(self, state: S, viewer: int | None) -> dict[str, Any]:
        """The fields of a `View` that the family shares."""
        seats, kinds = state.seats, state.kinds
        learnt = state.learnt
        known: list[tuple[int, ...]] = []
        for seat, counts in enumerate(state.known):
            more = learnt[seat].get(viewer) if viewer is not None else None
            known.append(tuple(map(sum, zip(counts, more, strict=True))) if more else tuple(counts))
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
            "thieves": self.table.thieves.by_seats[seats] - state.thieves,
            "sandstorms": self.table.sandstorms.by_seats[seats] - state.sandstorms,
            "market": tuple(state.market),
            "chambers": tuple(map(sum, state.chambers)),
            "hand": tuple(state.hands[viewer]) if viewer is not None else None,
            "sizes": tuple(map(sum, state.hands)),
            "known": tuple(known),
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
        """Fills in what the view shows, deals the hidden hands and returns the hidden cards left for the chambers
        and the dig site: first those that are no Maps, shuffled; Maps, which no chamber holds, last."""
        state.market = list(view.market)
        state.sold = [list(sets) for sets in view.sold]
        state.known = [list(counts) for counts in view.known]
        state.maps_gone = view.maps_gone
        by_seats = self.table
        state.thieves = by_seats.thieves.by_seats[view.seats] - view.thieves
        state.sandstorms = by_seats.sandstorms.by_seats[view.seats] - view.sandstorms
        for name in ("active", "asked", "phase", "moves", "dry", "acted", "fruitful", "stall", "duty"):
            setattr(state, name, getattr(view, name))
        state.queue, state.row = list(view.queue), list(view.row)
        unseen = list(view.copies)
        unseen[MAP] -= view.maps_gone
        for kind, n in ((kind, n) for sets in view.sold for kind, n in sets):
            unseen[kind] -= n
        seen = [view.market, *view.known]
        for seat in range(view.seats):
            state.hands[seat] = list(view.known[seat])
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
        """Takes off `unseen` what else the view shows."""

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
        return snapshot.dump(state)

    def dump_move(self, move: Any) -> dict[str, Any]:
        return m.dump_move(move)

    def load_move(self, data: Mapping[str, Any]) -> Any:
        return m.load_move(data)


_DIG: Final = m.Dig()
_END_TURN: Final = m.EndTurn()
