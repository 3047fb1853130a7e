"""The jobs that a table requires in its present state: a move without a press, the alarm, or the rest of a start."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.tables.absence import is_expected, played_by_agent
from bot.tables.deadlines import after_reminder, reminder
from bot.tables.draft import AGENT, ALARM, REDRAW, START, Draft
from bot.tables.model import PACES, Table
from bot.tables.premoves import answered_seat

_START_AGAIN: Final = 10.0
"""Seconds after which a start that was interrupted goes on by itself."""
_PREMOVE_SHOWN_WITHIN: Final = 1.0
"""Seconds for which a redraw waits for a premove that is played, so that one edit shows both."""


def schedule(draft: Draft) -> None:
    """Sets the jobs that the table now requires and deletes the others. Unchanged jobs are left alone."""
    if draft.table.body.asleep is not None:
        draft.cancel(REDRAW)
    turn, before = automatic_turn(draft.table), automatic_turn(draft.before)
    if turn is None:
        draft.cancel(AGENT)
    elif turn != before:
        draft.schedule(AGENT, draft.now + (0.0 if turn.answered else _pause(draft)))
    if turn is not None and turn.answered:
        draft.redraw_from(draft.now + _PREMOVE_SHOWN_WITHIN)  # the premove sets the redraw again
    elif turn is not None and all(played_by_agent(draft.table, seat) for seat in draft.table.body.asked):
        draft.agents_play()
    if _goes_on_starting(draft.table) != _goes_on_starting(draft.before):
        if _goes_on_starting(draft.table):
            draft.schedule(START, draft.now + _START_AGAIN)
        else:
            draft.cancel(START)
    due = alarm(draft.table)
    if due is None:
        draft.cancel(ALARM)
    elif draft.alarm_used or due != alarm(draft.before):
        draft.schedule_at_host_time(ALARM, due)


def _pause(draft: Draft) -> float:
    """The pause before an agent's move, in seconds: at the person's pace in a match with one person."""
    table = draft.table
    return draft.agent_pause() * (PACES.get(table.body.pace, 1.0) if table.is_solo else 1.0)


def _goes_on_starting(table: Table) -> bool:
    return table.starting and table.body.asleep is None


class Turn(NamedTuple):
    """The seat for which the next move is made without a press, the number of moves made, and that of moves taken back.

    `answered`: the seat's person has made a premove. Otherwise an agent is to move.
    """

    seat: int
    moves: int
    undone: int
    answered: bool


def automatic_turn(table: Table) -> Turn | None:
    """The next move to be made without a press; None if the match waits for people alone.

    In a lesson, the moves of the other seats are made with those of its person (`bot.tables.lessons`).
    """
    if table.status != "playing" or table.body.asleep is not None or table.is_lesson:
        return None
    seat = answered_seat(table)
    if seat is not None:
        return Turn(seat, table.sequence, table.body.undone, answered=True)
    for decision in table.game.pending(table.state):
        if played_by_agent(table, decision.seat):
            return Turn(decision.seat, table.sequence, table.body.undone, answered=False)
    return None


def alarm(table: Table) -> float | None:
    """The time of the next alarm, in host time; None if there is none."""
    if table.body.asleep is not None:
        return None
    if table.status != "playing":
        return table.body.expires
    times = [table.body.expires]
    times += [
        after_reminder(asked) if asked.reminded else reminder(asked)
        for seat, asked in table.body.asked.items()
        if is_expected(table, seat)
    ]
    return min((time for time in times if time is not None), default=None)
