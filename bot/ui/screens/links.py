"""The addresses of a table's messages, and the button that leads to the table."""

from __future__ import annotations

from bot.language import gettext as _
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.kit import link


def message_url(table: Table, message: int | None) -> str:
    """The address of a message in the table's channel; that of the channel if there is no message."""
    place = "@me" if table.in_group else table.guild_id
    where = f"https://discord.com/channels/{place}/{table.shown_in}"
    return f"{where}/{message}" if message else where


def table_url(table: Table) -> str:
    """The address of the table message."""
    messages = table.body.messages
    return message_url(table, messages.board or messages.lobby)


def to_the_table(table: Table) -> list[ui.Button]:
    """The button that leads to a table's message; none for a private match."""
    return [] if table.is_private else [link(_("Go to the Table"), table_url(table))]
