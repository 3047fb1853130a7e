"""Opening a database: what is made there, what is refused, and what it is told; and what is left after wiping."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.store.model import Change, StoreError, StoreInUse, StoreRefused
from bot.store.store import Store
from tests.bot.postgres import Server, server
from tests.bot.store.samples import NOW, Home, a_move, a_table, in_database, kept
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

pytest.importorskip("asyncpg")

from bot.database_url import faults_of, where
from bot.store.migrate import scripts
from bot.store.postgres.engine import PostgresEngine
from bot.store.postgres.timing import PostgresTiming


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
async def database(running: Server) -> str:
    """An empty database."""
    return await running.empty()


@pytest.fixture
def store(running: Server, database: str, clock: ManualClock) -> Store:
    """A store there, not opened yet."""
    return in_database(running.url(database), clock)


async def refusal(store: Store) -> str:
    """The text of the refusal."""
    with pytest.raises(StoreRefused) as caught:
        await store.open()
    message = str(caught.value)
    assert message.endswith(".")
    assert ". " in message, "one sentence for what is wrong, one for what to do"
    with pytest.raises(StoreError, match="not open"):
        await store.table(1)
    return message


# -- what is made


async def test_the_first_start_makes_the_layout_and_the_next_finds_it(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await store.open()
    assert "created a new, empty store at postgresql://" in caplog.text
    row = await kept(store)
    await store.close()
    caplog.clear()
    await store.open()
    assert f"(layout {len(scripts('postgres'))}); live tables: 1, in all: 1" in caplog.text
    assert "new, empty" not in caplog.text
    assert await store.table(row.id) == row
    await store.close()


async def test_concurrent_first_opens_create_one_layout(
    running: Server, database: str, clock: ManualClock
) -> None:
    stores = [in_database(running.url(database), clock, lock_timeout=PATIENCE) for _ in range(2)]

    async def open_and_close(store: Store) -> None:
        await store.open()
        await store.close()

    await asyncio.gather(*map(open_and_close, stores))
    assert await running.fetch("SELECT count(*) FROM digsite.store", database) == [(1,)]


async def test_commits_are_synchronous_with_any_server_setting(
    store: Store, running: Server, database: str
) -> None:
    await running.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    await store.open()
    assert isinstance(store.engine, PostgresEngine)
    for on in (store.engine.read, store.engine.write):
        [(kept_safely,)] = await on(lambda tx: tx.fetch("SHOW synchronous_commit"))
        assert kept_safely == "on"
    await store.close()


async def test_changes_of_several_tables_run_concurrently(
    store: Store, running: Server, database: str
) -> None:
    await store.open()
    rows = [await kept(store, channel) for channel in range(5)]
    # Somebody holds one table, and only its move has to wait.
    import asyncpg

    somebody = await asyncpg.connect(running.url(database))
    await somebody.execute("BEGIN")
    await somebody.execute("SELECT FROM digsite.tables WHERE id = $1 FOR UPDATE", rows[0].id)
    waiting = [asyncio.create_task(store.commit(a_move(rows[0])))]
    await asyncio.gather(*(store.commit(a_move(row)) for row in rows[1:]))
    assert not waiting[0].done()
    await somebody.close()
    await asyncio.gather(*waiting)
    await store.close()


# -- what is refused


async def test_a_second_process_is_refused_until_the_first_has_closed(
    running: Server, database: str, clock: ManualClock
) -> None:
    store = in_database(running.url(database), clock, shared=False)
    await store.open()
    other = in_database(running.url(database), clock, shared=False)
    with pytest.raises(StoreInUse, match="in use by another Digsite"):
        await other.open()
    patient = in_database(running.url(database), clock, shared=False, lock_timeout=PATIENCE)
    opening = asyncio.create_task(patient.open())
    await asyncio.sleep(0.2)
    assert not opening.done()
    await store.close()
    await opening
    await patient.close()


async def test_a_newer_layout_is_refused_and_left_alone(store: Store, running: Server, database: str) -> None:
    await store.open()
    await store.close()
    await running.execute("UPDATE digsite.store SET layout = 9000, readable = 9000", database=database)
    assert "written by a newer Digsite (layout 9000" in await refusal(store)
    assert await running.fetch("SELECT layout FROM digsite.store", database) == [(9000,)]


async def test_foreign_schema_named_digsite_is_refused(store: Store, running: Server, database: str) -> None:
    await running.execute("CREATE SCHEMA digsite", "CREATE TABLE digsite.finds ()", database=database)
    assert "belongs to another program" in await refusal(store)
    assert await running.fetch("SELECT count(*) FROM digsite.finds", database) == [(0,)]


async def test_older_layout_is_migrated_step_by_step(
    store: Store, monkeypatch: pytest.MonkeyPatch, running: Server, database: str
) -> None:
    await store.open()
    row = await kept(store)
    await store.close()
    newer = [*scripts("postgres"), "ALTER TABLE digsite.tables ADD COLUMN colour text"]
    monkeypatch.setattr("bot.store.postgres.database.scripts", lambda _kind: newer)
    await store.open()
    assert await store.table(row.id) == row
    await store.close()
    assert await running.fetch("SELECT layout FROM digsite.store", database) == [(len(newer),)]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch, running: Server, database: str
) -> None:
    await store.open()
    await store.close()
    newer = [
        *scripts("postgres"),
        "DROP TABLE digsite.emoji; ALTER TABLE digsite.nothing ADD COLUMN x text",
    ]
    monkeypatch.setattr("bot.store.postgres.database.scripts", lambda _kind: newer)
    refused = await refusal(store)
    assert f"could not be brought from layout {len(newer) - 1} to {len(newer)}" in refused
    assert await running.fetch("SELECT count(*) FROM digsite.emoji", database) == [(0,)]


async def test_missing_database_wrong_password_and_missing_rights_are_reported(
    running: Server, database: str, clock: ManualClock
) -> None:
    assert "There is no database" in await refusal(in_database(running.url("nowhere"), clock))
    await running.execute("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    guests = running.url(database).replace("postgres:@", "guest@")
    assert "may not be written to by this user" in await refusal(in_database(guests, clock))
    nobodys = running.url(database).replace("postgres:@", "nobody@")
    assert "does not let this user or password in" in await refusal(in_database(nobodys, clock))


async def test_a_user_who_owns_the_database_and_nothing_else_is_enough(
    running: Server, database: str, clock: ManualClock, tmp_path: Path
) -> None:
    await running.execute(
        "DROP ROLE IF EXISTS owner", "CREATE ROLE owner LOGIN", f"ALTER DATABASE {database} OWNER TO owner"
    )
    url = running.url(database).replace("postgres:@", "owner@")
    store = in_database(url, clock)
    await store.open()
    row = await kept(store)
    await store.commit(a_move(row))
    assert await store.wipe(within=10, whole=True)
    await Home(url).backend().backup(tmp_path / "copy.sqlite3")
    await store.close()
    await running.execute(f"ALTER DATABASE {database} OWNER TO postgres")


async def test_server_with_fsync_off_is_refused(store: Store, running: Server) -> None:
    await running.execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    try:
        async with asyncio.timeout(PATIENCE):
            while await running.fetch("SHOW fsync", "postgres") != [("off",)]:
                await asyncio.sleep(0.05)
        assert "fsync = off" in await refusal(store)
    finally:
        await running.execute("ALTER SYSTEM RESET fsync", "SELECT pg_reload_conf()")
        async with asyncio.timeout(PATIENCE):
            while await running.fetch("SHOW fsync", "postgres") != [("on",)]:
                await asyncio.sleep(0.05)


async def test_database_without_utf8_is_refused(running: Server, clock: ManualClock) -> None:
    await running.execute(
        "DROP DATABASE IF EXISTS latin",
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    )
    assert "has the encoding LATIN1" in await refusal(in_database(running.url("latin"), clock))


# -- secrets


SECRET = "postgresql://ana:open%20sesame@db.example:5433/digsite?passfile=/secret"


def test_a_url_is_named_without_its_secrets(clock: ManualClock) -> None:
    assert where(SECRET) == "postgresql://db.example:5433/digsite"
    assert where("postgresql:///digsite?host=/run/postgresql") == "postgresql:///digsite"
    assert where("postgresql://[::1]/digsite") == "postgresql://[::1]/digsite"
    several = "postgresql://ana:open%20sesame@one:5432,[::1]:5433,three/digsite?target_session_attrs=any"
    assert where(several) == "postgresql://one:5432,[::1]:5433,three/digsite"
    for url in ("postgresql://ana:open sesame:7:@db:port/digsite", "postgresql://ana:sesame[@db/digsite"):
        assert "sesame" not in where(url)
    assert "sesame" not in repr(in_database(SECRET, clock))


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        (SECRET, None),
        ("postgres:///digsite?host=/run/postgresql", None),
        ("postgresql://ana:sesame@one:5432,two:5433,three/digsite", None),
        ("postgresql://ana:sesame@one:5432,two:port/digsite", "%40"),
        ("mysql://ana:sesame@db/digsite", "postgresql://"),
        ("postgresql://ana:sesame@db", "name of the database"),
        ("postgresql://ana:sesame@db:port/digsite", "%40"),
    ],
)
def test_a_url_that_is_wrong_is_explained_without_repeating_it(url: str, fault: str | None) -> None:
    refused = faults_of(url)
    assert (refused is None) == (fault is None)
    if refused is not None and fault is not None:
        assert fault in refused
        assert "sesame" not in refused


# -- wiping


async def test_wipe_leaves_no_deleted_data_in_the_database_files(
    store: Store, running: Server, database: str
) -> None:
    await store.open()
    row = a_table()
    row.body = '{"seats":[{"name":"Benjamin","user_id":123456789012345678}]}'
    row = await store.create(Change(row, seated=[(123456789012345678, 0)]), opener_id=123456789012345678)
    await store.set_text_only("person", 123456789012345678, True)

    async def left() -> list[str]:
        await running.execute("CHECKPOINT")
        [(number,)] = await running.fetch(
            "SELECT oid FROM pg_database WHERE datname = current_database()", database
        )
        number_itself = (123456789012345678).to_bytes(8, "little")
        return [
            file.name
            for file in (running.data / "base" / str(number)).iterdir()
            if b"Benjamin" in file.read_bytes() or number_itself in file.read_bytes()
        ]

    assert await left(), "it can be found at all"
    row.body = "{}"
    await store.commit(Change(row))
    await store.forget(123456789012345678, row.id)
    await store.set_text_only("person", 123456789012345678, False)
    assert await store.wipe(within=10)
    assert await left() == []
    assert await store.table(row.id) is not None
    await store.close()


async def test_wipe_with_an_active_reader_returns_false_and_blocks_no_move(
    store: Store, running: Server, database: str
) -> None:
    import asyncpg

    await store.open()
    row = await kept(store)
    somebody = await asyncpg.connect(running.url(database))
    await somebody.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    await somebody.execute("SELECT * FROM digsite.tables")
    wiping_now = asyncio.create_task(store.wipe(within=1.0))
    for _ in range(5):
        await store.commit(a_move(row))
    assert not await wiping_now
    await somebody.close()
    assert await store.wipe(within=10)
    await store.close()


async def test_large_database_is_not_rewritten(running: Server, database: str, clock: ManualClock) -> None:
    store = in_database(running.url(database), clock, timing=PostgresTiming(rewritten_at_most=1))
    await store.open()
    await kept(store)
    ours = "'digsite.sat'::regclass, 'digsite.tables'::regclass"
    files = f"SELECT relname, relfilenode FROM pg_class WHERE oid IN ({ours}) ORDER BY 1"
    before = await running.fetch(files, database)
    assert await store.wipe(within=10)
    after = await running.fetch(files, database)
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True], "sat, tables"
    await store.close()


async def test_a_request_left_by_a_command_reaches_the_bot_that_has_the_store_open(
    store: Store, running: Server, database: str, tmp_path: Path
) -> None:
    from bot.store.backends import DatabaseBackend

    await store.open()
    number = await DatabaseBackend(running.url(database)).ask_erasure(7, NOW)
    assert [(each.id, each.user_id) for each in await store.erasures.pending()] == [(number, 7)]
    await store.close()
