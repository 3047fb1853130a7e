"""Members of a fleet in one event loop, on a real server, with connections to Discord that a test opens and cuts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from bot.clock import ELAPSED
from bot.fleet.fleet import FleetTiming, Partitioned, ShardHandler
from bot.fleet.locks import Locks
from bot.fleet.member import Member
from bot.fleet.notifications import Notifications
from bot.fleet.plan import NO_SHARDS, Shards
from bot.fleet.shard_states import ShardChange
from bot.store.postgres.driver import Primary

SHARDS: Final = 6
QUICK: Final = FleetTiming(session_settled=0.5, check_every=0.1)
LOOK: Final = 0.01
WITHIN: Final = 60.0
"""Seconds after which a test gives up to wait. They say nothing about how long anything may take."""


class Process:
    """A member and its handler: it is connected for what is wanted, unless `reaches_discord` is off."""

    def __init__(self, url: str, timing: FleetTiming = QUICK, elapsed: Callable[[], float] = ELAPSED) -> None:
        primary = Primary(url)
        self.locks = Locks(primary, timing, elapsed)
        self.member = Member(self.locks, Notifications(primary, timing), self)
        self.reaches_discord = True
        self.wanted: Shards = NO_SHARDS
        self.own: set[int] = set()
        self.gaps: list[int] = []
        self.moves: list[ShardChange] = []
        self.finishing: Callable[[], asyncio.Future[None]] | None = None
        self.sharing = 0
        self.waits = False
        self.task: asyncio.Task[None] | None = None

    # -- the handler

    @property
    def handler(self) -> ShardHandler:
        asked = (self.connected, self.waits_in_turn, self.shared_by)
        return ShardHandler(self.gained, self.lost, self.finish, self.connect_only, *asked)

    async def gained(self, shards: Shards) -> None:
        self.own |= shards

    def lost(self, shards: Shards) -> None:
        self.own -= shards

    async def finish(self, shards: Shards, within: float) -> None:
        assert shards
        assert within > 0
        if self.finishing is not None:
            await self.finishing()

    def connect_only(self, shards: Shards) -> None:
        if shards - self.wanted:
            asyncio.get_running_loop().call_soon(self.member.look)
        self.wanted = shards

    def connected(self, shard: int) -> bool:
        return self.reaches_discord and shard in self.wanted

    def waits_in_turn(self) -> bool:
        return self.waits

    def shared_by(self, processes: int, at: float) -> None:
        assert at <= asyncio.get_running_loop().time() + 1e9
        self.sharing = processes

    # -- the watcher

    def shards_moved(self, how: ShardChange, shards: int) -> None:
        self.moves.extend(how for _ in range(shards))

    def check_late(self, seconds: float) -> None:
        assert seconds > -WITHIN

    # -- what a test does with it

    async def start(self, count: int = SHARDS) -> bool:
        async def advised() -> int:
            return count

        others = await self.member.begin(self.handler, None, advised)
        self.task = asyncio.create_task(self.member.run())
        self.member.go()
        return others

    async def die(self) -> None:
        """Ends as a process does that is killed: its connections are gone, and nothing is said to anybody."""
        assert self.task is not None
        self.task.cancel()
        with suppress(asyncio.CancelledError, Partitioned):
            await self.task
        await self.member.leave()

    def serves(self, shard: int) -> bool:
        """Whether a press on this shard reaches this process, and is answered."""
        return self.connected(shard) and self.member.serves(shard << 22)


async def until(so: Callable[[], bool], what: str = "it") -> None:
    """Returns once this is so."""
    async with asyncio.timeout(WITHIN):
        while not so():
            await asyncio.sleep(LOOK)


def shares(*processes: Process) -> list[int]:
    """How many shards each of these owns, if each has one owner among them."""
    owned = [sorted(process.own) for process in processes]
    together = sorted(shard for shards in owned for shard in shards)
    return [len(shards) for shards in owned] if together == list(range(SHARDS)) else []


@asynccontextmanager
async def fleet(url: str, number: int, timing: FleetTiming = QUICK) -> AsyncGenerator[list[Process]]:
    """So many processes that share the shards, and the end of them all."""
    processes = [Process(url, timing) for _ in range(number)]
    try:
        for process in processes:
            await process.start()
        await until(lambda: settled(*processes))
        yield processes
    finally:
        for process in processes:
            if process.task is not None:
                await process.die()


def settled(*processes: Process) -> bool:
    """Whether all of these own their fair shares, and nothing is on its way."""
    owned = shares(*processes)
    moving = any(each.member.status.standby or each.member.status.given for each in processes)
    return bool(owned) and max(owned) - min(owned) <= 1 and not moving
