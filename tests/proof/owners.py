"""The owners of shards: times without one, changes at a restart of the database, and writes by another process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tests.proof.explain import Gap
from tests.proof.plan import FOREIGN_WITHIN, MARGIN, SESSION_SETTLES
from tests.proof.run import Run, Span
from tests.proof.watch import MEMBER, STANDBY, ForeignWrite

TAKEN_WITHIN: Final = 2.0
"""Seconds in which a shard is taken by another process once sessions have settled, if its owner did not retake it."""


def gaps(run: Run) -> list[Gap]:
    """The times for which a shard was without a living owner."""
    nobody = [*run.away, *nobody_there(run)]
    return [
        Gap(shard, since, until, _less(since, until, run.away), _less(since, until, nobody))
        for shard in range(run.plan.shards)
        for since, until in _unowned(run, shard)
    ]


def _unowned(run: Run, shard: int) -> Iterator[Span]:
    """From when to when no process that ran owned the shard.

    A process that is frozen just as it takes the shard is the next one to fail: its time is counted by itself.
    """
    by_pid = {process.pid: process for process in run.processes}

    def owned(at: float) -> bool:
        owner = by_pid.get(run.watch.owner(shard, at) or 0)
        return owner is not None and owner.ran(at, at)

    taken = [at for at, owner in run.watch.owners(shard) if owner is not None]
    for since, until in run.without((at for at, _owner in run.watch.owners(shard)), owned):
        yield from pairwise([since, *(at for at in taken if since < at < until), until])


def nobody_there(run: Run) -> Iterator[Span]:
    """From when to when no process ran whose session was old enough to take any free shard, and that did not drain."""
    by_pid = {process.pid: process for process in run.processes}
    able = [
        (process, session.since + SESSION_SETTLES, min(session.until, process.drains or run.ended))
        for session in run.watch.sessions.values()
        if (process := by_pid.get(session.process))
    ]

    def somebody(at: float) -> bool:
        return any(since <= at < end and process.ran(at, at) for process, since, end in able)

    return run.without((at for _process, *span in able for at in span), somebody)


def _less(since: float, until: float, away: Sequence[Span]) -> float:
    """The length of a span without these others."""
    covered, reached = 0.0, since
    for at, back in sorted(away):
        begin, end = max(at, reached), min(back, until)
        if end > begin:
            covered += end - begin
            reached = end
    return until - since - covered


def after_kills(run: Run, found: Sequence[Gap]) -> list[float]:
    """The lengths of those times that began with a kill, if another process could take over all the while."""
    killed = {process.doomed for process in run.processes if process.fate == "killed"}
    return [gap.net for gap in found if gap.since in killed and gap.net - gap.could < MARGIN]


# -- restarts of the database


def moved_at_restarts(run: Run) -> tuple[int, list[str]]:
    """How many restarts of the database were survived by all processes, and the shards that changed owner there.

    Those are left out at which a process was frozen, dead, draining or starting, and at which shards moved anyway.
    """
    by_pid = {process.pid: process for process in run.processes}
    judged, moved = 0, list[str]()
    for since, until in run.away:
        before, end = run.watch.before(since), until + SESSION_SETTLES
        if not _is_settled(run, before, end):
            continue
        judged += 1
        for shard in range(run.plan.shards):
            owner = by_pid[run.watch.owner(shard, before) or 0]
            taken = ((at, pid) for at, pid in run.watch.owners(shard) if at > before and pid is not None)
            at, pid = next(taken, (before, owner.pid))
            if pid != owner.pid and at <= end + TAKEN_WITHIN and not owner.was_harmed(before, at):
                moved.append(f"shard {shard} of {owner.name} moved at {at - run.began:.1f} s")
    return judged, moved


def _is_settled(run: Run, at: float, end: float) -> bool:
    """Whether all processes were members, had fair shares and stood by for nothing, and nothing befell them."""
    shards, members = range(run.plan.shards), run.watch.holders(MEMBER, 0, at)
    rests = [
        process for process in run.processes if process.pid in members and not process.was_harmed(at, end)
    ]
    shares = Counter(run.watch.owner(shard, at) for shard in shards)
    fair = {run.plan.shards // run.plan.processes, -(-run.plan.shards // run.plan.processes)}
    return (
        len(members) == len(rests) == run.plan.processes
        and shares.keys() == members
        and fair.issuperset(shares.values())
        and not any(run.watch.holders(STANDBY, shard, at) for shard in shards)
    )


# -- foreign writes


def is_excused(run: Run, write: ForeignWrite) -> bool:
    """Whether just before the shard changed owner, the writer thawed or lost its sessions, or the database was away."""
    at, watch = write.at - run.wall, run.watch
    spans = [(watch.before(moment), moment) for moment, _owner in watch.owners(write.shard)]
    spans += [*run.away, *watch.away()]
    for process in run.processes:
        if process.pid == write.process:
            spans += [(until, until) for _since, until in process.frozen if until is not None]
            spans += [(moment, moment) for moment in process.severed]
    return any(since - MARGIN <= at <= until + FOREIGN_WITHIN for since, until in spans)
