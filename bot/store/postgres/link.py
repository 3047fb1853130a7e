"""The way to the database: a few connections, transactions that are kept exactly once, and the lock of the owner.

A write is one transaction. Before anything else it sets the ticket of its slot (a row that this process alone uses, for
one write at a time) to a number that no other write has. If the connection is lost while the transaction is committed,
that ticket tells whether it was: to read it, the server first waits until the transaction has ended. Only a write that
is certainly not kept is tried again.

The same row keeps everybody else out. Whoever opens the store deletes the slots of those who had it open before, once
their transactions have ended; from then on these can write nothing.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.store.base import Committed, StoreError, StoreInUse, StoreLost, StoreUnreachable
from bot.store.postgres import statements
from bot.store.postgres.driver import Connection, DriverError, Pool, connect, sqlstate_of
from bot.store.postgres.faults import gone, opening_failed, passes, read_failed, write_failed
from bot.store.postgres.schema import (
    KEY,
    OWNERS_LOCK,
    bring_up_to_date,
    check_is_ours,
    check_server,
    commit_safely,
    migrations,
)

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


class _NotKept(Exception):
    """A write that is certainly not kept and may be tried again. `error` is what callers are told otherwise."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class Link:
    """The connections of the process that has the store open."""

    def __init__(self, url: str, where: str, patience: float, committed: Committed | None = None) -> None:
        """`where` is the url without its secrets. `patience` is how many seconds to wait for the owner's lock."""
        self._url, self._where, self._patience = url, where, patience
        self._committed = committed
        self._pool = Pool(url, SLOTS + _READS, self._prepare)
        self._owner: Connection | None = None
        self._taking: asyncio.Task[None] | None = None
        self._identity: object = None
        self._era = 0
        self._slots: asyncio.LifoQueue[int] = asyncio.LifoQueue()
        self._tickets = itertools.count(1)
        self._closing = False
        self._lost: StoreLost | None = None

    # -- opening and closing

    async def open(self, least_stamp: int) -> tuple[int, bool]:
        """Takes the owner's lock and brings the layout up to date.

        Returns a stamp that is less than all new ones, and whether the database was empty. Raises `StoreRefused`,
        `StoreUnreachable`.
        """
        self._lost, self._closing = None, False
        try:
            self._owner = await connect(self._url)
            made = await self._take_over(self._owner, least_stamp)
            await self._pool.open()
        except BaseException as error:  # noqa: BLE001 - whatever it is, nothing may stay open
            await self.close()
            raise opening_failed(self._where, error) from None
        self._slots = asyncio.LifoQueue()
        for slot in reversed(range(SLOTS)):
            self._slots.put_nowait(slot)
        return statements.first_stamp(self._era), made

    async def _take_over(self, owner: Connection, least_stamp: int) -> bool:
        await check_server(owner, self._where)
        scripts = migrations()
        await check_is_ours(owner, self._where, len(scripts))
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        while not await _lock(owner):
            if loop.time() >= until:
                raise StoreInUse(
                    f"{self._where} is in use by another Digsite that runs now. "
                    "Nothing was changed; stop that one first, or name another database for this one."
                )
            await asyncio.sleep(_PAUSE)
        made = await bring_up_to_date(owner, self._where, scripts)
        await commit_safely(owner)
        self._identity = await owner.fetchval("SELECT identity FROM store")
        await owner.execute("BEGIN")
        self._era = await statements.beginning_era(least_stamp, SLOTS)(owner)
        await owner.execute("COMMIT")
        return made

    async def close(self) -> None:
        """Closes all connections and frees the lock. What is tried again is given up."""
        self._closing = True
        if self._taking is not None:
            self._taking.cancel()
            await asyncio.wait({self._taking})
        await self._pool.close(_CLOSING)
        if self._owner is not None:
            try:
                await self._owner.close(timeout=_CLOSING)
            except DriverError:
                self._owner.terminate()
            self._owner = None

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

    # -- the owner's lock

    def _keep_the_lock(self) -> None:
        """Takes the lock again, in the background, if its connection was lost. It is not what keeps writes safe."""
        if self._owner is not None and self._owner.is_closed() and self._taking is None:
            self._taking = asyncio.create_task(self._take_again(), name="owner's lock")

    async def _take_again(self) -> None:
        try:
            owner = await connect(self._url)
            if await _lock(owner):
                self._owner = owner
            else:  # perhaps the server has not noticed yet that the old connection is lost
                await owner.close()
        except DriverError:
            pass  # it is tried again with the next write
        finally:
            self._taking = None

    # -- reading and writing

    async def read(self, act: Act[T]) -> T:
        """What `act` reads. Raises `StoreError`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while True:
            self._must_not_be_lost()
            try:
                async with self._pool.connection() as connection:
                    return await act(connection)
            except Exception as error:  # noqa: BLE001 - it is translated
                if not passes(error) or self._closing or loop.time() >= until:
                    raise self._noted(read_failed(error)) from None
            await asyncio.sleep(_PAUSE)

    async def write(self, act: Act[T]) -> T:
        """Runs `act` in a transaction and returns its result once that is durable. Raises `StoreError`.

        `act` may be run several times, but only one of these times is kept.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        slot = await self._slots.get()
        try:
            while True:
                self._must_not_be_lost()
                self._keep_the_lock()
                began = loop.time()
                try:
                    result = await self._write_once(act, slot)
                    if self._committed is not None:
                        self._committed(1, loop.time() - began)
                    return result
                except _NotKept as not_kept:
                    if self._closing or loop.time() >= until:
                        raise self._noted(not_kept.error) from None
                await asyncio.sleep(_PAUSE)
        finally:
            self._slots.put_nowait(slot)

    async def _write_once(self, act: Act[T], slot: int) -> T:
        """Raises `_NotKept` if that may be tried again."""
        ticket = next(self._tickets)
        done: list[T] = []  # what `act` returned, from before the COMMIT on
        try:
            async with self._pool.connection() as connection:
                try:
                    await self._begin(connection, slot, ticket)
                    done.append(await act(connection))
                except Exception as error:
                    if passes(error):
                        raise
                    failure = await self._rolled_back(connection, error)
                else:
                    # An aborted transaction would answer ROLLBACK.
                    if await connection.execute("COMMIT") != "COMMIT":
                        raise StoreError("The database did not keep this. All that came before it was kept.")
                    return done[0]
        except Exception as error:  # noqa: BLE001 - it is translated
            if not done:
                if passes(error):
                    raise _NotKept(write_failed(error)) from None
                raise self._noted(write_failed(error)) from None
            return await self._after_all(done[0], slot, ticket, error)
        raise self._noted(failure) from None

    async def _begin(self, connection: Connection, slot: int, ticket: int) -> None:
        """The one place that every write passes: raises `StoreLost` unless this process may still write."""
        # As a text without parameters, both statements take one round trip.
        begin = f"BEGIN; UPDATE slots SET ticket = {ticket} WHERE era = {self._era} AND slot = {slot}"
        if await connection.execute(begin) != "UPDATE 1":
            raise self._taken_over()

    def _taken_over(self) -> StoreLost:
        return self._is_lost(
            StoreLost(
                f"Another Digsite has opened {self._where} since. This one writes nothing more, so it stops. All that "
                "was acknowledged is kept."
            )
        )

    async def _rolled_back(self, connection: Connection, error: Exception) -> BaseException:
        """Takes the transaction back; returns the error to raise."""
        await connection.execute("ROLLBACK")
        if isinstance(error, statements.MoveTaken):
            return await statements.repeated_or_conflict(connection, error)
        return write_failed(error)

    async def _after_all(self, result: T, slot: int, ticket: int, error: Exception) -> T:
        """The result if the write turns out to be kept, although its COMMIT has failed with `error`."""
        if isinstance(error, StoreError) or not (passes(error) or sqlstate_of(error) is None):
            raise self._noted(write_failed(error)) from None  # the server has refused it
        kept = await self._fate(slot, ticket)
        if kept is None:
            raise StoreUnreachable(
                "The connection to the database was lost, and it could not be found out whether this was kept. "
                "All that came before it was; look at it again once the database answers."
            )
        if not kept:
            raise _NotKept(write_failed(error))
        _LOG.info("the connection was lost during a commit; the write is kept")
        return result

    async def _fate(self, slot: int, ticket: int) -> bool | None:
        """Whether the transaction with this ticket is kept; None if that cannot be found out in time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + FATE
        # FOR UPDATE waits until the transaction that has changed the row last has ended.
        query = "SELECT ticket FROM slots WHERE era = $1 AND slot = $2 FOR UPDATE"
        while not self._closing and loop.time() < until:
            self._must_not_be_lost()
            try:
                async with self._pool.connection() as connection:
                    found = await connection.fetchval(query, self._era, slot)
            except DriverError as error:
                if not passes(error):
                    raise self._noted(read_failed(error)) from None
                await asyncio.sleep(_PAUSE)
                continue
            if found is None:
                raise self._taken_over()
            return found == ticket
        return None

    # -- lost

    def _must_not_be_lost(self) -> None:
        if self._lost is not None:
            raise StoreLost(str(self._lost))

    def _noted(self, error: BaseException) -> BaseException:
        return self._is_lost(error) if isinstance(error, StoreLost) else error

    def _is_lost(self, lost: StoreLost) -> StoreLost:
        if self._lost is None:
            self._lost = lost
        return StoreLost(str(self._lost))


async def _lock(connection: Connection) -> bool:
    return bool(await connection.fetchval(f"SELECT pg_try_advisory_lock({KEY}, {OWNERS_LOCK})"))
