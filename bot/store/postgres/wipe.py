"""Removes deleted data from the database's own files, as far as possible over a connection.

A deleted row stays on its page until VACUUM frees it, and its bytes stay until they are overwritten. So the tables with
data about users are rewritten (VACUUM FULL). In a large database, rewriting all tables would block moves for too long:
only the small tables are rewritten, and the others are vacuumed. The write-ahead log, its archive, replicas and unused
disk blocks are out of reach.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bot.store.postgres.driver import Connection, DatabaseError, sqlstate_of
from bot.store.postgres.errors import LOCK_NOT_AVAILABLE
from bot.store.postgres.timing import PostgresTiming

_SMALL: Final = (
    "sat",
    "text_only",
    "erasures",
    "facts",
    "presses",
    "players",
    "choices",
    "wishes",
    "guests",
    "attempts",
)
_ALL: Final = ("tables", "moves", "log", "jobs", "results", *_SMALL)


async def wipe(connection: Connection, timing: PostgresTiming, *, within: float) -> bool:
    """Removes deleted data from the database's files.

    Returns False if another reader blocked the operation for longer than `within` seconds.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + within
    size = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name"
    # The deleted rows may still be visible to transactions with an older snapshot.
    now = await connection.fetchval("SELECT pg_current_xact_id()::xid::text")
    whole = int(await connection.fetchval(size, [*_ALL])) <= timing.rewritten_at_most
    while await _has_older_snapshot(connection, now) or not await _rewritten(
        connection, _ALL if whole else _SMALL, timing
    ):
        if loop.time() >= until:
            return False
        await asyncio.sleep(timing.rewrite_every)
    if not whole:
        await connection.execute(f"VACUUM {', '.join(_ALL)}", timeout=timing.long_statement)
    return True


async def _has_older_snapshot(connection: Connection, before: str) -> bool:
    """Whether a transaction has a snapshot older than transaction `before`, so that VACUUM cannot free deleted rows."""
    query = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
          AND age(backend_xmin) > age($1::text::xid)"""
    return int(await connection.fetchval(query, before)) > 0


async def _rewritten(connection: Connection, tables: tuple[str, ...], timing: PostgresTiming) -> bool:
    await connection.execute(f"SET lock_timeout = '{round(timing.rewrite_waits * 1000)}ms'")
    try:
        for table in tables:
            await connection.execute(f"VACUUM FULL {table}", timeout=timing.long_statement)
    except DatabaseError as error:
        if sqlstate_of(error) != LOCK_NOT_AVAILABLE:
            raise
        return False
    finally:
        if not connection.is_closed():
            await connection.execute("RESET lock_timeout")
    return True
