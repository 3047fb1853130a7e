"""Runs a handler, and runs it again if another process has changed the table meanwhile."""

from __future__ import annotations

from typing import Final

from bot.observability.context import may_retry
from bot.store.model import Conflict
from bot.tables.refusals import Refused
from bot.tables.secrecy import check_may_look
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply

RUNS_AGAIN: Final = 3
"""How often a handler runs again because another process has changed the table."""


async def run(context: HandlerContext, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply. Raises the handler's errors; `Conflict` after `RUNS_AGAIN` further runs.

    A handler runs again only while none of its changes is durable, so that no change is made twice.
    """
    await _check_table(context, interaction)
    for _again in range(RUNS_AGAIN):
        try:
            return await handler(context, interaction)
        except Conflict:
            if not may_retry():
                raise
    return await handler(context, interaction)


async def _check_table(context: HandlerContext, interaction: Interaction) -> None:
    """Checks that the button's table is here, or is a private match that the presser may look at.

    After restoring a backup another table may have its number. A public message stands in its table's channel. A
    private one may have been opened in another channel of the server, from `/games mine`; of a table in a group DM,
    anywhere without a server, but by its players alone.
    """
    if not interaction.to.table:
        return
    table = await context.tables.get(interaction.to.table)
    check_may_look(table, interaction.user_id, context.tables.utc)
    if table.is_private or interaction.message is None:
        return
    if interaction.on_private:
        user_id = interaction.user_id
        plays = table.seat_of(user_id) is not None or table.has_left(user_id)
        outside = table.in_group and table.channel_id != interaction.channel_id
        if table.guild_id != interaction.guild_id or (outside and not plays):
            raise Refused("no-table")
        return
    if table.channel_id != interaction.channel_id:
        raise Refused("no-table")
    await context.presenter.recognise(table, interaction.message.id)
