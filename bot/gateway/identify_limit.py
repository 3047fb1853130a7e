"""How many logins Discord still allows today. A bot that uses them up loses its token.

To log in is what Discord calls to identify. To resume a connection that was lost for a short time is free.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import discord

from bot.clock import ELAPSED
from bot.gateway.errors import UNDELIVERED

log = logging.getLogger(__name__)

FRESH: Final = 30.0
"""Seconds after which Discord is asked again how many logins are left."""
FRESH_IF_FEW: Final = 5.0
"""The same while few are left, because other processes use them too."""
ANSWERING: Final = 10.0
"""Seconds that Discord may take to answer. What it said last holds until then."""
LAST: Final = 3
"""So many logins are never used: several processes may count them at the same time."""
FEW: Final = 20
"""Few are left if no more than one in so many of the day's are, or fewer than there are shards."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Discord's limit, as `/gateway/bot` tells it; `reset_after` is in seconds."""

    total: int
    remaining: int
    reset_after: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds for which nobody may log in, and seconds that are to lie between two logins; 0.0 if plenty are left."""

    wait: float = 0.0
    every: float = 0.0


PLENTY: Final = Allowance()


def allowance(limit: Limit, shards: int) -> Allowance:
    """What the limit leaves to a bot with so many shards.

    If few logins are left, they are spread over the time until Discord allows new ones.
    """
    if limit.remaining > max(shards, limit.total // FEW):
        return PLENTY
    if limit.remaining <= LAST:
        return Allowance(wait=limit.reset_after)
    return Allowance(every=limit.reset_after / (limit.remaining - LAST))


class Logins:
    """Keeps the logins of this process within Discord's limit, which holds for all processes of the bot together."""

    def __init__(self, ask: Callable[[], Awaitable[Limit]], elapsed: Callable[[], float] = ELAPSED) -> None:
        self._ask = ask
        self._elapsed = elapsed
        self._limit: Limit | None = None
        self._asked = self._told = 0.0
        """When it was last asked, and when it was last told, what the limit is."""
        self._asking = asyncio.Lock()
        self._used = 0
        """Logins since Discord was asked."""
        self._last = 0.0
        """When this process last logged in."""
        self._said: str | None = None

    async def left(self, shards: int) -> Allowance:
        """What Discord allows now to a bot with so many shards."""
        async with self._asking:
            allowed = self._allowed(shards)
            fresh = FRESH if allowed == PLENTY else FRESH_IF_FEW
            if self._limit is None or self._elapsed() - self._asked >= fresh:
                await self._look()
                allowed = self._allowed(shards)
            self._say(allowed, shards)
            return allowed

    def used(self) -> None:
        """To be told of each login."""
        self._used += 1
        self._last = self._elapsed()

    async def wait(self, shards: int) -> None:
        """Returns when a process that is alone may log in, and counts that."""
        while True:
            allowed = await self.left(shards)
            wait = max(allowed.wait, self._last + allowed.every - self._elapsed() if self._last else 0.0)
            if wait <= 0:
                self.used()
                return
            await asyncio.sleep(min(wait, FRESH))

    async def _look(self) -> None:
        self._asked = self._elapsed()  # also if there is no answer: then it is asked again as late
        try:
            async with asyncio.timeout(ANSWERING):
                limit = await self._ask()
        except (discord.DiscordException, *UNDELIVERED) as error:
            log.info("how many logins are left could not be asked (%s)", type(error).__name__)
        else:
            self._limit, self._used, self._told = limit, 0, self._elapsed()

    def _allowed(self, shards: int) -> Allowance:
        if self._limit is None:
            return PLENTY
        left = max(0.0, self._limit.reset_after - (self._elapsed() - self._told))
        return allowance(Limit(self._limit.total, self._limit.remaining - self._used, left), shards)

    def _say(self, allowed: Allowance, shards: int) -> None:
        """Tells the operator, once, that few logins are left or none."""
        limit = self._limit
        kind = "none" if allowed.wait else "few" if allowed.every else None
        if limit is not None and kind is not None and kind != self._said:
            log.error(
                "only %s of the %s logins that Discord allows a day are left, for %s shards; there are new ones in "
                "%.1f hours. %s Find out why the bot has started, or lost its connections, so often; do not restart it "
                "before",
                max(0, limit.remaining - self._used),
                limit.total,
                shards,
                limit.reset_after / 3600,
                "Until then nothing more is connected, because a bot that uses up its logins loses its token."
                if kind == "none"
                else f"Until then one shard is connected in {allowed.every:.0f} seconds.",
            )
        self._said = kind
