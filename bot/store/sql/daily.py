"""SQL for the daily deals and people's attempts at them."""

from __future__ import annotations

from typing import Final

from bot.store.engine import Row, Tx, TxFunction, Value
from bot.store.model import AttemptRow, DealRow, MonthRow
from bot.store.sql.results import visible

ADD_ATTEMPT: Final = "INSERT INTO attempts (table_id, user_id, day, guild_id) VALUES ($1, $2, $3, $4)"
SET_SCORE: Final = "UPDATE attempts SET score = $2 WHERE table_id = $1"
_COLUMNS: Final = "user_id, day, guild_id, table_id, score"


def deal(day: int) -> TxFunction[DealRow | None]:
    async def run(tx: Tx) -> DealRow | None:
        rows = await tx.fetch("SELECT day, game, seed, sealed_at FROM deals WHERE day = $1", day)
        return DealRow(*rows[0]) if rows else None

    return run


def add_deal(row: DealRow) -> TxFunction[int]:
    """Stores the deal of a day, unless the day has one."""
    query = """
        INSERT INTO deals (day, game, seed, sealed_at) VALUES ($1, $2, $3, $4) ON CONFLICT (day) DO NOTHING"""
    values = (row.day, row.game, row.seed, row.sealed_at)
    return lambda tx: tx.execute(query, *values)


def attempt_of(user_id: int, day: int) -> TxFunction[AttemptRow | None]:
    return _first("user_id = $1 AND day = $2", user_id, day)


def attempts_of(user_id: int) -> TxFunction[list[AttemptRow]]:
    """All attempts of a person, newest first."""
    return _rows("user_id = $1 ORDER BY day DESC", user_id)


def attempts_on(guild_id: int, day: int) -> TxFunction[list[AttemptRow]]:
    """The attempts of a day from a server, best first, of people who do not hide their results."""
    order = "ORDER BY CASE WHEN score IS NULL THEN 1 ELSE 0 END, score DESC, user_id"
    return _rows(f"guild_id = $1 AND day = $2 AND {visible('attempts')} {order}", guild_id, day)


def month(guild_id: int, first: int, until: int) -> TxFunction[list[MonthRow]]:
    """The people who finished a deal from day `first` to before `until` on a server: most points first."""
    query = f"""
        SELECT user_id, count(*), sum(score) AS points FROM attempts
        WHERE guild_id = $1 AND day >= $2 AND day < $3 AND score IS NOT NULL AND {visible("attempts")}
        GROUP BY user_id ORDER BY points DESC, user_id"""

    async def run(tx: Tx) -> list[MonthRow]:
        rows = await tx.fetch(query, guild_id, first, until)
        return [MonthRow(user, int(days), int(points)) for user, days, points in rows]

    return run


def forget_attempts(user_id: int) -> TxFunction[int]:
    return lambda tx: tx.execute("DELETE FROM attempts WHERE user_id = $1", user_id)


def _first(condition: str, *values: Value) -> TxFunction[AttemptRow | None]:
    every = _rows(condition, *values)

    async def run(tx: Tx) -> AttemptRow | None:
        rows = await every(tx)
        return rows[0] if rows else None

    return run


def _rows(condition: str, *values: Value) -> TxFunction[list[AttemptRow]]:
    query = f"SELECT {_COLUMNS} FROM attempts WHERE {condition}"

    async def run(tx: Tx) -> list[AttemptRow]:
        return [_row(row) for row in await tx.fetch(query, *values)]

    return run


def _row(row: Row) -> AttemptRow:
    return AttemptRow(*row)
