"""SQLite as the store's engine: one file, one thread that writes, and one that reads.

The writer commits the changes of several tables together (`bot.store.sqlite.writer`). Reads never wait for a commit.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from bot.store.engine import TxFunction, run_sync
from bot.store.model import Committed, StoreError, StoreFull
from bot.store.sqlite import wipe
from bot.store.sqlite.backup import backup_file
from bot.store.sqlite.connection import OneThread, SqliteTx, open_to_read, open_to_write
from bot.store.sqlite.errors import read_failed
from bot.store.sqlite.layout import layout_of, refusal
from bot.store.sqlite.lock import FileLock
from bot.store.sqlite.timing import SQLITE, SqliteLimits
from bot.store.sqlite.writer import Writer

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


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
        limits: SqliteLimits = SQLITE,
    ) -> None:
        """`lock_timeout`: seconds to wait while another process holds the lock."""
        # The real path, so that all links to the file share one lock.
        self._path = Path(os.path.realpath(path))
        self._patience = lock_timeout
        self._committed = committed
        self._limits = limits
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
            writer = Writer(writing, self._committed, self._limits)
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
        await self.write(wipe.rewrite_small_tables)
        if whole:
            try:
                limit = self._limits.compacted_at_most
                await self._must_be_open().writer.between(partial(wipe.compact, at_most=limit))
            except StoreError as error:
                # For example a full disk. Data about users is wiped all the same.
                _LOG.warning("could not compact the database: %s", error)
        while not await self._must_be_open().writer.between(wipe.truncate_wal):
            if loop.time() >= until:
                return False
            await asyncio.sleep(self._limits.truncate_every)
        return True

    async def backup(self, path: Path) -> None:
        self._must_be_open()
        # On its own thread and connection, so that writes and reads do not wait for a large copy.
        await asyncio.to_thread(backup_file, self._path, path)

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
