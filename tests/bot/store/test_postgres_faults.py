"""Connections that are cut and servers that stop: what was acknowledged is there, and nothing is there twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.store.migrate import scripts
from bot.store.model import (
    ALARM,
    Change,
    Conflict,
    Job,
    MoveRow,
    Repeated,
    StoreError,
    StoreFull,
    StoreLost,
    StoreUnreachable,
    TableRow,
)
from bot.store.postgres.timing import POSTGRES, PostgresTiming
from bot.store.store import Store
from tests.bot.postgres import Cut, Proxy, Server, commits, server
from tests.bot.store.samples import NOW, a_line, a_move, in_database, kept
from tests.manual_clock import ManualClock

pytest.importorskip("asyncpg")

from tests.sampling import sweep

SOON = PostgresTiming(retry_for=0.3)


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
async def proxy(running: Server) -> AsyncIterator[Proxy]:
    async with Proxy(running).running() as between:
        yield between


@pytest.fixture
async def database(running: Server) -> str:
    return await running.database()


@pytest.fixture
def timing() -> PostgresTiming:
    return POSTGRES


@pytest.fixture
async def store(
    proxy: Proxy, database: str, clock: ManualClock, timing: PostgresTiming
) -> AsyncIterator[Store]:
    """A store behind the proxy."""
    opened = in_database(proxy.url(database), clock, timing=timing)
    await opened.open()
    yield opened
    proxy.cut = lambda _message: None
    await opened.close()


def once(cut: Cut, proxy: Proxy) -> None:
    """Cuts the connection at the next COMMIT."""

    def at(message: bytes) -> Cut | None:
        if not commits(message):
            return None
        proxy.cut = lambda _message: None
        return cut

    proxy.cut = at


# -- one write


@pytest.mark.parametrize("cut", ["before", "after", "late"])
async def test_press_counts_once_if_the_connection_is_lost_in_commit(
    store: Store, proxy: Proxy, cut: Cut
) -> None:
    row = await kept(store)
    once(cut, proxy)
    assert await store.commit(a_move(row, interaction_id=77)) == (cut == "before"), "else it is read anew"
    assert proxy.cuts == [cut]
    assert row.version == 2
    assert [move.interaction_id for move in await store.moves(row.id)] == [77]
    assert len(await store.log(row.id)) == 1
    with pytest.raises(Repeated):
        await store.commit(a_move(replace(row), interaction_id=77))
    row.sequence = 1
    await store.commit(a_move(row, interaction_id=78))


@pytest.mark.parametrize(("cut", "is_kept"), [("before", False), ("after", True), ("late", True)])
async def test_change_without_press_is_kept_or_conflicts_if_the_connection_is_lost_in_commit(
    store: Store, proxy: Proxy, cut: Cut, is_kept: bool
) -> None:
    row = await kept(store)
    once(cut, proxy)
    if is_kept:
        with pytest.raises(Conflict, match="may have been kept"):
            await store.commit(a_move(row))
    else:
        await store.commit(a_move(row))
    assert proxy.cuts == [cut]
    assert len(await store.moves(row.id)) == len(await store.log(row.id)) == 1
    again = await store.table(row.id)
    assert again is not None
    assert again.version == 2
    await store.commit(a_move(again))


async def test_connection_lost_before_commit_causes_no_conflict(store: Store, proxy: Proxy) -> None:
    row = await kept(store)

    def at(message: bytes) -> Cut | None:
        if message[:1] not in b"BS":
            return None
        proxy.cut = lambda _message: None
        return "before"

    proxy.cut = at
    assert await store.commit(a_move(row))
    assert proxy.cuts == ["before"]
    assert (row.version, len(await store.moves(row.id))) == (2, 1)


@pytest.mark.parametrize("cut", ["before", "after", "late"])
async def test_table_is_created_once_if_the_connection_is_lost(store: Store, proxy: Proxy, cut: Cut) -> None:
    once(cut, proxy)
    row = await kept(store, press=77)
    assert proxy.cuts == [cut]
    assert [each.id for each in await store.live_tables()] == [row.id]
    assert await store.table(row.id) == row


async def test_table_without_press_is_not_created_twice_if_the_connection_is_lost(
    store: Store, proxy: Proxy
) -> None:
    once("after", proxy)
    with pytest.raises(Conflict):
        await kept(store, status="over")
    assert await store.latest_table(1) is not None
    assert proxy.cuts == ["after"]


@pytest.mark.parametrize("cut", ["before", "after", "late"])
async def test_idempotent_writes_run_once_if_the_connection_is_lost(
    store: Store, proxy: Proxy, cut: Cut
) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, ALARM, NOW))
    await store.write_heartbeat(NOW, 10)
    once(cut, proxy)
    assert await store.write_heartbeat(NOW + 60, 10) == 60
    assert await store.next_due() == NOW + 60
    once(cut, proxy)
    assert await store.change_fact("said", lambda old: f"{old or ''}!") == "!"
    assert await store.change_fact("said", lambda old: f"{old or ''}!") == "!!"
    once(cut, proxy)
    assert len({await store.erasures.ask(7), *(each.id for each in await store.erasures.pending())}) == 1
    once(cut, proxy)
    await store.set_job(Job(row.id, ALARM, NOW))
    assert len(await store.due(NOW)) == 1
    assert proxy.cuts == [cut] * 4


@pytest.mark.parametrize("timing", [SOON])
async def test_write_of_unknown_outcome_raises_unreachable(store: Store, proxy: Proxy) -> None:
    row = await kept(store)

    def cut_all(message: bytes) -> Cut | None:
        if commits(message):
            proxy.refusing = True
            return "after"
        return None

    proxy.cut = cut_all
    with pytest.raises(StoreUnreachable, match="could not be found out"):
        await store.commit(a_move(row))
    proxy.refusing, proxy.cut = False, lambda _message: None
    again = await store.table(row.id)
    assert again is not None
    assert (again.version, row.version) == (2, 1)
    await store.commit(a_move(again))


async def test_commit_lost_by_the_network_is_retried(proxy: Proxy, database: str, clock: ManualClock) -> None:
    soon = PostgresTiming(statement=0.5, idle_in_transaction=1.5)
    store = in_database(proxy.url(database), clock, timing=soon)
    await store.open()
    row = await kept(store)
    once("silent", proxy)
    await store.commit(a_move(row, interaction_id=77))
    assert proxy.cuts == ["silent"]
    assert (row.version, len(await store.moves(row.id))) == (2, 1)
    await store.close()


# -- many tables


class Players:
    """Play moves at many tables. If a move could not be kept, they look at the table, as the table layer does."""

    def __init__(self, store: Store, rows: list[TableRow], *, pressed: bool) -> None:
        """`pressed`: whether each move is a person's press."""
        self.store, self.rows, self.pressed = store, {row.id: row for row in rows}, pressed
        self.acknowledged: dict[int, int] = dict.fromkeys(self.rows, 0)
        """The number of the last move at each table of which somebody was told."""
        self.failures: list[StoreError] = []

    async def play(self, table_id: int, moves: int) -> None:
        row = self.rows[table_id]
        while row.sequence < moves:
            number = row.sequence + 1
            row.sequence = number
            try:
                press = table_id * 1000 + number if self.pressed else None
                move = MoveRow(number, 0, f"move {number}", press, NOW)
                known = await self.store.commit(
                    Change(row, [move], log=[a_line(f"line {number}")], press=press)
                )
                self.acknowledged[table_id] = number
                if not known:
                    row = await self._looked_up(table_id)
            except StoreError as error:
                self.failures.append(error)
                row = await self._looked_up(table_id)

    async def _looked_up(self, table_id: int) -> TableRow:
        while True:
            try:
                row = await self.store.table(table_id)
            except StoreUnreachable:
                await asyncio.sleep(0.1)
                continue
            assert row is not None
            assert row.sequence >= self.acknowledged[table_id], "an acknowledged move is lost"
            return row

    async def check(self, moves: int) -> None:
        assert not self.pressed or not [error for error in self.failures if isinstance(error, Conflict)]
        for table_id in self.rows:
            row = await self.store.table(table_id)
            assert row is not None
            assert row.sequence == row.version - 1 == moves
            assert not self.pressed or self.acknowledged[table_id] == moves
            assert [move.move for move in await self.store.moves(table_id)] == [
                f"move {number}" for number in range(1, moves + 1)
            ]
            assert [line.event for line in await self.store.log(table_id)] == [
                f"line {number}" for number in range(1, moves + 1)
            ]


@pytest.mark.parametrize("pressed", [True, False])
@pytest.mark.parametrize("seed", sweep(*range(3)))
async def test_every_move_is_kept_once_with_many_lost_connections(
    store: Store, proxy: Proxy, seed: int, pressed: bool
) -> None:
    rng = random.Random(seed)
    players = Players(store, [await kept(store, channel) for channel in range(8)], pressed=pressed)

    def cut(message: bytes) -> Cut | None:
        if commits(message):
            return rng.choice(("before", "after", "late")) if rng.random() < 0.3 else None
        return "before" if rng.random() < 0.01 else None

    proxy.cut = cut
    await asyncio.gather(*(players.play(table, 12) for table in players.rows))
    proxy.cut = lambda _message: None
    assert len({*proxy.cuts}) == 3, "all kinds of cuts have happened"
    await players.check(12)


@pytest.mark.system
@pytest.mark.parametrize("mode", ["immediate", "fast"])
async def test_server_stopped_during_moves_loses_and_doubles_none(
    running: Server, database: str, clock: ManualClock, mode: str
) -> None:
    store = in_database(running.url(database), clock)
    await store.open()
    players = Players(store, [await kept(store, channel) for channel in range(20)], pressed=True)
    moves = 60
    playing = [asyncio.create_task(players.play(table, moves)) for table in players.rows]
    for at in (10, 30):
        while sum(players.acknowledged.values()) < at * len(players.rows):
            await asyncio.sleep(0.01)
        assert not any(task.done() for task in playing)
        await asyncio.to_thread(running.stop, mode)  # type: ignore[arg-type]
        await asyncio.to_thread(running.start)
    await asyncio.gather(*playing)
    await players.check(moves)
    await store.close()


# -- a server that is away, full, read-only or another


@pytest.mark.parametrize("timing", [SOON])
async def test_unreachable_server_raises_and_recovers(
    store: Store, running: Server, database: str, proxy: Proxy
) -> None:
    row = await kept(store)
    proxy.refusing = True
    await _begin_new_sessions(running, database)
    await asyncio.sleep(0.1)  # until this end knows that the connections are gone
    with pytest.raises(StoreUnreachable, match=r"does not answer .* This was not kept"):
        await store.commit(a_move(row))
    with pytest.raises(StoreUnreachable, match="Nothing in it was changed"):
        await store.table(row.id)
    proxy.refusing, proxy.cut = False, lambda _message: None
    again = await store.table(row.id)
    assert again is not None
    await store.commit(a_move(again))
    assert len(await store.moves(row.id)) == 1


@pytest.mark.system
async def test_close_with_an_unreachable_server(store: Store, proxy: Proxy) -> None:
    row = await kept(store)
    proxy.refusing, proxy.cut = True, lambda _message: "before"
    writing = asyncio.create_task(store.commit(a_move(row)))
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(StoreUnreachable):
        await writing


async def test_missing_server_raises_unreachable(proxy: Proxy, database: str, clock: ManualClock) -> None:
    proxy.refusing = True
    store = in_database(proxy.url(database), clock)
    with pytest.raises(StoreUnreachable, match=r"cannot be reached .*DATABASE_URL\."):
        await store.open()
    proxy.refusing = False
    await store.open()
    await store.close()


@pytest.mark.parametrize("timing", [SOON])
async def test_read_only_database_raises_unreachable_and_recovers(
    store: Store, running: Server, database: str
) -> None:
    row = await kept(store)
    await running.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    await _begin_new_sessions(running, database)
    with pytest.raises(StoreUnreachable, match="can only be read at present"):
        await store.commit(a_move(row))
    with pytest.raises(StoreUnreachable, match="can only be read at present"):
        await store.table(row.id)
    await running.execute(f"ALTER DATABASE {database} RESET default_transaction_read_only")
    again = await store.table(row.id)
    assert again is not None
    await store.commit(a_move(again))
    assert len(await store.moves(row.id)) == 1


async def test_full_disk_keeps_acknowledged_data(store: Store, running: Server, database: str) -> None:
    row = await kept(store)
    await running.execute(
        "CREATE FUNCTION digsite.disk_full() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER disk_full BEFORE INSERT ON digsite.moves EXECUTE FUNCTION digsite.disk_full()",
        database=database,
    )
    with pytest.raises(StoreFull, match="make room"):
        await store.commit(a_move(row))
    await running.execute("DROP TRIGGER disk_full ON digsite.moves", database=database)
    row.sequence = 0
    await store.commit(a_move(row))
    assert len(await store.moves(row.id)) == 1


async def test_full_disk_at_the_start_allows_a_retry(
    running: Server, database: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = in_database(running.url(database), clock)
    await store.open()
    await store.close()
    await running.execute(
        "CREATE FUNCTION digsite.disk_full() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON digsite.store EXECUTE FUNCTION digsite.disk_full()",
        database=database,
    )
    newer = [*scripts("postgres"), "SELECT 1"]
    monkeypatch.setattr("bot.store.postgres.database.scripts", lambda _kind: newer)
    with pytest.raises(StoreFull, match="make room"):
        await store.open()
    await running.execute("DROP TRIGGER disk_full ON digsite.store", database=database)
    await store.open()
    await store.close()


async def _begin_new_sessions(running: Server, database: str) -> None:
    await running.execute(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
    )


@pytest.mark.parametrize(
    "what", ["DROP SCHEMA digsite CASCADE", "UPDATE digsite.store SET identity = gen_random_uuid()"]
)
async def test_deleted_or_replaced_database_raises_store_lost(
    store: Store, running: Server, database: str, what: str
) -> None:
    row = await kept(store)
    await running.execute(what, database=database)
    await _begin_new_sessions(running, database)
    for _ in range(2):
        with pytest.raises(StoreLost, match="Nothing more is kept"):
            await store.commit(a_move(row))
        with pytest.raises(StoreLost):
            await store.table(row.id)


async def test_command_that_lost_the_exclusive_lock_writes_nothing_more(
    running: Server, database: str, clock: ManualClock
) -> None:
    alone = in_database(running.url(database), clock, shared=False)
    await alone.open()
    row = await kept(alone)
    await _begin_new_sessions(running, database)  # and with them the lock is gone
    other = in_database(running.url(database), clock)
    await other.open()
    for _ in range(2):
        with pytest.raises(StoreLost, match="was lost"):
            await alone.commit(a_move(row))
    await alone.close()
    assert await other.moves(row.id) == []
    await other.close()
