"""The calls in a match: the seats with a decision, and the digests by which announcements are compared."""

from __future__ import annotations

import re
from typing import Final

from bot.tables.absence import is_expected
from bot.tables.model import Table

Call = tuple[int, int]
"""The number of moves when the call became due, and how many reminders have followed it."""
Calls = dict[int, Call]
"""The calls by seat.

A seat is called if it has an open or an upcoming decision.
"""
ANNOUNCEMENT: Final = 1929
"""The id of a component in every announcement, by which it is recognised: other messages have the same buttons."""


def calls_of(table: Table) -> Calls:
    """The seats with an open or an upcoming decision whose people are to answer it themselves."""
    if table.status != "playing":
        return {}
    body = table.body
    calls = {seat: (each.since, int(each.reminded)) for seat, each in body.asked.items()}
    calls |= {seat: (each.since, 0) for seat, each in body.expected.items() if each.at_once}
    return {seat: call for seat, call in calls.items() if is_expected(table, seat)}


def still_due(table: Table, calls: Calls) -> Calls:
    """Those of these calls whose decision is still open or upcoming."""
    return {
        seat: calls[seat]
        for seat, (since, _reminders) in calls_of(table).items()
        if seat in calls and calls[seat][0] == since
    }


def name_of(table: Table, calls: Calls) -> str:
    """The name of the announcement with these calls, unique among all messages that the table ever has."""
    return f"announcement {table.body.undone} {sorted(calls.items())}"


def calls_as_arg(calls: Calls) -> str:
    """The calls as the argument of a custom_id, by which an announcement is recognised whatever its words are.

    >>> calls_as_arg({2: (14, 0), 0: (9, 1)}), read_calls("0.9.1-2.14.0"), read_calls("")
    ('0.9.1-2.14.0', {0: (9, 1), 2: (14, 0)}, {})
    """
    return "-".join(f"{seat}.{since}.{reminders}" for seat, (since, reminders) in sorted(calls.items()))


def read_calls(arg: str) -> Calls:
    """The calls of such an argument; none if it has another form."""
    found = re.findall(r"(\d+)\.(\d+)\.(\d+)", arg)
    return {int(seat): (int(since), int(reminders)) for seat, since, reminders in found}


def gist(table: Table, calls: Calls) -> str:
    """The facts that an announcement must state truly: the called seats, their deadlines, and the board's message.

    The announcement's buttons may be outdated, because a press on an old button is answered with the present state.
    """
    deadlines = [table.body.asked[seat].deadline for seat, (_since, reminds) in calls.items() if reminds]
    return repr((sorted(calls.items()), deadlines, table.body.messages.board))
