"""Deleted data is gone from every byte of the store's files, whatever was written there before."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from bot.store.engine import TxFunction, run_sync
from bot.store.migrate import scripts
from bot.store.model import Change, LogRow, MoveRow, StoreFull, TableRow
from bot.store.repository import StoreLimits
from bot.store.sqlite import engine as sqlite_engine
from bot.store.sqlite.connection import SqliteTx, open_to_write
from bot.store.sqlite.lock import FileLock
from bot.store.store import Store
from tests.bot.store.bytes import reader, snowflake, traces
from tests.bot.store.samples import (
    NOW,
    Home,
    a_move,
    a_table,
    in_file,
    kept,
    on_writer,
    opened_file,
    repositories,
)
from tests.manual_clock import ManualClock
from tests.sampling import sweep

WITHIN = 5.0
T = TypeVar("T")


def run(connection: sqlite3.Connection, act: TxFunction[T]) -> T:
    """Reads or writes on this connection."""
    return run_sync(act(SqliteTx(connection)))


async def with_person(store: Store, person: int, name: str, channel: int = 1) -> TableRow:
    """A live table at which somebody of this name sits and has moved."""
    row = a_table(channel)
    row.body = f'{{"seats":[{{"name":"{name}","user_id":{person}}}]}}'
    row = await store.create(Change(row, seated=[(person, 0)]))
    await store.commit(a_move(row, interaction_id=snowflake(channel)))
    return row


async def blot(store: Store, row: TableRow, person: int) -> None:
    """Takes the person out of the table, as the table layer does."""
    row.body = '{"seats":[{"name":"—"}]}'
    await store.commit(Change(row))
    await store.forget(person, row.id)


async def test_wipe_leaves_no_deleted_data_in_the_files_of_an_open_store(
    file_store: Store, path: Path
) -> None:
    ben = snowflake(1)
    row = await with_person(file_store, ben, "Benjamin")
    assert await file_store.erasures.ask(ben) == 1
    assert traces(path.parent, ben, "Benjamin"), "it can be found at all"
    await blot(file_store, row, ben)
    await file_store.erasures.unname([1])
    assert f"{path.name}-wal" in traces(path.parent, ben, "Benjamin"), "the log still holds it"
    assert await file_store.wipe(within=WITHIN)
    assert traces(path.parent, ben, "Benjamin", snowflake(1)) == {}
    assert (path.parent / f"{path.name}-wal").stat().st_size == 0
    assert await file_store.table(row.id) is not None
    await file_store.close()
    assert traces(path.parent, ben, "Benjamin") == {}


async def test_forgetting_deletes_the_press_ids_of_that_person_only(store: Store) -> None:
    row = await with_person(store, snowflake(1), "Ben")
    row.sequence = 2
    await store.commit(Change(row, [MoveRow(2, 1, "dig", 77, NOW)]))
    await store.forget(snowflake(1), row.id)
    assert [(move.seat, move.interaction_id) for move in await store.moves(row.id)] == [(0, None), (1, 77)]


async def test_wipe_returns_false_while_a_reader_is_active(file_store: Store, path: Path) -> None:
    row = await with_person(file_store, snowflake(1), "Benjamin")
    with closing(reader(path)):
        await blot(file_store, row, snowflake(1))
        assert not await file_store.wipe(within=0.2)
        assert traces(path.parent, "Benjamin")
    assert await file_store.wipe(within=WITHIN)
    assert traces(path.parent, "Benjamin", snowflake(1)) == {}


async def test_blocked_wipe_blocks_no_move(file_store: Store, path: Path) -> None:
    row = await with_person(file_store, snowflake(1), "Benjamin")
    with closing(reader(path)):
        wiping = asyncio.create_task(file_store.wipe(within=60))
        for _ in range(50):
            await file_store.commit(a_move(row))
        assert not wiping.done()
    assert await wiping


async def test_erasure_request_survives_a_restart(store: Store, home: Home, clock: ManualClock) -> None:
    number = await store.erasures.ask(snowflake(1))
    await store.close()
    again = home.store(clock)
    await again.open()
    [kept_request] = await again.erasures.pending()
    assert (kept_request.id, kept_request.user_id) == (number, snowflake(1))
    assert str(snowflake(1)) not in repr(kept_request)
    await again.erasures.unname([number])
    assert [each.user_id for each in await again.erasures.pending()] == [None]
    await again.erasures.finish([number])
    assert await again.erasures.pending() == []
    assert await again.erasures.ask(7) > number, "whoever waits for one is not told of another"
    await again.close()


@pytest.mark.parametrize("limits", [StoreLimits(search_batch_size=2)])
async def test_tables_naming_a_person_are_found_by_body_seat_and_opener(store: Store) -> None:
    rows = [await with_person(store, snowflake(number % 2), "Ben", channel=number + 1) for number in range(6)]
    await store.forget(snowflake(1), rows[1].id)
    only_sat = await kept(store, 99)
    await store.commit(Change(only_sat, seated=[(snowflake(1), -1)]))
    assert await store.tables_naming(snowflake(1)) == [rows[1].id, rows[3].id, rows[5].id, only_sat.id]
    assert await store.tables_naming(snowflake(2)) == []


# -- purges


async def test_purged_table_leaves_no_byte_in_the_files(file_store: Store, path: Path) -> None:
    for channel in range(1, 30):
        row = await with_person(file_store, snowflake(channel), f"Person {channel:03}", channel)
        for number in range(40):
            row.sequence += 1
            press = snowflake(channel * 1000) if number == 0 else None
            move = MoveRow(row.sequence, 0, f"move {channel:03}.{number:03}", press, NOW)
            line = LogRow("game", row.sequence, f"line {channel:03}.{number:03}" + "." * number, NOW)
            await file_store.commit(Change(row, [move], log=[line]))
        row.status, row.ended_at = "over", NOW if channel % 2 else NOW + 100
        await file_store.commit(Change(row))
    assert await file_store.purge(NOW + 1) == 15
    [*requests] = await file_store.erasures.pending()
    assert requests, "that there is something to wipe outlives a kill"
    assert await file_store.wipe(within=WITHIN, whole=True)
    gone = [
        what
        for channel in range(1, 30, 2)
        for what in (f"Person {channel:03}", snowflake(channel), snowflake(channel * 1000), f" {channel:03}.")
    ]
    assert traces(path.parent, *gone) == {}
    assert len(await file_store.moves(2)) == 41
    assert traces(path.parent, "Person 002", " 002.039")


async def test_large_file_is_not_compacted(path: Path, clock: ManualClock) -> None:
    large = in_file(path, clock, compacted_at_most=1)
    await large.open()
    for channel in range(1, 40):
        row = await with_person(large, snowflake(channel), "Benjamin", channel)
        row.status, row.ended_at = "over", NOW
        await large.commit(Change(row))
    await large.purge(NOW + 1)
    await large.wipe(within=WITHIN)
    before = path.stat().st_size
    assert await large.wipe(within=WITHIN, whole=True)
    assert path.stat().st_size == before
    assert traces(path.parent, "Benjamin", *map(snowflake, range(1, 40))) == {}
    await large.close()
    small = in_file(path, clock)
    await small.open()
    assert await small.wipe(within=WITHIN, whole=True)
    assert path.stat().st_size < before / 2
    await small.close()


async def test_wipe_without_room_to_compact_still_removes_data_of_people(
    file_store: Store, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = await with_person(file_store, snowflake(1), "Benjamin")
    row.status, row.ended_at = "over", NOW
    await file_store.commit(Change(row))
    await file_store.purge(NOW + 1)

    def full(_connection: sqlite3.Connection, *, at_most: int) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(sqlite_engine, "compact", full)
    assert await file_store.wipe(within=WITHIN, whole=True)
    assert "could not compact the database: no room" in caplog.text
    assert traces(path.parent, "Benjamin", snowflake(1)) == {}


async def test_compacting_is_retried_beside_a_reader(file_store: Store, path: Path) -> None:
    row = await with_person(file_store, snowflake(1), "Benjamin")
    row.status, row.ended_at = "over", NOW
    await file_store.commit(Change(row))
    with closing(reader(path)) as somebody:
        await file_store.purge(NOW + 1)
        assert not await file_store.wipe(within=0.2, whole=True)
        assert somebody.execute("SELECT count(*) FROM tables").fetchall() == [(1,)], (
            "as it was when they began"
        )
    assert await file_store.wipe(within=WITHIN, whole=True)
    assert traces(path.parent, "Benjamin", snowflake(1)) == {}
    assert await on_writer(file_store, lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]


async def test_wipe_on_a_full_disk_raises_store_full_and_changes_nothing(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await with_person(file_store, snowflake(1), "Benjamin")

    async def full(_tx: object) -> None:
        error = sqlite3.OperationalError("full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(sqlite_engine, "rewrite_small_tables", full)
    with pytest.raises(StoreFull):
        await file_store.wipe(within=WITHIN)
    assert await file_store.seat_of(row.id, snowflake(1)) == 0


# -- what SQLite leaves behind when it moves rows between pages


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of the writer's in a transaction."""
    lock = FileLock(path)
    with closing(open_to_write(path, lock, 0)) as opened:
        opened.execute("PRAGMA synchronous = OFF").fetchall()
        opened.execute("BEGIN")
        yield opened
    lock.release()


def traces_after_wipe(
    connection: sqlite3.Connection, path: Path, people: list[int]
) -> dict[str, list[str | int]]:
    """What names these people once the files are wiped."""
    run(connection, sqlite_engine.rewrite_small_tables)
    connection.execute("COMMIT")
    assert sqlite_engine.truncate_wal(connection)
    return traces(path.parent, *people)


@pytest.mark.parametrize(
    ("seed", "bodies", "snapshots"),
    [
        pytest.param(1, (100, 1500), (0, 0), marks=pytest.mark.exhaustive),
        pytest.param(8, (30, 300), (10, 400), marks=pytest.mark.exhaustive),
        (33, (100, 1500), (10, 400)),
        pytest.param(3, (500, 4000), (0, 3000), marks=pytest.mark.exhaustive),
    ],
)
def test_rows_that_move_between_pages_leave_no_data_of_people(
    path: Path, connection: sqlite3.Connection, seed: int, bodies: tuple[int, int], snapshots: tuple[int, int]
) -> None:
    rng, people = Random(seed), count(1)
    live: dict[int, tuple[int, TableRow]] = {}
    forgotten: list[int] = []

    def fill(row: TableRow, person: int) -> Change:
        row.body = f'{{"user_id":{person},"name":"{person}","asked":"{"x" * rng.randint(*bodies)}"}}'
        row.snapshot = None if rng.random() < 0.3 else "s" * rng.randint(*snapshots)
        return Change(row)

    def commit(row: TableRow, person: int) -> None:
        run(connection, lambda tx: repositories(tx).commit(fill(row, person)))
        row.version += 1

    for _ in range(4000):
        chance = rng.random()
        if chance < 0.15 or not live:
            channel = next(people)
            person = snowflake(channel)
            new = fill(a_table(channel), person)
            new = replace(new, seated=[(person, 0)])
            row = run(
                connection, lambda tx, new=new, person=person: repositories(tx).create(new, opener_id=person)
            )
            live[row.id] = (person, row)
        elif chance < 0.25:
            person, row = live.pop(rng.choice(list(live)))
            if rng.random() < 0.5:
                commit(row, 0)
                run(connection, lambda tx, who=person, at=row.id: repositories(tx).forget(who, at))
            else:
                connection.execute("DELETE FROM tables WHERE id = ?", (row.id,))
            forgotten.append(person)
        else:
            person, row = live[rng.choice(list(live))]
            commit(row, person)
    assert traces_after_wipe(connection, path, forgotten) == {}
    assert len(forgotten) > 300


@pytest.mark.parametrize("seed", sweep(1, 2, 3))
def test_forgotten_people_leave_no_bytes_after_many_tables(
    path: Path, connection: sqlite3.Connection, seed: int
) -> None:
    rng = Random(seed)
    people = [snowflake(rng.getrandbits(30)) for _ in range(rng.choice([50, 400, 2000]))]
    tables: list[int] = []
    forgotten: list[int] = []
    for number in range(6000):
        chance = rng.random()
        if chance < 0.75 or not tables:
            seated = [(person, rng.choice([-1, 0, 1, 2])) for person in rng.sample(people, rng.randint(1, 4))]
            new, opener = Change(a_table(number), seated=seated), seated[0][0] if seated else 0
            table = run(
                connection, lambda tx, new=new, opener=opener: repositories(tx).create(new, opener_id=opener)
            )
            tables.append(table.id)
        elif chance < 0.99:
            gone = tables.pop(rng.randrange(min(len(tables), 50)))
            connection.execute("DELETE FROM tables WHERE id = ?", (gone,))
        else:
            person = people.pop(rng.randrange(len(people)))
            people.append(snowflake(rng.getrandbits(30)))
            connection.execute("DELETE FROM sat WHERE user_id = ?", (person,))
            connection.execute("UPDATE tables SET opener_id = 0 WHERE opener_id = ?", (person,))
            forgotten.append(person)
    assert traces_after_wipe(connection, path, forgotten) == {}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_text_only_choice_leaves_no_bytes(path: Path, connection: sqlite3.Connection, seed: int) -> None:
    rng = Random(seed)
    people, forgotten = list[int](), list[int]()
    for _number in range(8000):
        if rng.random() < 0.7 or not people:
            people.append(snowflake(rng.getrandbits(30)))
            run(connection, lambda tx: repositories(tx).set_text_only("person", people[-1], True))
        else:
            forgotten.append(people.pop(rng.randrange(len(people))))
            run(connection, lambda tx: repositories(tx).set_text_only("person", forgotten[-1], False))
    assert traces_after_wipe(connection, path, forgotten) == {}
    assert {number for _scope, number in run(connection, lambda tx: repositories(tx).text_only())} == {
        *people
    }


def test_rewriting_the_seats_table_keeps_its_rows(connection: sqlite3.Connection) -> None:
    layout = "SELECT name, sql FROM sqlite_master ORDER BY name"
    before = connection.execute(layout).fetchall()
    new = Change(a_table(), seated=[(8, 1), (7, -1)])
    row = run(connection, lambda tx: repositories(tx).create(new, opener_id=8))
    run(connection, sqlite_engine.rewrite_small_tables)
    assert connection.execute("SELECT * FROM sat").fetchall() == [(row.id, 7, -1), (row.id, 8, 1)]
    assert connection.execute(layout).fetchall() == before
    connection.execute("DELETE FROM tables")
    assert connection.execute("SELECT * FROM sat").fetchall() == [], "it still goes with its table"


# -- files of an older layout


async def test_migration_from_layout_1_keeps_rows_and_wipes_older_deletions(
    path: Path, clock: ManualClock
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(scripts("sqlite")[0])
        connection.execute("PRAGMA user_version = 1").fetchall()
        for number in (1, 2, 3):
            connection.execute(
                "INSERT INTO tables VALUES (?, 10, ?, 'archaeology', 'playing', 4, 5, 6, 7, NULL, ?, ?)",
                (number, number, f'{{"n":{number}}}', None if number == 1 else "ß" * 3000),
            )
            connection.execute("INSERT INTO sat VALUES (?, 7, 0)", (number,))
            connection.execute("INSERT INTO moves VALUES (?, 1, 0, 'dig', NULL, 5)", (number,))
        connection.execute("PRAGMA foreign_keys = ON").fetchall()
        connection.execute("DELETE FROM tables WHERE id = 3")
    store = in_file(path, clock)
    await store.open()
    row = await store.table(2)
    assert row is not None
    assert (row.body, row.snapshot, row.version, row.sequence) == ('{"n":2}', "ß" * 3000, 4, 5)
    assert (row.created_at, row.changed_at, row.ended_at, row.guild_id) == (6, 7, None, 10)
    assert len(await store.moves(2)) == 1
    assert await store.seat_of(1, 7) == 0
    assert (await kept(store, 50)).id == 4, "no id is given twice"
    assert [each.user_id for each in await store.erasures.pending()] == [None]
    row.status, row.ended_at = "over", 8.0
    await store.commit(Change(row))
    assert await store.purge(9.0) == 1
    assert await store.moves(2) == []
    await store.close()


async def test_body_starts_after_the_shared_page(file_store: Store) -> None:
    sizes = "SELECT coalesce(length(CAST(snapshot AS BLOB)), 0) + length(padding) FROM tables WHERE id = ?"
    row = await kept(file_store)
    for snapshot in (None, "x", "ß" * 2000, "x" * 5000):
        row.snapshot, row.status = snapshot, "paused" if row.status == "playing" else "playing"
        await file_store.commit(Change(row))
        row.snapshot = (snapshot or "") + "."
        await file_store.commit(Change(row))
        [(before,)] = await on_writer(file_store, lambda c: c.execute(sizes, (row.id,)).fetchall())
        assert before >= 4061
    [(page,)] = await on_writer(file_store, lambda c: c.execute("PRAGMA page_size").fetchall())
    assert page == 4096


async def test_no_data_is_written_to_temporary_files(file_store: Store) -> None:
    opened = opened_file(file_store)
    in_memory = [(2,)]
    assert await on_writer(file_store, lambda c: c.execute("PRAGMA temp_store").fetchall()) == in_memory
    assert await opened.reader.submit(lambda c: c.execute("PRAGMA temp_store").fetchall()) == in_memory
