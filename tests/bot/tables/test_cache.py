"""The cache spares the store most reads, and never says anything else than the store does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from bot.store.model import Change, LogRow, StoreError
from bot.store.store import Store
from bot.tables import play, seats
from bot.tables.cache import CacheLimits, Tails
from bot.tables.draft import Draft
from bot.tables.history import with_log
from bot.tables.model import HOUR, Table
from bot.tables.play import may_undo, undo_view_version
from bot.tables.service import Tables
from tests.bot.store.samples import Home, a_table
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    Presses,
    acting,
    change,
    make_tables,
    match_of,
    sell,
    tables_on,
)
from tests.manual_clock import ManualClock

PEOPLE = (ANA, BEN, CARA)


@pytest.fixture
async def on_any(home: Home, clock: ManualClock) -> AsyncIterator[Tables]:
    """A table layer on each kind of store."""
    async with tables_on(home.place, clock) as tables:
        yield tables


class Reads:
    """Counts what is read of a store, by what it is."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count: Counter[str] = Counter()
        for name in ("log", "table"):
            monkeypatch.setattr(store, name, self._counted(name, getattr(store, name)))

    def _counted(self, name: str, read: Any) -> Any:
        def counted(*values: Any, **named: Any) -> Any:
            self.count[name] += 1
            return read(*values, **named)

        return counted


async def log_of(tables: Tables, table: Table, *, last: int, since: int = 0) -> list[LogRow]:
    _table, rows = await with_log(tables, table, last=last, since=lambda _table: since)
    return rows


async def undo(tables: Tables, table: Table, seat: int) -> Table:
    return await change(tables, table, lambda draft: play.undo(draft, PEOPLE[seat], undo_view_version(table)))


def leave_and_come_back(draft: Draft, person: int) -> None:
    """The log's events of the table itself."""
    seats.leave(draft, person)
    seats.come_back(draft, person)


# -- logs


async def test_the_end_of_a_log_is_at_all_times_what_the_store_says(on_any: Tables) -> None:
    presses, rng, undone = Presses(on_any), Random(2), 0
    table = await match_of(on_any, *PEOPLE, limit=None)
    while table.live:
        if rng.random() < 0.1:
            who = rng.choice(PEOPLE)
            table = await change(on_any, table, lambda draft, who=who: leave_and_come_back(draft, who))
        table = await presses.move(table)
        for seat in range(3):
            if may_undo(table, seat, on_any.clock.now()) and rng.random() < 0.4:
                table = await undo(on_any, table, seat)
                undone += 1
        for last, since in ((200, 0), (40, 0), (40, table.sequence - 5), (3, 0), (200, table.sequence)):
            rows = await log_of(on_any, table, last=last, since=since)
            stored = await on_any.store.log(table.id, last=last)
            assert rows == [row for row in stored if row.sequence >= since]
    assert undone > 3
    assert len(await on_any.store.log(table.id)) > 20


async def test_a_match_whose_first_move_was_taken_back_has_the_log_of_its_start(on_any: Tables) -> None:
    table, presses = await acting(on_any, limit=HOUR), Presses(on_any)
    await log_of(on_any, table, last=40)
    for _ in range(2):
        table = await undo(on_any, await sell(on_any, presses, table), 0)
        assert table.sequence == 0
        assert await log_of(on_any, table, last=40) == await on_any.store.log(table.id, last=40)


async def test_a_log_that_is_needed_from_far_back_is_read(
    on_any: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_any = make_tables(on_any.store, clock, cache=CacheLimits(tail=10))
    presses = Presses(on_any)
    table = await match_of(on_any, *PEOPLE)
    await log_of(on_any, table, last=5)
    for _ in range(20):
        table = await presses.move(table)
    reads = Reads(on_any.store, monkeypatch)
    newest = await log_of(on_any, table, last=200, since=table.sequence - 1)
    assert newest
    assert reads.count["log"] == 0
    assert await log_of(on_any, table, last=200) == await on_any.store.log(table.id)
    assert reads.count["log"] == 2
    assert (await log_of(on_any, table, last=200))[-len(newest) :] == newest


async def written_elsewhere(here: Tables, clock: ManualClock) -> Table:
    """A match whose log was read here before another process made three moves."""
    table = await match_of(here, *PEOPLE)
    await log_of(here, table, last=40)
    other = make_tables(here.store, clock)
    for _ in range(3):
        await Presses(other).move(await other.get(table.id))
    return table


async def test_what_another_process_has_written_is_seen_after_a_take_over(
    on_any: Tables, clock: ManualClock
) -> None:
    table = await written_elsewhere(on_any, clock)
    on_any.took_over({None}, 0.0)  # type: ignore[arg-type]
    table = await on_any.get(table.id)
    assert table.sequence == 3
    assert await log_of(on_any, table, last=40) == await on_any.store.log(table.id, last=40)


async def test_what_another_process_has_written_is_seen_after_a_conflict(
    on_any: Tables, clock: ManualClock
) -> None:
    table = await written_elsewhere(on_any, clock)
    with pytest.raises(Exception, match=f"Table {table.id} has changed"):
        await change(on_any, table, lambda draft: draft.touch())
    table = await on_any.get(table.id)
    assert await log_of(on_any, table, last=40) == await on_any.store.log(table.id, last=40)


async def test_a_log_that_is_read_while_it_grows_is_not_taken_for_an_older_or_newer_one(
    on_any: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, presses = await match_of(on_any, *PEOPLE), Presses(on_any)
    read, reading, go_on = on_any.store.log, asyncio.Event(), asyncio.Event()

    async def slowly(*values: Any, **named: Any) -> list[LogRow]:
        rows = await read(*values, **named)
        reading.set()
        await go_on.wait()
        return rows

    monkeypatch.setattr(on_any.store, "log", slowly)
    looking = asyncio.create_task(log_of(on_any, table, last=40))
    await reading.wait()
    table = await presses.move(table)
    go_on.set()
    await looking
    for _ in range(3):
        assert await log_of(on_any, table, last=40) == await read(table.id, last=40)
        table = await presses.move(table)


async def test_a_log_that_is_read_while_a_change_is_under_way_is_not_kept(
    on_any: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, presses = await match_of(on_any, *PEOPLE), Presses(on_any)
    commit = on_any.store.commit
    rows: list[LogRow] = []

    async def then_look(made: Change) -> None:
        await commit(made)
        rows.extend(
            await log_of(on_any, table, last=40)
        )  # the store has the new row, and nobody else knows of it yet

    monkeypatch.setattr(on_any.store, "commit", then_look)
    after = await presses.move(table)
    monkeypatch.setattr(on_any.store, "commit", commit)
    assert rows == await on_any.store.log(table.id, last=40)
    for _ in range(3):
        assert await log_of(on_any, after, last=40) == await on_any.store.log(table.id, last=40)
        after = await presses.move(after)


async def test_a_log_comes_with_the_table_of_its_version(
    on_any: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A takeover names one of the table's earlier holders, so an older table cannot word it."""
    table, read = await match_of(on_any, *PEOPLE), on_any.store.log
    old = await change(on_any, table, lambda draft: seats.leave(draft, BEN))

    async def overtaken(*values: Any, **named: Any) -> list[LogRow]:
        if not (await on_any.get(old.id)).body.earlier:
            await on_any.take_over(old.id, 99, "Dan", 1)
        return await read(*values, **named)

    monkeypatch.setattr(on_any.store, "log", overtaken)
    for _known in (False, True):  # then the newest rows are in memory
        now, rows = await with_log(on_any, old)
        assert len(now.body.earlier) == 1
        assert rows == await read(old.id)
        assert now.version == (await on_any.get(old.id)).version > old.version


async def test_of_changes_that_fail_nothing_is_remembered(
    on_any: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, presses = await match_of(on_any, *PEOPLE), Presses(on_any)
    await log_of(on_any, table, last=40)

    async def fail(_change: Change) -> None:
        raise StoreError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(on_any.store, "commit", fail)
        with pytest.raises(StoreError, match="disk"):
            await presses.move(table)
    table = await on_any.get(table.id)
    assert await log_of(on_any, table, last=40) == await on_any.store.log(table.id, last=40)


def test_no_more_rows_are_kept_than_there_is_room_for_and_what_was_unused_longest_goes_first() -> None:
    tails = Tails(CacheLimits(rows=25, tail=10))
    lines = [LogRow("game", number, "dug", 0.0, number) for number in range(1, 31)]
    for table in (1, 2):
        tails.keep(table, 1, lines, whole=True)
    assert tails.newest(1, 1, 10, 0) == lines[-10:]
    assert tails.newest(1, 1, 11, 0) is None, "only so many are kept"
    tails.keep(3, 1, lines, whole=True)
    assert tails.newest(2, 1, 10, 0) is None
    assert tails.newest(1, 1, 10, 0) == tails.newest(3, 1, 10, 0) == lines[-10:]
    tails.keep(3, 2, lines[:3], whole=True)
    tails.keep(4, 1, lines, whole=True)
    kept = {1: 1, 3: 2, 4: 1}
    assert all(tails.newest(*each, 1, 0) for each in kept.items()), "what is replaced takes no room"


def test_what_is_older_than_the_table_is_not_its_log() -> None:
    tails = Tails()
    tails.keep(7, 3, [LogRow("table", 0, "left", 0.0)], whole=True)
    assert tails.newest(7, 3, 10, 0)
    assert tails.newest(7, 4, 10, 0) is None


def test_a_change_of_a_table_of_another_version_is_not_added() -> None:
    tails, table = Tails(), a_table()
    table.id, table.version = 7, 5
    tails.keep(7, 3, [], whole=True)
    tails.follow(Change(table, log=[LogRow("table", 0, "left", 0.0)]), before=4)
    assert tails.newest(7, 3, 10, 0) is None


def test_a_line_of_which_it_cannot_be_told_who_moved_is_read_again() -> None:
    tails, table = Tails(), a_table()
    table.id, table.version = 7, 4
    tails.keep(7, 3, [LogRow("game", 5, "dug", 0.0, 9, mover=1)], whole=False)
    tails.follow(Change(table, log=[LogRow("table", 6, "left", 0.0)]), before=3)
    assert tails.newest(7, 3, 1, 0) is None
