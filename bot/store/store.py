"""The store: tables, moves, logs, jobs, people, and facts (name-value pairs of the host).

Other records have objects of their own: `Store.choices`, `results`, `wishes`, `guests`, `daily`, `erasures`, `emoji`.

One class serves both engines (`bot.store.engine`). Versions and ids alone decide whether a change is valid. A change
has the table version that was read, and fails with `Conflict` if the stored version differs. The id of a press is
stored with the first change that the press causes; a second delivery of the press fails with `Repeated`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from bot.clock import Clock
from bot.store.choices import Choices
from bot.store.daily import Daily
from bot.store.emoji import EmojiRecords
from bot.store.engine import Engine, NotUnique, Shards, TxFunction
from bot.store.erasures import ErasureRequests
from bot.store.guests import Guests
from bot.store.model import (
    Change,
    Job,
    LogRow,
    MoveRow,
    Scope,
    StoreError,
    TableLimits,
    TableRow,
)
from bot.store.postgres import identifies
from bot.store.results import Results
from bot.store.sql import jobs, people, tables
from bot.store.timing import STORE, StoreLimits
from bot.store.wishes import Wishes

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

ANY_NUMBER: Final = TableLimits()


class Store:
    """The durable state, through an engine.

    A write is durable when its call returns, and completes even if its caller is cancelled. Every read and write raises
    `StoreError` on failure, also while the store is not open, and `StoreLost` once the store cannot recover.
    """

    def __init__(self, engine: Engine, clock: Clock, limits: StoreLimits = STORE) -> None:
        self.engine = engine
        self._clock = clock
        self._limits = limits
        self._is_open = False
        self._closing: asyncio.Future[None] | None = None
        self.choices = Choices(self._read, self._write)
        self.results = Results(self._read, self._write, self.choices)
        self.wishes = Wishes(self._read, self._write, clock, limits)
        self.guests = Guests(self._read, self._write, clock)
        self.daily = Daily(self._read, self._write)
        self.erasures = ErasureRequests(self._read, self._write, clock)
        self.emoji = EmojiRecords(self._read, self._write)

    def __repr__(self) -> str:
        return f"Store({str(self.engine)!r})"

    async def open(self) -> None:
        """Opens the store, creates it if necessary, and applies pending migrations. Raises `StoreRefused`."""
        living, in_all = await self.engine.open(tables.count_tables)
        self._is_open, self._closing = True, None
        layout = self.engine.layout
        _LOG.info(
            "the store is %s (layout %s); live tables: %s, in all: %s", self.engine, layout, living, in_all
        )

    async def close(self) -> None:
        """Finishes pending writes and closes the store. Idempotent; cancellation does not stop it."""
        if self._is_open:
            self._is_open = False  # new writes are refused from here on
            self._closing = asyncio.ensure_future(self.engine.close())
        if self._closing is not None:
            await asyncio.shield(self._closing)

    # -- tables
    async def create(
        self, change: Change, *, opener_id: int = 0, limits: TableLimits = ANY_NUMBER
    ) -> TableRow:
        """Creates `change.table` with its log, jobs and seated users; returns the row with its id and version.

        Ignores the id and version in `change.table` and the `table_id` of the jobs. The table counts towards the limit
        of `opener_id` until it ends or that user is forgotten. Raises `ChannelTaken`, `AlreadyTried`, `Repeated`,
        `TooManyTables` if the table would exceed `limits`, also by concurrent calls, and `Conflict` if a wish of the
        change does not wait.
        """
        return await self._write(tables.create(change, opener_id, limits, self._clock.now()))

    async def commit(self, change: Change) -> bool:
        """Makes a change durable and increments `change.table.version`.

        Returns False if the connection was lost and the stored press id shows that an earlier attempt was committed.
        The table may have changed since, so the caller must read it again.

        Raises `Conflict`, `Repeated`, `StoreFull`, and `ChannelTaken` if the change revives an ended table whose
        channel has another live table.
        """
        table, version = change.table, change.table.version

        def increment(_known: bool) -> None:
            table.version = version + 1

        return await self._write(tables.commit(change, self._clock.now()), increment)

    async def has_press(self, press: int) -> bool:
        """Whether a change caused by this press is stored."""
        return await self._read(tables.has_press(press))

    async def settle(self) -> None:
        """Returns when all earlier writes are durable or have failed."""
        self._must_be_open()
        await self.engine.settle()

    async def table(self, table_id: int) -> TableRow | None:
        return await self._read(tables.table(table_id))

    async def newer(self, table_id: int, version: int) -> TableRow | None:
        """The table if its version differs from `version`, else None."""
        return await self._read(tables.newer(table_id, version))

    async def live_table(self, channel_id: int) -> TableRow | None:
        return await self._read(tables.live_table(channel_id))

    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        """The newest table of the channel, live or ended. `begun`: only tables whose match has started."""
        return await self._read(tables.latest_table(channel_id, game, begun))

    async def live_tables(self) -> list[TableRow]:
        """All live tables without snapshots, oldest first."""
        return await self._read(tables.live_tables)

    async def live_by_game(self) -> dict[str, int]:
        """The number of live tables by game. Takes some milliseconds with 10,000 tables."""
        return await self._read(tables.live_by_game)

    async def live_table_ids(
        self, *, server: int | None = None, shards: Shards | None = None
    ) -> list[tuple[int, int]]:
        """Pairs (table id, server id) of live tables in channels: all, those of one server, or those of some shards."""
        return await self._read(tables.live_table_ids(server, shards))

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._read(tables.moves(table_id))

    async def log(self, table_id: int, *, last: int | None = None, since: int = 0) -> list[LogRow]:
        """The log of a table, oldest line first.

        `last`: at most this many lines, the newest ones. `since`: only lines from the move of this number on.
        """
        return await self._read(tables.log(table_id, last, since))

    # -- jobs
    async def due(
        self, now: float, limit: int = 500, besides: Iterable[Job] = (), shards: Shards | None = None
    ) -> list[Job]:
        """Jobs with `due <= now`, longest overdue first. `shards` limits them to tables on these shards.

        Excludes the jobs in `besides`, unless they were set again since.
        """
        none = shards is not None and not shards[1]
        return [] if none else await self._read(jobs.due(now, limit, besides, shards))

    async def next_due(self, shards: Shards | None = None) -> float | None:
        """The earliest due time of a job; with `shards`, of a job on these shards."""
        none = shards is not None and not shards[1]
        return None if none else await self._read(jobs.next_due(shards))

    async def set_job(self, job: Job) -> None:
        await self._write(jobs.set_job(job))

    async def finish(self, done: Sequence[Job]) -> None:
        """Deletes these jobs. A job that was set again since has another id and is not deleted."""
        if done:
            await self._write(jobs.finish(done))

    async def postpone(self, job: Job, due: float) -> None:
        """Moves this job to another time, unless it was set again or deleted since."""
        await self._write(jobs.postpone(job, due))

    # -- facts
    async def fact(self, name: str) -> str | None:
        return await self._read(lambda tx: jobs.fact(tx, name))

    async def set_fact(self, name: str, value: str) -> None:
        await self._write(jobs.set_fact(name, value))

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        """Replaces a fact in one transaction and returns the new value. `change` gets the old value.

        `change` may be called several times.
        """
        return await self._write(jobs.change_fact(name, lambda old, _: change(old)))

    async def write_heartbeat(self, now: float, away: float) -> float:
        """Writes the heartbeat. Returns the accumulated downtime in seconds.

        A gap of more than `away` seconds since the last heartbeat counts as downtime, and postpones all timers. With
        `away` 0 (for the first process only), all jobs become due earlier if the clock was set back.
        """
        return await self._write(jobs.heartbeat(now, away, self._limits))

    # -- several processes
    async def may_identify(self, bucket: int, every: float) -> float:
        """Reserves a slot to identify for a shard of this bucket: returns 0.0, or else the seconds to wait.

        All processes of a database together get one slot per bucket in `every` seconds.
        """
        return await self._write(identifies.reserve_slot(bucket, every))

    # -- people
    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        """The seat that this user has or had at this table; None without a seat."""
        return await self._read(people.seat_of(table_id, user_id))

    async def opener_of(self, table_id: int) -> int:
        """The id of the user who opened the table; 0 if unknown or if there is no such table."""
        return await self._read(people.opener_of(table_id))

    async def has_played(self, user_id: int, game: str, *, besides: int, lessons: bool = False) -> bool:
        """Whether this user has had a seat in a stored match, or a lesson, of this game other than `besides`."""
        return await self._read(people.has_played(user_id, game, besides, lessons=lessons))

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """The tables at which this user has sat, newest first, without snapshots."""
        return await self._read(people.tables_of(user_id))

    async def live_tables_of(self, user_id: int, server: int | None = None) -> list[TableRow]:
        """The live tables at which this user sits or has sat, in channels of one server or all, and private ones.

        At most `StoreLimits.live_of_user` of them, the newest change first.
        """
        return await self._read(people.live_tables_of(user_id, server, self._limits.live_of_user))

    async def lobbies_naming(self, user_id: int, server: int | None = None) -> list[TableRow]:
        """The lobbies on one server or all whose body contains this user id; limit and order as in `live_tables_of`."""
        return await self._read(people.lobbies_naming(user_id, server, self._limits.live_of_user))

    async def tables_naming(self, user_id: int) -> list[int]:
        """The ids of all tables that this user opened or sat at, or whose body contains the user id, oldest first.

        Reads every table, in batches, between which other reads can run.
        """
        named: list[int] = []
        after: int | None = 0
        limit = self._limits.search_batch_size
        while after is not None:
            some, after = await self._read(people.tables_naming(user_id, after, limit))
            named += some
        return named

    async def forget(self, user_id: int, table_id: int) -> None:
        """Deletes the records of this user as opener and in a seat at the table, and the ids of the user's presses.

        The caller must first remove the user from the table's body.
        """
        await self._write(people.forget(user_id, table_id))

    async def text_only(self) -> list[tuple[Scope, int]]:
        """The servers and users that chose text only."""
        return await self._read(people.text_only)

    async def set_text_only(self, scope: Scope, number: int, on: bool) -> None:
        """Stores or clears the choice of text only."""
        await self._write(people.set_text_only(scope, number, on))

    async def purge(self, ended_before: float) -> int:
        """Deletes the tables that ended before this time, with all their rows; returns the number of tables.

        Also adds a request to wipe the remains of these tables from the files.
        """
        purged, now, limit = 0, self._clock.now(), self._limits.purge_batch_size
        while deleted := await self._write(people.purge(ended_before, limit, now)):
            purged += deleted
        return purged

    # -- files
    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        """Removes deleted data from every byte of the store's files. Raises `StoreError`.

        Returns False if another reader blocked the operation for longer than `within` seconds. Without `whole`, remains
        of deleted moves and log lines may be left; they contain no data about users.
        """
        self._must_be_open()
        return await self.engine.wipe(within=within, whole=whole)

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of the store to a new file. Raises `StoreError` if the file exists."""
        self._must_be_open()
        await self.engine.backup(path)

    # -- inside
    def _must_be_open(self) -> None:
        if not self._is_open:
            raise StoreError(f"The store {self.engine} is not open. Nothing was read or written.")

    async def _write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None) -> T:
        self._must_be_open()
        try:
            return await self.engine.write(run, on_commit)
        except NotUnique as violation:
            raise tables.as_store_error(violation) from None

    async def _read(self, run: TxFunction[T]) -> T:
        self._must_be_open()
        return await self.engine.read(run)
