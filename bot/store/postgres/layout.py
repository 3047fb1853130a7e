"""The database's layout: checks that it is Digsite's, safe and readable, and applies the numbered migrations."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from bot.store.content import CONTENT
from bot.store.migrate import EXPANDS, check_is_known, not_migrated, older, scripts
from bot.store.model import StoreInUse, StoreRefused
from bot.store.postgres.driver import SCHEMA, Connection, DatabaseError, sqlstate_of
from bot.store.postgres.faults import BEHIND_A_PROXY

_LOG = logging.getLogger(__name__)

KEY: Final = 0x44494753
"""The first half ("DIGS") of all advisory locks that Digsite takes in its database; the second half says which."""
USE_LOCK: Final = 1
"""Held by all that have the database open: shared by the processes of a fleet, alone by one that allows no other."""
MIGRATIONS_LOCK: Final = 2
HERE: Final = """
    locktype = 'advisory' AND granted AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
"""In `pg_locks`: the advisory locks of two keys that somebody holds in this database."""
IN_USE: Final = f"{HERE} AND classid::bigint = {KEY} AND objid::bigint = {USE_LOCK}"
READABLE_SINCE: Final = 4
"""The first layout that says which is the oldest one that can be worked with."""
TO_THAW: Final = 7.0
"""Seconds after which a process that is frozen has lost its lock, because the server has ended its session."""
_PAUSE: Final = 0.1
"""Seconds between two attempts to take the lock."""
OLDEST_SERVER: Final = 140_000
"""The oldest server (version 14) whose functions the store knows."""
_SAFE: Final = ("on", "remote_apply")
"""Values of `synchronous_commit` with which a commit is durable when it returns, on all servers it is meant for."""
_NOT_ITS_FAULT: Final = ("42501", "25006", "53100")
"""Codes of errors with which any migration would fail: the user may not write there, or the disk is full."""
_LONG: Final = 3600.0
"""Seconds that a migration may take."""


async def layout_of(connection: Connection) -> int:
    """The number of the last migration that was applied to the database; 0 for one that holds nothing of Digsite's."""
    if not await connection.fetchval("SELECT to_regclass('digsite.store') IS NOT NULL"):
        return 0
    return int(await connection.fetchval("SELECT layout FROM digsite.store"))


async def check_server(connection: Connection, where: str) -> None:
    """Raises `StoreRefused` if the server cannot keep what it acknowledges, or is too old."""
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


async def commit_safely(connection: Connection) -> None:
    """Makes sure that what this connection commits is durable when the commit returns."""
    if await connection.fetchval("SELECT current_setting('synchronous_commit')") not in _SAFE:
        await connection.execute("SET synchronous_commit = on")


async def hold_alone(connection: Connection, where: str, patience: float = 0.0) -> None:
    """Takes the lock that lets no other process open the database, until the connection ends.

    Waits up to `patience` seconds for others. What is left of processes that are frozen loses its connections: the
    processes make new ones when they thaw, and look at the database anew. Raises `StoreInUse`.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    while not await connection.fetchval(f"SELECT pg_try_advisory_lock({KEY}, {USE_LOCK})"):
        if loop.time() >= until:
            raise StoreInUse(
                f"{where} is in use by another Digsite that runs now ({await _users(connection)}). "
                "Nothing was changed; stop that one first, or name another database for this one."
            )
        await asyncio.sleep(_PAUSE)
    with suppress(DatabaseError):  # they may belong to a role whose connections this one may not end
        await connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name LIKE 'digsite % %' AND pid <> pg_backend_pid() "
            "AND application_name <> current_setting('application_name')"
        )


async def _users(connection: Connection) -> str:
    """The names of the processes that hold the lock."""
    query = f"""
        SELECT DISTINCT application_name FROM pg_stat_activity
        WHERE pid IN (SELECT pid FROM pg_locks WHERE {IN_USE}) ORDER BY 1"""
    return ", ".join(row[0] for row in await connection.fetch(query)) or "which has just ended"


async def check_is_ours(connection: Connection, where: str, latest: int) -> int:
    """The database's layout. Raises `StoreRefused` if it is newer than `latest` or not Digsite's. Only reads."""
    # In this order, because another process may just be making the schema with all that is in it.
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
    """Raises `StoreRefused` unless the database is Digsite's and has this version's layout. Only reads."""
    latest = len(scripts("postgres"))
    layout = await check_is_ours(connection, where, latest)
    if layout == 0:
        raise StoreRefused(
            f"{where} holds nothing of Digsite's. See DATABASE_URL, or start the bot on it first."
        )
    if layout < latest:
        raise older(where)


async def bring_up_to_date(connection: Connection, where: str, migrations: list[str]) -> bool:
    """Applies the migrations that the database lacks, each as a whole or not at all. Returns whether it was empty.

    Only one process does so at a time. Raises `StoreRefused` if the database is not Digsite's or newer than these; then
    the caller must close the connection, which frees the lock.
    """
    await connection.execute(f"SELECT pg_advisory_lock({KEY}, {MIGRATIONS_LOCK})", timeout=_LONG)
    layout = await check_is_ours(connection, where, len(migrations))
    for number in range(layout, len(migrations)):
        # The number is set in the same transaction, so no migration can be applied twice or be forgotten.
        reads = "" if _expands(migrations, number) else f", readable = {number + 1}"
        numbers = f"layout = {number + 1}{reads if number >= READABLE_SINCE else ''}"
        script = f"BEGIN;\n{migrations[number]}\n;UPDATE digsite.store SET {numbers};\nCOMMIT"
        try:
            await connection.execute(script, timeout=_LONG)
        except DatabaseError as error:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            if sqlstate_of(error) in _NOT_ITS_FAULT:
                raise
            raise not_migrated(where, number, f"SQLSTATE {sqlstate_of(error)}") from None
        if number:
            _LOG.info("%s was brought from layout %s to %s", where, number, number + 1)
    await connection.execute(f"SELECT pg_advisory_unlock({KEY}, {MIGRATIONS_LOCK})")
    return layout == 0


def _expands(migrations: list[str], number: int) -> bool:
    return migrations[number].startswith(EXPANDS)


def needs_it_alone(layout: int, migrations: list[str]) -> bool:
    """Whether a migration is to come after this layout that processes of before could not work beside."""
    return layout > 0 and not all(_expands(migrations, number) for number in range(layout, len(migrations)))


async def flaws_of(connection: Connection) -> list[str]:
    """The tables that cannot be read to their end, with the error's code; empty if all can be.

    Reads every row, so that a server with checksums finds every damaged page of the tables themselves.
    """
    flaws: list[str] = []
    if not await layout_of(connection):
        return flaws
    for part in CONTENT:
        if not await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", f"digsite.{part.name}"):
            continue  # an older layout has no such table
        everything = "SELECT count(*), sum(length(whole::text)) FROM {} AS whole"
        try:
            await connection.execute("SAVEPOINT looking")
            await connection.execute(everything.format(part.name), timeout=_LONG)
        except DatabaseError as error:
            flaws.append(f"{part.name} cannot be read to its end (SQLSTATE {sqlstate_of(error)})")
            await connection.execute("ROLLBACK TO looking")
    return flaws
