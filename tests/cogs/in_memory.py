"""Tables made in memory, with their logs: for screens that need neither Discord nor a database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from bot.store.model import LogRow
from bot.tables.messages import Messages
from bot.tables.model import NOWHERE, Body, Seat, Status, Table
from bot.tables.turns import OpenDecision, UpcomingDecision
from bot.ui.screens.game_screens import AnyScreens
from cogs import GAMES
from engine.agents.advice import adviser_of, dump_fact
from engine.game import AnyGame, Event, Options, dump_event, own_decision
from engine.registry import load_games
from tests.cogs.sealed_screens import SealedScreens
from tests.engine.conformance import LONGEST, upcoming_decisions
from tests.oasis.rules import Oasis
from tests.oasis.screens import OasisScreens
from tests.sampling import SAMPLING
from tests.sealed import Sealed

ENGINES: dict[str, AnyGame] = {**load_games(), Sealed.key: Sealed(), Oasis.key: Oasis()}
SCREENS: dict[str, AnyScreens] = {
    made.game: made(ENGINES[made.game]) for made in (*GAMES, SealedScreens, OasisScreens)
}
PLAYED = sorted(made.game for made in GAMES)
"""The games that can be played on Discord."""
SHOWN = sorted(SCREENS)
"""These, and the tests' own: the sample, and one in which all decide at once."""

SEED = "5e" * 32


def take_hint(table: Table, seat: int, move: Any) -> None:
    """Notes a hint for the seat's open decision, if hints can help with it: this move, with the best one's reason."""
    adviser, view = adviser_of(table.game), table.game.view(table.state, seat)
    if adviser is not None and (decision := own_decision(view)) is not None:
        reason = adviser.reason(view, adviser.ranked(view, Random(0), 0.01)[0], None)
        table.seats[seat].advised = decision.id, json.dumps(table.game.dump_move(move))
        table.seats[seat].reason = json.dumps(dump_fact(table.game, reason))


@dataclass
class Match:
    """A match in some state, with what was told about it so far."""

    game: AnyGame
    state: Any
    events: list[tuple[int, Event]]
    """Events with the number of moves that had been made by then."""
    movers: dict[int, int] = field(default_factory=dict[int, int])
    """The seat that made each move, by the number of moves that had been made then."""

    @property
    def screens(self) -> AnyScreens:
        return SCREENS[self.game.key]

    def rows(self) -> list[LogRow]:
        return [row(event, sequence, self.movers.get(sequence)) for sequence, event in self.events]

    def private(self, state: Any = None, *, names: Sequence[str] = ()) -> Table:
        """The same as a private match of the first seat, with agents in the others."""
        table = self.table(state, names=names)
        table.channel_id = NOWHERE
        table.body.messages = Messages()
        for seat in table.seats[1:]:
            seat.user_id, seat.agent = None, "novice"
        return table

    def table(self, state: Any = None, *, names: Sequence[str] = (), status: Status | None = None) -> Table:
        """A table with this match, or with another state in its place; people sit in all seats."""
        state = self.state if state is None else state
        seats = self.game.view(state, None).seats
        body = Body(host_id=1, host_seed=SEED, seats=[])
        for number in range(seats):
            name = names[number] if number < len(names) else f"Person {number + 1}"
            body.seats.append(Seat(name, user_id=number + 1))
        body.messages.lobby = body.messages.board = 1_234_567_890_123_456_789
        body.contributions = [("start", "1234567890123456789")]
        for decision in self.game.pending(state):
            body.asked[decision.seat] = OpenDecision(1_800_000_000.0, 1_800_086_400.0)
        for number, kind in upcoming_decisions(self.game, state, seats).items():
            body.expected[number] = UpcomingDecision(0, kind)
        over = self.game.outcome(state) is not None
        live: Status = "over" if over else "playing"
        big = 1_300_000_000_000_000_000
        return Table(10**9, big, big, self.game, status or live, 1, len(self.events), 0.0, 0.0, body, state)


def row(event: Event, sequence: int = 0, mover: int | None = None) -> LogRow:
    """An event as the log keeps it; if it does not say who moved, that is the seat that the event is about."""
    mover = event.seat if mover is None and sequence else mover
    return LogRow("game", sequence, json.dumps(dump_event(event)), 0.0, mover=mover)


def random_match(key: str, seed: int, *, moves: int | None = None) -> Match:
    """A match that random legal moves have brought somewhere, or to its end."""
    rng = Random(f"{key}:{seed}")
    game = ENGINES[key]
    seats = rng.randint(game.min_seats, game.max_seats)
    options: Options = rng.choice(list(game.variants(seats)))
    state = game.new(seats, options, rng.randbytes(32))
    match = Match(game, state, [(0, event) for event in game.opening(state)])
    limit = rng.randrange(usual_length(key)) if moves is None else moves
    made = 0
    while made < limit and (pending := game.pending(state)):
        seat = rng.choice(pending).seat
        made += 1
        match.movers[made] = seat
        match.events += [(made, event) for event in game.apply(state, seat, game.sample(state, seat, rng))]
    return match


@cache
def usual_length(key: str) -> int:
    """As many moves as a short match of this game takes, and 160 at most."""
    matches = [random_match(key, seed, moves=160) for seed in range(8)]
    return min(match.game.view(match.state, None).moves for match in matches)


def matches(key: str, count: int) -> Iterator[Match]:
    """So many matches (times `SAMPLING`) here and there in their course, the last few at their end."""
    count *= SAMPLING
    for seed in range(count):
        yield random_match(key, seed, moves=LONGEST if seed >= count - 3 else None)
