"""The connection to Discord: whether people can press buttons, and the loop that does the due jobs while they can."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import discord

from bot.app.heartbeat import AWAY
from bot.app.host import Host
from bot.app.load import Utilisation
from bot.app.services import AppTiming
from bot.store.model import StoreLost

_CONNECTING: Final = 60.0
"""Seconds for which jobs run although no shard is connected, after shards were taken over."""


class Connectivity:
    """The state of the connections of all shards of this process."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client
        self._expected_until = 0.0
        """The time, on the event loop's clock, until which shards that were just taken over need not be connected."""
        self.reached = asyncio.Event()
        """Set once the first shard is connected; the others may take minutes."""

    def expect(self) -> None:
        """Counts the process as connected for a while, because it has taken shards over and connects them."""
        self._expected_until = asyncio.get_running_loop().time() + _CONNECTING

    @property
    def is_up(self) -> bool:
        """Whether any shard is connected to Discord, or is expected to be soon (`expect`)."""
        if any(not shard.is_closed() for shard in self._client.shards.values()):
            return True
        return asyncio.get_running_loop().time() < self._expected_until


log = logging.getLogger(__name__)


class JobLoop:
    """Checks for due jobs several times a second, and measures how busy the process is.

    Time during which nobody could press a button does not count against players. While Discord is out of reach no job
    is done, and afterwards this time counts as downtime, like time for which the machine slept.
    """

    def __init__(self, host: Host, connectivity: Connectivity, timing: AppTiming) -> None:
        self._host = host
        self._connectivity = connectivity
        self._timing = timing
        self._away = AWAY
        self._pause = timing.idle
        """Seconds until the next search. Right after a job others are likely, and few searches would have many
        messages drawn at once, for which a press would wait."""
        self._connected_at = 0.0
        """The time, on the host's clock, at which Discord could last be reached."""

    def host_started(self) -> None:
        """Starts to count time without a connection to Discord."""
        self._connected_at = self._host.clock.now()

    async def run(self) -> None:
        """Does the due jobs until it is cancelled. Raises `StoreLost`."""
        await self._connectivity.reached.wait()
        loop, utilisation = asyncio.get_running_loop(), Utilisation()
        while True:
            began, pause = loop.time(), self._timing.idle
            if self._connectivity.is_up:
                pause = await self._look()
            # However much is due, at least half of the time is left to presses.
            pause = max(pause, loop.time() - began)
            wakes_at = loop.time() + pause
            await asyncio.sleep(pause)
            self._host.load.record_delay(loop.time() - wakes_at)
            self._host.load.record_utilisation(utilisation.lately())

    async def _look(self) -> float:
        """Starts due work; returns the number of seconds until the next check. Raises `StoreLost`."""
        clock = self._host.clock
        try:
            await self._count_downtime(clock.now() - self._connected_at)
            self._connected_at = clock.now()
            due = await self._host.start_due()
        except StoreLost:
            raise
        except Exception:
            log.exception("what is due could not be looked up")
            return self._timing.after_error
        is_soon = due is not None and due < clock.now() + self._timing.idle
        self._pause = self._timing.soon if is_soon else min(2 * self._pause, self._timing.idle)
        return self._pause

    async def _count_downtime(self, away: float) -> None:
        """Counts the last `away` seconds, in which Discord could not be reached, as downtime, if they were many."""
        if away <= self._away:
            return
        if self._host.fleet.alone:
            log.warning("Discord was out of reach for %.0f s, which are given back", away)
            await self._host.heartbeat.count_downtime(away)
        else:
            # The processes of a fleet count downtime together (`Store.write_heartbeat`), and only if none of
            # them could serve people.
            self._host.heartbeat.grant_grace()
