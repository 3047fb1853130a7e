"""The permissions of the bot and of a server's members: before a match is played in a place, and after a refusal.

Discord names the bot's permissions with each interaction. For Attach Files that proves nothing: only the refusal of a
message with files does (`bot.ui.uploads`). Members are fetched by requests, because the bot caches none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

import discord

from bot.gateway.errors import UNDELIVERED, Brief
from bot.language import gettext as _
from bot.language import listing
from bot.tables.refusals import Refused
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.messages import say
from bot.ui.screens.permissions import Use, missing_for, name_of

log = logging.getLogger(__name__)

_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which a thread can be started from a message."""


def use_of(interaction: Interaction) -> Use:
    """The use that a match in the interaction's channel makes of it."""
    return "thread" if isinstance(interaction.raw.channel, discord.Thread) else "channel"


def require_permissions(interaction: Interaction) -> None:
    """Raises `Refused` with the names of the permissions that the bot lacks in the interaction's channel.

    In a group DM it needs none, because it only answers interactions there.
    """
    if interaction.in_group:
        return
    missing = missing_for(use_of(interaction), interaction.raw.app_permissions)
    if missing:
        raise Refused("missing-permissions", permissions=listing(missing))


def obstacle_to_threads(interaction: Interaction) -> Refused | None:
    """The refusal of a table in a thread of the interaction's channel, which is taken; None if there can be one."""
    channel = interaction.raw.channel
    if isinstance(channel, discord.Thread):
        return Refused("taken-thread")
    if channel is None or channel.type not in _WITH_THREADS:
        return Refused("taken-no-threads")
    missing = missing_for("new thread", interaction.raw.app_permissions)
    return Refused("taken-no-permission", permissions=listing(missing)) if missing else None


async def say_files_are_forbidden(interaction: Interaction) -> None:
    """Names the permission to attach files to a person who may give it, once the bot was found to lack it here.

    To be called after the answer to an interaction. Each person reads it once. Raises nothing.
    """
    uploads, channel = interaction.uploads, interaction.channel_id
    if interaction.first.at is None or not uploads.is_forbidden(channel):
        return
    if not (interaction.may_change_permissions and uploads.inform(channel, interaction.user_id)):
        return
    text = _(
        "⚠️ I lack the permission **{permission}** in this channel, so the messages for everyone have no pictures. "
        "You can give it to me in the channel's settings; only you see this message."
    )
    screen = say(text.format(permission=name_of("attach_files")))
    try:
        await interaction.follow_up(Reply(screen))
    except UNDELIVERED as error:
        log.info("channel %s: could not name a permission (%s)", channel, Brief(error))


async def fetch_member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    """A member of a server; None if the person is not on it. Raises an error of `UNDELIVERED`."""
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound:
        return None


async def all_see(
    client: discord.Client, guild_id: int, channel_id: int, members: Iterable[discord.Member]
) -> bool:
    """Whether all these members of a server can certainly see a channel or thread of it.

    False for a private thread, because Discord tells its members to bots with a privileged intent only. Raises an error
    of `UNDELIVERED`.
    """
    guild = await client.fetch_guild(guild_id, with_counts=False)  # the cached one has no roles
    try:
        channel = await guild.fetch_channel(channel_id)
    except discord.InvalidData:  # a kind of channel that discord.py does not know
        return False
    if channel.type == discord.ChannelType.private_thread:
        return False
    if isinstance(channel, discord.Thread):
        channel = await guild.fetch_channel(channel.parent_id)
    assert not isinstance(channel, discord.Thread)
    return all(channel.permissions_for(member).view_channel for member in members)
