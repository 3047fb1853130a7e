"""The log and the moves of a table, each read together with the table at one version.

A table and its log are two reads, between which the table may change. A screen that is made from both therefore takes
both from here: the table that is returned is its newest state if it has changed since it was read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.store.model import LogRow, MoveRow
from bot.tables.model import Table
from bot.tables.service import Tables

ALL: Final = 2**62
"""More rows than a log has."""


async def with_log(
    tables: Tables, table: Table, *, last: int = ALL, since: Callable[[Table], int] = lambda _table: 0
) -> tuple[Table, list[LogRow]]:
    """A table that is in the store, and the newest rows of its log, oldest first: at most `last`.

    `since` leaves out the rows from before that many moves had been made. Raises `Refused` and `StoreError`.
    """
    tails = tables.cache.tails
    limit = max(last, tails.length)
    while True:
        table = max(table, tables.at_hand(table.id) or table, key=lambda each: each.version)
        kept = tails.newest(table.id, table.version, last, since(table))
        if kept is not None:
            return table, kept
        rows = await tables.store.log(table.id, last=limit)
        newer = await tables.newer(table)
        if newer is None:
            at_hand = tables.at_hand(table.id)
            if at_hand is not None and at_hand.version == table.version:
                tails.keep(table.id, table.version, rows, whole=len(rows) < limit)
            return table, [row for row in rows[-last:] if row.sequence >= since(table)]
        table = newer


async def with_moves(tables: Tables, table: Table) -> tuple[Table, list[MoveRow]]:
    """A table that is in the store, and its moves. Raises `Refused` and `StoreError`."""
    while True:
        moves = await tables.store.moves(table.id)
        newer = await tables.newer(table)
        if newer is None:
            return table, moves
        table = newer
