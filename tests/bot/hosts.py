"""A host without Discord: its tables, store and jobs are real, but nobody draws its messages."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast
from unittest.mock import patch

import discord

from bot.app import build
from bot.app.host import Host
from bot.app.operator import LeaveServer
from bot.app.services import DEFAULT, AppTiming, Services
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings
from bot.store.model import Job
from bot.store.store import Store
from bot.tables import lobby
from bot.tables.model import Table
from bot.ui.private_screens import PrivateScreens
from bot.ui.table_display import Presenter
from tests.bot.store.samples import Home
from tests.bot.tables.samples import GAMES

START_MESSAGE = 99
WAITING: Final = 0.01
"""Seconds between two looks while no job runs and some wait for their turn."""

NO_LIMITS: Final = {
    "tables_per_person": 0,
    "tables_per_server": 0,
    "new_tables_per_person": 0,
    "new_tables_per_server": 0,
}
"""Settings that let everybody open as many tables as they like."""


class NobodyLooks:
    """The private screens, of which none is open."""

    def __init__(self) -> None:
        self.followed: list[int] = []
        """Tables whose private screens were brought up to date without their messages."""
        self.held = -math.inf

    async def follow_latest(self, table_id: int) -> None:
        self.followed.append(table_id)

    def held_until(self, _table_id: int) -> float:
        return self.held

    def asks_anew(self, _table: Table, _besides: int | None) -> list[Any]:
        return []


class Drawn(Presenter):
    """Draws nothing: notes which tables were to be drawn, and does during each redraw what a test wants."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.tables: list[int] = []
        self.urgent: list[int] = []
        self.gone: list[int] = []
        self.meanwhile: Callable[[int], Awaitable[object]] | None = None
        self.nobody = NobodyLooks()
        self.private, self.followed = cast("PrivateScreens", self.nobody), self.nobody.followed

    async def redraw(self, table_id: int) -> float | None:
        self.tables.append(table_id)
        if self.meanwhile is not None:
            await self.meanwhile(table_id)
        return None

    def draw_at_once(self, table: Table) -> None:
        self.urgent.append(table.id)

    def is_urgent(self, table_id: int) -> bool:
        return table_id in self.urgent

    def draws_outside_limit(self, table_id: int) -> bool:
        return False

    async def start(self, table_id: int, *, first: bool = False) -> Table:
        """Starts the match, as if Discord had accepted the start message at once."""
        async with self._tables.change(table_id) as draft:
            if draft.table.starting:
                lobby.begin(draft, START_MESSAGE)
        return draft.table

    async def repost(self, table_id: int) -> Table:
        self.tables.append(table_id)
        return await self._tables.get(table_id)

    async def channel_gone(self, table: Table) -> None:
        self.gone.append(table.id)

    def sweep(self) -> None:
        pass


def make_host(
    place: Path | str | Store,
    clock: Clock,
    limiter: RateLimiter | None = None,
    *,
    fleet: Fleet | None = None,
    leave_server: LeaveServer | None = None,
    timing: AppTiming = DEFAULT,
    **settings: Any,
) -> tuple[Host, Drawn]:
    """A host on a store, on the file at this path, or on the database at this URL; its agents and redraws take no time.

    It is not started yet.

    `limiter` limits its redraws; None lets all of them happen at once.
    """
    chosen = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_path=place if isinstance(place, Path) else "unused.sqlite3",
        **{
            "agent_delay": (0, 0),
            "redraw_interval": 0,
            "board_lag": 0,
            "thinkers": 0,
            "pictures": False,
            **NO_LIMITS,
            **settings,
        },
    )
    client = discord.Client(intents=discord.Intents.none())
    store = Home(place).store(clock) if isinstance(place, (Path, str)) else place
    limiter = limiter if limiter is not None else RateLimiter(math.inf)
    services = Services(chosen, clock, store, GAMES, limiter, Metrics(), fleet or Fleet(), timing)
    with patch.object(build, "Presenter", Drawn):
        host = build.build_host(client, services, leave_server=leave_server)
    assert isinstance(host.presenter, Drawn)
    return host, host.presenter


async def run_due(host: Host) -> float | None:
    """Does all that is due, and what becomes due by that. Returns the time at which something is due next."""
    left: object = None

    async def still_due() -> list[Job]:
        return await host.store.due(host.clock.now(), 10_000, (), host.fleet.owned)

    while host.is_open:
        idle = not host.tasks.running
        soonest = await host.start_due()
        waiting = await still_due()
        if running := host.jobs._running.values():
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        elif host.housekeeping.task is not None:
            await asyncio.wait({host.housekeeping.task})  # it may set new jobs
        elif host.personal.work.tasks:
            await asyncio.wait(host.personal.work.tasks)  # and so may this
        elif host.emoji.task is not None:
            await asyncio.wait({host.emoji.task})
        elif any(host.jobs.waiting()[job.kind][0] for job in waiting) or any(
            host.presenter.tokens.awaited(job.table_id) for job in waiting
        ):
            await asyncio.sleep(WAITING)
        elif (
            idle
            and (waiting == left if waiting else soonest is None or soonest > host.clock.now())
            and waiting == await still_due()
        ):
            # Otherwise a job that has just ended may have been the soonest, or have ended after `waiting` was read.
            return soonest
        left = waiting
    return None
