"""SQLite connections, each with its own thread, transactions on them, and the ways to open a file."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import aiosqlite

from bot.store.engine import NotUnique, Row, Value
from bot.store.migrate import scripts
from bot.store.model import StoreRefused
from bot.store.private_files import make_folders, make_private_file
from bot.store.sqlite.layout import check_is_ours, check_is_readable, has_wal, layout_of, migrate, refusal
from bot.store.sqlite.lock import FileLock

T = TypeVar("T")

_PAGE_BYTES = 4096
"""The page size in bytes: SQLite's default, on which the column `padding` of `tables` relies."""
_BUSY: Final = 5.0
"""Seconds for which a statement waits for another connection's lock on the file."""
_CACHE: Final = 32 * 1024
"""Size of the writer's page cache, in KiB."""
_LOG_LEFT: Final = 64 * 1024 * 1024
"""Bytes to which SQLite truncates the write-ahead log after a checkpoint."""
_NAMES: Final = tuple(str(number) for number in range(1, 31))
_INDEXES: Final = {
    "tables.channel_id": "one_live_table_a_channel",
    "moves.interaction_id, moves.table_id, moves.part": "one_move_a_part",
    "attempts.user_id, attempts.day": "one_attempt_a_day",
    "moves.table_id, moves.sequence": "moves_pkey",
}
"""The names of the unique indexes, by the columns in SQLite's error message."""


class SqliteTx:
    """`bot.store.engine.Tx` on a connection, for use on the connection's thread. Never suspends."""

    __slots__ = ("_connection",)
    numbers = "SELECT value FROM json_each({})"
    again = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def execute(self, query: str, *values: Value) -> int:
        try:
            return self._connection.execute(query, dict(zip(_NAMES, values, strict=False))).rowcount
        except sqlite3.IntegrityError as error:
            raise _broken(error) from error

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        try:
            self._connection.executemany(query, [dict(zip(_NAMES, row, strict=False)) for row in rows])
        except sqlite3.IntegrityError as error:
            raise _broken(error) from error

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]:
        try:
            # fetchall ends the statement; an unfinished statement would block the end of the transaction.
            return self._connection.execute(query, dict(zip(_NAMES, values, strict=False))).fetchall()
        except sqlite3.IntegrityError as error:
            raise _broken(error) from error

    async def serialise(self, what: str, number: int = 0) -> None:
        """Does nothing, because a file has one writer."""


def _broken(error: sqlite3.IntegrityError) -> Exception:
    columns = str(error).partition("UNIQUE constraint failed: ")[2]
    return NotUnique(_INDEXES.get(columns, columns)) if columns else error


class OneThread(aiosqlite.Connection):
    """An aiosqlite connection that runs whole functions on its thread.

    aiosqlite submits every statement separately, so a task cancelled between two statements leaves a transaction open.
    A function submitted as a whole runs to its end. This class puts the function on aiosqlite's queue (`_tx`) directly,
    because aiosqlite's `_execute` is a coroutine and would need a cancellable task.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A bot that fails before it closes its store must still exit; acknowledged data is on the disk.
        self._thread.daemon = True
        self._stopped: asyncio.Future[None] | None = None

    def stop(self) -> asyncio.Future[None] | None:
        self._stopped = super().stop()  # pyright: ignore[reportUnknownMemberType]
        return self._stopped

    async def close(self) -> None:
        """Closes the connection after all submitted work, and waits for its thread to finish."""
        await super().close()
        # After a failed open, aiosqlite does not wait for its thread, which might then call a closed event loop.
        if self._stopped is not None:
            await self._stopped

    def submit(self, run: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Runs `run` after all earlier submissions; cancelling the future does not stop it."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((future, partial(run, self._conn)))  # pyright: ignore[reportUnknownMemberType]
        return future


def open_to_write(path: Path, lock: FileLock, lock_timeout: float) -> sqlite3.Connection:
    """Takes the lock, opens or creates the file, and applies migrations.

    Waits up to `lock_timeout` seconds for the lock. Raises `StoreRefused`, also if the lock file records a store that
    is missing or empty. The caller must release the lock even after an error.
    """
    try:
        make_folders(path.parent)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        lock.take(lock_timeout)
        if lock.remembers and not path.exists():
            raise _missing(path, lock, "is gone")
        _make_private(path)
        _check_companions(path)
        connection = _connect(path, "rw")
    except (OSError, sqlite3.Error) as error:
        raise refusal(path, error) from error
    try:
        _prepare_to_write(connection, path, lock)
        lock.remember()
    except (OSError, sqlite3.Error) as error:
        connection.close()
        raise refusal(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens an existing file for reading. Raises `sqlite3.Error`."""
    connection = _connect(path, "ro")
    connection.execute("PRAGMA temp_store = MEMORY").fetchall()
    return connection


def open_to_request(path: Path) -> sqlite3.Connection:
    """Opens an existing file to store a request for the process that holds its lock. Raises `sqlite3.Error`."""
    return _connect(path, "rw")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY,
        isolation_level=None,  # transactions are explicit
    )


def _missing(path: Path, lock: FileLock, how: str) -> StoreRefused:
    return StoreRefused(
        f"{path} {how}, though a store was kept there: {lock.file.name} beside it tells. Nothing was made or changed. "
        "Put the file back, or restore a backup or a copy that lies beside it. To begin with an empty store, delete "
        f"{lock.file}."
    )


def _check_companions(path: Path) -> None:
    """Raises `StoreRefused` if a backup lies beside another file's write-ahead log, which SQLite would apply."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size and path.stat().st_size and not has_wal(path):
        raise StoreRefused(
            f"{log} does not belong to {path}, which is a copy made by Digsite. Nothing was changed. "
            f"Move {log.name} and {path.name}-shm aside, then start again."
        )


def _make_private(path: Path) -> None:
    # SQLite gives the -wal and -shm files the permissions of this file. An existing file must not be opened here,
    # because closing it would drop the locks of this process's other connections.
    with suppress(FileExistsError):
        os.close(make_private_file(path, like=path.parent))


def _prepare_to_write(connection: sqlite3.Connection, path: Path, lock: FileLock) -> None:
    migrations = scripts("sqlite")
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}").fetchall()  # for a new file only
    check_is_ours(connection, path, len(migrations))
    if lock.remembers and layout_of(connection) == 0:
        raise _missing(path, lock, "is empty")
    _check_is_writable(connection)
    _switch_to_wal(connection, path)
    for pragma in (
        "synchronous = FULL",
        "temp_store = MEMORY",  # no data in temporary files
        f"journal_size_limit = {_LOG_LEFT}",
        f"cache_size = -{_CACHE}",
        "secure_delete = ON",  # overwrites deleted rows
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    migrate(connection, path, migrations)
    check_is_readable(connection, path)
    # After the migrations: a migration that rebuilds a table drops the old table, and this must not delete the rows of
    # other tables that refer to it.
    connection.execute("PRAGMA foreign_keys = ON").fetchall()


def _check_is_writable(connection: sqlite3.Connection) -> None:
    # SQLite opens a file without write permission for reading. It raises an error at the first write only, not at BEGIN
    # IMMEDIATE, so this function writes and rolls back.
    [(version,)] = connection.execute("PRAGMA user_version").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {version}").fetchall()
    connection.execute("ROLLBACK")


def _switch_to_wal(connection: sqlite3.Connection, path: Path) -> None:
    # If WAL is not possible, SQLite raises no error and stays in the old mode, in which reads wait for writes.
    [(mode,)] = connection.execute("PRAGMA journal_mode = WAL").fetchall()
    if mode != "wal":
        raise StoreRefused(
            f"{path} lies on a disk that SQLite cannot share between connections (a network share?). "
            "Nothing was changed; name a file on a disk of this machine."
        )
