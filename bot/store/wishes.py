"""The wishes for a match in the store, and how long people waited for the last matches."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from bot.ratings import Rating
from bot.store.engine import Tx, Value
from bot.store.model import Candidate, Mode, Wish
from bot.store.repository import Repository, reads, writes
from bot.store.results import VISIBLE
from bot.store.tables import IS_LIVE, note_press

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


class Wishes(Repository):
    """Reads and changes wishes; `Store.create` takes those for which it opens a lobby.

    A person has at most one wish on a server.
    """

    @writes
    async def put(self, tx: Tx, wish: Wish) -> None:
        """Stores a wish in place of the person's earlier one on the server.

        Raises `Repeated` if the command with which the person asked is already stored.
        """
        await tx.serialise("wishes", wish.guild_id)
        await note_press(tx, wish.id, self.now())
        await tx.execute(
            _PUT,
            *(wish.guild_id, wish.user_id, wish.id, wish.channel_id, wish.game, wish.seats),
            *(wish.mode, wish.since, wish.ends),
        )

    @reads
    async def candidates(self, tx: Tx, guild_id: int) -> list[Candidate]:
        """The wishes on a server that have not ended, the oldest first."""
        wishes = await _wishes(tx, "guild_id = $1 AND ends > $2", guild_id, self.now())
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

    @reads
    async def opened_by(self, tx: Tx, user_id: int) -> int:
        """The number of live tables that a person opened, as they count for the person's limit."""
        return (await _opened(tx, json.dumps([user_id]))).get(user_id, 0)

    @reads
    async def of_person(self, tx: Tx, user_id: int) -> list[Wish]:
        """The wishes of a person on all servers."""
        return await _wishes(tx, "user_id = $1", user_id)

    @writes
    async def withdraw(self, tx: Tx, guild_id: int, ids: Collection[int]) -> int:
        """Deletes these wishes, as far as they still wait; returns their number."""
        waiting = f"guild_id = $1 AND table_id IS NULL AND id IN ({tx.numbers.format('$2')})"
        return await tx.execute(f"DELETE FROM wishes WHERE {waiting}", guild_id, json.dumps([*ids]))

    @writes
    async def fulfil(self, tx: Tx, table_id: int) -> None:
        """Deletes the wishes for which this lobby was posted, and stores how long the first person waited.

        The last `StoreLimits.waits` such numbers of a server and mode are stored.
        """
        found = await _wishes(tx, "table_id = $1", table_id)
        if not found or not await tx.execute("DELETE FROM wishes WHERE table_id = $1", table_id):
            return
        guild_id, mode = found[0].guild_id, found[0].mode
        await tx.serialise("waits", guild_id)
        query = "SELECT coalesce(max(number), 0) + 1 FROM waits WHERE guild_id = $1 AND mode = $2"
        [(number,)] = await tx.fetch(query, guild_id, mode)
        await tx.execute(
            "INSERT INTO waits (guild_id, mode, number, seconds) VALUES ($1, $2, $3, $4)",
            *(guild_id, mode, number, max(0.0, self.now() - found[0].since)),
        )
        await tx.execute(
            "DELETE FROM waits WHERE guild_id = $1 AND mode = $2 AND number <= $3",
            *(guild_id, mode, number - self.access.limits.waits),
        )

    @writes
    async def release(self, tx: Tx, table_id: int) -> None:
        """Has the people wait again for whom this lobby was opened."""
        await tx.execute("UPDATE wishes SET table_id = NULL WHERE table_id = $1", table_id)

    @writes
    async def end_overdue(self, tx: Tx) -> int:
        """Deletes the wishes that have ended; returns their number."""
        return await tx.execute("DELETE FROM wishes WHERE ends <= $1", self.now())

    @reads
    async def waits(self, tx: Tx, guild_id: int, mode: Mode) -> list[float]:
        """How long the first person of each of the last matches waited, in seconds."""
        rows = await tx.fetch("SELECT seconds FROM waits WHERE guild_id = $1 AND mode = $2", guild_id, mode)
        return [seconds for (seconds,) in rows]

    @writes
    async def forget_person(self, tx: Tx, user_id: int) -> None:
        """Deletes all wishes of a person."""
        await tx.execute("DELETE FROM wishes WHERE user_id = $1", user_id)

    @writes
    async def forget_guild(self, tx: Tx, guild_id: int) -> None:
        """Deletes the wishes and waits of a server."""
        await tx.execute("DELETE FROM wishes WHERE guild_id = $1", guild_id)
        await tx.execute("DELETE FROM waits WHERE guild_id = $1", guild_id)

    @reads
    async def guilds(self, tx: Tx) -> list[int]:
        """The servers with wishes or waits."""
        rows = await tx.fetch("SELECT guild_id FROM wishes UNION SELECT guild_id FROM waits ORDER BY 1")
        return [guild for (guild,) in rows]


async def _opened(tx: Tx, people: str) -> dict[int, int]:
    rows = await tx.fetch(_OPENED.format(tx.numbers.format("$1")), people)
    return {user: int(tables) for user, tables in rows}


async def _wishes(tx: Tx, condition: str, *values: Value) -> list[Wish]:
    rows = await tx.fetch(f"SELECT {_COLUMNS} FROM wishes WHERE {condition} ORDER BY since, id", *values)
    return [Wish(*row) for row in rows]
