"""Whose answer is waited for, until when, and who answers for people who are away."""

from __future__ import annotations

from typing import Final

from bot.tables.draft import AGENT, DEADLINE, EXPIRY, REMINDER, Draft
from bot.tables.model import DAY, MINUTE, STAND_IN, Asked, Table
from bot.tables.refusals import Refused

LEAST: Final = 2 * MINUTE
"""What an own action leaves at least, and the shortest limit of a decision out of turn."""

OUT_OF_TURN: Final = 0.25
"""The part of the limit that a decision out of turn (a Sandstorm's) is given."""

REMIND_AT: Final = 0.75
PAUSE_ENDS: Final = 7 * DAY
MISSES: Final = 2
"""After so many missed decisions in a row an agent keeps the seat."""


def limit_of(table: Table, kind: str) -> float | None:
    """How long a seat may think about a decision of this kind, in seconds; None: as long as it likes."""
    limit = table.body.limit
    if limit is None:
        return None
    return max(LEAST, limit * OUT_OF_TURN) if kind in table.game.out_of_turn else float(limit)


def played_by_agent(table: Table, seat: int) -> bool:
    """Whether an agent answers for this seat now."""
    asked = table.body.asked.get(seat)
    return not table.seats[seat].present or (asked is not None and asked.stand_in)


def agent_of(table: Table, seat: int) -> str:
    """The level of the agent that plays this seat, or would."""
    level = table.seats[seat].agent or STAND_IN
    return level if level in table.game.agents else STAND_IN


def wait(draft: Draft, mover: int | None = None) -> None:
    """Notes whom the match waits for, after `mover` has acted, and sets the jobs that go with it."""
    table = draft.table
    before = table.body.asked
    table.body.asked = {}
    for decision in table.game.pending(table.state):
        limit = limit_of(table, decision.kind)
        asked = before.get(decision.seat)
        if asked is None:
            asked = Asked(draft.host_time, draft.host_time + limit if limit else None)
        elif decision.seat == mover and limit and asked.deadline:
            asked.deadline = max(asked.deadline, min(draft.host_time + LEAST, asked.at + 2 * limit))
        table.body.asked[decision.seat] = asked
    arm(draft)


def arm(draft: Draft) -> None:
    """Sets the jobs for those whom the match waits for."""
    table = draft.table
    draft.cancel(AGENT, DEADLINE, REMINDER)
    if table.status != "playing":
        return
    people = [asked for seat, asked in table.body.asked.items() if not played_by_agent(table, seat)]
    if len(people) < len(table.body.asked):
        draft.schedule(AGENT, draft.now + draft.agent_pause())
    deadlines = [asked.deadline for asked in people if asked.deadline]
    if deadlines:
        draft.schedule_at_host_time(DEADLINE, min(deadlines))
    reminders = [_reminder(asked) for asked in people if asked.deadline and not asked.reminded]
    if reminders:
        draft.schedule_at_host_time(REMINDER, min(reminders))


def remind(draft: Draft) -> None:
    """Has the announcement made anew, as a reminder, for those who have used up most of their time."""
    table = draft.table
    for seat, asked in table.body.asked.items():
        if asked.reminded or not asked.deadline or played_by_agent(table, seat):
            continue
        if _reminder(asked) <= draft.host_time:
            asked.reminded = True
            draft.touch()
    arm(draft)


def _reminder(asked: Asked) -> float:
    """When somebody asked is reminded, in host time."""
    assert asked.deadline is not None
    return asked.at + REMIND_AT * (asked.deadline - asked.at)


def miss(draft: Draft) -> None:
    """Lets an agent answer for those whose time is up; after two in a row it keeps the seat."""
    table = draft.table
    for number, asked in table.body.asked.items():
        if not asked.deadline or asked.deadline > draft.host_time or played_by_agent(table, number):
            continue
        seat = table.seats[number]
        seat.missed += 1
        asked.stand_in = True
        seat.away = seat.missed >= MISSES
        draft.tell("away" if seat.away else "missed", number)
        draft.touch()
    rest(draft)


def rest(draft: Draft) -> None:
    """Pauses the match where nobody is left to play it, and otherwise goes on waiting."""
    table = draft.table
    if table.status == "playing" and not any(seat.present for seat in table.seats):
        table.status = "paused"
        draft.tell("paused")
        draft.schedule(EXPIRY, draft.now + PAUSE_ENDS)
        draft.touch()
    arm(draft)


def resume(draft: Draft) -> None:
    """Goes on after a pause, everybody's time begun anew."""
    table = draft.table
    if table.status == "paused":
        table.status = "playing"
        draft.cancel(EXPIRY)
        draft.tell("resumed")
        table.body.asked = {}
        wait(draft)
    else:
        arm(draft)
    draft.touch()


def come_back(draft: Draft, user_id: int) -> None:
    """A person who was away, or who left and whose seat is still free, plays their seat again."""
    table = draft.table
    number = table.seat_of(user_id)
    if number is None:
        free = [n for n, seat in enumerate(table.seats) if seat.left_by == user_id and seat.user_id is None]
        if not free:
            raise Refused("not-seated")
        sit(draft, free[0], user_id, table.seats[free[0]].name)
        return
    seat = table.seats[number]
    asked = table.body.asked.get(number)
    if seat.present and not (asked and asked.stand_in):
        raise Refused("not-away")
    _welcome(draft, number)
    draft.tell("back", number)
    resume(draft)


def _welcome(draft: Draft, number: int) -> None:
    """The person's own time runs anew, if the match waits for them."""
    table = draft.table
    seat = table.seats[number]
    seat.away = False
    seat.missed = 0
    asked = table.body.asked.pop(number, None)
    if asked is not None:
        wait(draft)


def sit(draft: Draft, number: int, user_id: int, name: str) -> None:
    """A person takes a seat that no person holds, in a match under way."""
    table = draft.table
    seat = table.seats[number]
    if seat.user_id is not None:
        raise Refused("seat-held")
    if table.seat_of(user_id) is not None:
        raise Refused("already-seated")
    seat.user_id, seat.name = user_id, name
    seat.agent = seat.left_by = None
    _welcome(draft, number)
    if table.seat_of(table.body.host) is None:
        table.body.host = user_id
    draft.seat_taken(user_id, number)
    draft.tell("took-over", number)
    resume(draft)


def leave(draft: Draft, user_id: int) -> None:
    """A person leaves a match under way: an agent plays on, and the seat can be taken over."""
    table = draft.table
    number = table.seat_of(user_id)
    if number is None:
        raise Refused("not-seated")
    seat = table.seats[number]
    seat.left_by, seat.user_id = user_id, None
    seat.agent, seat.away, seat.missed = STAND_IN, False, 0
    if number in table.body.end_votes:
        table.body.end_votes.remove(number)
    people = table.people()
    if table.body.host == user_id and people:
        host = table.seats[people[0]].user_id
        assert host is not None
        table.body.host = host
    draft.tell("left", number)
    draft.touch()
    rest(draft)
