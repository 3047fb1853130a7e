"""The layout of the database: checks that the database is Digsite's, safe and readable, and applies the migrations."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from bot.store.migrate import EXPANDS, check_is_known, not_migrated, older, scripts
from bot.store.model import StoreInUse, StoreRefused
from bot.store.postgres.driver import SCHEMA, Connection, DatabaseError, sqlstate_of
from bot.store.postgres.errors import BEHIND_A_PROXY
from bot.store.postgres.timing import POSTGRES

_LOG = logging.getLogger(__name__)

KEY: Final = 0x44494753
""""DIGS", the first key of all advisory locks in the database; the second key is the kind."""
USE_LOCK: Final = 1
"""Held by every process that has the database open: shared by a fleet, else exclusively."""
MIGRATIONS_LOCK: Final = 2
"""Held by the process that applies migrations."""
HERE: Final = """
    locktype = 'advisory' AND granted AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
"""The condition on `pg_locks` for the two-key advisory locks held in this database."""
IN_USE: Final = f"{HERE} AND classid::bigint = {KEY} AND objid::bigint = {USE_LOCK}"
READABLE_SINCE: Final = 4
"""The first layout that stores the oldest layout able to work with it."""
OLDEST_SERVER: Final = 140_000
"""The oldest supported server (version 14)."""
_SAFE: Final = ("on", "remote_apply")
"""The values of `synchronous_commit` with which a commit is durable on all servers when it returns."""
_ENVIRONMENT_ERRORS: Final = ("42501", "25006", "53100")
"""SQLSTATEs that any migration would meet: no permission, read-only, or full disk."""


async def layout_of(connection: Connection) -> int:
    """The number of the last migration applied; 0 for a database without Digsite's schema."""
    if not await connection.fetchval("SELECT to_regclass('digsite.store') IS NOT NULL"):
        return 0
    return int(await connection.fetchval("SELECT layout FROM digsite.store"))


async def check_server(connection: Connection, where: str) -> None:
    """Raises `StoreRefused` if the server is too old or unsafe."""
    version, encoding = (
        int(await connection.fetchval("SELECT current_setting('server_version_num')")),
        str(await connection.fetchval("SELECT current_setting('server_encoding')")),
    )
    if version < OLDEST_SERVER:
        raise StoreRefused(
            f"{where} lies on a server of version {version // 10_000}; Digsite needs PostgreSQL "
            f"{OLDEST_SERVER // 10_000} or newer. Nothing was changed."
        )
    if await connection.fetchval("SELECT current_setting('search_path')") != SCHEMA:
        raise StoreRefused(f"{where} cannot be opened. {BEHIND_A_PROXY}")
    if encoding != "UTF8":
        raise StoreRefused(
            f"{where} has the encoding {encoding}, which cannot hold every name. Nothing was changed; make a database "
            "with the encoding UTF8."
        )
    if await connection.fetchval("SELECT current_setting('fsync')") == "off":
        raise StoreRefused(
            f"The server of {where} runs with fsync = off: a power cut could lose moves that players saw made, or the "
            "whole database. Nothing was changed; switch fsync on."
        )
    if await connection.fetchval("SELECT current_setting('full_page_writes')") == "off":
        _LOG.warning(
            "the server of %s runs with full_page_writes = off, so a power cut may damage the database", where
        )


async def make_commits_durable(connection: Connection) -> None:
    """Makes the commits of this connection durable when they return."""
    if await connection.fetchval("SELECT current_setting('synchronous_commit')") not in _SAFE:
        await connection.execute("SET synchronous_commit = on")


async def lock(
    connection: Connection, where: str, lock_timeout: float = 0.0, *, shared: bool = False
) -> None:
    """Takes the lock, exclusively unless `shared`; the connection holds it until it ends.

    Waits up to `lock_timeout` seconds. With the exclusive lock, ends the other connections of Digsite, which belong to
    frozen processes; such a process reconnects when it thaws, and then checks the database again. Raises `StoreInUse`.
    """
    loop, way = asyncio.get_running_loop(), "_shared" if shared else ""
    until = loop.time() + lock_timeout
    while not await connection.fetchval(f"SELECT pg_try_advisory_lock{way}({KEY}, {USE_LOCK})"):
        if loop.time() >= until:
            raise StoreInUse(
                f"{where} is in use by another Digsite that runs now ({await _users(connection)}). "
                "Nothing was changed; stop that one first, or name another database for this one."
            )
        await asyncio.sleep(POSTGRES.lock_every)
    if shared:
        return
    with suppress(DatabaseError):  # no permission to end another role's connections
        await connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name LIKE 'digsite % %' AND pid <> pg_backend_pid() "
            "AND application_name <> current_setting('application_name')"
        )


async def _users(connection: Connection) -> str:
    query = f"""
        SELECT DISTINCT application_name FROM pg_stat_activity
        WHERE pid IN (SELECT pid FROM pg_locks WHERE {IN_USE}) ORDER BY 1"""
    return ", ".join(row[0] for row in await connection.fetch(query)) or "which has just ended"


async def check_is_ours(connection: Connection, where: str, latest: int) -> int:
    """The layout. Raises `StoreRefused` if this version cannot use it or the schema is not Digsite's. Only reads."""
    # The layout is read after this check, because another process may be creating the schema right now.
    foreign = "SELECT to_regnamespace('digsite') IS NOT NULL AND to_regclass('digsite.store') IS NULL"
    if await connection.fetchval(foreign):
        raise StoreRefused(
            f"{where} has a schema digsite that belongs to another program. It was left as it is; name another "
            "database for Digsite."
        )
    layout = await layout_of(connection)
    says = layout >= READABLE_SINCE
    readable = int(await connection.fetchval("SELECT readable FROM digsite.store")) if says else layout
    check_is_known(where, readable, latest)
    return layout


async def check_is_current(connection: Connection, where: str) -> None:
    """Raises `StoreRefused` unless the database has this version's layout. Only reads."""
    latest = len(scripts("postgres"))
    layout = await check_is_ours(connection, where, latest)
    if layout == 0:
        raise StoreRefused(
            f"{where} holds nothing of Digsite's. See DATABASE_URL, or start the bot on it first."
        )
    if layout < latest:
        raise older(where)


async def migrate(connection: Connection, where: str, migrations: list[str]) -> bool:
    """Applies the pending migrations, each in one transaction. Returns whether the database was empty.

    A lock serialises the processes. Raises `StoreRefused`; the caller must then close the connection, which releases
    the lock.
    """
    await connection.execute(
        f"SELECT pg_advisory_lock({KEY}, {MIGRATIONS_LOCK})", timeout=POSTGRES.long_statement
    )
    layout = await check_is_ours(connection, where, len(migrations))
    for number in range(layout, len(migrations)):
        # The transaction also stores the number, so no migration runs twice or is skipped.
        reads = "" if _expands(migrations, number) else f", readable = {number + 1}"
        numbers = f"layout = {number + 1}{reads if number >= READABLE_SINCE else ''}"
        script = f"BEGIN;\n{migrations[number]}\n;UPDATE digsite.store SET {numbers};\nCOMMIT"
        try:
            await connection.execute(script, timeout=POSTGRES.long_statement)
        except DatabaseError as error:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            if sqlstate_of(error) in _ENVIRONMENT_ERRORS:
                raise
            raise not_migrated(where, number, f"SQLSTATE {sqlstate_of(error)}") from None
        if number:
            _LOG.info("migrated %s from layout %s to %s", where, number, number + 1)
    await connection.execute(f"SELECT pg_advisory_unlock({KEY}, {MIGRATIONS_LOCK})")
    return layout == 0


def _expands(migrations: list[str], number: int) -> bool:
    return migrations[number].startswith(EXPANDS)


def excludes_older(layout: int, migrations: list[str]) -> bool:
    """Whether a pending migration excludes processes of older versions."""
    return layout > 0 and not all(_expands(migrations, number) for number in range(layout, len(migrations)))


async def integrity_faults(connection: Connection) -> list[str]:
    """The tables that cannot be read completely, each with the SQLSTATE; empty if there are none.

    Reads every row, so a server with checksums finds every damaged page.
    """
    faults: list[str] = []
    if not await layout_of(connection):
        return faults
    names = "SELECT relname FROM pg_class WHERE relnamespace = 'digsite'::regnamespace AND relkind = 'r' ORDER BY 1"
    for (name,) in await connection.fetch(names):
        everything = "SELECT count(*), sum(length(whole::text)) FROM {} AS whole"
        try:
            await connection.execute("SAVEPOINT looking")
            await connection.execute(everything.format(name), timeout=POSTGRES.long_statement)
        except DatabaseError as error:
            faults.append(f"{name} cannot be read to its end (SQLSTATE {sqlstate_of(error)})")
            await connection.execute("ROLLBACK TO looking")
    return faults
