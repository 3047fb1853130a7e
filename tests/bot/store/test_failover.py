"""A failover of the database: the store follows to the server that takes writes, and loses nothing acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.store.model import StoreUnreachable
from bot.store.postgres.timing import POSTGRES
from bot.store.store import Store
from tests.bot.postgres import Proxy
from tests.bot.replication import RELOAD, WITHIN, Node, Pair
from tests.bot.store.samples import a_move, in_database, kept
from tests.bot.store.test_postgres_faults import Players
from tests.manual_clock import ManualClock

pytest.importorskip("asyncpg")

pytestmark = pytest.mark.system

SOON = replace(POSTGRES, retry_for=0.3)
NOBODY = "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name LIKE 'digsite %'"


@pytest.fixture
async def store(pair: Pair, database: str, clock: ManualClock) -> AsyncIterator[Store]:
    """A store behind the address that moves."""
    opened = in_database(pair.address.url(database), clock)
    await opened.open()
    yield opened
    await opened.close()


async def test_moves_go_on_at_the_promoted_standby_and_none_is_lost_or_doubled(
    pair: Pair, store: Store
) -> None:
    players = Players(store, [await kept(store, channel) for channel in range(8)], pressed=True)
    moves = 60
    playing = asyncio.gather(*(players.play(table, moves) for table in players.rows))

    async def played(number: int) -> None:
        async with asyncio.timeout(WITHIN):
            while sum(players.acknowledged.values()) < number * len(players.rows):
                await asyncio.sleep(0.01)

    await played(10)
    await pair.make_read_only()
    await pair.fail_over()
    await played(20)
    await pair.standby.holds(NOBODY)
    await pair.rejoin()
    await played(30)
    await asyncio.to_thread(pair.stop, "immediate")
    await pair.fail_over()
    await pair.rejoin()
    await playing
    await players.check(moves)


async def test_reads_alone_leave_a_server_that_takes_no_writes_any_more(
    pair: Pair, store: Store, database: str
) -> None:
    row = await kept(store)
    await pair.make_read_only()
    await pair.fail_over()
    await pair.primary.execute("UPDATE digsite.tables SET version = 7", database=database)
    read = await store.table(row.id)
    assert read is not None
    assert read.version == 7


async def test_old_primary_that_still_takes_writes_is_left_with_its_unacknowledged_commit(
    pair: Pair, database: str, clock: ManualClock
) -> None:
    store = in_database(pair.address.url(database), clock, timing=replace(POSTGRES, statement=1.0))
    await store.open()
    row = await kept(store)
    await pair.fail_over()
    await store.commit(a_move(row, interaction_id=77))
    await pair.standby.holds(f"{NOBODY} AND wait_event IS DISTINCT FROM 'SyncRep'")
    kept_moves = "SELECT count(*) = 1 FROM digsite.moves"
    assert await pair.primary.fetch(kept_moves, database) == [(True,)]
    await store.close()


async def test_address_of_a_standby_is_refused_with_a_sentence_until_it_leads_to_the_primary(
    pair: Pair, store: Store, database: str, clock: ManualClock
) -> None:
    row = await kept(store)
    await pair.make_read_only()
    await pair.fail_over()
    await pair.rejoin()
    pair.address.lead_to(pair.standby)
    another = in_database(pair.address.url(database), clock, timing=SOON)
    with pytest.raises(StoreUnreachable, match=r"can only be read at present: its server is a standby"):
        await another.open()
    pair.address.lead_to(pair.primary)
    await another.open()
    await another.commit(a_move(row))
    pair.address.lead_to(pair.standby)
    await pair.address.drop()
    with pytest.raises(StoreUnreachable, match="can only be read at present"):
        await another.table(row.id)
    pair.address.lead_to(pair.primary)
    assert len(await another.moves(row.id)) == 1
    await another.close()


async def test_several_hosts_are_followed_without_an_address_that_moves(
    pair: Pair, database: str, clock: ManualClock
) -> None:
    async with Proxy(pair.standby).running() as second:
        store = in_database(Proxy.urls(database, second, pair.address), clock)
        await store.open()
        row = await kept(store)
        await pair.make_read_only()
        await pair.promote()
        await store.commit(a_move(row))
        await pair.standby.holds(NOBODY)
        await store.close()


async def test_host_that_never_answers_does_not_keep_the_next_one_from_being_tried(
    clock: ManualClock,
) -> None:
    running = await asyncio.to_thread(Node)
    database = await running.database()
    async with Proxy(running).running() as gone, Proxy(running).running() as there:
        gone.holding = True
        store = in_database(Proxy.urls(database, gone, there), clock)
        await store.open()
        await kept(store)
        await store.close()


async def test_commit_that_no_standby_has_confirmed_is_not_acknowledged(clock: ManualClock) -> None:
    running = await asyncio.to_thread(Node)
    timing = replace(POSTGRES, statement=3.0, retry_for=0.3)
    store = in_database(running.url(await running.database()), clock, timing=timing)
    await store.open()
    row = await kept(store)
    await running.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'", RELOAD)
    await running.holds("SELECT current_setting('synchronous_standby_names') = 'standby'")
    committing = asyncio.create_task(store.commit(a_move(row, interaction_id=77)))
    waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    await running.holds(f"SELECT count(*) = 1 {waiting}")
    # Its session ends, and the move is visible on this server alone. So it is when the server restarts just then.
    await running.execute(f"SELECT pg_terminate_backend(pid) {waiting}")
    with pytest.raises(StoreUnreachable, match="could not be found out"):
        await committing
    await running.execute("ALTER SYSTEM RESET synchronous_standby_names", RELOAD)
    await store.close()
