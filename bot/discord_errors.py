"""Errors of Discord's as they may stand in the log: what kind they are, and nothing of what was sent.

Discord words an error itself, and may repeat parts of the refused message in it: hands, names, words.
"""

from __future__ import annotations

from dataclasses import dataclass

import aiohttp
import discord


def _without_its_text(self: discord.HTTPException) -> str:
    return f"HTTP {self.status}, code {self.code}"


def keep_texts_out_of_logs() -> None:
    """Has discord.py's errors print without Discord's own words, whoever prints them: a traceback, asyncio, discord.py.

    The text is still there, for code, as `error.text`.
    """
    discord.HTTPException.__str__ = _without_its_text
    discord.HTTPException.__repr__ = lambda self: f"<{type(self).__name__}: {self}>"


def brief(error: BaseException) -> str:
    """An error in a few words."""
    if isinstance(error, discord.HTTPException):
        return _without_its_text(error)
    if isinstance(error, aiohttp.ClientResponseError):  # whose own text has the address, tokens and all
        return f"{type(error).__name__} {error.status}"
    return str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Brief:
    """An error to be logged: prints in a few words, and the log still knows what it is (`bot.calm`)."""

    error: BaseException

    def __str__(self) -> str:
        return brief(self.error)


def passes(error: BaseException) -> bool:
    """Whether this is an outage, which ends some time, and not something that Discord will never take."""
    if isinstance(error, discord.HTTPException):
        return error.status == 429 or error.status >= 500
    if isinstance(error, discord.ConnectionClosed):
        return True
    return isinstance(error, (aiohttp.ClientError, OSError, discord.GatewayNotFound))
