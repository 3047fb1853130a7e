"""Keeps the bot's requests below Discord's limit for all of them together.

discord.py keeps the limits of single channels, but finds this one out by being refused: a thousand boards that are
drawn at once are refused some ten thousand times, for which Discord shuts a bot out altogether.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import aiohttp

AT_ONCE: Final = 5
"""Requests that need not keep their distance."""

EXEMPT: Final = ("/interactions/", "/webhooks/")
"""Answers to presses do not count, and must not wait."""


class Pace:
    """Lets through at most so many requests a second, in the order in which they came."""

    def __init__(self, per_second: float) -> None:
        self._distance = 1 / per_second
        self._free = 0.0
        """When, on the loop's clock, the next request would be let through if none might come early."""

    async def wait(self) -> None:
        """Returns when the next request may be made."""
        now = asyncio.get_running_loop().time()
        self._free = max(self._free, now) + self._distance
        early = self._free - now - AT_ONCE * self._distance
        if early > 0:
            await asyncio.sleep(early)

    def trace(self) -> aiohttp.TraceConfig:
        """Has a session of aiohttp keep this pace."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._on_request_start)
        return config

    async def _on_request_start(
        self, _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        if not any(part in request.url.path for part in EXEMPT):
            await self.wait()
