"""Watches the database from outside, over a connection of its own: who holds which shard, and whether it is there."""

from __future__ import annotations

import asyncio
import re
import time
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import asyncpg

from bot.store.postgres.driver import DriverError

EVERY: Final = 0.1
"""Seconds between two looks."""
MOVES_EVERY: Final = 5.0
"""Seconds between two looks at the moves."""
MOVES: Final = "SELECT table_id, sequence, md5(seat || move) FROM digsite.moves WHERE at > $1"
PROCESSES: Final = """
SELECT id, name, extract(epoch FROM until - clock_timestamp())::double precision AS remaining
FROM digsite.processes WHERE until IS NOT NULL"""
ANSWERS_WITHIN: Final = 1
"""Seconds after which the database counts as away."""

AUDIT: Final = """
CREATE SCHEMA proof;
CREATE TABLE proof.writes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_id bigint NOT NULL, before bigint, version bigint,
    silent boolean NOT NULL, process text, owner bigint, at double precision
);
-- Each change of a table: the version that it found and the one that it left, who made it and who held the shard then.
-- A change is silent if the table is another afterwards and its version is not.
CREATE FUNCTION proof.note_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    holder bigint;
    found bigint := CASE TG_OP WHEN 'UPDATE' THEN OLD.version END;
BEGIN
    SELECT owner INTO holder FROM digsite.shards
        WHERE shard = (NEW.guild_id >> 22) % (SELECT nullif(count(*), 0) FROM digsite.shards);
    INSERT INTO proof.writes (table_id, before, version, silent, process, owner, at) VALUES (
        NEW.id, found, NEW.version,
        coalesce(found = NEW.version, false) AND (OLD.snapshot, OLD.body, OLD.sequence, OLD.status)
            IS DISTINCT FROM (NEW.snapshot, NEW.body, NEW.sequence, NEW.status),
        current_setting('application_name'), holder, extract(epoch FROM clock_timestamp())
    );
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER note_write AFTER INSERT OR UPDATE ON digsite.tables
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proof.note_write();
"""
"""Has the database itself note each change of a table, at its commit."""
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
SELECT table_id, version, process, owner, at FROM proof.writes
WHERE process IS DISTINCT FROM 'digsite ' || owner ORDER BY number"""
"""The changes by a process that did not hold the table's shard at that moment."""


@dataclass(frozen=True, slots=True)
class ForeignWrite:
    """A change of a table by a process that did not hold its shard; `at` is in seconds since 1970."""

    table: int
    version: int
    process: str
    at: float


@dataclass(frozen=True, slots=True)
class Beat:
    """A renewal of a process's leases: when it was seen, and until when they then lasted, on the loop's clock."""

    at: float
    until: float


class Watch:
    """Looks at the leases again and again."""

    def __init__(self, url: str, shards: int) -> None:
        self._url = url
        self._loop = asyncio.get_running_loop()
        self.owners: list[list[tuple[float, int | None]]] = [[] for _ in range(shards)]
        """For each shard, who held it from when on: the id of a process's row, or None."""
        self.pids: dict[int, int] = {}
        """The process ids of the processes' rows."""
        self.beats: dict[int, list[Beat]] = {}
        """By row of a process: each renewal of its leases that was seen."""
        self.struck: dict[int, float] = {}
        """When the row of a process was seen to be gone."""
        self.moves: dict[tuple[int, int], str] = {}
        """All moves that were seen, by table and number, as digests: they must never change."""
        self._moves_seen = 0.0
        self._newest = 0.0
        self.looks: list[float] = []
        """When it was looked with success."""
        self.handed_over = 0
        """Changes of owner from one living process to another."""
        self.shared = False
        """Whether the database knows of leases at all."""
        self.foreign_writes: list[ForeignWrite] = []
        self.breaks: list[str] = []
        """Where the versions of a table have a gap or a fork, in words."""
        self.writes = 0
        """Changes of tables."""
        self._looking: asyncio.Task[None] | None = None
        self._connection: Any = None

    async def start(self) -> None:
        self._connection = await self._connect()
        self.shared = await self._connection.fetchval("SELECT to_regclass('digsite.shards')") is not None
        if self.shared:
            await self._connection.execute(AUDIT)
        self._looking = asyncio.create_task(self._look_all_the_time())

    async def stop(self) -> None:
        assert self._looking is not None
        self._looking.cancel()
        with suppress(asyncio.CancelledError):
            await self._looking
        if self.shared:
            connection = await self._connect()
            await self._read_writes(connection)
            await connection.execute("DROP SCHEMA proof CASCADE")
            await connection.close()
        if self._connection is not None:
            self._connection.terminate()

    async def _read_writes(self, connection: Any) -> None:
        self.writes = await connection.fetchval("SELECT count(*) FROM proof.writes")
        self.foreign_writes = [
            ForeignWrite(row["table_id"], row["version"], str(row["process"]), row["at"])
            for row in await connection.fetch(FOREIGN)
        ]
        self.breaks = [
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
                self.moves.setdefault((table, sequence), digest)
            self._moves_seen, self._newest = self._loop.time(), time.time() - 4 * MOVES_EVERY
        if not self.shared:
            await self._connection.fetchval("SELECT 1")
            self.looks.append(self._loop.time())
            return
        processes = await self._connection.fetch(PROCESSES)
        shards = await self._connection.fetch("SELECT shard, owner FROM digsite.shards")
        now = self._loop.time()
        self.looks.append(now)
        living = {row["id"] for row in processes}
        for number in self.beats.keys() - living - self.struck.keys():
            self.struck[number] = now
        for row in processes:
            beats = self.beats.setdefault(row["id"], [])
            until = now + row["remaining"]
            if not beats or abs(until - beats[-1].until) > EVERY:
                beats.append(Beat(now, until))
            if row["id"] not in self.pids and (pid := re.search(r"(\d+)\D*$", row["name"])):
                self.pids[row["id"]] = int(pid[1])
        for row in shards:
            if row["shard"] >= len(self.owners):
                continue
            history = self.owners[row["shard"]]
            before = history[-1][1] if history else None
            if not history or before != row["owner"]:
                history.append((now, row["owner"]))
                self.handed_over += before is not None and before in living

    def owner(self, shard: int, at: float) -> int | None:
        """The process id of the owner at this time, as was last seen by then."""
        history = self.owners[shard]
        found = bisect_right(history, at, key=lambda entry: entry[0])
        held = history[found - 1][1] if found else None
        return None if held is None else self.pids.get(held)

    def away(self, longer_than: float = 0.5) -> list[tuple[float, float]]:
        """From when to when the database was not seen."""
        return [(since, until) for since, until in pairwise(self.looks) if until - since > longer_than]
