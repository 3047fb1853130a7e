"""What is kept about one person, and how it goes."""

from __future__ import annotations

from bot.tables import absence, lobby
from bot.tables.model import Seat, Table
from bot.tables.service import Tables

NOBODY = "—"
"""What a forgotten person is called in matches that stay."""


async def kept_about(tables: Tables, user_id: int) -> list[str]:
    """The matches in which this person is kept, a line each: game, day and state."""
    rows = await tables.store.tables_of(user_id)
    return [f"{row.game} · <t:{int(row.created_at)}:d> · {row.status}" for row in rows]


async def forget(tables: Tables, user_id: int) -> None:
    """Takes a person out of every match: a live seat goes to an agent, a lobby's is left, names are blotted out."""
    rows = await tables.store.tables_of(user_id)
    for row in rows:
        async with tables.change(row.id) as draft:
            table = draft.table
            if table.status == "lobby" and table.seat_of(user_id) is not None:
                lobby.leave_lobby(draft, user_id)
            elif table.under_way and table.seat_of(user_id) is not None:
                absence.leave(draft, user_id)
            for seat in table.seats:
                _blot(table, seat, user_id)
            if table.body.host == user_id:
                table.body.host = 0
            draft.touch()
        await tables.store.forget(user_id, row.id)


def _blot(table: Table, seat: Seat, user_id: int) -> None:
    if user_id not in (seat.user_id, seat.left_by):
        return
    seat.name = NOBODY
    seat.word = ""
    if seat.user_id == user_id:
        seat.user_id = None
        seat.agent = seat.agent or absence.STAND_IN
    seat.left_by = None
