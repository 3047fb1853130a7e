"""The jobs that a table sets for itself."""

from __future__ import annotations

from bot.tables.draft import AGENT, ALARM, Draft
from bot.tables.model import HOUR, MINUTE
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    Presses,
    acting,
    asked,
    do_due,
    jobs_of,
    match_of,
    sell,
)
from tests.manual_clock import ManualClock


async def test_moves_within_a_turn_leave_its_alarm_alone(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await acting(tables, HOUR)
    before = [job for job in await tables.store.due(1e12) if job.kind == ALARM]
    await sell(tables, presses, table)
    assert [job for job in await tables.store.due(1e12) if job.kind == ALARM] == before


async def test_an_alarm_rings_at_its_time_however_often_the_host_was_down(tables: Tables) -> None:
    """Its time moves by every pause, and host time by all of them together: rounded, they differ by a hair."""
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    deadline = table.body.asked[0].deadline
    assert deadline is not None
    due, downtime, early = deadline, 0.0, 0
    for number in range(1, 300):
        due, downtime = due + 1000 / number, downtime + 1000 / number
        draft = Draft(table, due, downtime, float)
        early += draft.host_time < deadline
        assert draft.has_come(deadline)
        assert not draft.has_come(deadline + 1)
    assert early > 20, "or this proves nothing"


async def test_an_alarm_that_comes_too_early_is_set_again(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    (alarm,) = [job for job in await tables.store.due(1e12) if job.kind == ALARM]
    await tables.do_job(alarm)
    await tables.store.finish([alarm])
    assert await jobs_of(tables, table) == {ALARM: clock.now() + 45 * MINUTE}


async def test_a_job_done_twice_by_a_crash_between_its_change_and_its_end_is_harmless(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(HOUR)
    jobs = [job for job in await tables.store.due(clock.now()) if job.kind == ALARM]
    for job in jobs * 3:
        await tables.do_job(job)
    table = await tables.get(table.id)
    assert table.seats[0].missed == 1
    agents = [job for job in await tables.store.due(clock.now()) if job.kind == AGENT]
    for job in agents * 2:
        await tables.do_job(job)
    await tables.store.finish([*jobs, *agents])
    await do_due(tables)
    assert asked(await tables.get(table.id)) == 1
