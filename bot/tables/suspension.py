"""The suspension of a table on a server that removed the bot: it sleeps, and goes on when the bot is back."""

from __future__ import annotations

from typing import Final

from bot.tables.deadlines import grant_grace
from bot.tables.draft import REDRAW, Draft
from bot.tables.ending import abandon, close_lobby
from bot.tables.model import MINUTE

_WAKE_GRACE: Final = 5 * MINUTE
"""Seconds for which nobody's time runs out after the bot is back on a server that had removed it."""


def sleep(draft: Draft) -> None:
    """Puts the table to sleep: from now on nothing is drawn, no agent plays and nobody's time runs."""
    table = draft.table
    if table.live and table.body.asleep is None:
        table.body.asleep = draft.host_time
        draft.touched = True


def wake(draft: Draft) -> None:
    """Wakes the table: postpones all its times by the time of the sleep, and schedules a redraw of its messages."""
    table, body = draft.table, draft.table.body
    body.undo = []  # its times are from before the sleep
    if not table.live or body.asleep is None:
        return
    slept, body.asleep = max(0.0, draft.host_time - body.asleep), None
    for asked in body.asked.values():
        asked.at += slept
        if asked.deadline is not None:
            asked.deadline += slept
        if asked.held is not None:
            asked.held += slept
    if body.expires is not None:
        body.expires += slept
    grant_grace(table, draft.host_time + _WAKE_GRACE)
    draft.touch()


def end(draft: Draft) -> None:
    """Ends a table that has slept too long. No message is drawn, because the bot cannot reach the server."""
    draft.table.body.asleep = (
        None  # if the bot comes back, forgotten people's names can then still be removed from its messages
    )
    if draft.table.status == "lobby":
        close_lobby(draft, "server-left")
    elif draft.table.live:
        abandon(draft, "server-left")
    draft.cancel(REDRAW)
