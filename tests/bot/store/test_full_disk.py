"""A disk that is full at the start: it is said, nothing is lost, and a new attempt is worth it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrate import scripts
from bot.store.model import StoreDiskFull
from bot.store.sqlite.layout import layout_of, migrate
from tests.bot.cli.test_command_line import command
from tests.bot.fake_discord import FakeDiscord
from tests.bot.store.samples import in_file, kept
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

SIZE = 2 * 1024 * 1024


@pytest.fixture
def disk() -> Iterator[Path]:
    """The folder of a small disk of its own."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder]
        try:
            mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        except OSError:
            mounted = False
        if not mounted:
            pytest.skip("only root can make a small disk, and not everywhere")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, left: int) -> None:
    """Fills the disk up to so many bytes."""
    found = os.statvfs(disk)
    with (disk / "somebody's").open("wb") as file:
        file.write(bytes(found.f_bavail * found.f_frsize - left))


async def opened_and_closed(path: Path) -> None:
    store = in_file(path, ManualClock())
    await store.open()
    try:
        if not await store.live_tables():
            await kept(store)
    finally:
        await store.close()


@pytest.mark.parametrize("left", [0, 4096, 12288, 24576])
@pytest.mark.parametrize("kind", ["new", "used before"])
async def test_full_disk_refuses_the_store_until_there_is_room(disk: Path, kind: str, left: int) -> None:
    path = disk / "digsite.sqlite3"
    if kind == "used before":
        await opened_and_closed(path)
    fill(disk, left)
    with pytest.raises(StoreDiskFull) as caught:
        await opened_and_closed(path)
    assert str(caught.value).startswith(f"The disk of {path} is full")
    assert "make room on that disk" in str(caught.value)
    (disk / "somebody's").unlink()
    await opened_and_closed(path)


async def test_full_disk_refuses_a_migration_until_there_is_room(disk: Path) -> None:
    path = disk / "digsite.sqlite3"
    await opened_and_closed(path)
    before = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert layout_of(connection) == len(scripts("sqlite"))
        fill(disk, 16384)
        with pytest.raises(StoreDiskFull, match="no copy of it could be made first"):
            migrate(connection, path, [*scripts("sqlite"), "DROP TABLE facts"])
    assert path.read_bytes() == before


async def test_full_disk_ends_bot_and_commands_with_status_1(disk: Path) -> None:
    path = disk / "digsite.sqlite3"
    await opened_and_closed(path)
    fill(disk, 0)
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path)
        async with asyncio.timeout(PATIENCE):
            _out, errors = await bot.communicate()
    assert bot.returncode == 1
    assert f"The disk of {path} is full" in errors.decode()
    assert "Traceback" not in errors.decode()
    done = await asyncio.to_thread(
        command, disk, "notice", "Back at ten", environment={"DATABASE_PATH": str(path)}
    )
    assert done.returncode == 1
    assert "is full" in done.stderr
