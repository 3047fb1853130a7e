"""The end of a table, after the last move or before it, and the right to end it early."""

from __future__ import annotations

from typing import Final

from bot.tables.draft import Draft
from bot.tables.model import NO_SEAT, Status, Table
from bot.tables.refusals import Refused
from bot.tables.results import match_result, private_score

UNREACHABLE: Final = ("channel-gone", "server-left")
"""The reasons to end a match after which nothing can be posted in its channel."""


def finish(draft: Draft) -> None:
    """Ends the table because the match is over."""
    _close(draft, "over")
    draft.result = match_result(draft.table)
    draft.score = private_score(draft.table)


def abandon(draft: Draft, why: str, by: int | None = None) -> None:
    """Ends a match early. `by` is the person who ends it alone."""
    _close(draft, "abandoned", why)
    draft.table.body.ended_by = by
    draft.table.body.messages.farewell = why not in UNREACHABLE and not draft.table.is_private
    draft.log_event("abandoned", why=why)


def close_lobby(draft: Draft, why: str) -> None:
    """Ends a lobby in which no match was started."""
    _close(draft, "abandoned", why)


def expire(draft: Draft) -> None:
    """Ends a lobby that was not started in time, a paused match to which nobody came back, or a private match."""
    table = draft.table
    expires = table.body.expires
    if expires is None or not draft.has_come(expires):
        return
    if table.status == "lobby":
        close_lobby(draft, "lobby-expired")
    else:
        abandon(draft, "pause-expired" if table.status == "paused" else "time-over")


def _close(draft: Draft, status: Status, why: str = "") -> None:
    table, body = draft.table, draft.table.body
    table.status = status
    table.ended_at = draft.now
    body.ending = why
    body.asked, body.expected, body.answers = {}, {}, {}
    body.undo = []
    body.expires = None
    body.guests, body.declined = [], []
    for seat in body.seats:
        seat.holiday, seat.agreed = None, []
    body.forgotten = []  # these people can take no seat at a table that has ended
    draft.touch()


def may_end(table: Table, user_id: int, *, manages: bool) -> bool:
    """Whether this person may end the match alone. If not, all present players must agree (see `undecided`).

    A person who manages the channel may (`manages`), except a match that they play themselves.
    Raises `Refused` for people who have no say in it.
    """
    if not table.live:
        raise Refused("match-over")
    seat = table.seat_of(user_id)
    if manages and (seat is None or table.status == "lobby"):
        return True
    if seat is None:
        raise Refused("not-seated")
    if table.status == "lobby":
        if user_id != table.body.host_id:
            raise Refused("host-only", host=table.body.host_id)
        return True
    return table.body.host_id == user_id and table.people() == [seat]


def end(draft: Draft, user_id: int, *, manages: bool) -> bool:
    """Ends the table if this person may, and otherwise records their wish. Returns whether the table has ended.

    Raises `Refused` for people who have no say.
    """
    table = draft.table
    alone = may_end(table, user_id, manages=manages)
    if table.status == "lobby":
        close_lobby(draft, "lobby-closed" if user_id == table.body.host_id else "manager")
        table.body.ended_by = user_id
        draft.seat_taken(user_id, NO_SEAT)
    elif alone:
        by_host = table.body.host_id == user_id and table.people() == [table.seat_of(user_id)]
        abandon(draft, "host" if by_host else "manager", user_id)
        draft.seat_taken(user_id, NO_SEAT)
    else:
        return agree(draft, user_id)
    return True


def agree(draft: Draft, user_id: int) -> bool:
    """Records a seated person's agreement to end the match. Returns whether the match has ended.

    The right to end the match alone has no effect here. Raises `Refused` for people who have no say.
    """
    if vote_end(draft, user_id):
        abandon(draft, "agreed")
    return not draft.table.live


def vote_end(draft: Draft, user_id: int) -> bool:
    """Records a seated person's wish to end the match. Returns whether all present players agree now."""
    table, seat = draft.table, _voter(draft, user_id)
    if seat not in table.body.end_votes:
        table.body.end_votes.append(seat)
        draft.log_event("end-vote", seat)
    draft.touch()
    return not undecided(table)


def play_on(draft: Draft, user_id: int) -> None:
    """Withdraws a seated person's wish to end the match. Raises `Refused` for people who have no say in it."""
    table, seat = draft.table, _voter(draft, user_id)
    if seat in table.body.asked:
        table.body.asked[seat].restart_wait(draft.host_time)
    if seat in table.body.end_votes:
        table.body.end_votes.remove(seat)
        draft.log_event("play-on", seat)
    draft.touch()


def _voter(draft: Draft, user_id: int) -> int:
    seat = draft.table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if not draft.table.under_way:
        raise Refused("match-over")
    return seat


def agreed(table: Table) -> bool:
    """Whether all present players wish to end a match that still goes on. False if nobody is present."""
    here = any(seat.present for seat in table.seats)
    return table.under_way and here and bool(table.body.end_votes) and not undecided(table)


def undecided(table: Table) -> list[int]:
    """The seats of present players who have not consented to end the match, without silent ones (`OpenDecision`)."""
    asked, votes = table.body.asked, table.body.end_votes
    silent = [number for number, waiting in asked.items() if waiting.silent]
    return [
        number
        for number, seat in enumerate(table.seats)
        if seat.present and number not in silent and number not in votes
    ]
