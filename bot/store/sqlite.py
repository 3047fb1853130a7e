"""The store in use: keeps the host's tables in one SQLite file.

One connection writes on a thread of its own and puts the changes of several tables into one commit
(`bot.store.writer`). A second connection only reads, so that reading never waits for the disk. The SQL is in
`bot.store.statements`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from bot.clock import Clock
from bot.store import erasure, statements
from bot.store.backup import backup_file
from bot.store.base import (
    ANY_NUMBER,
    Change,
    Committed,
    EmojiRow,
    Erasure,
    Job,
    Leases,
    LogRow,
    Most,
    MoveRow,
    Scope,
    StoreError,
    StoreFull,
    StoreLost,
    TableRow,
)
from bot.store.connection import OneThread, open_to_read, open_to_write
from bot.store.faults import read_failed
from bot.store.lock import FileLock
from bot.store.schema import layout_of, refusal
from bot.store.watch import Watch
from bot.store.writer import Writer

__all__ = ["SqliteStore", "backup_file"]

_LOG = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_PURGED_TOGETHER = 20
"""How many tables one write deletes. Other tables' moves can be written between two such writes."""
_READ_TOGETHER = 200
"""How many tables one read looks through. Other reads can take place between two such reads."""
_TRY_AGAIN = 0.05
"""Seconds between two attempts to empty the write-ahead log while somebody reads from it."""


@dataclass(frozen=True, slots=True)
class _Opened:
    lock: FileLock
    watch: Watch
    writer: Writer
    reader: OneThread


class SqliteStore:
    """The store in the file at `path`. A missing file is created, and only its owner can read it.

    `<path>.lock` beside it prevents a second process from opening the store and remembers that there was one, so that
    a missing file is noticed. Every write is durable when its call returns. A write that was asked for is carried out
    as a whole even if its caller is cancelled. All methods but `open` and `close` raise `StoreError` while the store is
    not open.
    """

    def __init__(
        self, path: Path, clock: Clock, *, patience: float = 0.0, committed: Committed | None = None
    ) -> None:
        # So that the lock is the same by whatever link the file is reached.
        self._path = Path(os.path.realpath(path))
        self._clock = clock
        self._patience = patience
        """Seconds to wait while another process holds the lock: a bot that is ending, or an operator's command."""
        self._committed = committed
        self._opened: _Opened | None = None
        self._closing: asyncio.Future[None] | None = None
        self._stamp = 0

    @property
    def leases(self) -> Leases | None:
        """None: a file is kept by one process."""
        return None

    async def open(self) -> None:
        """Opens or makes the file and brings its layout up to date. Raises `StoreRefused`."""
        _keep_parameters_out_of_logs()
        lock, watch = FileLock(self._path), Watch(self._path)
        writing = OneThread(partial(open_to_write, self._path, lock, self._patience))
        reading = OneThread(partial(open_to_read, self._path))
        try:
            await writing
            await reading
            watch.begin()
            writer = Writer(writing, watch.check, self._committed)
            # Stamps were once times in microseconds. The new ones must be greater than those in a file from then.
            least = int(self._clock.now() * 1_000_000)
            self._stamp = await writer.write(statements.beginning_era(least))
            living, tables = await reading.submit(statements.census)
            layout = await reading.submit(layout_of)
        except BaseException as error:
            await reading.close()
            await writing.close()
            watch.end()
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise refusal(self._path, error) from error
            if isinstance(error, StoreFull) and isinstance(error.__cause__, sqlite3.Error):
                raise refusal(self._path, error.__cause__) from error
            raise
        self._opened = _Opened(lock, watch, writer, reading)
        self._closing = None
        _LOG.info(
            "the store is %s (layout %s); live tables: %s, in all: %s", self._path, layout, living, tables
        )

    async def close(self) -> None:
        """Finishes the writes under way and closes the store. May be called twice; cancelling does not stop it."""
        if self._opened is not None:
            opened, self._opened = self._opened, None  # from here on no new writes
            self._closing = asyncio.ensure_future(self._close(opened))
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def _close(self, opened: _Opened) -> None:
        if not opened.watch.may_close:  # the files that lie there now must be left as they are
            opened.reader.abandon()
            opened.writer.abandon()
            opened.lock.release()
            return
        try:
            await opened.reader.close()
        finally:
            try:
                # The writer is closed last: the last connection to close removes the -wal file, which needs write
                # access.
                await opened.writer.close()
            finally:
                opened.watch.end()
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
        await self._write(statements.nothing)  # it is done when all earlier writes are

    async def table(self, table_id: int) -> TableRow | None:
        return await self._read(statements.table, table_id)

    async def live_table(self, channel_id: int) -> TableRow | None:
        return await self._read(statements.live_table, channel_id)

    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        return await self._read(statements.latest_table, channel_id, game, begun)

    async def live_tables(self) -> list[TableRow]:
        return await self._read(statements.live_tables)

    async def live_by_game(self) -> dict[str, int]:
        return await self._read(statements.live_by_game)

    async def live_places(
        self, *, server: int | None = None, shards: Collection[int] | None = None
    ) -> list[tuple[int, int]]:
        assert shards is None, "one process serves them all"
        places = await self._read(statements.live_places)
        return places if server is None else [place for place in places if place[1] == server]

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._read(statements.moves, table_id)

    async def log(self, table_id: int, *, last: int | None = None, since: int = 0) -> list[LogRow]:
        return await self._read(statements.log, table_id, last, since)

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        return await self._read(statements.seat_of, table_id, user_id)

    async def opener_of(self, table_id: int) -> int:
        return await self._read(statements.opener_of, table_id)

    async def has_played(self, user_id: int, game: str, *, besides: int) -> bool:
        return await self._read(statements.has_played, user_id, game, besides)

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

    async def shift_jobs(self, kind: str | None, seconds: float) -> None:
        await self._write(statements.shifting_jobs(kind, seconds))

    # -- who wants no pictures
    async def text_only(self) -> list[tuple[Scope, int]]:
        return await self._read(statements.text_only)

    async def set_text_only(self, scope: Scope, number: int, on: bool) -> None:
        await self._write(statements.setting_text_only(scope, number, on))

    # -- the application's own emoji
    async def emoji(self) -> list[EmojiRow]:
        return await self._read(statements.emoji)

    async def keep_emoji(self, rows: Sequence[EmojiRow]) -> None:
        if rows:
            await self._write(statements.keeping_emoji(rows))

    async def drop_emoji(self, names: Sequence[str]) -> None:
        if names:
            await self._write(statements.dropping_emoji(names))

    # -- the host's own facts
    async def fact(self, name: str) -> str | None:
        return await self._read(statements.fact, name)

    async def set_fact(self, name: str, value: str) -> None:
        await self._write(statements.setting_fact(name, value))

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        return await self._write(statements.changing_fact(name, change))

    async def beat(self, now: float, away: float) -> float:
        return await self._write(statements.beating(now, away))

    # -- people and time
    async def tables_of(self, user_id: int) -> list[TableRow]:
        return await self._read(statements.tables_of, user_id)

    async def forget(self, user_id: int, table_id: int) -> None:
        await self._write(statements.forgetting(user_id, table_id))

    async def tables_naming(self, user_id: int) -> list[int]:
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = await self._read(statements.naming, user_id, after, _READ_TOGETHER)
            named += some
        return named

    async def purge(self, ended_before: float) -> int:
        purged, now = 0, self._clock.now()
        while deleted := await self._write(statements.purging(ended_before, _PURGED_TOGETHER, now)):
            purged += deleted
        return purged

    # -- to the last byte
    async def ask_erasure(self, user_id: int) -> int:
        return await self._write(erasure.asking(user_id, self._clock.now()))

    async def erasures(self) -> list[Erasure]:
        return await self._read(erasure.pending)

    async def unname_erasures(self, numbers: Sequence[int]) -> None:
        await self._write(erasure.unnaming(numbers))

    async def finish_erasures(self, numbers: Sequence[int]) -> None:
        await self._write(erasure.finishing(numbers))

    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        await self._write(erasure.renew_sat)
        if whole:
            try:
                await self._must_be_open().writer.between(erasure.compact)
            except StoreError as error:
                # The disk has no room for it; data about people is wiped all the same.
                _LOG.warning("the file was not compacted: %s", error)
        while not await self._must_be_open().writer.between(erasure.empty_the_log):
            if loop.time() >= until:
                return False
            await asyncio.sleep(_TRY_AGAIN)
        return True

    async def backup(self, path: Path) -> None:
        self._must_be_open()
        # It has a thread and a connection of its own, so that neither moves nor reads wait for a large copy.
        await asyncio.to_thread(backup_file, self._path, path)

    # -- inside
    def _must_be_open(self) -> _Opened:
        if self._opened is None:
            raise StoreError(f"The store {self._path.name} is not open. Nothing was read or written.")
        lost = self._opened.watch.lost
        if lost is not None:
            raise StoreLost(str(lost))
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
        self._stamp += 1
        return self._stamp


def _keep_parameters_out_of_logs() -> None:
    """At level DEBUG aiosqlite would log every statement with its values, hands included."""
    logger = logging.getLogger("aiosqlite")
    logger.setLevel(max(logger.level, logging.INFO))
