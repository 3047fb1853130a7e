"""SQLite as the store's engine: one file, one thread that writes, and one that reads.

The writer commits the changes of several tables together (`bot.store.sqlite.writer`). Reads never wait for a commit.

A backup is a copy to a new file while a bot may be writing to the store.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bot.store.engine import Tx, TxFunction, run_sync
from bot.store.model import Committed, StoreError, StoreFull
from bot.store.private_files import same_owner
from bot.store.sqlite.connection import OneThread, SqliteTx, open_to_read, open_to_write
from bot.store.sqlite.copying import Damaged, copy_to_new_file
from bot.store.sqlite.errors import read_failed, write_failed
from bot.store.sqlite.layout import APPLICATION_ID, layout_of, refusal
from bot.store.sqlite.lock import FileLock
from bot.store.sqlite.writer import Writer

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

COMPACTED_AT_MOST: Final = 64 * 1024 * 1024
"""Bytes. Compacting a file of this size blocks writes for half a second; larger files are not compacted."""
_TRUNCATE_EVERY: Final = 0.05
"""Seconds between two attempts to empty the write-ahead log while another program reads it."""


@dataclass(frozen=True, slots=True)
class _Opened:
    lock: FileLock
    writer: Writer
    reader: OneThread


class SqliteEngine:
    """The file at `path`, created with mode 0600 if missing. One process has it open at a time.

    `<path>.lock` excludes other processes, and records that a store exists, so that a missing file is detected.
    `bot.store.engine.Engine` documents the methods.
    """

    def __init__(
        self,
        path: Path,
        *,
        lock_timeout: float = 0.0,
        committed: Committed | None = None,
        compacted_at_most: int = COMPACTED_AT_MOST,
    ) -> None:
        """`lock_timeout`: seconds to wait while another process holds the lock."""
        # The real path, so that all links to the file share one lock.
        self._path = Path(os.path.realpath(path))
        self._patience = lock_timeout
        self._committed = committed
        self._compacted_at_most = compacted_at_most
        self._opened: _Opened | None = None
        self.layout = 0

    def __str__(self) -> str:
        return str(self._path)

    async def open(self, look: TxFunction[T]) -> T:
        _redact_logs()
        lock = FileLock(self._path)
        writing = OneThread(partial(open_to_write, self._path, lock, self._patience))
        reading = OneThread(partial(open_to_read, self._path))
        try:
            await writing
            await reading
            writer = Writer(writing, self._committed)
            await writer.write(_nothing)  # creates the write-ahead log
            looked = await reading.submit(partial(_read, look))
            self.layout = await reading.submit(layout_of)
        except BaseException as error:
            await reading.close()
            await writing.close()
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise refusal(self._path, error) from error
            if isinstance(error, StoreFull) and isinstance(error.__cause__, sqlite3.Error):
                raise refusal(self._path, error.__cause__) from error
            raise
        self._opened = _Opened(lock, writer, reading)
        return looked

    async def close(self) -> None:
        if self._opened is None:
            return
        opened, self._opened = self._opened, None
        try:
            await opened.reader.close()
        finally:
            try:
                # The last connection to close removes the -wal file, which needs write access.
                await opened.writer.close()
            finally:
                opened.lock.release()

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None) -> T:
        return await self._must_be_open().writer.write(run, on_commit)

    async def read(self, run: TxFunction[T]) -> T:
        try:
            return await self._must_be_open().reader.submit(partial(_read, run))
        except sqlite3.Error as error:
            raise read_failed(error) from error

    async def settle(self) -> None:
        await self.write(_nothing)  # writes complete in order

    async def wipe(self, *, within: float, whole: bool) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        await self.write(rewrite_small_tables)
        if whole:
            try:
                await self._must_be_open().writer.between(partial(compact, at_most=self._compacted_at_most))
            except StoreError as error:
                # For example a full disk. Data about users is wiped all the same.
                _LOG.warning("could not compact the database: %s", error)
        while not await self._must_be_open().writer.between(truncate_wal):
            if loop.time() >= until:
                return False
            await asyncio.sleep(_TRUNCATE_EVERY)
        return True

    def _must_be_open(self) -> _Opened:
        if self._opened is None:
            raise StoreError(f"The store {self} is not open. Nothing was read or written.")
        return self._opened


async def _nothing(_tx: object) -> None: ...


def _read(run: TxFunction[T], connection: sqlite3.Connection) -> T:
    return run_sync(run(SqliteTx(connection)))


def _redact_logs() -> None:
    """Stops aiosqlite from logging every statement with its values, hands included, at level DEBUG."""
    logger = logging.getLogger("aiosqlite")
    logger.setLevel(max(logger.level, logging.INFO))


def backup_file(source: Path, target: Path) -> None:
    """Writes a consistent, checked, private copy of the store at `source` to the new file `target`.

    The copy contains everything that was durable at the start. Blocks the caller, but no writers. Raises `StoreError`
    if `source` is no Digsite file, damaged or unreadable, or if `target` exists or cannot be written.
    """
    if not source.is_file():
        raise StoreError(f"There is no file at {source}. Nothing was written; check the path of the store.")
    try:
        with closing(open_to_read(source)) as original:
            _check_is_ours(original, source)
            # A copy in a folder of the store's owner belongs to that owner. Elsewhere it stays root's, because it
            # contains hands and seeds.
            copy_to_new_file(original, target, like=source if same_owner(source, target.parent) else None)
    except FileExistsError:
        raise StoreError(
            f"{target} already exists. It was left as it is; name a file that does not."
        ) from None
    except Damaged as error:
        raise StoreError(
            f"{source} is damaged: {error}. No copy was left, for it would be damaged too. Keep the file and your "
            f"older backups; `sqlite3 {source} .recover` may save more than a backup holds."
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{source} could not be copied to {target} ({error}). No copy was left; the store is as it was."
        ) from error


def _check_is_ours(original: sqlite3.Connection, source: Path) -> None:
    try:
        [(application_id,)] = original.execute("PRAGMA application_id").fetchall()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{source} cannot be read as a store ({error}). Nothing was written.") from error
    if application_id != APPLICATION_ID:
        raise StoreError(f"{source} is not a Digsite file. Nothing was written; check the path of the store.")


_RENEWED: Final = ("sat", "text_only", "presses", "players", "choices", "wishes", "guests", "attempts")


async def rewrite_small_tables(tx: Tx) -> None:
    """Writes the small lists and the index of openers to new pages, so that SQLite wipes the old pages.

    Deleting a row is not enough: old content stays in the write-ahead log, and in unused parts of pages when SQLite
    moves rows from page to page (`secure_delete` does not overwrite those parts). The body of a table, with names and
    ids, starts after the part of its row that shares a page with other rows (the column `padding`), so it has pages of
    its own, which SQLite wipes when it frees them. Moves, log lines and results contain no names or user ids: their
    remains disappear when the file is compacted.

    Takes about 0.1 s for 30,000 tables with 90,000 seats.
    """
    for name in _RENEWED:
        layout = "SELECT sql FROM sqlite_master WHERE tbl_name = $1 AND sql IS NOT NULL ORDER BY type DESC"
        [(table,), *indexes] = await tx.fetch(layout, name)
        given = await tx.fetch("SELECT seq FROM sqlite_sequence WHERE name = $1", name)
        await tx.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {name} ORDER BY 1, 2")
        await tx.execute(f"DROP TABLE main.{name}")
        await tx.execute(table)
        await tx.execute(f"INSERT INTO {name} SELECT * FROM temp.kept")
        for (index,) in indexes:
            await tx.execute(index)
        await tx.execute("DROP TABLE temp.kept")
        for (last,) in given:  # no number is given out twice, also if the newest row was deleted
            await tx.execute("DELETE FROM sqlite_sequence WHERE name = $1", name)
            await tx.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", name, last)
    await tx.execute("REINDEX live_tables_of_opener")


def truncate_wal(connection: sqlite3.Connection) -> bool:
    """Checkpoints and truncates the write-ahead log. Returns False if another connection is reading the log.

    Call outside a transaction. Does not wait for readers, because writes are pending.
    """
    [(busy_timeout,)] = connection.execute("PRAGMA busy_timeout").fetchall()
    connection.execute("PRAGMA busy_timeout = 0").fetchall()
    try:
        [(busy, _frames, _moved)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise write_failed(error) from error
    finally:
        connection.execute(f"PRAGMA busy_timeout = {busy_timeout}").fetchall()
    return not busy


def compact(connection: sqlite3.Connection, *, at_most: int) -> None:
    """Runs VACUUM unless the file has more than `at_most` bytes. Call outside a transaction."""
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    if pages * size > at_most:
        return
    try:
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise write_failed(error) from error
