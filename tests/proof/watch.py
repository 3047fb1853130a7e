"""Watches the database from outside, over a connection of its own: the locks of processes, and whether it is there."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import asyncpg

from bot.store.postgres.driver import DriverError, check_writable

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
-- The process id in what the server calls a process, as in `digsite 1.2.0 host-1234`; NULL if there is none.
CREATE FUNCTION proof.process(name text) RETURNS bigint LANGUAGE sql IMMUTABLE
    RETURN substring(name FROM '^digsite .*-([0-9]+)$')::bigint;
CREATE VIEW proof.locks AS
    SELECT classid::bigint - {KEY} AS kind, objid::bigint AS number, pid, backend_start,
        proof.process(application_name) AS process FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint BETWEEN {KEY} AND {KEY + COUNT}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
CREATE TABLE proof.writes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_id bigint NOT NULL, guild_id bigint NOT NULL,
    before bigint, version bigint, silent boolean NOT NULL, process bigint, owner bigint, at double precision
);
-- Each change of a table: the version that it found and the one that it left, who made it and who owned the shard then.
-- A change is silent if the table is another afterwards and its version is not.
CREATE FUNCTION proof.note_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owning bigint;
    found bigint := CASE TG_OP WHEN 'UPDATE' THEN OLD.version END;
BEGIN
    WITH locks AS MATERIALIZED (SELECT kind, number, process FROM proof.locks)
    SELECT process INTO owning FROM locks WHERE kind = {OWNER}
        AND number = (NEW.guild_id >> 22) % (SELECT max(number) FROM locks WHERE kind = {COUNT});
    INSERT INTO proof.writes (table_id, guild_id, before, version, silent, process, owner, at) VALUES (
        NEW.id, NEW.guild_id, found, NEW.version,
        coalesce(found = NEW.version, false) AND (OLD.snapshot, OLD.body, OLD.sequence, OLD.status)
            IS DISTINCT FROM (NEW.snapshot, NEW.body, NEW.sequence, NEW.status),
        proof.process(current_setting('application_name')), owning, extract(epoch FROM clock_timestamp())
    );
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER note_write AFTER INSERT OR UPDATE ON digsite.tables
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proof.note_write();
"""
"""Has the database itself note each change of a table, at its commit."""
LOOK: Final = """
SELECT kind, number, pid, backend_start, coalesce(process, 0) AS process,
    extract(epoch FROM clock_timestamp() - backend_start)::double precision AS age FROM proof.locks"""
BREAKS: Final = """
SELECT format('table %s: a change from version %s to %s follows version %s%s', table_id, before, version, previous,
    CASE WHEN silent THEN ', and is silent' END) FROM (
    SELECT *, lag(version) OVER (PARTITION BY table_id ORDER BY number) AS previous FROM proof.writes
    WHERE silent OR before IS DISTINCT FROM version
) AS line
WHERE silent OR version <> coalesce(before, version - 1) + 1
    OR (previous IS NOT NULL AND before IS DISTINCT FROM previous)
ORDER BY number"""
"""The changes that do not follow the table's previous one: its versions have a gap or a fork there."""
FOREIGN: Final = """
SELECT table_id, (guild_id >> 22) % $1::bigint, version, process, at FROM proof.writes
WHERE (process = owner) IS NOT TRUE ORDER BY number"""
"""The changes by a process that did not own the table's shard at that moment, also if nobody did."""


@dataclass(frozen=True, slots=True)
class ForeignWrite:
    """A change of a table by a process that did not own its shard; `at` is in seconds since 1970."""

    table: int
    shard: int
    version: int
    process: int | None
    """Its process id; None if it is none of the bot's."""
    at: float


@dataclass(slots=True)
class Session:
    """A session that holds locks of the fleet's, from its beginning until it was seen last."""

    process: int
    since: float
    until: float


@dataclass
class Seen:
    """The observations of the database. Times are on the loop's clock, and processes are told by their process ids."""

    held: dict[tuple[int, int], list[tuple[float, frozenset[int]]]] = field(
        default_factory=dict[tuple[int, int], list[tuple[float, frozenset[int]]]]
    )
    """By a lock's kind and second key: the processes that held it from when on."""
    sessions: dict[object, Session] = field(default_factory=dict[object, Session])
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
        """The owners of the shard, and from when on."""
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


class Watch:
    """Looks at the locks again and again."""

    def __init__(self, url: str, shards: int) -> None:
        self._url = url
        self._shards = shards
        self._loop = asyncio.get_running_loop()
        self.seen = Seen()
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
        self.seen.writes = await connection.fetchval("SELECT count(*) FROM proof.writes")
        self.seen.foreign_writes = [
            ForeignWrite(*row) for row in await connection.fetch(FOREIGN, self._shards)
        ]
        self.seen.breaks = [row[0] for row in await connection.fetch(BREAKS)]
        await connection.execute("DROP SCHEMA proof CASCADE")
        await connection.close()

    async def _connect(self) -> Any:
        return await asyncpg.connect(
            self._url,
            timeout=ANSWERS_WITHIN,
            command_timeout=ANSWERS_WITHIN,
            target_session_attrs="read-write",
        )

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
        check_writable(self._connection)  # after a failover, the locks are on another server
        now = self._loop.time()
        self.seen.looks.append(now)
        held: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for row in rows:
            held[row["kind"], row["number"]].add(row["process"])
            session = Session(row["process"], now - row["age"], now)
            self.seen.sessions.setdefault((row["pid"], row["backend_start"]), session).until = now
        for lock in {(OWNER, shard) for shard in range(self._shards)} | held.keys() | self.seen.held.keys():
            history, pids = self.seen.held.setdefault(lock, []), frozenset(held.get(lock, ()))
            if not history or history[-1][1] != pids:
                history.append((now, pids))
