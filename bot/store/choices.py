"""The choices of servers and people in the store, where they differ from the default."""

from __future__ import annotations

from collections.abc import Mapping

from bot.store.engine import Tx
from bot.store.model import Scope
from bot.store.repository import Repository, reads, writes


class Choices(Repository):
    """Named choices of servers and people."""

    @reads
    async def get(self, tx: Tx, scope: Scope, number: int, name: str) -> str | None:
        """A choice; None for the default."""
        return await _get(tx, scope, number, name)

    @writes
    async def put(self, tx: Tx, scope: Scope, number: int, name: str, value: str | None) -> None:
        """Stores a choice; None returns to the default."""
        await _put(tx, scope, number, name, value)

    @writes
    async def put_all(
        self,
        tx: Tx,
        scope: Scope,
        number: int,
        values: Mapping[str, str | None],
        *,
        text_only: bool | None = None,
    ) -> None:
        """Stores choices together, also that of text only unless it is None. None in `values` is the default."""
        for name, value in values.items():
            await _put(tx, scope, number, name, value)
        if text_only is not None:
            await set_text_only(tx, scope, number, text_only)

    @writes
    async def swap(self, tx: Tx, scope: Scope, number: int, name: str, old: str, new: str | None) -> bool:
        """Replaces a choice if its value is still `old`; None returns to the default. Returns whether it was replaced.

        Of several processes that replace the same value, one succeeds.
        """
        if new is None:
            query = "DELETE FROM choices WHERE id = $1 AND name = $2 AND value = $3"
            return bool(await tx.execute(query, number, name, old))
        query = "UPDATE choices SET value = $1 WHERE id = $2 AND name = $3 AND value = $4"
        if await tx.execute(query, new, number, name, old):
            return True
        return tx.again and await _get(tx, scope, number, name) == new

    @reads
    async def of(self, tx: Tx, scope: Scope, number: int) -> dict[str, str]:
        """All choices of a server or a person, by name."""
        rows = await tx.fetch("SELECT name, value FROM choices WHERE id = $1 AND scope = $2", number, scope)
        return {row[0]: row[1] for row in rows}

    @reads
    async def named(self, tx: Tx, scope: Scope, name: str) -> dict[int, str]:
        """The choices of this name, by the ids of the servers or people."""
        rows = await tx.fetch("SELECT id, value FROM choices WHERE name = $1 AND scope = $2", name, scope)
        return {row[0]: row[1] for row in rows}

    @writes
    async def forget(self, tx: Tx, user_id: int) -> None:
        """Deletes all choices of a person."""
        await tx.execute("DELETE FROM choices WHERE id = $1 AND scope = 'person'", user_id)


async def _get(tx: Tx, scope: Scope, number: int, name: str) -> str | None:
    query = "SELECT value FROM choices WHERE id = $1 AND name = $2 AND scope = $3"
    rows = await tx.fetch(query, number, name, scope)
    return rows[0][0] if rows else None


async def _put(tx: Tx, scope: Scope, number: int, name: str, value: str | None) -> None:
    if value is None:
        await tx.execute("DELETE FROM choices WHERE id = $1 AND name = $2", number, name)
        return
    query = """
        INSERT INTO choices (id, name, scope, value) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id, name) DO UPDATE SET value = excluded.value"""
    await tx.execute(query, number, name, scope, value)


async def set_text_only(tx: Tx, scope: Scope, number: int, on: bool) -> None:
    add = "INSERT INTO text_only (id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    await tx.execute(add if on else "DELETE FROM text_only WHERE id = $1 AND scope = $2", number, scope)
