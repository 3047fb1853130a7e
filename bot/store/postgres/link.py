"""The way to the database: a few connections, transactions that are kept exactly once, and the fence.

Every write passes the row of a slot that this process alone uses, for one write at a time: it sets the slot's ticket to
a number that is greater than those of all its earlier writes. If the connection is lost while the write is committed,
that ticket tells whether it was kept. Whoever looks raises the ticket if it was not, so that what is still on its way
to the server comes too late. Only a write that is certainly not kept is tried again.

The same row keeps everybody else out. Whoever deposes this process, or opens the store alone, deletes its slots once
the writes in hand have ended; from then on it can write nothing. And a write of a table shows the shard of the table's
server with the generation of its lease.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.store.base import (
    Committed,
    Deposed,
    ProcessName,
    StoreError,
    StoreInUse,
    StoreLost,
    StoreUnreachable,
)
from bot.store.postgres import statements
from bot.store.postgres.driver import Connection, DriverError, Pool, Row, UniqueViolation, sqlstate_of
from bot.store.postgres.faults import gone, is_read_only, opening_failed, passes, read_failed, write_failed
from bot.store.postgres.fence import Holding, Permit, not_held
from bot.store.postgres.owner import Owner
from bot.store.postgres.roll import check_nobody_is_older, enrol, lock, name_of
from bot.store.postgres.schema import (
    alone_migrating,
    bring_up_to_date,
    check_is_ours,
    check_server,
    commit_safely,
    migrations,
)
from bot.store.postgres.statements import AtOnce

T = TypeVar("T")
Act = Callable[[Connection], Awaitable[T]]

_LOG = logging.getLogger(__name__)

SLOTS: Final = 6
"""Writes in hand at a time. The server commits those together that arrive together."""
_READS: Final = 4
"""Connections more than slots, so that reading never waits for a slow disk."""
PATIENCE: Final = 6.0
"""Seconds for which a read, or a write that was not kept, is tried again while the server cannot be reached."""
FATE: Final = 30.0
"""Seconds for which it is tried to find out whether a write was kept."""
_PAUSE: Final = 0.1
"""Seconds between two such attempts."""
_CLOSING: Final = 1.0
"""Seconds for closing the connections."""

_END: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = $1 AND application_name = $2 AND pid <> pg_backend_pid()"""
"""Ends a connection of this process that is lost, which the server may not have noticed yet.

What has not been committed by then is taken back, so that nobody has to wait for it.
"""
_SEAL: Final = """
    UPDATE slots SET ticket = CASE ticket WHEN $3 THEN ticket ELSE $4 END WHERE era = $1 AND slot = $2
    RETURNING ticket, made"""
"""Waits until the transaction has ended that has changed the row last."""
_LOOK: Final = """
    SELECT ticket, made FROM slots WHERE era = $1 AND slot = $2
        AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $3 AND application_name = $4)"""
"""The same where nothing can be written: what was asked for on a connection that has ended can no longer happen."""


class _NotKept(Exception):
    """A write that is certainly not kept and may be tried again. `error` is what callers are told otherwise."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


@dataclass(frozen=True, slots=True)
class Opening:
    """How a process opens a store. `where` names it without the secrets of its URL.

    `patience`: seconds to wait while somebody has it open who does not share it. `shared`: whether this one does.
    """

    url: str
    where: str
    patience: float
    name: ProcessName
    shared: bool = False


class Link:
    """The connections of a process that has the store open."""

    def __init__(self, opening: Opening, holding: Holding, committed: Committed | None = None) -> None:
        self._opening, self._where = opening, opening.where
        self._holding = holding
        self._committed = committed
        self._owner = Owner(opening.url, shared=opening.shared)
        self._pool: Pool | None = None
        self._identity: object = None
        self.era = 0
        self._slots: asyncio.LifoQueue[int] = asyncio.LifoQueue()
        self._tickets = itertools.count(1)
        self._closing = False
        self.left = False
        """Whether this process has given up all it held, because it ends."""
        self._lost: StoreLost | None = None

    # -- opening and closing

    async def open(self) -> bool:
        """Takes the owner's lock and brings the layout up to date; returns whether the database was empty.

        Raises `StoreRefused`, `StoreUnreachable`.
        """
        try:
            owner = await self._owner.connect()
            made = await self._take_over(owner)
            self._pool = Pool(self._opening.url, SLOTS + _READS, name_of(self.era), self._prepare)
            await self._pool.open()
            await self._owner.keep(self.era, self._prepare_owner)
        except BaseException as error:  # noqa: BLE001 - whatever it is, nothing may stay open
            await self.close()
            raise opening_failed(self._where, error) from None
        for slot in reversed(range(SLOTS)):
            self._slots.put_nowait(slot)
        return made

    async def _take_over(self, owner: Connection) -> bool:
        shared = self._opening.shared
        await check_server(owner, self._where)
        scripts = migrations()
        await check_is_ours(owner, self._where, len(scripts))
        loop = asyncio.get_running_loop()
        until = loop.time() + self._opening.patience
        while not await lock(owner, shared=shared):
            if loop.time() >= until:
                raise StoreInUse(
                    f"{self._where} is in use by another Digsite that runs now. "
                    "Nothing was changed; stop that one first, or name another database for this one."
                )
            await asyncio.sleep(_PAUSE)
        async with alone_migrating(owner):
            if shared:
                await check_nobody_is_older(owner, self._where, len(scripts))
            made = await bring_up_to_date(owner, self._where, scripts)
            await commit_safely(owner)
            self._identity = await owner.fetchval("SELECT identity FROM store")
            self.era = await enrol(owner, self._opening.name, SLOTS, shared=shared)
        return made

    async def close(self) -> None:
        """Closes all connections and frees the lock. What is tried again is given up."""
        self._closing = True
        if self._pool is not None:
            await self._pool.close(_CLOSING)
        await self._owner.close()

    def give_up_waiting(self) -> None:
        """From now on nothing is tried again."""
        self._closing = True

    async def _prepare(self, connection: Connection) -> None:
        """Makes sure that a new connection leads to the same database as before, and that its commits are durable."""
        try:
            identity = await connection.fetchval("SELECT identity FROM digsite.store")
        except DriverError as error:
            if sqlstate_of(error) in ("42P01", "3F000"):
                raise self._is_lost(gone()) from None
            raise
        if identity != self._identity:
            raise self._is_lost(
                StoreLost(
                    f"Another database was put in the place of {self._where} while the bot ran. Nothing more is "
                    "kept, so the bot stops. Put the right one back, then start it again."
                )
            )
        await commit_safely(connection)

    async def _prepare_owner(self, connection: Connection) -> None:
        await self._prepare(connection)
        if not await connection.fetch("SELECT FROM processes WHERE id = $1", self.era):
            raise self.taken_over()

    # -- the owner's connection

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Has `heard` called with what processes tell, and with None whenever something may have been missed."""
        await self._owner.listen(heard)

    async def as_owner(self, act: Act[T], within: float) -> T:
        """What `act` returns, which may be run several times. Raises `StoreError`, also after so many seconds."""
        self._must_not_be_lost()
        try:
            async with asyncio.timeout(within):
                return await self._owner.run(act)
        except Exception as error:  # noqa: BLE001 - it is translated
            raise self._noted(write_failed(error)) from None

    # -- reading and writing

    async def read(self, act: Act[T]) -> T:
        """What `act` reads. Raises `StoreError`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while True:
            self._must_not_be_lost()
            try:
                async with self._connection() as connection:
                    return await act(connection)
            except Exception as error:  # noqa: BLE001 - it is translated
                if not passes(error) or self._closing or loop.time() >= until:
                    raise self._noted(read_failed(error)) from None
            await asyncio.sleep(_PAUSE)

    async def write(self, act: Act[T] | AtOnce[T], server: int | None = None) -> T:
        """Runs `act` in a transaction and returns its result once that is durable. Raises `StoreError`.

        `server` is the id of the server whose table is written, if that is known. `act` may be run several times, but
        only one of these times is kept.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        slot = await self._slots.get()
        try:
            while True:
                self._must_not_be_lost()
                permit = self._holding.permit(self.era, slot, next(self._tickets), server)
                began = loop.time()
                try:
                    if callable(act):
                        result = await self._in_transaction(act, permit)
                    else:
                        result = await self._at_once(act, permit)
                    if self._committed is not None:
                        self._committed(1, loop.time() - began)
                    return result
                except _NotKept as not_kept:
                    if self._closing or loop.time() >= until:
                        raise self._noted(not_kept.error) from None
                    if permit.handed != self._holding.handed:
                        continue
                await asyncio.sleep(_PAUSE)
        finally:
            self._slots.put_nowait(slot)

    async def _at_once(self, act: AtOnce[T], permit: Permit) -> T:
        """Raises `_NotKept` if that may be tried again."""
        pid: int | None = None  # of the connection on which it was asked for
        try:
            async with self._connection() as connection:
                pid = connection.get_server_pid()
                try:
                    [row] = await connection.fetch(act.query, *permit.values, *act.values)
                    if row[0]:
                        return act.answer(row[1])
                    failure = await self._why_refused(connection, permit)
                except UniqueViolation as error:
                    failure = await self._looked_up(connection, act.broken(error))
                except statements.MoveTaken as taken:
                    failure = await self._looked_up(connection, taken)
        except Exception as error:  # noqa: BLE001 - it is translated
            if not passes(error):
                raise self._noted(write_failed(error)) from None
            if pid is None:
                raise _NotKept(write_failed(error)) from None
            return act.answer(await self._after_all(permit, pid, error))
        raise self._noted(failure) from None

    async def _in_transaction(self, act: Act[T], permit: Permit) -> T:
        """Raises `_NotKept` if that may be tried again."""
        done: list[T] = []  # what `act` returned, from before the COMMIT on
        pid = 0
        try:
            async with self._connection() as connection:
                pid = connection.get_server_pid()
                try:
                    # As a text without parameters, both statements take one round trip.
                    passed = await connection.execute(f"BEGIN; {_passing(permit)}") == "UPDATE 1"
                    if passed:
                        done.append(await act(connection))
                except Exception as error:
                    if passes(error):
                        raise
                    await connection.execute("ROLLBACK")
                    failure = await self._looked_up(connection, error)
                else:
                    if passed:
                        # An aborted transaction would answer ROLLBACK.
                        if await connection.execute("COMMIT") != "COMMIT":
                            raise StoreError(
                                "The database did not keep this. All that came before it was kept."
                            )
                        return done[0]
                    await connection.execute("ROLLBACK")
                    failure = await self._why_refused(connection, permit)
        except Exception as error:  # noqa: BLE001 - it is translated
            if not done:
                if passes(error):
                    raise _NotKept(write_failed(error)) from None
                raise self._noted(write_failed(error)) from None
            if isinstance(error, StoreError) or not (passes(error) or sqlstate_of(error) is None):
                raise self._noted(write_failed(error)) from None  # the server has refused it
            await self._after_all(permit, pid, error)
            return done[0]
        raise self._noted(failure) from None

    async def _looked_up(self, connection: Connection, error: BaseException) -> BaseException:
        """The error to raise for a write that has failed with this one."""
        if isinstance(error, statements.MoveTaken):
            return await statements.repeated_or_conflict(connection, error)
        return write_failed(error)

    async def _why_refused(self, connection: Connection, permit: Permit) -> BaseException:
        """Why the fence has not let a write through: the error to raise."""
        query = "SELECT handed FROM slots WHERE era = $1 AND slot = $2"
        handed = await connection.fetchval(query, permit.era, permit.slot)
        if handed is None:
            return self.taken_over()
        if (
            handed != permit.handed
        ):  # shards were handed over meanwhile: it may be tried again with what holds now
            self._holding.handed = max(self._holding.handed, handed)
            return _NotKept(not_held())
        return not_held()

    def taken_over(self) -> StoreError:
        """The error for a process that is no longer on the roll."""
        if self.left:
            return StoreError("This process has given up its shards. Nothing was written; others go on.")
        if self._opening.shared:
            return self._is_lost(
                Deposed(
                    f"The leases of this process at {self._where} have run out, and another process has taken it off "
                    "the roll. This one writes nothing more, so it stops. All that was acknowledged is kept."
                )
            )
        return self._is_lost(
            StoreLost(
                f"Another Digsite has opened {self._where} since. This one writes nothing more, so it stops. All that "
                "was acknowledged is kept."
            )
        )

    async def _after_all(self, permit: Permit, pid: int, error: Exception) -> int | None:
        """What the write has made, if it turns out to be kept although its end has failed with `error`.

        Otherwise raises `_NotKept`. `pid` is the number of the connection at the server.
        """
        fate = await self._fate(permit, pid)
        if fate is None:
            raise StoreUnreachable(
                "The connection to the database was lost, and it could not be found out whether this was kept. "
                "All that came before it was; look at it again once the database answers."
            )
        ticket, made = fate
        if ticket != permit.ticket:
            raise _NotKept(write_failed(error))
        _LOG.info("the connection was lost during a commit; the write is kept")
        return made

    async def _fate(self, permit: Permit, pid: int) -> tuple[int, int | None] | None:
        """The slot's ticket, which tells whether the write is kept, and what it made; None if there is no answer.

        If it is not kept, it cannot happen any more when this returns.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + FATE
        slot, found = (permit.era, permit.slot), list[Row]()
        lost = (pid, name_of(self.era))
        while not self._closing and loop.time() < until:
            self._must_not_be_lost()
            try:
                async with self._connection() as connection:
                    await connection.fetch(_END, *lost)
                    found = await connection.fetch(_SEAL, *slot, permit.ticket, next(self._tickets))
            except DriverError as error:
                if is_read_only(error):
                    found = await self.read(lambda reading: reading.fetch(_LOOK, *slot, *lost))
                elif not passes(error):
                    raise self._noted(read_failed(error)) from None
                if not found:
                    await asyncio.sleep(_PAUSE)
                    continue
            if not found:
                raise self.taken_over()
            return found[0][0], found[0][1]
        return None

    def _connection(self) -> AbstractAsyncContextManager[Connection]:
        assert self._pool is not None
        return self._pool.connection()

    # -- lost

    def _must_not_be_lost(self) -> None:
        if self._lost is not None:
            raise self._is_lost(self._lost)

    def _noted(self, error: BaseException) -> BaseException:
        return self._is_lost(error) if isinstance(error, StoreLost) else error

    def _is_lost(self, lost: StoreLost) -> StoreLost:
        if self._lost is None:
            self._lost = lost
        return type(self._lost)(str(self._lost))


def _passing(permit: Permit) -> str:
    """The statement that changes a row if the fence lets this write through."""
    statement = (
        f"UPDATE slots SET ticket = {permit.ticket} WHERE era = {permit.era} AND slot = {permit.slot} "
        f"AND ticket < {permit.ticket} AND handed = {permit.handed}"
    )
    if permit.shard is None:
        return statement
    return (
        f"{statement} AND EXISTS (SELECT FROM shards WHERE shard = {permit.shard} AND owner = {permit.era} "
        f"AND generation = {permit.generation})"
    )
