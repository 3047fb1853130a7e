"""The results of matches in the store, with their ratings and seasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from bot.ratings import NEW, Rating, rate
from bot.store.choices import Choices
from bot.store.model import ResultRow, Scope, Standing
from bot.store.repository import Access, Repository
from bot.store.sql import results


class Results(Repository):
    """Reads and changes results; `Store.commit` adds them."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._read, self._write, self._choices = access.read, access.write, Choices(access)

    async def of_table(self, table_id: int) -> list[ResultRow]:
        """The result of a match, by seat; empty if none is stored. Rows of people who hide have no `user_id`."""
        return await self._read(results.of_table(table_id))

    async def with_person(self, user_id: int, guild_id: int | None = None) -> list[ResultRow]:
        """All seats of the matches of a person, on one server or on all, oldest match first."""
        return await self._read(results.with_person(user_id, guild_id))

    async def of_person(self, user_id: int) -> list[ResultRow]:
        """The results of a person, without the other seats."""
        return [row for row in await self.with_person(user_id) if row.user_id == user_id]

    async def stored_matches(self, table_ids: Collection[int]) -> set[int]:
        """The tables among these that have not been purged, so that their matches can be watched again."""
        return await self._read(results.stored_matches(table_ids))

    async def leaderboard(self, guild_id: int, game: str, season: int) -> list[Standing]:
        """The rated people of a season who do not hide their ratings, best rating first."""
        return await self._read(results.leaderboard(guild_id, game, season))

    async def games_of(self, guild_id: int, season: int) -> dict[str, int]:
        """The number of rated matches of a season by game."""
        return await self._read(results.games_of(guild_id, season))

    async def seasons(self, guild_id: int) -> list[tuple[int, float]]:
        """The numbers of a server's seasons after the first one, with the times at which they began."""
        return await self._read(results.seasons(guild_id))

    async def begin_season(self, guild_id: int, after: int, at: float) -> bool:
        """Begins the season that follows season `after`, unless that has happened already; returns whether it did."""
        return await self._write(results.begin_season(guild_id, after, at))

    async def is_off(self, scope: Scope, number: int) -> bool:
        """Whether this server or person has switched ratings and results off."""
        return await self._choices.get(scope, number, results.RATINGS) == results.OFF

    async def switch(self, scope: Scope, number: int, *, on: bool) -> None:
        """Switches ratings and results on or off for a server or a person."""
        await self._choices.put(scope, number, results.RATINGS, None if on else results.OFF)

    async def forget_person(self, user_id: int) -> None:
        """Takes a person out of all results."""
        await self._write(results.forget_person(user_id))

    # -- computing the ratings again

    async def rated_guilds(self) -> list[int]:
        """The servers with rated results."""
        return await self._read(results.rated_guilds)

    async def rated_of(self, guild_id: int) -> list[ResultRow]:
        """The rated results of a server, oldest match first."""
        return await self._read(results.rated_of(guild_id))

    async def set_ratings(self, rows: Sequence[ResultRow]) -> None:
        """Replaces the ratings in these stored rows."""
        await self._write(results.set_ratings(rows))


def recomputed(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """The rows whose ratings differ from those that follow from the places, with the ratings that follow.

    `rows` are the rated results of a server, oldest match first. The seat of a forgotten person has the rating before
    the match that is stored, because nothing links it to other matches. The weights are the stored ones for the same
    reason.
    """
    known: dict[tuple[str, int, int], Rating] = {}
    wrong: list[ResultRow] = []
    for _match, seats in groupby(rows, lambda row: row.number):
        match = list(seats)
        keys = [(row.game, row.season, row.user_id) for row in match if row.user_id is not None]
        before = [
            (row.before or NEW)
            if row.user_id is None
            else known.get((row.game, row.season, row.user_id), NEW)
            for row in match
        ]
        weights = [row.weight for row in match if row.weight is not None]
        after = rate(before, [row.place for row in match], weights or None)
        for row, old, new in zip(match, before, after, strict=True):
            if (row.before, row.after) != (old, new):
                wrong.append(replace(row, before=old, after=new))
        people = [new for row, new in zip(match, after, strict=True) if row.user_id is not None]
        known.update(zip(keys, people, strict=True))
    return wrong
