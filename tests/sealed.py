"""A small game of sealed bids, in which all decide at once: for what none of the product's games asks of the host.

Everybody holds two numbers and bids one of them, unseen. When all have, the bids are opened, the highest that
nobody else bid scores a point, and everybody is asked again. A new number comes at the bid, from the seat's own
stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from engine.chance import draw
from engine.errors import IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Agent, Decision, Event, Game, Options, Outcome, rank
from engine.state import MatchState, Number, Seen, start

NONE: Final = -1
HELD: Final = 2
NUMBERS: Final = 10
ROUNDS: Final = 4


class Bid(NamedTuple):
    """Bids a number, unseen."""

    number: int


MOVES: Final = Moves[Bid](Bid)


class State(MatchState):
    """A match; `since` is how many moves had been made when the round began."""

    hands: Annotated[list[list[Number]], Seen("owner", "hand")] = start(
        lambda match: [list[int]() for _ in range(match.seats)]
    )
    bids: Annotated[list[int], Seen("owner", "bid", NONE)] = start(lambda match: [NONE] * match.seats)
    points: list[Number] = start(lambda match: [0] * match.seats)
    round: Number = 0
    since: Number = 0


@dataclass(frozen=True, slots=True)
class View:
    viewer: int | None
    seats: int
    moves: int
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    round: int
    since: int
    points: tuple[int, ...]
    answered: tuple[bool, ...]
    hand: tuple[int, ...] | None
    bid: int

    def __repr__(self) -> str:
        return f"<View viewer={self.viewer} moves={self.moves}>"


class Highest:
    """Bids the highest number."""

    slow = False

    def choose(self, view: View, rng: Random) -> Bid:
        assert view.hand
        return Bid(max(view.hand))


class Sealed(Game[State, Bid, View]):
    """The game of sealed bids, for two to four."""

    state_type = State
    move_forms: ClassVar[Moves[Any]] = MOVES
    key: ClassVar[str] = "sealed"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 4

    @property
    def agents(self) -> Mapping[str, Agent[View, Bid]]:
        return {"novice": Highest()}

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        state = self.state_type(seats=seats, key=seed)
        for seat in range(seats):
            for _ in range(HELD):
                self._take(state, seat)
        return state

    def _stream(self, seat: int) -> str:
        return f"seat {seat}"

    def _take(self, state: State, seat: int) -> int:
        number = draw(state.key, state.counters, self._stream(seat), NUMBERS)
        state.hands[seat].append(number)
        return number

    def opening(self, state: State) -> list[Event]:
        return [Event("round", None, {"round": 1})]

    def pending(self, state: State) -> tuple[Decision, ...]:
        if state.round == ROUNDS:
            return ()
        return tuple([Decision(state.since, seat, "bid") for seat, n in enumerate(state.bids) if n == NONE])

    def apply(self, state: State, seat: int, move: Bid) -> list[Event]:
        if seat not in [decision.seat for decision in self.pending(state)]:
            raise NotYourMove
        if move.number not in state.hands[seat]:
            raise IllegalMove("not-in-hand")
        state.hands[seat].remove(move.number)
        state.bids[seat] = move.number
        state.moves += 1
        drawn = self._take(state, seat)
        events = [
            Event("bid", seat, {}, {"number": move.number}, (seat,)),
            Event("drew", seat, {}, {"number": drawn}, (seat,), True),
        ]
        if NONE not in state.bids:
            events += self._open(state)
        return events

    def _open(self, state: State) -> list[Event]:
        bids, state.bids = state.bids, [NONE] * state.seats
        state.round += 1
        state.since = state.moves
        single = [number for number in bids if bids.count(number) == 1]
        if single:
            state.points[bids.index(max(single))] += 1
        opened = Event("opened", None, {"bids": bids}, reveals=True)
        outcome = self.outcome(state)
        if outcome:
            return [opened, Event("over", None, {"winners": list(outcome.winners)})]
        return [opened, Event("round", None, {"round": state.round + 1})]

    def sample(self, state: State, seat: int, rng: Random) -> Bid:
        return Bid(rng.choice(state.hands[seat]))

    def outcome(self, state: State) -> Outcome | None:
        if state.round < ROUNDS:
            return None
        ranks = rank([(points,) for points in state.points])
        return Outcome(ranks, tuple(state.points), "score" if ranks.count(1) == 1 else "shared")

    def view(self, state: State, viewer: int | None) -> View:
        own = {"pending": self.pending(state), "outcome": self.outcome(state)}
        answered = tuple(number != NONE for number in state.bids)
        return View(**state.seen_by(viewer), **own, answered=answered)

    def determinize(self, view: View, rng: Random) -> State:
        state = self.state_type.of_view(view, rng.randbytes(32))
        for seat in range(view.seats):
            state.hands[seat] = [rng.randrange(NUMBERS) for _ in range(HELD)]
            state.bids[seat] = rng.randrange(NUMBERS) if view.answered[seat] else NONE
        if view.viewer is not None:
            assert view.hand is not None
            state.hands[view.viewer], state.bids[view.viewer] = list(view.hand), view.bid
        return state
