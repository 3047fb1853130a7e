"""The host of all tables in this process: it starts and stops the store, and does what is due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

import discord

from bot.clock import Clock
from bot.settings import Settings
from bot.store.base import Job, Store, StoreError
from bot.tables.draft import CLOCKED, REDRAW
from bot.tables.model import DAY, MINUTE
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from bot.ui.game_screens import GameScreens
from bot.ui.presenter import Presenter
from bot.ui.router import Router
from engine.game import AnyGame

log = logging.getLogger(__name__)

HEARTBEAT: Final = 30
"""Seconds between two notes that the host is up: what a limit may lose by a crash."""
GRACE: Final = 5 * MINUTE
"""After a start nobody's time runs out sooner than this."""
RETRY_FIRST: Final = 2
RETRY_MOST: Final = 5 * MINUTE
GIVE_UP: Final = 12
"""A redraw that fails so often in a row waits for the table's next change."""


class Host:
    """Everything that lives as long as the bot: store, tables, screens, jobs."""

    def __init__(
        self,
        client: discord.Client,
        settings: Settings,
        clock: Clock,
        store: Store,
        games: Mapping[str, AnyGame],
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.store = store
        self.games = games
        self.screens: dict[str, GameScreens] = {}
        self.thinkers = Thinkers(settings.thinkers, settings.card_tables)
        self.tables = Tables(store, games, clock, self.thinkers, settings.agent_delay)
        self.presenter = Presenter(client, self.tables, self.screens)
        self.router = Router(client, self.tables, self.presenter, self.screens)
        self._running: dict[int, asyncio.Task[None]] = {}
        self._failures: dict[tuple[int, str], int] = {}
        self._redrawn: dict[int, float] = {}
        self._beaten = 0.0
        self._purged = 0.0
        self._open = False

    def register(self, screens: GameScreens) -> None:
        """Adds a game's screens. The engine must know the game."""
        assert screens.game in self.games
        self.screens[screens.game] = screens

    async def start(self) -> None:
        """Opens the store and gives everybody back the time for which the host was down. Raises `StoreRefused`."""
        await self.store.open()
        self._open = True
        now = self.clock.now()
        down = float(await self.store.fact("downtime") or 0)
        last = await self.store.fact("heartbeat")
        gap = max(0.0, now - float(last)) if last else 0.0
        if gap:
            await self.store.shift_jobs(CLOCKED, gap, now + GRACE)
            down += gap
            await self.store.set_fact("downtime", repr(down))
        self.tables.downtime = down
        await self._beat()

    async def close(self) -> None:
        """Finishes what is in hand and closes the store. Safe to call twice."""
        if not self._open:
            return
        self._open = False
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        self.thinkers.close()
        await self.store.set_fact("heartbeat", repr(self.clock.now()))
        await self.store.close()

    # -- what is due

    async def run_due(self) -> float | None:
        """Does all that is due, and what becomes due by it; returns when something will be next."""
        while self._open:
            soonest = await self.start_due()
            if not self._running:
                return soonest
            await asyncio.wait(self._running.values())
        return None

    async def start_due(self) -> float | None:
        """Starts what is due, one job at a time for each table; returns when something will be next."""
        if not self._open:
            return None
        now = self.clock.now()
        if now - self._beaten >= HEARTBEAT:
            await self._beat()
        if now - self._purged >= DAY:
            self._purged = now
            await self.store.purge(now - self.settings.keep_days * DAY)
        for job in await self.store.due(now):
            if job.table_id not in self._running:
                task = asyncio.create_task(self._do(job), name=f"job {job.kind} of table {job.table_id}")
                self._running[job.table_id] = task
                task.add_done_callback(lambda _task, table=job.table_id: self._running.pop(table, None))
        due = await self.store.next_due()
        beat = self._beaten + HEARTBEAT
        return beat if due is None else min(due, beat)

    @property
    def busy(self) -> set[asyncio.Task[None]]:
        """The jobs that are being done now."""
        return set(self._running.values())

    async def _beat(self) -> None:
        self._beaten = self.clock.now()
        self.presenter.sweep()
        await self.store.set_fact("heartbeat", repr(self._beaten))

    async def _do(self, job: Job) -> None:
        key = (job.table_id, job.kind)
        try:
            if job.kind == REDRAW:
                await self._redraw(job)
            else:
                await self.tables.do_job(job)
                await self.store.finish([job])
        except Refused:
            await self.store.finish([job])  # the table is gone, or cannot be read
        except (discord.HTTPException, OSError, StoreError) as error:
            log.warning("table %s: %s failed: %s", job.table_id, job.kind, error)
            await self._retry(job)
        except Exception:
            log.exception("table %s: %s failed", job.table_id, job.kind)
            await self._retry(job)
        else:
            self._failures.pop(key, None)

    async def _redraw(self, job: Job) -> None:
        now = self.clock.now()
        soonest = self._redrawn.get(job.table_id, 0.0) + self.settings.redraw_interval
        if now < soonest:  # edits coalesce: the newest wins
            await self.store.finish([job])
            await self.store.set_job(Job(job.table_id, REDRAW, soonest))
            return
        await self.presenter.redraw(job.table_id)
        self._redrawn[job.table_id] = now
        if len(self._redrawn) > 10_000:
            self._redrawn.clear()
        await self.store.finish([job])

    async def _retry(self, job: Job) -> None:
        key = (job.table_id, job.kind)
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        await self.store.finish([job])
        if failures >= GIVE_UP and job.kind == REDRAW:
            self._failures.pop(key)
            return
        wait = min(RETRY_MOST, RETRY_FIRST * 2 ** (failures - 1))
        await self.store.set_job(Job(job.table_id, job.kind, self.clock.now() + wait))

    # -- places that go away

    async def channel_gone(self, channel_id: int) -> None:
        """Ends the match of a channel that was deleted."""
        table = await self.tables.live_in(channel_id)
        if table is not None:
            await self.presenter.channel_gone(table)

    async def repost_all(self) -> None:
        """Posts every live table's message anew: for a Discord that has forgotten them (the playground's)."""
        for row in await self.store.live_tables():
            async with self.tables.change(row.id) as draft:
                messages = draft.table.body.messages
                messages.notice = messages.notice_seat = messages.lobby = messages.board = None
                draft.touch()
            await self.presenter.repost(row.id)
