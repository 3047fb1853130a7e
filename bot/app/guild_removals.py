"""The servers that the bot was removed from. Their matches sleep, and end if the bot is not invited again in time.
Wishes for a match are deleted at once.

A server's outage is not a removal. Discord's events distinguish the two; without an event, the bot sends Discord a
request. The time of each removal is stored as a fact, so that it survives a restart. The owner of a server's shard
handles the removal, because Discord notifies only the owner; a new owner reads the fact.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import discord

from bot.fleet.fleet import Fleet
from bot.gateway.errors import UNDELIVERED
from bot.store.engine import Shards
from bot.store.model import StoreError, shard_of
from bot.tables.absence import end, sleep, wake
from bot.tables.draft import Draft
from bot.tables.model import DAY, HOUR
from bot.tables.refusals import Refused
from bot.tables.service import Tables

log = logging.getLogger(__name__)

FACT: Final = "departed"
"""The fact that holds the time of each removal, by server."""
REMOVAL_GRACE: Final = 7 * DAY
"""Seconds after a removal from a server for which its matches are kept. After a new invitation they go on."""
DOUBT_AGAIN: Final = HOUR
"""Seconds before Discord is asked again whether the bot is still on the same server."""


class Servers:
    """The bot's memberships of servers, according to Discord."""

    def __init__(
        self, client: discord.AutoShardedClient, is_listed: Callable[[int], bool] | None = None
    ) -> None:
        """`is_listed`: whether Discord has sent this process the servers of a shard; None for a single process."""
        self._client = client
        self._is_listed = is_listed

    def memberships(self) -> set[int]:
        """The servers that the bot is on according to the connection, those with an outage included."""
        return {guild.id for guild in self._client.guilds}

    def is_ours(self, guild: int) -> bool:
        """Whether the server's shard is connected here, so that `memberships` has the server if the bot is on it."""
        shard = shard_of(guild, self._client.shard_count or 1)
        return self._is_listed is None or self._is_listed(shard)

    async def is_member(self, guild: int) -> bool:
        """Whether the bot is on this server, by a request to Discord. Also True if Discord gives no answer."""
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


class Removals:
    """Records the servers that the bot was removed from. Puts their tables to sleep, wakes them, and ends them."""

    def __init__(self, tables: Tables, fleet: Fleet) -> None:
        self._tables = tables
        self._fleet = fleet
        self._store = tables.store
        self._clock = tables.clock
        self._departed: dict[int, float] = {}
        """The time at which each removal was found, by server. Later entries of other processes are missing here."""
        self._servers: Servers | None = None
        """None until all connections to Discord are up."""
        self._doubted: dict[int, float] = {}
        self._lock = asyncio.Lock()

    async def load(self) -> None:
        """Reads the fact. Called again when this process owns other shards. Raises `StoreError`."""
        self._departed = _read(await self._store.fact(FACT))

    async def ready(self, servers: Servers, shards: Shards | None = None) -> None:
        """Finds the servers that the bot was removed from, or invited to again, while it was not connected.

        Called whenever Discord has sent the servers of all shards, or of these. Raises `StoreError`.
        """
        self._servers = servers
        here = servers.memberships()
        for guild in [guild for guild in self._departed if guild in here]:
            await self.joined(guild)
        # A table in a group DM is on no server.
        known = {guild for _, guild in await self._store.live_table_ids(shards=shards) if guild}
        for guild in known.union(await self._store.wishes.guilds()):
            owned = self._fleet.owns(guild) and servers.is_ours(guild)
            if owned and guild not in here and guild not in servers.memberships():
                await self.left(guild)

    async def left(self, guild: int) -> None:
        """Records the bot's removal from this server, and puts its tables to sleep. Raises `StoreError`.

        The wishes of its people for a match are deleted.
        """
        if not self._fleet.serves(guild):
            return  # the process that takes over the shard finds the removal itself
        async with self._lock:
            await self._store.wishes.forget_guild(guild)
            tables = await self._live_tables(guild)
            if not tables:
                return
            if guild not in self._departed:
                now = self._clock.now()
                await self._keep(lambda departed: {guild: now, **departed})
                log.warning(
                    "removed from server %s: its %s live tables sleep, and end in %s days unless I am invited again",
                    guild,
                    len(tables),
                    REMOVAL_GRACE // DAY,
                )
            await self._change_all(tables, sleep)

    async def joined(self, guild: int) -> None:
        """Deletes a removal and wakes the tables: the bot is on this server again, or still. Raises `StoreError`."""
        async with self._lock:
            if guild not in self._departed or not self._fleet.serves(guild):
                return
            # The removal is deleted from the store last, so that after a crash in between all tables are woken once
            # more.
            await self._change_all(await self._live_tables(guild), wake)
            await self._keep(_without(guild))

    async def doubt(self, guild: int) -> None:
        """Checks for a removal after a message could not be drawn on this server. Raises `StoreError`.

        Sends Discord a request once an hour at most: there is no event for a removal that happened while the
        connection was lost.
        """
        now = self._clock.now()
        if guild in self._departed:
            await self.left(guild)  # puts a table to sleep that was opened since
        if self._servers is None or not guild or guild in self._departed:
            return
        again = DOUBT_AGAIN
        if 0 <= now - self._doubted.get(guild, -again) < again:
            return
        self._doubted = {other: at for other, at in self._doubted.items() if 0 <= now - at < again}
        self._doubted[guild] = now
        if not await self._servers.is_member(guild):
            await self.left(guild)

    async def end_overdue(self) -> None:
        """Ends the matches of servers that the bot was removed from too long ago."""
        if self._servers is None:
            return  # the bot may have been invited again while it was not connected
        now = self._clock.now()
        for guild in [guild for guild, at in self._departed.items() if now - at >= REMOVAL_GRACE]:
            if not self._fleet.owns(guild) or not self._servers.is_ours(guild):
                continue  # another process owns the server's shard, or it is not connected here yet
            with suppress(StoreError):  # tried again the next time
                if guild in self._servers.memberships():
                    await self.joined(guild)
                else:
                    await self._end_all(guild)

    async def _end_all(self, guild: int) -> None:
        async with self._lock:
            tables = await self._live_tables(guild)
            for table_id in tables:
                try:
                    await self._tables.apply(table_id, end)
                except Refused as refused:
                    if refused.code == "unreadable":
                        await self._tables.give_up(table_id)
            await self._keep(_without(guild))
            if tables:
                log.info(
                    "ended the %s live tables of server %s, which I was removed from", len(tables), guild
                )

    async def _live_tables(self, guild: int) -> list[int]:
        return [table_id for table_id, _ in await self._store.live_table_ids(server=guild)]

    async def _change_all(self, tables: list[int], act: Callable[[Draft], None]) -> None:
        for table_id in tables:
            with suppress(Refused):
                # The table has just ended or been deleted, or cannot be read: there is nothing to do.
                await self._tables.apply(table_id, act)

    async def _keep(self, change: Callable[[dict[int, float]], dict[int, float]]) -> None:
        """Changes the fact, including the entries that other processes have made meanwhile."""
        kept = await self._store.change_fact(FACT, lambda text: json.dumps(change(_read(text))))
        self._departed = _read(kept)


def _read(text: str | None) -> dict[int, float]:
    kept: dict[str, float] = json.loads(text or "{}")
    return {int(guild): at for guild, at in kept.items()}


def _without(guild: int) -> Callable[[dict[int, float]], dict[int, float]]:
    return lambda departed: {other: at for other, at in departed.items() if other != guild}
