"""SQL for wishes for a match, and for how long people waited for the last matches."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from bot.ratings import Rating
from bot.store.engine import Row, Tx, TxFunction, Value
from bot.store.model import Candidate, Mode, Wish
from bot.store.sql.results import VISIBLE
from bot.store.sql.tables import IS_LIVE, note_press

_COLUMNS: Final = "guild_id, user_id, id, channel_id, game, seats, mode, since, ends, table_id"
_PUT: Final = f"""
    INSERT INTO wishes ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL)
    ON CONFLICT (guild_id, user_id) DO UPDATE SET
        id = excluded.id, channel_id = excluded.channel_id, game = excluded.game, seats = excluded.seats,
        mode = excluded.mode, since = excluded.since, ends = excluded.ends, table_id = NULL"""
_RATINGS: Final = f"""
    SELECT user_id, game, new_mu, new_sigma FROM (
        SELECT user_id, game, new_mu, new_sigma,
               row_number() OVER (PARTITION BY player, game ORDER BY number DESC) AS back
        FROM players JOIN results ON results.player = players.id
        WHERE guild_id = $1 AND new_mu IS NOT NULL AND players.user_id IN ({{}}) AND {VISIBLE}
          AND season = (SELECT coalesce(max(seasons.number), 1) FROM seasons WHERE guild_id = $1)
    ) AS every WHERE back = 1"""
_OPENED: Final = f"""
    SELECT opener_id, count(*) FROM tables
    WHERE {IS_LIVE} AND NOT asleep AND opener_id IN ({{}}) GROUP BY opener_id"""


def put(wish: Wish, at: float) -> TxFunction[None]:
    """Stores a wish in place of the person's earlier one on the server, with the press that it came from."""
    values = (
        *(wish.guild_id, wish.user_id, wish.id, wish.channel_id, wish.game, wish.seats),
        *(wish.mode, wish.since, wish.ends),
    )

    async def run(tx: Tx) -> None:
        await tx.serialise("wishes", wish.guild_id)
        await note_press(tx, wish.id, at)
        await tx.execute(_PUT, *values)

    return run


def candidates(guild_id: int, now: float) -> TxFunction[list[Candidate]]:
    """The wishes on a server that have not ended, the oldest first."""

    async def run(tx: Tx) -> list[Candidate]:
        wishes = await _wishes(tx, "guild_id = $1 AND ends > $2", guild_id, now)
        people = json.dumps([wish.user_id for wish in wishes])
        ratings: dict[int, dict[str, Rating]] = {}
        for user, game, mu, sigma in await tx.fetch(
            _RATINGS.format(tx.numbers.format("$2")), guild_id, people
        ):
            ratings.setdefault(user, {})[game] = Rating(mu, sigma)
        opened = await _opened(tx, people)
        return [
            Candidate(wish, ratings.get(wish.user_id, {}), opened.get(wish.user_id, 0)) for wish in wishes
        ]

    return run


def opened_by(user_id: int) -> TxFunction[int]:
    """The number of live tables that a person opened, as they count for the person's limit."""

    async def run(tx: Tx) -> int:
        return (await _opened(tx, json.dumps([user_id]))).get(user_id, 0)

    return run


async def _opened(tx: Tx, people: str) -> dict[int, int]:
    rows = await tx.fetch(_OPENED.format(tx.numbers.format("$1")), people)
    return {user: int(tables) for user, tables in rows}


def of_person(user_id: int) -> TxFunction[list[Wish]]:
    """The wishes of a person on all servers."""
    return lambda tx: _wishes(tx, "user_id = $1", user_id)


async def _wishes(tx: Tx, condition: str, *values: Value) -> list[Wish]:
    rows = await tx.fetch(f"SELECT {_COLUMNS} FROM wishes WHERE {condition} ORDER BY since, id", *values)
    return [_wish(row) for row in rows]


def _wish(row: Row) -> Wish:
    return Wish(*row)


# -- the end of a wish


def withdraw(guild_id: int, ids: Collection[int]) -> TxFunction[int]:
    """Deletes these wishes, as far as they still wait; returns their number."""

    async def run(tx: Tx) -> int:
        query = f"""
            DELETE FROM wishes
            WHERE guild_id = $1 AND table_id IS NULL AND id IN ({tx.numbers.format("$2")})"""
        return await tx.execute(query, guild_id, json.dumps([*ids]))

    return run


def fulfil(table_id: int, at: float, kept: int) -> TxFunction[None]:
    """Deletes the wishes for which a lobby was posted, and stores how long the first person waited.

    The last `kept` such numbers of a server and mode are stored.
    """

    async def run(tx: Tx) -> None:
        found = await _wishes(tx, "table_id = $1", table_id)
        if not found or not await tx.execute("DELETE FROM wishes WHERE table_id = $1", table_id):
            return
        guild_id, mode = found[0].guild_id, found[0].mode
        await tx.serialise("waits", guild_id)
        query = "SELECT coalesce(max(number), 0) + 1 FROM waits WHERE guild_id = $1 AND mode = $2"
        [(number,)] = await tx.fetch(query, guild_id, mode)
        await tx.execute(
            "INSERT INTO waits (guild_id, mode, number, seconds) VALUES ($1, $2, $3, $4)",
            *(guild_id, mode, number, max(0.0, at - found[0].since)),
        )
        await tx.execute(
            "DELETE FROM waits WHERE guild_id = $1 AND mode = $2 AND number <= $3",
            *(guild_id, mode, number - kept),
        )

    return run


def release(table_id: int) -> TxFunction[int]:
    """Has the people wait again for whom this lobby was opened."""
    return lambda tx: tx.execute("UPDATE wishes SET table_id = NULL WHERE table_id = $1", table_id)


def end_overdue(now: float) -> TxFunction[int]:
    """Deletes the wishes that have ended; returns their number."""
    return lambda tx: tx.execute("DELETE FROM wishes WHERE ends <= $1", now)


# -- waits


def waits(guild_id: int, mode: Mode) -> TxFunction[list[float]]:
    """How long the first person of each of the last matches waited, in seconds."""

    async def run(tx: Tx) -> list[float]:
        rows = await tx.fetch("SELECT seconds FROM waits WHERE guild_id = $1 AND mode = $2", guild_id, mode)
        return [seconds for (seconds,) in rows]

    return run


# -- people and servers


def forget_person(user_id: int) -> TxFunction[int]:
    return lambda tx: tx.execute("DELETE FROM wishes WHERE user_id = $1", user_id)


def forget_guild(guild_id: int) -> TxFunction[None]:
    """Deletes the wishes and waits of a server."""

    async def run(tx: Tx) -> None:
        await tx.execute("DELETE FROM wishes WHERE guild_id = $1", guild_id)
        await tx.execute("DELETE FROM waits WHERE guild_id = $1", guild_id)

    return run


async def guilds(tx: Tx) -> list[int]:
    """The servers with wishes or waits."""
    rows = await tx.fetch("SELECT guild_id FROM wishes UNION SELECT guild_id FROM waits ORDER BY 1")
    return [guild for (guild,) in rows]
