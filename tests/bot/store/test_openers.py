"""The opener of a table, and how many live tables there may be of one opener and in one server."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrate import scripts
from bot.store.model import Change, ChannelTaken, Job, TableLimits, TableRow, TooManyTables
from bot.store.sqlite.layout import migrate
from bot.store.store import Store
from tests.bot.store.samples import NOW, Home, a_table
from tests.manual_clock import ManualClock

OPENER, OTHER = 77, 88
THREE = TableLimits(of_opener=3)
FIRST = 100
"""The id of the channel that the tests call 0, because a private match has the channel 0."""


async def opened(
    store: Store, channel: int, opener: int = OPENER, limits: TableLimits = THREE, guild: int = 10
) -> TableRow:
    table = a_table(FIRST + channel)
    table.guild_id = guild
    return await store.create(Change(table), opener_id=opener, limits=limits)


async def ended(store: Store, row: TableRow) -> None:
    row.status, row.ended_at = "abandoned", NOW
    await store.commit(Change(row))


async def live(store: Store) -> int:
    return len(await store.live_tables())


async def test_limit_of_an_opener_refuses_a_further_table(
    store: Store,
) -> None:
    rows = [await opened(store, channel) for channel in range(3)]
    with pytest.raises(TooManyTables) as caught:
        await opened(store, 3)
    assert (caught.value.of, caught.value.limit) == ("opener", 3)
    assert await store.live_table(FIRST + 3) is None
    await opened(store, 4, OTHER)
    await ended(store, rows[0])
    await opened(store, 3)
    assert await live(store) == 4


async def test_limit_of_a_server(store: Store) -> None:
    two = TableLimits(of_guild=2)
    for channel in (1, 2):
        await opened(store, channel, opener=channel, limits=two)
    with pytest.raises(TooManyTables) as caught:
        await opened(store, 3, opener=3, limits=two)
    assert (caught.value.of, caught.value.limit) == ("guild", 2)
    await opened(store, 3, opener=3, limits=two, guild=11)


async def test_limit_holds_for_concurrent_openings(store: Store) -> None:
    results = await asyncio.gather(
        *(opened(store, channel) for channel in range(100)), return_exceptions=True
    )
    assert [type(each) for each in results].count(TooManyTables) == 97
    assert await live(store) == 3


async def test_the_count_outlives_a_restart(store: Store, home: Home) -> None:
    for channel in range(3):
        await opened(store, channel)
    await store.close()
    again = home.store(ManualClock())
    await again.open()
    with pytest.raises(TooManyTables):
        await opened(again, 3)
    await again.close()


async def test_a_taken_channel_is_reported_before_a_limit(store: Store) -> None:
    for channel in range(3):
        await opened(store, channel)
    with pytest.raises(ChannelTaken):
        await opened(store, 1)


async def test_tables_that_sleep_do_not_count_for_their_opener(store: Store) -> None:
    rows = [await opened(store, channel) for channel in range(3)]
    rows[1].asleep = True
    await store.commit(Change(rows[1]))
    assert await store.table(rows[1].id) == rows[1]
    await opened(store, 3)
    with pytest.raises(TooManyTables):
        await opened(store, 4)
    rows[1].asleep = False
    rows[0].asleep = rows[2].asleep = True
    for row in rows:
        await store.commit(Change(row))
    await opened(store, 4)


async def test_without_a_limit_any_number_is_opened(store: Store) -> None:
    for channel in range(20):
        await opened(store, channel, limits=TableLimits())
    assert await live(store) == 20


async def test_forgotten_opener_leaves_no_id(store: Store, home: Home) -> None:
    row = await opened(store, 1)
    await store.forget(OTHER, row.id)
    query = "SELECT opener_id FROM tables"
    assert await home.query(query) == [(OPENER,)]
    await store.forget(OPENER, row.id)
    assert await home.query(query) == [(0,)]
    row.sequence += 1
    await store.commit(Change(row))
    assert await home.query(query) == [(0,)], "nor comes back"


async def test_a_job_says_who_opened_its_table(store: Store) -> None:
    row = await opened(store, 5)
    await store.set_job(Job(row.id, "redraw", NOW))
    (job,) = await store.due(NOW)
    assert (job.guild_id, job.channel_id, job.opener_id) == (row.guild_id, FIRST + 5, OPENER)


async def test_the_live_tables_of_an_older_file_count_as_their_hosts(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        migrate(file, path, scripts("sqlite")[:1])
        add = "INSERT INTO tables VALUES (?, 1, ?, 'archaeology', ?, 1, 0, 0, 0, NULL, ?, NULL)"
        for number, (status, body) in enumerate(
            [("lobby", '{"host": 7}'), ("over", '{"host": 7}'), ("playing", '{"host"'), ("paused", "{}")], 1
        ):
            file.execute(add, (number, number, status, body))
        migrate(file, path, scripts("sqlite"))
        assert file.execute("SELECT opener_id FROM tables").fetchall() == [(7,), (0,), (0,), (0,)]


async def test_the_announcement_of_an_older_file_keeps_its_place(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        migrate(file, path, scripts("sqlite")[:3])
        add = "INSERT INTO tables VALUES (?, 1, ?, 'archaeology', 'over', 0, 0, 0, 0, NULL, NULL, zeroblob(1), ?, 0)"
        bodies = ['{"messages": {"notice": 12, "board": 3}}', '{"messages": {"notice": null}}', '{"host"']
        for number, body in enumerate(bodies, 1):
            file.execute(add, (number, number, body))
        migrate(file, path, scripts("sqlite"))
        kept = [body for (body,) in file.execute("SELECT body FROM tables ORDER BY id")]
    assert kept[0] == '{"messages":{"board":3,"announcement":12}}'
    assert kept[1:] == bodies[1:]


async def test_private_matches_count_for_no_limit_and_take_no_channel(store: Store) -> None:
    for _ in range(5):
        await opened(store, -FIRST)
    for channel in range(1, 4):
        await opened(store, channel)
    with pytest.raises(TooManyTables):
        await opened(store, 4)
    assert await store.live_table(0) is None
