"""SQLite connections, each on a thread of its own, and how a file is opened to write and to read."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

from bot.store.schema import bring_up_to_date, check_is_ours, check_is_readable, migrations, refusal

T = TypeVar("T")

_BUSY_SECONDS = 5.0
_CACHE_KIB = 32 * 1024
_CHECKPOINT_PAGES = 4_000
_WAL_BYTES_LEFT = 64 * 1024 * 1024


class OneThread(aiosqlite.Connection):
    """An aiosqlite connection that runs whole functions on its thread.

    aiosqlite's own methods take one hop to the thread a statement, and a task that is cancelled between two of
    them leaves a transaction half-way. A function put on the thread's queue runs to its end. The queue (`_tx`)
    is used rather than `_execute`, which is a coroutine: it would need a task, and a task can be cancelled.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A bot that fails without closing its store must still end; what was acknowledged is on the disk.
        self._thread.daemon = True

    def submit(self, act: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Runs `act` after all that was submitted before it; cancelling the future does not stop it."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((future, partial(act, self._conn)))
        return future


def open_to_write(path: Path) -> sqlite3.Connection:
    """Opens or makes the file, private to its owner, and brings its layout up to date. Raises `StoreRefused`."""
    try:
        _make_private(path)
        connection = _connect(path, "rw")
    except (OSError, sqlite3.Error) as error:
        raise refusal(path, error) from error
    try:
        _prepare_to_write(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise refusal(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens an existing file to read it only. Raises `sqlite3.Error`."""
    return _connect(path, "ro")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,  # transactions begin and end where the code says so
        check_same_thread=False,  # aiosqlite's `stop` may close it from another thread
    )


def _make_private(path: Path) -> None:
    # SQLite gives the -wal and -shm files the permissions of the file itself.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _prepare_to_write(connection: sqlite3.Connection, path: Path) -> None:
    scripts = migrations()
    check_is_ours(connection, path, len(scripts))
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        f"wal_autocheckpoint = {_CHECKPOINT_PAGES}",
        f"journal_size_limit = {_WAL_BYTES_LEFT}",
        f"cache_size = -{_CACHE_KIB}",
        "secure_delete = FAST",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    bring_up_to_date(connection, path, scripts)
    check_is_readable(connection, path)
    # Only now: a migration that rebuilds a table must not cascade.
    connection.execute("PRAGMA foreign_keys = ON").fetchall()
