"""Several processes in one event loop: hosts on one database, each of which holds other shards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.clock import SystemClock
from bot.fleet.member import Admission, Changed
from bot.store.model import Leases, ProcessName, Roll, Signal, StoreError
from bot.store.places import DatabasePlace
from bot.store.store import Store
from tests.bot.hosts import make_host
from tests.bot.postgres import server

SHARDS: Final = 4
LOOK: Final = 0.01
RENEWED: Final = 1.0
"""Seconds between two renewals of a process's leases."""


def server_of(shard: int, number: int = 1) -> int:
    """A server of this shard."""
    return ((number * SHARDS + shard) << 22) + 1


class Part:
    """A process's part in the fleet, on real leases. It takes and hands over only what a test tells it to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.held: frozenset[int] = frozenset()
        self._reloads: dict[Signal, list[Callable[[], Awaitable[None]]]] = {}
        self._listeners: list[Changed] = []
        self._calls: set[asyncio.Task[None]] = set()

    @property
    def leases(self) -> Leases:
        assert self._store.leases is not None
        return self._store.leases

    @property
    def first(self) -> bool:
        return 0 in self.held

    def holds(self, guild: int) -> bool:
        return self.shard_of(guild) in self.held

    def shard_of(self, guild: int) -> int:
        return (guild >> 22) % SHARDS

    async def admit(self, guild: int) -> Admission:
        return "served" if self.holds(guild) else "ignored"

    async def tell(self, signal: Signal) -> None:
        await self.leases.tell(signal)

    async def spread(self, signal: Signal) -> None:
        with suppress(StoreError):
            await self.tell(signal)

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        self._reloads.setdefault(signal, []).append(reload)

    def on_change(self, changed: Changed) -> None:
        self._listeners.append(changed)

    async def leave(self) -> None:
        await self.leases.leave()

    # -- what a test has it do

    async def join(self) -> bool:
        """Joins the others; returns whether there are any."""
        roll = await self.leases.begin(SHARDS)
        self.leases.listen(self._heard)
        return len(roll.processes) > 1

    def _heard(self, signal: Signal) -> None:
        for reload in self._reloads.get(signal, ()):
            task = asyncio.create_task(_called(reload))
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

    async def take(self, *shards: int) -> None:
        """Takes these shards, which nobody holds."""
        await self.follow(await self.leases.take(shards))
        assert self.held.issuperset(shards)

    async def follow(self, roll: Roll) -> None:
        """Sees what the roll says."""
        held = frozenset(row.shard for row in roll.shards if row.owner == roll.me)
        gained, lost = held - self.held, self.held - held
        self.held = held
        if gained or lost:
            for changed in self._listeners:
                await changed(gained, lost)


async def _called(reload: Callable[[], Awaitable[None]]) -> None:
    with suppress(StoreError):
        await reload()


class Process:
    """A host that does what is due by itself, until it is stopped or killed."""

    def __init__(self, url: str, name: str, version: str = "1.0", **settings: Any) -> None:
        clock = SystemClock()
        self.name = name
        self.store = DatabasePlace(url).store(clock, shared=ProcessName(name, version))
        self.fleet = Part(self.store)
        self.host, self.drawn = make_host(self.store, clock, fleet=self.fleet, **settings)
        self.upkeep, self.tables = self.host.upkeep, self.host.tables
        self.fleet.on_change(self._changed)
        self._work: set[asyncio.Task[None]] = set()
        self._dead = False

    async def _changed(self, gained: frozenset[int], lost: frozenset[int]) -> None:
        if gained:
            await self.host.took_over(gained)
        if lost:
            self.host.handed_over(lost)

    async def start(self, *shards: int) -> None:
        await self.host.start(self.fleet.join)
        await self.fleet.take(*shards)
        self._work = {asyncio.create_task(work) for work in (self._do(), self._renew())}

    async def _do(self) -> None:
        while True:
            with suppress(StoreError):
                await self.host.start_due()
            await asyncio.sleep(LOOK)

    async def _renew(self) -> None:
        while True:
            await self.fleet.leases.renew()
            await asyncio.sleep(RENEWED)

    async def idle(self) -> None:
        """From now on it does nothing that is due, but still holds what it holds."""
        doing, *_ = (task for task in self._work if task.get_coro().__name__ == "_do")  # type: ignore[union-attr]
        self._work.discard(doing)
        await _ended({doing})
        while self.upkeep.task is not None:
            await asyncio.wait({self.upkeep.task})

    async def die(self) -> None:
        """It is dead, and the others have seen it: its shards are free."""
        self._dead = True
        await _ended({*self._work, *self.upkeep.tasks, *self.host.busy})
        await self.fleet.leases.leave()

    async def hand_over_to(self, heir: Process) -> None:
        """Gives all that it holds to another process."""
        shards = sorted(self.fleet.held)
        await heir.fleet.leases.court(shards)
        await heir.fleet.leases.ready(shards)
        await self.fleet.follow(await self.fleet.leases.hand_over(shards))
        await heir.fleet.follow(await heir.fleet.leases.renew())

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


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 10.0) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(LOOK)


class Fleet:
    """The processes of a test, on a database of their own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.processes: list[Process] = []

    async def start(self, name: str, *shards: int, version: str = "1.0", **settings: Any) -> Process:
        """Starts a process that takes these shards."""
        process = Process(self.url, name, version, **settings)
        self.processes.append(process)
        await process.start(*shards)
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
