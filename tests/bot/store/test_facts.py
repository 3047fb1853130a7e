"""Facts of the host: changed one after the other whoever changes them, and the beat that gives back lost time."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.model import ALARM, Job, StoreError
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, kept

MINUTE = 60.0


async def dues(store: Store) -> dict[str, float]:
    """When each job is due, in seconds from `NOW` on."""
    return {job.kind: job.due - NOW for job in await store.due(NOW + 10**9)}


async def with_jobs(store: Store) -> None:
    row = await kept(store)
    for kind in (ALARM, "redraw"):
        await store.set_job(Job(row.id, kind, NOW + 5 * MINUTE))


# -- changing


async def test_change_fact_gets_the_old_value(store: Store) -> None:
    assert await store.change_fact("departed", lambda old: f"{old}, 1") == "None, 1"
    assert await store.change_fact("departed", lambda old: f"{old}, 2") == "None, 1, 2"
    assert await store.fact("departed") == "None, 1, 2"


async def test_a_store_as_of_one_moment_is_read_and_not_written(store: Store, home: Home) -> None:
    await store.set_fact("departed", "1")
    place = home.backend()
    async with place.reading() as reader:
        assert await reader.fact("departed") == "1"
        await store.set_fact("departed", "2")
        assert await reader.fact("departed") == "1"
        with pytest.raises(StoreError, match="reading only"):
            await reader.set_fact("departed", "3")
    assert await store.fact("departed") == "2"


async def test_concurrent_changes_of_a_fact_are_serialised(store: Store) -> None:
    await asyncio.gather(*(store.change_fact("count", lambda old: str(int(old or 0) + 1)) for _ in range(30)))
    assert await store.fact("count") == "30"


async def test_a_change_that_fails_leaves_the_fact_as_it_was(store: Store) -> None:
    await store.set_fact("blocked", "[7]")

    def fail(_old: str | None) -> str:
        raise ValueError("no such order")

    with pytest.raises(ValueError, match="no such order"):
        await store.change_fact("blocked", fail)
    assert await store.fact("blocked") == "[7]"
    assert await store.change_fact("blocked", lambda old: f"{old}!") == "[7]!"


# -- the beat


async def test_first_heartbeat_adds_no_downtime(store: Store) -> None:
    await with_jobs(store)
    assert await store.write_heartbeat(NOW, 0.0) == 0.0
    assert await dues(store) == {ALARM: 5 * MINUTE, "redraw": 5 * MINUTE}


async def test_short_gap_between_heartbeats_is_no_downtime(store: Store) -> None:
    await with_jobs(store)
    await store.write_heartbeat(NOW, MINUTE)
    assert await store.write_heartbeat(NOW + MINUTE, MINUTE) == 0.0
    assert await store.write_heartbeat(NOW + 2 * MINUTE, MINUTE) == 0.0
    assert await dues(store) == {ALARM: 5 * MINUTE, "redraw": 5 * MINUTE}


async def test_downtime_postpones_timers_only(store: Store) -> None:
    await with_jobs(store)
    await store.write_heartbeat(NOW, MINUTE)
    assert await store.write_heartbeat(NOW + 3 * MINUTE, MINUTE) == 3 * MINUTE
    assert await dues(store) == {ALARM: 8 * MINUTE, "redraw": 5 * MINUTE}
    assert await store.write_heartbeat(NOW + 5 * MINUTE, MINUTE) == 5 * MINUTE, "the downtime adds up"
    assert await dues(store) == {ALARM: 10 * MINUTE, "redraw": 5 * MINUTE}
    assert float(await store.fact("downtime") or 0) == 5 * MINUTE
    assert float(await store.fact("heartbeat") or 0) == NOW + 5 * MINUTE


async def test_clock_set_back_makes_jobs_due_earlier_and_keeps_host_time(
    store: Store,
) -> None:
    await with_jobs(store)
    await store.write_heartbeat(NOW, MINUTE)
    down = await store.write_heartbeat(NOW - 3 * MINUTE, 0.0)
    assert down == -3 * MINUTE
    assert (NOW - 3 * MINUTE) - down == NOW
    assert await dues(store) == {ALARM: 2 * MINUTE, "redraw": 2 * MINUTE}
    assert await store.write_heartbeat(NOW - 2.5 * MINUTE, MINUTE) == down


async def test_slow_clock_does_not_set_the_heartbeat_back(store: Store) -> None:
    await store.write_heartbeat(NOW, MINUTE)
    await store.write_heartbeat(NOW - 1, MINUTE)
    assert float(await store.fact("heartbeat") or 0) == NOW


async def test_different_clocks_add_no_endless_downtime(store: Store) -> None:
    await with_jobs(store)
    for beat in range(8):
        behind = 3 * MINUTE if beat % 2 else 0
        assert await store.write_heartbeat(NOW + beat * 30 - behind, MINUTE) == 0.0
    assert await dues(store) == {ALARM: 5 * MINUTE, "redraw": 5 * MINUTE}
    assert float(await store.fact("heartbeat") or 0) == NOW + 6 * 30


async def test_downtime_is_added_once_by_concurrent_heartbeats(store: Store) -> None:
    await with_jobs(store)
    await store.write_heartbeat(NOW, MINUTE)
    downs = await asyncio.gather(*(store.write_heartbeat(NOW + 3 * MINUTE, MINUTE) for _ in range(10)))
    assert downs == [3 * MINUTE] * 10
    assert await dues(store) == {ALARM: 8 * MINUTE, "redraw": 5 * MINUTE}
