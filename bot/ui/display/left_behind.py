"""Assigns places to messages that an earlier process posted but did not note, because it was killed in between.

A message's place is the field of `Messages` for its kind, such as `board`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from bot.tables.model import Table
from bot.ui.screens.fairness import FAIRNESS

Kind = Literal["lobby", "start", "board", "result", "announcement"]


def kind_of(intents: set[str]) -> Kind | None:
    """The kind of a table's message with these intents on its buttons; "" marks an announcement. None if unknown."""
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
    """Assigns each message that was left behind, newest first, to its place if that is free. Retires the others."""
    messages = table.body.messages
    for message, intents in left_behind:
        if message in messages.known:
            continue  # somebody has pressed the message meanwhile, so it already has its place
        kind = kind_of(intents)
        if kind is None or not _TAKE[kind](table, message):
            messages.retired.append(message)


def _take_lobby(table: Table, message: int) -> bool:
    messages = table.body.messages
    free = table.status == "lobby" and messages.lobby is None
    if free:
        messages.lobby = message
    return free


def _take_board(table: Table, message: int) -> bool:
    messages = table.body.messages
    free = table.live and table.state is not None and messages.moving
    if free:
        if messages.board is not None and messages.board != messages.start:
            messages.retired.append(messages.board)
        messages.board, messages.moving = message, False
    return free


def _take_result(table: Table, message: int) -> bool:
    messages = table.body.messages
    free = not table.live and messages.result is None
    if free:
        messages.result, messages.farewell = message, False
    return free


def _leave_start(table: Table, _message: int) -> bool:
    """Whether a start is under way, which finds its message itself (`bot.ui.display.start`)."""
    return table.starting


def _never(_table: Table, _message: int) -> bool:
    """False: an announcement is recognised by its texts when it is to be posted (`Sender.announce`)."""
    return False


_TAKE: Final[Mapping[Kind, Callable[[Table, int], bool]]] = {
    "lobby": _take_lobby,
    "board": _take_board,
    "result": _take_result,
    "start": _leave_start,
    "announcement": _never,
}
"""By kind: assigns a message to its place if that is free, and returns whether the message may remain."""
