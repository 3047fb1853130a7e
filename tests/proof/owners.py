"""Who owned the shards: times without an owner, changes of owner at a restart, and writes by another than the owner."""

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
        Gap(shard, since, until, _without(since, until, run.away), _without(since, until, nobody))
        for shard in range(run.plan.shards)
        for since, until in _unowned(run, shard)
        if run.began <= since < run.ended
    ]


def _unowned(run: Run, shard: int) -> Iterator[Span]:
    """From when on no process that ran owned the shard, until one took it or the one that had it was thawed.

    A process that takes a shard runs at that moment, even if it is killed a moment later.
    """
    by_pid = {process.pid: process for process in run.processes}
    since: float | None = None
    tenures = [*run.watch.owners(shard), (run.ended, None)]
    for (begin, owner), (end, _next) in pairwise(tenures):
        process = by_pid.get(owner) if owner is not None else None
        if process is None:
            since = begin if since is None else since
            continue
        if since is not None:
            yield since, begin
        since = None
        for stop, go in process.rests():
            if begin <= stop < end:
                if go is None or go > end:
                    since = stop
                    break
                yield stop, go
    if since is not None and since < run.ended:
        yield since, run.ended


def nobody_there(run: Run) -> Iterator[Span]:
    """From when to when no process ran that could take a shard which another one retakes first.

    A process does so once its session is some seconds old, and not while it drains.
    """
    by_pid = {process.pid: process for process in run.processes}
    able = [
        (
            process,
            session.since + SESSION_SETTLES,
            min(session.until or run.ended, process.drains or run.ended),
        )
        for session in run.watch.sessions
        if (process := by_pid.get(session.process)) is not None
    ]
    moments = {run.began, run.ended, *(at for _process, *span in able for at in span)}
    for process in run.processes:
        moments |= {at for span in process.rests() for at in span if at is not None}
    for at, until in pairwise(sorted(at for at in moments if at <= run.ended)):
        middle = (at + until) / 2
        if not any(since <= middle < end and process.ran(middle, middle) for process, since, end in able):
            yield at, until


def _without(since: float, until: float, away: Sequence[Span]) -> float:
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
            at, pid = next(taken, (0.0, owner.pid))
            later = at > end + TAKEN_WITHIN or not owner.ran(before, at) or owner.was_disturbed(before, at)
            if pid != owner.pid and not later and not (owner.drains and owner.drains < at):
                moved.append(
                    f"shard {shard} moved from {owner.name} at the restart at {since - run.began:.1f} s"
                )
    return judged, moved


def _is_settled(run: Run, at: float, end: float) -> bool:
    """Whether all processes were members, had fair shares and stood by for nothing, and nothing befell them."""
    members = run.watch.holders(MEMBER, 0, at)
    shares = Counter(run.watch.owner(shard, at) for shard in range(run.plan.shards))
    numbers = [shares[member] for member in members]
    rests = [
        process.ran(at, end) and not process.was_disturbed(at, end) and not (process.drains or end) < end
        for process in run.processes
        if process.pid in members
    ]
    return (
        len(members) == len(rests) == run.plan.processes
        and shares.keys() <= members
        and max(numbers) - min(numbers) <= 1
        and not any(run.watch.holders(STANDBY, shard, at) for shard in range(run.plan.shards))
        and all(rests)
    )


# -- foreign writes


def is_excused(run: Run, write: ForeignWrite) -> bool:
    """Whether the shard changed its owner shortly before this change, or something befell the writer or the database.

    That is: the writer was thawed or its sessions were ended, or the database was away.
    """
    at, watch = write.at - run.wall, run.watch
    spans = [(watch.before(moment), moment) for moment, _owner in watch.owners(write.shard)]
    spans += [*run.away, *watch.away()]
    for process in run.processes:
        if process.pid == write.process:
            spans += [(until, until) for _since, until in process.frozen if until is not None]
            spans += [(moment, moment) for moment in process.severed]
    return any(since - MARGIN <= at <= until + FOREIGN_WITHIN for since, until in spans)
