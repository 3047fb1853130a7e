"""The operator's notice, which every table message shows until the operator withdraws it."""

from __future__ import annotations

from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.store.model import Job
from bot.store.store import Store
from bot.tables.draft import REDRAW
from bot.tables.refusals import Refused
from engine.plain import plain

NOTICE: Final = "notice"
"""The fact that holds the notice."""
LONGEST_NOTICE: Final = 300
"""The most characters of a notice. A full table message has room for them."""


class Notice:
    """A copy of the notice in memory. Each process reads the fact again when another process has changed it."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self.text = ""
        """Empty if there is no notice."""
        fleet.on("controls", self._reload)

    async def load(self) -> None:
        """Reads the notice from the store. Raises `StoreError`."""
        self.text = await self._store.fact(NOTICE) or ""

    async def _reload(self) -> None:
        shown = self.text
        await self.load()
        if self.text != shown:
            await self._redraw_all()

    async def set(self, text: str) -> None:
        """Stores another notice, or none if the text is empty, and schedules a redraw of all live tables.

        Raises `Refused`, `StoreError`.
        """
        notice = plain(text)
        if len(notice) > LONGEST_NOTICE:
            raise Refused("notice-long", number=len(notice), most=LONGEST_NOTICE)
        await self._store.set_fact(NOTICE, notice)
        self.text = notice
        await self._fleet.publish_with_retry("controls")
        await self._redraw_all()

    async def _redraw_all(self) -> None:
        """Schedules redraws of live tables: of all tables in the leader, else of those on the owned shards."""
        now = self._clock.now()
        for table_id, server in await self._store.live_table_ids():
            if self._fleet.is_leader or self._fleet.owns(server):
                await self._store.set_job(Job(table_id, REDRAW, now))
