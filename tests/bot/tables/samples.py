"""Tables to play at: the real game on a real file, its clock in the test's hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.clock import Clock
from bot.store.base import Store
from bot.store.sqlite import SqliteStore
from bot.tables import lobby
from bot.tables.model import DAY, Seat, Table
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.archaeology import create
from engine.game import AnyGame

GAME: Final[AnyGame] = create()
GAMES: Final = {GAME.key: GAME}

ANA, BEN, CARA, DAN, EVE = 1001, 1002, 1003, 1004, 1005
NAMES: Final = {ANA: "Ana", BEN: "Ben", CARA: "Cara", DAN: "Dan", EVE: "Eve"}


def make_tables(store: Store, clock: Clock, **options: Any) -> Tables:
    """A table layer whose agents answer at once, on a store that is open."""
    return Tables(store, GAMES, clock, Thinkers(0), **options)


@asynccontextmanager
async def tables_on(path: Path, clock: Clock) -> AsyncIterator[Tables]:
    """A table layer on the file at `path`, for as long as this lasts."""
    store = SqliteStore(path, clock)
    await store.open()
    try:
        yield make_tables(store, clock)
    finally:
        await store.close()


async def open_lobby(
    tables: Tables,
    *people: int,
    channel: int = 1,
    agents: int = 0,
    limit: int | None = DAY,
    level: str = "novice",
) -> Table:
    """A lobby of these people, the first its host, and so many agents."""
    host, *others = people
    table = await tables.open(
        tables.games[GAME.key],
        guild_id=1,
        channel_id=channel,
        user_id=host,
        seats=[Seat(NAMES.get(host, str(host)), host)],
        locale="en",
        limit=limit,
    )
    for person in others:
        async with tables.change(table.id) as draft:
            lobby.join(draft, person, NAMES.get(person, str(person)))
    for _ in range(agents):
        async with tables.change(table.id) as draft:
            lobby.add_agent(draft, host, level)
    return await tables.get(table.id)


async def begin(tables: Tables, table: Table) -> Table:
    """The lobby's match, begun by its host."""
    async with tables.change(table.id) as draft:
        lobby.begin(draft, table.body.host, 5_000 + table.id)
    return await tables.get(table.id)


async def match_of(
    tables: Tables, *people: int, channel: int = 1, agents: int = 0, limit: int | None = DAY
) -> Table:
    """A match of these people and so many agents, at its start."""
    lobby_table = await open_lobby(tables, *people, channel=channel, agents=agents, limit=limit)
    return await begin(tables, lobby_table)


def asked(table: Table) -> int:
    """The one seat that the match waits for."""
    (decision,) = table.game.pending(table.state)
    return decision.seat


def random_move(table: Table, rng: Random) -> tuple[int, int, Any]:
    """A seat that is asked, its decision and a random legal move for it."""
    decision = rng.choice(table.game.pending(table.state))
    return decision.seat, decision.id, table.game.sample(table.state, decision.seat, rng)


class Presses:
    """Presses moves as people do, each with an interaction id of its own."""

    def __init__(self, tables: Tables, seed: int = 1) -> None:
        self.tables = tables
        self.rng = Random(seed)
        self._interaction = 10_000

    def next_id(self) -> int:
        self._interaction += 1
        return self._interaction

    async def move(self, table_id: int) -> Table:
        """The next move at this table, by the person who is asked."""
        table = await self.tables.get(table_id)
        seat, decision, move = random_move(table, self.rng)
        person = table.seats[seat].user_id
        assert person is not None
        return await self.tables.play(table_id, person, decision, move, self.next_id())

    async def until(self, table_id: int, person: int) -> Table:
        """Moves until this person is asked."""
        table = await self.tables.get(table_id)
        while table.seats[asked(table)].user_id != person:
            table = await self.move(table_id)
        return table
