"""The rules of Artifacts, Inc. Rulings R20 to R39 and R60 to R66 are named where they are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc import snapshot
from engine.artifacts_inc.agents import agents_of
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS, PILES, SEATS, CardList, read_card_list
from engine.artifacts_inc.catalogue import ANY, NO_PILE, Action, Catalogue
from engine.artifacts_inc.choices import MOST_DICE, SCROLL, counted, majority
from engine.artifacts_inc.company import (
    LOWER,
    ROWS,
    UPPER,
    OwnCard,
    Place,
    Usable,
    around,
    holding,
    powers_of,
    together,
)
from engine.artifacts_inc.sampling import sample_move
from engine.artifacts_inc.state import (
    ABILITIES,
    ACT,
    ARRANGE,
    CARDS,
    DIVES,
    FREE,
    GOAL,
    MUSEUMS,
    OFFERED,
    OVER,
    ROUNDS,
    State,
    View,
    cubes_on_museums,
)
from engine.cards import card_data
from engine.chance import draws, shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.game import Agent, Decision, Event, Game, Options, Outcome, make, rank, sole
from engine.order import roll_for_first

DOLLARS: Final = (2, 3, 3, 4)
"""Dollars that the players begin with, in turn order."""

PUBLIC: Final = -1
"""Stands where an own card's index is expected, and means a public card."""

_NOTHING: Final[Mapping[str, Any]] = {}

Handler = Callable[[State, int, Any, list[Event]], None]


class ArtifactsInc(Game[State, Any, View]):
    """Artifacts, Inc. (2014), for 2 to 4 players."""

    key: ClassVar[str] = "artifacts-inc"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = SEATS.start
    max_seats: ClassVar[int] = SEATS.stop - 1

    def __init__(self, card_list: CardList) -> None:
        self.card_list = card_list
        self.catalogue = Catalogue(card_list)
        self._agents = agents_of(self)
        self._handlers: dict[type, Handler] = {
            m.PlaceDie: self._place_die,
            m.Gather: self._gather,
            m.FillOrder: self._fill_order,
            m.Collect: self._collect,
            m.SellOne: self._sell_one,
            m.Buy: self._buy,
            m.TurnCard: self._turn_card,
            m.Dive: self._dive,
            m.TurnDie: self._turn_die,
            m.RollAgain: self._roll_again,
            m.Pass: self._pass,
        }

    @property
    def agents(self) -> Mapping[str, Agent[View, Any]]:
        return self._agents

    @property
    def cards_digest(self) -> str:
        return self.catalogue.digest

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        state = State(self.catalogue, seats, seed)
        for number, cards in enumerate(self.catalogue.piles):
            pile = list(cards)
            shuffle(state.key, state.counters, f"pile {PILES[number]}", pile)
            state.offers[number] = tuple([pile.pop() for _ in range(min(OFFERED[number], len(pile)))])
            state.piles[number] = tuple(pile)
        self._roll_for_first(state)
        for turn in range(seats):
            state.dollars[(state.first + turn) % seats] = DOLLARS[turn]
        return state

    def _roll_for_first(self, state: State) -> None:
        """Each seat rolls two dice, and the highest sum begins (R33)."""

        def throw(seats: Sequence[int]) -> list[tuple[int, int, int]]:
            dice = [self._throw(state, "first", 2) for _ in seats]
            return [(seat, low, high) for seat, (low, high) in zip(seats, dice, strict=True)]

        state.rolls, state.first = roll_for_first(state.seats, throw)
        state.active = state.first

    def _throw(self, state: State, stream: str, count: int) -> list[int]:
        """Rolls so many dice and returns their faces in ascending order, for the order in which they fell means
        nothing.
        """
        dice = [1 + number for number in draws(state.key, state.counters, stream, 6, count)]
        dice.sort()
        return dice

    def opening(self, state: State) -> list[Event]:
        offers = {
            PILES[number]: [self.catalogue.cards[card].key for card in offer]
            for number, offer in enumerate(state.offers)
        }
        return [
            Event("offered", None, {"offers": offers}, final=True),
            Event("first", state.first, {"rolls": state.rolls, "dollars": state.dollars.copy()}, final=True),
        ]

    # -- a turn
    # Agents that think ahead play a match some thousand times a minute. So what is asked most often is looked up
    # instead of being worked out anew, and events are made with `make`, which is quicker than their class.

    def pending(self, state: State) -> tuple[Decision, ...]:
        return () if state.phase == OVER else sole(state.moves, state.active, state.phase)

    def apply(self, state: State, seat: int, move: object) -> list[Event]:
        if seat != state.active or state.phase == OVER:
            raise NotYourMove
        kind = type(move)
        events: list[Event] = []
        if state.phase == ARRANGE:
            if not isinstance(move, m.Roll):
                raise IllegalMove("unknown-move" if kind not in self._handlers else "roll-first")
            self._arrange(state, seat, move, events)
        else:
            handler = self._handlers.get(kind)
            if handler is None:
                raise IllegalMove("rolled-already" if kind is m.Roll else "unknown-move")
            handler(state, seat, move, events)
            if not state.dice:  # R37
                self._end_turn(state, events)
        return events

    def _arrange(self, state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
        """The starting cards' order, and the first roll (R36)."""
        order = move.order
        lying = tuple([side >> 1 for side in state.sides[seat]])
        if order is not None and sorted(order) != list(self.catalogue.start):
            raise IllegalMove("not-the-starting-cards")
        state.moves += 1
        if order is not None and order != lying:
            state.sides[seat] = tuple([2 * number for number in order])
            state.powers[seat] = powers_of(self.catalogue, state.sides[seat])
            keys = [self.catalogue.cards[number].key for number in order]
            events.append(Event("arranged", seat, {"order": keys}))
        self._roll(state, seat, events)

    def _roll(self, state: State, seat: int, events: list[Event]) -> None:
        count = state.powers[seat].dice
        state.phase = ACT
        state.dice = self._throw(state, "dice", count if count < MOST_DICE else MOST_DICE)
        facts = {"dice": state.dice.copy(), "round": state.round}
        events.append(make(Event, ("rolled", seat, facts, _NOTHING, (), True)))

    def _pass(self, state: State, seat: int, move: m.Pass, events: list[Event]) -> None:
        state.moves += 1
        events.append(make(Event, ("passed", seat, {"dice": state.dice.copy()}, _NOTHING, (), False)))
        state.dice.clear()

    def _end_turn(self, state: State, events: list[Event]) -> None:
        state.covered.clear()
        state.laid.clear()
        state.used.clear()
        state.dived = ()
        following = state.active + 1
        if following == state.seats:
            following = 0
        if following == state.first:
            if state.last or state.round == ROUNDS:
                self._finish(state, events)
                return
            state.round += 1
        state.active = following
        if state.round == 1:
            state.phase = ARRANGE
        else:
            self._roll(state, following, events)

    # -- placing a die

    def _slot(self, state: State, seat: int, move: m.Placement, *doing: str) -> tuple[int, Action]:
        """The index of the card that a die may be placed on (or `PUBLIC`), and the action. Raises `IllegalMove`."""
        die = move.die
        if die not in state.dice:
            raise IllegalMove("no-such-die", die=die)
        card, copy, number = on = move.on
        if 0 <= card < self.catalogue.public and not copy:
            at, slots = PUBLIC, self.catalogue.side(2 * card).slots
        else:
            powers = state.powers[seat]
            try:
                at = powers.cards.index((card, copy))
            except ValueError:
                raise IllegalMove("no-such-card") from None
            slots = powers.holdings[at].side.slots
        if not 0 <= number < len(slots):
            raise IllegalMove("no-such-slot")
        if on in state.covered:
            raise IllegalMove("slot-covered")
        requires, faces, action = slots[number]
        if not faces >> die & 1:
            raise IllegalMove("requirement-unmet", die=die, requires=requires)
        if action.do not in doing:
            raise IllegalMove("other-action", action=action.do)
        return at, action

    def _cover(self, state: State, move: m.Placement) -> None:
        """Places the die: from here on the move is legal."""
        state.moves += 1
        state.dice.remove(move.die)
        state.covered.append(move.on)
        state.laid.append(move.die)

    def _facts(self, move: m.Placement) -> dict[str, Any]:
        return {"on": self.catalogue.cards[move.on.card].key, "die": move.die}

    def _place_die(self, state: State, seat: int, move: m.PlaceDie, events: list[Event]) -> None:
        at, action = self._slot(state, seat, move, "gain", "earn")
        self._cover(state, move)
        do, artifact, dollars = action
        facts = self._facts(move)
        state.dollars[seat] += dollars
        facts["dollars"] = dollars
        if do == "earn":
            events.append(make(Event, ("earned", seat, facts, _NOTHING, (), False)))
            return
        state.cubes[seat][at * len(ARTIFACTS) + artifact] += 1
        state.artifacts[seat][artifact] += 1
        facts["artifact"] = ARTIFACTS[artifact]
        events.append(make(Event, ("gained", seat, facts, _NOTHING, (), False)))

    def _pay_out(self, state: State, seat: int, dollars: int, facts: dict[str, Any]) -> None:
        state.dollars[seat] += dollars
        facts["dollars"] = dollars

    def _gather(self, state: State, seat: int, move: m.Gather, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "gather")
        artifact = move.artifact
        if not 0 <= artifact < len(ARTIFACTS):
            raise IllegalMove("no-such-artifact")
        index = self._yielding(state, seat, artifact)
        self._cover(state, move)
        state.cubes[seat][index * len(ARTIFACTS) + artifact] += 1
        state.artifacts[seat][artifact] += 1
        lies = self.catalogue.cards[state.sides[seat][index] >> 1].key
        facts = {**self._facts(move), "artifact": ARTIFACTS[artifact], "lies": lies}
        self._pay_out(state, seat, action.dollars, facts)
        events.append(make(Event, ("gathered", seat, facts, _NOTHING, (), False)))

    def _yielding(self, state: State, seat: int, artifact: int) -> int:
        """The index of the Expedition that a gathered artifact goes on: the first that yields it (R29, R61)."""
        sides = self.catalogue.sides
        for index, number in enumerate(state.sides[seat]):
            side = sides[number]
            if side and side.yields >> artifact & 1:
                return index
        raise IllegalMove("no-expedition-yields", artifact=ARTIFACTS[artifact])

    # -- selling

    def _fill_order(self, state: State, seat: int, move: m.FillOrder, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "museum")
        museum, order = move.museum, move.order
        if not 0 <= museum < len(ARTIFACTS) or action.artifact not in (ANY, museum):
            raise IllegalMove("other-museum")
        sizes = self.catalogue.orders(museum, state.seats)
        if not 0 <= order < len(sizes):
            raise IllegalMove("no-such-order")
        if state.orders[museum][order] != FREE:
            raise IllegalMove("order-filled")
        size = sizes[order]
        self._check_held(state, seat, museum, size)
        self._cover(state, move)
        self._spend(state, seat, museum, size)
        taken = state.orders[museum]
        state.orders[museum] = (*taken[:order], seat, *taken[order + 1 :])
        bonus = self.catalogue.museums[museum].bonus  # R22, R38
        facts = {
            **self._facts(move),
            "artifact": ARTIFACTS[museum],
            "order": order,
            "count": size,
            "bonus": bonus,
        }
        self._pay_out(state, seat, size + bonus + action.dollars, facts)
        events.append(make(Event, ("filled", seat, facts, _NOTHING, (), False)))

    def _collect(self, state: State, seat: int, move: m.Collect, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "collect")
        sold = move.artifacts
        if len(sold) != len(ARTIFACTS) or min(sold) < 0:
            raise IllegalMove("malformed-artifacts")
        total = sum(sold)
        if not total:  # R23
            raise IllegalMove("nothing-to-sell")
        for artifact, n in enumerate(sold):
            self._check_held(state, seat, artifact, n)
        self._cover(state, move)
        for artifact, n in enumerate(sold):
            if n:
                self._spend(state, seat, artifact, n)
        artifacts = {key: n for key, n in zip(ARTIFACTS, sold, strict=True) if n}
        facts = {**self._facts(move), "artifacts": artifacts}
        self._pay_out(state, seat, total + len(artifacts) - 1 + action.dollars, facts)
        events.append(make(Event, ("collected", seat, facts, _NOTHING, (), False)))

    def _sell_one(self, state: State, seat: int, move: m.SellOne, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "sell")
        artifact = move.artifact
        if not 0 <= artifact < len(ARTIFACTS):
            raise IllegalMove("no-such-artifact")
        self._check_held(state, seat, artifact, 1)
        self._cover(state, move)
        self._spend(state, seat, artifact, 1)
        facts = {**self._facts(move), "artifact": ARTIFACTS[artifact]}
        self._pay_out(state, seat, action.dollars, facts)
        events.append(make(Event, ("sold", seat, facts, _NOTHING, (), False)))

    def _check_held(self, state: State, seat: int, artifact: int, n: int) -> None:
        if state.artifacts[seat][artifact] < n:
            have = state.artifacts[seat][artifact]
            raise IllegalMove("too-few-artifacts", artifact=ARTIFACTS[artifact], need=n, have=have)

    def _spend(self, state: State, seat: int, artifact: int, n: int) -> None:
        """Takes artifacts off the seat's cards, beginning with the card that it got first (R29, R61)."""
        state.artifacts[seat][artifact] -= n
        cubes = state.cubes[seat]
        for at in range(artifact, len(cubes), len(ARTIFACTS)):
            have = cubes[at]
            if have >= n:
                cubes[at] = have - n
                return
            n -= have
            cubes[at] = 0

    # -- buying

    def _buy(self, state: State, seat: int, move: m.Buy, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "buy")
        number = move.card
        cards = self.catalogue.cards
        card = cards[number] if 0 <= number < len(cards) else None
        if card is None or card.pile == NO_PILE or number not in state.offers[card.pile]:
            raise IllegalMove("not-on-offer")
        self._check_cost(state, seat, number)
        place = self._open_place(state, seat, move.place)
        self._cover(state, move)
        self._pay(state, seat, number)
        index = len(state.sides[seat])
        powers = state.powers[seat]
        copy = sum([own.card == number for own in powers.cards])
        state.sides[seat] = (*state.sides[seat], 2 * number)
        state.powers[seat] = powers.with_card(holding(self.catalogue, 2 * number, copy))
        state.places[seat] = (*state.places[seat], place)
        state.cubes[seat] += _NO_CUBES
        facts = self._purchase(state, seat, index, move, action)
        events.append(make(Event, ("bought", seat, facts, _NOTHING, (), False)))
        self._refill(state, card.pile, number, events)
        self._look_at_goal(state, seat, events)

    def _turn_card(self, state: State, seat: int, move: m.TurnCard, events: list[Event]) -> None:
        _, action = self._slot(state, seat, move, "buy")
        index, sides, powers = self._own(state, seat, move.own), state.sides[seat], state.powers[seat]
        if sides[index] & 1:
            raise IllegalMove("turned-already")
        self._check_cost(state, seat, move.own.card)
        self._cover(state, move)
        self._pay(state, seat, move.own.card)
        turned = holding(self.catalogue, sides[index] + 1, move.own.copy)
        state.sides[seat] = (*sides[:index], sides[index] + 1, *sides[index + 1 :])
        state.powers[seat] = together(
            self.catalogue, (*powers.holdings[:index], turned, *powers.holdings[index + 1 :])
        )
        facts = self._purchase(state, seat, index, move, action)
        events.append(make(Event, ("turned_card", seat, facts, _NOTHING, (), False)))
        self._look_at_goal(state, seat, events)

    def _own(self, state: State, seat: int, own: OwnCard) -> int:
        """The index of an own card. Raises `IllegalMove`."""
        cards = state.powers[seat].cards
        if own not in cards:
            raise IllegalMove("no-such-card")
        return cards.index(own)

    def _check_cost(self, state: State, seat: int, number: int) -> None:
        card = self.catalogue.cards[number]
        if card.dollars > state.dollars[seat]:
            raise IllegalMove("too-few-dollars", cost=card.dollars, have=state.dollars[seat])
        if card.scrolls:
            self._check_held(state, seat, SCROLL, card.scrolls)

    def _pay(self, state: State, seat: int, number: int) -> None:
        card = self.catalogue.cards[number]
        state.dollars[seat] -= card.dollars
        if card.scrolls:
            self._spend(state, seat, SCROLL, card.scrolls)

    def _open_place(self, state: State, seat: int, place: Place) -> Place:
        """The place, if it is next to one of the seat's cards and free (R34). Raises `IllegalMove`."""
        if place.row not in (UPPER, LOWER):
            raise IllegalMove("no-such-row")
        taken = state.places[seat]
        if place in taken:
            raise IllegalMove("place-taken")
        if not any(beside in taken for beside in around(place)):
            raise IllegalMove("place-apart")
        return place

    def _purchase(
        self, state: State, seat: int, index: int, move: m.Buy | m.TurnCard, action: Action
    ) -> dict[str, Any]:
        """Scores the side that is now up (R20) and says what was bought."""
        number, place = state.sides[seat][index], state.places[seat][index]
        card, side = self.catalogue.cards[number >> 1], self.catalogue.side(number)
        ability = counted(state, seat, side, place) if side.counts else 0
        self._earn(state, seat, CARDS, side.reputation)
        self._earn(state, seat, ABILITIES, ability)
        facts = {
            "card": card.key,
            "place": [ROWS[place.row], place.column],
            "cost": card.dollars,
            "scrolls": card.scrolls,
            "reputation": side.reputation,
            "counted": ability,
            **self._facts(move),
        }
        self._pay_out(state, seat, action.dollars, facts)
        return facts

    def _earn(self, state: State, seat: int, source: int, reputation: int) -> None:
        if reputation:
            earned = list(state.earned[seat])
            earned[source] += reputation
            state.earned[seat] = tuple(earned)
            state.reputation[seat] += reputation

    def _refill(self, state: State, pile: int, number: int, events: list[Event]) -> None:
        """Puts the pile's next card on offer at once (R28). It is a revelation if it could have been another card."""
        offer, cards = list(state.offers[pile]), state.piles[pile]
        offer.remove(number)
        if cards:
            new, state.piles[pile] = cards[-1], cards[:-1]
            offer.append(new)
            facts = {"pile": PILES[pile], "card": self.catalogue.cards[new].key}
            unknown = cards.count(new) < len(cards)
            events.append(make(Event, ("revealed", None, facts, _NOTHING, (), unknown)))
        state.offers[pile] = tuple(offer)

    def _look_at_goal(self, state: State, seat: int, events: list[Event]) -> None:
        if not state.last and state.reputation[seat] >= GOAL:
            state.last = True
            facts = {"reputation": state.reputation[seat], "round": state.round}
            events.append(Event("reached", seat, facts))

    # -- dives and abilities

    def _dive(self, state: State, seat: int, move: m.Dive, events: list[Event]) -> None:
        if state.dived:
            raise IllegalMove("dived-already")
        taken = len(state.divers)
        if taken == len(self.catalogue.dives):
            raise IllegalMove("no-dive-left")
        left = self._without(state, move.dice, "dive-needs-dice")
        top = self.catalogue.dives[taken]
        bonus = state.powers[seat].dive
        reached = sum(move.dice) + bonus
        if reached < top.number:
            raise IllegalMove("dive-too-low", number=top.number, sum=reached, bonus=bonus)
        state.moves += 1
        state.dice = left
        state.dived = tuple(sorted(move.dice))
        state.divers = (*state.divers, seat)
        self._earn(state, seat, DIVES, top.reputation)
        facts = {
            "dice": state.dived,
            "bonus": bonus,
            "number": top.number,
            "find": FINDS[top.find],
            "reputation": top.reputation,
        }
        events.append(make(Event, ("dived", seat, facts, _NOTHING, (), False)))
        self._look_at_goal(state, seat, events)

    def _without(self, state: State, dice: Sequence[int], none: str) -> list[int]:
        """The unplaced dice that are left without some of them. Raises `IllegalMove`, `none` where none are named."""
        if not dice:
            raise IllegalMove(none)
        left = state.dice.copy()
        for die in dice:
            if die not in left:
                raise IllegalMove("no-such-die", die=die)
            left.remove(die)
        return left

    def _ability(self, state: State, seat: int, own: OwnCard, *doing: str) -> Usable:
        """A card whose ability can be used now. Raises `IllegalMove`."""
        self._own(state, seat, own)
        for usable in state.powers[seat].abilities:
            if usable.own == own and usable.ability.do in doing:
                if state.used.count(own) >= usable.ability.uses:
                    raise IllegalMove("ability-used", uses=usable.ability.uses)
                return usable
        raise IllegalMove("no-such-ability")

    def _turn_die(self, state: State, seat: int, move: m.TurnDie, events: list[Event]) -> None:
        usable = self._ability(state, seat, move.by, "turn", "set")
        die, to = move.die, move.to
        if die not in state.dice:
            raise IllegalMove("no-such-die", die=die)
        if not 1 <= to <= 6:
            raise IllegalMove("no-such-face")
        if die == to:
            raise IllegalMove("same-face")
        if usable.ability.do == "turn" and abs(to - die) > 1:
            raise IllegalMove("face-out-of-reach", die=die)
        state.moves += 1
        state.used.append(usable.own)
        state.dice.remove(die)
        state.dice.append(to)
        state.dice.sort()
        facts = {"by": self.catalogue.cards[move.by.card].key, "die": die, "to": to}
        events.append(make(Event, ("turned_die", seat, facts, _NOTHING, (), False)))

    def _roll_again(self, state: State, seat: int, move: m.RollAgain, events: list[Event]) -> None:
        usable = self._ability(state, seat, move.by, "roll")
        left = self._without(state, move.dice, "roll-needs-dice")
        state.moves += 1
        state.used.append(usable.own)
        rolled = self._throw(state, "dice", len(move.dice))
        state.dice = sorted(left + rolled)
        facts = {
            "by": self.catalogue.cards[move.by.card].key,
            "dice": sorted(move.dice),
            "rolled": rolled,
        }
        events.append(make(Event, ("rolled_again", seat, facts, _NOTHING, (), True)))

    # -- the end

    def _finish(self, state: State, events: list[Event]) -> None:
        """Pays the majorities (R27) and names the winners."""
        state.phase = OVER
        for museum, card in enumerate(self.catalogue.museums):
            seat = majority(state, museum)
            if seat is not None:
                self._earn(state, seat, MUSEUMS, card.majority)
                orders = state.orders[museum]
                cubes = orders.count(seat)
                tied = any(orders.count(other) == cubes for other in range(state.seats) if other != seat)
                facts = {"artifact": ARTIFACTS[museum], "cubes": cubes, "reputation": card.majority}
                facts["tied"] = tied
                events.append(Event("majority", seat, facts))
        outcome = self.outcome(state)
        assert outcome
        events.append(Event("over", None, {"winners": outcome.winners, "scores": outcome.scores}, final=True))

    def outcome(self, state: State) -> Outcome | None:
        """Most reputation; then more dollars, more cubes on museums (R24). `detail` is the tie-break that decided."""
        if state.phase != OVER:
            return None
        reputation, dollars = tuple(state.reputation), tuple(state.dollars)
        cubes = tuple([cubes_on_museums(state, seat) for seat in range(state.seats)])
        ranks = rank(list(zip(reputation, dollars, cubes, strict=True)))
        first = max(zip(reputation, dollars, strict=True))
        if reputation.count(first[0]) == 1:
            return Outcome(ranks, reputation, "reputation", dollars)
        if list(zip(reputation, dollars, strict=True)).count(first) == 1:
            return Outcome(ranks, reputation, "dollars", dollars)
        return Outcome(ranks, reputation, "cubes" if ranks.count(1) == 1 else "shared", cubes)

    # -- random play, copies, views

    def sample(self, state: State, seat: int, rng: Random) -> Any:
        return sample_move(state, seat, rng)

    def copy(self, state: State) -> State:
        return state.copy()

    def view(self, state: State, viewer: int | None) -> View:
        return View.of(
            {
                "viewer": viewer,
                "seats": state.seats,
                "moves": state.moves,
                "pending": self.pending(state),
                "outcome": self.outcome(state),
                "phase": state.phase,
                "round": state.round,
                "first": state.first,
                "active": state.active,
                "rolls": state.rolls,
                "dice": tuple(state.dice),
                "covered": tuple(state.covered),
                "laid": tuple(state.laid),
                "used": tuple(state.used),
                "dived": state.dived,
                "dollars": tuple(state.dollars),
                "reputation": tuple(state.reputation),
                "earned": tuple(state.earned),
                "artifacts": tuple(map(tuple, state.artifacts)),
                "sides": tuple(state.sides),
                "places": tuple(state.places),
                "cubes": tuple(map(tuple, state.cubes)),
                "piles": tuple([_counted(pile) for pile in state.piles]),
                "offers": tuple(state.offers),
                "orders": tuple(state.orders),
                "divers": state.divers,
                "catalogue": state.catalogue,
            }
        )

    def imagine(self, view: View, rng: Random) -> State:
        """What is unknown: the order of the piles, and the dice to come."""
        state = State(self.catalogue, view.seats, rng.randbytes(32))
        for name in _SHARED:
            setattr(state, name, getattr(view, name))
        for name in _LISTED:
            setattr(state, name, list(getattr(view, name)))
        state.cubes = [list(cubes) for cubes in view.cubes]
        for number, pile in enumerate(view.piles):
            cards = [card for card, n in pile for _ in range(n)]
            rng.shuffle(cards)
            state.piles[number] = tuple(cards)
        state.derive()
        return state

    # -- data

    def dump(self, state: State) -> dict[str, Any]:
        return snapshot.dump(state)

    def load(self, data: Mapping[str, Any]) -> State:
        return snapshot.load(data, self.catalogue)

    def dump_move(self, move: Any) -> dict[str, Any]:
        return m.dump_move(move, self.catalogue)

    def load_move(self, data: Mapping[str, Any]) -> Any:
        return m.load_move(data, self.catalogue)


_NO_CUBES: Final = (0,) * len(ARTIFACTS)

_SHARED: Final = ("moves", "round", "first", "active", "phase", "rolls", "dived", "divers")
_LISTED: Final = (
    "dice",
    "covered",
    "laid",
    "used",
    "dollars",
    "earned",
    "sides",
    "places",
    "offers",
    "orders",
)
"""What a view and a state have under the same names, in the state as it is or as a list."""


def _counted(pile: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """A pile's cards without their order."""
    return tuple([(card, pile.count(card)) for card in sorted(set(pile))])


def create(card_list: object | None = None) -> ArtifactsInc:
    """The game with the built-in card list, or with `card_list`'s JSON data. Raises `BadData`."""
    return ArtifactsInc(read_card_list(card_data("artifacts_inc", card_list), ArtifactsInc.key))
