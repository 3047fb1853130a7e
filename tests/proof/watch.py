"""Watches the database from outside, over a connection of its own: the locks of processes, and whether it is there."""

from __future__ import annotations

import asyncio
import re
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import asyncpg

from bot.store.postgres.driver import DriverError

EVERY: Final = 0.1
"""Seconds between two looks."""
MOVES_EVERY: Final = 5.0
"""Seconds between two looks at the moves."""
MOVES: Final = "SELECT table_id, sequence, md5(seat || move) FROM digsite.moves WHERE at > $1"
ANSWERS_WITHIN: Final = 1
"""Seconds after which the database counts as away."""

KEY: Final = 0x44494773
"""The first key of the fleet's locks, to which each kind adds its number."""
OWNER, STANDBY, CONNECTED, MEMBER, COUNT = range(5)
"""The kinds. The second key is a shard; of MEMBER it is 0, and of COUNT the number of shards."""

AUDIT: Final = f"""
CREATE SCHEMA proof;
CREATE VIEW proof.locks AS
    SELECT classid::bigint - {KEY} AS kind, objid::bigint AS number, pid, backend_start, application_name AS process
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint BETWEEN {KEY} AND {KEY + COUNT}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
CREATE TABLE proof.writes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_id bigint NOT NULL, guild_id bigint NOT NULL,
    before bigint, version bigint, silent boolean NOT NULL, process text, owner text, at double precision
);
-- Each change of a table: the version that it found and the one that it left, who made it and who owned the shard then.
-- A change is silent if the table is another afterwards and its version is not.
CREATE FUNCTION proof.note_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owning text;
    found bigint := CASE TG_OP WHEN 'UPDATE' THEN OLD.version END;
BEGIN
    WITH locks AS MATERIALIZED (SELECT kind, number, process FROM proof.locks)
    SELECT process INTO owning FROM locks WHERE kind = {OWNER}
        AND number = (NEW.guild_id >> 22) % (SELECT max(number) FROM locks WHERE kind = {COUNT});
    INSERT INTO proof.writes (table_id, guild_id, before, version, silent, process, owner, at) VALUES (
        NEW.id, NEW.guild_id, found, NEW.version,
        coalesce(found = NEW.version, false) AND (OLD.snapshot, OLD.body, OLD.sequence, OLD.status)
            IS DISTINCT FROM (NEW.snapshot, NEW.body, NEW.sequence, NEW.status),
        current_setting('application_name'), owning, extract(epoch FROM clock_timestamp())
    );
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER note_write AFTER INSERT OR UPDATE ON digsite.tables
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proof.note_write();
"""
"""Has the database itself note each change of a table, at its commit."""
LOOK: Final = """
SELECT kind, number, pid, backend_start, process,
    extract(epoch FROM clock_timestamp() - backend_start)::double precision AS age FROM proof.locks"""
BREAKS: Final = """
SELECT table_id, before, version, previous, silent FROM (
    SELECT *, lag(version) OVER (PARTITION BY table_id ORDER BY number) AS previous FROM proof.writes
    WHERE silent OR before IS DISTINCT FROM version
) AS line
WHERE silent OR version <> coalesce(before, version - 1) + 1
    OR (previous IS NOT NULL AND before IS DISTINCT FROM previous)
ORDER BY number"""
"""The changes that do not follow the table's previous one: its versions have a gap or a fork there."""
FOREIGN: Final = """
SELECT table_id, guild_id, version, process, owner, at FROM proof.writes
WHERE process IS DISTINCT FROM owner ORDER BY number"""
"""The changes by a process that did not own the table's shard at that moment, also if nobody did."""


@dataclass(frozen=True, slots=True)
class ForeignWrite:
    """A change of a table by a process that did not own its shard; `at` is in seconds since 1970."""

    table: int
    shard: int
    version: int
    process: int
    """Its process id; 0 if it is none of the bot's."""
    at: float


@dataclass(slots=True)
class Session:
    """A session that holds locks of the fleet's. Times are on the loop's clock."""

    process: int
    since: float
    until: float | None = None
    """When it was seen to have ended."""


@dataclass
class Seen:
    """What was seen of the database. Times are on the loop's clock, and processes are told by their process ids."""

    held: dict[tuple[int, int], list[tuple[float, frozenset[int]]]] = field(
        default_factory=dict[tuple[int, int], list[tuple[float, frozenset[int]]]]
    )
    """By a lock's kind and second key: the processes that held it from when on."""
    sessions: list[Session] = field(default_factory=list[Session])
    looks: list[float] = field(default_factory=list[float])
    """When it was looked with success."""
    moves: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """All moves that were seen, by table and number, as digests: they must never change."""
    foreign_writes: list[ForeignWrite] = field(default_factory=list[ForeignWrite])
    breaks: list[str] = field(default_factory=list[str])
    """Where the versions of a table have a gap or a fork, in words."""
    writes: int = 0
    """Changes of tables."""

    def holders(self, kind: int, number: int, at: float) -> frozenset[int]:
        """The processes that held this lock at this time, as was last seen by then."""
        history = self.held.get((kind, number), [])
        found = bisect_right(history, at, key=lambda entry: entry[0])
        return history[found - 1][1] if found else frozenset()

    def owners(self, shard: int) -> list[tuple[float, int | None]]:
        """Who owned the shard from when on."""
        return [(at, next(iter(pids), None)) for at, pids in self.held.get((OWNER, shard), [])]

    def owner(self, shard: int, at: float) -> int | None:
        return next(iter(self.holders(OWNER, shard, at)), None)

    def before(self, at: float) -> float:
        """When it was looked last before this time."""
        found = bisect_left(self.looks, at)
        return self.looks[found - 1] if found else at

    def away(self, longer_than: float = 0.5) -> list[tuple[float, float]]:
        """From when to when the database was not seen."""
        return [(since, until) for since, until in pairwise(self.looks) if until - since > longer_than]


def process_id(name: object) -> int:
    """The process id in what the server calls a process, as in `digsite 1.2.0 host-1234`; 0 if there is none."""
    found = re.fullmatch(r"digsite .*-(\d+)", str(name))
    return int(found[1]) if found else 0


class Watch:
    """Looks at the locks again and again."""

    def __init__(self, url: str, shards: int) -> None:
        self._url = url
        self._shards = shards
        self._loop = asyncio.get_running_loop()
        self.seen = Seen()
        self._sessions: dict[tuple[int, object], Session] = {}
        """Those that are there, by the server's process and when it began."""
        self._moves_seen = 0.0
        self._newest = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._connection: Any = None

    async def start(self) -> None:
        self._connection = await self._connect()
        await self._connection.execute(AUDIT)
        self._looking = asyncio.create_task(self._look_all_the_time())

    async def stop(self) -> None:
        assert self._looking is not None
        self._looking.cancel()
        with suppress(asyncio.CancelledError):
            await self._looking
        if self._connection is not None:
            self._connection.terminate()
        connection = await self._connect()
        await self._read_writes(connection)
        await connection.execute("DROP SCHEMA proof CASCADE")
        await connection.close()

    async def _read_writes(self, connection: Any) -> None:
        self.seen.writes = await connection.fetchval("SELECT count(*) FROM proof.writes")
        self.seen.foreign_writes = [
            ForeignWrite(
                row["table_id"],
                (row["guild_id"] >> 22) % self._shards,
                row["version"],
                process_id(row["process"]),
                row["at"],
            )
            for row in await connection.fetch(FOREIGN)
        ]
        self.seen.breaks = [
            f"table {row['table_id']}: a change from version {row['before']} to {row['version']} follows version "
            f"{row['previous']}{', and is silent' if row['silent'] else ''}"
            for row in await connection.fetch(BREAKS)
        ]

    async def _connect(self) -> Any:
        return await asyncpg.connect(self._url, timeout=ANSWERS_WITHIN, command_timeout=ANSWERS_WITHIN)

    async def _look_all_the_time(self) -> None:
        while True:
            began = self._loop.time()
            try:
                if self._connection is None:
                    self._connection = await self._connect()
                await self._look()
            except DriverError:
                if self._connection is not None:
                    self._connection.terminate()
                self._connection = None
            await asyncio.sleep(max(0.01, began + EVERY - self._loop.time()))

    async def _look(self) -> None:
        if self._loop.time() > self._moves_seen + MOVES_EVERY:
            # Moves become visible a little later than the time that they bear.
            for table, sequence, digest in await self._connection.fetch(MOVES, self._newest):
                self.seen.moves.setdefault((table, sequence), digest)
            self._moves_seen, self._newest = self._loop.time(), time.time() - 4 * MOVES_EVERY
        rows = await self._connection.fetch(LOOK)
        now = self._loop.time()
        self.seen.looks.append(now)
        self._note_sessions(rows, now)
        held: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for row in rows:
            held[row["kind"], row["number"]].add(process_id(row["process"]))
        for lock in {(OWNER, shard) for shard in range(self._shards)} | held.keys() | self.seen.held.keys():
            history, pids = self.seen.held.setdefault(lock, []), frozenset(held.get(lock, ()))
            if not history or history[-1][1] != pids:
                history.append((now, pids))

    def _note_sessions(self, rows: list[Any], now: float) -> None:
        there = {(row["pid"], row["backend_start"]): row for row in rows}
        for key in self._sessions.keys() - there.keys():
            self._sessions.pop(key).until = now
        for key in there.keys() - self._sessions.keys():
            session = Session(process_id(there[key]["process"]), now - there[key]["age"])
            self._sessions[key] = session
            self.seen.sessions.append(session)
