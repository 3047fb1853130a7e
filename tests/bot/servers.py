"""Servers as Discord describes them to a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import discord
from discord.state import AutoShardedConnectionState

State = TypeVar("State", bound=AutoShardedConnectionState[Any])

PERSON = {"id": "7", "username": "ana", "discriminator": "0", "avatar": None}


def channel(number: int) -> dict[str, Any]:
    """A text channel that one role may not see."""
    hidden = [{"id": "1", "type": 0, "allow": "0", "deny": "1024"}]
    return {"id": str(number), "type": 0, "name": f"channel-{number}", "position": 0} | {
        "permission_overwrites": hidden,
        "topic": f"What is talked about in channel {number}",
        "last_message_id": str(number + 1),
    }


def thread(number: int, parent: int) -> dict[str, Any]:
    times = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00"}
    return {"id": str(number), "parent_id": str(parent), "owner_id": "7", "name": "a thread", "type": 11} | {
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": times,
    }


def role(number: int) -> dict[str, Any]:
    return {"id": str(number), "name": f"role {number}", "permissions": "0", "position": 0, "color": 0} | {
        "hoist": False,
        "managed": False,
        "mentionable": False,
    }


def emoji(number: int) -> dict[str, Any]:
    return {"id": str(number), "name": f"emoji_{number}", "roles": [], "animated": False}


def server(
    number: int,
    *,
    channels: Sequence[int] = (),
    threads: Mapping[int, int] | None = None,
    roles: int = 2,
    emojis: int = 2,
) -> dict[str, Any]:
    """A server with channels of these ids, threads of these ids in these channels, and so many roles and emoji."""
    return {
        "id": str(number),
        "name": f"Server {number}",
        "icon": f"{number:032x}",
        "owner_id": "7",
        "member_count": 300,
        "channels": [channel(each) for each in channels],
        "threads": [thread(each, parent) for each, parent in (threads or {}).items()],
        "roles": [role(number + each) for each in range(roles)],
        "emojis": [emoji(number + 1000 + each) for each in range(emojis)],
        "members": [
            {"user": PERSON, "roles": [], "joined_at": None, "deaf": False, "mute": False, "flags": 0}
        ],
    }


def state_of(kind: type[State], client: discord.Client, dispatch: Callable[..., Any]) -> State:
    """A client's memory of servers, of this kind, that tells `dispatch` what happens."""
    return kind(
        dispatch=dispatch,
        handlers={},
        hooks={},
        http=client.http,
        intents=discord.Intents(guilds=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
        max_messages=None,
    )
