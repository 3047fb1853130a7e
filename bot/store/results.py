"""The results of matches in the store, with their ratings and seasons."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from typing import Any, Final

from bot.ratings import NEW, Meetings, Rating, places_of, rate, weights_of
from bot.store.choices import Choices
from bot.store.engine import Row, Tx, Value
from bot.store.model import Change, ResultPlayer, ResultRow, Scope, Standing
from bot.store.repository import Access, Repository, reads, writes

RATINGS: Final = "ratings"
"""The choice whether results are stored: of a server, and of a person."""
OFF: Final = "off"

_COLUMNS: Final = (
    *("guild_id", "number", "seat", "table_id", "game", "season", "ended_at", "moves", "player"),
    *("place", "score", "feats", "mu", "sigma", "new_mu", "new_sigma", "weight"),
)
_ADD: Final = "INSERT INTO results ({}) VALUES ({})".format(
    ", ".join(_COLUMNS), ", ".join(f"${number}" for number in range(1, len(_COLUMNS) + 1))
)
_PLAYER: Final = """
    INSERT INTO players (user_id) VALUES ($1)
    ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING id"""
_OF_USER: Final = "(SELECT id FROM players WHERE user_id = $1)"
_RATING: Final = """
    SELECT new_mu, new_sigma FROM results
    WHERE player = $1 AND guild_id = $2 AND game = $3 AND season = $4 AND new_mu IS NOT NULL AND number < $5
    ORDER BY number DESC LIMIT 1"""
_MET: Final = """
    mine.new_mu IS NOT NULL AND other.guild_id = mine.guild_id AND other.number = mine.number
    AND other.seat <> mine.seat"""
"""The condition that joins a seat `mine` of a rated match with each `other` seat of the match."""
_EARLIER: Final = f"""
    SELECT mine.player, other.player, count(*) FROM results AS mine CROSS JOIN results AS other
    WHERE mine.player IN ({{}}) AND mine.guild_id = $2 AND mine.game = $3 AND mine.season = $4 AND {_MET}
    GROUP BY mine.player, other.player"""
_OPPONENTS: Final = f"""
    SELECT DISTINCT mine.player, other.player FROM results AS mine CROSS JOIN results AS other
    WHERE mine.guild_id = $1 AND mine.game = $2 AND mine.season = $3 AND {_MET}
      AND mine.player IS NOT NULL AND other.player IS NOT NULL"""
_SEASON: Final = "SELECT coalesce(max(number), 1) FROM seasons WHERE guild_id = $1"


def visible(people: str) -> str:
    """The condition for rows of people who do not hide their results; the table `people` has the column `user_id`."""
    return f"""
        NOT EXISTS (
            SELECT 1 FROM choices
            WHERE choices.id = {people}.user_id AND choices.name = '{RATINGS}' AND choices.value = '{OFF}')"""


VISIBLE: Final = visible("players")


class Results(Repository):
    """Reads and changes results; `Store.commit` adds them."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._choices = Choices(access)

    @reads
    async def of_table(self, tx: Tx, table_id: int) -> list[ResultRow]:
        """The result of a match, by seat; empty if none is stored. Rows of people who hide have no `user_id`."""
        user = f"CASE WHEN {VISIBLE} THEN players.user_id END"
        return await rows_of(tx, "results WHERE table_id = $1", table_id, user=user)

    @reads
    async def with_person(self, tx: Tx, user_id: int, guild_id: int | None = None) -> list[ResultRow]:
        """All seats of the matches of a person, on one server or on all, oldest match first.

        Rows of other people who hide their ratings have no `user_id`.
        """
        return await _with_person(tx, user_id, guild_id)

    @reads
    async def of_person(self, tx: Tx, user_id: int) -> list[ResultRow]:
        """The results of a person, without the other seats."""
        return [row for row in await _with_person(tx, user_id, None) if row.user_id == user_id]

    @reads
    async def stored_matches(self, tx: Tx, table_ids: Collection[int]) -> set[int]:
        """The tables among these that have not been purged, so that their matches can be watched again."""
        query = f"SELECT id FROM tables WHERE id IN ({tx.numbers.format('$1')})"
        return {row[0] for row in await tx.fetch(query, json.dumps([*table_ids]))}

    @reads
    async def leaderboard(self, tx: Tx, guild_id: int, game: str, season: int) -> list[Standing]:
        """The rated people of a season who do not hide their ratings, best rating first."""
        # CROSS JOIN: SQLite joins in the order of the text.
        query = f"""
            SELECT players.user_id, one.player, newest.new_mu, newest.new_sigma, one.matches, one.wins FROM (
                SELECT player, max(number) AS last, count(*) AS matches,
                       sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS wins
                FROM results
                WHERE guild_id = $1 AND game = $2 AND season = $3 AND new_mu IS NOT NULL AND player IS NOT NULL
                GROUP BY player
            ) AS one
            CROSS JOIN results AS newest CROSS JOIN players
            WHERE newest.guild_id = $1 AND newest.game = $2 AND newest.season = $3 AND newest.new_mu IS NOT NULL
              AND newest.player = one.player AND newest.number = one.last
              AND players.id = one.player AND {VISIBLE}"""
        rows = await tx.fetch(query, guild_id, game, season)
        met: defaultdict[int, set[int]] = defaultdict(set)
        for player, other in await tx.fetch(_OPPONENTS, guild_id, game, season):
            met[player].add(other)
        places = places_of(met)
        return best_first(
            Standing(user, Rating(mu, sigma), matches, int(wins), len(met[player]), needed)
            for user, player, mu, sigma, matches, wins in rows
            for needed in (0 if player in places.people else places.needed,)
        )

    @reads
    async def games_of(self, tx: Tx, guild_id: int, season: int) -> dict[str, int]:
        """The number of rated matches of a season by game."""
        query = """
            SELECT game, count(*) FROM results
            WHERE guild_id = $1 AND season = $2 AND new_mu IS NOT NULL AND seat = 0 GROUP BY game"""
        return {game: int(matches) for game, matches in await tx.fetch(query, guild_id, season)}

    @reads
    async def seasons(self, tx: Tx, guild_id: int) -> list[tuple[int, float]]:
        """The numbers of a server's seasons after the first one, with the times at which they began."""
        rows = await tx.fetch(
            "SELECT number, began_at FROM seasons WHERE guild_id = $1 ORDER BY number", guild_id
        )
        return [(number, began_at) for number, began_at in rows]

    @writes
    async def begin_season(self, tx: Tx, guild_id: int, after: int, at: float) -> bool:
        """Begins the season that follows season `after`, unless that has happened already; returns whether it did."""
        await tx.serialise("results", guild_id)
        [(season,)] = await tx.fetch(_SEASON, guild_id)
        if season != after:
            return False
        await tx.execute(
            "INSERT INTO seasons (guild_id, number, began_at) VALUES ($1, $2, $3)", guild_id, season + 1, at
        )
        return True

    async def is_off(self, scope: Scope, number: int) -> bool:
        """Whether this server or person has switched ratings and results off."""
        return await self._choices.get(scope, number, RATINGS) == OFF

    async def switch(self, scope: Scope, number: int, *, on: bool) -> None:
        """Switches ratings and results on or off for a server or a person."""
        await self._choices.put(scope, number, RATINGS, None if on else OFF)

    @writes
    async def forget_person(self, tx: Tx, user_id: int) -> None:
        """Takes a person out of all results. The numbers of the results stay."""
        # First, because a result that is being added has locked this row.
        for (player,) in await tx.fetch("DELETE FROM players WHERE user_id = $1 RETURNING id", user_id):
            await tx.execute("UPDATE results SET player = NULL WHERE player = $1", player)


# -- adding a result


def adding_result(change: Change) -> Callable[[Tx], Coroutine[Any, Any, None]]:
    """A function that stores the result of the match that a change ends, with the ratings. Copies the change."""
    table, result = change.table, change.result
    assert result is not None
    players, rated = result.players, result.rated
    guild_id, game = table.guild_id, table.game
    ended_at = table.changed_at if table.ended_at is None else table.ended_at
    fixed = (table.id, game)
    people = [player.user_id for player in players]

    async def add(tx: Tx) -> None:
        # Serialised, so that the next match's ratings follow from these.
        await tx.serialise("results", guild_id)
        [(season,)] = await tx.fetch(_SEASON, guild_id)
        [(number,)] = await tx.fetch(
            "SELECT coalesce(max(number), 0) + 1 FROM results WHERE guild_id = $1", guild_id
        )
        ratings: Sequence[tuple[float | None, ...]] = [(None,) * 5] * len(players)
        # Sorted, so that two transactions that add the same people do not wait for each other.
        known = sorted(user for user in people if user is not None)
        numbers: dict[int | None, int] = {user: await _player(tx, user) for user in known}
        if rated:
            seats = [numbers.get(user) for user in people]
            before = [await _rating(tx, player, guild_id, game, season, number) for player in seats]
            weights = weights_of(seats, await _earlier(tx, seats, guild_id, game, season))
            ratings = _around(before, players, weights)
        head = (guild_id, number)
        tail = (*fixed, season, ended_at, table.sequence)
        await tx.many(
            _ADD,
            [
                (*head, one.seat, *tail, numbers.get(user), one.place, one.score, one.feats, *rating)
                for one, user, rating in zip(players, people, ratings, strict=True)
            ],
        )

    return add


def _around(
    before: Sequence[Rating], players: Sequence[ResultPlayer], weights: Sequence[float]
) -> list[tuple[float, ...]]:
    after = rate(before, [player.place for player in players], weights)
    return [(*old, *new, weight) for old, new, weight in zip(before, after, weights, strict=True)]


async def _earlier(
    tx: Tx, players: Sequence[int | None], guild_id: int, game: str, season: int
) -> Meetings[int | None]:
    """The earlier meetings of these people. All forgotten people count as one person, None."""
    earlier: defaultdict[int | None, Counter[int | None]] = defaultdict(Counter)
    query = _EARLIER.format(tx.numbers.format("$1"))
    known = json.dumps([player for player in players if player is not None])
    for player, other, matches in await tx.fetch(query, known, guild_id, game, season):
        earlier[player][other] = matches
    return earlier


async def _player(tx: Tx, user_id: int) -> int:
    """The number of a person in results, which is given out if the person has none."""
    [(number,)] = await tx.fetch(_PLAYER, user_id)
    return number


async def _rating(tx: Tx, *key: Value) -> Rating:
    """The rating before a match: player, server, game, season, and the match's number. Forgotten people begin anew."""
    rows = await tx.fetch(_RATING, *key)
    return Rating(*rows[0]) if rows else NEW


# -- reading


def _row(row: Row) -> ResultRow:
    *fields, mu, sigma, new_mu, new_sigma, weight = row
    return ResultRow(
        *fields,
        before=None if mu is None else Rating(mu, sigma),
        after=None if new_mu is None else Rating(new_mu, new_sigma),
        weight=weight,
    )


async def _with_person(tx: Tx, user_id: int, guild_id: int | None) -> list[ResultRow]:
    # CROSS JOIN: SQLite joins in the order of the text.
    same_match = "results.guild_id = mine.guild_id AND results.number = mine.number"
    source = f"results AS mine CROSS JOIN results WHERE mine.player = {_OF_USER} AND {same_match}"
    user = f"CASE WHEN players.user_id = $1 OR {VISIBLE} THEN players.user_id END"
    if guild_id is None:
        return await rows_of(tx, source, user_id, user=user)
    return await rows_of(tx, f"{source} AND mine.guild_id = $2", user_id, guild_id, user=user)


async def rows_of(tx: Tx, source: str, *values: Value, user: str = "players.user_id") -> list[ResultRow]:
    """The rows of results from this source; `user` is the expression for the ids of their people."""
    columns = ", ".join(user if name == "player" else f"results.{name}" for name in _COLUMNS)
    tables, _where, condition = source.partition(" WHERE ")
    query = f"""
        SELECT {columns} FROM {tables} LEFT JOIN players ON players.id = results.player
        WHERE {condition} ORDER BY results.guild_id, results.number, results.seat"""
    return [_row(row) for row in await tx.fetch(query, *values)]


def best_first(standings: Iterable[Standing]) -> list[Standing]:
    """The standings in the order of a leaderboard: with a place first; the surer one of two equal ratings first."""
    return sorted(
        standings, key=lambda one: (one.needed > 0, -one.rating.points, one.rating.sigma, one.user_id)
    )
