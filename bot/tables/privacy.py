"""What is kept about one person, and how it goes."""

from __future__ import annotations

from bot.store.base import TableRow
from bot.tables import absence, lobby
from bot.tables.draft import Draft
from bot.tables.model import Body, read_body, write_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.errors import BadData

NOBODY = "—"
"""What a forgotten person is called in matches that stay."""


async def kept_about(tables: Tables, user_id: int) -> list[TableRow]:
    """The matches in which this person is kept, newest first, without snapshots."""
    return await tables.store.tables_of(user_id)


async def forget(tables: Tables, user_id: int) -> None:
    """Takes a person out of every match: a live seat goes to an agent, a lobby's is left, names are blotted out.

    What they did stays, as a seat's moves. So does a word that they gave to a match that has started: without it
    nobody could check the shuffle; nothing tells any more whose it was. Raises `StoreError`; what was forgotten
    until then is, and the rest goes when this is called again.
    """
    for row in await tables.store.tables_of(user_id):
        sat = await tables.store.seat_of(row.id, user_id)
        try:
            async with tables.change(row.id) as draft:
                _leave(draft, user_id, sat)
                _blot(draft.table.body, user_id)
                draft.touch()
        except Refused:  # it cannot be read, or was purged just now
            await _blot_unread(tables, row.id, user_id)
        await tables.store.forget(user_id, row.id)


def _leave(draft: Draft, user_id: int, sat: int | None) -> None:
    table = draft.table
    number = table.seat_of(user_id)
    seated = number is not None
    if table.starting and seated:
        # Seats are frozen: an agent takes this one, and no hand of it has been seen.
        table.seats[number].user_id, table.seats[number].agent = None, absence.STAND_IN
        table.seats[number].left_by = user_id
        absence.hand_over(table, user_id, number)
    elif table.status == "lobby" and seated:
        lobby.leave_lobby(draft, user_id)
    if not table.under_way:
        return
    if sat not in (None, lobby.IN_LOBBY):
        # They have seen a hand. A seal, which does not tell who they are, keeps them from others while it lasts.
        table.body.forgotten.append(table.seal(user_id))
    if seated:
        absence.leave(draft, user_id)


async def _blot_unread(tables: Tables, table_id: int, user_id: int) -> None:
    def blot(row: TableRow) -> None:
        try:
            body = read_body(row.body)
        except BadData:
            return  # not even who sat there can be read
        _blot(body, user_id)
        row.body = write_body(body)

    try:
        await tables.rewrite(table_id, blot)
    except Refused:
        return


def _blot(body: Body, user_id: int) -> None:
    for seat in body.seats:
        if user_id not in (seat.user_id, seat.left_by):
            continue
        seat.name = NOBODY
        seat.word = ""
        if seat.user_id == user_id:
            seat.user_id = None
            seat.agent = seat.agent or absence.STAND_IN
        seat.left_by = None
    if body.host == user_id:
        body.host = 0
