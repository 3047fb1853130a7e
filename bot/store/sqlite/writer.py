"""The store's only writer. It collects the writes that arrive during a commit and commits them together."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from bot.store.engine import Act, driven
from bot.store.model import Committed, StoreError
from bot.store.sqlite.connection import OneThread, SqliteTx
from bot.store.sqlite.faults import write_failed

T = TypeVar("T")
Check = Callable[[sqlite3.Connection], None]

_LOG = logging.getLogger(__name__)
_MOST_TOGETHER = 256
"""The most writes in one transaction. More of them would save little and make the first ones wait longer."""


@dataclass(slots=True, repr=False, eq=False)
class _Write(Generic[T]):
    act: Act[T]
    then: Callable[[T], None] | None
    answer: asyncio.Future[T]


@dataclass(frozen=True, slots=True, repr=False)
class _Failed:
    error: Exception


class Writer:
    """Writes through one connection, in the order of the calls.

    There is one transaction at a time. Each write in it has a savepoint of its own, so that if it fails, only it is
    undone. While there is nothing to write, no task and no timer exists.
    """

    def __init__(self, connection: OneThread, check: Check, committed: Committed | None = None) -> None:
        """`check` is called before and after each transaction and raises if the store's files are no longer intact."""
        self._committed = committed
        self._connection = connection
        self._check = check
        self._waiting: list[_Write[Any]] = []
        self._busy = False
        self._idle: asyncio.Future[None] | None = None

    async def write(self, act: Act[T], then: Callable[[T], None] | None = None) -> T:
        """What `bot.store.engine.Engine.write` does."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Write(act, then, answer))
        if not self._busy:
            self._busy = True
            # Later, so that all writes of this turn of the event loop go together.
            loop.call_soon(self._start)
        return await answer

    async def between(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `act` outside of any transaction, between one commit and the next."""
        return await self._connection.submit(act)

    async def close(self) -> None:
        """Waits for the writes under way, then closes the connection."""
        if self._busy:
            self._idle = asyncio.get_running_loop().create_future()
            await self._idle
        await self._connection.close()

    def abandon(self) -> None:
        """Leaves the connection open until the process ends."""
        self._connection.abandon()

    def _start(self) -> None:
        began = asyncio.get_running_loop().time()
        batch, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
        done = self._connection.submit(partial(_commit_together, [write.act for write in batch], self._check))
        done.add_done_callback(partial(self._finish, batch, began))

    def _finish(self, batch: Sequence[_Write[Any]], began: float, done: asyncio.Future[list[Any]]) -> None:
        if self._committed is not None:
            self._committed(len(batch), asyncio.get_running_loop().time() - began)
        for write, result in zip(batch, done.result(), strict=True):
            _answer(write, result)
        if self._waiting:
            self._start()
            return
        self._busy = False
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)


def _answer(write: _Write[Any], result: object) -> None:
    if isinstance(result, _Failed):
        if write.answer.cancelled():
            _LOG.warning("A write failed that nobody waits for any more: %s", type(result.error).__name__)
        else:
            write.answer.set_exception(result.error)
        return
    if write.then is not None:
        write.then(result)
    if not write.answer.cancelled():
        write.answer.set_result(result)


def _commit_together(
    acts: Sequence[Act[object]], check: Check, connection: sqlite3.Connection
) -> list[object]:
    """Returns for each act its result, or a `_Failed`. It runs on the writer's thread."""
    try:
        check(connection)  # first, because a commit could hide that the file was cut short
        connection.execute("BEGIN IMMEDIATE")
        results = [_apart(act, connection) for act in acts]
        connection.execute("COMMIT")
        check(connection)
    except Exception as error:  # noqa: BLE001 - whatever it is, each caller must be told of it
        failure = _cause(check, connection, _rolled_back(connection, error))
        return [_Failed(write_failed(failure)) for _ in acts]
    return results


def _cause(check: Check, connection: sqlite3.Connection, error: Exception) -> Exception:
    """The reason for a failed write: that the store is lost, if it is, and otherwise the given error."""
    if connection.in_transaction:
        return error
    try:
        check(connection)
    except StoreError as lost:
        return lost
    return error


def _rolled_back(connection: sqlite3.Connection, error: Exception) -> Exception:
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error as worse:
        return worse  # the next batch tries again: its BEGIN fails, so it rolls back
    return error


def _apart(act: Act[object], connection: sqlite3.Connection) -> object:
    connection.execute("SAVEPOINT apart")
    try:
        result = driven(act(SqliteTx(connection)))
    except Exception as error:
        if not connection.in_transaction:
            raise  # SQLite has given up the whole transaction, as it may when the disk is full
        connection.execute("ROLLBACK TO apart")
        result = _Failed(write_failed(error))
    connection.execute("RELEASE apart")
    return result
