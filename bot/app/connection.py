"""The connection to Discord: whether people can press buttons, the servers that the bot is on, and the acts on shards.

The acts are those of this process on the shards that it owns in a fleet (`bot.fleet.shard_states.ShardHandler`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import discord

from bot.app.host import Host
from bot.gateway.shards import Shards
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import shard_of
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
