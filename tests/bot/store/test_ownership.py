"""A file that root makes beside a store belongs to the store's owner, who is not locked out by it."""

from __future__ import annotations

import asyncio
import os
import pwd
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrate import scripts
from bot.store.model import StoreRefused
from bot.store.sqlite import connection
from bot.store.sqlite.engine import backup_file
from bot.store.sqlite.layout import migrate
from tests.bot.cli.test_command_line import command
from tests.bot.store.samples import in_file, kept
from tests.manual_clock import ManualClock

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)
OWNER = pwd.getpwnam("nobody").pw_uid
"""The user to whom the bot's files belong here."""


@pytest.fixture
def path() -> Iterator[Path]:
    """The path of a store in a folder of its owner's that the owner can reach."""
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, OWNER, OWNER)
        yield Path(folder) / "digsite.sqlite3"


async def used(path: Path) -> None:
    store = in_file(path, ManualClock())
    await store.open()
    await kept(store)
    await store.close()


def as_owner(path: Path) -> str:
    """Opens, uses and closes the store as its owner; returns what is said if it is refused."""
    # The owner may be unable to read the program's files, or to import what is missing.
    migrations = scripts("sqlite")
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        said = "something else has failed"
        try:
            connection.scripts = lambda _kind: migrations
            os.setgroups([])
            os.setgid(OWNER)
            os.setuid(OWNER)
            asyncio.run(_opened(path))
            said = ""
        except StoreRefused as refused:
            said = str(refused)
        finally:
            os.write(write_end, said.encode())
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said


async def _opened(path: Path) -> None:
    store = in_file(path, ManualClock())
    await store.open()
    await store.set_fact("used", "yes")
    await store.close()


def owners_below(folder: Path) -> dict[str, int]:
    return {str(file.relative_to(folder)): file.stat().st_uid for file in folder.rglob("*")}


def test_a_new_store_and_all_beside_it_belong_to_the_owner_of_the_folder(path: Path) -> None:
    deep = path.parent / "deep" / "er" / path.name

    async def made() -> dict[str, int]:
        store = in_file(deep, ManualClock())
        await store.open()
        await kept(store)
        try:
            return owners_below(path.parent)
        finally:
            await store.close()

    owners = asyncio.run(made())
    assert {f"deep/er/{path.name}{ending}" for ending in ("", "-wal", "-shm", ".lock")} < owners.keys()
    assert {*owners.values()} == {OWNER}
    assert as_owner(deep) == ""


@pytest.mark.system
def test_files_created_by_root_belong_to_the_owner(path: Path) -> None:
    assert as_owner(path) == ""
    path.with_name(f"{path.name}.lock").unlink()
    for arguments in (["notice", "Back at ten"], ["tables"], ["check"], ["forget", "123456789012345678"]):
        done = command(path.parent, *arguments, environment={"DATABASE_PATH": str(path)})
        assert done.returncode == 0, done.stderr
    assert path.with_name(f"{path.name}.lock").exists()
    assert {*owners_below(path.parent).values()} == {OWNER}
    assert as_owner(path) == ""


def test_copy_beside_the_store_belongs_to_its_owner_and_elsewhere_to_root(path: Path, tmp_path: Path) -> None:
    assert as_owner(path) == ""
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        migrate(opened, path, [*scripts("sqlite"), "ALTER TABLE facts ADD COLUMN at REAL"])
        opened.execute(f"PRAGMA user_version = {len(scripts('sqlite'))}").fetchall()
    done = command(path.parent, "backup", "--keep", "2", environment={"DATABASE_PATH": str(path)})
    assert done.returncode == 0, done.stderr
    backup_file(path, tmp_path / "copy.sqlite3")
    owners = owners_below(path.parent)
    assert any(".layout-" in name for name in owners)
    assert any(name.startswith("backups/") for name in owners)
    assert {*owners.values()} == {OWNER}
    assert (tmp_path / "copy.sqlite3").stat().st_uid == 0, "hands are in it"


@pytest.mark.parametrize("ending", [".lock", "-wal", ""])
def test_the_file_that_cannot_be_opened_is_named(path: Path, ending: str) -> None:
    assert as_owner(path) == ""
    file = path.with_name(path.name + ending)
    file.touch(mode=0o600)
    os.chown(file, 0, 0)
    said = as_owner(path)
    because = f", because {file} cannot be" if ending else ""
    assert said.startswith(f"{path} cannot be opened for writing{because} (")
    assert "; it belongs to root). Nothing was changed; check" in said


def test_symbolic_link_in_place_of_the_lock_changes_no_owner(path: Path, tmp_path: Path) -> None:
    asyncio.run(used(path))
    secret, lock = tmp_path / "secret", path.with_name(f"{path.name}.lock")
    for there in (True, False):
        if there:
            secret.write_text("")
        else:
            secret.unlink()
        lock.unlink()
        lock.symlink_to(secret)
        with pytest.raises(StoreRefused, match="cannot be opened"):
            asyncio.run(used(path))
        assert secret.exists() == there
        assert not there or (secret.stat().st_uid, secret.read_text()) == (0, "")
