"""Presses that another process carries out: during a change of a shard's owner, both processes receive its presses."""

from __future__ import annotations

from contextlib import suppress

from bot.observability.context import may_retry
from bot.store.model import StoreError
from bot.tables.refusals import AnsweredElsewhere
from bot.ui.handlers import HandlerContext
from bot.ui.interaction import Interaction


async def check_is_ours(context: HandlerContext, interaction: Interaction) -> None:
    """Raises `AnsweredElsewhere` if another process has carried out this press; that process also answers it.

    To be called before a press is refused: a process that reads the table after the other process has changed it would
    refuse a press that was carried out.
    """
    if context.fleet.alone or not may_retry():
        return
    with suppress(StoreError):
        known = await context.tables.store.has_press(interaction.id)
        if known and not interaction.is_deferred:  # after a deferral this process must answer
            raise AnsweredElsewhere
