"""The single writer of an SQLite store. Writes that arrive during a commit share the next one."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

from bot.store.engine import TxFunction, run_sync
from bot.store.model import Committed
from bot.store.sqlite.connection import OneThread, SqliteTx
from bot.store.sqlite.errors import write_failed

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_BATCH_SIZE: Final = 256
"""Writes per transaction. More would save little and delay the first ones."""


@dataclass(slots=True, repr=False, eq=False)
class _Write(Generic[T]):
    run: TxFunction[T]
    on_commit: Callable[[T], None] | None
    answer: asyncio.Future[T]


@dataclass(frozen=True, slots=True, repr=False)
class _Failed:
    error: Exception


class Writer:
    """Runs writes on one connection, in the order of the calls, several per transaction.

    Each write has its own savepoint, so a failed write does not affect the others. An idle writer has no task and no
    timer.
    """

    def __init__(self, connection: OneThread, committed: Committed | None) -> None:
        self._committed = committed
        self._connection = connection
        self._waiting: list[_Write[Any]] = []
        self._busy = False
        self._idle: asyncio.Future[None] | None = None

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None) -> T:
        """See `bot.store.engine.Engine.write`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Write(run, on_commit, answer))
        if not self._busy:
            self._busy = True
            # Deferred, so that all writes of this event-loop iteration share a transaction.
            loop.call_soon(self._start)
        return await answer

    async def between(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `run` between two transactions."""
        return await self._connection.submit(run)

    async def close(self) -> None:
        """Waits for pending writes, then closes the connection."""
        if self._busy:
            self._idle = asyncio.get_running_loop().create_future()
            await self._idle
        await self._connection.close()

    def _start(self) -> None:
        began = asyncio.get_running_loop().time()
        batch, self._waiting = self._waiting[:_BATCH_SIZE], self._waiting[_BATCH_SIZE:]
        done = self._connection.submit(partial(_commit_together, [write.run for write in batch]))
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
            _LOG.warning("write of a cancelled caller failed: %s", type(result.error).__name__)
        else:
            write.answer.set_exception(result.error)
        return
    if write.on_commit is not None:
        write.on_commit(result)
    if not write.answer.cancelled():
        write.answer.set_result(result)


def _commit_together(acts: Sequence[TxFunction[object]], connection: sqlite3.Connection) -> list[object]:
    """The result of each run, or a `_Failed`. Runs on the writer's thread."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [_apart(run, connection) for run in acts]
        connection.execute("COMMIT")
    except Exception as error:  # noqa: BLE001 - each caller gets the error
        failure = _rolled_back(connection, error)
        return [_Failed(write_failed(failure)) for _ in acts]
    return results


def _rolled_back(connection: sqlite3.Connection, error: Exception) -> Exception:
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error as worse:
        return worse  # the next BEGIN fails and rolls back
    return error


def _apart(run: TxFunction[object], connection: sqlite3.Connection) -> object:
    connection.execute("SAVEPOINT apart")
    try:
        result = run_sync(run(SqliteTx(connection)))
    except Exception as error:
        if not connection.in_transaction:
            raise  # SQLite rolled back the whole transaction, as on a full disk
        connection.execute("ROLLBACK TO apart")
        result = _Failed(write_failed(error))
    connection.execute("RELEASE apart")
    return result
