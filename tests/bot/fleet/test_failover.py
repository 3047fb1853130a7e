"""A failover of the database: no two processes own a shard on two servers, and each retakes its own on the new one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bot.fleet.fleet import FleetTiming
from tests.bot.fleet.members import QUICK, SHARDS, Process, fleet, settled, shares, until
from tests.bot.postgres import Proxy
from tests.bot.replication import Pair

pytestmark = pytest.mark.system

LOCKS = "SELECT count(*) = 0 FROM pg_locks WHERE locktype = 'advisory'"


@contextmanager
def watched(processes: Sequence[Process]) -> Generator[None]:
    """Fails if at some moment two of these count a shard as their own."""
    twice: list[int] = []

    async def watch() -> None:
        while True:
            owned = Counter(s for s in range(SHARDS) for each in processes if each.member.owns(s << 22))
            twice.extend(shard for shard, owners in owned.items() if owners > 1)
            await asyncio.sleep(0)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
    assert twice == []


async def test_fleet_sessions_leave_an_old_primary_that_still_answers_and_no_shard_moves(
    pair: Pair, database: str
) -> None:
    patient = FleetTiming(check_every=0.1, reconnect_every=0.1)
    async with fleet(pair.address.url(database), 3, patient) as processes:
        before = [set(process.own) for process in processes]
        with watched(processes):
            await pair.make_read_only()
            await pair.fail_over()
            await pair.standby.holds(LOCKS)
            await pair.primary.holds(f"{LOCKS.replace('= 0', f'>= {SHARDS}')}")
            await until(lambda: settled(*processes))
        assert [process.own for process in processes] == before
        assert all("lost" not in process.moves for process in processes)
        await pair.rejoin()
        with watched(processes):
            await asyncio.to_thread(pair.stop, "immediate")
            await pair.fail_over()
            await pair.primary.holds(f"{LOCKS.replace('= 0', f'>= {SHARDS}')}")
            await until(lambda: settled(*processes))
        assert [process.own for process in processes] == before


async def test_process_cut_off_on_the_old_primary_counts_its_shards_as_lost_before_others_take_them(
    pair: Pair, database: str
) -> None:
    async with Proxy(pair.primary).running() as way, fleet(pair.address.url(database), 1) as processes:
        processes.append(cut_off := Process(way.url(database)))
        await cut_off.start()
        await until(lambda: settled(*processes))
        with watched(processes):
            way.cut = lambda _message: "silent"
            way.holding = True
            await pair.make_read_only()
            await pair.fail_over()
            await until(lambda: processes[0].own == {*range(SHARDS)})
        way.lead_to(pair.primary)
        way.holding, way.cut = False, lambda _message: None
        await until(lambda: shares(*processes) == [SHARDS // 2, SHARDS // 2])
        await cut_off.die()


async def test_idle_process_leaves_an_old_primary_that_still_takes_writes(pair: Pair, database: str) -> None:
    timing = replace(QUICK, listening_checked=0.1)
    async with fleet(pair.address.url(database), 1, timing) as [one]:
        await pair.fail_over()
        await pair.standby.holds(LOCKS)
        await until(lambda: one.member.status.certain)
        await pair.primary.holds(LOCKS.replace("= 0", "> 0"))
