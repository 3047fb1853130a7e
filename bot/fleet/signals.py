"""What processes tell each other through the database: that something has changed which each keeps in memory.

A connection of its own listens. Nothing may be lost by it that matters: when it is made anew, everything is read again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, get_args

from bot.fleet.alone import Signal
from bot.store.model import StoreError, StoreLost, StoreUnreachable
from bot.store.postgres.driver import Connection, DriverError, connect, own_name

log = logging.getLogger(__name__)

RELOAD_AGAIN: Final = 2.0
"""Seconds after which what another process has changed is read again if the store could not be read."""
CONNECT_AGAIN: Final = 0.5
"""Seconds between two attempts to connect."""
ALIVE_EVERY: Final = 10.0
"""Seconds between two questions whether the connection still stands: a network may swallow it without a word."""
CHANNEL: Final = "digsite"

Call = Callable[[], Awaitable[None]]


class Signals:
    """Tells and hears signals, and calls what is to be called at each: one after the other, and again if it failed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()
        self._reloads: dict[Signal, list[Call]] = {}
        self._due: list[Call] = []
        """What is still to be called because of a signal or a change, in this order."""
        self._told = asyncio.Event()

    def on(self, signal: Signal, reload: Call) -> None:
        """Has `reload` called at each such signal."""
        self._reloads.setdefault(signal, []).append(reload)

    def heard(self, signal: Signal) -> None:
        """Has called what is to be called at this signal."""
        self.later(reload for reload in self._reloads.get(signal, ()) if reload not in self._due)

    def later(self, calls: Iterable[Call]) -> None:
        """Has these called after all that is to be called already."""
        self._due += calls
        self._told.set()

    async def tell(self, signal: Signal) -> None:
        """Tells all processes, this one included. Raises `StoreUnreachable`."""
        try:
            await self._ask("SELECT pg_notify($1, $2)", CHANNEL, signal)
        except DriverError as error:
            raise StoreUnreachable(
                f"The other processes could not be told ({type(error).__name__}). Nothing is lost by that."
            ) from None

    async def listen(self, at_shards: Callable[[], None]) -> None:
        """Keeps a connection that listens, for ever. Whenever it is made anew, every signal counts as heard.

        `at_shards` is called when shards were given away.
        """
        while True:
            ended = asyncio.Event()
            try:
                self._connection = connection = await connect(self._url, name=own_name())
                connection.add_termination_listener(lambda _connection, ended=ended: ended.set())
                await connection.add_listener(CHANNEL, partial(self._notified, at_shards))
                at_shards()
                for signal in get_args(Signal):
                    self.heard(signal)
                while not ended.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(ALIVE_EVERY):
                            await ended.wait()
                    await self._ask("SELECT 1")
            except DriverError as error:
                log.info("signals are not heard at present (%s)", type(error).__name__)
            finally:
                self._close()
            await asyncio.sleep(CONNECT_AGAIN)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None

    async def _ask(self, query: str, *values: str) -> None:
        async with self._one_at_a_time:
            if self._connection is None:
                raise ConnectionError("not connected")
            await self._connection.execute(query, *values)

    def _notified(
        self, at_shards: Callable[[], None], _connection: object, _pid: int, _channel: str, payload: object
    ) -> None:
        if payload == "shards":
            at_shards()  # at once, whatever is still to be called
        for signal in get_args(Signal):
            if payload == signal:
                self.heard(signal)

    async def call_for_ever(self) -> None:
        """Calls what is to be called. Raises `StoreLost`."""
        while True:
            await self._told.wait()
            self._told.clear()
            while self._due:
                call = self._due.pop(0)
                try:
                    await call()
                except StoreLost:
                    raise
                except StoreError as error:
                    log.warning("what has changed could not be read or told: %s", error)
                    self._due.insert(0, call)
                    await asyncio.sleep(RELOAD_AGAIN)
                except Exception:
                    log.exception("what follows from a signal could not be done")
