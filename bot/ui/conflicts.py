"""Runs a handler, and again where another process has changed the table meanwhile."""

from __future__ import annotations

from bot.observability.context import may_retry
from bot.store.model import Conflict
from bot.tables.refusals import Refused
from bot.ui.desk import Desk, Handler
from bot.ui.interaction import Interaction, Reply
from bot.ui.timing import INTERACTION


async def run(desk: Desk, interaction: Interaction, handler: Handler) -> Reply:
    """The handler's reply. Raises whatever the handler raises; `Conflict` once it has run again often enough.

    A handler runs again only while nothing that it did is durable, so that nothing is done twice.
    """
    await _check_place(desk, interaction)
    for _again in range(INTERACTION.runs_again):
        try:
            return await handler(desk, interaction)
        except Conflict:
            if not may_retry():
                raise
    return await handler(desk, interaction)


async def _check_place(desk: Desk, interaction: Interaction) -> None:
    """Checks that the button's table is in this channel. After restoring a backup another may have its number."""
    if interaction.message is None or not interaction.to.table:
        return
    table = await desk.tables.get(interaction.to.table)
    if table.channel_id != interaction.channel_id:
        raise Refused("no-table")
    if not interaction.on_private:
        await desk.presenter.recognise(table, interaction.message.id)
