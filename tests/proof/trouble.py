"""The troubles that befall processes and the database server."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

import asyncpg

from bot.store.postgres.driver import DriverError
from tests.bot.postgres import Server
from tests.bot.replication import Pair
from tests.proof.plan import SESSION_ENDS, SESSION_SETTLES, Plan
from tests.proof.processes import Process, Service
from tests.proof.watch import OWNER

Kind = Literal["kill", "restart", "end", "drain", "sessions", "freeze", "short freeze", "failover"]

END_SESSIONS: Final = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'digsite %-' || $1"""
"""Ends all sessions of the process with this process id."""

OWNERS: Final = f"SELECT number, process FROM proof.locks WHERE kind = {OWNER}"
"""The owners of shards by the locks of one server, as process ids."""
CERTAIN_OWNERS: Final = f"""
SELECT number, process FROM proof.locks JOIN pg_stat_activity USING (pid)
WHERE kind = {OWNER} AND query_start > clock_timestamp() - interval '{SESSION_SETTLES:g} s'"""
"""Those whose session has asked lately. The others stand still, and count their shards as lost when they go on."""
PROCESSES: Final = "SELECT array_agg(DISTINCT process) FROM proof.locks"
SESSIONS_OF: Final = """
SELECT count(*) FROM pg_stat_activity WHERE proof.process(application_name) = ANY ($1) AND wait_event <> 'SyncRep'"""
"""The sessions of these processes, without those whose client is gone while their commit waits for a standby."""
OLD_PRIMARY_ANSWERS: Final = 10.0
"""Seconds for which an old primary goes on answering before it becomes the standby."""
LOOK: Final = 0.1
"""Seconds between two looks at the owners on both servers."""

FROZEN: Final = (SESSION_ENDS + 1, SESSION_ENDS + 8)
"""For how long a process is frozen whose session is to end."""
FROZEN_SHORTLY: Final = (1.0, SESSION_ENDS - 1.5)
"""For how long one is frozen that must keep its session, which it has used up to a second before."""
LONG: Final = 0.7
"""How many of the freezes last longer than a session."""
DOWN: Final = (0.0, 4.0)
"""How long the server stays away, besides the time that it takes to stop and to start."""
NOBODY: Final = 0.5
"""Seconds after which somebody to be harmed is looked for again, if nobody is there."""


class Happening:
    """Something that happens to the processes while people play."""

    def __init__(self, plan: Plan, services: list[Service], server: Server | Pair) -> None:
        self.plan, self.services, self.server = plan, services, server
        self.away: list[tuple[float, float]] = []
        """From when to when there was no server that takes writes."""
        self.faults: list[str] = []

    async def make(self) -> None:
        """Does all of it. Returns when it is over."""
        raise NotImplementedError


class Trouble(Happening):
    """Does harm at random, as the plan says."""

    def __init__(self, plan: Plan, services: list[Service], server: Server | Pair) -> None:
        super().__init__(plan, services, server)
        self._rng = Random(plan.seed)
        self._restarting = asyncio.Lock()
        self._crashes = False
        """Whether the primary crashes at the next failover; else it takes no writes and still answers."""

    async def make(self) -> None:
        plan, loop = self.plan, asyncio.get_running_loop()
        long = round(LONG * plan.freezes)
        numbers = (
            plan.kills,
            plan.restarts,
            plan.ends,
            plan.drains,
            plan.sessions,
            long,
            plan.freezes - long,
            plan.failovers,
        )
        each = zip(get_args(Kind), numbers, strict=True)
        kinds: list[Kind] = [kind for kind, number in each for _ in range(number)]
        self._rng.shuffle(kinds)
        step, began = plan.seconds / max(1, len(kinds)), loop.time()
        doing: set[asyncio.Task[None]] = set()
        for number, kind in enumerate(kinds):
            at = began + (number + self._rng.random()) * step
            await asyncio.sleep(max(0.0, at - loop.time()))
            doing.add(asyncio.create_task(self._do(kind)))
        await asyncio.sleep(max(0.0, began + plan.seconds - loop.time()))
        await asyncio.gather(*doing)

    async def _do(self, kind: Kind) -> None:
        if kind == "restart":
            await self._restart()
            return
        if kind == "failover":
            await self._fail_over()
            return
        process = await self._victim(kind)
        if kind == "kill":
            process.kill()
        elif kind == "end":
            await process.terminate()
        elif kind == "drain":
            await process.drain()
        elif kind == "sessions":
            await self._end_sessions(process)
        else:
            await process.freeze(self._rng.uniform(*(FROZEN if kind == "freeze" else FROZEN_SHORTLY)))

    async def _end_sessions(self, process: Process) -> None:
        url = self.services[0].settings["DATABASE_URL"]
        with suppress(*DriverError):  # the server may be away
            connection = await asyncpg.connect(url, timeout=1, command_timeout=1)
            process.severed.append(asyncio.get_running_loop().time())
            try:
                await connection.execute(END_SESSIONS, str(process.pid))
            finally:
                connection.terminate()

    async def _victim(self, kind: Kind) -> Process:
        """Somebody to be harmed. A second signal to drain would end a process at once, so it is drained once."""
        while True:
            there = [service.now for service in self.services]
            found = [process for process in there if process is not None and not process.is_frozen]
            found = [process for process in found if kind != "drain" or process.drains is None]
            if found:
                return self._rng.choice(found)
            await asyncio.sleep(NOBODY)

    async def _restart(self) -> None:
        loop = asyncio.get_running_loop()
        async with self._restarting:
            began = loop.time()
            mode = self._rng.choice(("fast", "immediate"))
            with suppress(OSError):
                await asyncio.to_thread(self.server.stop, mode)
            await asyncio.sleep(self._rng.uniform(*DOWN))
            await asyncio.to_thread(self.server.start)
            self.away.append((began, loop.time()))

    async def _fail_over(self) -> None:
        """Has the standby take the place of a primary that has crashed, or that still answers but takes no writes."""
        loop, pair = asyncio.get_running_loop(), self.server
        assert isinstance(pair, Pair)
        async with self._restarting:
            began, crashes = loop.time(), self._crashes
            self._crashes = not crashes
            if crashes:
                await asyncio.to_thread(pair.stop, "immediate")
            else:
                await pair.make_read_only()
            await asyncio.sleep(self._rng.uniform(*DOWN))
            await pair.fail_over()
            self.away.append((began, loop.time()))
            if not crashes:
                await self._watch_both(pair)
            await pair.rejoin()

    async def _watch_both(self, pair: Pair) -> None:
        """Notes each shard that has an owner on both servers, and sessions that stay on the old one."""
        database = urlsplit(self.services[0].settings["DATABASE_URL"]).path.lstrip("/")
        old, new = [await asyncpg.connect(node.url(database)) for node in (pair.standby, pair.primary)]
        loop = asyncio.get_running_loop()
        until = loop.time() + OLD_PRIMARY_ANSWERS
        while loop.time() < until:
            owners = dict(await new.fetch(OWNERS))
            for shard, process in await old.fetch(CERTAIN_OWNERS):
                if owners.get(shard, process) != process:
                    self.faults.append(f"shard {shard} had owners on two servers: {process}, {owners[shard]}")
            await asyncio.sleep(LOOK)
        if left := await old.fetchval(SESSIONS_OF, await new.fetchval(PROCESSES) or []):
            self.faults.append(f"{left} sessions of processes on the new primary were still on the old one")
        await asyncio.gather(old.close(), new.close())
