"""The jobs in the store, its facts (name-value pairs of the host, among them heartbeat and downtime), and its emoji."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.store.engine import Shards, Tx, TxFunction
from bot.store.model import ALARM, EmojiRow, Job
from bot.store.postgres.timing import POSTGRES
from bot.store.repository import Repository, reads, writes
from bot.store.tables import SET_JOB, of_shards, shard_values

HEARTBEAT: Final = "heartbeat"
"""The fact with the time of the last heartbeat."""
DOWNTIME: Final = "downtime"
"""The fact with the accumulated downtime in seconds."""
_SET_FACT: Final = (
    "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)

_MARK: Final = """
    INSERT INTO identifies AS last (bucket, at) VALUES ($1, clock_timestamp())
    ON CONFLICT (bucket) DO UPDATE SET at = clock_timestamp()
        WHERE last.at <= clock_timestamp() - $2 * interval '1 second'
            OR last.at > clock_timestamp() + interval '1 second'  -- the server's clock was set back"""
_WAIT: Final = """
    SELECT extract(epoch FROM at - clock_timestamp())::double precision + $2 FROM identifies WHERE bucket = $1"""


class Jobs(Repository):
    """Reads and changes jobs and facts; `Store.create` and `Store.commit` set and drop jobs too."""

    @reads
    async def due(
        self,
        tx: Tx,
        now: float,
        limit: int = 500,
        besides: Iterable[Job] = (),
        shards: Shards | None = None,
    ) -> list[Job]:
        """Jobs with `due <= now`, longest overdue first. `shards` limits them to tables on these shards.

        Excludes the jobs in `besides`, unless they were set again since.
        """
        if shards is not None and not shards[1]:
            return []
        known = json.dumps([job.id for job in besides])
        # CROSS JOIN makes SQLite select the jobs first, and then read only their tables.
        query = f"""
            SELECT job.table_id, job.kind, job.due, job.payload, job.id, guild_id, channel_id, opener_id
            FROM jobs AS job CROSS JOIN tables
            WHERE job.due <= $1 AND job.id NOT IN ({tx.numbers.format("$2")}) AND tables.id = job.table_id
              {f"AND {of_shards(tx, 4)}" if shards else ""}
            ORDER BY job.due, job.id LIMIT $3"""
        rows = await tx.fetch(query, now, known, limit, *(shard_values(shards) if shards else ()))
        return [Job(*row) for row in rows]

    @reads
    async def next_due(self, tx: Tx, shards: Shards | None = None) -> float | None:
        """The earliest due time of a job; with `shards`, of a job on these shards."""
        if shards is None:
            [(first,)] = await tx.fetch("SELECT min(due) FROM jobs")
            return first
        if not shards[1]:
            return None
        query = f"""
            SELECT due FROM jobs CROSS JOIN tables WHERE tables.id = jobs.table_id AND {of_shards(tx, 1)}
            ORDER BY due LIMIT 1"""
        rows = await tx.fetch(query, *shard_values(shards))
        return rows[0][0] if rows else None

    @writes
    async def set_job(self, tx: Tx, job: Job) -> None:
        await tx.execute(SET_JOB, job.table_id, job.kind, job.due, job.payload)

    async def finish(self, done: Sequence[Job]) -> None:
        """Deletes these jobs. A job that was set again since has another id and is not deleted."""
        if done:
            await self._finish(done)

    @writes
    async def _finish(self, tx: Tx, done: Sequence[Job]) -> None:
        settings = [(job.table_id, job.kind, job.id) for job in done]
        await tx.many("DELETE FROM jobs WHERE table_id = $1 AND kind = $2 AND id = $3", settings)

    @writes
    async def postpone(self, tx: Tx, job: Job, due: float) -> None:
        """Moves this job to another time, unless it was set again or deleted since."""
        query = "UPDATE jobs SET due = $1 WHERE table_id = $2 AND kind = $3 AND id = $4"
        await tx.execute(query, due, job.table_id, job.kind, job.id)

    # -- facts

    @reads
    async def fact(self, tx: Tx, name: str) -> str | None:
        return await _fact(tx, name)

    @writes
    async def set_fact(self, tx: Tx, name: str, value: str) -> None:
        await tx.execute(_SET_FACT, name, value)

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        """Replaces a fact in one transaction and returns the new value. `change` gets the old value.

        `change` may be called several times.
        """
        return await self.access.write(changing_fact(name, change))

    @writes
    async def write_heartbeat(self, tx: Tx, now: float, away: float) -> float:
        """Writes the heartbeat. Returns the accumulated downtime in seconds.

        A gap of more than `away` seconds since the last heartbeat counts as downtime, and postpones all timers. With
        `away` 0 (for the first process only), all jobs become due earlier if the clock was set back. If the write runs
        again after a commit, it reads its own heartbeat, so it shifts no job twice.
        """
        limits = self.access.limits
        await tx.serialise("facts")
        beat = _beat_at(await _fact(tx, HEARTBEAT), await _fact(tx, DOWNTIME), now, away)
        if beat.shift:
            later = "UPDATE jobs SET due = due + $1 WHERE CAST($2 AS text) IS NULL OR kind = $2"
            await tx.execute(later, beat.shift, beat.kind)
            await tx.execute(_SET_FACT, DOWNTIME, repr(beat.downtime))
        await tx.execute(_SET_FACT, HEARTBEAT, repr(beat.heartbeat))
        old = "DELETE FROM presses WHERE id IN (SELECT id FROM presses ORDER BY id LIMIT $1) AND at < $2"
        await tx.execute(old, limits.presses_batch_size, now - limits.presses_live)
        return beat.downtime

    # -- several processes

    @writes
    async def may_identify(self, tx: Tx, bucket: int, every: float) -> float:
        """Reserves a slot to identify for a shard of this bucket: returns 0.0, or else the seconds to wait.

        All processes of a database together get one slot per bucket in `every` seconds. Only for PostgreSQL.
        """
        if await tx.execute(_MARK, bucket, every):
            return 0.0
        [(wait,)] = await tx.fetch(_WAIT, bucket, every)
        return max(POSTGRES.least_wait, float(wait))


async def _fact(tx: Tx, name: str) -> str | None:
    rows = await tx.fetch("SELECT value FROM facts WHERE name = $1", name)
    return str(rows[0][0]) if rows else None


def changing_fact(name: str, change: Callable[[str | None], str]) -> TxFunction[str]:
    """Replaces a fact. `change` gets the old value, None if there is none; concurrent changes are serialised."""
    tried: list[str] = []

    async def run(tx: Tx) -> str:
        await tx.serialise("facts")
        old = await _fact(tx, name)
        if tx.again and old in tried:
            return str(old)
        value = change(old)
        tried.append(value)
        await tx.execute(_SET_FACT, name, value)
        return value

    return run


@dataclass(frozen=True, slots=True)
class _Beat:
    """The values that a heartbeat writes. Jobs of `kind` (None: all) are shifted by `shift` seconds."""

    heartbeat: float
    downtime: float
    shift: float = 0.0
    kind: str | None = None


def _beat_at(heartbeat: str | None, downtime: str | None, now: float, away: float) -> _Beat:
    """The values for the heartbeat at `now`, given the stored facts. `Store.write_heartbeat` explains `away`."""
    last = now if heartbeat is None else float(heartbeat)
    down, gap = float(downtime or 0), now - last
    if gap > away:
        return _Beat(now, down + gap, gap, ALARM)
    if gap < 0 and not away:
        return _Beat(now, down + gap, gap, None)
    # The clocks of several processes differ; a slow clock must not set the heartbeat back.
    return _Beat(max(now, last), down)


# -- the application's emoji that were uploaded


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
