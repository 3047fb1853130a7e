"""How a table ends: a match that is over, one that is ended before its end, and who may end it."""

from __future__ import annotations

from bot.tables.draft import Draft
from bot.tables.model import Status, Table
from bot.tables.refusals import Refused


def finish(draft: Draft) -> None:
    """The match has come to its end."""
    _close(draft, "over")


def abandon(draft: Draft, why: str) -> None:
    """Ends a match before its end."""
    _close(draft, "abandoned", why)
    draft.tell("abandoned", why=why)


def close_lobby(draft: Draft, why: str) -> None:
    """Ends a lobby from which no match came."""
    _close(draft, "abandoned", why)


def expire(draft: Draft) -> None:
    """Ends a lobby that nobody started in time, and a paused match that nobody came back to."""
    table = draft.table
    expires = table.body.expires
    if expires is None or not draft.has_come(expires):
        return
    if table.status == "lobby":
        close_lobby(draft, "lobby-expired")
    elif table.status == "paused":
        abandon(draft, "pause-expired")


def _close(draft: Draft, status: Status, why: str = "") -> None:
    table, body = draft.table, draft.table.body
    table.status = status
    table.ended_at = draft.now
    body.ending = why
    body.asked = {}
    body.undo = []
    body.expires = None
    body.forgotten = []  # there is no seat any more to keep them from
    draft.touch()


def may_end(table: Table, user_id: int, *, manages: bool) -> bool:
    """Whether this person may end the match alone; False: all who are here must agree (`undecided`).

    Raises `Refused` for people who have no say.
    """
    if not table.live:
        raise Refused("match-over")
    if manages:
        return True
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if table.status == "lobby":
        if user_id != table.body.host_id:
            raise Refused("host-only", host=table.body.host_id)
        return True
    return table.body.host_id == user_id and table.people() == [seat]


def end(draft: Draft, user_id: int, *, manages: bool) -> bool:
    """Ends the table for somebody who may, or notes their wish; True where it has ended.

    Raises `Refused` for people who have no say.
    """
    table = draft.table
    alone = may_end(table, user_id, manages=manages)
    if table.status == "lobby":
        close_lobby(draft, "lobby-closed" if user_id == table.body.host_id else "manager")
    elif alone:
        by_host = table.body.host_id == user_id and table.people() == [table.seat_of(user_id)]
        abandon(draft, "host" if by_host else "manager")
    elif vote_end(draft, user_id):
        abandon(draft, "agreed")
    return not table.live


def vote_end(draft: Draft, user_id: int) -> bool:
    """Counts a seated person's wish to end the match; True where with it all who are present agree."""
    table, seat = draft.table, _voter(draft, user_id)
    if seat not in table.body.end_votes:
        table.body.end_votes.append(seat)
        draft.tell("end-vote", seat)
    draft.touch()
    return not undecided(table)


def play_on(draft: Draft, user_id: int) -> None:
    """Takes a seated person's wish to end the match back. Raises `Refused` for people who have no say."""
    table, seat = draft.table, _voter(draft, user_id)
    if seat in table.body.asked:
        table.body.asked[seat].heard(draft.host_time)
    if seat in table.body.end_votes:
        table.body.end_votes.remove(seat)
        draft.tell("play-on", seat)
    draft.touch()


def _voter(draft: Draft, user_id: int) -> int:
    seat = draft.table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if not draft.table.under_way:
        raise Refused("match-over")
    return seat


def agreed(table: Table) -> bool:
    """Whether a match goes on that all who are present, and there are some, have wished to end."""
    here = any(seat.present for seat in table.seats)
    return table.under_way and here and bool(table.body.end_votes) and not undecided(table)


def undecided(table: Table) -> list[int]:
    """The seats whose wish is still needed to end the match: those of all who are here and have not wished it."""
    asked, votes = table.body.asked, table.body.end_votes
    silent = [number for number, waiting in asked.items() if waiting.silent]
    return [
        number
        for number, seat in enumerate(table.seats)
        if seat.present and number not in silent and number not in votes
    ]
