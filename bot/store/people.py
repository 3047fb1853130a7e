"""People in the store: their seats, the tables that they opened, text only, and the requests to forget them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.store.choices import set_text_only
from bot.store.engine import Tx, TxFunction
from bot.store.model import Erasure, Scope, TableRow
from bot.store.repository import Repository, reads, writes
from bot.store.tables import IN_CHANNEL, IS_LIVE, SHORT, WHOLE, rows_of

_ASK_ERASURE: Final = "INSERT INTO erasures (user_id, asked_at) VALUES ($1, $2)"


class People(Repository):
    """Reads the tables of people, and deletes the records of people and of tables that ended long ago."""

    @reads
    async def seat_of(self, tx: Tx, table_id: int, user_id: int) -> int | None:
        """The seat that this user has or had at this table; None without a seat."""
        rows = await tx.fetch("SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id)
        return rows[0][0] if rows else None

    @reads
    async def opener_of(self, tx: Tx, table_id: int) -> int:
        """The id of the user who opened the table; 0 if unknown or if there is no such table."""
        rows = await tx.fetch("SELECT opener_id FROM tables WHERE id = $1", table_id)
        return rows[0][0] if rows else 0

    @reads
    async def has_played(
        self, tx: Tx, user_id: int, game: str, *, besides: int, lessons: bool = False
    ) -> bool:
        """Whether this user has had a seat in a stored match, or a lesson, of this game other than `besides`.

        A lesson is a match in no channel, whose person has no seat there for the statistics.
        """
        where = f"(sat.seat >= 0 OR NOT {IN_CHANNEL})" if lessons else "sat.seat >= 0"
        query = f"""
            SELECT 1 FROM sat JOIN tables ON tables.id = sat.table_id
            WHERE sat.user_id = $1 AND {where} AND tables.game = $2 AND sat.table_id <> $3 LIMIT 1"""
        return bool(await tx.fetch(query, user_id, game, besides))

    @reads
    async def tables_of(self, tx: Tx, user_id: int) -> list[TableRow]:
        """The tables at which this user has sat, newest first, without snapshots."""
        query = f"""
            SELECT {SHORT} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1) ORDER BY id DESC"""
        return await rows_of(tx, query, user_id)

    @reads
    async def ended_tables_of(self, tx: Tx, user_id: int, ending: str, most: int) -> list[TableRow]:
        """The newest tables of this user whose match is over, or has this `ending`, with snapshots."""
        query = f"""
            SELECT {WHOLE} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1)
              AND (status = 'over' OR (status = 'abandoned' AND body LIKE $2)) ORDER BY id DESC LIMIT $3"""
        return await rows_of(tx, query, user_id, f'%"ending":"{ending}"%', most)

    @reads
    async def live_tables_of(self, tx: Tx, user_id: int, server: int | None = None) -> list[TableRow]:
        """The live tables at which this user sits or has sat, in channels of one server or all, and private ones.

        At most `StoreLimits.live_of_user` of them, the newest change first.
        """
        where = "" if server is None else f" AND (guild_id = $3 OR NOT {IN_CHANNEL})"
        query = f"""
            SELECT {SHORT} FROM tables
            WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1) AND {IS_LIVE}{where}
            ORDER BY changed_at DESC LIMIT $2"""
        of_server = () if server is None else (server,)
        return await rows_of(tx, query, user_id, self.access.limits.live_of_user, *of_server)

    @reads
    async def lobbies_naming(self, tx: Tx, user_id: int, server: int | None = None) -> list[TableRow]:
        """The lobbies on one server or all whose body contains this user id; limit and order as in `live_tables_of`."""
        where = "" if server is None else " AND guild_id = $3"
        query = f"""
            SELECT {SHORT} FROM tables WHERE {IS_LIVE} AND status = 'lobby' AND body LIKE $1{where}
            ORDER BY changed_at DESC LIMIT $2"""
        of_server = () if server is None else (server,)
        return await rows_of(tx, query, f"%{user_id}%", self.access.limits.live_of_user, *of_server)

    async def tables_naming(self, user_id: int) -> list[int]:
        """The ids of all tables that this user opened or sat at, or whose body contains the user id, oldest first.

        Reads every table, in batches, between which other reads can run.
        """
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = await self._some_naming(user_id, after)
            named += some
        return named

    @reads
    async def _some_naming(self, tx: Tx, user_id: int, after: int) -> tuple[list[int], int | None]:
        """Searches a batch of tables after the id `after`; the second value is the id to continue after."""
        query = """
            SELECT id, body LIKE $1 OR opener_id = $2
                   OR EXISTS (SELECT 1 FROM sat WHERE table_id = id AND user_id = $2)
            FROM tables WHERE id > $3 ORDER BY id LIMIT $4"""
        limit = self.access.limits.search_batch_size
        rows = await tx.fetch(query, f"%{user_id}%", user_id, after, limit)
        return [row[0] for row in rows if row[1]], rows[-1][0] if len(rows) == limit else None

    @writes
    async def forget(self, tx: Tx, user_id: int, table_id: int) -> None:
        """Deletes the records of this user as opener and in a seat at the table, and the ids of the user's presses.

        The stored press ids have no user id beside them, so all press ids of the table are deleted. The caller must
        first remove the user from the table's body.
        """
        # Same lock order as in `commit`: the table's row first.
        opened = "UPDATE tables SET opener_id = 0 WHERE id = $1 AND opener_id = $2"
        await tx.execute(opened, table_id, user_id)
        presses = """
            UPDATE moves SET interaction_id = NULL
            WHERE table_id = $1 AND interaction_id IS NOT NULL
              AND seat = (SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2)"""
        await tx.execute(presses, table_id, user_id)
        await tx.execute("DELETE FROM presses WHERE table_id = $1", table_id)
        await tx.execute("DELETE FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id)

    @reads
    async def text_only(self, tx: Tx) -> list[tuple[Scope, int]]:
        """The servers and users that chose text only."""
        rows = await tx.fetch("SELECT scope, id FROM text_only ORDER BY id")
        return [(scope, number) for scope, number in rows]

    @writes
    async def set_text_only(self, tx: Tx, scope: Scope, number: int, on: bool) -> None:
        """Stores or clears the choice of text only."""
        await set_text_only(tx, scope, number, on)

    async def purge(self, ended_before: float) -> int:
        """Deletes the tables that ended before this time, with all their rows; returns the number of tables.

        Also adds a request to wipe the remains of these tables from the files.
        """
        purged = 0
        while deleted := await self._purge_some(ended_before):
            purged += deleted
        return purged

    @writes
    async def _purge_some(self, tx: Tx, ended_before: float) -> int:
        """Deletes a batch of ended tables, oldest end first; returns their number."""
        old = f"SELECT id FROM tables WHERE ended_at < $1 AND NOT {IS_LIVE} ORDER BY ended_at LIMIT $2"
        if not await tx.fetch(old, ended_before, 1):
            return 0
        limit = self.access.limits.purge_batch_size
        await tx.execute(f"DELETE FROM presses WHERE table_id IN ({old})", ended_before, limit)
        deleted = await tx.execute(
            f"DELETE FROM tables WHERE id IN ({old}) AND NOT {IS_LIVE}", ended_before, limit
        )
        await tx.execute(_ASK_ERASURE, None, self.now())  # for the remains in the files
        return deleted


# -- requests to erase


class ErasureRequests(Repository):
    """The requests to forget a person: each stays until nothing about the person is left in the files."""

    async def ask(self, user_id: int) -> int:
        """Stores a request to forget this user; returns the number of the request."""
        return await self.access.write(adding_erasure(user_id, self.now()))

    @reads
    async def pending(self, tx: Tx) -> list[Erasure]:
        """The pending requests, oldest first."""
        rows = await tx.fetch("SELECT id, user_id, asked_at FROM erasures ORDER BY id")
        return [Erasure(*row) for row in rows]

    @writes
    async def unname(self, tx: Tx, numbers: Collection[int]) -> None:
        """Clears the user id of these requests, once only remains in the files must be wiped."""
        rows = [(number,) for number in numbers]
        await tx.many("UPDATE erasures SET user_id = NULL WHERE id = $1", rows)

    @writes
    async def finish(self, tx: Tx, numbers: Collection[int]) -> None:
        """Deletes these completed requests."""
        await tx.many("DELETE FROM erasures WHERE id = $1", [(number,) for number in numbers])


def adding_erasure(user_id: int, at: float) -> TxFunction[int]:
    """A function that stores an erasure request and returns its number."""

    async def run(tx: Tx) -> int:
        stored = "SELECT id FROM erasures WHERE user_id = $1 AND asked_at = $2"
        rows = await tx.fetch(stored, user_id, at) if tx.again else ()
        rows = rows or await tx.fetch(f"{_ASK_ERASURE} RETURNING id", user_id, at)
        return rows[0][0]

    return run
