"""SQL for jobs, facts, the heartbeat and downtime."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.store.engine import Shards, Tx, TxFunction
from bot.store.model import ALARM, Job
from bot.store.sql.tables import SET_JOB, of_shards, shard_values
from bot.store.timing import StoreLimits

HEARTBEAT: Final = "heartbeat"
"""The fact with the time of the last heartbeat."""
DOWNTIME: Final = "downtime"
"""The fact with the accumulated downtime in seconds."""
_SET_FACT: Final = (
    "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


def set_job(job: Job) -> TxFunction[int]:
    values = (job.table_id, job.kind, job.due, job.payload)
    return lambda tx: tx.execute(SET_JOB, *values)


def finish(jobs: Sequence[Job]) -> TxFunction[None]:
    settings = [(job.table_id, job.kind, job.id) for job in jobs]
    return lambda tx: tx.many("DELETE FROM jobs WHERE table_id = $1 AND kind = $2 AND id = $3", settings)


def postpone(job: Job, due: float) -> TxFunction[int]:
    values = (due, job.table_id, job.kind, job.id)
    return lambda tx: tx.execute(
        "UPDATE jobs SET due = $1 WHERE table_id = $2 AND kind = $3 AND id = $4", *values
    )


def due(now: float, limit: int, besides: Iterable[Job], shards: Shards | None) -> TxFunction[list[Job]]:
    """The due jobs; with shards, those of tables on these shards."""
    known = json.dumps([job.id for job in besides])

    async def run(tx: Tx) -> list[Job]:
        # CROSS JOIN makes SQLite select the jobs first, and then read only their tables.
        query = f"""
            SELECT job.table_id, job.kind, job.due, job.payload, job.id, guild_id, channel_id, opener_id
            FROM jobs AS job CROSS JOIN tables
            WHERE job.due <= $1 AND job.id NOT IN ({tx.numbers.format("$2")}) AND tables.id = job.table_id
              {f"AND {of_shards(tx, 4)}" if shards else ""}
            ORDER BY job.due, job.id LIMIT $3"""
        rows = await tx.fetch(query, now, known, limit, *(shard_values(shards) if shards else ()))
        return [Job(*row) for row in rows]

    return run


def next_due(shards: Shards | None) -> TxFunction[float | None]:
    async def run(tx: Tx) -> float | None:
        if shards is None:
            [(first,)] = await tx.fetch("SELECT min(due) FROM jobs")
            return first
        query = f"""
            SELECT due FROM jobs CROSS JOIN tables WHERE tables.id = jobs.table_id AND {of_shards(tx, 1)}
            ORDER BY due LIMIT 1"""
        rows = await tx.fetch(query, *shard_values(shards))
        return rows[0][0] if rows else None

    return run


# -- facts


async def fact(tx: Tx, name: str) -> str | None:
    rows = await tx.fetch("SELECT value FROM facts WHERE name = $1", name)
    return str(rows[0][0]) if rows else None


def set_fact(name: str, value: str) -> TxFunction[int]:
    return lambda tx: tx.execute(_SET_FACT, name, value)


def change_fact(
    name: str, change: Callable[[str | None, str | None], str], beside: str = ""
) -> TxFunction[str]:
    """Replaces a fact. `change` gets the values of the facts `name` and `beside`; concurrent changes are serialised."""
    tried: list[str] = []

    async def run(tx: Tx) -> str:
        await tx.serialise("facts")
        old = await fact(tx, name)
        if tx.again and old in tried:
            return str(old)
        value = change(old, await fact(tx, beside) if beside else None)
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


def heartbeat(now: float, away: float, limits: StoreLimits) -> TxFunction[float]:
    """Writes the heartbeat, and shifts jobs by a downtime; returns the accumulated downtime.

    If the write runs again after a commit, it reads its own heartbeat, so it shifts no job twice.
    """

    async def run(tx: Tx) -> float:
        await tx.serialise("facts")
        beat = _beat_at(await fact(tx, HEARTBEAT), await fact(tx, DOWNTIME), now, away)
        if beat.shift:
            later = "UPDATE jobs SET due = due + $1 WHERE CAST($2 AS text) IS NULL OR kind = $2"
            await tx.execute(later, beat.shift, beat.kind)
            await tx.execute(_SET_FACT, DOWNTIME, repr(beat.downtime))
        await tx.execute(_SET_FACT, HEARTBEAT, repr(beat.heartbeat))
        old = "DELETE FROM presses WHERE id IN (SELECT id FROM presses ORDER BY id LIMIT $1) AND at < $2"
        await tx.execute(old, limits.presses_batch_size, now - limits.presses_live)
        return beat.downtime

    return run
