"""The processes that have the database open, as it knows them: who may open it beside them, and the roll of a fleet."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bot.store.model import LEASE, ProcessName, ProcessRow, Roll, ShardRow, StoreRefused
from bot.store.postgres.driver import NAME, Connection, DatabaseError
from bot.store.postgres.layout import KEY, OWNERS_LOCK, layout_of

STARTING: Final = 60.0
"""Seconds that a process may take to begin, from when it opens the store; after that its lease has run out."""
TO_RENEW: Final = LEASE / 2
"""Seconds that processes whose leases have run out are given before the layout is changed without them."""
_EXPIRED: Final = "until < clock_timestamp()"
_END: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = ANY ($1::text[]) AND datname = current_database()"""
_ROLL_EXISTS: Final = "SELECT to_regclass('digsite.processes') IS NOT NULL"


async def lock(connection: Connection, *, shared: bool) -> bool:
    """Tries to take the owner's lock, for the session: shared with others who share it, or alone.

    Whoever wants it alone also has to wait until the leases of a fleet have run out that has only lost its connections.
    """
    way = "_shared" if shared else ""
    if not await connection.fetchval(f"SELECT pg_try_advisory_lock{way}({KEY}, {OWNERS_LOCK})"):
        return False
    if shared or not await living(connection):
        return True
    await connection.execute(f"SELECT pg_advisory_unlock({KEY}, {OWNERS_LOCK})")
    return False


async def living(connection: Connection) -> list[str]:
    """The names of the processes that share the shards now."""
    if not await connection.fetchval(_ROLL_EXISTS):
        return []
    query = "SELECT name FROM digsite.processes WHERE begun AND until > clock_timestamp() ORDER BY id"
    return [row[0] for row in await connection.fetch(query)]


async def check_nobody_is_older(connection: Connection, where: str, latest: int) -> None:
    """Raises `StoreRefused` if the layout would have to be changed while processes use it that do not know the new.

    Processes whose leases have run out are taken off the roll, and their connections are ended: one that was frozen and
    wakes up finds when it connects again that it has no place here, before it writes anything into the newer layout. To
    be called while nobody else can join.
    """
    layout = await layout_of(connection)
    if not 0 < layout < latest or not await connection.fetchval(_ROLL_EXISTS):
        return
    if await connection.fetchval(f"SELECT count(*) FROM digsite.processes WHERE {_EXPIRED}"):
        await asyncio.sleep(TO_RENEW)  # if the database was away, they come back as soon as this one has
    ended = await connection.fetch(
        f"DELETE FROM digsite.processes WHERE until IS NULL OR {_EXPIRED} RETURNING id"
    )
    with suppress(DatabaseError):  # they may belong to a role whose connections this one may not end
        await connection.execute(_END, [name_of(row[0]) for row in ended])
    if found := await connection.fetch("SELECT name FROM digsite.processes ORDER BY id"):
        names = ", ".join(row[0] for row in found)
        raise StoreRefused(
            f"{where} is in use by processes of an older Digsite ({names}), and this version needs a newer "
            "layout. Nothing was changed; end these first, then start this version."
        )


async def enrol(connection: Connection, name: ProcessName, *, shared: bool) -> int:
    """Writes this process on the roll; returns its number there, its era.

    If it has the store alone, those who had it open before are taken off the roll. Otherwise that holds for one that
    had it alone.
    """
    await connection.execute("BEGIN")
    await connection.execute(f"DELETE FROM processes {'WHERE until IS NULL' if shared else ''}")
    until = "clock_timestamp() + $3 * interval '1 second'"
    era = int(
        await connection.fetchval(
            f"INSERT INTO processes (name, version, until) VALUES ($1, $2, {until}) RETURNING id",
            name.name,
            name.version,
            STARTING if shared else None,
        )
    )
    await connection.execute("COMMIT")
    return era


def name_of(era: int) -> str:
    """What the server calls the connections of this process, by which others can end them."""
    return f"{NAME} {era}"


ROLL: Final = """
    SELECT
        (SELECT json_agg(json_build_array(id, name, version, draining, reach) ORDER BY id) FROM processes
            WHERE id = $1 OR begun AND until > clock_timestamp()),
        (SELECT json_agg(json_build_array(shard, owner, generation, heir, heir_ready AND heir IS NOT NULL)
                         ORDER BY shard) FROM shards),
        (SELECT min(extract(epoch FROM until - clock_timestamp()))::double precision FROM processes
            WHERE id <> $1 AND begun AND until > clock_timestamp()),
        (SELECT json_agg(json_build_array(id, until::text, until < clock_timestamp())) FROM processes
            WHERE id <> $1 AND until IS NOT NULL),
        (SELECT count(*) FROM processes WHERE id <> $1 AND begun)"""
"""The roll in one statement, and so at one moment; $1 is the number of the process that asks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The roll, the processes whose leases have run out, and how many others have begun, living or not.

    `until` says of every other process when its lease runs out.
    """

    roll: Roll
    expired: Sequence[int]
    others: int
    until: Mapping[int, str] = field(default_factory=dict[int, str])


def read_roll(me: int, row: Sequence[Any]) -> Seen:
    """What a row of `ROLL` says."""
    processes = tuple(ProcessRow(*each) for each in json.loads(row[0] or "[]"))
    shards = tuple(ShardRow(*each) for each in json.loads(row[1] or "[]"))
    expires_in = None if row[2] is None else float(row[2])
    leases: list[tuple[int, str, bool]] = json.loads(row[3] or "[]")
    expired = [process for process, _, is_over in leases if is_over]
    until = {process: at for process, at, _ in leases}
    return Seen(Roll(me, processes, shards, expires_in), expired, int(row[4]), until)
