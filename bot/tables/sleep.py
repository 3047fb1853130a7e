"""A table on a server that the bot is not on any more: it sleeps, and goes on where it was when the bot is back."""

from __future__ import annotations

from typing import Final

from bot.tables.deadlines import grant_grace
from bot.tables.draft import REDRAW, Draft
from bot.tables.ending import abandon, close_lobby
from bot.tables.model import MINUTE

GRACE: Final = 5 * MINUTE
"""After it has woken nobody's time runs out sooner than this."""


def sleep(draft: Draft) -> None:
    """From now on nothing is drawn, no agent plays and nobody's time runs."""
    table = draft.table
    if table.live and table.body.asleep is None:
        table.body.asleep = draft.host_time
        draft.touched = True


def wake(draft: Draft) -> None:
    """Goes on: all times move by as long as the table has slept, and its messages are drawn anew."""
    table, body = draft.table, draft.table.body
    body.undo = []  # its times are those of before
    if not table.live or body.asleep is None:
        return
    slept, body.asleep = max(0.0, draft.host_time - body.asleep), None
    for asked in body.asked.values():
        asked.at += slept
        if asked.deadline is not None:
            asked.deadline += slept
    if body.expires is not None:
        body.expires += slept
    grant_grace(table, draft.host_time + GRACE)
    draft.touch()


def end(draft: Draft) -> None:
    """Ends a table that has slept too long. There is nobody to be told, and no message that could be drawn."""
    draft.table.body.asleep = None  # should the bot come back, names can still go from its messages
    if draft.table.status == "lobby":
        close_lobby(draft, "server-left")
    elif draft.table.live:
        abandon(draft, "server-left")
    draft.cancel(REDRAW)
