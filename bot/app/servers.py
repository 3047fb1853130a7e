"""The servers that the bot is on: the connection's list of them, and requests to Discord about single ones."""

from __future__ import annotations

import logging
from collections.abc import Callable

import discord

from bot.store.model import shard_of
from bot.ui.interaction import UNDELIVERED

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
