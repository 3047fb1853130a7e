"""Opening a file: which files are created, migrated or refused, and that only one process can have it open."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrate import scripts
from bot.store.model import StoreRefused
from bot.store.sqlite.connection import _prepare_to_write
from bot.store.sqlite.engine import backup_file
from bot.store.sqlite.layout import APPLICATION_ID, migrate
from bot.store.sqlite.lock import FileLock
from bot.store.store import Store
from tests.bot.store.samples import a_move, damage, in_file, kept, on_writer, opened_file
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

# A thread that fails after its test shows that the store did not wait for it.
pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")


def _mode(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


async def _refusal(path: Path) -> str:
    """The text of the refusal. Checks that the file was not changed."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreRefused) as caught:
        await in_file(path, ManualClock()).open()
    if before is not None:
        assert path.read_bytes() == before
    message = str(caught.value)
    assert str(path) in message
    assert message.endswith(".")
    assert ". " in message, "one sentence for what is wrong, one for what to do"
    return message


async def _closed_store(path: Path) -> None:
    """A file with one live table of fifty moves, and nothing else."""
    store = in_file(path, ManualClock())
    await store.open()
    assert await store.live_tables() == [], "the file was empty"
    row = await kept(store)
    for _ in range(50):
        await store.commit(a_move(row))
    await store.close()
    await _closed_store_opens(path)


# -- what is made


async def test_a_new_file_is_private_and_so_is_all_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "digsite.sqlite3"
    before = os.umask(0)
    try:
        store = in_file(path, ManualClock())
        await store.open()
        await kept(store)
    finally:
        os.umask(before)
    modes = {file.name: _mode(file) for file in path.parent.iterdir()}
    await store.close()
    assert modes == {f"digsite.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm", ".lock")}
    assert _mode(path.parent) == 0o700


async def test_a_closed_store_is_one_file_and_its_lock(file_store: Store, path: Path) -> None:
    await kept(file_store)
    await file_store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


async def test_the_writer_keeps_every_commit_safe_from_a_power_cut(file_store: Store) -> None:
    def pragmas(connection: sqlite3.Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        return {name: connection.execute(f"PRAGMA {name}").fetchall()[0][0] for name in names}

    assert await on_writer(file_store, pragmas) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
    }


async def test_the_reader_cannot_write(file_store: Store) -> None:
    opened = opened_file(file_store)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await opened.reader.submit(lambda connection: connection.execute("DELETE FROM facts"))


@pytest.mark.parametrize("name", ["with space.db", "100%?.db", "#1.db", "é.db"])
async def test_any_name_of_a_file_will_do(tmp_path: Path, name: str) -> None:
    await _closed_store(tmp_path / name)
    with closing(sqlite3.connect(tmp_path / name)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchall() == [(50,)], "it is this very file"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([name, f"{name}.lock"])


async def test_the_start_says_which_file_it_is_and_what_is_in_it(
    path: Path, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    store = in_file(path, clock)
    await store.open()
    assert f"created a new, empty store at {path}" in caplog.text
    assert "DATABASE_PATH" in caplog.text
    assert f"the store is {path} (layout {len(scripts('sqlite'))}); live tables: 0, in all: 0" in caplog.text
    await kept(store)
    await kept(store, 2, status="over", ended_at=1.0)
    await store.close()
    caplog.clear()
    await store.open()
    assert f"the store is {path} (layout {len(scripts('sqlite'))}); live tables: 1, in all: 2" in caplog.text
    assert "new, empty" not in caplog.text
    await store.close()


@pytest.mark.parametrize("how", ["gone", "empty", "made anew"])
async def test_missing_or_empty_file_is_refused_if_a_store_was_known(path: Path, how: str) -> None:
    await _closed_store(path)
    path.unlink()
    if how == "empty":
        path.touch()
    elif how == "made anew":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
    names = sorted(file.name for file in path.parent.iterdir())
    message = await _refusal(path)
    assert ("is gone" if how == "gone" else "is empty") in message
    assert "restore a backup" in message
    assert f"delete {path}.lock" in message
    assert sorted(file.name for file in path.parent.iterdir()) == names, "nothing was made"
    path.with_name(f"{path.name}.lock").unlink()
    await _closed_store(path)


async def test_a_copy_beside_the_log_of_another_file_stops_the_start(file_store: Store, path: Path) -> None:
    row = await kept(file_store)
    copy = path.with_name(f"{path.name}.copy")
    backup_file(path, copy)
    await file_store.commit(a_move(row))
    log = path.with_name(f"{path.name}-wal")
    content = log.read_bytes()
    await file_store.close()
    log.write_bytes(content)
    copy.replace(path)
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="does not belong to"):
        await in_file(path, ManualClock()).open()
    assert path.read_bytes() == before
    assert log.read_bytes() == content
    log.unlink()
    again = in_file(path, ManualClock())
    await again.open()
    assert await again.moves(row.id) == []
    await again.close()


async def test_a_file_that_a_crash_left_shorter_than_its_header_says_opens(
    path: Path, tmp_path: Path
) -> None:
    """A crash while the write-ahead log is written back leaves such a file beside the log."""
    store = in_file(path, ManualClock())
    await store.open()
    row = await kept(store)
    for _ in range(100):
        await store.commit(a_move(row, move="x" * 500))
    later = tmp_path / "later"
    later.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        if file.is_file() and not file.name.endswith("-shm"):
            shutil.copyfile(file, later / file.name)
    await store.close()
    whole = path.read_bytes()
    copy = later / path.name
    half = len(whole) // 2 // 4096 * 4096
    copy.write_bytes(whole[:half])
    again = in_file(copy, ManualClock())
    await again.open()
    assert len(await again.moves(row.id)) == 100
    for _ in range(50):
        await again.commit(a_move(row))
    await again.close()


async def test_crash_during_the_first_creation_leaves_no_known_store(path: Path) -> None:
    path.touch()
    path.with_name(f"{path.name}.lock").touch()
    await _closed_store(path)  # the next start makes the store, and it keeps what is put into it
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


# -- migrations


async def test_a_new_file_has_gone_through_all_migrations(file_store: Store) -> None:
    def header(connection: sqlite3.Connection) -> tuple[int, int]:
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        [(application_id,)] = connection.execute("PRAGMA application_id").fetchall()
        return version, application_id

    assert await on_writer(file_store, header) == (len(scripts("sqlite")), APPLICATION_ID)
    assert len(scripts("sqlite")) >= 1


async def test_opening_again_keeps_what_is_there(file_store: Store, path: Path, clock: ManualClock) -> None:
    row = await kept(file_store)
    await file_store.commit(a_move(row))
    await file_store.close()
    again = in_file(path, clock)
    await again.open()
    assert await again.table(row.id) == row
    await again.close()


async def test_a_migration_of_a_file_in_use_for_long_adds_to_it(path: Path) -> None:
    await _closed_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, path, [*scripts("sqlite"), "ALTER TABLE facts ADD COLUMN at REAL"])
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        assert version == len(scripts("sqlite")) + 1
        assert connection.execute("SELECT count(at) FROM facts").fetchall() == [(0,)]
        assert connection.execute("SELECT count(*) FROM moves").fetchall() == [(50,)]


def copies_of(path: Path) -> list[Path]:
    """The copies that migrations have left beside the file."""
    return sorted(path.parent.glob(f"{path.name}.layout-*"))


def migrated(path: Path, *more: str) -> None:
    """Brings the file to the next layout, as a start of the next version does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, path, [*scripts("sqlite"), *more])


async def test_migration_first_makes_a_private_copy_and_logs_it(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await _closed_store(path)
    assert copies_of(path) == [], "there was nothing to copy when the file was made"
    layout = len(scripts("sqlite"))
    migrated(path, "DROP TABLE facts")
    (copy,) = copies_of(path)
    assert copy.name == f"{path.name}.layout-{layout}"
    assert _mode(copy) == 0o600
    assert str(copy) in caplog.text
    await _closed_store_opens(copy)


async def test_the_copy_of_an_earlier_attempt_is_left_alone(path: Path) -> None:
    await _closed_store(path)
    for broken in ("CREATE TABLE facts (again)", "INSERT INTO nowhere VALUES (1)"):
        with pytest.raises(StoreRefused):
            migrated(path, broken)
    name = f"{path.name}.layout-{len(scripts('sqlite'))}"
    assert [copy.name for copy in copies_of(path)] == [name, f"{name}-2"]


async def test_migration_needs_room_for_the_copy(path: Path) -> None:
    resource = pytest.importorskip("resource")
    await _closed_store(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 * 1024, limits[1]))  # enough for SQLite's -shm file
    try:
        with pytest.raises(StoreRefused, match=r"no copy of it could be made first.*left as it was"):
            migrated(path, "DROP TABLE facts")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert copies_of(path) == []
    assert path.read_bytes() == before


async def test_a_damaged_file_is_not_migrated(path: Path) -> None:
    await _closed_store(path)
    damage(path, "log")
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="damaged"):
        migrated(path, "DROP TABLE facts")
    assert copies_of(path) == []
    assert path.read_bytes() == before


async def test_a_migration_that_fails_is_undone_whole(path: Path) -> None:
    await _closed_store(path)
    broken = "CREATE TABLE half (done); INSERT INTO half VALUES (1); INSERT INTO nowhere VALUES (1)"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(StoreRefused, match="left as it was"):
            migrate(connection, path, [*scripts("sqlite"), broken])
        assert connection.execute("PRAGMA user_version").fetchall() == [(len(scripts("sqlite")),)]
        assert not connection.execute("SELECT * FROM sqlite_master WHERE name = 'half'").fetchall()
    await _closed_store_opens(path)


async def _closed_store_opens(path: Path, *, moves: int = 50) -> None:
    """The file is sound and holds one live table with so many moves: all that `_closed_store` has put into it."""
    store = in_file(path, ManualClock())
    await store.open()
    (row,) = await store.live_tables()
    assert row.sequence == moves
    assert [move.sequence for move in await store.moves(row.id)] == list(range(1, moves + 1))
    await store.close()


async def test_a_crash_while_a_new_file_was_made_leaves_one_that_opens(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
    await _closed_store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchall() == [(len(scripts("sqlite")),)]
        assert connection.execute("PRAGMA application_id").fetchall() == [(APPLICATION_ID,)]


# -- what is refused


async def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    await _closed_store(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9000").fetchall()
    message = await _refusal(path)
    assert "newer" in message
    assert "9000" in message


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("Dear diary, today I dug for hours and found nothing.\n" * 50)
    assert "no database" in await _refusal(path)


async def test_a_database_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    assert "another program" in await _refusal(path)


async def test_a_database_marked_by_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 42").fetchall()
    assert "another program" in await _refusal(path)


@pytest.mark.parametrize("part", ["header", "layout", "table", "cut short"])
async def test_a_damaged_file_is_refused(path: Path, part: str) -> None:
    await _closed_store(path)
    content = bytearray(path.read_bytes())
    root = _root_page(path, "moves")
    start, end = {
        "header": (0, 40),
        "layout": (100, 4096),
        "table": ((root - 1) * 4096, root * 4096),
        "cut short": (5000, len(content)),
    }[part]
    if part == "cut short":
        del content[start:]
    else:
        content[start:end] = b"\xa5" * (end - start)
    path.write_bytes(content)
    assert "damaged" in await _refusal(path)


def _root_page(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        [(root,)] = connection.execute(query, (table,)).fetchall()
    return root


async def test_a_file_that_lacks_a_table_is_refused(path: Path) -> None:
    await _closed_store(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE jobs")
    assert "damaged" in await _refusal(path)


async def test_a_folder_in_the_files_place_is_refused(path: Path) -> None:
    path.mkdir()
    assert "folder" in await _refusal(path)
    assert list(path.parent.iterdir()) == [path]


async def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "cannot be" in await _refusal(tmp_path / "data" / "digsite.sqlite3")
    assert (tmp_path / "data").read_text() == ""


async def test_a_link_that_leads_to_itself_is_refused(path: Path) -> None:
    path.symlink_to(path)
    assert "cannot be opened for writing" in await _refusal(path)
    assert path.is_symlink()


@pytest.mark.parametrize("journal_mode", ["wal", "delete"])
async def test_a_file_that_sqlite_may_only_read_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, journal_mode: str
) -> None:
    await _closed_store(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal_mode}").fetchall()
    monkeypatch.setattr("bot.store.sqlite.connection._connect", _connect_to_read)
    assert "writing" in await _refusal(path)


def _connect_to_read(path: Path, mode: str) -> sqlite3.Connection:
    # This is how SQLite opens a file without permission to write. It is done by hand because root has every permission.
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)


@pytest.fixture
def permissions_bind(tmp_path: Path) -> None:
    """Skips the test for users whom permissions do not restrict, such as root."""
    secret = tmp_path / "secret"
    secret.touch(mode=0o000)
    if os.access(secret, os.R_OK):
        pytest.skip("permissions do not bind this user")


@pytest.mark.usefixtures("permissions_bind")
@pytest.mark.parametrize("mode", [0o400, 0o000])
async def test_a_file_without_permission_is_refused(path: Path, mode: int) -> None:
    await _closed_store(path)
    path.chmod(mode)
    with pytest.raises(StoreRefused, match="cannot be opened for writing"):
        await in_file(path, ManualClock()).open()


@pytest.mark.usefixtures("permissions_bind")
async def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    await _refusal(folder / "digsite.sqlite3")


@pytest.mark.usefixtures("permissions_bind")
async def test_a_store_in_a_folder_without_permission_is_refused(path: Path) -> None:
    await _closed_store(path)
    path.parent.chmod(0o500)
    try:
        await _refusal(path)
    finally:
        path.parent.chmod(0o700)


def test_a_disk_on_which_connections_cannot_share_a_file_is_refused(path: Path) -> None:
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as connection,
        pytest.raises(StoreRefused, match="network share"),
    ):
        _prepare_to_write(connection, path, FileLock(path))


async def test_a_refused_file_opens_once_the_cause_is_gone(path: Path) -> None:
    path.mkdir()
    store = in_file(path, ManualClock())
    with pytest.raises(StoreRefused):
        await store.open()
    path.rmdir()
    await store.open()
    row = await kept(store)
    assert [kept_row.id for kept_row in await store.live_tables()] == [row.id]
    await store.close()


# -- one owner

_OPEN_IT = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from bot.store.model import StoreRefused
from tests.bot.store.samples import in_file

try:
    asyncio.run(in_file(Path(sys.argv[1]), SystemClock()).open())
except StoreRefused as refused:
    sys.exit(str(refused))
"""


def test_second_process_is_refused_until_the_first_ends(
    path: Path,
) -> None:
    first = subprocess.run([sys.executable, "-c", _OPEN_IT, path], timeout=PATIENCE, check=False)
    assert first.returncode == 0


async def test_another_process_is_refused(file_store: Store, path: Path) -> None:
    second = subprocess.run(
        [sys.executable, "-c", _OPEN_IT, path], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert second.returncode == 1
    assert "in use by another Digsite" in second.stderr
    await kept(file_store)


async def test_a_second_store_on_the_file_is_refused_by_whatever_link(file_store: Store, path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(StoreRefused, match="in use"):
            await in_file(name, ManualClock()).open()
    with pytest.raises(StoreRefused, match="in use"):
        await file_store.open()
    await kept(file_store)
    await file_store.close()
    await _closed_store_opens(link, moves=0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
async def test_forked_worker_does_not_hold_the_lock(file_store: Store, path: Path) -> None:
    read_end, write_end = os.pipe()
    begun, begins = os.pipe()
    worker = os.fork()
    if worker == 0:  # pragma: no cover - the child
        os.close(write_end)
        os.write(begins, b".")
        os.read(read_end, 1)
        os._exit(0)
    try:
        os.read(begun, 1)  # the child has run what is to be run after a fork
        await file_store.close()
        await _closed_store(path)
        assert os.waitpid(worker, os.WNOHANG) == (0, 0), "the worker lived all the while"
    finally:
        for end in (write_end, read_end, begun, begins):
            os.close(end)
        os.waitpid(worker, 0)
