"""Whether this process is connected to Discord, so that people can press buttons."""

from __future__ import annotations

import asyncio
from typing import Final

import discord

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
