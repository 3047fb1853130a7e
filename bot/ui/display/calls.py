"""The players to call in a match, and since when: the facts that decide about messages that call people."""

from __future__ import annotations

from bot.tables.absence import played_by_agent
from bot.tables.model import Table

Calls = dict[int, tuple[int, bool]]
"""For each seat that is called: the number of moves when that became due, and whether this is a reminder.

A seat is called if it has an open or an upcoming decision.
"""


def calls_of(table: Table) -> Calls:
    """The seats with an open or an upcoming decision, without those that an agent plays."""
    if table.status != "playing":
        return {}
    body = table.body
    calls = {seat: (each.since, each.reminded) for seat, each in body.asked.items()}
    calls |= {seat: (each.since, False) for seat, each in body.expected.items() if each.at_once}
    return {seat: call for seat, call in calls.items() if not played_by_agent(table, seat)}


def name_of(table: Table, calls: Calls) -> str:
    """The name of the message that makes these calls, among all messages that the table ever has."""
    return f"announcement {table.body.undone} {sorted(calls.items())}"


def gist(table: Table, calls: Calls) -> str:
    """The called players, their deadlines, and the table's place: the facts that an announcement must state truly.

    Its buttons may lag, because a press on an old one is answered with what holds now.
    """
    deadlines = [table.body.asked[seat].deadline for seat, (_since, reminds) in calls.items() if reminds]
    return repr((sorted(calls.items()), deadlines, table.body.messages.board))
