"""Why a shard was without a living owner for long: what processes, locks and the database did meanwhile."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from textwrap import shorten
from typing import Final

from tests.proof.processes import Process
from tests.proof.run import Run
from tests.proof.watch import MEMBER

BEFORE: Final = 4.0
AFTER: Final = 2.0
"""Seconds before and after such a time that are told as well."""
MOST: Final = 15
"""At most so many are explained, the longest ones."""
LONGEST: Final = 120
"""Characters that are told of a line of a log."""
TELLING: Final = ("bot.fleet.member", "bot.fleet.locks", "bot.app.running", "bot.gateway.shards")
"""Parts of the program whose lines in the logs are told. Of the others only warnings are, unless about a table."""
HELD: Final = ("owner of shard {}", "standby for shard {}", "connected for shard {}", "members")
"""Words for the holders of a lock, by its kind."""

Line = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Gap:
    """From when to when a shard was without a living owner. Times are on the loop's clock."""

    shard: int
    since: float
    until: float
    net: float
    """Seconds of it for which the database was there."""
    could: float
    """Seconds of it for which another process could take over."""


def explain(run: Run, gaps: Sequence[Gap]) -> Iterator[str]:
    """A heading and a timeline for each of these times, in seconds since people began to play."""
    longest = sorted(gaps, key=lambda gap: -gap.could)[:MOST]
    together = sorted(longest, key=lambda gap: (round(gap.since, 1), round(gap.until, 1), gap.shard))
    for _when, same in groupby(together, lambda gap: (round(gap.since, 1), round(gap.until, 1))):
        found = list(same)
        first = found[0]
        shards = ", ".join(str(gap.shard) for gap in found)
        yield (
            f"without a living owner for {first.until - first.since:.1f} s, from {first.since - run.began:.1f} to "
            f"{first.until - run.began:.1f} s: shards {shards}. The database was there for {first.net:.1f} s of it, "
            f"and another process could take over for {first.could:.1f} s:"
        )
        begin, end = first.since - BEFORE, first.until + AFTER
        lines = [*timeline(run, {gap.shard for gap in found})]
        lines += (line for process in run.processes for line in _of_log(process, run.wall, begin, end))
        yield from (f"{at - run.began:.1f} s: {what}" for at, what in sorted(lines) if begin <= at <= end)


def timeline(run: Run, shards: Collection[int]) -> Iterator[Line]:
    """All that befell processes, the database and these shards, on the loop's clock."""
    for process in run.processes:
        yield from _of_process(process)
    yield from _of_locks(run, shards)
    for since, until in run.away:
        yield since, "the database server is taken down"
        yield until, "the database server has started"
    for since, until in run.watch.away():
        yield until, f"the database answers the watch again, after {until - since:.1f} s"


def _of_process(process: Process) -> Iterator[Line]:
    yield process.started, f"{process.name} is started, pid {process.pid}"
    if process.doomed is not None:
        yield (
            process.doomed,
            f"{process.name} is {process.fate}{' to end' if process.fate == 'entry' else ''}",
        )
    if process.drains is not None:
        yield process.drains, f"{process.name} is told to drain"
    yield from ((at, f"the server ends the sessions of {process.name}") for at in process.severed)
    if process.ended is not None:
        yield process.ended, f"{process.name} has ended with status {process.status}"
    for since, until in process.frozen:
        yield since, f"{process.name} is frozen"
        if until is not None:
            yield until, f"{process.name} is thawed"


def _of_locks(run: Run, shards: Collection[int]) -> Iterator[Line]:
    """The sessions of processes, the members, and what was held of these shards."""
    names = {process.pid: process.name for process in run.processes}
    for session in run.watch.sessions.values():
        name = names.get(session.process, "somebody unknown")
        yield session.since, f"{name} opens a session"
        yield session.until, f"this session of {name} is seen for the last time"
    for (kind, number), history in run.watch.held.items():
        if kind == MEMBER or (kind < MEMBER and number in shards):
            for at, pids in history:
                held = sorted(names.get(pid, "somebody unknown") for pid in pids)
                yield at, f"{HELD[kind].format(number)}: {', '.join(held) or 'nobody'}"


def _of_log(process: Process, wall: float, begin: float, end: float) -> Iterator[Line]:
    """The process's own lines about locks and shards, and other warnings."""
    for line in process.log.read_text(errors="replace").splitlines():
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            at = datetime.fromisoformat(entry["time"]).timestamp() - wall
            tells = entry["logger"] in TELLING or entry["level"] not in ("DEBUG", "INFO")
            if tells and begin <= at <= end and not entry["message"].startswith("table "):
                yield at, f"{process.name} says: {shorten(entry['message'], LONGEST)}"
