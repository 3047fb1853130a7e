"""Many writes share a commit, each succeeds or fails by itself, and none is acknowledged before it is durable."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from traceback import format_exception

import pytest

from bot.store.model import Change, ChannelTaken, Conflict, MoveRow, Repeated, StoreError, StoreFull
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, a_move, a_table, kept, on_writer, writer_held
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE


async def _transactions(store: Store, statements: list[str]) -> int:
    await on_writer(store, lambda connection: connection.set_trace_callback(None))
    return statements.count("COMMIT")


async def test_writes_made_at_once_share_a_few_commits(file_store: Store) -> None:
    rows = [await kept(file_store, channel) for channel in range(100)]
    statements: list[str] = []
    await on_writer(file_store, lambda connection: connection.set_trace_callback(statements.append))
    await asyncio.gather(*(file_store.commit(a_move(row)) for row in rows))
    assert await _transactions(file_store, statements) <= 2
    assert all(row.version == 2 for row in rows)


async def test_writes_that_arrive_while_another_commits_share_the_next_commit(
    file_store: Store,
) -> None:
    rows = [await kept(file_store, channel) for channel in range(20)]
    statements: list[str] = []
    await on_writer(file_store, lambda connection: connection.set_trace_callback(statements.append))
    async with writer_held(file_store):
        tasks = []
        for row in rows:
            tasks.append(asyncio.create_task(file_store.commit(a_move(row))))
            await asyncio.sleep(0.001)
        assert not any(task.done() for task in tasks)
    await asyncio.gather(*tasks)
    assert await _transactions(file_store, statements) == 2


async def test_a_write_that_fails_is_undone_alone(store: Store) -> None:
    rows = [await kept(store, channel) for channel in range(30)]
    await store.commit(a_move(rows[20], interaction_id=77))
    stale = replace(rows[10], version=9)
    ended = await kept(store, 5, status="over")
    ended.status = "playing"
    changes = [a_move(row) for row in rows]
    changes[10] = a_move(stale)
    changes[20] = replace(changes[20], moves=[MoveRow(2, 0, "again", 77, NOW)])
    changes[20].table.body = "not to be kept"
    changes.append(Change(ended))
    changes.append(Change(rows[10], [MoveRow(1, 0, "a bug", 2**70, NOW)]))  # no store holds such a number
    results = await asyncio.gather(*(store.commit(change) for change in changes), return_exceptions=True)
    failed = {number: type(result) for number, result in enumerate(results) if result is not True}
    assert failed.pop(31) in (OverflowError, StoreError)
    assert failed == {10: Conflict, 20: Repeated, 30: ChannelTaken}
    for number, row in enumerate(rows):
        assert len(await store.moves(row.id)) == len(await store.log(row.id)) == (0 if number == 10 else 1)
    undone = await store.table(rows[20].id)
    assert undone is not None
    assert (undone.version, undone.sequence, undone.body) == (2, 1, a_table().body)


async def test_acknowledged_write_is_visible_to_other_connections(store: Store, home: Home) -> None:
    row = await kept(store)
    for _ in range(20):
        await store.commit(a_move(row))
        assert await home.query("SELECT count(*) FROM moves") == [(row.sequence,)]


async def test_reads_do_not_wait_for_a_slow_disk_and_see_only_what_is_durable(store: Store) -> None:
    row = await kept(store)
    async with writer_held(store):
        writing = asyncio.create_task(store.commit(a_move(row)))
        await asyncio.sleep(0)
        assert await asyncio.wait_for(store.moves(row.id), PATIENCE) == []
        assert not writing.done()
    await writing
    assert len(await store.moves(row.id)) == 1


async def test_a_read_after_an_acknowledged_write_sees_it(store: Store) -> None:
    async def play(channel: int) -> None:
        row = await kept(store, channel)
        for _ in range(10):
            await store.commit(a_move(row))
            assert await store.table(row.id) == row
            assert len(await store.moves(row.id)) == row.sequence

    await asyncio.gather(*(play(channel) for channel in range(10)))


async def test_writes_run_in_the_order_of_the_calls(file_store: Store) -> None:
    await asyncio.gather(*(file_store.set_fact("last", str(number)) for number in range(600)))
    assert await file_store.fact("last") == "599"


async def test_a_cancelled_caller_neither_stops_nor_halves_its_write(store: Store) -> None:
    row, other = await kept(store, 1), await kept(store, 2)
    async with writer_held(store):
        in_flight = asyncio.create_task(store.commit(a_move(row)))
        await asyncio.sleep(0.01)
        gathered = asyncio.create_task(store.commit(a_move(other)))
        await asyncio.sleep(0.01)
        for task in (in_flight, gathered):
            task.cancel()
        await asyncio.wait([in_flight, gathered])
        assert in_flight.cancelled()
        assert gathered.cancelled()
        row.body = other.body = "changed after the write was asked for"
    await store.settle()
    for table in (row, other):
        assert table.version == 2
        assert len(await store.moves(table.id)) == len(await store.log(table.id)) == 1
        read = await store.table(table.id)
        assert read is not None
        assert read.body == a_table().body
        await store.commit(a_move(table))


async def test_settle_waits_for_earlier_writes(store: Store) -> None:
    row = await kept(store)
    async with writer_held(store):
        writing = asyncio.create_task(store.commit(a_move(row)))
        await asyncio.sleep(0.01)
        writing.cancel()
        settling = asyncio.create_task(store.settle())
        await asyncio.sleep(0.01)
        assert not settling.done()
    await settling
    assert len(await store.moves(row.id)) == 1


async def test_failed_write_of_a_cancelled_caller_is_logged(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    row = await kept(store)
    async with writer_held(store):
        writing = asyncio.create_task(store.commit(a_move(replace(row, version=9), move="secret")))
        await asyncio.sleep(0.01)
        writing.cancel()
        await asyncio.wait([writing])
    await store.settle()
    assert "Conflict" in caplog.text
    assert "secret" not in caplog.text


async def test_idle_writer_has_no_task_and_no_timer(store: Store) -> None:
    row = await kept(store)
    await asyncio.gather(store.commit(a_move(row)), store.live_tables())
    assert asyncio.all_tasks() == {asyncio.current_task()}


# -- no room


async def _leave_no_room(store: Store) -> None:
    def act(connection: sqlite3.Connection) -> None:
        [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    await on_writer(store, act)


async def _make_room(store: Store) -> None:
    await on_writer(
        store, lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchall()
    )


async def test_full_disk_keeps_acknowledged_data_and_writing_resumes(
    file_store: Store,
) -> None:
    rows = [await kept(file_store, channel) for channel in range(10)]
    await asyncio.gather(*(file_store.commit(a_move(row)) for row in rows))
    before = [replace(row) for row in rows]
    await _leave_no_room(file_store)
    for row in rows:
        row.snapshot = "x" * 50_000
    results = await asyncio.gather(*(file_store.commit(a_move(row)) for row in rows), return_exceptions=True)
    assert {type(result) for result in results} == {StoreFull}
    assert len(set(map(id, results))) == len(results)
    assert [await file_store.table(row.id) for row in rows] == before
    assert all(row.version == 2 for row in rows)
    await _make_room(file_store)
    for row in before:
        await file_store.commit(a_move(row))
        assert [move.sequence for move in await file_store.moves(row.id)] == [1, 2]


async def test_full_disk_acknowledges_only_kept_writes(file_store: Store) -> None:
    rows = [await kept(file_store, channel) for channel in range(40)]
    await _leave_no_room(file_store)
    for row in rows:
        row.snapshot = "x" * (3000 if row.channel_id % 10 else 50_000)
    results = await asyncio.gather(*(file_store.commit(a_move(row)) for row in rows), return_exceptions=True)
    assert any(isinstance(result, StoreFull) for result in results)
    for row, result in zip(rows, results, strict=True):
        assert len(await file_store.moves(row.id)) == (1 if result is True else 0)
        assert result is True or isinstance(result, StoreFull)


async def test_when_the_commit_itself_fails_nothing_of_the_batch_is_visible(
    file_store: Store, path: Path
) -> None:
    resource = pytest.importorskip("resource")
    rows = [await kept(file_store, channel) for channel in range(10)]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The system does not let the -wal file grow, so that the COMMIT fails as on a disk with an error.
    resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(f"{path}-wal"), limits[1]))
    try:
        results = await asyncio.gather(
            *(file_store.commit(a_move(row)) for row in rows), return_exceptions=True
        )
        seen = [await file_store.moves(row.id) for row in rows]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {type(result) for result in results} == {StoreFull}
    assert seen == [[]] * 10
    again = [await file_store.table(row.id) for row in rows]
    await asyncio.gather(*(file_store.commit(a_move(row)) for row in again if row))
    assert [len(await file_store.moves(row.id)) for row in rows] == [1] * 10


async def test_database_error_becomes_a_store_error_without_values(store: Store, home: Home) -> None:
    row, hidden = await kept(store), "se" + "cret"  # so that it does not stand in the source
    await home.change("ALTER TABLE log RENAME COLUMN event TO gone")
    with pytest.raises(StoreError) as caught:
        await store.commit(a_move(row, move=hidden))
    assert hidden not in "".join(format_exception(caught.value))
    with pytest.raises(StoreError) as caught:
        await store.log(row.id)
    assert "Nothing in it was changed" in str(caught.value)
    assert await store.moves(row.id) == []


# -- closing


async def test_close_waits_for_pending_writes(store: Store, home: Home) -> None:
    rows = [await kept(store, channel) for channel in range(10)]
    writing = [asyncio.create_task(store.commit(a_move(row))) for row in rows]
    await asyncio.sleep(0)
    await store.close()
    assert all(task.done() and not task.exception() for task in writing)
    assert await home.query("SELECT count(*) FROM moves") == [(10,)]


async def test_a_closed_store_refuses_to_write_and_to_read(store: Store) -> None:
    row = await kept(store)
    await store.close()
    for act in (
        store.commit(a_move(row)),
        store.create(Change(row)),
        store.table(1),
        store.purge(0),
    ):
        with pytest.raises(StoreError, match="not open"):
            await act


async def test_closing_twice_or_at_once_or_unopened_is_harmless(
    store: Store, home: Home, clock: ManualClock
) -> None:
    row = await kept(store)
    await store.commit(a_move(row))
    await asyncio.gather(store.close(), store.close())
    await store.close()
    assert await home.query("SELECT count(*) FROM moves") == [(1,)]
    unopened = home.store(clock)
    await unopened.close()
    await unopened.open()  # which closing it has not spoilt
    assert [each.id for each in await unopened.live_tables()] == [row.id]
    await unopened.close()


async def test_a_cancelled_close_goes_on(store: Store, home: Home) -> None:
    row = await kept(store)
    async with writer_held(store):
        writing = asyncio.create_task(store.commit(a_move(row)))
        await asyncio.sleep(0)
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0.01)
        closing.cancel()
        await asyncio.wait([closing])
    await store.close()
    assert writing.done()
    assert await home.query("SELECT count(*) FROM moves") == [(1,)]
    again = home.store(ManualClock())
    await again.open()  # nobody holds the store any more
    await again.close()


async def test_a_store_can_be_opened_again(store: Store) -> None:
    row = await kept(store)
    await store.close()
    await store.open()
    assert await store.table(row.id) == row
    await store.commit(a_move(row))


# -- what is logged


async def test_written_values_are_never_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await store.close()
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="aiosqlite")
    await store.open()
    logging.getLogger().setLevel(logging.DEBUG)
    row = await kept(store)
    row.snapshot = "secret"
    await store.commit(a_move(row, move="secret"))
    with pytest.raises(Conflict):
        await store.commit(a_move(replace(row, version=9), move="secret"))
    await store.moves(row.id)
    await store.set_fact("name", "secret")
    assert "secret" not in caplog.text
    assert not [record for record in caplog.records if record.name == "aiosqlite"]
