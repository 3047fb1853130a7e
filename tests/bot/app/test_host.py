"""The host does every due job once and in time, whatever fails meanwhile, and starts and ends in good order."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.app.heartbeat import EVERY
from bot.app.host import Host
from bot.app.job_runner import GIVE_UP
from bot.app.services import DEFAULT, AppTiming
from bot.store.model import Change, Job, StoreError, StoreFull
from bot.tables import ending
from bot.tables.draft import AGENT, ALARM, REDRAW
from bot.tables.model import DAY, HOUR, MINUTE
from tests.bot.hosts import Drawn, make_host, run_due
from tests.bot.tables.samples import (
    ANA,
    BEN,
    Presses,
    change,
    events_of,
    jobs_of,
    leave,
    match_of,
    open_lobby,
    refused,
)
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

# -- jobs


async def test_agents_play_a_whole_match_by_themselves_once_nobody_moves_between(
    host: Host, clock: ManualClock
) -> None:
    table = await match_of(host.tables, ANA, agents=3, limit=5 * MINUTE)
    presses = Presses(host.tables)
    while table.live:
        await run_due(host)
        table = await host.tables.get(table.id)
        if table.live:
            table = await presses.move(table)
    assert table.status == "over"


async def test_private_screens_that_cannot_be_read_now_are_left_to_the_redraw(
    host: Host, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(_table: int) -> None:
        raise StoreError("The database does not answer.")

    monkeypatch.setattr(drawn.private, "follow_latest", away)
    table = await match_of(host.tables, ANA, BEN)
    await host.jobs._redraws.follow(table.id)
    assert "could not follow" not in "".join(
        record.getMessage() for record in caplog.records if record.exc_info
    )


async def test_it_tells_when_something_will_be_due_next(host: Host, clock: ManualClock) -> None:
    assert await run_due(host) == clock.now() + EVERY
    await match_of(host.tables, ANA, BEN, limit=5 * MINUTE)
    assert await run_due(host) == clock.now() + EVERY
    clock.advance(5 * MINUTE * 3 / 4 - 10)
    assert await run_due(host) == clock.now() + 10


async def test_a_table_tells_no_result_that_a_screen_holds_back(
    host: Host, drawn: Drawn, clock: ManualClock
) -> None:
    table = await match_of(host.tables, ANA, BEN)
    drawn.nobody.held = clock.now() + 2
    assert await run_due(host) == clock.now() + 2
    assert drawn.tables == []
    clock.advance(2)
    await run_due(host)
    assert drawn.tables == [table.id]


async def test_a_change_is_drawn_once_and_not_again(host: Host, drawn: Drawn) -> None:
    table = await match_of(host.tables, ANA, BEN)
    await run_due(host)
    assert drawn.tables == [table.id]
    await run_due(host)
    assert drawn.tables == [table.id]
    await change(host.tables, table, lambda draft: draft.touch())
    await run_due(host)
    assert drawn.tables == [table.id] * 2


async def test_changes_in_quick_succession_are_drawn_together(path: Path, clock: ManualClock) -> None:
    host, drawn = make_host(path, clock, redraw_interval=1.0)
    await host.start()
    table = await match_of(host.tables, ANA, BEN)
    await run_due(host)
    for _ in range(5):
        await change(host.tables, table, lambda draft: draft.touch())
        await run_due(host)
    assert drawn.tables == [table.id]
    clock.advance(1)
    await run_due(host)
    assert drawn.tables == [table.id] * 2
    await host.close()


async def test_what_follows_quickly_is_drawn_later_without_another_write(
    path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, drawn = make_host(path, clock, redraw_interval=1.0)
    await host.start()
    table = await match_of(host.tables, ANA, BEN)
    await run_due(host)
    put_off, postpone = list[Job](), host.store.postpone

    async def counted(job: Job, due: float) -> None:
        put_off.append(job)
        await postpone(job, due)

    monkeypatch.setattr(host.store, "postpone", counted)
    await change(host.tables, table, lambda draft: draft.touch())
    assert await run_due(host) == clock.now() + 1
    assert (drawn.tables, put_off) == ([table.id], [])
    clock.advance(1)
    await run_due(host)
    assert drawn.tables == [table.id] * 2
    await host.close()


async def test_a_change_while_the_message_is_drawn_has_it_drawn_again(host: Host, drawn: Drawn) -> None:
    table = await match_of(host.tables, ANA, BEN)

    async def meanwhile(_table: int) -> None:
        drawn.meanwhile = None
        await change(host.tables, table, lambda draft: draft.touch())

    drawn.meanwhile = meanwhile
    await run_due(host)
    assert drawn.tables == [table.id] * 2


async def test_an_agent_does_not_wait_for_a_message_that_is_slow_to_be_drawn(
    host: Host, drawn: Drawn
) -> None:
    table = await match_of(host.tables, ANA, BEN, first=0)
    free = asyncio.Event()

    async def slow(_table: int) -> None:
        await free.wait()

    drawn.meanwhile = slow
    await host.start_due()
    await leave(host.tables, table, ANA)
    async with asyncio.timeout(PATIENCE):
        while (await host.tables.get(table.id)).sequence == 0:
            await host.start_due()
            await asyncio.sleep(0.01)
    (move, *_) = await host.store.moves(table.id)
    assert move.seat == 0, "the seat that Ana has left"
    assert not free.is_set(), "and nothing has been drawn"
    free.set()
    await run_due(host)


async def test_of_many_tables_none_waits_behind_others_that_are_slow(host: Host, drawn: Drawn) -> None:
    slow = [await match_of(host.tables, ANA, BEN, channel=channel) for channel in range(1, 20)]
    free = asyncio.Event()

    async def wait(table: int) -> None:
        if table != last:
            await free.wait()

    drawn.meanwhile = wait
    last = -1
    await host.start_due()
    last = (await match_of(host.tables, ANA, BEN, channel=99)).id
    await host.start_due()
    async with asyncio.timeout(PATIENCE):
        while len(host.tasks.running) > len(slow):
            await asyncio.sleep(0.01)
    assert len(host.tasks.running) == len(slow)
    assert drawn.tables[-1] == last
    free.set()
    await run_due(host)


async def test_a_job_that_is_found_the_moment_its_change_is_durable_finds_the_change_too(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(host.tables, ANA, BEN, first=0)
    await run_due(host)
    commit = host.store.commit

    async def slow_to_return(change: Change) -> None:
        await commit(change)
        monkeypatch.undo()
        await host.start_due()
        await asyncio.sleep(0.05)

    monkeypatch.setattr(host.store, "commit", slow_to_return)
    await leave(host.tables, table, ANA)
    await run_due(host)
    assert (await host.tables.get(table.id)).sequence > 0


# -- what fails


def discord_error(status: int = 500) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="trouble")
    return discord.HTTPException(response, "trouble")


async def test_a_message_that_cannot_be_drawn_is_tried_at_growing_intervals_and_then_given_up(
    host: Host, drawn: Drawn, clock: ManualClock
) -> None:
    table = await match_of(host.tables, ANA, BEN)

    async def fail(_table: int) -> None:
        raise discord_error(400)

    drawn.meanwhile = fail
    waits: list[float] = []
    while True:
        await run_due(host)
        due = {job.kind: job.due for job in await host.store.due(clock.now() + HOUR)}.get(REDRAW)
        if due is None:
            break
        waits.append(due - clock.now())
        clock.advance(due - clock.now())
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert len(drawn.tables) == GIVE_UP
    drawn.meanwhile = None
    await change(host.tables, table, lambda draft: draft.touch())
    await run_due(host)
    assert len(drawn.tables) == GIVE_UP + 1, "the table's next change is drawn"


@pytest.mark.parametrize(
    "error", [discord_error(500), discord_error(429), TimeoutError(), aiohttp.ServerDisconnectedError()]
)
async def test_a_message_is_drawn_after_an_outage_however_long_it_was(
    host: Host, drawn: Drawn, clock: ManualClock, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    await match_of(host.tables, ANA, BEN)

    async def fail(_table: int) -> None:
        raise error

    drawn.meanwhile = fail
    for _ in range(3 * GIVE_UP):
        clock.advance(5 * MINUTE)
        await run_due(host)
    assert len(drawn.tables) == 3 * GIVE_UP
    assert "Traceback" not in caplog.text, "an outage does not fill the log"
    drawn.meanwhile = None
    clock.advance(5 * MINUTE)
    await run_due(host)
    await run_due(host)
    assert len(drawn.tables) == 3 * GIVE_UP + 1


async def test_a_job_that_fails_is_not_lost_if_the_host_is_killed_at_any_moment(
    path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()
    table = await match_of(host.tables, ANA, agents=1, first=1)

    async def full(_change: Any) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(host.store, "commit", full)
    await run_due(host)
    assert (await jobs_of(host.tables, table))[AGENT] == clock.now() + 2
    await host.store.close()
    again, _drawn = make_host(path, clock)
    await again.start()
    clock.advance(2)
    await run_due(again)
    assert (await again.tables.get(table.id)).sequence > 0
    await again.close()


async def test_a_move_that_cannot_be_kept_is_tried_until_it_can_be(
    host: Host, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message may stay as it is until the next change, but without the agent's move the match would stand still."""
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0)
    await run_due(host)
    tries = 0

    async def full(_change: Any) -> None:
        nonlocal tries
        tries += 1
        raise StoreFull("no room")

    clock.advance(HOUR)
    monkeypatch.setattr(host.store, "commit", full)
    for _ in range(3 * GIVE_UP):
        await run_due(host)
        clock.advance(5 * MINUTE)
    assert tries > 2 * GIVE_UP
    monkeypatch.undo()
    await run_due(host)
    assert await events_of(host.tables, table) == ["missed"]
    assert (await host.tables.get(table.id)).sequence > 0, "an agent has played what was due"


async def test_with_a_full_disk_the_host_neither_retries_without_pause_nor_forgets_its_jobs(
    host: Host, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(host.tables, ANA, agents=1, first=1)
    attempts: list[str] = []

    async def full(*_given: Any) -> None:
        attempts.append("write")
        raise StoreFull("no room")

    for name in ("commit", "finish", "postpone", "set_fact"):
        monkeypatch.setattr(host.store, name, full)
    await run_due(host)
    tried = len(attempts)
    for _ in range(20):
        await run_due(host)
    assert len(attempts) == tried
    monkeypatch.undo()
    clock.advance(EVERY)
    await run_due(host)
    assert (await host.tables.get(table.id)).sequence > 0


async def test_the_job_of_a_table_that_cannot_be_read_waits_for_a_version_that_can(
    host: Host, clock: ManualClock
) -> None:
    table = await match_of(host.tables, ANA, agents=1, first=1)
    await host.store.finish([job for job in await host.store.due(clock.now()) if job.kind == REDRAW])
    host.tables.cache.clear()
    games = host.tables.games
    host.tables.games = {}
    await run_due(host)
    assert (await jobs_of(host.tables, table))[AGENT] == clock.now() + HOUR
    host.tables.games = games
    clock.advance(HOUR)
    await run_due(host)
    assert (await host.tables.get(table.id)).sequence > 0


async def test_the_job_of_a_table_that_is_gone_is_dropped(host: Host, clock: ManualClock) -> None:
    table = await open_lobby(host.tables, ANA)
    await change(host.tables, table, lambda draft: ending.end(draft, ANA, manages=False))
    job = Job(table.id, ALARM, clock.now())
    await host.store.purge(clock.now() + 1)
    host.tables.cache.drop_ended(clock.now() + 1)
    host.jobs._start(job, clock.now())
    await asyncio.wait(host.tasks.running)
    assert await host.store.next_due() is None


async def test_a_job_that_fails_in_an_unknown_way_is_logged_and_tried_again(
    host: Host, drawn: Drawn, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    table = await match_of(host.tables, ANA, BEN)

    async def fail(_table: int) -> None:
        drawn.meanwhile = None
        raise ZeroDivisionError

    drawn.meanwhile = fail
    await run_due(host)
    assert f"table {table.id}: redraw failed" in caplog.text
    clock.advance(2)
    await run_due(host)
    assert len(drawn.tables) == 2


# -- what is remembered only for a while


async def test_finished_matches_are_kept_for_ninety_days_and_then_deleted(
    host: Host, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    over = await open_lobby(host.tables, ANA, channel=1)
    await change(host.tables, over, lambda draft: ending.end(draft, ANA, manages=False))
    live = await match_of(host.tables, ANA, BEN, channel=2, limit=None)

    async def a_day() -> None:
        clock.advance(DAY)
        await run_due(host)
        if host.housekeeping.cleanup.task is not None:
            await host.housekeeping.cleanup.task

    for _ in range(90):
        await a_day()
    assert await host.store.table(over.id) is not None
    await a_day()
    assert await host.store.table(over.id) is None
    assert await host.store.table(live.id) is not None
    assert await refused(host.tables.get(over.id)) == "no-table"
    assert "90 days" in caplog.text


async def test_what_the_host_remembers_about_tables_does_not_grow_for_ever(
    path: Path, clock: ManualClock
) -> None:
    host, _drawn = make_host(path, clock, timing=AppTiming(redraws_remembered=10))
    await host.start()
    for channel in range(1, 40):
        await open_lobby(host.tables, ANA, channel=channel)
        table = await host.tables.live_in(channel)
        assert table is not None
        await change(host.tables, table, lambda draft: draft.touch())
        await run_due(host)
        clock.advance(30)
    assert len(host.jobs._redraws.times._drawn) <= 11
    assert host.jobs._retries._failures == host.jobs._retries._held == {}
    assert host.tables._locks._locks == {}
    await host.close()


# -- channels that are deleted


async def test_deleting_a_channel_ends_its_match_even_if_that_cannot_be_read(
    host: Host, drawn: Drawn
) -> None:
    table = await match_of(host.tables, ANA, BEN, channel=1)
    await host.channel_gone(1)
    assert drawn.gone == [table.id]
    await host.channel_gone(404)
    host.tables.cache.clear()
    host.tables.games = {}
    await host.channel_gone(1)
    row = await host.store.table(table.id)
    assert row is not None
    assert row.status == "abandoned"


async def test_posting_everything_anew_does_not_stop_at_a_table_that_cannot_be_read(
    host: Host, drawn: Drawn, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [await match_of(host.tables, ANA, BEN, channel=channel) for channel in (1, 2, 3)]
    row = await host.store.table(tables[1].id)
    assert row is not None
    row.game = "chess"
    await host.store.commit(Change(row))
    host.tables.cache.clear()
    await host.repost_all()
    assert drawn.tables == [tables[0].id, tables[2].id]
    assert "unreadable" in caplog.text


# -- the end


async def test_closing_finishes_the_jobs_that_have_begun(path: Path, clock: ManualClock) -> None:
    host, drawn = make_host(path, clock)
    await host.start()
    await match_of(host.tables, ANA, BEN)
    finished: list[int] = []

    async def slow(table: int) -> None:
        await asyncio.sleep(0.2)
        finished.append(table)

    drawn.meanwhile = slow
    await host.start_due()
    await host.close()
    assert len(finished) == 1
    with pytest.raises(StoreError, match="not open"):
        await host.store.next_due()


async def test_closing_waits_for_presses_that_are_being_answered(path: Path, clock: ManualClock) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()
    table = await match_of(host.tables, ANA, BEN)

    async def press() -> None:
        await asyncio.sleep(0.1)
        await Presses(host.tables).move(table)

    task = asyncio.create_task(press())
    host.router.answering.add(task)
    await host.close()
    assert task.done()
    assert task.exception() is None


async def test_closing_does_not_wait_for_ever_and_what_was_not_done_is_done_after_the_next_start(
    path: Path, clock: ManualClock
) -> None:
    host, drawn = make_host(path, clock, timing=AppTiming(finish=0.1))
    await host.start()
    table = await match_of(host.tables, ANA, BEN)

    async def hang(_table: int) -> None:
        await asyncio.Event().wait()

    drawn.meanwhile = hang
    await host.start_due()
    async with asyncio.timeout(PATIENCE):
        await host.close()
    again, drawn = make_host(path, clock)
    await again.start()
    await run_due(again)
    assert drawn.tables == [table.id]
    await again.close()
    assert DEFAULT.finish <= 3


async def test_closing_twice_or_before_the_start_is_harmless(path: Path, clock: ManualClock) -> None:
    host, _drawn = make_host(path, clock)
    await host.close()
    await host.start()
    await asyncio.gather(host.close(), host.close())
    await host.close()
    assert await run_due(host) is None
    assert await host.start_due() is None


async def test_a_host_that_closes_though_its_disk_is_full_closes(
    path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()

    async def full(*_given: Any) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(host.store, "set_fact", full)
    await host.close()
    with pytest.raises(StoreError, match="not open"):
        await host.store.next_due()
