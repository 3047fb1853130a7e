"""Why a shard was without a living owner for long: what processes, leases and the database did meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from textwrap import shorten
from typing import Final

from tests.proof.processes import Process
from tests.proof.run import Run

BEFORE: Final = 4.0
AFTER: Final = 2.0
"""Seconds before and after such a time that are told as well."""
MOST: Final = 15
"""At most so many are explained, the longest ones."""
LONGEST: Final = 120
"""Characters that are told of a line of a log."""
STALL: Final = 0.5
"""Seconds for which the proof itself has to be late for that to be told."""
TELLING: Final = (
    "bot.fleet.member",
    "bot.store.postgres.leases",
    "bot.store.postgres.owner",
    "bot.app.running",
    "bot.gateway.shards",
)
"""Parts of the program whose lines in the logs are told. Of the others only warnings are, unless about a table."""

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
        lines = sorted(line for line in _lines(run, found, begin, end) if begin <= line[0] <= end)
        for at, what in lines:
            yield f"{at - run.began:.1f} s: {what}"


def _lines(run: Run, gaps: Sequence[Gap], begin: float, end: float) -> Iterator[Line]:
    for process in run.processes:
        yield from _of_process(process)
        yield from _of_log(process, run.wall, begin, end)
    yield from _of_leases(run, begin, end)
    names = {process.pid: process.name for process in run.processes}
    for gap in gaps:
        for at, owner in run.watch.owners[gap.shard]:
            holder = names.get(run.watch.pids.get(owner or 0, 0), "somebody unknown")
            yield at, f"shard {gap.shard} " + ("is free" if owner is None else f"is held by {holder}")
    for since, until in run.away:
        yield since, "the database server is taken down"
        yield until, "the database server has started"
    for since, until in run.watch.away():
        yield until, f"the database answers the watch again, after {until - since:.1f} s"
    for since, until in run.stalls:
        if until - since > STALL:
            yield until, f"the proof itself was late by {until - since:.1f} s"


def _of_process(process: Process) -> Iterator[Line]:
    yield process.started, f"{process.name} is started"
    if process.doomed is not None:
        yield process.doomed, f"{process.name} is {process.fate}{' to end' if process.fate == 'told' else ''}"
    if process.ended is not None:
        yield process.ended, f"{process.name} has ended with status {process.status}"
    for since, until in process.frozen:
        yield since, f"{process.name} is frozen"
        if until is not None:
            yield until, f"{process.name} is thawed"


def _of_leases(run: Run, begin: float, end: float) -> Iterator[Line]:
    """When each process renewed its leases, when they ran out and when it was struck off the roll."""
    names = {process.pid: process.name for process in run.processes}
    for number, beats in run.watch.beats.items():
        name = names.get(run.watch.pids.get(number, 0), f"process {number}")
        seen = [beat.at for beat in beats if begin <= beat.at <= end]
        if seen:
            yield (
                seen[0],
                f"{name} has its leases renewed, " + ", ".join(f"{at - run.began:.1f}" for at in seen),
            )
        lasted = beats[-1].until
        struck = run.watch.struck.get(number)
        if struck is None or struck > lasted:
            yield lasted, f"the leases of {name} have run out"
        if struck is not None:
            yield struck, f"{name} is off the roll"


def _of_log(process: Process, wall: float, begin: float, end: float) -> Iterator[Line]:
    """What the process itself tells of leases and shards, and other warnings."""
    for line in _read(process.log):
        with suppress(ValueError, KeyError, TypeError):
            told = json.loads(line)
            at = datetime.fromisoformat(told["time"]).timestamp() - wall
            tells = told["logger"] in TELLING or told["level"] not in ("DEBUG", "INFO")
            if tells and begin <= at <= end and not told["message"].startswith("table "):
                yield at, f"{process.name} says: {shorten(told['message'], LONGEST)}"


def _read(log: Path) -> list[str]:
    return log.read_text(errors="replace").splitlines()
