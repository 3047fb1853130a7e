"""The connection to Discord: whether people can press buttons, the servers that the bot is on, and the acts on shards.
While Discord can be reached, a loop does the due jobs.

The acts are those of this process on the shards that it owns in a fleet (`bot.fleet.shard_states.ShardHandler`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import discord

from bot.app.heartbeat import AWAY
from bot.app.host import Host
from bot.app.load import Utilisation
from bot.app.services import AppTiming
from bot.gateway.shards import Shards
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import StoreLost, shard_of
from bot.ui.interaction import UNDELIVERED

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


class Servers:
    """The membership requests to Discord that `bot.app.guild_removals` and the operator make."""

    def __init__(
        self, client: discord.AutoShardedClient, is_listed: Callable[[int], bool] | None = None
    ) -> None:
        """`is_listed`: whether Discord has sent this process the servers of a shard; None for a single process."""
        self._client = client
        self._is_listed = is_listed

    def memberships(self) -> set[int]:
        return {guild.id for guild in self._client.guilds}

    def is_ours(self, guild: int) -> bool:
        shard = shard_of(guild, self._client.shard_count or 1)
        return self._is_listed is None or self._is_listed(shard)

    async def is_member(self, guild: int) -> bool:
        try:
            await self._client.fetch_guild(guild, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return False
        except UNDELIVERED as error:
            log.info("whether I am on server %s could not be asked (%s)", guild, type(error).__name__)
        return True

    async def leave(self, guild: int) -> bool:
        """Leaves a server; returns whether the bot was on it."""
        try:
            found = self._client.get_guild(guild) or await self._client.fetch_guild(guild, with_counts=False)
            await found.leave()
        except (discord.NotFound, discord.Forbidden):
            return False
        return True


class ShardKeeper:
    """Does the jobs of the shards that this process owns, connects them, and sets its share of the requests."""

    def __init__(self, host: Host, gateway: Shards, limiter: RateLimiter, connectivity: Connectivity) -> None:
        self._host = host
        self._gateway = gateway
        self._limiter = limiter
        self._connectivity = connectivity

    async def gained(self, shards: frozenset[int]) -> None:
        await self._host.took_over(shards)
        self._connectivity.expect()

    def lost(self, shards: frozenset[int]) -> None:
        self._host.gave_up(shards)

    async def finish(self, shards: frozenset[int], within: float) -> None:
        await self._host.finish(shards, within)

    def connect_only(self, shards: frozenset[int]) -> None:
        self._gateway.want(shards)

    def connected(self, shard: int) -> bool:
        return self._gateway.is_connected(shard)

    def waits_in_turn(self) -> bool:
        return self._gateway.waits_in_turn()

    def shared_by(self, processes: int, at: float) -> None:
        self._limiter.share(max(1, processes), at)


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
