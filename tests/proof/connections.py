"""Which shards were connected to Discord, and whether they stayed so while a process drained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.proof.plan import DRAIN_SECONDS, ENDED_WITHIN
from tests.proof.processes import Process
from tests.proof.run import Run, Span
from tests.proof.watch import MEMBER

AFTERWARDS: Final = 1.0
"""Seconds after the end of a process that was drained in which its shards must stay connected as well."""


def unconnected(run: Run, shard: int) -> Iterator[Span]:
    """From when to when no running process had a session of Discord's for the shard."""
    by_name = {process.name: process for process in run.processes}
    sessions = [session for session in run.discord.sessions if session.shard == shard]

    def connected(at: float) -> bool:
        return any(
            session.opened <= at
            and (session.lost is None or session.lost > at)
            and by_name[session.process].ran(at, at)
            for session in sessions
        )

    moments = [at for session in sessions for at in (session.opened, session.lost) if at is not None]
    return run.without(moments, connected)


def drains(run: Run) -> tuple[int, list[str], list[str]]:
    """How many drains nothing disturbed, the gaps in the connection of their shards, and those not over in time.

    Disturbed are those during which no member was left, another process was harmed, or the database was away.
    """
    judged, torn, late = 0, list[str](), list[str]()
    for process in run.processes:
        since = process.drains
        if since is None or process.fate == "killed":
            continue
        until = min(process.stopped or run.ended, since + DRAIN_SECONDS + ENDED_WITHIN) + AFTERWARDS
        if not _was_calm(run, process, since, until):
            continue
        judged += 1
        if until - since > DRAIN_SECONDS + AFTERWARDS:  # it gave up what nobody had taken
            late.append(process.name)
            continue
        shards = (shard for shard in range(run.plan.shards) if run.watch.owner(shard, since) == process.pid)
        torn += [
            f"shard {shard} had no connection from {lost - run.began:.2f} to {back - run.began:.2f} s"
            for shard in shards
            for lost, back in unconnected(run, shard)
            if since <= lost <= until
        ]
    return judged, torn, late


def _was_calm(run: Run, drained: Process, since: float, until: float) -> bool:
    others = [process for process in run.processes if process is not drained]
    return (
        bool(run.watch.holders(MEMBER, 0, since) - {drained.pid})
        and not drained.was_disturbed(since, until)
        and not any(process.was_harmed(since, until) for process in others)
        and not any(at <= until and since <= back for at, back in (*run.away, *run.watch.away()))
    )
