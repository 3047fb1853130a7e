"""Tables of a server with the same deal: two to eight, which are compared seat by seat when all are over.

The others are opened with a code of the first one while that is a lobby, and have its seed and settings. Its start
fixes what is mixed in, for all. The others start after it, with as many seats. A person plays at one of them only.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from bot.store.model import StoreError
from bot.tables.lobby import NewTable
from bot.tables.matchmaking import give_back
from bot.tables.model import NO_SEAT, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables

MOST: Final = 8
"""The most tables with one deal."""


def code_of(table: Table) -> str:
    """The code by which other tables get this table's deal. It cannot be guessed, and does not tell the seed."""
    return f"{table.id}-{hashlib.sha256(f'{table.body.host_seed}:same'.encode()).hexdigest()[:12]}"


async def open_tied(tables: Tables, new: NewTable, code: str) -> Table:
    """Opens a lobby with the deal and the settings of the table with this code.

    Raises `Refused` and `StoreError`, also as `Tables.open` does.
    """
    number = code.strip().partition("-")[0]
    if not (number.isascii() and number.isdecimal() and len(number) < 16):
        raise Refused("same-code")
    async with tables.deals.hold(int(number)):
        first = await _find(tables, int(number))
        if first is None or code_of(first) != code.strip() or first.guild_id != new.guild_id:
            raise Refused("same-code")
        table: Table | None = None
        try:
            async with tables.change(first.id) as draft:
                first = draft.table
                _check_tie(first, new)
                for each in [first, *await _others(tables, first)]:
                    await _check_free(tables, each, new.user_id)
                table = await tables.open(replace(new, options=first.body.options, same=first))
                first.body.same.append(table.id)
                draft.touch()
        except StoreError:
            if table is not None:  # the first table does not know of it, so it could never begin
                await give_back(tables, table.id)
            raise
    return table


def _check_tie(first: Table, new: NewTable) -> None:
    if first.game.key != new.game.key or first.is_private or first.body.same_of is not None:
        raise Refused("same-code")
    if first.status != "lobby" or first.starting:
        raise Refused("same-late")
    if len(first.body.same) + 1 >= MOST:
        raise Refused("same-full", most=MOST)


@asynccontextmanager
async def seating(tables: Tables, table_id: int, user_id: int) -> AsyncGenerator[None]:
    """A context in which a person sits down.

    Raises `Refused` if they play, or have played, the deal at another table.
    """
    table = await tables.get(table_id)
    async with tables.deals.hold(table.body.same_of or table.id):
        for each in await group_of(tables, await tables.get(table_id)):
            if each.id != table_id:
                await _check_free(tables, each, user_id)
        yield


async def _check_free(tables: Tables, table: Table, user_id: int) -> None:
    """Raises `Refused` if the person sits at this table, or has had a hand there."""
    sat = await tables.store.seat_of(table.id, user_id)
    if (
        table.seat_of(user_id) is not None
        or sat not in (None, NO_SEAT)
        or table.body.seal(user_id) in table.body.forgotten
    ):
        raise Refused("same-sat")


async def ready(tables: Tables, table: Table) -> Table | None:
    """The table whose deal this lobby is about to start with; None if the deal is its own, or its start is under way.

    Raises `Refused` if that table is not being played.
    """
    if table.body.same_of is None or table.starting:
        return None
    first = await _find(tables, table.body.same_of)
    if first is not None and first.status == "lobby":
        raise Refused("same-waits")
    known = first is not None and table.id in first.body.same and first.body.rules == table.game.version
    if first is None or not known or not first.under_way:
        raise Refused("same-gone")
    return first


async def group_of(tables: Tables, table: Table) -> list[Table]:
    """All tables with this table's deal, in the order of their opening; none if no other table has its deal."""
    if table.body.same_of is None and not table.body.same:
        return []
    first = table if table.body.same_of is None else await _find(tables, table.body.same_of)
    return [table] if first is None else [first, *await _others(tables, first)]


async def _others(tables: Tables, first: Table) -> list[Table]:
    found = [await _find(tables, number) for number in first.body.same]
    return [table for table in found if table is not None]


async def _find(tables: Tables, table_id: int) -> Table | None:
    """The table; None if it is not stored any more. Raises `Refused` if it cannot be read."""
    try:
        return await tables.get(table_id)
    except Refused as refused:
        if refused.code != "no-table":
            raise
        return None


async def check_over(tables: Tables, table: Table) -> None:
    """Raises `Refused` while any table with this table's deal is open: its seed and hands are secret until then."""
    if any(each.live for each in await group_of(tables, table)):
        raise Refused("same-sealed")


async def is_over(tables: Tables, table: Table) -> bool:
    """Whether no table with this table's deal is open; False if one of them cannot be read."""
    try:
        await check_over(tables, table)
    except Refused:
        return False
    return True


async def compare(tables: Tables, table: Table) -> Table:
    """Has all results show the comparison, once the last table with this deal is over; returns this table."""
    try:
        group = await group_of(tables, table)
    except Refused:  # a table that cannot be read may still go on
        return table
    if not group or any(each.live for each in group):
        return table
    for each in group:
        async with tables.change(each.id) as draft:
            if not draft.table.body.compared:
                draft.table.body.compared = True
                draft.touch()
    return await tables.get(table.id)


async def compared_with(tables: Tables, table: Table) -> list[Table]:
    """The tables that this table's result compares, itself among them; none before all are over."""
    if not table.body.compared:
        return []
    try:
        return await group_of(tables, table)
    except Refused:
        return []
