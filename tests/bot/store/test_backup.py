"""Copies of the store: consistent while the bot writes, private, and never over another file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.model import StoreError
from bot.store.sqlite.engine import backup_file
from bot.store.store import Store
from tests.bot.store.samples import Home, a_move, damage, in_file, kept
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copy.sqlite3"


async def test_backup_opens_as_a_store_with_all_acknowledged_data(
    store: Store, home: Home, target: Path
) -> None:
    row = await kept(store)
    await store.commit(a_move(row))
    await home.backend().backup(target)
    await store.commit(a_move(row))
    copy = in_file(target, ManualClock())
    await copy.open()
    assert len(await copy.moves(row.id)) == 1
    await copy.close()


async def test_a_copy_is_one_private_file(store: Store, home: Home, target: Path) -> None:
    before = os.umask(0)
    try:
        await home.backend().backup(target)
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [file.name for file in target.parent.glob("copy*")] == [target.name]


async def test_backup_during_play_is_consistent_and_blocks_no_write(
    store: Store, home: Home, target: Path
) -> None:
    rows = [await kept(store, channel) for channel in range(10)]
    copying = asyncio.create_task(home.backend().backup(target))
    while not copying.done():
        await asyncio.gather(*(store.commit(a_move(row)) for row in rows))
    await copying
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        sequences = dict(copy.execute("SELECT id, sequence FROM tables").fetchall())
        moves = dict(copy.execute("SELECT table_id, count(*) FROM moves GROUP BY 1").fetchall())
    assert {table: moves.get(table, 0) for table in sequences} == sequences


async def test_another_process_copies_a_store_in_use(file_store: Store, path: Path, target: Path) -> None:
    row = await kept(file_store)
    command = "import sys; from pathlib import Path; from bot.store.sqlite.engine import backup_file; "
    command += "backup_file(Path(sys.argv[1]), Path(sys.argv[2]))"
    subprocess.run([sys.executable, "-c", command, path, target], timeout=PATIENCE, check=True)
    await file_store.commit(a_move(row))
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchall() == [(1,)]


async def test_backup_of_a_closed_store(file_store: Store, path: Path, target: Path) -> None:
    await kept(file_store)
    await file_store.close()
    before = path.read_bytes()
    backup_file(path, target)
    assert path.read_bytes() == before
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchall() == [(1,)]


async def test_a_copy_never_overwrites(store: Store, home: Home, target: Path) -> None:
    target.write_text("mine")
    for taken in (target, *([home.place] if isinstance(home.place, Path) else [])):
        with pytest.raises(StoreError, match="already exists"):
            await home.backend().backup(taken)
    assert target.read_text() == "mine"
    await kept(store)


async def test_backup_of_a_missing_file_is_an_error(path: Path, target: Path) -> None:
    with pytest.raises(StoreError, match="no file"):
        backup_file(path, target)
    assert not target.exists()


@pytest.mark.parametrize("content", [b"", b"Dear diary, " * 500])
async def test_only_a_digsite_file_is_copied(path: Path, target: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError):
        backup_file(path, target)
    assert not target.exists()


@pytest.mark.parametrize("table", ["moves", "one_move_a_part", "tables"])
async def test_backup_of_a_damaged_store_is_refused(
    file_store: Store, path: Path, target: Path, table: str
) -> None:
    row = await kept(file_store)
    for number in range(50):
        await file_store.commit(a_move(row, interaction_id=number))
    await file_store.close()
    damage(path, table)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is damaged: .*No copy was left") as caught:
        backup_file(path, target)
    assert ".recover" in str(caught.value)
    assert path.read_bytes() == before
    assert [file.name for file in target.parent.glob("copy*")] == []


async def test_backup_of_a_store_with_orphaned_rows_is_refused(
    file_store: Store, path: Path, target: Path
) -> None:
    row = await kept(file_store)
    await file_store.commit(a_move(row))
    await file_store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM tables")  # without foreign keys, which each connection has to ask for
    with pytest.raises(StoreError, match="belongs to a row of tables that is missing"):
        backup_file(path, target)
    assert not target.exists()


async def test_a_copy_that_fails_leaves_nothing_behind(store: Store, home: Home, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    await kept(store)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
    try:
        with pytest.raises(StoreError, match="No copy was left"):
            await home.backend().backup(tmp_path / "copy.sqlite3")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(StoreError, match="No copy was left"):
        await home.backend().backup(tmp_path / "nowhere" / "copy.sqlite3")
    assert not list(tmp_path.glob("copy*"))


_COPY_AND_DIE = """
import os, sys
from pathlib import Path
from bot.store.sqlite import engine
class Dying:
    def __init__(self, connection): self.connection = connection
    def __getattr__(self, name): return getattr(self.connection, name)
    def backup(self, copy):
        self.connection.backup(copy, pages=1, progress=lambda *_given: os._exit(9))
open_to_read = engine.open_to_read
engine.open_to_read = lambda source: Dying(open_to_read(source))
engine.backup_file(Path(sys.argv[1]), Path(sys.argv[2]))
"""


async def test_killed_backup_leaves_only_a_part_file(file_store: Store, path: Path, target: Path) -> None:
    await kept(file_store)
    command = [sys.executable, "-c", _COPY_AND_DIE, str(path), str(target)]
    done = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, check=False, cwd=Path(__file__).parents[3]
    )
    assert done.returncode == 9, done.stderr.decode()
    assert not target.exists()
    backup_file(path, target)
    assert target.exists()


async def test_backup_to_a_disk_without_hard_links(
    file_store: Store, path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept(file_store)

    def refused(*_given: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    backup_file(path, target)
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchall() == [(1,)]
    assert [file.name for file in target.parent.iterdir() if "part" in file.name] == []
