"""A press counts once, whatever it changes: its id is kept with the first change that it causes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.store.model import Change, Conflict, Job, LogRow, Repeated, TableLimits, TableRow, TooManyTables
from bot.store.repository import STORE
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, a_move, a_table, kept

PRESS = 77


async def presses(home: Home) -> list[tuple[int, int]]:
    return [(row[0], row[1]) for row in await home.query("SELECT id, table_id FROM presses ORDER BY id")]


async def test_a_change_without_a_move_counts_once_too(store: Store, home: Home) -> None:
    row = await kept(store)
    row.status = "paused"
    await store.commit(Change(row, log=[LogRow("table", 0, "paused", NOW)], press=PRESS))
    row.status = "playing"
    with pytest.raises(Repeated):
        await store.commit(Change(row, set_jobs=[Job(0, "limit", NOW)], press=PRESS))
    again = await store.table(row.id)
    assert again is not None
    assert (again.status, again.version) == ("paused", 2)
    assert await store.due(NOW) == []
    assert await presses(home) == [(PRESS, row.id)]


async def test_a_press_counts_once_at_whichever_table(store: Store) -> None:
    one, other = await kept(store, 1), await kept(store, 2)
    await store.commit(a_move(one, PRESS))
    with pytest.raises(Repeated):
        await store.commit(a_move(other, PRESS))
    assert await store.moves(other.id) == []


async def test_later_changes_of_a_press_carry_no_id(store: Store) -> None:
    row = await kept(store)
    stale = replace(row)
    await store.commit(a_move(row, PRESS))
    row.body = '{"message": 5}'
    await store.commit(Change(row))
    with pytest.raises(Conflict):
        await store.commit(Change(stale))
    with pytest.raises(Repeated):
        await store.commit(Change(stale, press=PRESS))


async def test_press_creates_one_table_even_in_a_freed_channel(store: Store, home: Home) -> None:
    row = await kept(store, 1, press=PRESS)
    assert await presses(home) == [(PRESS, row.id)]
    row.status, row.ended_at = "over", NOW
    await store.commit(Change(row))
    with pytest.raises(Repeated):
        await kept(store, 1, press=PRESS)
    assert await store.live_tables() == []


async def test_concurrent_deliveries_of_a_press_count_once(store: Store) -> None:
    row = await kept(store)
    rows = [replace(row) for _ in range(8)]
    results = await asyncio.gather(
        *(store.commit(a_move(each, PRESS)) for each in rows), return_exceptions=True
    )
    assert [type(result) for result in results].count(Repeated) == 7
    assert results.count(True) == 1
    made = await asyncio.gather(*(kept(store, 5, press=PRESS + 1) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(each, TableRow) for each in made) == 1
    assert all(isinstance(each, TableRow | Repeated) for each in made)


async def test_a_change_that_is_refused_leaves_its_press_free(store: Store, home: Home) -> None:
    row = await kept(store)
    with pytest.raises(Conflict):
        await store.commit(a_move(replace(row, version=9), PRESS))
    with pytest.raises(TooManyTables):
        await store.create(Change(a_table(2), press=PRESS), limits=TableLimits(of_guild=1))
    assert await presses(home) == []
    await store.commit(a_move(row, PRESS))


async def test_press_ids_are_kept_for_an_hour(store: Store, home: Home) -> None:
    row = await kept(store)
    await store.commit(a_move(row, PRESS))
    [(at,)] = await home.query("SELECT at FROM presses")
    await store.write_heartbeat(at + STORE.presses_live, 10**9)
    assert await presses(home) == [(PRESS, row.id)]
    await store.write_heartbeat(at + STORE.presses_live + 1, 10**9)
    assert await presses(home) == []
    with pytest.raises(Repeated):  # the move itself keeps its press for as long as the match is kept
        await store.commit(a_move(row, PRESS))


async def test_press_ids_are_deleted_with_people_and_tables(store: Store, home: Home) -> None:
    one, other, third = [await kept(store, channel) for channel in (1, 2, 3)]
    for number, row in enumerate((one, other, third)):
        await store.commit(Change(row, press=PRESS + number))
    await store.forget(7, one.id)
    assert await presses(home) == [(PRESS + 1, other.id), (PRESS + 2, third.id)]
    other.status, other.ended_at = "over", NOW
    await store.commit(Change(other))
    assert await store.purge(NOW + 1) == 1
    assert await presses(home) == [(PRESS + 2, third.id)]
