"""Errors from Discord as log arguments, the kind of the error without any content; and fatal close codes with remedies.

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
    """An error as a log argument, printed in a few words and recognised by `bot.observability.logs`."""

    error: BaseException

    def __str__(self) -> str:
        return brief(self.error)


@dataclass(frozen=True, slots=True)
class Fault:
    """A parse error as a log argument, printed without the parsed data.

    `what`: the kind of the data. `bot.observability.logs` logs each fault once, then its count.
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


NOT_ACCEPTED: Final = (
    "Discord does not accept this DISCORD_TOKEN. Make a new one and put it in the place of this one."
)

FINAL: Final = {
    4004: NOT_ACCEPTED,
    4010: (
        "Discord does not know such a shard. Check SHARD_COUNT, or remove it: then Discord is asked how many there "
        "should be."
    ),
    4011: (
        "The bot is on too many servers for so few shards. Raise SHARD_COUNT, or remove it: then Discord is asked how "
        "many there should be."
    ),
    4012: (
        "Discord no longer takes connections of the form that this version uses. Update Digsite and discord.py, then "
        "start again."
    ),
    4013: (
        "Discord does not know something that this version asks to be told of (its intents). Update Digsite and "
        "discord.py, then start again."
    ),
    4014: (
        "Discord does not let this bot be told of all that it asks for (its intents). Digsite asks for the guilds "
        "alone, which every bot may: has it been changed? What else it asks for must be switched on under Privileged "
        "Gateway Intents, on the page Bot at discord.com/developers/applications."
    ),
}
"""The texts by close code: the reason why a retry would fail too, and the remedy."""


def final_reason(error: BaseException | None) -> str | None:
    """The reason why a retry after this error would fail too, and the remedy; None if a retry may succeed."""
    if isinstance(error, discord.LoginFailure):
        return NOT_ACCEPTED
    if isinstance(error, discord.PrivilegedIntentsRequired):  # discord.py raises this for code 4014
        return FINAL[4014]
    return FINAL.get(error.code) if isinstance(error, discord.ConnectionClosed) else None
