"""Who answers for people who are away, and what the passing of time brings: misses, pauses, and going on after one."""

from __future__ import annotations

from typing import Final

from bot.tables.deadlines import SILENT_AFTER, reminder, wait
from bot.tables.draft import Draft
from bot.tables.ending import abandon, agreed, expire
from bot.tables.model import DAY, STAND_IN, Table

PAUSE_ENDS: Final = 7 * DAY
MISSES: Final = 2
"""After so many missed decisions in a row an agent keeps the seat."""


def played_by_agent(table: Table, seat: int) -> bool:
    """Whether an agent answers for this seat now."""
    asked = table.body.asked.get(seat)
    return not table.seats[seat].present or (asked is not None and asked.stand_in)


def agent_of(table: Table, seat: int) -> str:
    """The level of the agent that plays this seat, or would."""
    level = table.seats[seat].agent or STAND_IN
    return level if level in table.game.agents else STAND_IN


# -- time runs out


def time_passes(draft: Draft) -> None:
    """The alarm: does what the passing of time brings with it."""
    if draft.table.body.asleep is not None:
        return  # it was due the moment before
    draft.alarm_used = draft.touched = True
    if draft.table.status == "playing":
        miss(draft)
        remind(draft)
        fall_silent(draft)
        rest(draft)
    else:
        expire(draft)


def remind(draft: Draft) -> None:
    """Has the announcement made anew, as a reminder, for those who have used up most of their time."""
    table = draft.table
    for seat, asked in table.body.asked.items():
        if asked.reminded or played_by_agent(table, seat):
            continue
        if draft.has_come(reminder(asked)):
            asked.reminded = True
            draft.touch()


def fall_silent(draft: Draft) -> None:
    """Without a limit: the others need not wait any longer for the consent of who lets the reminder go by."""
    for asked in draft.table.body.asked.values():
        if asked.deadline is None and asked.reminded and draft.has_come(asked.at + SILENT_AFTER):
            asked.silent = True


def miss(draft: Draft) -> None:
    """Lets an agent answer for those whose time is up; after two in a row it keeps the seat."""
    table = draft.table
    for number, asked in table.body.asked.items():
        if not asked.deadline or not draft.has_come(asked.deadline) or played_by_agent(table, number):
            continue
        seat = table.seats[number]
        seat.missed += 1
        if table.body.last_mover != number:
            table.body.undo = []  # a turn that was missed cannot be as if it had never been
        asked.stand_in = True
        seat.away = seat.missed >= MISSES
        draft.tell("away" if seat.away else "missed", number)
        draft.touch()


# -- nobody is there


def rest(draft: Draft) -> None:
    """Goes on after somebody has gone; ends or pauses the match where those who are left want or need it."""
    table = draft.table
    if agreed(table):
        abandon(draft, "agreed")
    elif table.status == "playing" and not any(seat.present for seat in table.seats):
        table.status = "paused"
        table.body.expires = draft.host_time + PAUSE_ENDS
        draft.tell("paused")
        draft.touch()


def resume(draft: Draft) -> None:
    """Goes on after a pause, everybody's time begun anew."""
    table = draft.table
    if table.status == "paused":
        table.status = "playing"
        table.body.expires = None
        draft.tell("resumed")
        table.body.asked = {}
        wait(draft)
    draft.touch()
