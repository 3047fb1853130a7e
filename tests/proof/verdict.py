"""What must have held all the while, and the figures of a run."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from tests.bench.report import Report
from tests.proof.discord import Press
from tests.proof.explain import Gap, explain
from tests.proof.plan import (
    ANSWERED_WITHIN,
    FOREIGN_WITHIN,
    LEASE,
    LONG_WITHOUT_OWNER,
    REQUESTS_A_SECOND,
    WITHOUT_OWNER,
    Plan,
)
from tests.proof.processes import Process, errors
from tests.proof.results import flaws
from tests.proof.run import Run, Span
from tests.proof.watch import ForeignWrite

MARGIN: Final = 0.3
"""Seconds by which what the database tells may be older than what a process knows."""
STARTING: Final = 5.0
"""Seconds in which a process that has just been started may not heed signals yet."""
DRAINED_LOOK: Final = 2.0
"""Seconds before the end of a process that was drained in which none of its shards may lose its connection."""
ENDED_WITHIN: Final = 5.5
"""Seconds that a process takes at most to end when it is told to."""
NO_PICTURES: Final = "Pictures are off: each process of the bot would need another one to render them."
SEEN_AGAIN: Final = 4.0
"""Seconds for which a process renews its leases before it deposes another, so that all can renew theirs.

They begin anew when the database was away.
"""
WATCHED: Final = 6.0
"""Seconds for which a process that has just begun watches the others' leases before it deposes any of them."""


@dataclass
class Verdict:
    rows: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    faults: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    slow: list[str] = field(default_factory=list[str])
    """What came too late. On a machine that is busy with other things that need not be a fault."""

    def must(
        self, what: str, found: float, most: float = 0, form: str = "{:,.0f}", *, timed: bool = False
    ) -> None:
        """A figure that must not be larger than this."""
        text = form.format(found)
        self.rows.append((what, text if found <= most else f"{text} (at most {form.format(most)})"))
        if found > most:
            (self.slow if timed else self.faults).append(f"{what}: {text}")

    def figure(self, what: str, found: object) -> None:
        self.rows.append((what, f"{found:,}" if isinstance(found, int) else str(found)))

    def report(self, plan: Plan) -> Report:
        lists = (("FAULTS: ", self.faults), ("TOO LATE: ", self.slow))
        wrong = [name + "; ".join(found) for name, found in lists if found]
        return Report(
            f"{plan.processes} processes on one database, {plan.shards} shards, {plan.matches} matches, "
            f"{plan.seconds:g} s of troubles, seed {plan.seed}",
            ("", "figure"),
            self.rows,
            [NO_PICTURES, *self.notes, *(wrong or ("All of it holds.",))],
        )


def judge(run: Run) -> Verdict:
    """Everything that was promised, by what was seen."""
    verdict = Verdict()
    _troubles(run, verdict)
    _moves(run, verdict)
    _results(run, verdict)
    _presses(run, verdict)
    if run.watch.shared:
        _owners(run, verdict)
    _sessions(run, verdict)
    _limits(run, verdict)
    _logs(run, verdict)
    return verdict


def _troubles(run: Run, verdict: Verdict) -> None:
    frozen = [(until or run.ended) - since for process in run.processes for since, until in process.frozen]
    verdict.figure("processes killed", run.troubles["kill"])
    verdict.figure("processes frozen", len(frozen))
    verdict.figure("of these, for longer than a lease", sum(seconds > LEASE for seconds in frozen))
    verdict.figure("processes told to end", run.troubles["end"])
    verdict.figure("processes drained", run.troubles["drain"])
    verdict.figure("restarts of the database server", run.troubles["restart"])
    verdict.figure("processes of which the server ended all sessions", run.troubles["sessions"])
    verdict.figure("processes started", len(run.processes))
    ends = Counter((process.fate or "by itself", process.status) for process in run.processes)
    for (fate, status), number in sorted(ends.items(), key=str):
        verdict.figure(f"processes that ended: {fate}, status {status}", number)
    wrong = [process for process in run.processes if not _ended_well(run, process)]
    for process in wrong:
        verdict.faults.append(f"process {process.name} ended with status {process.status}")
    verdict.must("processes that ended otherwise than they should", len(wrong))
    told = [
        process.ended - process.doomed
        for process in run.processes
        if process.fate == "told" and process.ended is not None and process.doomed is not None
    ]
    verdict.must(
        "most seconds until a process ended that was told to", max(told), ENDED_WITHIN, "{:.1f}", timed=True
    )
    deposed = [process for process in run.processes if process.status == 1 and not process.frozen]
    late = [process for process in deposed if not _began_without(run, process)]
    verdict.must("processes deposed that were not frozen", len(late), timed=True)


def _ended_well(run: Run, process: Process) -> bool:
    """Whether it ended as what was done to it explains."""
    if process.status == 1:
        return True  # deposed, which is looked at by itself, or without a database at its start
    if process.fate in ("told", "drained"):
        young = process.doomed is not None and process.doomed - process.started < STARTING
        return process.status == 0 or (young and process.status == -signal.SIGTERM)
    return process.fate == "killed" and process.status == -signal.SIGKILL


def _began_without(run: Run, process: Process) -> bool:
    """Whether it was started when the database was away."""
    ended = process.ended if process.ended is not None else run.ended
    return any(since < ended and process.started < until for since, until in run.away) and (
        ended - process.started < STARTING + WITHOUT_OWNER
    )


def _moves(run: Run, verdict: Verdict) -> None:
    kept = run.kept
    verdict.figure("matches played", kept.tables)
    verdict.figure("moves", kept.moves)
    verdict.figure("moves of people", kept.by_people)
    for game, number in sorted(kept.by_game.items()):
        verdict.figure(f"moves of people in {game}", number)
    acknowledged = [press for press in run.discord.presses if press.acknowledged]
    verdict.figure("acknowledged moves of people", len(acknowledged))
    lost = [press for press in acknowledged if press.id not in kept.presses]
    for press in lost[:10]:
        verdict.faults.append(f"press {press.id} ({press.intent} at table {press.table}) is not kept")
    verdict.must("acknowledged moves that are not kept", len(lost))
    verdict.must("presses that were played twice", len(kept.twice))
    verdict.faults += kept.twice[:10]
    shown = [table for table, moves in run.discord.told.moves.items() if moves > kept.sequences.get(table, 0)]
    verdict.must("matches of which people saw more moves than are kept", len(shown))
    changed = [move for move, seen in run.watch.moves.items() if kept.digests.get(move) != seen]
    verdict.must("moves that were in the database and are not, or are others", len(changed))
    verdict.must("flaws found by replaying all matches", len(kept.faults))
    verdict.faults += kept.faults[:10]
    verdict.must("turns for which somebody's time ran out", kept.missed)


def _results(run: Run, verdict: Verdict) -> None:
    kept, posted = run.kept, run.discord.results
    verdict.figure("matches that were played to their end", len(kept.results))
    verdict.figure("matches that began during the run", kept.tables - run.plan.matches)
    twice, untold, false = flaws(kept.results, posted, run.told_until)
    verdict.figure("results that were told in the channel", len(posted))
    for what, found in (
        ("results told more than once", twice),
        ("results that were not told", untold),
        ("results told otherwise than a replay of the match says", false),
    ):
        verdict.must(what, len(found))
        verdict.faults += found[:10]


def _presses(run: Run, verdict: Verdict) -> None:
    presses = [press for press in run.discord.presses if press.at < run.ended]
    answered = [press for press in presses if press.answered is not None]
    verdict.figure("presses", len(presses))
    verdict.figure("presses a second", f"{len(presses) / max(1.0, run.ended - run.began):.1f}")
    waits = sorted(press.answered - press.at for press in answered if press.answered is not None)
    if waits:
        verdict.figure("seconds to the answer: median, p99, most", _three(waits))
    verdict.figure("presses answered", len(answered))
    nobody = [press for press in presses if not press.told]
    verdict.figure("presses that no process got", len(nobody))
    by_name = {process.name: process for process in run.processes}
    left = [press for press in presses if press.answered is None and press.told]
    guilty = [(press, found) for press in left if (found := _should_have_answered(run, press, by_name))]
    late = [(press, process) for press, process in guilty if process.name in press.late]
    for press, process in guilty[:20]:
        found = verdict.slow if process.name in press.late else verdict.faults
        found.append(
            f"press {press.id} ({press.intent} at table {press.table}, shard {press.shard}, "
            f"{press.at - run.began:.2f} s) was not answered in time by {process.name}; "
            f"it was delivered to {', '.join(press.told)}"
        )
    verdict.figure("presses that were lost with a process", len(left) - len(guilty))
    verdict.must("presses that a living process had to answer and did not", len(guilty) - len(late))
    verdict.must("presses that a living process answered too late", len(late), timed=True)
    verdict.figure(
        "most seconds between two answered presses of a shard", f"{_longest_silence(run, answered):.1f}"
    )
    stalled = max((until - since for since, until in run.stalls), default=0.0)
    verdict.figure("most seconds by which the simulated Discord was late", f"{stalled:.2f}")


def _should_have_answered(run: Run, press: Press, by_name: dict[str, Process]) -> Process | None:
    """The process that held the press's shard, got the press and was there all the time."""
    for name in press.told:
        process = by_name[name]
        until = press.at + ANSWERED_WITHIN + MARGIN
        if process.fate == "drained" and process.ended is not None:
            until = min(until, process.ended - MARGIN)  # it ends once it has answered everybody
        if until < press.at or not process.ran(press.at - MARGIN, until):
            continue
        if not run.watch.shared:
            return process
        moments = (press.at - MARGIN, press.at, press.at + MARGIN)
        if all(run.watch.owner(press.shard, moment) == process.pid for moment in moments):
            return process
    return None


def _longest_silence(run: Run, answered: Sequence[Press]) -> float:
    """The longest time for which no press on one of the shards was answered."""
    longest = 0.0
    for shard in range(run.plan.shards):
        moments = sorted(press.answered for press in answered if press.shard == shard and press.answered)
        pauses = [after - before for before, after in pairwise([run.began, *moments, run.ended])]
        longest = max(longest, *pauses)
    return longest


# -- owners


def _owners(run: Run, verdict: Verdict) -> None:
    spans = sorted(
        (_without(until - since, since, until, run.away), until - since, shard, since)
        for shard in range(run.plan.shards)
        for since, until in _unowned(run, shard)
        if run.began <= since < run.ended
    )
    real = [span for span in spans if span[0] > 0.3]
    verdict.figure("times that a shard was without a living owner", len(real))
    if real:
        lengths = [span[0] for span in real]
        verdict.figure(
            "seconds without an owner, the database's absence not counted: median, p99, most", _three(lengths)
        )
        verdict.figure("seconds without an owner, all counted: most", f"{max(span[1] for span in real):.1f}")
        away = [*((at, until + SEEN_AGAIN) for at, until in run.away), *nobody_there(run)]
        gaps = [
            Gap(shard, since, since + length, net, _without(length, since, since + length, away))
            for net, length, shard, since in real
        ]
        longest = max(gap.could for gap in gaps)
        verdict.notes += explain(run, [gap for gap in gaps if gap.net > LONG_WITHOUT_OWNER])
        verdict.must(
            "most seconds that a table was without an owner while another process could take over",
            longest,
            WITHOUT_OWNER,
            "{:.1f}",
            timed=True,
        )
    verdict.figure("changes of owner from a living process to another", run.watch.handed_over)
    verdict.figure("changes of tables", run.watch.writes)
    verdict.must("changes that left a gap or a fork in a table's versions", len(run.watch.breaks))
    verdict.faults += run.watch.breaks[:10]
    foreign = run.watch.foreign_writes
    verdict.figure("changes of a table by a process that did not hold its shard", len(foreign))
    late = [write for write in foreign if not is_excused(run, write)]
    verdict.must(
        f"of these, later than {FOREIGN_WITHIN:g} s after a hand-over of the shard or a thaw", len(late)
    )
    verdict.faults += [f"{write} was made by a process that did not own it" for write in late[:10]]


def is_excused(run: Run, write: ForeignWrite) -> bool:
    """Whether a shard changed hands, or the process that wrote was thawed, shortly before this change."""
    at = write.at - run.wall
    moments = [moment for history in run.watch.owners for moment, _owner in history]
    moments += [until for process in run.processes for _since, until in process.frozen if until is not None]
    return any(moment - MARGIN <= at <= moment + FOREIGN_WITHIN for moment in moments)


def _unowned(run: Run, shard: int) -> Iterator[Span]:
    """From when on no process that ran held the shard, until one took it or the one that had it was thawed.

    Who takes a shard runs at that moment, even if it is killed a moment later.
    """
    by_pid = {process.pid: process for process in run.processes}
    since: float | None = None
    tenures = [*run.watch.owners[shard], (run.ended, None)]
    for (begin, owner), (end, _next) in pairwise(tenures):
        process = by_pid.get(run.watch.pids.get(owner, 0)) if owner is not None else None
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
    """From when to when no process ran that had been there long enough to take over.

    Whoever has just begun takes over only once it has renewed its leases for some seconds: before, it cannot know
    whether the others are dead or the database was away. And whoever was frozen past its lease and is off the roll can
    only end.
    """
    able = [(process, *_able(run, process)) for process in run.processes]
    moments = {run.began, run.ended, *(at for _process, *span in able for at in span)}
    for process in run.processes:
        moments |= {at for span in process.rests() for at in span if at is not None}
    for at, until in pairwise(sorted(moments)):
        middle = (at + until) / 2
        if not any(since <= middle < end and process.ran(middle, middle) for process, since, end in able):
            yield at, until


def _able(run: Run, process: Process) -> Span:
    """From when to when a process can take over from others, as far as its start and its leases matter."""
    watch = run.watch
    rows = [number for number in watch.beats if watch.pids.get(number) == process.pid]
    began = [
        beat.at
        for number in rows
        for beat in watch.beats[number]
        if beat.until - beat.at < LEASE + MARGIN  # while it starts, it is given more time
    ]
    struck = [watch.struck[number] for number in rows if number in watch.struck]
    since = max(process.started + STARTING, min(began, default=run.ended) + WATCHED)
    return since, min(struck, default=run.ended)


def _without(length: float, since: float, until: float, away: Sequence[Span]) -> float:
    """The length of a span without the times for which the database was away."""
    covered, reached = 0.0, since
    for at, back in sorted(away):
        begin, end = max(at, reached), min(back, until)
        if end > begin:
            covered += end - begin
            reached = end
    return length - covered


# -- Discord


def _sessions(run: Run, verdict: Verdict) -> None:
    by_shard = [[*_unconnected(run, shard)] for shard in range(run.plan.shards)]
    gaps = sorted(until - since for spans in by_shard for since, until in spans)
    verdict.figure("seconds until all shards were connected at the start", f"{run.ready_after:.1f}")
    verdict.figure("times that a shard was without a connection to a process that ran", len(gaps))
    if gaps:
        verdict.figure("seconds without a connection: median, p99, most", _three(gaps))
        totals = sorted(sum(until - since for since, until in spans) for spans in by_shard)
        verdict.figure("seconds without a connection in all, by shard: median, p99, most", _three(totals))
    drained = [
        (process.ended - DRAINED_LOOK, process.ended)
        for process in run.processes
        if process.fate == "drained" and process.status == 0 and process.ended is not None
    ]
    torn = [
        span
        for spans in by_shard
        for span in spans
        if any(since <= span[0] <= until for since, until in drained)
    ]
    verdict.figure("times that a shard lost its connection while a process ended after a drain", len(torn))
    identifies = list(run.discord.identified.values())
    verdict.figure("identifies", sum(map(len, identifies)))
    pauses = [after - before for times in identifies for before, after in pairwise(times)]
    if pauses:
        verdict.figure("least seconds between two identifies in a bucket", f"{min(pauses):.2f}")
    # A process that is frozen on its way from being allowed to identify to doing so comes late, another then too early.
    verdict.must("identifies that came too early", run.discord.refused_identifies, timed=True)


def _unconnected(run: Run, shard: int) -> Iterator[Span]:
    """From when to when no running process had a session for the shard."""
    by_name = {process.name: process for process in run.processes}
    sessions = [session for session in run.discord.sessions if session.shard == shard]
    moments = {run.began, run.ended}
    for session in sessions:
        moments |= {at for at in (session.opened, session.lost) if at is not None}
    for process in run.processes:
        moments |= {at for at in (process.doomed, process.ended) if at is not None}
        moments |= {at for span in process.frozen for at in span if at is not None}
    since: float | None = None
    for at in sorted(moment for moment in moments if run.began <= moment <= run.ended):
        there = any(
            session.opened <= at
            and (session.lost is None or session.lost > at)
            and by_name[session.process].ran(at, at)
            for session in sessions
        )
        if there and since is not None:
            yield since, at
        since = None if there else since if since is not None else at
    if since is not None:
        yield since, run.ended


def _limits(run: Run, verdict: Verdict) -> None:
    discord = run.discord
    verdict.figure("requests that count", len(discord.sent))
    for seconds, within in ((1, "a second"), (10, "ten seconds")):
        what = f"most requests that count and were sent within {within}"
        verdict.must(what, discord.busiest(seconds), seconds * REQUESTS_A_SECOND, timed=True)
    # While this program is late, requests of more than a second arrive within one.
    verdict.figure("requests refused by Discord for being too many", discord.refused)


def _logs(run: Run, verdict: Verdict) -> None:
    told = Counter(line for process in run.processes for line in errors(process.log))
    verdict.figure("errors in the logs", sum(told.values()))
    verdict.notes += [f"{number:,} times in the logs: {line}" for line, number in told.most_common(20)]


def _three(lengths: Sequence[float]) -> str:
    ordered = sorted(lengths)
    return f"{median(ordered):.2f}, {ordered[int(len(ordered) * 0.99)]:.2f}, {ordered[-1]:.2f}"
