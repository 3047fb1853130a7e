"""Tables to play at: the real game on a real file, its clock in the test's hand."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from json import loads
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.clock import Clock
from bot.store.store import Store
from bot.tables import deadlines, lobby, seats
from bot.tables.draft import REDRAW, Draft
from bot.tables.model import DAY, Seat, Table
from bot.tables.play import view_version_of
from bot.tables.refusals import Refused
from bot.tables.results import hiding_seats
from bot.tables.service import Policy, Tables
from bot.tables.thinking import Thinkers
from engine import archaeology, artifacts_inc, expedition
from engine.archaeology_family import moves as m
from engine.archaeology_family.state import ACT
from engine.game import AnyGame
from tests.bot.store.samples import Home
from tests.cogs.archaeology_family.crafted import craft
from tests.manual_clock import ManualClock
from tests.sealed import Sealed

GAME: Final[AnyGame] = archaeology.create()
EXPEDITION: Final[AnyGame] = expedition.create()
ARTIFACTS_INC: Final[AnyGame] = artifacts_inc.create()
SEALED: Final[AnyGame] = Sealed()
"""All decide at once in it, which none of the product's games has yet."""
GAMES: Final = {game.key: game for game in (GAME, EXPEDITION, ARTIFACTS_INC, SEALED)}

ANA, BEN, CARA, DAN, EVE = 1001, 1002, 1003, 1004, 1005
NAMES: Final = {ANA: "Ana", BEN: "Ben", CARA: "Cara", DAN: "Dan", EVE: "Eve"}


def name_of(person: int) -> str:
    return NAMES.get(person, f"Player {person}")


def make_tables(store: Store, clock: Clock, **policy: Any) -> Tables:
    """A table layer whose agents answer at once, on a store that is open."""
    return Tables(store, GAMES, clock, Thinkers(0), Policy(**policy))


@asynccontextmanager
async def tables_on(place: Path | str, clock: Clock) -> AsyncIterator[Tables]:
    """A table layer on the file at this path, or on the database at this URL, for as long as this lasts."""
    store = Home(place).store(clock)
    await store.open()
    try:
        yield make_tables(store, clock)
    finally:
        await store.close()


# -- getting a match


async def open_lobby(
    tables: Tables,
    *people: int,
    channel: int = 1,
    agents: int = 0,
    limit: int | None = DAY,
    level: str = "novice",
    game: AnyGame = GAME,
    server: int = 1,
) -> Table:
    """A lobby of these people, the first its host, and so many agents."""
    host, *others = people
    table = await tables.open(
        lobby.NewTable(
            game,
            guild_id=server,
            channel_id=channel,
            user_id=host,
            seats=[Seat(name_of(host), host)],
            locale="en",
            limit=limit,
        )
    )
    for person in others:
        await change(tables, table, lambda draft, who=person: lobby.join(draft, who, name_of(who)))
    if agents:
        await change(tables, table, lambda draft: lobby.set_agents(draft, host, [level] * agents))
    return await tables.get(table.id)


async def begin(tables: Tables, table: Table) -> Table:
    """The lobby's match, begun by its host."""
    table = await tables.get(table.id)
    host, hiding = table.body.host_id, await hiding_seats(table, tables.store.results)

    def start(draft: Draft) -> None:
        lobby.freeze(draft, host, hiding=hiding)
        lobby.begin(draft, 5_000 + table.id)

    return await change(tables, table, start)


async def match_of(
    tables: Tables,
    *people: int,
    channel: int = 1,
    agents: int = 0,
    limit: int | None = DAY,
    first: int | None = None,
    game: AnyGame = GAME,
    server: int = 1,
) -> Table:
    """A match of these people and so many agents, at its start.

    If `first` is given, that seat begins, and the dig site holds no Thieves and no Sandstorms: who is asked next is
    then certain.
    """
    table = await begin(
        tables,
        await open_lobby(
            tables, *people, channel=channel, agents=agents, limit=limit, game=game, server=server
        ),
    )
    return table if first is None else await stage(tables, table, calm(len(table.seats), first))


def calm(seats: int, first: int) -> Any:
    """A state in which nothing befalls anybody, and seat `first` is to dig."""
    state = craft([{"coin": 3}] * seats, active=first)
    state.moves = 0
    return state


async def stage(tables: Tables, table: Table, state: Any) -> Table:
    """Puts a match into another state of its game, in which it asks anew."""

    def act(draft: Draft) -> None:
        draft.table.state = table.game.load(table.game.dump(state))
        draft.table.body.asked = {}
        deadlines.wait(draft)
        draft.touch()

    return await change(tables, table, act)


# -- acting


async def change(tables: Tables, table: Table, act: Callable[[Draft], object]) -> Table:
    """Does one act at a table, and gives the table after it."""
    async with tables.change(table.id) as draft:
        act(draft)
    return draft.table


async def leave(tables: Tables, table: Table, person: int) -> Table:
    return await change(tables, table, lambda draft: seats.leave(draft, person))


async def come_back(tables: Tables, table: Table, person: int) -> Table:
    return await change(tables, table, lambda draft: seats.come_back(draft, person))


async def do_due(tables: Tables) -> Table | None:
    """Does what is due now but drawing messages, as the host does; gives the last table at which it did anything."""
    last: Table | None = None
    while True:
        jobs = await tables.store.due(tables.clock.now())
        others = [job for job in jobs if job.kind != REDRAW]
        await tables.store.finish([job for job in jobs if job.kind == REDRAW])
        for job in others:
            await tables.do_job(job)
            await tables.store.finish([job])
            last = await tables.get(job.table_id)
        if not others:
            return last


async def later(tables: Tables, clock: ManualClock, seconds: float, table: Table) -> Table:
    """Lets time pass and does what becomes due by it; gives the table after it."""
    clock.advance(seconds)
    await do_due(tables)
    return await tables.get(table.id)


# -- looking


def asked(table: Table) -> int:
    """The one seat that the match waits for."""
    (decision,) = table.game.pending(table.state)
    return decision.seat


def random_move(table: Table, rng: Random) -> tuple[int, str, Any]:
    """A seat that is asked, the view version of its screen and a random legal move for it."""
    decision = rng.choice(table.game.pending(table.state))
    return decision.seat, view_version_of(table, decision), table.game.sample(table.state, decision.seat, rng)


async def jobs_of(tables: Tables, table: Table) -> dict[str, float]:
    """The table's jobs and when they are due, but for drawing its messages."""
    jobs = await tables.store.due(1e12, limit=100_000)
    return {job.kind: job.due for job in jobs if job.table_id == table.id and job.kind != REDRAW}


async def events_of(tables: Tables, table: Table) -> list[str]:
    """The kinds of what befell the table itself, in order."""
    rows = await tables.store.log(table.id)
    return [loads(row.event)["kind"] for row in rows if row.source == "table"]


async def refused(act: Awaitable[object]) -> str:
    """The code with which this is refused."""
    with pytest.raises(Refused) as caught:
        await act
    return caught.value.code


_interactions = count(time.time_ns())  # also those of another process that plays on the same file are others


class Presses:
    """Presses moves as people do, each with an interaction id of its own."""

    def __init__(self, tables: Tables, seed: int = 1) -> None:
        self.tables = tables
        self.rng = Random(seed)

    def next_id(self) -> int:
        return next(_interactions)

    async def move(self, table: Table) -> Table:
        """A random move by the person who is asked."""
        table = await self.tables.get(table.id)
        seat, view_version, move = random_move(table, self.rng)
        person = table.seats[seat].user_id
        assert person is not None
        return await self.tables.play(table.id, person, view_version, move, self.next_id())

    async def turn(self, table: Table) -> Table:
        """Random moves by the person who is asked, until somebody else is, or the match is over."""
        seat = asked(await self.tables.get(table.id))
        while True:
            table = await self.move(table)
            if not table.live or asked(table) != seat:
                return table


def time_left(table: Table, seat: int, clock: ManualClock) -> float | None:
    deadline = table.body.asked[seat].deadline
    return None if deadline is None else deadline - clock.now()


async def acting(tables: Tables, limit: int) -> Table:
    """A match in which Ana may go on acting in her turn."""
    table = await match_of(tables, ANA, BEN, limit=limit)
    hands = [{"coin": 6, "talisman": 6, "pot_shard": 9}, {"map": 2}]
    return await stage(tables, table, craft(hands, site=["map"] * 3, phase=ACT))


async def sell(tables: Tables, presses: Presses, table: Table) -> Table:
    view_version = view_version_of(table, table.game.pending(table.state)[0])
    kind = next(kind for kind, count in enumerate(table.state.hands[0]) if count)
    return await tables.play(table.id, ANA, view_version, m.Sell(kind, 1), presses.next_id())
