"""The daily deals in the store, and people's attempts at them."""

from __future__ import annotations

from typing import Final

from bot.store.engine import Tx, Value
from bot.store.model import AttemptRow, DealRow, MonthRow
from bot.store.repository import Repository, reads, writes
from bot.store.results import visible

ADD_ATTEMPT: Final = "INSERT INTO attempts (table_id, user_id, day, guild_id) VALUES ($1, $2, $3, $4)"
NEWEST: Final = 10_000
"""The most attempts that are counted for somebody's place among all."""
SET_SCORE: Final = "UPDATE attempts SET score = $2 WHERE table_id = $1"


class Daily(Repository):
    """Reads deals and attempts; `Store.create` and `Store.commit` add attempts and their scores."""

    @reads
    async def deal(self, tx: Tx, day: int) -> DealRow | None:
        """The deal of a day; None if none is sealed yet."""
        return await _deal(tx, day)

    @reads
    async def deal_before(self, tx: Tx, day: int) -> int | None:
        """The newest day before this one with a deal."""
        return (await tx.fetch("SELECT max(day) FROM deals WHERE day < $1", day))[0][0]

    @writes
    async def seal(self, tx: Tx, row: DealRow) -> DealRow:
        """Stores a deal, unless its day has one; returns the stored one."""
        query = """
            INSERT INTO deals (day, game, seed, sealed_at) VALUES ($1, $2, $3, $4) ON CONFLICT (day) DO NOTHING"""
        await tx.execute(query, row.day, row.game, row.seed, row.sealed_at)
        stored = await _deal(tx, row.day)
        assert stored is not None
        return stored

    @reads
    async def attempt_of(self, tx: Tx, user_id: int, day: int) -> AttemptRow | None:
        """A person's attempt at the deal of a day."""
        return next(iter(await _attempts(tx, "user_id = $1 AND day = $2", user_id, day)), None)

    @reads
    async def attempts_of(self, tx: Tx, user_id: int) -> list[AttemptRow]:
        """All attempts of a person, newest first."""
        return await _attempts(tx, "user_id = $1 ORDER BY day DESC", user_id)

    @reads
    async def attempts_on(self, tx: Tx, guild_id: int, day: int) -> list[AttemptRow]:
        """The attempts of a day from a server, best first, of people who do not hide their results."""
        order = "ORDER BY CASE WHEN score IS NULL THEN 1 ELSE 0 END, score DESC, user_id"
        where = f"guild_id = $1 AND day = $2 AND {visible('attempts')} {order}"
        return await _attempts(tx, where, guild_id, day)

    @reads
    async def below(self, tx: Tx, day: int, score: int) -> tuple[int, int]:
        """Of the last day's newest attempts on all servers: how many are finished, and how many of these score less.

        No index has the attempts of a day, but those of the last day are the newest tables.
        """
        query = f"""
            SELECT count(*), coalesce(sum(CASE WHEN score < $2 THEN 1 ELSE 0 END), 0) FROM (
                SELECT user_id, day, score FROM attempts ORDER BY table_id DESC LIMIT {NEWEST}
            ) AS newest
            WHERE day = $1 AND score IS NOT NULL AND {visible("newest")}"""
        [(people, less)] = await tx.fetch(query, day, score)
        return int(people), int(less)

    @reads
    async def month(self, tx: Tx, guild_id: int, first: int, until: int) -> list[MonthRow]:
        """The people who finished deals of these days on a server: `until` is the day after the last. Best first."""
        query = f"""
            SELECT user_id, count(*), sum(score) AS points FROM attempts
            WHERE guild_id = $1 AND day >= $2 AND day < $3 AND score IS NOT NULL AND {visible("attempts")}
            GROUP BY user_id ORDER BY points DESC, user_id"""
        rows = await tx.fetch(query, guild_id, first, until)
        return [MonthRow(user, int(days), int(points)) for user, days, points in rows]

    @writes
    async def forget_person(self, tx: Tx, user_id: int) -> None:
        """Deletes all attempts of a person."""
        await tx.execute("DELETE FROM attempts WHERE user_id = $1", user_id)


async def _deal(tx: Tx, day: int) -> DealRow | None:
    rows = await tx.fetch("SELECT day, game, seed, sealed_at FROM deals WHERE day = $1", day)
    return DealRow(*rows[0]) if rows else None


async def _attempts(tx: Tx, condition: str, *values: Value) -> list[AttemptRow]:
    query = f"SELECT user_id, day, guild_id, table_id, score FROM attempts WHERE {condition}"
    return [AttemptRow(*row) for row in await tx.fetch(query, *values)]
