"""Several processes on one database: who works for which shard, and that every change counts once whoever makes it."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.clock import ManualClock
from bot.store.model import (
    Change,
    Conflict,
    Deposed,
    Job,
    Leases,
    ProcessName,
    Repeated,
    Roll,
    Signal,
    StoreError,
    StoreInUse,
    StoreLost,
    StoreRefused,
    StoreUnreachable,
    TableRow,
)
from bot.store.store import Store
from tests.bot.postgres import Proxy, Server, server
from tests.bot.store.samples import NOW, Home, a_move, a_table, in_database, writer_held

pytest.importorskip("asyncpg")

from bot.store.engine import Tx
from bot.store.migrate import scripts
from bot.store.postgres.driver import Connection, connect
from bot.store.postgres.engine import PostgresEngine
from bot.store.postgres.layout import bring_up_to_date
from bot.store.postgres.leases import PostgresLeases
from bot.store.postgres.roll import Seen
from tests.sampling import sweep

Newer = Callable[[], AbstractContextManager[None]]
LEASE = 0.8
"""Seconds that a lease lasts in these tests."""


def of_shard(shard: int, number: int = 1) -> int:
    """The id of a server of this shard, if there are up to 1000 shards of which 1000 is a multiple."""
    return (1000 * number + shard) << 22


def table_of(shard: int, channel: int = 1) -> TableRow:
    row = a_table(channel)
    row.guild_id = of_shard(shard)
    return row


@dataclass
class Fleet:
    """Stores that share one database."""

    running: Server
    database: str
    clock: ManualClock
    stores: list[Store] = field(default_factory=list[Store])

    async def join(
        self, shard_count: int | None = 4, url: str | None = None, *, lease: float = LEASE
    ) -> Store:
        """One more process; it has begun unless `shard_count` is None."""
        name = ProcessName(f"process {len(self.stores)}", "1.0")
        store = in_database(url or self.running.url(self.database), self.clock, shared=name, lease=lease)
        await store.open()
        self.stores.append(store)
        if shard_count is not None:
            await leases(store).begin(shard_count)
        return store

    async def query(self, sql: str) -> list[tuple[object, ...]]:
        return [*await Home(self.running.url(self.database)).query(sql)]


def engine_of(store: Store) -> PostgresEngine:
    assert isinstance(store.engine, PostgresEngine)
    return store.engine


def leases(store: Store) -> Leases:
    assert store.leases is not None
    return store.leases


@pytest.fixture
async def fleet(clock: ManualClock) -> AsyncIterator[Fleet]:
    running = server()
    made = Fleet(running, await running.database(), clock)
    yield made
    for store in made.stores:
        await store.close()


def owners(roll: Roll) -> list[int | None]:
    return [row.owner for row in roll.shards]


async def test_the_first_sets_the_shard_count_and_who_joins_uses_it(fleet: Fleet) -> None:
    first = await fleet.join(None)
    assert await leases(first).shard_count() is None
    roll = await leases(first).begin(4)
    assert (roll.shard_count, owners(roll), roll.expires_in) == (4, [None] * 4, None)
    second = await fleet.join(None)
    assert await leases(second).shard_count() == 4
    roll = await leases(second).begin(9)
    assert roll.shard_count == 4
    assert [process.name for process in roll.processes] == ["process 0", "process 1"]
    assert roll.expires_in is not None
    assert 0 < roll.expires_in <= LEASE


async def test_a_shard_goes_from_its_owner_to_its_heir(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    roll = await leases(one).take([0, 1, 2, 3])
    me = roll.me
    assert owners(roll) == [me] * 4
    roll = await leases(other).take([2])
    assert owners(roll) == [me] * 4, "what is held cannot be taken"
    roll = await leases(other).court([2, 3])
    assert [row.heir for row in roll.shards] == [None, None, roll.me, roll.me]
    roll = await leases(one).hand_over([2])
    assert owners(roll) == [me] * 4, "its heir is not ready"
    await leases(other).ready([2])
    row = await one.create(Change(table_of(2)))
    roll = await leases(one).hand_over([2, 3])
    assert owners(roll) == [me, me, roll.processes[1].id, me]
    assert [each.generation for each in roll.shards] == [1, 1, 2, 1]
    stale = replace(row)
    await leases(other).renew()
    await other.commit(a_move(row))
    with pytest.raises(Conflict):
        await one.commit(a_move(stale))
    await leases(one).leave()
    roll = await leases(other).renew()
    assert owners(roll) == [None, None, roll.me, None]
    roll = await leases(other).take([0, 1, 3])
    assert owners(roll) == [roll.me] * 4


async def test_only_the_live_tables_of_some_shards_are_read(fleet: Fleet) -> None:
    store = await fleet.join()
    await leases(store).take([0, 1, 2, 3])
    rows = [await store.create(Change(table_of(shard, shard))) for shard in range(4)]
    assert sorted(await store.live_places(shards=[1, 3])) == [
        (row.id, row.guild_id) for row in (rows[1], rows[3])
    ]
    assert await store.live_places(shards=[]) == []
    assert await store.live_places(server=rows[2].guild_id) == [(rows[2].id, rows[2].guild_id)]


async def test_who_renounces_is_the_heir_no_more(fleet: Fleet) -> None:
    one, other, third = await fleet.join(), await fleet.join(), await fleet.join()
    await leases(one).take([0, 1, 2, 3])
    roll = await leases(other).court([1, 2, 3])
    heir = roll.me
    await leases(other).ready([3])
    roll = await leases(third).renounce([1, 2, 3])
    assert [row.heir for row in roll.shards] == [None, heir, heir, heir], "only the heir itself does"
    roll = await leases(other).renounce([2, 3])
    assert [row.heir for row in roll.shards] == [None, heir, None, None]
    assert owners(await leases(one).hand_over([3]))[3] == owners(roll)[3], "although it was ready"
    roll = await leases(third).court([2])
    assert roll.shards[2].heir == roll.me
    roll = await leases(third).note_reach("cut off")
    assert [row.heir for row in roll.shards] == [None, heir, None, None], "who is cut off is nobody's heir"
    assert [process.reach for process in roll.processes] == ["connecting", "connecting", "cut off"]


# -- leases that run out


async def test_a_shard_whose_owner_and_ready_heir_have_gone_is_taken_by_another(fleet: Fleet) -> None:
    owner, heir, other = [await fleet.join(1) for _ in range(3)]
    await leases(owner).take([0])
    await leases(heir).court([0])
    await leases(heir).ready([0])
    await leases(heir).leave()
    await leases(owner).leave()
    [row] = (await leases(other).take([0])).shards
    assert (row.owner, row.heir, row.heir_ready) == ((await leases(other).renew()).me, None, False)


async def test_nothing_is_handed_over_to_an_heir_that_drains_and_may_have_ended(fleet: Fleet) -> None:
    owner, heir = await fleet.join(1), await fleet.join(1)
    me = (await leases(owner).take([0])).me
    await leases(heir).court([0])
    other = (await leases(heir).ready([0])).me
    await leases(heir).drain(other)
    assert owners(await leases(owner).hand_over([0])) == [me]


async def test_one_that_is_frozen_while_it_takes_shards_does_not_keep_them_from_others_for_long(
    fleet: Fleet,
) -> None:
    store = await fleet.join(1)

    async def limit(connection: Connection) -> object:
        return await connection.fetchval("SHOW idle_in_transaction_session_timeout")

    assert await engine_of(store)._process.as_owner(limit, 5) == "2s", (
        "less than is left of the ten seconds after a lease of eight"
    )


async def rounds(*stores: Store, until: Callable[[], Awaitable[bool]], within: float = 20) -> None:
    """Has these processes renew their leases as they do while they run, until something is so."""
    async with asyncio.timeout(within):
        while not await until():
            await asyncio.gather(*(leases(store).renew() for store in stores))
            await asyncio.sleep(LEASE / 8)


async def for_a_while(*stores: Store, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds

    async def over() -> bool:
        return loop.time() >= until

    await rounds(*stores, until=over)


async def killed(fleet: Fleet, store: Store) -> None:
    """Ends a process as if it had been killed: its connections are gone, and it has given up nothing."""
    fleet.stores.remove(store)
    await engine_of(store)._let_go()


async def test_the_shards_of_one_that_was_killed_are_free_when_its_lease_has_run_out_and_not_before(
    fleet: Fleet,
) -> None:
    one, other = await fleet.join(), await fleet.join()
    await for_a_while(one, other, seconds=LEASE)
    roll = await leases(one).take([0, 1, 2, 3])
    row = await one.create(Change(table_of(1)))
    await killed(fleet, one)
    assert owners(await leases(other).take([0, 1])) == [roll.me] * 4

    lives = f"SELECT FROM processes WHERE id = {roll.me} AND until > clock_timestamp()"

    async def taken() -> bool:
        mine = owners(await leases(other).take([0, 1]))
        assert mine == [roll.me] * 4 or not await fleet.query(lives), "a lease that has not run out was taken"
        return roll.me not in mine

    await rounds(other, until=taken)
    now = await leases(other).take([0, 1])
    assert owners(now) == [now.me, now.me, None, None]
    await other.commit(a_move(row))


@pytest.mark.system
async def test_a_lease_that_ran_out_and_that_nobody_took_is_renewed(fleet: Fleet) -> None:
    one = await fleet.join()
    await leases(one).take([0, 1, 2, 3])
    row = await one.create(Change(table_of(1)))
    await asyncio.sleep(1.5 * LEASE)
    await one.commit(a_move(row))
    roll = await leases(one).renew()
    assert owners(roll) == [roll.me] * 4


@pytest.mark.system
async def test_when_the_databases_clock_is_set_forward_nobody_is_deposed_who_renews_its_leases(
    fleet: Fleet,
) -> None:
    stores = one, other, dies = await fleet.join(), await fleet.join(), await fleet.join()
    both = owners(await leases(one).take([0, 1])) + owners(await leases(other).take([2]))
    await leases(dies).take([3])
    await for_a_while(*stores, seconds=LEASE)
    ahead = "UPDATE digsite.processes SET until = until - interval '20 seconds'"
    for _ in range(5):
        # For all who compare, the clock has gone forward if what it is compared with has gone back.
        await fleet.running.execute(ahead, database=fleet.database)
        assert len((await leases(one).renew()).processes) == 1, "everybody else seems to be late"
        assert len((await leases(other).renew()).processes) == 2
        await leases(dies).renew()
    assert owners(await leases(one).renew())[:3] == both[:2] + both[-2:-1]
    await killed(fleet, dies)

    async def free() -> bool:
        return owners(await leases(one).take([]))[3] is None

    await rounds(one, other, until=free)
    await leases(other).take([3])


async def test_one_that_renews_its_leases_at_the_last_moment_is_not_deposed(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    roll = await leases(one).take([0, 1])
    seen = Seen(
        await leases(other).renew(), [roll.me], others=1
    )  # as if it had just been found to be too late
    leases_of_other = other.leases
    assert isinstance(leases_of_other, PostgresLeases)
    assert owners((await leases_of_other._depose(seen)).roll) == owners(roll)
    await one.create(Change(table_of(1)))


async def test_one_whose_connection_is_frozen_amid_a_write_is_deposed_and_writes_nothing_more(
    fleet: Fleet,
) -> None:
    one, other = await fleet.join(), await fleet.join()
    await for_a_while(one, other, seconds=LEASE)
    roll = await leases(one).take([0, 1, 2, 3])
    rows = [await one.create(Change(table_of(shard, shard))) for shard in range(4)]
    asleep, wake = asyncio.Event(), asyncio.Event()

    async def sleeping(tx: Tx) -> None:
        await tx.fetch("SET idle_in_transaction_session_timeout = 0")
        await tx.execute("UPDATE tables SET body = 'overslept' WHERE id = $1", rows[0].id)
        asleep.set()
        await wake.wait()

    writing = asyncio.create_task(one.engine.write(sleeping))
    await asleep.wait()

    async def taken() -> bool:
        mine = await leases(other).take([0, 1, 2, 3])
        return owners(mine) == [mine.me] * 4

    await rounds(other, until=taken)
    wake.set()
    with pytest.raises(Deposed, match="taken it off the roll"):
        await writing
    for row in rows:
        with pytest.raises(Deposed):
            await one.commit(a_move(row))
    with pytest.raises(Deposed):
        await leases(one).renew()
    again = await other.table(rows[0].id)
    assert again is not None
    assert (again.version, again.body) == (1, rows[0].body)
    assert roll.me not in [process.id for process in (await leases(other).renew()).processes]


@pytest.mark.system
async def test_one_that_may_not_end_the_connections_of_another_renews_its_own_leases_all_the_same(
    fleet: Fleet, caplog: pytest.LogCaptureFixture
) -> None:
    one = await fleet.join()
    await leases(one).take([0, 1, 2, 3])
    await fleet.running.execute(
        "DROP ROLE IF EXISTS lesser",
        "CREATE ROLE lesser LOGIN",
        "GRANT ALL ON SCHEMA digsite TO lesser",
        "GRANT ALL ON ALL TABLES IN SCHEMA digsite TO lesser",
        "GRANT ALL ON ALL SEQUENCES IN SCHEMA digsite TO lesser",
        database=fleet.database,
    )
    url = urlsplit(fleet.running.url(fleet.database))
    other = await fleet.join(url=url._replace(netloc="lesser@" + url.netloc.rpartition("@")[2]).geturl())

    async def free() -> bool:
        return owners(await leases(other).take([])) == [None] * 4

    try:
        await rounds(other, until=free)
    finally:
        await other.close()
        await fleet.running.execute("DROP OWNED BY lesser", "DROP ROLE lesser", database=fleet.database)
    assert "could not be ended" in caplog.text


_PLAY_UNTIL_DEPOSED = """
import asyncio, sys
from bot.clock import SystemClock
from bot.store.model import Change, Deposed, ProcessName, StoreError
from tests.bot.store.samples import a_move, a_table, in_database

async def main():
    name = ProcessName("child", "1.0")
    store = in_database(sys.argv[1], SystemClock(), shared=name, lease=float(sys.argv[2]))
    await store.open()
    await store.leases.begin(4)
    await store.leases.take([0, 1, 2, 3])
    rows = [await store.create(Change(a_table(channel))) for channel in range(8)]
    async def play(row):
        while True:
            await store.commit(a_move(row))
            print(row.id, row.sequence, flush=True)
    async def renew():
        while True:
            await store.leases.renew()
            await asyncio.sleep(float(sys.argv[2]) / 4)
    try:
        await asyncio.gather(renew(), *map(play, rows))
    except Deposed:
        print("deposed", flush=True)

asyncio.run(main())
"""


@pytest.mark.system
async def test_a_process_that_is_stopped_past_its_lease_loses_no_move_and_wakes_deposed(fleet: Fleet) -> None:
    other = await fleet.join()
    acknowledged: dict[int, int] = {}
    with subprocess.Popen(
        [sys.executable, "-c", _PLAY_UNTIL_DEPOSED, fleet.running.url(fleet.database), str(LEASE)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as child:
        lines = child.stdout
        assert lines is not None

        def read(most: int) -> bool:
            """Whether the child plays on after so many lines."""
            for _ in range(most):
                line = lines.readline()
                if line == "deposed\n":
                    return False
                table, sequence = map(int, line.split())
                acknowledged[table] = sequence
            return True

        try:
            reading = asyncio.create_task(asyncio.to_thread(read, 300))
            await rounds(other, until=lambda: _done(reading))
            assert await reading
            child.send_signal(signal.SIGSTOP)

            async def taken() -> bool:
                mine = await leases(other).take([0, 1, 2, 3])
                return owners(mine) == [mine.me] * 4

            await rounds(other, until=taken)
            places = await other.live_places()  # at some nothing may have been acknowledged so far
            rows = [row for table, _server in places if (row := await other.table(table))]
            kept = {row.id: row.sequence for row in rows}
            await asyncio.gather(*(other.commit(a_move(row, move="theirs")) for row in rows))
            child.send_signal(signal.SIGCONT)
            assert not await asyncio.to_thread(read, 10**6), "it is deposed"
        finally:
            child.kill()
    for table, sequence in acknowledged.items():
        assert sequence <= kept[table], "an acknowledged move is lost"
        moves = await other.moves(table)
        assert [move.move for move in moves] == ["dig"] * kept[table] + ["theirs"]


async def _done(task: asyncio.Task[bool]) -> bool:
    return task.done()


@pytest.mark.system
async def test_after_the_database_was_away_nobody_is_deposed_who_lives(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await for_a_while(one, other, seconds=LEASE)
    both = owners(await leases(one).take([0, 1])) + owners(await leases(other).take([2, 3]))
    await asyncio.to_thread(fleet.running.stop, "immediate")
    for store in (one, other):
        with pytest.raises(StoreUnreachable):
            await leases(store).renew()
    await asyncio.sleep(1.2 * LEASE)
    await asyncio.to_thread(fleet.running.start)
    await for_a_while(one, seconds=0.4 * LEASE)  # the other comes back a little later
    await for_a_while(one, other, seconds=LEASE)
    assert owners(await leases(other).renew()) == both[4:]
    await one.create(Change(table_of(0, 1)))
    await other.create(Change(table_of(2, 2)))


@pytest.mark.system
async def test_a_fleet_that_died_is_found_out_before_a_new_one_begins(fleet: Fleet) -> None:
    dead = await fleet.join(4)
    await leases(dead).take([0, 1, 2, 3])
    await killed(fleet, dead)
    first = await fleet.join(None)
    assert await leases(first).shard_count() == 4, "perhaps it lives"
    await asyncio.sleep(LEASE)
    assert await leases(first).shard_count() is None
    assert owners(await leases(first).begin(2)) == [None] * 2


# -- handing over


class Players:
    """Play at tables of all shards through any process, which may know a version that others have outrun."""

    def __init__(self, fleet: Fleet, rows: list[TableRow], rng: random.Random) -> None:
        self.fleet, self.rng = fleet, rng
        self.tables = [row.id for row in rows]
        self.known = [{row.id: replace(row) for row in rows} for _ in fleet.stores]
        self.acknowledged = {row.id: list[int]() for row in rows}
        self.conflicts = self.repeated = 0
        self.presses = iter(range(1, 10**6))
        self.over = False

    async def play(self, table_id: int) -> None:
        """Presses, and lets two processes have some of the presses."""
        while not self.over:
            press = next(self.presses)
            processes = self.rng.sample(range(len(self.fleet.stores)), self.rng.choice((1, 1, 2)))
            await asyncio.gather(*(self._press(process, table_id, press) for process in processes))

    async def _press(self, process: int, table_id: int, press: int) -> None:
        store, row = self.fleet.stores[process], replace(self.known[process][table_id])
        while True:
            try:
                await store.commit(a_move(row, press, move=f"move {press}"))
            except Conflict:
                self.conflicts += 1
                found = await store.table(table_id)
                assert found is not None
                row = found
            except Repeated:
                self.repeated += 1
                return
            else:
                self.acknowledged[table_id].append(press)
                self.known[process][table_id] = row
                return


@pytest.mark.parametrize("seed", sweep(*range(3)))
async def test_whoever_writes_each_press_counts_once_and_every_version_follows_the_one_before(
    fleet: Fleet, seed: int
) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        await fleet.join(lease=60)
    await leases(fleet.stores[0]).take([0, 1, 2, 3])
    rows = [await fleet.stores[0].create(Change(table_of(shard % 4, shard))) for shard in range(4)]
    players = Players(fleet, rows, rng)
    playing = [asyncio.create_task(players.play(row.id)) for row in rows for _ in range(2)]
    handed = 0
    for _ in range(20):
        shards = rng.sample(range(4), rng.randrange(1, 4))
        one, other = rng.sample(fleet.stores, 2)
        before = (await leases(one).renew()).shards
        for each in (leases(other).court(shards), leases(other).ready(shards), leases(one).hand_over(shards)):
            await each
        handed += before != (await leases(one).renew()).shards
        for task in playing:
            assert not task.done(), task.exception()
    players.over = True
    await asyncio.gather(*playing)
    assert handed
    assert players.conflicts
    assert players.repeated
    for table_id, presses in players.acknowledged.items():
        row = await fleet.stores[0].table(table_id)
        assert row is not None
        assert row.sequence == row.version - 1 == len(presses) == len({*presses})
        kept = [move.interaction_id for move in await fleet.stores[0].moves(table_id)]
        assert sorted(press for press in kept if press) == sorted(presses)
    assert sum(map(len, players.acknowledged.values())) > 50


async def test_a_shard_is_handed_over_when_what_was_asked_for_before_is_written(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await leases(one).take([0, 1, 2, 3])
    row = await one.create(Change(table_of(1)))
    await leases(other).court([1])
    await leases(other).ready([1])
    async with writer_held(one):
        writing = asyncio.create_task(one.commit(a_move(row)))
        await asyncio.sleep(0)
        handing = asyncio.create_task(leases(one).hand_over([1]))
        await asyncio.sleep(0.2)
        assert not writing.done()
        assert not handing.done()
    await asyncio.gather(writing, handing)
    assert len(await other.moves(row.id)) == 1


# -- what each process is told, and does


async def test_a_signal_is_heard_by_all_and_all_are_heard_after_a_cut(fleet: Fleet) -> None:
    heard: list[list[Signal]] = [[], []]
    async with Proxy(fleet.running).running() as proxy:
        stores = await fleet.join(), await fleet.join(url=proxy.url(fleet.database))
        for store, signals in zip(stores, heard, strict=True):
            leases(store).listen(signals.append)
            await leases(store).renew()

        async def hear(of: int, *signals: Signal) -> None:
            async with asyncio.timeout(20):
                while not {*signals} <= {*heard[of]}:
                    await asyncio.sleep(0.01)

        await leases(stores[0]).tell("controls")
        await hear(0, "controls")
        await hear(1, "controls")
        await leases(stores[1]).take([0])
        await hear(0, "leases")
        for signals in heard:
            signals.clear()
        proxy.refusing = True
        await proxy.drop()
        await leases(stores[0]).tell("forgotten")
        await hear(0, "forgotten")
        assert heard[1] == []
        proxy.refusing = False
        await hear(1, "leases", "controls", "forgotten", "pictures", "emoji")
        heard[1].clear()
        await leases(stores[0]).tell("emoji")
        await hear(1, "emoji")
        for store in stores:
            fleet.stores.remove(store)
            await store.close()


async def test_of_all_processes_one_shard_of_a_bucket_identifies_at_a_time(fleet: Fleet) -> None:
    stores = [await fleet.join() for _ in range(3)]
    first = await asyncio.gather(*(leases(store).may_identify(0, 0.5) for store in stores))
    assert sorted(first)[0] == 0.0
    assert all(0 < wait <= 0.5 for wait in sorted(first)[1:])
    assert await leases(stores[0]).may_identify(1, 0.5) == 0.0, "each bucket has a time of its own"
    await asyncio.sleep(0.5)
    again = await asyncio.gather(*(leases(store).may_identify(0, 0.5) for store in stores))
    assert [wait == 0.0 for wait in again].count(True) == 1


async def test_each_does_the_jobs_of_its_own_shards(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    assert await one.due(NOW) == []
    assert await one.next_due() is None
    await leases(one).take([0, 1, 2, 3])
    for shard in range(4):
        table = table_of(shard, shard)
        await one.create(Change(table, set_jobs=[Job(0, "limit", NOW + shard)]))
    await leases(other).court([1, 3])
    await leases(other).ready([1, 3])
    await leases(one).hand_over([1, 3])
    await leases(other).renew()

    async def shards(store: Store, now: float) -> list[int]:
        return [(job.guild_id >> 22) % 4 for job in await store.due(now)]

    assert await shards(one, NOW + 9) == [0, 2]
    assert await shards(other, NOW + 9) == [1, 3]
    assert await shards(other, NOW + 1) == [1]
    assert (await one.next_due(), await other.next_due()) == (NOW, NOW + 1)
    jobs = await other.due(NOW + 9)
    assert await other.due(NOW + 9, besides=jobs[:1]) == jobs[1:]


async def test_the_ids_of_jobs_grow_whoever_sets_them(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await leases(one).take([0, 1, 2, 3])
    row = await one.create(Change(table_of(1)))
    ids: list[int] = []
    for store in (one, other) * 3:
        await store.set_job(Job(row.id, "limit", NOW))
        ids += [job.id for job in await one.due(NOW)]
    assert ids == sorted({*ids})


async def test_facts_are_changed_one_after_the_other_by_several_processes(fleet: Fleet) -> None:
    stores = [await fleet.join() for _ in range(3)]
    await asyncio.gather(
        *(store.change_fact("count", lambda old: str(int(old or 0) + 1)) for store in stores * 10)
    )
    assert await stores[0].fact("count") == "30"
    await stores[0].beat(NOW, 60)
    assert await asyncio.gather(*(store.beat(NOW + 100, 60) for store in stores)) == [100.0] * 3


async def test_a_process_that_drains_is_known_to_all(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    me = (await leases(one).renew()).me
    await leases(other).drain(me)
    assert [process.draining for process in (await leases(one).renew()).processes] == [True, False]


async def test_one_that_has_left_holds_nothing_more_and_leaves_its_shards_at_once(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await leases(one).take([0, 1])
    row = await one.create(Change(table_of(1)))
    moving = asyncio.create_task(one.commit(a_move(row)))
    await asyncio.sleep(0)
    await leases(one).leave()
    await moving
    with pytest.raises(StoreError) as caught:
        await leases(one).renew()
    assert not isinstance(caught.value, StoreLost)
    roll = await leases(other).take([0, 1])
    assert owners(roll) == [roll.me, roll.me, None, None]
    await leases(other).leave()
    last = await fleet.join(None)
    assert await leases(last).shard_count() is None


async def test_a_store_that_is_closed_leaves_too(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await leases(one).take([0, 1])
    await one.close()
    roll = await leases(other).renew()
    assert (len(roll.processes), owners(roll)) == (1, [None] * 4)


async def test_an_erasure_of_several_processes_ends_in_every_byte(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    await leases(one).take([0, 1])
    await leases(other).take([2, 3])
    rows = [await one.create(Change(table_of(0, 1))), await other.create(Change(table_of(2, 2)))]
    number = await other.ask_erasure(7)
    assert [(each.id, each.user_id) for each in await one.erasures()] == [(number, 7)]
    over = False

    async def play(store: Store, row: TableRow) -> None:
        while not over:
            await store.commit(a_move(row))

    playing = [asyncio.create_task(play(*each)) for each in zip((one, other), rows, strict=True)]
    assert await one.wipe(within=10, whole=True)
    over = True
    await asyncio.gather(*playing)
    await one.unname_erasures([number])
    await one.finish_erasures([number])
    assert await other.erasures() == []


# -- who may open


async def test_one_that_wants_the_store_alone_waits_until_nobody_shares_it(fleet: Fleet) -> None:
    one = await fleet.join()
    url = fleet.running.url(fleet.database)
    with pytest.raises(StoreInUse):
        await in_database(url, fleet.clock).open()
    patient = in_database(url, fleet.clock, patience=20)
    opening = asyncio.create_task(patient.open())
    await asyncio.sleep(0.2)
    assert not opening.done()
    await one.close()
    await opening
    assert patient.leases is None
    with pytest.raises(StoreInUse):
        await fleet.join()
    await patient.close()
    await fleet.join()


@pytest.mark.system
async def test_alone_one_also_waits_for_leases_of_those_who_lost_their_connections(fleet: Fleet) -> None:
    one = await fleet.join()
    await killed(fleet, one)
    url = fleet.running.url(fleet.database)
    with pytest.raises(StoreInUse):
        await in_database(url, fleet.clock).open()
    alone = in_database(url, fleet.clock, patience=20)
    await alone.open()
    assert await fleet.query("SELECT begun, until FROM processes") == [(False, None)]
    await alone.close()


async def test_a_newer_layout_is_not_made_while_processes_use_the_older(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = await fleet.join()
    newer_scripts = [*scripts("postgres"), "ALTER TABLE digsite.tables ADD COLUMN colour text"]
    with monkeypatch.context() as patch:
        patch.setattr("bot.store.postgres.process.scripts", lambda _kind: newer_scripts)
        with pytest.raises(StoreRefused, match=r"older Digsite \(process 0\)"):
            await fleet.join()
        await older.close()
        newer = await fleet.join()
        await newer.close()
    with pytest.raises(StoreRefused, match="newer Digsite"):
        await fleet.join()


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Newer:
    """Within this context processes are of a version with a newer layout."""
    newer_scripts = [*scripts("postgres"), "ALTER TABLE digsite.tables ADD COLUMN colour text"]
    monkeypatch.setattr("bot.store.postgres.roll.TO_RENEW", 0.3)

    @contextmanager
    def version() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr("bot.store.postgres.process.scripts", lambda _kind: newer_scripts)
            yield

    return version


@pytest.mark.system
async def test_who_slept_while_the_layout_became_newer_writes_nothing_into_it(
    fleet: Fleet, newer: Newer
) -> None:
    older = await fleet.join()
    await leases(older).take([0])
    row = await older.create(Change(table_of(0)))
    await asyncio.sleep(LEASE + 0.1)
    with newer():
        await fleet.join(None)  # as soon as it has opened the store
    with pytest.raises(Deposed):
        await older.commit(a_move(row))
    with pytest.raises(Deposed):
        await leases(older).renew()
    assert await fleet.query("SELECT count(*) FROM moves") == [(0,)]
    with pytest.raises(StoreRefused, match="newer Digsite"):
        await fleet.join()


@pytest.mark.system
async def test_who_comes_back_in_time_after_an_outage_keeps_the_layout_from_being_changed(
    fleet: Fleet, newer: Newer
) -> None:
    older = await fleet.join()
    await asyncio.sleep(LEASE + 0.1)
    with newer():
        joining = asyncio.create_task(fleet.join())
        await asyncio.sleep(0.1)
        await leases(older).renew()
        with pytest.raises(StoreRefused, match="older Digsite"):
            await joining
    await leases(older).renew()


async def test_the_layout_is_not_changed_either_while_an_older_process_is_only_starting(
    fleet: Fleet, newer: Newer
) -> None:
    older = await fleet.join(None)
    with newer(), pytest.raises(StoreRefused, match=r"older Digsite \(process 0\)"):
        await fleet.join()
    await leases(older).begin(4)


async def test_a_database_of_layout_1_is_brought_up_to_date_with_its_jobs(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = Fleet(fleet.running, await fleet.running.empty(), fleet.clock)
    home = Home(fleet.running.url(empty.database))
    connection = await connect(fleet.running.url(empty.database))
    await bring_up_to_date(connection, "the database", scripts("postgres")[:1])
    await connection.close()
    last = (1700 << 40) + 5
    await home.query("INSERT INTO facts VALUES ('era', '1700')")
    await home.query("INSERT INTO slots (era, slot) VALUES (1700, 0)")
    await home.query(
        "INSERT INTO tables (guild_id, channel_id, game, status, version, sequence, created_at, changed_at, body) "
        "VALUES (10, 1, 'archaeology', 'playing', 1, 0, 0, 0, '{}')"
    )
    await home.query(f"INSERT INTO jobs VALUES (1, 'limit', {NOW}, '', {last})")
    store = await empty.join()
    roll = await leases(store).take([0, 1, 2, 3])
    assert roll.me > 1700
    await store.set_job(Job(1, "remind", NOW))
    old, new = await store.due(NOW)
    assert (old.kind, new.kind) == ("limit", "remind")
    assert new.id > old.id
    await store.close()
