"""The identify budget: the number of sessions that the bot may still start today (`session_start_limit`).

Discord resets the token of a bot that exceeds its budget. Resuming a session is free.
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
from bot.gateway.timing import IDENTIFY, IdentifyTiming

log = logging.getLogger(__name__)
_ANSWER_VALID: Final = 30.0
"""Seconds for which an answer of Discord is used."""
_ANSWER_WITHIN: Final = 10.0
"""Timeout of the request, in seconds. Until then the last answer holds."""
_RESERVE: Final = 3
"""The part of the budget that is never used, because several processes may count it at the same time."""
_FEW: Final = 20
"""The budget is low below one part in this many of the day's, or below the shard count."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Discord's `session_start_limit`; `reset_after` is in seconds."""

    total: int
    remaining: int
    reset_after: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds to wait before an identify, and seconds between two identifies; both 0.0 with a sufficient budget."""

    wait: float = 0.0
    every: float = 0.0


PLENTY: Final = Allowance()


def allowance(limit: Limit, shards: int) -> Allowance:
    """The allowance for this many shards.

    A low budget is spread over the time until its reset.
    """
    if limit.remaining > max(shards, limit.total // _FEW):
        return PLENTY
    if limit.remaining <= _RESERVE:
        return Allowance(wait=limit.reset_after)
    return Allowance(every=limit.reset_after / (limit.remaining - _RESERVE))


class IdentifyBudget:
    """The identify budget, which all processes of the bot share."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[Limit]],
        elapsed: Callable[[], float] = ELAPSED,
        timing: IdentifyTiming = IDENTIFY,
    ) -> None:
        self._ask = ask
        self._elapsed = elapsed
        self._timing = timing
        self._limit: Limit | None = None
        self._asked = self._answered = 0.0
        """The times of the last request and of the last answer."""
        self._asking = asyncio.Lock()
        self._used = 0
        """Identifies since the last answer."""
        self._last = 0.0
        """The time of this process's last identify."""
        self._logged: str | None = None

    async def left(self, shards: int) -> Allowance:
        """The present allowance for this many shards."""
        async with self._asking:
            allowed = self._allowed(shards)
            valid = _ANSWER_VALID if allowed == PLENTY else self._timing.answer_valid_if_few
            if self._limit is None or self._elapsed() - self._asked >= valid:
                await self._fetch()
                allowed = self._allowed(shards)
            self._log_state(allowed, shards)
            return allowed

    def used(self) -> None:
        """Counts an identify."""
        self._used += 1
        self._last = self._elapsed()

    async def wait(self, shards: int) -> None:
        """Returns when a single process may identify, and counts the identify."""
        while True:
            allowed = await self.left(shards)
            wait = max(allowed.wait, self._last + allowed.every - self._elapsed() if self._last else 0.0)
            if wait <= 0:
                self.used()
                return
            await asyncio.sleep(min(wait, _ANSWER_VALID))

    async def _fetch(self) -> None:
        self._asked = self._elapsed()  # set for a failed request too
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                limit = await self._ask()
        except (discord.DiscordException, *UNDELIVERED) as error:
            log.info("could not fetch the identify budget (%s)", type(error).__name__)
        else:
            self._limit, self._used, self._answered = limit, 0, self._elapsed()

    def _allowed(self, shards: int) -> Allowance:
        if self._limit is None:
            return PLENTY
        left = max(0.0, self._limit.reset_after - (self._elapsed() - self._answered))
        now = Limit(self._limit.total, self._limit.remaining - self._used, left)
        return allowance(now, shards)

    def _log_state(self, allowed: Allowance, shards: int) -> None:
        """Logs once that the budget is low, and once that it is used up."""
        limit = self._limit
        kind = "none" if allowed.wait else "few" if allowed.every else None
        if limit is not None and kind is not None and kind != self._logged:
            log.error(
                "identify budget is low: %s of %s a day are left, for %s shards; reset in %.1f hours. %s Find out "
                "why the bot started, or lost its connections, so often; do not restart it before",
                max(0, limit.remaining - self._used),
                limit.total,
                shards,
                limit.reset_after / 3600,
                "Until then no shard is connected, because a bot that exceeds its budget loses its token."
                if kind == "none"
                else f"Until then one shard is connected every {allowed.every:.0f} seconds.",
            )
        self._logged = kind
