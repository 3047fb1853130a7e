"""Which place in a table the messages get that were posted and never noted, because the bot was killed in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bot.tables.model import Table
from bot.ui.screens.fairness import FAIRNESS

Kind = Literal["lobby", "start", "board", "result", "announcement"]


def kind_of(intents: set[str]) -> Kind | None:
    """Which kind of a table's messages has buttons with these intents. "" marks an announcement."""
    if "" in intents:
        return "announcement"
    if "join" in intents:
        return "lobby"
    if "more" in intents:
        return "board"
    if "again" in intents:
        return "result"
    if FAIRNESS in intents and "log" not in intents:
        return "start"
    return None


def take_in(table: Table, left_behind: Sequence[tuple[int, set[str]]]) -> None:
    """Gives each message that was left behind, newest first, its place if that is free. The others will be deleted."""
    messages = table.body.messages
    for message, intents in left_behind:
        kind = kind_of(intents)
        if message in messages.known:
            continue  # somebody has pressed it meanwhile, so it has its place already
        if kind == "lobby" and table.status == "lobby" and messages.lobby is None:
            messages.lobby = message
        elif kind == "board" and table.live and table.state is not None and messages.moving:
            if messages.board is not None and messages.board != messages.start:
                messages.retired.append(messages.board)
            messages.board, messages.moving = message, False
        elif kind == "result" and not table.live and messages.result is None:
            messages.result, messages.farewell = message, False
        elif not (kind == "start" and table.starting):
            messages.retired.append(message)
