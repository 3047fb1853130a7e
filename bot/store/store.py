"""The store: tables, their moves, logs and jobs, people's choices and requests, and the host's own facts.

There is one store, over one of two engines (`bot.store.engine`): a file of SQLite's, or a PostgreSQL database. What is
right is decided by versions and ids alone: a change states the version of the table that it read and fails with a
`Conflict` if that is no longer the table's, and the id of a press is kept with the first change that it causes, once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from bot.clock import Clock
from bot.store.engine import Act, Broken, Engine, Shards
from bot.store.model import (
    Change,
    EmojiRow,
    Erasure,
    Job,
    LogRow,
    Most,
    MoveRow,
    Scope,
    StoreError,
    TableRow,
)
from bot.store.postgres import identifies
from bot.store.sql import jobs, people, tables

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

ANY_NUMBER: Final = Most()
_PURGED_TOGETHER = 20
"""How many tables one write deletes. Other tables' moves can be written between two such writes."""
_READ_TOGETHER = 200
"""How many tables one read looks through. Other reads can take place between two such reads."""


class Store:
    """Keeps what it is asked to keep through an engine.

    Every write is durable when its call returns. A write that was asked for is carried out as a whole even if its
    caller is cancelled. Every method that reads or writes raises `StoreError` if that fails, also while the store is
    not open, and `StoreLost` if it can never succeed again.
    """

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self.engine = engine
        self._clock = clock
        self._is_open = False
        self._closing: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        return f"Store({str(self.engine)!r})"

    async def open(self) -> None:
        """Opens the store, creating it if need be, and brings its layout up to date. Raises `StoreRefused`."""
        living, in_all = await self.engine.open(tables.census)
        self._is_open, self._closing = True, None
        _LOG.info(
            "the store is %s (layout %s); live tables: %s, in all: %s",
            self.engine,
            self.engine.layout,
            living,
            in_all,
        )

    async def close(self) -> None:
        """Finishes the writes under way and closes the store. May be called twice; cancelling does not stop it."""
        if self._is_open:
            self._is_open = False  # from here on no new writes
            self._closing = asyncio.ensure_future(self.engine.close())
        if self._closing is not None:
            await asyncio.shield(self._closing)

    # -- tables
    async def create(self, change: Change, *, opener_id: int = 0, most: Most = ANY_NUMBER) -> TableRow:
        """Creates `change.table` with the change's log, jobs and seated people; returns its row with id and version.

        The id and version in `change.table` and the table_id of the jobs are ignored. The table counts as opened by
        `opener_id` until it ends or that person is forgotten. Raises `ChannelTaken`, `Repeated`, and `TooManyTables` if
        there would be more live tables than `most` allows, also when many are created at the same time.
        """
        return await self._write(tables.creating(change, opener_id, most, self._clock.now()))

    async def commit(self, change: Change) -> bool:
        """Makes a change durable and sets `change.table.version` to the new version.

        Returns False if the connection was lost and the id of the press then told that the change was kept: the table
        may have been changed again meanwhile, so it has to be read anew.

        Raises `Conflict`, `Repeated`, `StoreFull`, and `ChannelTaken` if the change makes an ended table live again
        while its channel holds another one.
        """
        table, version = change.table, change.table.version

        def then(_known: bool) -> None:
            table.version = version + 1

        return await self._write(tables.committing(change, self._clock.now()), then)

    async def is_known(self, press: int) -> bool:
        """Whether a change that this press has caused is kept."""
        return await self._read(tables.is_known(press))

    async def settle(self) -> None:
        """Returns when every write that was asked for earlier is durable or has failed."""
        self._must_be_open()
        await self.engine.settle()

    async def table(self, table_id: int) -> TableRow | None:
        return await self._read(tables.table(table_id))

    async def newer(self, table_id: int, version: int) -> TableRow | None:
        """The table if it has another version than this one, which the caller knows; None if it has not."""
        return await self._read(tables.newer(table_id, version))

    async def live_table(self, channel_id: int) -> TableRow | None:
        return await self._read(tables.live_table(channel_id))

    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        """The newest table of the channel, live or not; `begun`: of those whose match has begun."""
        return await self._read(tables.latest_table(channel_id, game, begun))

    async def live_tables(self) -> list[TableRow]:
        """All live tables, oldest first, with None for their snapshots, as the playground and overviews need them."""
        return await self._read(tables.live_tables)

    async def live_by_game(self) -> dict[str, int]:
        """How many tables are live, by game. Reads of this kind may take some milliseconds with 10,000 tables."""
        return await self._read(tables.live_by_game)

    async def live_places(
        self, *, server: int | None = None, shards: Shards | None = None
    ) -> list[tuple[int, int]]:
        """The live tables, as pairs of their id and their server: all, or those of one server, or of some shards."""
        return await self._read(tables.live_places(server, shards))

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._read(tables.moves(table_id))

    async def log(self, table_id: int, *, last: int | None = None, since: int = 0) -> list[LogRow]:
        """The table's log, oldest line first. If `last` is given, at most that many of the newest lines.

        `since` leaves out the lines from before that many moves had been made.
        """
        return await self._read(tables.log(table_id, last, since))

    # -- jobs
    async def due(
        self, now: float, limit: int = 500, besides: Iterable[Job] = (), shards: Shards | None = None
    ) -> list[Job]:
        """Jobs with `due <= now`, longest overdue first; with shards, only those of tables on servers of these.

        Leaves out those in `besides`, unless they were set anew.
        """
        none = shards is not None and not shards[1]
        return [] if none else await self._read(jobs.due(now, limit, besides, shards))

    async def next_due(self, shards: Shards | None = None) -> float | None:
        """When a job is due next; with shards, one of a table on a server of these."""
        none = shards is not None and not shards[1]
        return None if none else await self._read(jobs.next_due(shards))

    async def set_job(self, job: Job) -> None:
        await self._write(jobs.setting_job(job))

    async def finish(self, done: Sequence[Job]) -> None:
        """Deletes these jobs, except those that were set anew since and so have another id."""
        if done:
            await self._write(jobs.finishing(done))

    async def postpone(self, job: Job, due: float) -> None:
        """Moves this job to another time, unless it was set anew (so it has another id) or deleted since."""
        await self._write(jobs.postponing(job, due))

    # -- the host's own facts
    async def fact(self, name: str) -> str | None:
        return await self._read(lambda tx: jobs.fact(tx, name))

    async def set_fact(self, name: str, value: str) -> None:
        await self._write(jobs.setting_fact(name, value))

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        """Changes a fact that other processes may change too, and returns its new value. `change` gets the old one.

        `change` may be called several times.
        """
        return await self._write(jobs.changing_fact(name, lambda old, _: change(old)))

    async def beat(self, now: float, away: float) -> float:
        """Notes that people can be served now. Returns the downtime: the seconds that were given back so far, in all.

        If nobody could be served for longer than `away` seconds, gives those back: all alarms become due later by as
        much. If `away` is 0, which only who is the first to serve anybody may say, and the time was set back, all jobs
        become due earlier.
        """
        return await self._write(jobs.beating(now, away))

    # -- several processes
    async def may_identify(self, bucket: int, every: float) -> float:
        """Whether a shard of this bucket of Discord's may identify now: 0.0, and then it must; else seconds to wait.

        Among all processes on a database, one may do so in `every` seconds.
        """
        return await self._write(identifies.identifying(bucket, every))

    # -- people
    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        """The seat that this person holds or has held at this table, or None."""
        return await self._read(people.seat_of(table_id, user_id))

    async def opener_of(self, table_id: int) -> int:
        """The id of who opened the table; 0 if that is no longer known, or there is no such table."""
        return await self._read(people.opener_of(table_id))

    async def has_played(self, user_id: int, game: str, *, besides: int) -> bool:
        """Whether this person has held a seat in a match of this game that is still kept, other than this table's."""
        return await self._read(people.has_played(user_id, game, besides))

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """The tables at which this person has sat, newest first, without snapshots."""
        return await self._read(people.tables_of(user_id))

    async def tables_naming(self, user_id: int) -> list[int]:
        """The ids of all tables that this person opened or sat at, or whose body contains their id, oldest first.

        It reads every table, but only some at a time, so that nobody else has to wait.
        """
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = await self._read(people.naming(user_id, after, _READ_TOGETHER))
            named += some
        return named

    async def forget(self, user_id: int, table_id: int) -> None:
        """Deletes the facts that this person sat at the table or opened it, and the ids of their presses.

        The table layer must have removed the person from the body before.
        """
        await self._write(people.forgetting(user_id, table_id))

    async def purge(self, ended_before: float) -> int:
        """Deletes the tables that ended before this time, with all that belongs to them; returns how many.

        It also leaves a request to wipe their traces from the files.
        """
        purged, now = 0, self._clock.now()
        while deleted := await self._write(people.purging(ended_before, _PURGED_TOGETHER, now)):
            purged += deleted
        return purged

    # -- to the last byte
    async def ask_erasure(self, user_id: int) -> int:
        """Writes down the request to forget this person, so that no crash loses it; returns its number."""
        return await self._write(people.asking(user_id, self._clock.now()))

    async def erasures(self) -> list[Erasure]:
        """The requests that have not been carried out yet, oldest first."""
        return await self._read(people.pending)

    async def unname_erasures(self, numbers: Sequence[int]) -> None:
        """Removes the person from these requests once their data is deleted and only traces remain to be wiped."""
        await self._write(people.unnaming(numbers))

    async def finish_erasures(self, numbers: Sequence[int]) -> None:
        """Deletes these requests because they have been carried out."""
        await self._write(people.finishing_erasures(numbers))

    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        """Removes from every byte of the store's files what was deleted before. Raises `StoreError`.

        Returns False if that was not possible because somebody else read the store for longer than `within` seconds.
        Without `whole`, remains of deleted moves and log lines may be left, which tell nothing about people.
        """
        self._must_be_open()
        return await self.engine.wipe(within=within, whole=whole)

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of the store to a new file. Raises `StoreError` if that file exists."""
        self._must_be_open()
        await self.engine.backup(path)

    # -- who wants no pictures, and the application's own emoji
    async def text_only(self) -> list[tuple[Scope, int]]:
        """The servers and people that chose text only."""
        return await self._read(people.text_only)

    async def set_text_only(self, scope: Scope, number: int, on: bool) -> None:
        """Keeps that this server or person chose text only, or does so no more."""
        await self._write(people.setting_text_only(scope, number, on))

    async def emoji(self) -> list[EmojiRow]:
        """The emoji that were uploaded, by name."""
        return await self._read(people.emoji)

    async def keep_emoji(self, rows: Sequence[EmojiRow]) -> None:
        """Keeps that these emoji were uploaded, in place of older ones of the same names."""
        if rows:
            await self._write(people.keeping_emoji(rows))

    async def drop_emoji(self, names: Sequence[str]) -> None:
        """Forgets the emoji of these names."""
        if names:
            await self._write(people.dropping_emoji(names))

    # -- inside
    def _must_be_open(self) -> None:
        if not self._is_open:
            raise StoreError(f"The store {self.engine} is not open. Nothing was read or written.")

    async def _write(self, act: Act[T], then: Callable[[T], None] | None = None) -> T:
        self._must_be_open()
        try:
            return await self.engine.write(act, then)
        except Broken as broken:
            raise tables.refused(broken) from None

    async def _read(self, act: Act[T]) -> T:
        self._must_be_open()
        return await self.engine.read(act)
