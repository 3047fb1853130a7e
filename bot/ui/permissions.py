"""The permissions that the bot needs in a channel before a match can be played there."""

from __future__ import annotations

from typing import Final

import discord

from bot.language import gettext as _
from bot.language import listing, speaking
from bot.tables.refusals import Refused
from bot.ui.interaction import Interaction

_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which a thread can be started from a message."""


def missing_permissions(held: discord.Permissions, *, thread: bool) -> list[str]:
    """The names of the missing permissions, in the current language, as Discord's settings call them."""
    needed = {
        _("View Channel"): held.view_channel,
        _("Attach Files"): held.attach_files,
    }
    if thread:
        needed[_("Send Messages in Threads")] = held.send_messages_in_threads
    else:
        needed[_("Send Messages")] = held.send_messages
    return [name for name, has in needed.items() if not has]


def require_permissions(interaction: Interaction) -> None:
    """Raises `Refused` with the names of the permissions that the bot lacks in the interaction's channel.

    In a group DM it needs none, because it only answers interactions there.
    """
    if interaction.in_group:
        return
    thread = isinstance(interaction.raw.channel, discord.Thread)
    with speaking(interaction.locale):
        missing = missing_permissions(interaction.raw.app_permissions, thread=thread)
        if missing:
            raise Refused("missing-permissions", permissions=listing(missing))


def obstacle_to_threads(interaction: Interaction) -> Refused | None:
    """The refusal of a table in a thread of the interaction's channel, which is taken; None if there can be one."""
    channel = interaction.raw.channel
    if isinstance(channel, discord.Thread):
        return Refused("taken-thread")
    if channel is None or channel.type not in _WITH_THREADS:
        return Refused("taken-no-threads")
    held = interaction.raw.app_permissions
    with speaking(interaction.locale):
        missing = missing_for_threads(held)
        return Refused("taken-no-permission", permissions=listing(missing)) if missing else None


def missing_for_threads(held: discord.Permissions) -> list[str]:
    """The names of the permissions that are missing to open a thread and play in it, in the current language."""
    needed = {
        _("Create Public Threads"): held.create_public_threads,
        _("Send Messages in Threads"): held.send_messages_in_threads,
        # Discord lets nobody start a thread from a message that they may not read.
        _("Read Message History"): held.read_message_history,
    }
    return [name for name, has in needed.items() if not has]
