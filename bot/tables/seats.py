"""Changes of seats in a match under way: coming back, taking over, leaving."""

from __future__ import annotations

from bot.tables.absence import played_by_agent, rest, resume
from bot.tables.deadlines import leave_time, limit_of, settle_waits
from bot.tables.draft import Draft
from bot.tables.model import SUBSTITUTE, Earlier, Table
from bot.tables.naming import clean_name
from bot.tables.premoves import kind_asked
from bot.tables.refusals import Refused


def come_back(draft: Draft, user_id: int) -> None:
    """Returns a seat to a person who was away, or who left and whose seat nobody has taken."""
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
    if not played_by_agent(table, number) and not table.seats[number].away:
        raise Refused("not-away")
    welcome(draft, number)
    draft.log_event("back", number)
    resume(draft)


def sit(draft: Draft, number: int, user_id: int, name: str) -> None:
    """Seats a person in a match under way, on a seat that no other person holds."""
    table = draft.table
    if not table.under_way:
        raise Refused("match-over")
    if not 0 <= number < len(table.seats) or table.seats[number].user_id is not None:
        raise Refused("seat-held")
    if table.seat_of(user_id) is not None:
        raise Refused("already-seated")
    seat = table.seats[number]
    returns = seat.left_by == user_id
    if not returns:
        table.body.earlier.append(Earlier(number, seat.name, seat.left_by))
        seat.moved = seat.since = table.sequence
        seat.forget_hints()
    seat.user_id, seat.name = user_id, clean_name(name)
    seat.agent = seat.left_by = None
    welcome(draft, number)
    if table.seat_of(table.body.host_id) is None:
        table.body.host_id = user_id
    draft.seat_taken(user_id, number)
    if returns:
        draft.log_event("back", number, had_left=True)
    else:
        draft.log_event("took-over", number, earlier=len(table.body.earlier) - 1)
    resume(draft)


def leave(draft: Draft, user_id: int) -> None:
    """Removes a person from a match under way. An agent plays on, and the seat can be taken over."""
    table = draft.table
    if not table.under_way:
        raise Refused("match-over")
    number = table.seat_of(user_id)
    if number is None:
        raise Refused("not-seated")
    seat = table.seats[number]
    if table.body.last_mover == number:
        table.body.undo = []  # after somebody has left, their moves can no longer be taken back
    seat.left_by, seat.user_id = user_id, None
    seat.agent = SUBSTITUTE
    seat.is_here()
    for other in table.seats:
        other.agreed = [agreed for agreed in other.agreed if agreed != number]
    table.body.forget_answers(number)
    if number in table.body.end_votes:
        table.body.end_votes.remove(number)
    hand_over(table, user_id, number)
    draft.log_event("left", number)
    draft.touch()
    rest(draft)


def welcome(draft: Draft, number: int) -> None:
    """Lets a seat's person play it from now on.

    The seat retains its remaining time, or gets as much as after a person's own action if that is more. Nobody can gain
    more time by leaving and returning.
    """
    table = draft.table
    seat = table.seats[number]
    seat.is_here()
    settle_waits(draft)
    asked = table.body.asked.get(number)
    kind = kind_asked(table.game, table.state, number)
    if asked is None or kind is None:
        return
    limit = limit_of(table, kind)
    if limit and asked.deadline:
        leave_time(draft, asked, limit)
        asked.substitute = draft.has_come(asked.deadline)
    else:
        asked.substitute = False


def hand_over(table: Table, user_id: int, number: int) -> None:
    """If the host has left seat `number`, makes the next person around the table the host."""
    following = table.next_person(number)
    if table.body.host_id == user_id and following is not None:
        host = table.seats[following].user_id
        assert host is not None
        table.body.host_id = host
