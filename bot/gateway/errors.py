"""How errors from Discord may appear in the log: with their kind, and with nothing of what was sent.

Discord words its errors itself and may repeat parts of the refused message in them: hands, names, lucky words.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import discord

UNDELIVERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The errors that are raised if Discord does not accept something or cannot be reached."""


def _without_its_text(self: discord.HTTPException) -> str:
    return f"HTTP {self.status}, code {self.code}"


def keep_texts_out_of_logs() -> None:
    """Makes discord.py's errors print without Discord's own words, wherever they are printed, tracebacks included.

    Code can still read those words as `error.text`.
    """
    discord.HTTPException.__str__ = _without_its_text
    discord.HTTPException.__repr__ = lambda self: f"<{type(self).__name__}: {self}>"


def brief(error: BaseException) -> str:
    """The error in a few words, and without anything that was sent."""
    if isinstance(error, discord.HTTPException):
        return _without_its_text(error)
    if isinstance(error, aiohttp.ClientResponseError):
        # Its own text holds the address, which may contain a token.
        return f"{type(error).__name__} {error.status}"
    return str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Brief:
    """An error as the argument of a log call. It prints in a few words.

    `bot.observability.log_dedup` can still see what it is.
    """

    error: BaseException

    def __str__(self) -> str:
        return brief(self.error)


@dataclass(frozen=True, slots=True)
class Fault:
    """An error over what Discord sent, as the argument of a log call. It prints nothing of what was sent.

    `what` is the kind of what was sent. `bot.observability.log_dedup` logs a fault once, and then how often it came.
    """

    what: str
    error: BaseException

    def __str__(self) -> str:
        frames = traceback.extract_tb(self.error.__traceback__)
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        return f"{self.what}, {type(self.error).__name__}{place}"


def passes(error: BaseException) -> bool:
    """Whether the error is an outage, which will pass, and not a request that Discord will never accept."""
    if isinstance(error, discord.HTTPException):
        return error.status == 429 or error.status >= 500
    if isinstance(error, discord.ConnectionClosed):
        return True
    return isinstance(error, (aiohttp.ClientError, OSError, discord.GatewayNotFound))
