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
        """Until when, on the event loop's clock, shards that were just taken over need not be connected."""
        self.reached = asyncio.Event()
        """Set once the first shard is connected; the others may take minutes."""

    def expect(self) -> None:
        """Counts as connected for a while from now on, because shards were taken over and are being connected."""
        self._expected_until = asyncio.get_running_loop().time() + self._timing.connecting

    @property
    def is_up(self) -> bool:
        """Whether any shard is connected to Discord, or will be in a moment."""
        if any(not shard.is_closed() for shard in self._client.shards.values()):
            return True
        return asyncio.get_running_loop().time() < self._expected_until
