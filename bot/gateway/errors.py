"""Errors from Discord as log arguments: the kind of the error, without any content.

Discord's texts may quote the refused message, and so hands, names and lucky words.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import discord

UNDELIVERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The errors of a request that Discord refused or that did not reach Discord."""
MISSING_ACCESS: Final = 50001
"""Discord's error code for a channel that the bot may not view."""
MISSING_PERMISSIONS: Final = 50013
"""Discord's error code for a request for which the bot lacks another permission."""


def _without_its_text(self: discord.HTTPException) -> str:
    return f"HTTP {self.status}, code {self.code}"


def keep_texts_out_of_logs() -> None:
    """Makes discord.py's errors print status and code only, in tracebacks too.

    Code can still read Discord's text as `error.text`.
    """
    discord.HTTPException.__str__ = _without_its_text
    discord.HTTPException.__repr__ = lambda self: f"<{type(self).__name__}: {self}>"


def brief(error: BaseException) -> str:
    """The error in a few words, without content."""
    if isinstance(error, discord.HTTPException):
        return _without_its_text(error)
    if isinstance(error, aiohttp.ClientResponseError):
        # The error's text contains the address, which may contain a token.
        return f"{type(error).__name__} {error.status}"
    return str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Brief:
    """An error as a log argument, printed in a few words and recognised by `bot.observability.log_dedup`."""

    error: BaseException

    def __str__(self) -> str:
        return brief(self.error)


@dataclass(frozen=True, slots=True)
class Fault:
    """A parse error as a log argument, printed without the parsed data.

    `what`: the kind of the data. `bot.observability.log_dedup` logs each fault once, then its count.
    """

    what: str
    error: BaseException

    def __str__(self) -> str:
        frames = traceback.extract_tb(self.error.__traceback__)
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        return f"{self.what}, {type(self.error).__name__}{place}"


def is_transient(error: BaseException) -> bool:
    """Whether the error is an outage, and not a permanent refusal."""
    if isinstance(error, discord.HTTPException):
        return error.status == 429 or error.status >= 500
    if isinstance(error, discord.ConnectionClosed):
        return True
    return isinstance(error, (aiohttp.ClientError, OSError, discord.GatewayNotFound))
