"""Jobs: a table has one of each kind, with a due time. Ids tell one setting of a job from the next."""

from __future__ import annotations

import pytest

from bot.store.model import ALARM, Change, Job, StoreError
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, a_table, kept
from tests.manual_clock import ManualClock


async def _kinds_due(store: Store, now: float = NOW) -> list[str]:
    return [job.kind for job in await store.due(now)]


async def test_jobs_are_due_from_their_time_on_the_longest_overdue_first(store: Store) -> None:
    row = await kept(store)
    for kind, due in [("later", NOW + 0.5), ("now", NOW), ("overdue", NOW - 5)]:
        await store.set_job(Job(row.id, kind, due, payload=f"{kind}!"))
    assert [(job.kind, job.due, job.payload) for job in await store.due(NOW)] == [
        ("overdue", NOW - 5, "overdue!"),
        ("now", NOW, "now!"),
    ]
    assert await _kinds_due(store, NOW + 1) == ["overdue", "now", "later"]


async def test_due_jobs_are_limited(store: Store) -> None:
    row = await kept(store)
    for number in range(4):
        await store.set_job(Job(row.id, f"job {number}", NOW - number))
    assert [job.kind for job in await store.due(NOW, limit=2)] == ["job 3", "job 2"]


async def test_jobs_due_at_one_time_come_in_the_order_they_were_set(store: Store) -> None:
    row = await kept(store)
    for kind in ("c", "a", "b"):
        await store.set_job(Job(row.id, kind, NOW))
    assert await _kinds_due(store) == ["c", "a", "b"]


async def test_the_next_due_time_is_the_earliest_of_all(store: Store) -> None:
    assert await store.next_due() is None
    row = await kept(store)
    await store.set_job(Job(row.id, "limit", NOW + 60))
    await store.set_job(Job(row.id, "remind", NOW + 30))
    assert await store.next_due() == NOW + 30


async def test_setting_a_job_again_moves_it(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "limit", NOW, "first"))
    await store.set_job(Job(row.id, "limit", NOW + 60, "second"))
    assert await _kinds_due(store) == []
    assert [job.payload for job in await store.due(NOW + 60)] == ["second"]


async def test_a_change_sets_and_drops_its_tables_jobs_alone(store: Store) -> None:
    one, other = await kept(store, 1), await kept(store, 2)
    for row in (one, other):
        for kind in ("limit", "remind"):
            await store.set_job(Job(row.id, kind, NOW))
    await store.commit(
        Change(one, set_jobs=[Job(other.id, "agent", NOW)], drop_jobs=["limit", "remind", "no"])
    )
    assert sorted((job.table_id, job.kind) for job in await store.due(NOW)) == [
        (one.id, "agent"),
        (other.id, "limit"),
        (other.id, "remind"),
    ]


async def test_a_kind_both_set_and_dropped_is_set(store: Store) -> None:
    row = await kept(store)
    await store.commit(Change(row, set_jobs=[Job(row.id, "limit", NOW)], drop_jobs=["limit"]))
    assert await _kinds_due(store) == ["limit"]


async def test_a_finished_job_is_gone(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "limit", NOW))
    await store.set_job(Job(row.id, "remind", NOW))
    await store.finish(await store.due(NOW, limit=1))
    assert await _kinds_due(store) == ["remind"]
    await store.finish([])


async def test_finish_keeps_a_job_that_was_set_again(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "limit", NOW))
    await store.set_job(Job(row.id, "remind", NOW))
    read = await store.due(NOW)
    await store.commit(Change(row, set_jobs=[Job(row.id, "limit", NOW)]))
    await store.finish(read)
    assert await _kinds_due(store) == ["limit"]


async def test_job_set_after_a_drop_has_a_new_id(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "limit", NOW))
    read = await store.due(NOW)
    await store.commit(Change(row, drop_jobs=["limit"]))
    await store.commit(Change(row, set_jobs=[Job(row.id, "limit", NOW)]))
    await store.finish(read)
    assert await _kinds_due(store) == ["limit"]


async def test_job_ids_grow_over_a_restart_with_a_clock_set_back(
    store: Store, home: Home, clock: ManualClock
) -> None:
    row = await store.create(Change(a_table(), set_jobs=[Job(0, "limit", NOW)]))
    [first] = await store.due(NOW)
    await store.close()
    clock.set(-1000)
    again = home.store(clock)
    await again.open()
    await again.set_job(Job(row.id, "limit", NOW))
    [second] = await again.due(NOW)
    await again.close()
    assert second.id > first.id


async def test_job_ids_grow_over_a_restart_without_jobs(store: Store, home: Home, clock: ManualClock) -> None:
    row = await store.create(Change(a_table(), set_jobs=[Job(0, "limit", NOW)]))
    [first] = await store.due(NOW)
    await store.finish([first])
    await store.close()
    clock.advance(1)
    again = home.store(clock)
    await again.open()
    await again.set_job(Job(row.id, "limit", NOW))
    await again.finish([first])  # as by somebody who read the job before the restart
    [second] = await again.due(NOW)
    await again.close()
    assert second.id > first.id


async def test_job_ids_grow_with_any_clock_and_few_jobs(store: Store, home: Home, clock: ManualClock) -> None:
    row = await store.create(Change(a_table(), set_jobs=[Job(0, "limit", NOW)]))
    ids = [(await store.due(NOW))[0]]
    await store.close()
    for years in (-1, -20, 5, -5):
        again = home.store(ManualClock(clock.now() + years * 365 * 86_400))
        await again.open()
        await again.finish(ids)
        assert await again.next_due() is None
        await again.set_job(Job(row.id, "limit", NOW))
        ids += await again.due(NOW)
        await again.finish(ids)
        await again.close()
    numbers = [job.id for job in ids]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 5


async def test_a_job_for_a_table_that_is_gone_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.set_job(Job(404, "limit", NOW))
    assert await store.next_due() is None


async def test_a_shifted_job_is_still_the_same_setting(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, ALARM, NOW))
    read = await store.due(NOW)
    await store.write_heartbeat(NOW, 10)
    await store.write_heartbeat(NOW + 60, 10)
    assert await store.next_due() == NOW + 60
    await store.finish(read)
    assert await store.next_due() is None


async def test_a_postponed_job_comes_later_and_is_still_the_same_setting(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "redraw", NOW))
    (job,) = await store.due(NOW)
    await store.postpone(job, NOW + 60)
    assert await store.due(NOW + 59) == []
    assert [each.id for each in await store.due(NOW + 60)] == [job.id]
    await store.finish([job])
    assert await store.next_due() is None


async def test_postpone_ignores_a_job_set_again_or_dropped(store: Store) -> None:
    row = await kept(store)
    for kind in ("redraw", "agent"):
        await store.set_job(Job(row.id, kind, NOW))
    jobs = await store.due(NOW)
    await store.commit(Change(row, set_jobs=[Job(row.id, "redraw", NOW + 1)], drop_jobs=["agent"]))
    for job in jobs:
        await store.postpone(job, NOW + 60)
    assert [(job.kind, job.due) for job in await store.due(NOW + 60)] == [("redraw", NOW + 1)]


async def test_due_leaves_out_known_jobs_without_counting_them(store: Store) -> None:
    row = await kept(store)
    for number in range(4):
        await store.set_job(Job(row.id, f"job {number}", NOW - 4 + number))
    known = await store.due(NOW, limit=2)
    assert [job.kind for job in await store.due(NOW, 2, known)] == ["job 2", "job 3"]


async def test_due_returns_a_known_job_that_was_set_again(store: Store) -> None:
    row = await kept(store)
    await store.set_job(Job(row.id, "redraw", NOW))
    known = await store.due(NOW)
    assert await store.due(NOW, besides=known) == []
    await store.set_job(Job(row.id, "redraw", NOW, "anew"))
    assert [job.payload for job in await store.due(NOW, besides=known)] == ["anew"]
