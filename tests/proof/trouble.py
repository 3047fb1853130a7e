"""The troubles that befall processes and the database server."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Final, Literal, get_args

import asyncpg

from bot.store.postgres.driver import DriverError
from tests.bot.postgres import Server
from tests.proof.plan import SESSION_ENDS, Plan
from tests.proof.processes import Process, Service

Kind = Literal["kill", "restart", "end", "drain", "sessions", "freeze", "short freeze"]

END_SESSIONS: Final = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'digsite %-' || $1"""
"""Ends all sessions of the process with this process id."""

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

    def __init__(self, plan: Plan, services: list[Service], server: Server) -> None:
        self.plan, self.services, self.server = plan, services, server
        self.away: list[tuple[float, float]] = []
        """From when to when the server was taken down."""

    async def make(self) -> None:
        """Does all of it. Returns when it is over."""
        raise NotImplementedError


class Trouble(Happening):
    """Does harm at random, as the plan says."""

    def __init__(self, plan: Plan, services: list[Service], server: Server) -> None:
        super().__init__(plan, services, server)
        self._rng = Random(plan.seed)
        self._restarting = asyncio.Lock()

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
        process = await self._victim(kind)
        if kind == "kill":
            process.kill()
        elif kind == "end":
            await process.tell()
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
