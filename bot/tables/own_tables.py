"""The live tables of a person, for whom each of them waits, and the lobbies to which the person is asked."""

from __future__ import annotations

import logging
from typing import NamedTuple

from bot.store.model import TableRow
from bot.tables.absence import is_expected
from bot.tables.model import NO_SEAT, Table, read_table
from bot.tables.service import Tables
from engine.errors import BadData

log = logging.getLogger(__name__)


class ListedTable(NamedTuple):
    """A live table of a person. The table has no state.

    `seat` is the person's seat; `NO_SEAT` in a lobby to which the person is asked and has not answered. `waits_for` are
    the seats whose person is to move. `since` is the time of the oldest of these decisions, or of the last change if
    nobody is to move; in host time. `left`: the person has left the seat and may come back.
    """

    table: Table
    seat: int
    waits_for: tuple[int, ...]
    since: float
    left: bool

    @property
    def waits(self) -> bool:
        """Whether the table waits for the person."""
        return self.seat in self.waits_for

    @property
    def asks(self) -> bool:
        """Whether this is a lobby to which the person is asked."""
        return self.seat == NO_SEAT


async def own_tables(
    tables: Tables, user_id: int, server: int | None = None, *, asleep: bool = False
) -> list[ListedTable]:
    """The live tables of a person, on one server or on all: those that wait for the person first, longest wait first.

    With `asleep` also those that sleep, which wait for nobody. Raises `StoreError`.
    """
    found: list[ListedTable] = []
    for row in await tables.store.live_tables_of(user_id, server):
        table = _read(tables, row, asleep=asleep)
        own = None if table is None else _own(table, user_id)
        if own is not None:
            found.append(own)
    return sorted(found, key=lambda one: (not one.waits, one.since if one.waits else -one.table.changed_at))


async def asking_lobbies(tables: Tables, user_id: int, server: int | None = None) -> list[ListedTable]:
    """The lobbies to which a person is asked and has not answered, on one server or on all, the newest change first.

    Raises `StoreError`.
    """
    found = [_read(tables, row) for row in await tables.store.lobbies_naming(user_id, server)]
    return [
        ListedTable(table, NO_SEAT, (), table.changed_at, left=False)
        for table in found
        if table is not None and not table.starting and user_id in table.awaited()
    ]


def _read(tables: Tables, row: TableRow, *, asleep: bool = False) -> Table | None:
    """The table of a row; None if it sleeps, unless `asleep`, or cannot be read."""
    game = tables.games.get(row.game)
    try:
        return None if game is None or (row.asleep and not asleep) else read_table(row, game)
    except BadData as error:
        log.error("table %s cannot be read: %s", row.id, error)
        return None


def _own(table: Table, user_id: int) -> ListedTable | None:
    """The person's part in a table; None if the person has none, or no longer."""
    held = table.seat_of(user_id)
    left = [n for n, seat in enumerate(table.seats) if seat.left_by == user_id and seat.user_id is None]
    if held is None and not left:
        return None
    seat = left[0] if held is None else held
    asked = {} if table.status != "playing" or table.body.asleep is not None else table.body.asked
    waiting = {n: each.at for n, each in asked.items() if is_expected(table, n)}
    since = min(waiting.values(), default=table.changed_at)
    return ListedTable(table, seat, tuple(sorted(waiting)), waiting.get(seat, since), held is None)
