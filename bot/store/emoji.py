"""The application's emoji that were uploaded, as the store records them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.store.engine import Tx
from bot.store.model import EmojiRow
from bot.store.repository import Repository, reads, writes


class EmojiRecords(Repository):
    """The records of uploaded emoji."""

    @reads
    async def all(self, tx: Tx) -> list[EmojiRow]:
        """The uploaded emoji, by name."""
        rows = await tx.fetch("SELECT name, digest, id FROM emoji")
        return sorted(
            (EmojiRow(*row) for row in rows), key=lambda row: row.name
        )  # independent of the collation

    @writes
    async def keep(self, tx: Tx, rows: Sequence[EmojiRow]) -> None:
        """Stores these uploaded emoji; replaces older ones of the same names."""
        query = """
            INSERT INTO emoji (name, digest, id) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, id = excluded.id"""
        await tx.many(query, [(row.name, row.digest, row.id) for row in rows])

    @writes
    async def drop(self, tx: Tx, names: Sequence[str]) -> None:
        """Deletes the records of these emoji."""
        await tx.many("DELETE FROM emoji WHERE name = $1", [(name,) for name in names])
