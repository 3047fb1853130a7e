"""A smaller cache of Discord's data, for many servers and presses; and events that discord.py cannot parse.

discord.py caches all channels, roles and emoji of each server. The bot needs none of them: an interaction contains its
channel and the bot's permissions. Active threads are cached, because Discord sends no event for the deletion of a
thread whose channel was deleted.

An event is skipped. READY cannot be skipped, because it contains the bot's user and the shard's servers; nor can a
frame that is no event. In both cases the connection is closed, and reopened with the backoff of an outage, because
identifies are limited.

The log contains the kind of the event, the kind of the error, and the place in the code. It never contains the event,
nor the text of the error, which may quote the event.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import aiohttp
import discord.shard
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure
from discord.state import AutoShardedConnectionState

from bot.gateway.errors import Fault

if TYPE_CHECKING:
    from discord.types import gateway as gw


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


_ALL_OF: Final = (
    *("channels", "emojis", "features", "guild_scheduled_events", "members", "presences", "roles"),
    *("soundboard_sounds", "stage_instances", "stickers", "voice_states"),
)
"""The large lists in a server's data."""
_THREAD: Final = {
    "owner_id": "0",
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 1440,
        "archive_timestamp": "1970-01-01T00:00:00+00:00",
    },
}
_CHANNEL: Final = {"name": "", "position": 0, "bitrate": 64_000, "user_limit": 0, "parent_id": None}
"""The fields of a channel that discord.py needs and an interaction may omit; for threads, those of `_THREAD` too."""
_ACTION_ROW: Final = 1
_BUTTON: Final = {"type": 2, "style": 2}
_THREADS: Final = (10, 11, 12)
"""The channel types of threads."""


def trimmed(guild: dict[str, Any]) -> dict[str, Any]:
    """A server's data without its large lists."""
    return {name: [] if name in _ALL_OF else value for name, value in guild.items()}


def filled(channel: dict[str, Any]) -> dict[str, Any]:
    """An interaction's channel with every field that discord.py needs."""
    if channel.get("type") in _THREADS:
        return {**_CHANNEL, **_THREAD, **channel, "parent_id": channel.get("parent_id") or "0"}
    return {**_CHANNEL, **channel}


def reduced(message: dict[str, Any], pressed: Mapping[str, Any]) -> dict[str, Any]:
    """A pressed message reduced to the components that a handler reads (`bot.ui.screens.kit`), in one row.

    These are the pressed component and all menus, each with its default and its selected options; of other buttons
    the custom_id.
    """
    asked = list[dict[str, Any]]()
    for part in _in_rows(message.get("components", ())):
        own = part.get("custom_id") == pressed.get("custom_id")
        if "options" in part:
            values = pressed.get("values", ()) if own else ()
            options = [each for each in part["options"] if each.get("default") or each["value"] in values]
            asked.append({**part, "options": options})
        elif "custom_id" in part:
            asked.append(part if own else {**_BUTTON, "custom_id": part["custom_id"]})
    return {**message, "components": [{"type": _ACTION_ROW, "components": asked}] if asked else []}


def _in_rows(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        if component["type"] == _ACTION_ROW:
            yield from component["components"]
        else:
            yield from _in_rows(component.get("components", ()))
            yield from filter(None, [component.get("accessory")])


class LeanState(AutoShardedConnectionState[Any]):
    """discord.py's cache without the parts that the bot does not need.

    Dispatches `channel_gone` with the ids of the server and of each deleted channel or thread. Events that cannot be
    parsed are skipped (`bot.gateway.lean_state`); `skipped` is called with the kind of each.
    """

    def __init__(self, *, skipped: Callable[[str], None] = lambda _event: None, **options: Any) -> None:
        super().__init__(**options)
        self.parsers = {event: skipping(event, parse, skipped) for event, parse in self.parsers.items()}

    def parse_guild_create(self, data: gw.GuildCreateEvent) -> None:
        super().parse_guild_create(cast("gw.GuildCreateEvent", trimmed(cast("dict[str, Any]", data))))

    def parse_guild_update(self, data: gw.GuildUpdateEvent) -> None:
        super().parse_guild_update(cast("gw.GuildUpdateEvent", trimmed(cast("dict[str, Any]", data))))

    def parse_interaction_create(self, data: gw.InteractionCreateEvent) -> None:
        given = cast("dict[str, Any]", data)
        if channel := given.get("channel"):
            given = {**given, "channel": filled(channel)}
        if message := given.get("message"):
            given = {**given, "message": reduced(message, given.get("data") or {})}
        super().parse_interaction_create(cast("gw.InteractionCreateEvent", given))

    def parse_channel_delete(self, data: gw.ChannelDeleteEvent) -> None:
        given = cast("dict[str, Any]", data)
        channel, server = int(given["id"]), int(given.get("guild_id") or 0)
        self.dispatch("channel_gone", server, channel)
        if (guild := self._get_guild(server)) is not None:
            for thread in guild._remove_threads_by_channel(channel):  # pyright: ignore[reportPrivateUsage]
                self.dispatch("channel_gone", server, thread.id)

    # Events that would fill the cache again, and that the bot does not need.

    def parse_channel_create(self, data: gw.ChannelCreateEvent) -> None: ...
    def parse_channel_update(self, data: gw.ChannelUpdateEvent) -> None: ...
    def parse_guild_role_create(self, data: gw.GuildRoleCreateEvent) -> None: ...
    def parse_guild_emojis_update(self, data: gw.GuildEmojisUpdateEvent) -> None: ...
    def parse_guild_stickers_update(self, data: gw.GuildStickersUpdateEvent) -> None: ...
    def parse_guild_scheduled_event_create(self, data: gw.GuildScheduledEventCreateEvent) -> None: ...
    def parse_stage_instance_create(self, data: gw.StageInstanceCreateEvent) -> None: ...
    def parse_guild_soundboard_sound_create(self, data: gw.GuildSoundBoardSoundCreateEvent) -> None: ...
