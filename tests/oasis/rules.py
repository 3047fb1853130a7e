"""Oasis: cards with water from 1 to 6, four of each. Three are dealt to each seat; the others are the well.

In a turn you draw the top card of the well, which nobody else sees, or you drink: you lay down cards of one value, and
n cards of a value bring the value times n times n (R1). Nobody holds more than five cards (R2). The match ends with the
well's last card, and hands count nothing (R3). The most points win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from pydantic import Field

from engine.chance import draw, shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Agent, Decision, Event, Game, Options, Outcome, QuickView, one_decision, rank
from engine.state import Hidden, MatchState, Number, Seen, start

VALUES: Final = range(1, 7)
CARDS: Final = tuple(value for value in VALUES for _copy in range(4))
DEALT: Final = 3
MOST: Final = 5

Value = Annotated[int, Field(ge=1, le=6)]


class Draw(NamedTuple):
    """Takes the top card of the well."""


class Drink(NamedTuple):
    """Lays down this number of cards of a value."""

    value: Value
    number: Annotated[int, Field(ge=1, le=4)]


Move = Draw | Drink
MOVES: Final = Moves[Any](Draw, Drink)


class State(MatchState):
    """A match. A hand is in ascending order; the top of the well is its last card."""

    hands: Annotated[list[list[Value]], Seen("owner", "hand")] = start(
        lambda match: [list[int]() for _ in range(match.seats)]
    )
    well: Hidden[list[Value]] = start(lambda _match: list(CARDS))
    drunk: list[Value] = start(lambda _match: list[int]())
    """The cards that were laid down, in the order in which that happened."""
    points: list[Number] = start(lambda match: [0] * match.seats)
    turn: Number = 0
    """The seat whose turn it is."""


@dataclass(frozen=True)
class View(QuickView):
    """The parts of a match that a seat (None: a spectator) may know."""

    viewer: int | None
    seats: int
    moves: int
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    hand: tuple[int, ...] | None
    """The viewer's cards; None for a spectator."""
    drunk: tuple[int, ...]
    points: tuple[int, ...]
    turn: int
    sizes: tuple[int, ...]
    """How many cards each seat holds."""
    left: int
    """How many cards the well has."""

    def __repr__(self) -> str:
        return f"<View viewer={self.viewer} moves={self.moves}>"


def worth(value: int, count: int) -> int:
    """The gain from so many cards of a value (R1)."""
    return value * count * count


def drinks(hand: Sequence[int]) -> list[Drink]:
    """All that a hand allows to drink."""
    return [Drink(value, n) for value in sorted(set(hand)) for n in range(1, hand.count(value) + 1)]


class Thirsty:
    """Drinks three equal cards, or what brings most once the hand is full; draws otherwise."""

    slow = False

    def choose(self, view: View, rng: Random) -> Move:
        hand = view.hand
        assert hand is not None
        best = max(drinks(hand), key=lambda drink: worth(*drink), default=None)
        return best if best is not None and (best.number >= 3 or len(hand) == MOST) else Draw()


class Oasis(Game[State, Move, View]):
    """The game, for two to four."""

    key: ClassVar[str] = "oasis"
    version: ClassVar[int] = 1
    published: ClassVar[bool] = False
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 4
    state_type = State
    move_forms: ClassVar[Moves[Any]] = MOVES

    @property
    def agents(self) -> Mapping[str, Agent[View, Move]]:
        return {"novice": Thirsty()}

    # -- a match

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        state = State(seats=seats, key=seed)
        shuffle(state.key, state.counters, "deal", state.well)
        for hand in state.hands:
            hand += sorted(state.well.pop() for _ in range(DEALT))
        state.turn = draw(state.key, state.counters, "first", seats)
        return state

    def opening(self, state: State) -> list[Event]:
        return [Event("begins", state.turn)]

    def pending(self, state: State) -> tuple[Decision, ...]:
        return one_decision(state.moves, state.turn, "turn") if state.well else ()

    def apply(self, state: State, seat: int, move: Move) -> list[Event]:
        if seat != state.turn or not state.well:
            raise NotYourMove
        hand = state.hands[seat]
        match move:
            case Draw():
                if len(hand) == MOST:
                    raise IllegalMove("hand-full", most=MOST)
                value = state.well.pop()
                hand.append(value)
                hand.sort()
                # The seat learns something new by it, so that this move cannot be taken back.
                events = [Event("drew", seat, {}, {"value": value}, known_to=(seat,), reveals=True)]
            case Drink(value, count):
                if hand.count(value) < count:
                    raise IllegalMove("not-in-hand")
                for _card in range(count):
                    hand.remove(value)
                state.drunk += [value] * count
                state.points[seat] += worth(value, count)
                facts = {"value": value, "count": count, "points": worth(value, count)}
                events = [Event("drank", seat, facts)]
        state.moves += 1
        state.turn = (seat + 1) % state.seats
        if outcome := self.outcome(state):
            events.append(Event("over", None, {"winners": list(outcome.winners)}))
        return events

    def sample(self, state: State, seat: int, rng: Random) -> Move:
        hand = state.hands[seat]
        return rng.choice([*drinks(hand), Draw()] if len(hand) < MOST else drinks(hand))

    def outcome(self, state: State) -> Outcome | None:
        if state.well:
            return None
        ranks = rank([(points,) for points in state.points])
        return Outcome(ranks, tuple(state.points), "score" if ranks.count(1) == 1 else "shared")

    # -- who may know what

    def view(self, state: State, viewer: int | None) -> View:
        made = {
            "pending": self.pending(state),
            "outcome": self.outcome(state),
            "sizes": tuple(map(len, state.hands)),
            "left": len(state.well),
        }
        return View.of({**state.seen_by(viewer), **made})

    def determinize(self, view: View, rng: Random) -> State:
        state = State.of_view(view, rng.randbytes(32))
        unseen = list(CARDS)
        for card in (*view.drunk, *(view.hand or ())):
            unseen.remove(card)
        rng.shuffle(unseen)
        for seat, size in enumerate(view.sizes):
            own = seat == view.viewer and view.hand is not None
            state.hands[seat] = list(view.hand or ()) if own else sorted(unseen.pop() for _ in range(size))
        state.well = unseen
        return state


def create(card_list: object | None = None) -> Oasis:
    """The game. It has no card list, so that there is none to replace."""
    return Oasis()
