"""The permissions that the bot needs in a channel before a match can be played there."""

from __future__ import annotations

import discord

from bot.language import gettext as _
from bot.language import listing, speaking
from bot.tables.refusals import Refused
from bot.ui.interaction import Interaction


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
    """Raises `Refused` with the names of the permissions that the bot lacks in the interaction's channel."""
    thread = isinstance(interaction.raw.channel, discord.Thread)
    with speaking(interaction.locale):
        missing = missing_permissions(interaction.raw.app_permissions, thread=thread)
        if missing:
            raise Refused("missing-permissions", permissions=listing(missing))
