"""The one list of the permissions that the bot needs on a server.

The link that invites the bot, the check before a match, and refusals come from it; `docs/hosting.md` gives the reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import discord

from bot.gateway.errors import MISSING_ACCESS
from bot.language import gettext as _
from bot.ui.screens import components as ui
from bot.ui.screens.kit import link

Use = Literal["channel", "thread", "new thread"]
"""A match in a channel, a match in a thread, and the opening of a thread for a match."""


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission. `flag` is its name in `discord.Permissions`."""

    flag: str
    name: Callable[[], str]
    """Returns its name in Discord's settings, in the current language."""
    required: tuple[Use, ...] = ()
    """The uses that are impossible without it. Without the others a match is played with less."""


PERMISSIONS: Final = (
    Permission("view_channel", lambda: _("View Channel"), ("channel", "thread")),
    Permission("send_messages", lambda: _("Send Messages"), ("channel",)),
    Permission("attach_files", lambda: _("Attach Files")),
    Permission("read_message_history", lambda: _("Read Message History"), ("new thread",)),
    Permission("use_external_emojis", lambda: _("Use External Emojis")),
    Permission("create_public_threads", lambda: _("Create Public Threads"), ("new thread",)),
    Permission("send_messages_in_threads", lambda: _("Send Messages in Threads"), ("thread", "new thread")),
)

INVITED: Final = discord.Permissions(**{each.flag: True for each in PERMISSIONS}).value
"""The permissions that the bot asks for when it is invited, as Discord's number."""


def name_of(flag: str) -> str:
    """The name of a permission in the current language."""
    return next(each.name() for each in PERMISSIONS if each.flag == flag)


def missing_for(use: Use, held: discord.Permissions) -> list[str]:
    """The names of the permissions that are missing for this use, in the current language."""
    return [each.name() for each in PERMISSIONS if use in each.required and not getattr(held, each.flag)]


def refused_for(error: discord.Forbidden, use: Use) -> str:
    """The flag of the permission for want of which Discord refused a message without files, in a place of this use."""
    if error.code == MISSING_ACCESS:
        return "view_channel"
    return "send_messages_in_threads" if use == "thread" else "send_messages"


def invitation(application: int) -> ui.Button:
    """The link that invites the bot to a server."""
    scopes = f"scope=bot+applications.commands&permissions={INVITED}"
    url = f"https://discord.com/oauth2/authorize?client_id={application}&{scopes}"
    return link(_("Invite the Bot"), url)
