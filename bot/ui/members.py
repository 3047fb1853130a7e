"""People of a server by requests to Discord, because the bot caches no members: their names, and what they can see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

import discord

from bot.tables.naming import clean_name

_THREADS: Final = (10, 11, 12)
"""The channel types of threads, of which the last one is that of private threads."""
_PRIVATE_THREAD: Final = 12

Payload = Mapping[str, Any]


class Member(NamedTuple):
    """A member of a server: the cleaned name there, and the ids of the roles."""

    user_id: int
    name: str
    roles: frozenset[int]


async def fetch_member(client: discord.Client, guild_id: int, user_id: int) -> Member | None:
    """A member of a server; None if the person is not on it. Raises an error of `UNDELIVERED`."""
    try:
        found = cast("Payload", await client.http.get_member(guild_id, user_id))
    except discord.NotFound:
        return None
    user: Payload = found["user"]
    name = clean_name(found.get("nick") or "", user.get("global_name") or "", user["username"])
    return Member(user_id, name, frozenset(map(int, found["roles"])))


async def all_see(client: discord.Client, guild_id: int, channel_id: int, members: Iterable[Member]) -> bool:
    """Whether all these members of a server can certainly see a channel or thread of it.

    False for a private thread, because Discord tells its members to bots with a privileged intent only. Raises an error
    of `UNDELIVERED`.
    """
    channel = cast("Payload", await client.http.get_channel(channel_id))
    if channel["type"] == _PRIVATE_THREAD:
        return False
    if channel["type"] in _THREADS:
        channel = cast("Payload", await client.http.get_channel(int(channel["parent_id"])))
    guild = cast("Payload", await client.http.get_guild(guild_id, with_counts=False))
    return all(permissions_of(member, guild, channel).view_channel for member in members)


def permissions_of(member: Member, guild: Payload, channel: Payload) -> discord.Permissions:
    """The permissions of a member in a channel, by Discord's payloads of server and channel.

    Discord computes them so: those of the roles, then the channel's overwrites for everybody, roles, and the member.
    """
    everyone = int(guild["id"])
    held = discord.Permissions.none()
    for role in guild["roles"]:
        if int(role["id"]) in (everyone, *member.roles):
            held.value |= int(role["permissions"])
    if member.user_id == int(guild["owner_id"]) or held.administrator:
        return discord.Permissions.all()
    overwrites = {int(each["id"]): each for each in channel.get("permission_overwrites", ())}
    for ids in ({everyone}, member.roles, {member.user_id}):
        own = [overwrites[each] for each in ids if each in overwrites]
        for each in own:
            held.value &= ~int(each["deny"])
        for each in own:
            held.value |= int(each["allow"])
    return held
