"""Writes heartbeats while people can be served. Time without a heartbeat counts as downtime, in which host time stands
still (`bot.tables.deadlines`).
"""

from __future__ import annotations

import logging
import math
from typing import Final

from bot.app.services import Services
from bot.store.model import StoreError
from bot.tables.model import MINUTE
from bot.tables.service import Tables

log = logging.getLogger(__name__)
EVERY: Final = 30.0
"""Seconds between two heartbeats in the store. A crash can cost a player at most this much time."""
AWAY: Final = 90.0
"""Seconds. Only a longer time for which nobody could be served is given back; reconnections take less."""
GRACE: Final = 5 * MINUTE
"""Seconds for which nobody's time runs out after a start, after taking over a shard, and after an outage."""


class Heartbeat:
    """The heartbeat of this process. The store adds up the downtime from the heartbeats of all processes."""

    def __init__(self, services: Services, tables: Tables) -> None:
        self._store = services.store
        self._clock = services.clock
        self._fleet = services.fleet
        self._tables = tables
        self._tried = 0.0
        """The time of the last attempt to write a heartbeat."""
        self._noted = 0.0
        """The time at which a heartbeat was last written; 0 before the first."""

    @property
    def next(self) -> float:
        """The time at which the next heartbeat is due."""
        return self._tried + EVERY

    @property
    def grace_ends(self) -> float:
        """The end, in host time, of a grace period that begins now."""
        return self._clock.now() - self._tables.time.downtime + GRACE

    async def begin(self, *, others_live: bool) -> None:
        """Counts the time since the last heartbeat as downtime; if other processes live, only a long time.

        Raises `StoreError`.
        """
        await self._note(AWAY if others_live else 0.0)

    async def take_over(self) -> None:
        """Counts a long time without a heartbeat as downtime, before this process works for other shards.

        Raises `StoreError`.
        """
        await self._note(AWAY)

    async def count_downtime(self, seconds: float) -> None:
        """Counts the last `seconds`, in which this single process could serve nobody, as downtime.

        Raises `StoreError`.
        """
        # People were still served for a while after the last heartbeat, and this time must not count. After a crash
        # between these two writes, the next start counts the downtime.
        await self._store.write_heartbeat(self._clock.now() - seconds, math.inf)
        await self._note(0.0)

    def grant_grace(self) -> None:
        """Starts the grace period at the tables of this process, because people could not reach it for long."""
        self._tables.start(self._tables.time.downtime, self.grace_ends)

    async def beat_if_due(self, now: float) -> None:
        """Writes a heartbeat if one is due. Raises `StoreError` if the store has been unavailable for long."""
        if not self._fleet.alone and now - self._noted > AWAY:
            # This time counts as downtime before anybody's limit runs out.
            await self._note(AWAY)
        elif now >= self.next:
            await self.beat()

    async def beat(self) -> None:
        """Writes a heartbeat; logs a failure."""
        self._tried = self._clock.now()
        try:
            # A single process calls `count_downtime` itself, with the exact time for which it could serve nobody.
            await self._note(math.inf if self._fleet.alone else AWAY)
        except StoreError as error:
            log.warning("could not write heartbeat: %s", error)

    async def _note(self, away: float) -> None:
        """Writes a heartbeat. More than `away` seconds since the last one count as downtime.

        Whenever the downtime has changed, by this process or another one, the grace period starts. Raises
        `StoreError`.
        """
        now = self._clock.now()
        down = await self._store.write_heartbeat(now, away)
        if down != self._tables.time.downtime or not self._noted:
            self._tables.start(down, now - down + GRACE)
        self._tried = self._noted = now
