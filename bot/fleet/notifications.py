"""Notifications between processes by PostgreSQL's LISTEN and NOTIFY: an in-memory copy is out of date.

A separate connection listens. A lost notification does no harm: after a reconnection, everything is reloaded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, get_args

from bot.fleet.fleet import FLEET_TIMING, FleetTiming, Notification
from bot.store.model import StoreError, StoreLost, StoreUnreachable
from bot.store.postgres.driver import Connection, DriverError, Primary

log = logging.getLogger(__name__)

CHANNEL: Final = "digsite"

Call = Callable[[], Awaitable[None]]
_LISTEN_AGAIN: Final = 0.5
"""Seconds between two attempts to connect for notifications."""
_RELOAD_AGAIN: Final = 2.0
"""Seconds until a failed reload is retried."""


class Notifications:
    """Publishes and receives notifications, and runs their handlers in sequence, with retries."""

    def __init__(self, primary: Primary, timing: FleetTiming = FLEET_TIMING) -> None:
        self._primary, self._timing = primary, timing
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()
        self._reloads: dict[Notification, list[Call]] = {}
        self._due: list[Call] = []
        """The pending calls, in order."""
        self._queued = asyncio.Event()

    async def publish_with_retry(self, notification: Notification) -> None:
        """Publishes a notification; after a failure, retries in the background. Raises nothing."""
        try:
            await self.publish(notification)
        except StoreError as error:
            log.warning("could not publish notification %s, retrying: %s", notification, error)
            self.later([lambda: self.publish(notification)])

    def on(self, notification: Notification, reload: Call) -> None:
        """Calls `reload` after each such notification."""
        self._reloads.setdefault(notification, []).append(reload)

    def received(self, notification: Notification) -> None:
        """Queues the handlers of this notification."""
        self.later(reload for reload in self._reloads.get(notification, ()) if reload not in self._due)

    def later(self, calls: Iterable[Call]) -> None:
        """Queues these calls."""
        self._due += calls
        self._queued.set()

    async def publish(self, notification: Notification) -> None:
        """Publishes to all processes, this one included. Raises `StoreUnreachable`."""
        try:
            await self._ask("SELECT pg_notify($1, $2)", CHANNEL, notification)
        except DriverError as error:
            raise StoreUnreachable(
                f"Could not notify the other processes ({type(error).__name__}). No data was lost."
            ) from None

    async def listen(self, at_shards: Callable[[], None]) -> None:
        """Listens forever. After each connection, every notification counts as received.

        `at_shards` is called immediately after a notification "shards", and after each connection.
        """
        while True:
            ended = asyncio.Event()
            try:
                self._connection = connection = await self._primary.connect()
                connection.add_termination_listener(lambda _connection, ended=ended: ended.set())
                await connection.add_listener(CHANNEL, partial(self._notified, at_shards))
                at_shards()
                for notification in get_args(Notification):
                    self.received(notification)
                while not ended.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self._timing.listening_checked):
                            await ended.wait()
                    with suppress(*DriverError):
                        # Leads to another server if one has taken the place of an old one that still answers.
                        (await self._primary.connect()).terminate()
                    await self._ask("SELECT 1")
            except DriverError as error:
                log.info("not receiving notifications: %s; reconnecting", type(error).__name__)
            finally:
                self._close()
            await asyncio.sleep(_LISTEN_AGAIN)

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
            at_shards()  # ahead of the queue
        for notification in get_args(Notification):
            if payload == notification:
                self.received(notification)

    async def call_for_ever(self) -> None:
        """Runs the queued calls. Raises `StoreLost`."""
        while True:
            await self._queued.wait()
            self._queued.clear()
            while self._due:
                call = self._due.pop(0)
                try:
                    await call()
                except StoreLost:
                    raise
                except StoreError as error:
                    log.warning("notification handler failed, retrying: %s", error)
                    self._due.insert(0, call)
                    await asyncio.sleep(_RELOAD_AGAIN)
                except Exception:
                    log.exception("notification handler failed")
