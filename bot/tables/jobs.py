"""The jobs that a table needs in its present state: an agent's move, the alarm, or going on with a start."""

from __future__ import annotations

from typing import Final

from bot.tables.absence import played_by_agent
from bot.tables.deadlines import after_reminder, reminder
from bot.tables.draft import AGENT, ALARM, REDRAW, START, Draft
from bot.tables.model import Table

START_AGAIN: Final = 10
"""Seconds after which a start that was interrupted goes on by itself."""


def arm(draft: Draft) -> None:
    """Sets the jobs that the table now needs and deletes the others. It leaves unchanged ones alone."""
    if draft.table.body.asleep is not None:
        draft.cancel(REDRAW)
    turn = agents_turn(draft.table)
    if turn is None:
        draft.cancel(AGENT)
    elif turn != agents_turn(draft.before):
        draft.schedule(AGENT, draft.now + draft.agent_pause())
    if turn is not None and not _waits_for_a_person(draft.table):
        draft.agents_play()
    if _goes_on_starting(draft.table) != _goes_on_starting(draft.before):
        if _goes_on_starting(draft.table):
            draft.schedule(START, draft.now + START_AGAIN)
        else:
            draft.cancel(START)
    due = alarm(draft.table)
    if due is None:
        draft.cancel(ALARM)
    elif draft.alarm_used or due != alarm(draft.before):
        draft.schedule_at_host_time(ALARM, due)


def _goes_on_starting(table: Table) -> bool:
    return table.starting and table.body.asleep is None


def agents_turn(table: Table) -> tuple[int, int, int] | None:
    """The seat for which an agent is to make the next move, the number of moves made, and that of moves taken back.

    None if no agent is to move.
    """
    if table.status != "playing" or table.body.asleep is not None:
        return None
    for decision in table.game.pending(table.state):
        if played_by_agent(table, decision.seat):
            return decision.seat, table.sequence, table.body.undone
    return None


def _waits_for_a_person(table: Table) -> bool:
    """Whether the match waits for a person."""
    return any(not played_by_agent(table, seat) for seat in table.body.asked)


def alarm(table: Table) -> float | None:
    """When something happens next merely because time has passed, in host time."""
    if table.body.asleep is not None:
        return None
    if table.status != "playing":
        return table.body.expires
    times = [
        after_reminder(asked) if asked.reminded else reminder(asked)
        for seat, asked in table.body.asked.items()
        if not played_by_agent(table, seat)
    ]
    return min((time for time in times if time is not None), default=None)
