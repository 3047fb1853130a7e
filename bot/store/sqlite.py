"""Keeps the host's tables in one SQLite file: the implementation of `bot.store.base.Store` in use.

One connection writes, on its own thread, several tables' changes to a commit (`bot.store.writer`); a second
one only reads, so that reading never waits for the disk. The SQL stands in `bot.store.statements`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from bot.clock import Clock
from bot.store import statements
from bot.store.backup import backup_file
from bot.store.base import ANY_NUMBER, Change, Job, LogRow, Most, MoveRow, StoreError, TableRow
from bot.store.connection import OneThread, open_to_read, open_to_write
from bot.store.faults import read_failed
from bot.store.lock import FileLock
from bot.store.schema import refusal
from bot.store.writer import Writer

__all__ = ["SqliteStore", "backup_file"]

P = ParamSpec("P")
T = TypeVar("T")

_PURGED_TOGETHER = 20
"""Tables that one write deletes: other tables' moves go between one such write and the next."""


@dataclass(frozen=True, slots=True)
class _Opened:
    lock: FileLock
    writer: Writer
    reader: OneThread


class SqliteStore:
    """The store in the file at `path`, which is made if it is missing, for its owner alone.

    `<path>.lock` beside it keeps a second process off. Every write is durable when its call returns; a caller
    that is cancelled neither stops nor halves a write that it has asked for. All methods but `open` and
    `close` raise `StoreError` when the store is not open.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = Path(os.path.realpath(path))  # one lock, by whatever link the file is reached
        self._clock = clock
        self._opened: _Opened | None = None
        self._closing: asyncio.Future[None] | None = None
        self._stamp = 0

    async def open(self) -> None:
        """Opens or makes the file and brings its layout up to date. Raises `StoreRefused`."""
        _keep_parameters_out_of_logs()
        lock = FileLock(self._path)
        writing = OneThread(partial(open_to_write, self._path, lock))
        reading = OneThread(partial(open_to_read, self._path))
        try:
            await writing
            await reading
            self._stamp = await reading.submit(statements.last_stamp)
        except BaseException as error:
            await reading.close()
            await writing.close()
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise refusal(self._path, error) from error
            raise
        self._opened = _Opened(lock, Writer(writing), reading)
        self._closing = None

    async def close(self) -> None:
        """Finishes the writes in hand and closes. Safe to call twice, and to cancel: it goes on."""
        if self._opened is not None:
            opened, self._opened = self._opened, None  # from here on no new writes
            self._closing = asyncio.ensure_future(self._close(opened))
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def _close(self, opened: _Opened) -> None:
        try:
            await opened.reader.close()
        finally:
            try:
                # Last, and able to write: it is the last connection that tidies the -wal file away.
                await opened.writer.close()
            finally:
                opened.lock.release()

    # -- tables
    async def create(self, change: Change, *, opener_id: int = 0, most: Most = ANY_NUMBER) -> TableRow:
        return await self._write(statements.creating(change, self._next_stamp, opener_id, most))

    async def commit(self, change: Change) -> None:
        table, version = change.table, change.table.version

        def then(_: None) -> None:
            table.version = version + 1

        await self._write(statements.committing(change, self._next_stamp), then)

    async def settle(self) -> None:
        await self._write(statements.nothing)  # writes happen in the order they were asked for

    async def table(self, table_id: int) -> TableRow | None:
        return await self._read(statements.table, table_id)

    async def live_table(self, channel_id: int) -> TableRow | None:
        return await self._read(statements.live_table, channel_id)

    async def latest_table(self, channel_id: int, game: str | None = None) -> TableRow | None:
        return await self._read(statements.latest_table, channel_id, game)

    async def live_tables(self) -> list[TableRow]:
        return await self._read(statements.live_tables)

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._read(statements.moves, table_id)

    async def log(self, table_id: int, *, last: int | None = None) -> list[LogRow]:
        return await self._read(statements.log, table_id, last)

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        return await self._read(statements.seat_of, table_id, user_id)

    # -- jobs
    async def due(self, now: float, limit: int = 500, besides: Iterable[Job] = ()) -> list[Job]:
        return await self._read(statements.due, now, limit, statements.settings_of(besides))

    async def next_due(self) -> float | None:
        return await self._read(statements.next_due)

    async def set_job(self, job: Job) -> None:
        await self._write(statements.setting_job(job, self._next_stamp()))

    async def finish(self, jobs: Sequence[Job]) -> None:
        if jobs:
            await self._write(statements.finishing(jobs))

    async def postpone(self, job: Job, due: float) -> None:
        await self._write(statements.postponing(job, due))

    async def shift_jobs(self, kind: str, seconds: float) -> None:
        await self._write(statements.shifting_jobs(kind, seconds))

    # -- the host's own facts
    async def fact(self, name: str) -> str | None:
        return await self._read(statements.fact, name)

    async def set_fact(self, name: str, value: str) -> None:
        await self._write(statements.setting_fact(name, value))

    # -- people and time
    async def tables_of(self, user_id: int) -> list[TableRow]:
        return await self._read(statements.tables_of, user_id)

    async def forget(self, user_id: int, table_id: int) -> None:
        await self._write(statements.forgetting(user_id, table_id))

    async def purge(self, ended_before: float) -> int:
        purged = 0
        while deleted := await self._write(statements.purging(ended_before, _PURGED_TOGETHER)):
            purged += deleted
        return purged

    async def backup(self, path: Path) -> None:
        self._must_be_open()
        # A thread and a connection of its own: neither moves nor reads wait for a large copy.
        await asyncio.to_thread(backup_file, self._path, path)

    # -- inside
    def _must_be_open(self) -> _Opened:
        if self._opened is None:
            raise StoreError(f"The store {self._path.name} is not open. Nothing was read or written.")
        return self._opened

    async def _write(
        self, act: Callable[[sqlite3.Connection], T], then: Callable[[T], None] | None = None
    ) -> T:
        return await self._must_be_open().writer.write(act, then)

    async def _read(
        self, read: Callable[Concatenate[sqlite3.Connection, P], T], *values: P.args, **named: P.kwargs
    ) -> T:
        reader = self._must_be_open().reader
        try:
            return await reader.submit(lambda connection: read(connection, *values, **named))
        except sqlite3.Error as error:
            raise read_failed(error) from error

    def _next_stamp(self) -> int:
        # From the clock, in microseconds: stamps grow over restarts even if no job is left to tell the last.
        self._stamp = max(self._stamp + 1, int(self._clock.now() * 1_000_000))
        return self._stamp


def _keep_parameters_out_of_logs() -> None:
    """At DEBUG aiosqlite prints what it runs, hands and all."""
    logger = logging.getLogger("aiosqlite")
    logger.setLevel(max(logger.level, logging.INFO))
