"""Whether this process is connected to Discord, so that people can press buttons."""

from __future__ import annotations

import asyncio

import discord

from bot.app.timing import DEFAULT, ConnectionTiming


class Connectivity:
    """The state of the connections of all shards of this process."""

    def __init__(
        self, client: discord.AutoShardedClient, timing: ConnectionTiming = DEFAULT.connection
    ) -> None:
        self._client = client
        self._timing = timing
        self._expected_until = 0.0
        """The time, on the event loop's clock, until which shards that were just taken over need not be connected."""
        self.reached = asyncio.Event()
        """Set once the first shard is connected; the others may take minutes."""

    def expect(self) -> None:
        """Counts the process as connected for a while, because it has taken shards over and connects them."""
        self._expected_until = asyncio.get_running_loop().time() + self._timing.connecting

    @property
    def is_up(self) -> bool:
        """Whether any shard is connected to Discord, or is expected to be soon (`expect`)."""
        if any(not shard.is_closed() for shard in self._client.shards.values()):
            return True
        return asyncio.get_running_loop().time() < self._expected_until
