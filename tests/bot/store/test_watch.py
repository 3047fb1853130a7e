"""When the open store's file is deleted, replaced or cut short, no later write is acknowledged and none is lost."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.model import StoreError, StoreLost, StoreRefused, TableRow
from bot.store.sqlite.backup import backup_file
from bot.store.store import Store
from tests.bot.store.samples import a_move, in_file, kept
from tests.manual_clock import ManualClock

ROOT = Path(__file__).parents[3]


def companion(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    for ending in ("", "-wal", "-shm", ".lock"):
        companion(path, ending).unlink()


def move_away(path: Path) -> None:
    path.rename(companion(path, ".old"))


def replace(path: Path) -> None:
    other = companion(path, ".other")
    backup_file(path, other)
    other.replace(path)


def delete_the_log(path: Path) -> None:
    companion(path, "-wal").unlink()


def replace_the_log(path: Path) -> None:
    companion(path, "-wal").unlink()
    companion(path, "-wal").write_bytes(b"somebody else's")


def delete_the_index(path: Path) -> None:
    companion(path, "-shm").unlink()


def empty(path: Path) -> None:
    os.truncate(path, 0)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def overwrite(path: Path) -> None:
    copy = companion(path, ".copy")
    backup_file(path, copy)
    shutil.copyfile(copy, path)


def overwrite_with_nonsense(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)


DELETED = [delete, delete_all, move_away, replace, delete_the_log, replace_the_log, delete_the_index]
SPOILT = [empty, cut, overwrite, overwrite_with_nonsense]

Mishap = Callable[[Path], None]


def rescued(path: Path) -> list[Path]:
    return sorted(file for file in path.parent.glob(f"{path.name}.rescued*") if file.suffix != ".lock")


async def moves_in(path: Path, table: int) -> int:
    store = in_file(path, ManualClock())
    await store.open()
    count = len(await store.moves(table))
    await store.close()
    return count


@pytest.mark.parametrize("mishap", [*DELETED, *SPOILT])
async def test_no_write_is_acknowledged_after_the_file_is_lost(
    file_store: Store, path: Path, mishap: Mishap
) -> None:
    row = await kept(file_store)
    for _ in range(30):
        await file_store.commit(a_move(row))
    mishap(path)
    for _ in range(2):
        with pytest.raises(StoreLost, match="while the bot ran"):
            await file_store.commit(a_move(row))
    with pytest.raises(StoreLost):
        await file_store.set_fact("heartbeat", "1")
    with pytest.raises(StoreLost):
        await file_store.due(1e12)
    with pytest.raises(StoreError):
        await file_store.backup(companion(path, ".late"))


@pytest.mark.parametrize("mishap", DELETED)
async def test_acknowledged_data_is_rescued_beside_the_file(
    file_store: Store, path: Path, mishap: Mishap
) -> None:
    row = await kept(file_store)
    for _ in range(30):
        await file_store.commit(a_move(row))
    mishap(path)
    with pytest.raises(StoreLost) as caught:
        await file_store.set_fact("heartbeat", "1")
    (copy,) = rescued(path)
    assert f"is saved as {copy}" in str(caught.value)
    assert "start it again" in str(caught.value)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert await moves_in(copy, row.id) == 30
    with pytest.raises(StoreLost):
        await file_store.set_fact("heartbeat", "2")
    assert rescued(path) == [copy], "once is enough"


@pytest.mark.parametrize("mishap", SPOILT)
async def test_damaged_file_is_not_rescued(file_store: Store, path: Path, mishap: Mishap) -> None:
    row = await kept(file_store)
    for _ in range(30):
        await file_store.commit(a_move(row))
    mishap(path)
    with pytest.raises(StoreLost, match=r"restore a backup|is saved as"):
        await file_store.set_fact("heartbeat", "1")
    for copy in rescued(path):  # SQLite may still have the whole file in memory
        assert await moves_in(copy, row.id) == 30


async def test_pending_writes_are_not_acknowledged_when_the_file_is_lost(
    file_store: Store, path: Path
) -> None:
    rows = [await kept(file_store, channel) for channel in range(20)]
    path.unlink()
    results = await asyncio.gather(*(file_store.commit(a_move(row)) for row in rows), return_exceptions=True)
    assert {type(result) for result in results} == {StoreLost}


@pytest.mark.parametrize("mishap", DELETED)
async def test_rescued_copy_has_every_acknowledged_write(
    file_store: Store, path: Path, mishap: Mishap
) -> None:
    rows = [await kept(file_store, channel) for channel in range(10)]
    acknowledged = dict.fromkeys((row.id for row in rows), 0)

    async def play(row: TableRow) -> None:
        while True:
            try:
                await file_store.commit(a_move(row))
            except StoreLost:
                return
            acknowledged[row.id] += 1

    players = [asyncio.create_task(play(row)) for row in rows]
    while sum(acknowledged.values()) < 50:
        await asyncio.sleep(0.01)
    await asyncio.to_thread(mishap, path)
    await asyncio.gather(*players)
    (copy,) = rescued(path)
    with closing(sqlite3.connect(copy)) as connection:
        saved = dict(connection.execute("SELECT table_id, count(*) FROM moves GROUP BY 1").fetchall())
    assert all(saved.get(table, 0) >= moves for table, moves in acknowledged.items())


async def test_error_says_if_nothing_could_be_rescued(file_store: Store, path: Path) -> None:
    await kept(file_store)
    shutil.rmtree(path.parent)
    with pytest.raises(StoreLost, match=r"could not be saved \(.*restore a backup"):
        await file_store.set_fact("heartbeat", "1")


@pytest.mark.parametrize("mishap", [delete, move_away, replace])
async def test_the_companions_of_a_file_that_was_moved_away_are_not_mixed_into_the_next_one(
    file_store: Store, path: Path, mishap: Mishap
) -> None:
    row = await kept(file_store)
    await file_store.commit(a_move(row))
    mishap(path)
    with pytest.raises(StoreLost):
        await file_store.set_fact("heartbeat", "1")
    await file_store.close()
    assert not companion(path, "-wal").exists()
    (copy,) = rescued(path)
    copy.replace(path)
    assert await moves_in(path, row.id) == 1


async def test_a_copy_beside_the_log_of_another_file_stops_the_start(file_store: Store, path: Path) -> None:
    row = await kept(file_store)
    copy = companion(path, ".copy")
    backup_file(path, copy)
    await file_store.commit(a_move(row))
    log = companion(path, "-wal").read_bytes()
    await file_store.close()
    companion(path, "-wal").write_bytes(log)
    copy.replace(path)
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="does not belong to"):
        await moves_in(path, row.id)
    assert path.read_bytes() == before
    assert companion(path, "-wal").read_bytes() == log
    companion(path, "-wal").unlink()
    assert await moves_in(path, row.id) == 0


async def test_closing_completes_the_file_whose_log_was_deleted(file_store: Store, path: Path) -> None:
    row = await kept(file_store)
    for _ in range(30):
        await file_store.commit(a_move(row))
    delete_the_log(path)
    with pytest.raises(StoreLost):
        await file_store.set_fact("heartbeat", "1")
    await file_store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchall() == [(30,)]


_LOSE_AND_CLOSE = """
import asyncio, sys
from pathlib import Path
from tests.manual_clock import ManualClock
from bot.store.model import StoreLost
from tests.bot.store import test_watch
from tests.bot.store.samples import in_file
async def main():
    path = Path(sys.argv[1])
    store = in_file(path, ManualClock())
    await store.open()
    await store.set_fact("a", "b")
    getattr(test_watch, sys.argv[2])(path)
    try:
        await store.set_fact("heartbeat", "1")
    except StoreLost:
        await store.close()
        print("closed")
asyncio.run(main())
"""


@pytest.mark.parametrize("mishap", [replace_the_log, empty, overwrite])
async def test_a_file_put_in_its_place_is_left_as_it_is_when_the_process_ends(
    path: Path, mishap: Mishap
) -> None:
    command = [sys.executable, "-c", _LOSE_AND_CLOSE, str(path), mishap.__name__]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, check=False, cwd=ROOT)
    assert done.stdout == b"closed\n", done.stderr.decode()
    if mishap is replace_the_log:
        assert companion(path, "-wal").read_bytes() == b"somebody else's"
    elif mishap is empty:
        assert path.read_bytes() == b""
    else:
        assert path.read_bytes() == companion(path, ".copy").read_bytes()


async def test_permission_changes_do_not_count_as_a_loss(file_store: Store, path: Path) -> None:
    row = await kept(file_store)
    for number in range(200):
        await file_store.commit(a_move(row, move="x" * 500))
        if number == 100:
            backup_file(path, companion(path, ".copy"))
            tidy = "PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM log; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"
            command = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
            done = await asyncio.to_thread(
                subprocess.run, [sys.executable, "-c", command, str(path), tidy], check=True
            )
            assert done.returncode == 0
            path.touch()
            path.chmod(0o640)
    assert len(await file_store.moves(row.id)) == 200


async def test_crash_during_cleanup_does_not_count_as_a_loss(path: Path, tmp_path: Path) -> None:
    """After such a crash the file is shorter than its header says, until the write-ahead log is written back."""
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
