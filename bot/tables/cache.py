"""Reads and writes tables: caches of tables and of the tails of their logs; writes once.

A change is written at most once, even if a task is cancelled or the process frozen.

A log changes only together with its table's version, which therefore shows whether a tail is up to date.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.context import mark_durable, press_of_first_change
from bot.store.model import Change, Conflict, LogRow, StoreError, snowflake_time
from bot.store.store import Store
from bot.tables.model import Table
from bot.tables.refusals import AnsweredElsewhere


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """The caches of the tables."""

    tables: int = 10_000
    """How many tables are held in memory, at about 10 KB each. The others are read from the store when needed."""
    tail: int = 80
    """How many of the newest rows of a log are held: some turns of everybody. Older ones are read from the store."""
    rows: int = 100_000
    """How many rows of all logs are held, at about 350 bytes each."""


DEFAULT = CacheLimits()


class TableCache:
    """The most recently used tables of the servers that this process serves, with the tails of their logs."""

    def __init__(self, fleet: Fleet, limits: CacheLimits = DEFAULT) -> None:
        self._fleet = fleet
        self._limit = limits.tables
        self._tables: OrderedDict[int, Table] = OrderedDict()
        self.tails = Tails(limits)

    def all(self) -> list[Table]:
        return list(self._tables.values())

    def peek(self, table_id: int) -> Table | None:
        """The table, if it is cached. Does not count as use."""
        return self._tables.get(table_id)

    def get(self, table_id: int) -> Table | None:
        """The table, if it is cached. Counts as use."""
        table = self._tables.get(table_id)
        if table is not None:
            self._tables.move_to_end(table_id)
        return table

    def keep(self, table: Table) -> None:
        """Caches the newest state of a table, unless another process serves its server."""
        if not self._fleet.serves(table.guild_id):
            self.drop(table.id)
            return
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        while len(self._tables) > self._limit:
            self.drop(next(iter(self._tables)))

    def drop(self, table_id: int) -> None:
        self._tables.pop(table_id, None)
        self.tails.forget(table_id)

    def drop_shards(self, shards: Collection[int]) -> list[int]:
        """Drops the tables of these shards; returns their ids."""
        dropped = [table.id for table in self.all() if self._fleet.shard_of(table.guild_id) in shards]
        for table_id in dropped:
            self.drop(table_id)
        return dropped

    def drop_ended(self, before: float) -> None:
        """Drops tables that ended before this time, because the store has purged them."""
        for table in self.all():
            if table.ended_at is not None and table.ended_at < before:
                self.drop(table.id)

    def clear(self) -> None:
        """Drops all tables. The tails of their logs stay, because their versions show whether they are up to date."""
        self._tables.clear()


@dataclass(frozen=True, slots=True, repr=False)
class _Tail:
    """The newest rows of a log when its table has this version; `whole`: the log has no other rows."""

    version: int
    rows: Sequence[LogRow]
    whole: bool

    def newest(self, last: int, since: int) -> list[LogRow] | None:
        """The newest `last` rows, without those before move `since`; None if older rows are required."""
        if not (self.whole or last <= len(self.rows) or self.rows[0].sequence < since):
            return None
        return [row for row in self.rows[-last:] if row.sequence >= since]


class Tails:
    """The tails of the logs of the most recently read tables."""

    def __init__(self, limits: CacheLimits = DEFAULT) -> None:
        self.length = limits.tail
        self._limit = limits.rows
        self._tails: OrderedDict[int, _Tail] = OrderedDict()
        self._rows = 0

    def newest(self, table_id: int, version: int, last: int, since: int) -> list[LogRow] | None:
        """The rows, as `_Tail.newest`, when the table has this version; None if the store has to be read."""
        tail = self._tails.get(table_id)
        if tail is None or tail.version != version:
            return None
        self._tails.move_to_end(table_id)
        return tail.newest(last, since)

    def keep(self, table_id: int, version: int, rows: Sequence[LogRow], *, whole: bool) -> None:
        """Caches the newest rows of the log of a table that has this version."""
        self.forget(table_id)
        tail = _Tail(version, rows[-self.length :], whole and len(rows) <= self.length)
        self._tails[table_id] = tail
        self._rows += len(tail.rows)
        while self._rows > self._limit:
            _oldest, dropped = self._tails.popitem(last=False)
            self._rows -= len(dropped.rows)

    def follow(self, change: Change, before: int) -> None:
        """Adds the rows of a durable change to the tail of a table that had the version `before`."""
        table_id = change.table.id
        tail = self._tails.get(table_id)
        if tail is None:
            return
        added = _added(tail.rows, change) if tail.version == before else None
        if added is None:
            self.forget(table_id)
        else:
            self.keep(table_id, change.table.version, [*tail.rows, *added], whole=tail.whole)

    def forget(self, table_id: int) -> None:
        """Drops the tail of this table's log."""
        tail = self._tails.pop(table_id, None)
        if tail is not None:
            self._rows -= len(tail.rows)


def _added(rows: Sequence[LogRow], change: Change) -> list[LogRow] | None:
    """The rows that a change adds after these, as the store returns them; None if `rows` does not suffice for that."""
    if change.undone is not None:
        return None
    movers: dict[int, int | None] = {0: None}  # the set-up is nobody's move
    if rows:
        movers[rows[-1].sequence] = rows[-1].mover
    movers |= {move.sequence: move.seat for move in change.moves}
    if any(line.sequence not in movers for line in change.log):
        return None
    first = rows[-1].number + 1 if rows else 1
    return [
        LogRow(line.source, line.sequence, line.event, line.at, number, movers[line.sequence])
        for number, line in enumerate(change.log, first)
    ]


ANSWERED_WITHIN: Final = 3.0
"""Seconds for which Discord takes the first answer to a press."""
LEFT_AFTER_LOSS: Final = 1.2
"""Seconds after losing a shard in which a press or job under way may still change the shard's tables."""


class Writer:
    """Writes changes, and drops a table from the cache if its stored version is not certain."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet, cache: TableCache) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self._cache = cache

    async def write(self, change: Change) -> bool:
        """Writes a change, the first one of an operation with its press; returns the result of `Store.commit`."""
        self.set_press(change)
        try:
            known = await self._store.commit(change)
            mark_durable()
            return known
        except BaseException as error:
            # The change may or may not be stored, so the table has to be read again.
            self._cache.drop(change.table.id)
            if isinstance(error, asyncio.CancelledError):
                await self._settle()
            raise

    def is_too_late(self, guild_id: int, press: int) -> bool:
        """Whether another process owns the server's shard now, and this one may no longer carry out the press.

        The press has waited while this process was frozen, or begun before this process noticed the loss of the shard.
        """
        lost_for = self._fleet.lost_for(guild_id)
        return lost_for is not None and (
            lost_for > LEFT_AFTER_LOSS or self._clock.now() - snowflake_time(press) > ANSWERED_WITHIN
        )

    def set_press(self, change: Change) -> None:
        """Sets the press of an operation's first change.

        Raises `AnsweredElsewhere` if another process owns the table's shard by now or, for a change without a press,
        `Conflict`.
        """
        change.press = press_of_first_change()
        guild_id = change.table.guild_id
        if change.press is not None:
            if self.is_too_late(guild_id, change.press):
                raise AnsweredElsewhere
        elif (self._fleet.lost_for(guild_id) or 0.0) > LEFT_AFTER_LOSS:
            raise Conflict("Another process owns the shard of this table. Nothing was written.")

    async def _settle(self) -> None:
        """Waits for a write whose caller was cancelled, because the lock must be held until the write is durable."""
        settling = asyncio.ensure_future(self._store.settle())
        while not settling.done():
            with suppress(asyncio.CancelledError, StoreError):
                # A second cancellation must not cut the wait short.
                await asyncio.shield(settling)
