"""Assigns places to messages that an earlier process posted but did not note, because it was killed in between.

A message's place is the field of `Messages` for its kind, such as `board`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Final, Literal, NamedTuple

from bot.tables.model import Table
from bot.ui.display.state import ANNOUNCEMENT, Calls, read_calls, still_due
from bot.ui.screens.fairness import FAIRNESS
from bot.ui.screens.game_screens import OWN_SCREEN
from bot.ui.screens.ids import read_id
from bot.ui.screens.kit import parts_of

Kind = Literal["lobby", "start", "board", "result", "announcement"]


class LeftBehind(NamedTuple):
    """A message of a table that is in its channel, and not noted. `kind` is None for a message of no known kind.

    Of an announcement: `calls` are those that it makes, and `people` the ids of the people whom it mentions.
    """

    message: int
    kind: Kind | None
    calls: Calls
    people: Set[int]


def read_left_behind(message: int, components: Iterable[Any], table: int) -> LeftBehind | None:
    """The kind of message of this table that has these components; None for a message of another table or of none."""
    parts = [*parts_of(components)]
    ids = [to for part in parts if (to := read_id(getattr(part, "custom_id", None) or "")) is not None]
    announces = any(part.id == ANNOUNCEMENT for part in parts)
    if not any(to.table == table for to in ids) and (ids or not announces):
        return None
    if not announces:
        kind = _kind_of({to.intent for to in ids if to.table == table})
        return LeftBehind(message, kind, {}, set())
    texts = " ".join(getattr(part, "content", None) or "" for part in parts)
    people = {int(number) for number in re.findall(r"<@(\d+)>", texts)}
    calls = next((read_calls(to.arg) for to in ids if to.intent == OWN_SCREEN), Calls())
    return LeftBehind(message, "announcement", calls, people)


def _kind_of(intents: set[str]) -> Kind | None:
    """The kind of a table's message with these intents on its buttons, if it is no announcement."""
    if "join" in intents:
        return "lobby"
    if "more" in intents:
        return "board"
    if "again" in intents:
        return "result"
    if FAIRNESS in intents and "log" not in intents:
        return "start"
    return None


def take_in(table: Table, left_behind: Sequence[LeftBehind]) -> None:
    """Assigns each message that was left behind, newest first, to its place if that is free. Retires the others."""
    messages = table.body.messages
    for left in left_behind:
        if left.message in messages.known:
            continue  # somebody has pressed the message meanwhile, so it already has its place
        if left.kind is None or not _TAKE[left.kind](table, left):
            messages.retired.append(left.message)


def _take_lobby(table: Table, left: LeftBehind) -> bool:
    messages = table.body.messages
    free = table.status == "lobby" and messages.lobby is None
    if free:
        messages.lobby = left.message
    return free


def _take_board(table: Table, left: LeftBehind) -> bool:
    messages = table.body.messages
    free = table.live and table.state is not None and messages.moving
    if free:
        if messages.board is not None and messages.board != messages.start:
            messages.retired.append(messages.board)
        messages.board, messages.moving = left.message, False
    return free


def _take_result(table: Table, left: LeftBehind) -> bool:
    messages = table.body.messages
    free = not table.live and messages.result is None
    if free:
        messages.result, messages.farewell = left.message, False
    return free


def _leave_start(table: Table, _left: LeftBehind) -> bool:
    """Whether a start is under way, which finds its message itself (`bot.ui.display.lasting`)."""
    return table.starting


def _take_announcement(table: Table, left: LeftBehind) -> bool:
    """Notes the calls that the announcement has made, so that nobody is called to one decision a second time."""
    messages, seats = table.body.messages, table.seats
    calls = {
        seat: call
        for seat, call in left.calls.items()
        if seat < len(seats) and seats[seat].user_id in left.people  # no one else has taken the seat since
    }
    noted = messages.called
    # A post may arrive late, when others have been called since.
    news = any(call > noted.get(seat, (-1, 0)) for seat, call in still_due(table, calls).items())
    if news:
        if messages.announcement is not None:
            messages.retired.append(messages.announcement)
        messages.announcement, messages.called, messages.calling = left.message, noted | calls, ""
    return news


_TAKE: Final[Mapping[Kind, Callable[[Table, LeftBehind], bool]]] = {
    "lobby": _take_lobby,
    "board": _take_board,
    "result": _take_result,
    "start": _leave_start,
    "announcement": _take_announcement,
}
"""By kind: assigns a message to its place if that is free, and returns whether the message may remain."""
