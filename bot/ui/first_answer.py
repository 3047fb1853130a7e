"""The first answer to an interaction, which Discord accepts once: it is tried again where it may not have arrived."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

import aiohttp
import discord

from bot.ratelimit.limiter import counting_tries

T = TypeVar("T")

ALREADY_ANSWERED: Final = 40060
"""Discord's error code for an interaction that has already been answered."""


async def twice(send: Callable[[], Awaitable[T]]) -> T:
    """Makes a request; if its connection drops, once more."""
    try:
        return await send()
    except (aiohttp.ClientError, OSError):
        return await send()


class FirstAnswer:
    """The first answer to one interaction, or its deferral."""

    def __init__(self) -> None:
        self.at: float | None = None
        """When Discord accepted it, on the event loop's clock."""
        self.beaten = False
        """Whether another process or bot had already answered at this process's first try."""
        self._may_have_arrived = False
        """Whether a try failed, or was given up, in a way that leaves open whether it arrived."""

    async def send(self, send: Callable[[], Awaitable[T]]) -> T | None:
        """Sends the answer; if the connection drops, once more.

        Returns None if an earlier try turns out to have arrived. Raises the errors of `send`.
        """
        with counting_tries() as tries:  # discord.py tries again by itself after an error of Discord's
            try:
                answer = await twice(partial(self._try, send))
            except discord.HTTPException as error:
                if error.code != ALREADY_ANSWERED:
                    raise
                if not self._may_have_arrived and tries.made <= 1:
                    self.beaten = True
                    raise
                answer = None
        self.note_accepted()
        return answer

    async def _try(self, send: Callable[[], Awaitable[T]]) -> T:
        try:
            return await send()
        except discord.HTTPException as error:
            self._may_have_arrived |= error.status >= 500
            raise
        except (aiohttp.ClientError, OSError, asyncio.CancelledError):
            self._may_have_arrived = True
            raise

    def note_accepted(self) -> None:
        """Notes that Discord has accepted the answer."""
        if self.at is None:
            self.at = asyncio.get_running_loop().time()
