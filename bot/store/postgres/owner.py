"""The connection that holds the lock of whoever has the store open, and hears what processes tell each other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

from bot.store.model import StoreError
from bot.store.postgres.driver import NAME, Connection, DriverError, connect
from bot.store.postgres.faults import passes
from bot.store.postgres.roll import lock, name_of

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

CHANNEL: Final = "digsite"
"""The channel of notifications through which processes tell each other something."""
_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 1.0
"""Seconds between two attempts to connect again, at first and at last."""
_CLOSING: Final = 1.0
"""Seconds for closing the connection."""


IDLE: Final = 2.0
"""Seconds after which the server ends a transaction of a process that is frozen in the middle of it.

Until then nobody else can take over the shards that this process was just taking.
"""


class Owner:
    """Connects again in the background when the connection is lost, and takes the lock again.

    The lock is not what keeps writes safe: it tells others early that they may not open the store.
    """

    def __init__(self, url: str, *, shared: bool) -> None:
        self._url, self._shared = url, shared
        self._connection: Connection | None = None
        self._name = NAME
        self._prepare: Callable[[Connection], Awaitable[None]] | None = None
        self._heard: Callable[[str | None], None] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def connect(self) -> Connection:
        """The first connection, which has no lock yet."""
        self._closed = False
        self._connection = await connect(self._url, idle=IDLE)
        return self._connection

    async def keep(self, era: int, prepare: Callable[[Connection], Awaitable[None]]) -> None:
        """From now on the connection is kept. `prepare` is called with each one that takes its place."""
        connection = self._connection
        assert connection is not None
        self._name, self._prepare = name_of(era), prepare
        await connection.execute(f"SET application_name = '{self._name}'")
        connection.add_termination_listener(self._lost)

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Has `heard` called with each notification, and with None whenever some may have been missed."""
        self._heard = heard
        connection = self._connection
        assert connection is not None
        await connection.add_listener(CHANNEL, self._notified)

    async def run(self, act: Callable[[Connection], Awaitable[T]]) -> T:
        """What `act` returns. If the connection turns out to be lost, it is run again on a new one."""
        async with self._one_at_a_time:
            for attempt in (1, 2):
                connection = await self._connected()
                try:
                    return await act(connection)
                except BaseException as error:
                    if not connection.is_closed():
                        connection.terminate()  # whatever it was in the middle of is taken back
                    if attempt == 2 or not isinstance(error, DriverError) or not passes(error):
                        raise
        raise AssertionError("unreachable")

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                await connection.close(timeout=_CLOSING)
            except DriverError:
                connection.terminate()

    def _notified(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        if self._heard is not None:
            self._heard(str(payload))

    def _lost(self, connection: object) -> None:
        if connection is self._connection and not self._closed and self._task is None:
            self._task = asyncio.create_task(self._come_back(), name="owner's lock")

    async def _come_back(self) -> None:
        pause = _PAUSE
        try:
            while not self._closed:
                with suppress(*DriverError):
                    async with self._one_at_a_time:
                        await self._connected()
                    return
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        except StoreError as error:
            _LOG.warning("the store's lock was not taken again: %s", error)
        finally:
            self._task = None

    async def _connected(self) -> Connection:
        """The connection, or a new one if it was lost. Raises what asyncpg raises, and what `prepare` does."""
        connection, prepare = self._connection, self._prepare
        if connection is not None and not connection.is_closed():
            return connection
        if self._closed or prepare is None:
            raise ConnectionError
        again = await connect(self._url, name=self._name, idle=IDLE)
        try:
            await prepare(again)
            if not await lock(again, shared=self._shared):
                # Perhaps the server has not noticed yet that the old connection is lost.
                raise ConnectionError
            if self._heard is not None:
                await again.add_listener(CHANNEL, self._notified)
        except BaseException:
            again.terminate()
            raise
        again.add_termination_listener(self._lost)
        self._connection = again
        if self._heard is not None:
            self._heard(None)
        return again
