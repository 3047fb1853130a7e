"""Redraws: the job that brings a table's messages up to date, and the least time between two of them."""

from __future__ import annotations

import logging
from collections.abc import Collection

from bot.app.guild_removals import Removals
from bot.app.services import DEFAULT, AppTiming
from bot.clock import Clock
from bot.settings import Settings
from bot.store.model import Job, StoreError
from bot.tables.model import MINUTE, Table
from bot.tables.service import Tables
from bot.ui.table_display import Presenter

log = logging.getLogger(__name__)


class RedrawTimes:
    """The times at which each table's messages were last drawn. Edits in quick succession become one."""

    def __init__(self, settings: Settings, clock: Clock, timing: AppTiming = DEFAULT) -> None:
        self._settings = settings
        self._clock = clock
        self._timing = timing
        self._drawn: dict[int, float] = {}

    def soonest(self, table_id: int) -> float:
        """The time from which a table's messages may be drawn again."""
        now, last = self._clock.now(), self._drawn.get(table_id, 0.0)
        return last + self._settings.redraw_interval if last <= now else 0.0

    def drawn(self, table_id: int, at: float) -> None:
        """Records that a redraw of the table began at this time."""
        self._drawn[table_id] = at
        if len(self._drawn) > self._timing.redraws_remembered:
            self._drawn = {table: each for table, each in self._drawn.items() if each > at - MINUTE}

    def expedite(self, table: Table) -> None:
        """Lets the table's next redraw begin without a wait."""
        self._drawn.pop(table.id, None)

    def forget(self, tables: Collection[int]) -> None:
        for table_id in tables:
            self._drawn.pop(table_id, None)


class RedrawJobs:
    """Carries out redraws with the table display (`Presenter`)."""

    def __init__(self, tables: Tables, presenter: Presenter, times: RedrawTimes, removals: Removals) -> None:
        self._tables = tables
        self.presenter = presenter
        self.times = times
        self._removals = removals

    async def do(self, job: Job) -> None:
        """Carries out a redraw, and finishes or postpones its job. Raises the presenter's and the store's errors."""
        store, now = self._tables.store, self._tables.clock.now()
        look_again = await self.presenter.redraw(job.table_id)
        if not self.presenter.is_urgent(job.table_id):
            self.times.drawn(job.table_id, now)
        if look_again is None:
            await store.finish([job])
        else:
            await store.postpone(job, now + look_again)
        if self.presenter.trouble_of(job.table_id) is not None:
            await self._removals.doubt(job.guild_id)

    async def follow(self, table_id: int) -> None:
        """Updates the open private screens of a table whose message has to wait for its redraw."""
        try:
            await self.presenter.private.follow_latest(table_id)
        except StoreError as error:  # the redraw tries again, as after any other failure
            log.info("table %s: its private screens could not follow: %s", table_id, error)
        except Exception:
            log.exception("table %s: its private screens could not follow", table_id)
