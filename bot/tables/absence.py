"""Whose answer is waited for, until when, and who answers for people who are away."""

from __future__ import annotations

from typing import Final

from bot.tables.draft import AGENT, ALARM, REDRAW, START, Draft
from bot.tables.ending import abandon, agreed, expire
from bot.tables.model import DAY, MINUTE, STAND_IN, Asked, Table
from bot.tables.naming import clean_name
from bot.tables.refusals import Refused

LEAST: Final = 2 * MINUTE
"""What an own action leaves at least, and the least that a decision is given which has only a part of the limit."""

MOST: Final = 2
"""So many limits, in all, are the most that own actions can make of one."""

REMIND_AT: Final = 0.75
REMIND_UNLIMITED: Final = DAY
"""Without a limit somebody asked is reminded after so long, once."""
SILENT_AFTER: Final = 2 * DAY
"""Without a limit nobody has to wait for the consent of somebody who has not been heard of for so long."""
PAUSE_ENDS: Final = 7 * DAY
START_AGAIN: Final = 10
"""Seconds after which a start that was interrupted goes on by itself."""
MISSES: Final = 2
"""After so many missed decisions in a row an agent keeps the seat."""


def limit_of(table: Table, kind: str) -> float | None:
    """How long a seat may think about a decision of this kind, in seconds; None: as long as it likes."""
    limit = table.body.limit
    if limit is None:
        return None
    return max(min(LEAST, limit), limit * table.game.limits.get(kind, 1.0))


def played_by_agent(table: Table, seat: int) -> bool:
    """Whether an agent answers for this seat now."""
    asked = table.body.asked.get(seat)
    return not table.seats[seat].present or (asked is not None and asked.stand_in)


def agent_of(table: Table, seat: int) -> str:
    """The level of the agent that plays this seat, or would."""
    level = table.seats[seat].agent or STAND_IN
    return level if level in table.game.agents else STAND_IN


# -- waiting


def wait(draft: Draft, mover: int | None = None) -> None:
    """Notes whom the match waits for. `mover`: the person who has just moved."""
    table = draft.table
    before = table.body.asked
    table.body.asked = {}
    pending = table.game.pending(table.state)
    # Where all decide at once, who answered last is asked again with all others: that is another turn of theirs.
    earlier = () if draft.before.state is None else table.game.pending(draft.before.state)
    others_asked = any(decision.seat not in before for decision in pending)
    for decision in pending:
        limit = limit_of(table, decision.kind)
        asked = before.get(decision.seat)
        if asked is None or (others_asked and decision not in earlier):
            asked = _ask(draft, limit)
        elif limit and asked.deadline:
            asked.deadline = max(asked.deadline, asked.at + limit)  # the next decision may have a longer one
            if decision.seat == mover:
                leave_time(draft, asked, limit)
        elif decision.seat == mover:
            asked.heard(draft.host_time)
        asked.limit = max(asked.limit, limit or 0.0)
        table.body.asked[decision.seat] = asked


def _ask(draft: Draft, limit: float | None) -> Asked:
    now = draft.host_time
    deadline = max(now + limit, draft.grace_ends) if limit else None
    return Asked(now, deadline, since=draft.table.sequence)


def leave_time(draft: Draft, asked: Asked, limit: float) -> None:
    """Sees to it that after an action of their own a person has time for the next, whose kind has this limit.

    A turn that began with a longer limit may last up to twice that one.
    """
    assert asked.deadline is not None
    longest = max(limit, asked.limit)
    asked.deadline = max(asked.deadline, min(draft.host_time + LEAST, asked.at + MOST * longest))


def grant_grace(table: Table, until: float) -> None:
    """No time runs out before then, in host time. Changes the table itself, before others see it."""
    for asked in table.body.asked.values():
        if asked.deadline:
            asked.deadline = max(asked.deadline, until)
    if table.body.expires:
        table.body.expires = max(table.body.expires, until)


# -- the jobs that follow from it


def arm(draft: Draft) -> None:
    """Sets the jobs that a table as it now is calls for; those that stay as they were are left alone."""
    if draft.table.body.asleep is not None:
        draft.cancel(REDRAW)
    turn = agents_turn(draft.table)
    if turn is None:
        draft.cancel(AGENT)
    elif turn != agents_turn(draft.before):
        draft.schedule(AGENT, draft.now + draft.agent_pause())
    if turn is not None and not _asked(draft.table):
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
    """The seat for which an agent is to make the next move, with the moves made and those taken back so far; None where
    none is.
    """
    if table.status != "playing" or table.body.asleep is not None:
        return None
    for decision in table.game.pending(table.state):
        if played_by_agent(table, decision.seat):
            return decision.seat, table.sequence, table.body.undone
    return None


def _asked(table: Table) -> bool:
    """Whether the match waits for a person."""
    return any(not played_by_agent(table, seat) for seat in table.body.asked)


def alarm(table: Table) -> float | None:
    """When the passing of time alone changes something next, in host time."""
    if table.body.asleep is not None:
        return None
    if table.status != "playing":
        return table.body.expires
    times = [
        _latest(asked) if asked.reminded else _reminder(asked)
        for seat, asked in table.body.asked.items()
        if not played_by_agent(table, seat)
    ]
    return min((time for time in times if time is not None), default=None)


def _latest(asked: Asked) -> float | None:
    """When more comes of it that somebody reminded does not answer, in host time; None: never."""
    if asked.deadline is None:
        return None if asked.silent else asked.at + SILENT_AFTER
    return asked.deadline


def _reminder(asked: Asked) -> float:
    """When somebody asked is reminded, in host time."""
    after = REMIND_UNLIMITED if asked.deadline is None else REMIND_AT * (asked.deadline - asked.at)
    return asked.at + after


# -- time runs out


def ring(draft: Draft) -> None:
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
        if draft.has_come(_reminder(asked)):
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


# -- coming and going


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


def come_back(draft: Draft, user_id: int) -> None:
    """A person who was away, or who left and whose seat is still free, plays their seat again."""
    table = draft.table
    if not table.under_way:
        raise Refused("match-over")
    number = table.seat_of(user_id)
    if number is None:
        free = [n for n, seat in enumerate(table.seats) if seat.left_by == user_id and seat.user_id is None]
        if not free:
            raise Refused("not-seated")
        sit(draft, free[0], user_id, table.seats[free[0]].name)
        return
    if not played_by_agent(table, number):
        raise Refused("not-away")
    _welcome(draft, number)
    draft.tell("back", number)
    resume(draft)


def _welcome(draft: Draft, number: int) -> None:
    """A person plays this seat from now on.

    Of its time it keeps what is left, and at least that of an own action: who comes and goes gains none by it.
    """
    table = draft.table
    seat = table.seats[number]
    seat.away = False
    seat.missed = 0
    asked = table.body.asked.get(number)
    kind = next((d.kind for d in table.game.pending(table.state) if d.seat == number), None)
    if asked is None or kind is None:
        return
    limit = limit_of(table, kind)
    if limit and asked.deadline:
        leave_time(draft, asked, limit)
        asked.stand_in = draft.has_come(asked.deadline)
    else:
        asked.stand_in = False


def sit(draft: Draft, number: int, user_id: int, name: str) -> None:
    """A person takes a seat that no person holds, in a match under way."""
    table = draft.table
    if not table.under_way:
        raise Refused("match-over")
    if not 0 <= number < len(table.seats) or table.seats[number].user_id is not None:
        raise Refused("seat-held")
    if table.seat_of(user_id) is not None:
        raise Refused("already-seated")
    seat = table.seats[number]
    event = "back" if seat.left_by == user_id else "took-over"
    seat.user_id, seat.name = user_id, clean_name(name)
    seat.agent = seat.left_by = None
    _welcome(draft, number)
    if table.seat_of(table.body.host) is None:
        table.body.host = user_id
    draft.seat_taken(user_id, number)
    draft.tell(event, number)
    resume(draft)


def leave(draft: Draft, user_id: int) -> None:
    """A person leaves a match under way: an agent plays on, and the seat can be taken over."""
    table = draft.table
    if not table.under_way:
        raise Refused("match-over")
    number = table.seat_of(user_id)
    if number is None:
        raise Refused("not-seated")
    seat = table.seats[number]
    if table.body.last_mover == number:
        table.body.undo = []  # what somebody did stands once they have gone
    seat.left_by, seat.user_id = user_id, None
    seat.agent, seat.away, seat.missed = STAND_IN, False, 0
    if number in table.body.end_votes:
        table.body.end_votes.remove(number)
    hand_over(table, user_id, number)
    draft.tell("left", number)
    draft.touch()
    rest(draft)


def hand_over(table: Table, user_id: int, number: int) -> None:
    """Where the host has left seat `number`, the next person around the table hosts."""
    following = table.next_person(number)
    if table.body.host == user_id and following is not None:
        host = table.seats[following].user_id
        assert host is not None
        table.body.host = host
