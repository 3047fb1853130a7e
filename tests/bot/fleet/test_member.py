"""Members of a fleet on a real server: they share the shards, take over from the dead, and hand over without a gap."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import asyncpg
import pytest

from bot.clock import ELAPSED
from bot.fleet.fleet import Partitioned
from bot.fleet.locks import LockKind, Locks, WrongShardCount
from bot.fleet.plan import FleetState
from bot.fleet.shard_states import OVERLAP, ShardStates
from bot.store.model import StoreUnreachable
from bot.store.postgres.driver import Primary
from tests.bot.fleet.members import QUICK, SHARDS, Process, fleet, settled, shares, until
from tests.bot.postgres import Proxy, Server, server

pytestmark = pytest.mark.system


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
async def url(running: Server) -> str:
    return running.url(await running.database())


async def ask(url: str, query: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def test_members_share_the_shards_fairly_and_each_has_one_owner(url: str):
    async with fleet(url, 3) as processes:
        assert shares(*processes) == [2, 2, 2]
        leaders = [process for process in processes if process.member.is_leader]
        assert [0 in process.own for process in leaders] == [True]
        assert [process.sharing for process in processes] == [3, 3, 3]


async def test_a_single_process_owns_all_and_does_all_jobs(url: str):
    async with fleet(url, 1) as [one]:
        assert one.own == {*range(SHARDS)}
        assert one.member.owned is None
        assert one.member.is_leader
        assert not one.member.can_drain


async def _note_gaps(processes: Sequence[Process], gaps: set[int]) -> None:
    """Notes the shards that none of the processes serves, for ever."""
    while True:
        gaps.update(s for s in range(SHARDS) if not any(each.serves(s) for each in processes))
        await asyncio.sleep(0)


async def test_joining_process_gets_its_share_without_a_gap(url: str):
    async with fleet(url, 2) as processes:
        gaps = set[int]()
        watching = asyncio.create_task(_note_gaps(processes, gaps))
        processes.append(Process(url))
        assert await processes[-1].start(), "others live"
        await until(lambda: settled(*processes))
        watching.cancel()
        assert shares(*processes) == [2, 2, 2]
        assert not gaps
        assert processes[-1].moves == ["received", "received"]


async def test_draining_process_gives_all_shards_without_a_gap(url: str):
    async with fleet(url, 3) as processes:
        first, *others = processes
        gaps = set[int]()
        watching = asyncio.create_task(_note_gaps(processes, gaps))
        first.member.drain()
        assert first.task is not None
        await first.task
        watching.cancel()
        assert not gaps
        assert first.moves == ["taken"] * (SHARDS // 3) + ["given"] * (SHARDS // 3) or "given" in first.moves
        await until(lambda: shares(*others) == [3, 3])
        [states] = {
            tuple((each.owned, each.is_member) for each in await o.member.processes()) for o in others[:1]
        }
        assert (0, False) in states or len(states) == 2, "it is no member any more, or has left"


async def test_a_dead_process_loses_its_shards_at_once(url: str):
    async with fleet(url, 2) as [one, two]:
        await one.die()
        await until(lambda: two.own == {*range(SHARDS)})
        assert two.moves.count("taken") >= SHARDS // 2


async def test_a_shard_goes_only_to_a_process_that_is_connected_for_it(url: str):
    async with fleet(url, 1) as [one]:
        two = Process(url)
        two.reaches_discord = False
        try:
            await two.start()
            await until(lambda: bool(two.member.status.standby), "it stands by")
            for _ in range(10):
                await asyncio.sleep(QUICK.check_every)
                assert one.own == {*range(SHARDS)}
            assert not two.member.status.is_member
            two.reaches_discord = True
            await until(lambda: settled(one, two))
        finally:
            await two.die()


async def test_a_lost_session_moves_no_shard(url: str):
    async with fleet(url, 3) as processes:
        before = [set(process.own) for process in processes]
        await ask(url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        for process in processes:
            assert process.task is not None
            await until(lambda process=process: not process.member.status.certain or True)
        await asyncio.sleep(3 * QUICK.session_settled)
        await until(lambda: settled(*processes))
        assert [process.own for process in processes] == before
        assert all("lost" not in process.moves for process in processes)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restart_of_the_server_moves_no_shard(mode: Literal["fast", "immediate"]):
    own_server = Server()
    async with fleet(own_server.url(await own_server.database()), 3) as processes:
        before = [set(process.own) for process in processes]
        await asyncio.to_thread(own_server.stop, mode)
        await until(lambda: not any(process.member.status.certain for process in processes))
        assert not any(process.member.is_leader for process in processes)
        assert all(process.member.serves(0) for process in processes if 0 in process.own), (
            "presses are answered"
        )
        await asyncio.to_thread(own_server.start)
        await until(lambda: all(process.member.status.certain for process in processes))
        await asyncio.sleep(3 * QUICK.session_settled)
        await until(lambda: settled(*processes))
        assert [process.own for process in processes] == before


async def test_process_partitioned_from_the_database_loses_and_regains_shards(
    running: Server,
):
    database = await running.database()
    async with Proxy(running).running() as proxy:
        cut_off = Process(proxy.url(database))
        async with fleet(running.url(database), 1) as [one]:
            await cut_off.start()
            try:
                await until(lambda: settled(one, cut_off))
                proxy.cut = lambda _message: "silent"
                await until(lambda: one.own == {*range(SHARDS)})
                assert not cut_off.member.status.certain
                assert not any(cut_off.member.owns(shard << 22) for shard in range(SHARDS))
                proxy.cut = lambda _message: None
                await until(lambda: settled(one, cut_off))
            finally:
                await cut_off.die()


async def test_notifications_reach_all_processes_and_again_after_reconnecting(url: str):
    async with fleet(url, 2) as [one, two]:
        notified: list[str] = []

        async def hear() -> None:
            notified.append("forgotten")

        two.member.on("forgotten", hear)
        await until(lambda: one.member.status.certain)
        await one.member.publish("forgotten")
        await until(lambda: bool(notified))
        notified.clear()
        await ask(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        await until(lambda: bool(notified))


async def test_failed_notification_is_retried(url: str):
    async with fleet(url, 1) as [other]:
        notified: list[str] = []

        async def hear() -> None:
            notified.append("controls")

        await other.member.publish("shards")  # so its connection listens
        other.member.on("controls", hear)
        process = Process(url)
        with pytest.raises(StoreUnreachable):
            await process.member.publish("controls")  # it has a connection only once it runs
        await process.member.publish_with_retry("controls")
        await asyncio.sleep(0.1)
        assert notified == []
        await process.start()
        await until(lambda: bool(notified))
        await process.die()


async def test_nothing_listens_on_the_session_of_the_locks(url: str):
    async with fleet(url, 1) as [one]:
        sessions = await ask(
            url,
            "SELECT pid, query FROM pg_stat_activity WHERE application_name LIKE 'digsite %' ORDER BY 1",
        )
        listening = {pid for pid, query in sessions if "LISTEN" in str(query).upper()}
        assert one.locks.process not in listening


async def test_processes_with_another_number_of_shards_are_refused(url: str):
    async with fleet(url, 1):
        other = Process(url)

        async def advised() -> int:
            return 3

        with pytest.raises(WrongShardCount, match="6 shards"):
            await other.member.begin(other.handler, 3, advised)
        await other.member.leave()
        follows = Process(url)
        await follows.member.begin(follows.handler, None, advised)
        assert follows.member.shard_of(5 << 22) == 5
        await follows.member.leave()


async def test_process_partitioned_from_discord_ends(url: str):
    async with fleet(url, 2, replace(QUICK, partitioned_after=0.3)) as [one, two]:
        one.waits, one.reaches_discord = True, False
        await asyncio.sleep(0.6)
        assert one.task is not None
        assert not one.task.done(), "it only waits for its turn to identify"
        one.waits = False
        with pytest.raises(Partitioned, match="Check this machine's network"):
            await one.task
        await one.member.leave()
        await until(lambda: two.own == {*range(SHARDS)})


async def test_no_process_ends_if_all_are_partitioned_from_discord(url: str):
    async with fleet(url, 2, replace(QUICK, partitioned_after=0.2)) as processes:
        for process in processes:
            process.reaches_discord = False
        await asyncio.sleep(0.6)
        assert not any(process.task is None or process.task.done() for process in processes)
        assert settled(*processes)


async def test_running_jobs_finish_before_their_shard_is_given(url: str):
    async with fleet(url, 1) as [one]:
        done = asyncio.get_running_loop().create_future()
        one.finishing = lambda: asyncio.shield(done)
        two = Process(url)
        await two.start()
        try:
            await until(
                lambda: len(one.member.owned[1] if one.member.owned else ()) < SHARDS and bool(one.own)
            )
            assert one.own == {*range(SHARDS)}
            assert two.own == set()
            done.set_result(None)
            await until(lambda: settled(one, two))
        finally:
            await two.die()


async def test_ownership_ends_while_the_machine_sleeps(url: str):
    slept = 0.0
    process = Process(url, elapsed=lambda: ELAPSED() + slept)
    await process.start()
    try:
        await until(lambda: process.member.is_leader)
        slept = 100.0
        assert not process.member.is_leader
        assert process.member.serves(0)
        await until(lambda: process.member.is_leader)
    finally:
        await process.die()


async def never_asked() -> int:
    raise AssertionError("others have a shard count")


async def test_unclaimed_shard_is_taken_back(url: str):
    async with fleet(url, 1) as [one]:
        # A process that has been frozen since it stands by: its session lasts a while.
        frozen = Locks(Primary(url))
        await frozen.open()
        await frozen.agree_on_count(SHARDS, never_asked)
        for kind, number in ((LockKind.CONNECTED, 5), (LockKind.STANDBY, 5), (LockKind.MEMBER, 0)):
            assert await frozen.take(kind, [number])
        one.member.look()
        await until(lambda: 5 not in one.own)
        assert one.serves(5), "presses are answered"
        await until(lambda: 5 in one.own)
        assert frozen.is_open
        await asyncio.sleep(5 * QUICK.check_every)
        assert one.moves.count("given") == 1, "it does not go to and fro"
        frozen.close()


async def test_overdue_shard_of_a_frozen_member_is_taken(url: str):
    async with fleet(url, 2) as [one, two]:
        # A process that has been frozen since it became a member: its session lasts a while.
        frozen = Locks(Primary(url))
        await frozen.open()
        await frozen.agree_on_count(SHARDS, never_asked)
        assert await frozen.take(LockKind.MEMBER, [0])
        await two.die()
        await until(lambda: one.own == {*range(SHARDS)})
        assert frozen.is_open
        frozen.close()


async def test_processes_that_start_with_different_shard_counts_agree_on_one(url: str):
    asked = asyncio.Barrier(2)
    agreed: list[Locks] = []

    async def start(count: int) -> int:
        async def advised() -> int:
            await asked.wait()  # each has seen that no process has a count yet
            return count

        locks = Locks(Primary(url))
        await locks.open()
        agreed.append(locks)
        return await locks.agree_on_count(None, advised)

    first, second = await asyncio.gather(start(3), start(4))
    assert first == second in (3, 4)
    assert {(await locks.state()).shard_count for locks in agreed} == {first}
    for locks in agreed:
        locks.close()


async def test_session_loss_noticed_elsewhere_moves_no_shard(url: str):
    async with fleet(url, 1) as [one]:
        connected = one.wanted
        await ask(url, f"SELECT pg_terminate_backend({one.locks.process})")
        with pytest.raises(StoreUnreachable):
            await one.member.processes()
        await until(lambda: one.member.status.certain)
        assert (one.own, one.wanted) == ({*range(SHARDS)}, connected)
        assert "lost" not in one.moves


async def test_given_shard_stays_connected_until_the_new_owner_is_connected():
    now = 0.0
    process = Process("postgresql://nowhere", elapsed=lambda: now)
    shard_states = ShardStates(process.handler, process.locks, lambda *_moved: None)
    shard_states.given[5] = None
    unconnected = FleetState(SHARDS, owners={5: 7})
    for _ in range(3):
        now += 60
        shard_states.follow(unconnected, 1)
        assert 5 in process.wanted
        assert 5 in shard_states.served
    connected = FleetState(SHARDS, owners={5: 7}, connected={5: frozenset({7})})
    shard_states.follow(connected, 1)
    assert 5 in process.wanted, "presses of before are still on their way"
    now += OVERLAP
    shard_states.follow(connected, 1)
    assert 5 not in process.wanted
