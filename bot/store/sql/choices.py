"""SQL for the choices of servers and people, where they differ from the default."""

from __future__ import annotations

from collections.abc import Mapping

from bot.store.engine import Tx, TxFunction
from bot.store.model import Scope
from bot.store.sql.people import set_text_only


def choice(scope: Scope, number: int, name: str) -> TxFunction[str | None]:
    async def run(tx: Tx) -> str | None:
        query = "SELECT value FROM choices WHERE id = $1 AND name = $2 AND scope = $3"
        rows = await tx.fetch(query, number, name, scope)
        return rows[0][0] if rows else None

    return run


def choose(scope: Scope, number: int, name: str, value: str | None) -> TxFunction[int]:
    """Stores a choice; None deletes it."""
    if value is None:
        query = "DELETE FROM choices WHERE id = $1 AND name = $2"
        return lambda tx: tx.execute(query, number, name)
    query = """
        INSERT INTO choices (id, name, scope, value) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id, name) DO UPDATE SET value = excluded.value"""
    return lambda tx: tx.execute(query, number, name, scope, value)


def choose_all(
    scope: Scope, number: int, values: Mapping[str, str | None], text_only: bool | None
) -> TxFunction[None]:
    """Stores several choices, and that of text only unless it is None."""

    async def run(tx: Tx) -> None:
        for name, value in values.items():
            await choose(scope, number, name, value)(tx)
        if text_only is not None:
            await set_text_only(scope, number, text_only)(tx)

    return run


def swap_choice(scope: Scope, number: int, name: str, old: str, new: str | None) -> TxFunction[bool]:
    """Replaces a choice if its value is `old`; None deletes it. Returns whether the choice was replaced."""

    async def run(tx: Tx) -> bool:
        if new is None:
            query = "DELETE FROM choices WHERE id = $1 AND name = $2 AND value = $3"
            return bool(await tx.execute(query, number, name, old))
        query = "UPDATE choices SET value = $1 WHERE id = $2 AND name = $3 AND value = $4"
        if await tx.execute(query, new, number, name, old):
            return True
        return tx.again and await choice(scope, number, name)(tx) == new

    return run


def choices_of(scope: Scope, number: int) -> TxFunction[dict[str, str]]:
    """All choices of a server or a person."""

    async def run(tx: Tx) -> dict[str, str]:
        rows = await tx.fetch("SELECT name, value FROM choices WHERE id = $1 AND scope = $2", number, scope)
        return {row[0]: row[1] for row in rows}

    return run


def choices_named(scope: Scope, name: str) -> TxFunction[dict[int, str]]:
    """The choices of this name, by the ids of the servers or people."""

    async def run(tx: Tx) -> dict[int, str]:
        rows = await tx.fetch("SELECT id, value FROM choices WHERE name = $1 AND scope = $2", name, scope)
        return {row[0]: row[1] for row in rows}

    return run


def forget_choices(user_id: int) -> TxFunction[int]:
    query = "DELETE FROM choices WHERE id = $1 AND scope = 'person'"
    return lambda tx: tx.execute(query, user_id)
