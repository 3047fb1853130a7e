"""What the bot must be allowed to do in a channel before a match can be played there."""

from __future__ import annotations

import discord

from bot.language import gettext as _
from bot.language import listing, speaking
from bot.tables.refusals import Refused
from bot.ui.interaction import Visit


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


def require_permissions(visit: Visit) -> None:
    """Raises `Refused` naming what the bot lacks in the visit's channel."""
    thread = isinstance(visit.interaction.channel, discord.Thread)
    with speaking(visit.locale):
        missing = missing_permissions(visit.interaction.app_permissions, thread=thread)
        if missing:
            raise Refused("missing-permissions", permissions=listing(missing))
