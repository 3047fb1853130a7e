"""The matches that are played while processes come and go, and whether all of them are whole in the end."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import md5
from random import Random
from typing import Any, Final

from bot.clock import SystemClock
from bot.store.model import MoveRow
from bot.tables import lobby
from bot.tables.draft import Draft
from bot.tables.model import Seat, Table
from bot.tables.play import make_move
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.fairness import match_key
from engine.game import Event
from engine.registry import load_games
from tests.bot.store.samples import Home
from tests.proof.plan import Plan
from tests.proof.results import Result, events_flaw, result_of

CHANNELS_A_SERVER: Final = 5
FIRST_CHANNEL: Final = 1_000_000
TOGETHER: Final = 50
GAMES: Final = ("archaeology", "archaeology", "expedition", "artifacts-inc", "artifact")
"""The games that are played, in turn."""
PEOPLE: Final = (1, 1, 2)
"""How many people sit at each table, in turn; agents take the other seats, of which there is at least one."""


@dataclass(frozen=True)
class Spot:
    """A channel in which people play."""

    channel: int
    guild: int
    shard: int
    people: tuple[int, ...]
    table: int


@asynccontextmanager
async def _tables_on(place: str) -> AsyncIterator[Tables]:
    clock = SystemClock()
    store = Home(place).store(clock)
    await store.open()
    try:
        yield Tables(store, load_games(), clock, Thinkers(0))
    finally:
        await store.close()


async def open_matches(place: str, plan: Plan) -> list[Spot]:
    """Begins all matches straight in the store, which nobody has open yet, and plays some almost to the end."""
    ending = frozenset(Random(plan.seed).sample(range(plan.matches), min(plan.ending, plan.matches)))
    async with _tables_on(place) as tables:
        spots: list[Spot] = []
        for first in range(0, plan.matches, TOGETHER):
            numbers = range(first, min(first + TOGETHER, plan.matches))
            spots += await asyncio.gather(
                *(_open_match(tables, plan, number, ends_soon=number in ending) for number in numbers)
            )
        return spots


async def _open_match(tables: Tables, plan: Plan, number: int, *, ends_soon: bool) -> Spot:
    rng = Random(f"{plan.seed}/{number}")
    channel = FIRST_CHANNEL + number
    guild = (1 + number // CHANNELS_A_SERVER) << 22
    game = tables.games[GAMES[number % len(GAMES)]]
    people = tuple(channel * 10 + seat for seat in range(PEOPLE[number % len(PEOPLE)]))
    seats = [Seat(f"Player {person}", person) for person in people]
    agents = max(rng.choice((1, 2)), game.min_seats - len(people))
    table = await tables.open(
        lobby.NewTable(
            game,
            guild_id=guild,
            channel_id=channel,
            user_id=people[0],
            seats=seats,
            locale="en",
            limit=plan.limit,
            agents=agents,
            level="novice",
        )
    )

    def start(draft: Draft) -> None:
        lobby.freeze(draft, people[0])
        lobby.begin(draft, channel)  # the message has a number of its own
        if ends_soon:
            _play_on(draft, rng, rng.randint(1, plan.left))

    async with tables.change(table.id) as draft:
        start(draft)
    return Spot(channel, guild, (guild >> 22) % plan.shards, people, table.id)


def _play_on(draft: Draft, rng: Random, left: int) -> None:
    """Plays random moves until so many are left to the end of one way in which the match may go on."""
    game, state = draft.table.game, draft.table.game.copy(draft.table.state)
    moves: list[tuple[int, Any]] = []
    while pending := game.pending(state):
        seat = rng.choice(pending).seat
        moves.append((seat, game.sample(state, seat, rng)))
        game.apply(state, *moves[-1])
    for seat, move in moves[:-left]:
        make_move(draft, seat, move, None)


@dataclass
class Kept:
    """The store's content in the end."""

    tables: int = 0
    moves: int = 0
    by_people: int = 0
    by_game: Counter[str] = field(default_factory=Counter[str])
    """The same by game."""
    missed: int = 0
    """Turns for which somebody's time ran out."""
    results: list[Result] = field(default_factory=list[Result])
    """How those ended that were played to their end."""
    sequences: dict[int, int] = field(default_factory=dict[int, int])
    """The number of moves of each table."""
    presses: dict[int, list[tuple[int, MoveRow]]] = field(
        default_factory=dict[int, list[tuple[int, MoveRow]]]
    )
    """The moves of each press, with their tables."""
    digests: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """All moves by table and number, as `tests.proof.watch` makes digests of them."""
    faults: list[str] = field(default_factory=list[str])
    twice: list[str] = field(default_factory=list[str])
    """Presses that were played twice."""


async def look_through(place: str) -> Kept:
    """Replays every match, and compares it with its kept state. Nobody else may have the store open."""
    kept = Kept()
    numbers = [int(row[0]) for row in await Home(place).query("SELECT id FROM tables ORDER BY id")]
    async with _tables_on(place) as tables:
        for number in numbers:
            row = await tables.store.table(number)
            if row is None or row.snapshot is None:
                continue
            table = await tables.get(number)
            moves = await tables.store.moves(number)
            for move in moves:
                text = f"{move.seat}{move.move}"
                kept.digests[number, move.sequence] = md5(text.encode(), usedforsecurity=False).hexdigest()
            kept.tables += 1
            kept.moves += len(moves)
            kept.sequences[number] = len(moves)
            for move in moves:
                if move.interaction_id is not None:
                    kept.by_game[table.game.key] += 1
                    kept.presses.setdefault(move.interaction_id, []).append((number, move))
            log = await tables.store.log(number)
            for line in log:
                kind = json.loads(line.event)["kind"] if line.source == "table" else ""
                kept.missed += kind in ("missed", "away")
            replayed = _replay(table, moves)
            kept.faults += [f"table {number}: {flaw}" for flaw in _flaws(table, moves, replayed)]
            if (flaw := events_flaw(replayed.events, log)) is not None:
                kept.faults.append(f"table {number}: {flaw}")
            if table.status == "over":
                kept.results.append(result_of(table, replayed.state, log))
    kept.by_people = sum(map(len, kept.presses.values()))
    for press, made in kept.presses.items():
        at = {table for table, _move in made}
        sequences = [move.sequence for _table, move in made]
        parts = [move.part for _table, move in made]
        if len(at) > 1 or parts != list(range(len(parts))) or sequences != sorted(sequences):
            kept.twice.append(f"press {press} made the moves {sequences} at tables {sorted(at)}")
    return kept


@dataclass
class _Replayed:
    state: Any
    events: list[Event]


def _replay(table: Table, moves: list[MoveRow]) -> _Replayed:
    """The match, played again from its seed and its moves."""
    game = table.game
    seed = bytes.fromhex(table.body.host_seed)
    options = game.load_options(table.body.options)
    state = game.new(len(table.seats), options, match_key(seed, table.contributions))
    events = [*game.opening(state)]
    for move in moves:
        events += game.apply(state, move.seat, game.load_move(json.loads(move.move)))
    return _Replayed(state, events)


def _flaws(table: Table, moves: list[MoveRow], replayed: _Replayed) -> Iterator[str]:
    if [move.sequence for move in moves] != list(range(1, len(moves) + 1)):
        yield "its moves are not numbered one after the other"
    if table.sequence != len(moves):
        yield f"it has {len(moves)} moves and tells {table.sequence}"
    game = table.game
    if game.dump(replayed.state) != game.dump(table.state):
        yield "its moves lead to another state than the one that is kept"
    if (game.outcome(replayed.state) is not None) != (table.status == "over"):
        yield f"its status is {table.status}, which its moves do not lead to"
