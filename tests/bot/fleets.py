"""Several processes in one event loop: hosts on one database, each of which holds other shards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.app.services import AppTiming
from bot.clock import SystemClock
from bot.fleet.fleet import Changed, Notification, ProcessState
from bot.fleet.fleet import Fleet as SingleProcess
from bot.fleet.locks import Locks
from bot.fleet.notifications import Notifications
from bot.store.backends import DatabaseBackend
from bot.store.engine import Shards
from bot.store.model import StoreError
from bot.store.postgres.driver import Primary
from tests.bot.hosts import make_host
from tests.bot.postgres import server
from tests.patience import PATIENCE

SHARDS: Final = 4
LOOK: Final = 0.01
QUICK: Final = AppTiming(housekeeping_every=0.02)
"""Nobody waits long."""


def server_of(shard: int, number: int = 1) -> int:
    """A server of this shard."""
    return ((number * SHARDS + shard) << 22) + 1


class Part(SingleProcess):
    """A process's part in the fleet. It owns what a test tells it to; what is told to all goes through the database."""

    alone = False

    def __init__(self, url: str) -> None:
        self.held: frozenset[int] = frozenset()
        self._notifications, self._locks = Notifications(Primary(url)), Locks(Primary(url))
        self._listeners: list[Changed] = []
        self._work: set[asyncio.Task[None]] = set()
        self.others: list[Part] = []
        self.name, self.version = "", ""

    @property
    def is_leader(self) -> bool:
        return 0 in self.held

    @property
    def owned(self) -> Shards | None:
        return SHARDS, self.held

    def owns(self, guild: int) -> bool:
        return self.shard_of(guild) in self.held

    serves = owns

    def shard_of(self, guild: int) -> int:
        return (guild >> 22) % SHARDS

    async def publish(self, notification: Notification) -> None:
        await self._notifications.publish(notification)

    async def publish_with_retry(self, notification: Notification) -> None:
        with suppress(StoreError):
            await self.publish(notification)

    def on(self, notification: Notification, reload: Callable[[], Awaitable[None]]) -> None:
        self._notifications.on(notification, reload)

    def on_change(self, changed: Changed) -> None:
        self._listeners.append(changed)

    async def processes(self) -> list[ProcessState]:
        return [ProcessState(each.name, each.version, len(each.held), is_member=True) for each in self.others]

    async def leave(self) -> None:
        await _ended(self._work)
        self._locks.close()
        self.others.remove(self)

    async def _live(self) -> None:
        while True:
            await self._locks.state()
            await asyncio.sleep(1)

    # -- what a test has it do

    async def join(self, others: list[Part] | None = None) -> bool:
        """Joins the others; returns whether there are any."""
        self.others = others if others is not None else []
        self.others.append(self)
        await self._locks.open()  # so that no command takes the database for one that nobody has open
        hears = asyncio.Event()
        listening = self._notifications.listen(hears.set)
        self._work = {
            asyncio.create_task(work)
            for work in (listening, self._notifications.call_for_ever(), self._live())
        }
        await hears.wait()
        return len(self.others) > 1

    async def take(self, *shards: int) -> None:
        """Owns these shards, too, which nobody owns."""
        assert not any(each.held.intersection(shards) for each in self.others)
        await self._hold(self.held.union(shards))

    async def give_all_to(self, other: Part) -> None:
        shards = self.held
        await self._hold(frozenset())
        await other.take(*shards)

    async def _hold(self, held: frozenset[int]) -> None:
        gained, lost = held - self.held, self.held - held
        self.held = held
        if gained or lost:
            for changed in self._listeners:
                await changed(gained, lost)


class Process:
    """A host that does what is due by itself, until it is stopped or killed."""

    def __init__(self, url: str, name: str, version: str = "1.0", **settings: Any) -> None:
        clock = SystemClock()
        self.name = name
        self.store = DatabaseBackend(url).store(clock, shared=True)
        self.fleet = Part(url)
        self.fleet.name, self.fleet.version = name, version
        self.host, self.drawn = make_host(
            self.store, clock, fleet=self.fleet, leave_server=self._leave, timing=QUICK, **settings
        )
        self.left: list[int] = []
        """The servers that it was ordered to leave."""
        self.housekeeping, self.tables = self.host.housekeeping, self.host.tables
        self.fleet.on_change(self._changed)
        self._work: set[asyncio.Task[None]] = set()
        self._dead = False

    async def _changed(self, gained: frozenset[int], lost: frozenset[int]) -> None:
        if gained:
            await self.host.took_over(gained)
        if lost:
            self.host.gave_up(lost)

    async def _leave(self, server: int) -> bool:
        self.left.append(server)
        return True

    async def start(self, *shards: int, among: list[Part]) -> None:
        await self.host.start(lambda: self.fleet.join(among))
        await self.fleet.take(*shards)
        self._work = {asyncio.create_task(self._do())}

    async def _do(self) -> None:
        while True:
            with suppress(StoreError):
                await self.host.start_due()
            await asyncio.sleep(LOOK)

    async def idle(self) -> None:
        """From now on it does nothing that is due, but still holds what it holds."""
        await _ended(self._work)
        while self.housekeeping.task is not None:
            await asyncio.wait({self.housekeeping.task})

    async def die(self) -> None:
        """It is dead, and the others have seen it: its shards are free."""
        self._dead = True
        await _ended({*self._work, *self.housekeeping.tasks, *self.host.tasks.running})
        await self.fleet.leave()

    async def hand_over_to(self, other: Process) -> None:
        """Gives all that it owns to another process."""
        await self.fleet.give_all_to(other.fleet)

    async def stop(self) -> None:
        await _ended(self._work)
        if self._dead:
            await self.store.close()
        else:
            await self.host.close()


async def _ended(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(LOOK)


class Fleet:
    """The processes of a test, on a database of their own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.processes: list[Process] = []
        self._parts: list[Part] = []

    async def start(self, name: str, *shards: int, version: str = "1.0", **settings: Any) -> Process:
        """Starts a process that takes these shards."""
        process = Process(self.url, name, version, **settings)
        self.processes.append(process)
        await process.start(*shards, among=self._parts)
        return process


@asynccontextmanager
async def fleet() -> AsyncGenerator[Fleet]:
    """A database on which a test may start processes."""
    running = server()
    started = Fleet(running.url(await running.database()))
    try:
        yield started
    finally:
        for process in started.processes:
            await process.stop()
