"""Handling of events and frames that discord.py cannot parse.

An event is skipped. READY cannot be skipped, because it contains the bot's user and the shard's servers; nor can a
frame that is no event. In both cases the connection is closed, and reopened with the backoff of an outage, because
identifies are limited.

The log contains the kind of the event, the kind of the error, and the place in the code. It never contains the event,
nor the text of the error, which may quote the event.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import aiohttp
import discord.shard
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure

from bot.gateway.errors import Fault

log = logging.getLogger(__name__)

READY: Final = "READY"

_ENDINGS: Final = (
    *(discord.ConnectionClosed, ReconnectWebSocket, WebSocketClosure),
    *(discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError),
)
"""The errors after which discord.py itself reopens the connection or gives it up."""

Parser = Callable[[Any], None]


class UnreadableFrame(OSError):
    """discord.py cannot parse a frame, so the connection is unusable.

    discord.py reopens a connection after an `OSError`, with growing pauses.
    """


def skipping(event: str, parse: Parser, skipped: Callable[[str], None]) -> Parser:
    """A parser that skips and logs an event that cannot be parsed, and calls `skipped` with its kind."""

    def parse_or_skip(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - any error of discord.py's parser
            skipped(event)
            log.error("skipped an event that could not be parsed: %s", Fault(event, error))

    return parse if event == READY else parse_or_skip


class ParsingSocket(DiscordWebSocket):
    """A gateway connection that is reopened when a frame cannot be parsed."""

    async def received_message(self, msg: Any, /) -> None:
        try:
            await super().received_message(msg)
        except _ENDINGS:
            raise
        except Exception as error:  # noqa: BLE001 - any error of discord.py's parser
            log.error("could not parse a frame, reconnecting: %s", Fault(f"shard {self.shard_id}", error))
            await self.close()  # stops its heartbeats
            raise UnreadableFrame("a frame could not be parsed") from None


def use_parsing_sockets() -> None:
    """Makes discord.py open `ParsingSocket` connections. Call before the bot connects."""
    discord.shard.DiscordWebSocket = ParsingSocket  # pyright: ignore[reportPrivateImportUsage]
