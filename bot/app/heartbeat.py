"""Notes in the store that people can be served, and gives them back the time for which they could not be."""

from __future__ import annotations

import logging
import math

from bot.app.services import Services
from bot.store.model import StoreError
from bot.tables.service import Tables

log = logging.getLogger(__name__)


class Heartbeat:
    """The heartbeat of this process. The store adds up the times between the heartbeats of all processes."""

    def __init__(self, services: Services, tables: Tables) -> None:
        self._store = services.store
        self._clock = services.clock
        self._fleet = services.fleet
        self._timing = services.timing.heartbeat
        self._tables = tables
        self._tried = 0.0
        """When a heartbeat was last tried."""
        self._noted = 0.0
        """When a heartbeat was last written; 0 before the first."""

    @property
    def next(self) -> float:
        """When the next heartbeat is due."""
        return self._tried + self._timing.every

    @property
    def grace_ends(self) -> float:
        """The end, in host time, of a grace period that begins now."""
        return self._clock.now() - self._tables.time.downtime + self._timing.grace

    async def begin(self, *, others_live: bool) -> None:
        """Gives back all time since the last heartbeat, or a long time only if other processes live.

        Raises `StoreError`.
        """
        await self._note(self._timing.away if others_live else 0.0)

    async def take_over(self) -> None:
        """Gives back a long time without heartbeat before this process works for other shards. Raises `StoreError`."""
        await self._note(self._timing.away)

    async def give_back(self, seconds: float) -> None:
        """Gives everybody back the last `seconds`, in which this process, which is alone, could serve nobody.

        Raises `StoreError`.
        """
        # People could still be served after the last heartbeat. A crash between these two leaves the rest to the next
        # start.
        await self._store.write_heartbeat(self._clock.now() - seconds, math.inf)
        await self._note(0.0)

    def grant_grace(self) -> None:
        """Gives everybody at the tables of this process the grace period, because they could not reach it for long."""
        self._tables.start(self._tables.time.downtime, self.grace_ends)

    async def beat_if_due(self, now: float) -> None:
        """Writes a heartbeat if one is due. Raises `StoreError` if the store was away for long and still is."""
        if not self._fleet.alone and now - self._noted > self._timing.away:
            # That time is given back before anybody's limit runs out.
            await self._note(self._timing.away)
        elif now >= self.next:
            await self.beat()

    async def beat(self) -> None:
        """Writes a heartbeat, if the store takes it."""
        self._tried = self._clock.now()
        try:
            # A process that is alone gives time back itself: it knows exactly since when it could serve nobody.
            await self._note(math.inf if self._fleet.alone else self._timing.away)
        except StoreError as error:
            log.warning("could not write heartbeat: %s", error)

    async def _note(self, away: float) -> None:
        """Writes a heartbeat. If nobody could be served for longer than `away` seconds, gives those back.

        Whenever time was given back, by this process or another one, everybody gets the grace period. Raises
        `StoreError`.
        """
        now = self._clock.now()
        down = await self._store.write_heartbeat(now, away)
        if down != self._tables.time.downtime or not self._noted:
            self._tables.start(down, now - down + self._timing.grace)
        self._tried = self._noted = now
