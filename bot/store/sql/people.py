"""SQL for users (seats, openers, erasure requests, settings) and for the application's emoji."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.store.engine import Tx, TxFunction
from bot.store.model import EmojiRow, Erasure, Scope, TableRow
from bot.store.sql.tables import IN_CHANNEL, IS_LIVE, SHORT, rows_of

_ASK_ERASURE: Final = "INSERT INTO erasures (user_id, asked_at) VALUES ($1, $2)"


def seat_of(table_id: int, user_id: int) -> TxFunction[int | None]:
    async def run(tx: Tx) -> int | None:
        rows = await tx.fetch("SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id)
        return rows[0][0] if rows else None

    return run


def opener_of(table_id: int) -> TxFunction[int]:

    async def run(tx: Tx) -> int:
        rows = await tx.fetch("SELECT opener_id FROM tables WHERE id = $1", table_id)
        return rows[0][0] if rows else 0

    return run


def has_played(user_id: int, game: str, besides: int, *, lessons: bool = False) -> TxFunction[bool]:
    """A lesson is a match in no channel, whose person has no seat there for the statistics."""
    where = f"(sat.seat >= 0 OR NOT {IN_CHANNEL})" if lessons else "sat.seat >= 0"

    async def run(tx: Tx) -> bool:
        query = f"""
            SELECT 1 FROM sat JOIN tables ON tables.id = sat.table_id
            WHERE sat.user_id = $1 AND {where} AND tables.game = $2 AND sat.table_id <> $3 LIMIT 1"""
        return bool(await tx.fetch(query, user_id, game, besides))

    return run


def tables_of(user_id: int) -> TxFunction[list[TableRow]]:
    query = f"""
        SELECT {SHORT} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1) ORDER BY id DESC"""
    return lambda tx: rows_of(tx, query, user_id)


def live_tables_of(user_id: int, server: int | None, limit: int) -> TxFunction[list[TableRow]]:
    """At most `limit` live tables at which the user sits or has sat, the newest change first.

    Private matches are at no server, so they are among those of each.
    """
    where = "" if server is None else f" AND (guild_id = $3 OR NOT {IN_CHANNEL})"
    query = f"""
        SELECT {SHORT} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1) AND {IS_LIVE}{where}
        ORDER BY changed_at DESC LIMIT $2"""
    values = [user_id, limit] if server is None else [user_id, limit, server]
    return lambda tx: rows_of(tx, query, *values)


def lobbies_naming(user_id: int, server: int | None, limit: int) -> TxFunction[list[TableRow]]:
    """At most `limit` lobbies whose body contains the digits of the user id, the newest change first."""
    where = "" if server is None else " AND guild_id = $3"
    query = f"""
        SELECT {SHORT} FROM tables WHERE {IS_LIVE} AND status = 'lobby' AND body LIKE $1{where}
        ORDER BY changed_at DESC LIMIT $2"""
    values = [f"%{user_id}%", limit] if server is None else [f"%{user_id}%", limit, server]
    return lambda tx: rows_of(tx, query, *values)


def tables_naming(user_id: int, after: int, limit: int) -> TxFunction[tuple[list[int], int | None]]:
    """Searches the next `limit` tables after the id `after`.

    Returns the ids of the tables that the user opened or sat at, or whose body contains the digits of the user id; and
    the id to continue after (None: no more tables).
    """

    async def run(tx: Tx) -> tuple[list[int], int | None]:
        query = """
            SELECT id, body LIKE $1 OR opener_id = $2
                   OR EXISTS (SELECT 1 FROM sat WHERE table_id = id AND user_id = $2)
            FROM tables WHERE id > $3 ORDER BY id LIMIT $4"""
        rows = await tx.fetch(query, f"%{user_id}%", user_id, after, limit)
        return [row[0] for row in rows if row[1]], rows[-1][0] if len(rows) == limit else None

    return run


def forget(user_id: int, table_id: int) -> TxFunction[None]:
    """Deletes the user's records at the table and the ids of the user's presses.

    The stored press ids have no user id beside them, so all press ids of the table are deleted.
    """
    presses = """
        UPDATE moves SET interaction_id = NULL
        WHERE table_id = $1 AND interaction_id IS NOT NULL
          AND seat = (SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2)"""

    async def run(tx: Tx) -> None:
        # Same lock order as in `commit`: the table's row first.
        opened = "UPDATE tables SET opener_id = 0 WHERE id = $1 AND opener_id = $2"
        await tx.execute(opened, table_id, user_id)
        await tx.execute(presses, table_id, user_id)
        await tx.execute("DELETE FROM presses WHERE table_id = $1", table_id)
        await tx.execute("DELETE FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id)

    return run


def purge(ended_before: float, limit: int, at: float) -> TxFunction[int]:
    """Deletes at most `limit` ended tables, oldest end first; returns their number."""
    old = f"SELECT id FROM tables WHERE ended_at < $1 AND NOT {IS_LIVE} ORDER BY ended_at LIMIT $2"

    async def run(tx: Tx) -> int:
        if not await tx.fetch(old, ended_before, 1):
            return 0
        await tx.execute(f"DELETE FROM presses WHERE table_id IN ({old})", ended_before, limit)
        deleted = await tx.execute(
            f"DELETE FROM tables WHERE id IN ({old}) AND NOT {IS_LIVE}", ended_before, limit
        )
        await tx.execute(_ASK_ERASURE, None, at)  # for the remains in the files
        return deleted

    return run


# -- requests to erase


def add_erasure(user_id: int, at: float) -> TxFunction[int]:
    """Stores an erasure request; returns its number."""

    async def run(tx: Tx) -> int:
        kept = "SELECT id FROM erasures WHERE user_id = $1 AND asked_at = $2"
        rows = await tx.fetch(kept, user_id, at) if tx.again else ()
        rows = rows or await tx.fetch(f"{_ASK_ERASURE} RETURNING id", user_id, at)
        return rows[0][0]

    return run


async def pending_erasures(tx: Tx) -> list[Erasure]:
    """The erasure requests, oldest first."""
    return [Erasure(*row) for row in await tx.fetch("SELECT id, user_id, asked_at FROM erasures ORDER BY id")]


def clear_erasure_users(numbers: Collection[int]) -> TxFunction[None]:
    """Clears the user id of these requests."""
    rows = [(number,) for number in numbers]
    return lambda tx: tx.many("UPDATE erasures SET user_id = NULL WHERE id = $1", rows)


def delete_erasures(numbers: Collection[int]) -> TxFunction[None]:
    rows = [(number,) for number in numbers]
    return lambda tx: tx.many("DELETE FROM erasures WHERE id = $1", rows)


# -- choices and emoji


async def text_only(tx: Tx) -> list[tuple[Scope, int]]:
    return [
        (scope, number) for scope, number in await tx.fetch("SELECT scope, id FROM text_only ORDER BY id")
    ]


def set_text_only(scope: Scope, number: int, on: bool) -> TxFunction[int]:
    add = "INSERT INTO text_only (id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    query = add if on else "DELETE FROM text_only WHERE id = $1 AND scope = $2"
    return lambda tx: tx.execute(query, number, scope)


async def emoji(tx: Tx) -> list[EmojiRow]:
    rows = await tx.fetch("SELECT name, digest, id FROM emoji")
    return sorted((EmojiRow(*row) for row in rows), key=lambda row: row.name)  # independent of the collation


def save_emoji(rows: Sequence[EmojiRow]) -> TxFunction[None]:
    values = [(row.name, row.digest, row.id) for row in rows]
    query = """
        INSERT INTO emoji (name, digest, id) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, id = excluded.id"""
    return lambda tx: tx.many(query, values)


def delete_emoji(names: Collection[str]) -> TxFunction[None]:
    values = [(name,) for name in names]
    return lambda tx: tx.many("DELETE FROM emoji WHERE name = $1", values)
