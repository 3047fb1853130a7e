"""What becomes of what Discord sends and discord.py cannot read.

An event is left out, and the bot goes on. Without a shard's first event, READY, discord.py knows neither the bot nor
the shard's servers, and a frame that is no event cannot be left out either. The connection is then closed and opened
anew, after the growing pauses of an outage, because the identifies of a day are limited.

The log names the kind of the event, the kind of the error and the place in the code. It repeats nothing of the event,
and no text of the error either, which may quote the event.
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
"""The errors by which discord.py itself ends a connection, and then opens it anew or gives it up."""

Parser = Callable[[Any], None]


class UnreadableFrame(OSError):
    """A connection cannot be used, because discord.py cannot read what came over it.

    discord.py opens a connection anew after an `OSError`, and waits longer each time.
    """


def skipping(event: str, parse: Parser, skipped: Callable[[str], None]) -> Parser:
    """A parser that leaves an event out which cannot be read, logs that, and calls `skipped` with the event's kind."""

    def parse_or_skip(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - whatever discord.py stumbles over
            skipped(event)
            log.error("an event that cannot be read is left out: %s", Fault(event, error))

    return parse if event == READY else parse_or_skip


class CarefulSocket(DiscordWebSocket):
    """A connection to the gateway that ends as in an outage when a frame cannot be read."""

    async def received_message(self, msg: Any, /) -> None:
        try:
            await super().received_message(msg)
        except _ENDINGS:
            raise
        except Exception as error:  # noqa: BLE001 - the same
            log.error("the connection is opened anew: %s", Fault(f"shard {self.shard_id}", error))
            await self.close()  # otherwise its heartbeats would go on beside the new connection
            raise UnreadableFrame("a frame that cannot be read") from None


def use_careful_sockets() -> None:
    """Makes discord.py open its connections as `CarefulSocket`. To be called before the bot connects."""
    discord.shard.DiscordWebSocket = CarefulSocket  # pyright: ignore[reportPrivateImportUsage]
