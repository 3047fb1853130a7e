"""Agents that answer for absent people, and the steps of an absence as time passes.

A person is reminded, misses decisions, and an agent takes over; a match is paused when nobody is present, and resumed.
A table on a server that removed the bot sleeps, and goes on when the bot is back.
"""

from __future__ import annotations

from typing import Final

from bot.tables.deadlines import SILENT_AFTER, grant_grace, reminder, wait, waited_for
from bot.tables.draft import REDRAW, Draft
from bot.tables.ending import abandon, agreed, close_lobby, expire
from bot.tables.model import DAY, MINUTE, SUBSTITUTE, Table
from engine.game import AnyGame

_MISSES: Final = 2
"""After this many missed decisions in a row, an agent keeps playing the seat."""
_PAUSE_ENDS: Final = 7 * DAY
"""Seconds after which a paused match is given up."""


def played_by_agent(table: Table, seat: int) -> bool:
    """Whether an agent answers for this seat now."""
    if waited_for(table, seat):
        return False
    asked = table.body.asked.get(seat)
    return not table.seats[seat].present or (asked is not None and asked.substitute)


def is_expected(table: Table, seat: int) -> bool:
    """Whether the person in this seat answers now: neither does an agent, nor does the match wait for their return."""
    return not played_by_agent(table, seat) and not waited_for(table, seat)


def agent_of(table: Table, seat: int) -> str:
    """The level of the agent that plays this seat, or that would play it if the person were away."""
    level = table.seats[seat].agent or SUBSTITUTE
    return level if level in table.game.agents else substitute(table.game)


def substitute(game: AnyGame) -> str:
    """The level that plays for people who are away: `SUBSTITUTE`, or the strongest quick one of a game without it."""
    return SUBSTITUTE if SUBSTITUTE in game.agents else strongest_quick(game)


def strongest_quick(game: AnyGame) -> str:
    """The strongest level that is not slow."""
    return [level for level, agent in game.agents.items() if not agent.slow][-1]


# -- time runs out


def time_passes(draft: Draft) -> None:
    """Carries out the due alarm: misses, reminders and pauses in a match, or the end of a lobby or a pause."""
    if draft.table.body.asleep is not None:
        return  # the alarm was already being carried out when the table fell asleep
    draft.alarm_used = draft.touched = True
    if draft.table.status == "playing":
        miss(draft)
        remind(draft)
        fall_silent(draft)
        rest(draft)
    expire(draft)


def remind(draft: Draft) -> None:
    """Marks the seats that have used most of their time, so that the announcement calls them again as a reminder."""
    table = draft.table
    for seat, asked in table.body.asked.items():
        if asked.reminded or not is_expected(table, seat):
            continue
        if draft.has_come(reminder(asked)):
            asked.reminded = True
            draft.touch()


def fall_silent(draft: Draft) -> None:
    """Marks the seats that have not reacted to a reminder in a match without a limit.

    The other players can then end the match without the consent of these seats.
    """
    for asked in draft.table.body.asked.values():
        if asked.deadline is not None or asked.held is not None or not asked.reminded:
            continue
        if draft.has_come(asked.at + SILENT_AFTER):
            asked.silent = True


def miss(draft: Draft) -> None:
    """Lets an agent answer for seats whose time is up. After two misses in a row, the agent keeps playing the seat."""
    table = draft.table
    for number, asked in table.body.asked.items():
        if not asked.deadline or not draft.has_come(asked.deadline) or not is_expected(table, number):
            continue
        seat = table.seats[number]
        seat.missed += 1
        if table.body.last_mover != number:
            table.body.undo = []  # an undo must not cancel the missed turn
        asked.substitute = True
        seat.away = seat.missed >= _MISSES
        draft.log_event("away" if seat.away else "missed", number)
        draft.touch()


# -- nobody is there


def rest(draft: Draft) -> None:
    """Adjusts the match after somebody has gone away or left.

    The match ends if all present players wish to end it, is paused if nobody is present, and otherwise goes on. A pause
    lasts longer than every holiday.
    """
    table = draft.table
    if agreed(table):
        abandon(draft, "agreed")
    elif table.status == "playing" and not any(seat.present for seat in table.seats):
        table.status = "paused"
        downtime = draft.now - draft.host_time
        back = [seat.holiday - downtime for seat in table.seats if seat.holiday is not None]
        table.body.expires = max([draft.host_time, *back]) + _PAUSE_ENDS
        draft.log_event("paused")
        draft.touch()


def resume(draft: Draft) -> None:
    """Resumes the match after a pause. Everybody's time begins anew."""
    table = draft.table
    if table.status == "paused":
        table.status = "playing"
        table.body.expires = None
        draft.log_event("resumed")
        table.body.asked = {}
        wait(draft)
    draft.touch()


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
    # If the bot comes back, forgotten people's names can then still be removed from its messages.
    draft.table.body.asleep = None
    if draft.table.status == "lobby":
        close_lobby(draft, "server-left")
    elif draft.table.live:
        abandon(draft, "server-left")
    draft.cancel(REDRAW)
