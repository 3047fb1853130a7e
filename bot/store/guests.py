"""The guests of lobbies in the store: the people who were asked to join a lobby and have not joined it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.store.engine import Tx
from bot.store.model import GuestRow
from bot.store.repository import Repository, reads, writes

COUNTED: Final = 24 * 3600.0
"""Seconds for which a guest who has not joined is stored, from when they were asked or, if later, declined."""
PAUSE: Final = 3600.0
"""Seconds after a notification of a guest who has not joined in which the person is notified by no other lobby.

Doubles with each further one that is stored, so a person who never joins is notified five times a day at most.
"""

_COLUMNS: Final = "user_id, table_id, asker_id, at, notified, declined_at"
_ADD: Final = f"INSERT INTO guests ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, NULL)"
_LATELY: Final = """
    SELECT count(*), max(coalesce(declined_at, at)) FROM guests
    WHERE user_id = $1 AND notified AND coalesce(declined_at, at) > $2 AND coalesce(declined_at, at) <= $3"""
"""Later times do not count: they are from before the clock was set back."""
JOIN: Final = "DELETE FROM guests WHERE table_id = $1 AND user_id = $2"
"""A guest who joins was not disturbed, so the notification does not count."""
DECLINE: Final = "UPDATE guests SET declined_at = $3 WHERE table_id = $1 AND user_id = $2"
_MATCH_TOGETHER: Final = """
    SELECT 1 FROM sat AS one JOIN sat AS other ON other.table_id = one.table_id
    WHERE one.user_id = $1 AND other.user_id = $2 AND one.seat >= 0 AND other.seat >= 0 LIMIT 1"""
_RESULT_TOGETHER: Final = """
    SELECT 1 FROM results AS one JOIN results AS other ON other.guild_id = one.guild_id AND other.number = one.number
    WHERE one.player = (SELECT id FROM players WHERE user_id = $1)
      AND other.player = (SELECT id FROM players WHERE user_id = $2) LIMIT 1"""


async def ask(tx: Tx, table_id: int, asker_id: int, guests: Collection[tuple[int, bool]], at: float) -> None:
    """Stores the guests of a new lobby: pairs of a person, and whether the person may be notified.

    Decides which of them are notified. Of simultaneous lobbies, one notifies a person.
    """
    for user_id, may_notify in sorted(guests):  # sorted, so that two transactions do not wait for each other
        await tx.serialise("guests", user_id)
        [(unanswered, last)] = await tx.fetch(_LATELY, user_id, at - COUNTED, at)
        rested = not unanswered or at >= last + PAUSE * 2 ** (int(unanswered) - 1)
        await tx.execute(_ADD, user_id, table_id, asker_id, at, may_notify and rested)


class Guests(Repository):
    """Reads guests; `Store.create` adds them, and the commit of a seat or a refusal changes them.

    A guest is stored for a day at most, and until they join.
    """

    @reads
    async def notified(self, tx: Tx, table_id: int) -> list[int]:
        """The guests of a lobby whom its first message notifies."""
        rows = await tx.fetch("SELECT user_id FROM guests WHERE table_id = $1 AND notified", table_id)
        return [user for (user,) in rows]

    @reads
    async def declined_at(self, tx: Tx, user_id: int, asker_id: int) -> float | None:
        """When a person last declined a lobby to which this asker had asked them; None if not within the last day."""
        query = "SELECT max(declined_at) FROM guests WHERE user_id = $1 AND asker_id = $2"
        [(at,)] = await tx.fetch(query, user_id, asker_id)
        return at

    @reads
    async def have_played(self, tx: Tx, user_id: int, other_id: int) -> bool:
        """Whether two people have had seats in one match of which the table or the result is stored."""
        together = await tx.fetch(_MATCH_TOGETHER, user_id, other_id)
        return bool(together or await tx.fetch(_RESULT_TOGETHER, user_id, other_id))

    @reads
    async def of_person(self, tx: Tx, user_id: int) -> list[GuestRow]:
        """The stored rows in which a person was asked or has asked, the oldest first."""
        query = f"SELECT {_COLUMNS} FROM guests WHERE user_id = $1 OR asker_id = $1 ORDER BY at, table_id, user_id"
        rows = await tx.fetch(query, user_id)
        return [GuestRow(*known, notified=bool(asked), declined_at=at) for *known, asked, at in rows]

    @writes
    async def end_overdue(self, tx: Tx) -> int:
        """Deletes the guests that do not count any more, or have times far ahead; returns their number."""
        query = "DELETE FROM guests WHERE coalesce(declined_at, at) <= $1 OR coalesce(declined_at, at) > $2"
        now = self.now()
        return await tx.execute(query, now - COUNTED, now + COUNTED)

    @writes
    async def forget_person(self, tx: Tx, user_id: int) -> None:
        """Deletes a person as a guest, and their id as an asker: what they asked of others still counts for these."""
        await tx.execute("DELETE FROM guests WHERE user_id = $1", user_id)
        await tx.execute("UPDATE guests SET asker_id = 0 WHERE asker_id = $1", user_id)
