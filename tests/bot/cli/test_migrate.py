"""`digsite migrate`: the layout of a file or a database is brought up to date, or the command says why it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.migrate import migrate
from bot.clock import SystemClock
from bot.store.backends import Backend, DatabaseBackend, FileBackend
from bot.store.migrate import scripts
from bot.store.model import StoreInUse, StoreRefused
from bot.store.postgres.timing import PostgresTiming
from bot.store.sqlite.lock import FileLock
from tests.bot.cli.test_forget_and_export import digsite
from tests.bot.postgres import server
from tests.bot.store.samples import Home
from tests.bot.store.test_layouts import old_database, old_file

pytest.importorskip("asyncpg")


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request: pytest.FixtureRequest, path: Path) -> Backend:
    """Where the version before has kept matches."""
    return (old_file(path) if request.param == "sqlite" else await old_database()).backend()


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, path: Path) -> Backend:
    if request.param == "sqlite":
        return FileBackend(path)
    return DatabaseBackend(server().url(await server().empty()))


async def layout_of(place: Backend) -> int:
    async with place.reading(current=False) as store:
        return await store.layout()


async def test_migrate_from_the_previous_layout(old: Backend) -> None:
    before = await layout_of(old)
    assert await migrate(old) == f"{old} was brought from layout {before} to {old.latest}."
    assert await layout_of(old) == old.latest
    assert await migrate(old) == f"{old} has layout {old.latest} already. Nothing was changed."


async def test_migrate_creates_a_store_with_the_newest_layout(empty: Backend) -> None:
    assert await migrate(empty) == f"{empty} was made with layout {empty.latest}."
    assert await layout_of(empty) == empty.latest


async def test_migrate_of_a_current_store_in_use_changes_nothing(home: Home) -> None:
    store = home.store(SystemClock())
    await store.open()
    place = home.backend()
    assert await migrate(place) == f"{place} has layout {place.latest} already. Nothing was changed."
    await store.close()


async def test_migrate_refuses_a_file_that_an_older_process_has_open(path: Path) -> None:
    place, lock = old_file(path).backend(), FileLock(path)
    lock.take()
    with pytest.raises(StoreInUse, match="is in use by another Digsite that runs now"):
        await migrate(place)
    lock.release()
    assert await layout_of(place) == 6


async def test_migrate_refuses_a_database_that_an_older_process_has_open() -> None:
    from bot.store.postgres.driver import connect
    from bot.store.postgres.layout import KEY

    home = await old_database()
    place = DatabaseBackend(str(home.place), PostgresTiming(frozen_session_ends=0.0))
    older = await connect(str(home.place), name="digsite older")
    await older.execute(f"SELECT pg_advisory_lock_shared({KEY}, 1)")
    with pytest.raises(StoreInUse, match=r"is in use by .*Digsite.*older"):
        await migrate(place)
    await older.close()
    assert await layout_of(place) == 3


async def test_a_newer_layout_is_refused(home: Home) -> None:
    place = home.backend()
    await migrate(place)
    newer = place.latest + 1
    await home.change(
        f"PRAGMA user_version = {newer}"
        if isinstance(home.place, Path)
        else f"UPDATE digsite.store SET layout = {newer}, readable = {newer}"
    )
    with pytest.raises(StoreRefused, match="was written by a newer Digsite"):
        await migrate(place)


@pytest.mark.system
async def test_the_command_ends_with_its_sentence_and_a_status(path: Path) -> None:
    old_file(path)
    status, out, said = await digsite(path, "migrate")
    assert (status, out) == (0, f"{path} was brought from layout 6 to {len(scripts('sqlite'))}.\n")
    assert "copied " in said
    status, out, said = await digsite(path, "migrate", DATABASE_URL="postgresql://127.0.0.1:1/digsite")
    assert (status, out) == (1, "")
    assert "cannot be reached" in said
