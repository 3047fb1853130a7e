"""SQL for the results of matches, the ratings in them, and the seasons of servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, Final

from bot.ratings import NEW, Rating, rate
from bot.store.engine import Row, Tx, TxFunction, Value
from bot.store.model import Change, ResultPlayer, ResultRow, Standing

RATINGS: Final = "ratings"
"""The choice whether results are stored: of a server, and of a person."""
OFF: Final = "off"

_COLUMNS: Final = ", ".join(
    (
        *("guild_id", "number", "seat", "table_id", "game", "season", "ended_at", "moves", "user_id"),
        *("place", "score", "mu", "sigma", "new_mu", "new_sigma"),
    )
)
_ADD: Final = "INSERT INTO results ({}) VALUES ({})".format(
    _COLUMNS, ", ".join(f"${number}" for number in range(1, 16))
)
_IS_OFF: Final = f"""
    SELECT scope, id FROM choices WHERE name = '{RATINGS}' AND value = '{OFF}' AND id IN ({{}})"""
_RATING: Final = """
    SELECT new_mu, new_sigma FROM results
    WHERE user_id = $1 AND guild_id = $2 AND game = $3 AND season = $4 AND new_mu IS NOT NULL AND number < $5
    ORDER BY number DESC LIMIT 1"""
_SEASON: Final = "SELECT coalesce(max(number), 1) FROM seasons WHERE guild_id = $1"
VISIBLE: Final = f"""
    user_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM choices WHERE choices.id = user_id AND name = '{RATINGS}' AND value = '{OFF}')"""
"""The condition for a person who does not hide their results."""


# -- adding a result


def adding_result(change: Change) -> Callable[[Tx], Coroutine[Any, Any, None]]:
    """A function that stores the result of the match that a change ends, with the ratings. Copies the change."""
    table, result = change.table, change.result
    assert result is not None
    players, rateable = result.players, result.rated
    guild_id, game = table.guild_id, table.game
    ended_at = table.changed_at if table.ended_at is None else table.ended_at
    fixed = (table.id, game)
    people = [player.user_id for player in players if player.user_id is not None]

    async def add(tx: Tx) -> None:
        # Serialised, so that the next match's ratings follow from these.
        await tx.serialise("results", guild_id)
        rows = await tx.fetch(_IS_OFF.format(tx.numbers.format("$1")), json.dumps([guild_id, *people]))
        off = {(scope, number) for scope, number in rows}
        if ("guild", guild_id) in off:
            return
        [(season,)] = await tx.fetch(_SEASON, guild_id)
        [(number,)] = await tx.fetch(
            "SELECT coalesce(max(number), 0) + 1 FROM results WHERE guild_id = $1", guild_id
        )
        shown = [None if ("person", player.user_id) in off else player.user_id for player in players]
        ratings: Sequence[tuple[float | None, ...]] = [(None,) * 4] * len(players)
        if rateable and None not in shown:
            before = [await _rating(tx, user, guild_id, game, season, number) for user in people]
            ratings = _around(before, players)
        head = (guild_id, number)
        tail = (*fixed, season, ended_at, table.sequence)
        await tx.many(
            _ADD,
            [
                (*head, player.seat, *tail, user, player.place, player.score, *rating)
                for player, user, rating in zip(players, shown, ratings, strict=True)
            ],
        )

    return add


def _around(before: Sequence[Rating], players: Sequence[ResultPlayer]) -> list[tuple[float, ...]]:
    after = rate(before, [player.place for player in players])
    return [(*old, *new) for old, new in zip(before, after, strict=True)]


async def _rating(tx: Tx, *key: Value) -> Rating:
    """The rating before a match: user, server, game, season, and the match's number."""
    rows = await tx.fetch(_RATING, *key)
    return Rating(*rows[0]) if rows else NEW


# -- reading


def _row(row: Row) -> ResultRow:
    *fields, mu, sigma, new_mu, new_sigma = row
    return ResultRow(
        *fields,
        before=None if mu is None else Rating(mu, sigma),
        after=None if new_mu is None else Rating(new_mu, new_sigma),
    )


def of_table(table_id: int) -> TxFunction[list[ResultRow]]:
    """The result of a match, by seat."""
    return _rows("table_id = $1", table_id)


def _rows(condition: str, *values: Value, columns: str = _COLUMNS) -> TxFunction[list[ResultRow]]:
    query = f"SELECT {columns} FROM results WHERE {condition} ORDER BY guild_id, number, seat"

    async def run(tx: Tx) -> list[ResultRow]:
        return [_row(row) for row in await tx.fetch(query, *values)]

    return run


def with_person(user_id: int, guild_id: int | None) -> TxFunction[list[ResultRow]]:
    """All seats of the matches of a person, on one server or on all, oldest match first.

    Rows of other people who hide their ratings have no `user_id`.
    """
    columns = _COLUMNS.replace("user_id", f"CASE WHEN user_id = $1 OR {VISIBLE} THEN user_id END")
    of_person = "SELECT guild_id, number FROM results WHERE user_id = $1"
    condition = f"(guild_id, number) IN ({of_person}{'' if guild_id is None else ' AND guild_id = $2'})"
    values = [user_id] if guild_id is None else [user_id, guild_id]
    return _rows(condition, *values, columns=columns)


def stored_matches(table_ids: Collection[int]) -> TxFunction[set[int]]:
    """The tables among these that have not been purged."""

    async def run(tx: Tx) -> set[int]:
        query = f"SELECT id FROM tables WHERE id IN ({tx.numbers.format('$1')})"
        return {row[0] for row in await tx.fetch(query, json.dumps([*table_ids]))}

    return run


def leaderboard(guild_id: int, game: str, season: int) -> TxFunction[list[Standing]]:
    """The rated people of a season who do not hide their ratings, best rating first."""
    query = f"""
        SELECT user_id, new_mu, new_sigma, matches, wins FROM (
            SELECT user_id, new_mu, new_sigma, row_number() OVER last AS back,
                   count(*) OVER one AS matches, sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) OVER one AS wins
            FROM results
            WHERE guild_id = $1 AND game = $2 AND season = $3 AND new_mu IS NOT NULL AND {VISIBLE}
            WINDOW one AS (PARTITION BY user_id), last AS (PARTITION BY user_id ORDER BY number DESC)
        ) AS every WHERE back = 1"""

    async def run(tx: Tx) -> list[Standing]:
        rows = await tx.fetch(query, guild_id, game, season)
        found = [
            Standing(user, Rating(mu, sigma), matches, int(wins)) for user, mu, sigma, matches, wins in rows
        ]
        return sorted(found, key=lambda one: (-one.rating.points, one.rating.sigma, one.user_id))

    return run


def games_of(guild_id: int, season: int) -> TxFunction[dict[str, int]]:
    """The number of rated matches of a season by game."""
    query = """
        SELECT game, count(DISTINCT number) FROM results
        WHERE guild_id = $1 AND season = $2 AND new_mu IS NOT NULL GROUP BY game"""

    async def run(tx: Tx) -> dict[str, int]:
        return {game: int(matches) for game, matches in await tx.fetch(query, guild_id, season)}

    return run


# -- seasons


def seasons(guild_id: int) -> TxFunction[list[tuple[int, float]]]:
    """The numbers of a server's seasons after the first one, with the times at which they began."""

    async def run(tx: Tx) -> list[tuple[int, float]]:
        rows = await tx.fetch(
            "SELECT number, began_at FROM seasons WHERE guild_id = $1 ORDER BY number", guild_id
        )
        return [(number, began_at) for number, began_at in rows]

    return run


def begin_season(guild_id: int, after: int, at: float) -> TxFunction[bool]:
    """Begins the season that follows season `after`, unless that has happened already; returns whether it did."""

    async def run(tx: Tx) -> bool:
        await tx.serialise("results", guild_id)
        [(season,)] = await tx.fetch(_SEASON, guild_id)
        if season != after:
            return False
        await tx.execute(
            "INSERT INTO seasons (guild_id, number, began_at) VALUES ($1, $2, $3)", guild_id, season + 1, at
        )
        return True

    return run


# -- deletion


def forget_person(user_id: int) -> TxFunction[int]:
    """Takes a person out of all results. The numbers of the results stay."""
    return lambda tx: tx.execute("UPDATE results SET user_id = NULL WHERE user_id = $1", user_id)


# -- computing the ratings again


def rated_of(guild_id: int) -> TxFunction[list[ResultRow]]:
    """The rated results of a server, oldest match first."""
    return _rows("guild_id = $1 AND new_mu IS NOT NULL", guild_id)


async def rated_guilds(tx: Tx) -> list[int]:
    """The servers with rated results."""
    rows = await tx.fetch("SELECT DISTINCT guild_id FROM results WHERE new_mu IS NOT NULL ORDER BY guild_id")
    return [guild for (guild,) in rows]


def set_ratings(rows: Sequence[ResultRow]) -> TxFunction[None]:
    """Replaces the ratings in these stored rows."""
    values = [
        (*row.before, *row.after, row.guild_id, row.number, row.seat)
        for row in rows
        if row.before and row.after
    ]
    query = """
        UPDATE results SET mu = $1, sigma = $2, new_mu = $3, new_sigma = $4
        WHERE guild_id = $5 AND number = $6 AND seat = $7"""
    return lambda tx: tx.many(query, values)
