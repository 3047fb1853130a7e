"""Presses that another process carries out: both processes get the presses on a shard while it changes hands."""

from __future__ import annotations

from contextlib import suppress

from bot.observability.context import may_retry
from bot.store.model import StoreError
from bot.tables.refusals import AnsweredElsewhere
from bot.ui.desk import Desk
from bot.ui.interaction import Interaction


async def check_is_ours(desk: Desk, interaction: Interaction) -> None:
    """Raises `AnsweredElsewhere` if another process has carried out this press, which then answers it too.

    To be called before a press is refused: a process that reads the table after the other one has changed it would
    refuse what has just been done.
    """
    if desk.fleet.alone or not may_retry():
        return
    with suppress(StoreError):
        known = await desk.tables.store.has_press(interaction.id)
        if known and not interaction.is_deferred:  # else this process has said that it answers
            raise AnsweredElsewhere
