"""The promises that must have held all the while, and the figures of a run."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from tests.bench.report import Report
from tests.proof import plan as limits
from tests.proof.connections import drains, unconnected
from tests.proof.discord import Press
from tests.proof.explain import explain
from tests.proof.owners import after_kills, gaps, is_excused, moved_at_restarts
from tests.proof.plan import Plan
from tests.proof.processes import Process, errors
from tests.proof.results import flaws
from tests.proof.run import Run

STARTING: Final = 5.0
"""Seconds in which a process that has just been started may not heed signals yet."""
NO_PICTURES: Final = "Pictures are off: each process of the bot would need another one to render them."


@dataclass
class Verdict:
    rows: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    faults: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    slow: list[str] = field(default_factory=list[str])
    """Everything that came too late. On a machine that is busy with other things that need not be a fault."""
    promised: list[str] = field(default_factory=list[str])
    """All figures that have a limit."""

    def must(
        self, what: str, found: float, limit: float = 0, form: str = "{:,.0f}", *, timed: bool = False
    ) -> None:
        """A figure that must not be larger than this."""
        text = form.format(found)
        self.promised.append(what)
        self.rows.append((what, text if found <= limit else f"{text} (at most {form.format(limit)})"))
        if found > limit:
            (self.slow if timed else self.faults).append(f"{what}: {text}")

    def none(self, what: str, flaws: Sequence[str], *, timed: bool = False) -> None:
        """Something that must not be; the first few of them are told."""
        self.must(what, len(flaws), timed=timed)
        (self.slow if timed else self.faults).extend(flaws[:10])

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
    _owners(run, verdict)
    _writes(run, verdict)
    _connections(run, verdict)
    _limits(run, verdict)
    _logs(run, verdict)
    return verdict


def _troubles(run: Run, verdict: Verdict) -> None:
    frozen = [(until or run.ended) - since for process in run.processes for since, until in process.frozen]
    verdict.figure("processes frozen", len(frozen))
    longer = sum(seconds > limits.SESSION_ENDS for seconds in frozen)
    verdict.figure(f"of these, for more than {limits.SESSION_ENDS:g} s, after which a session ends", longer)
    verdict.figure("processes drained", sum(process.drains is not None for process in run.processes))
    severed = sum(len(process.severed) for process in run.processes)
    verdict.figure("times that the server ended all sessions of a process", severed)
    verdict.figure("restarts and failovers of the database server", len(run.away))
    verdict.figure("processes started", len(run.processes))
    ends = Counter((process.fate or "by itself", process.status) for process in run.processes)
    for (fate, status), number in sorted(ends.items(), key=str):
        verdict.figure(f"processes that ended: {fate}, status {status}", number)
    wrong = (process for process in run.processes if not _ended_well(run, process))
    ended = [f"process {process.name} ended with status {process.status}" for process in wrong]
    verdict.none("processes that ended otherwise than they should", ended)
    received = [process for process in run.processes if process.fate == "terminated"]
    longest = max(((each.ended or run.ended) - (each.doomed or run.ended) for each in received), default=0.0)
    what = "most seconds until a process ended that was told to"
    verdict.must(what, longest, limits.ENDED_WITHIN, "{:.1f}", timed=True)


def _ended_well(run: Run, process: Process) -> bool:
    """Whether it ended as what was done to it explains."""
    if process.status == 1:
        return _began_without(run, process)
    if process.fate in ("terminated", "drained"):
        received = process.drains if process.doomed is None else process.doomed
        begun = max(process.started + STARTING, _first_session(run, process))
        young = received is not None and received < begun
        return process.status == 0 or (young and process.status == -signal.SIGTERM)
    return process.fate == "killed" and process.status == -signal.SIGKILL


def _began_without(run: Run, process: Process) -> bool:
    """Whether the database was away, or ended its sessions, before it had begun to work."""
    begun = _first_session(run, process) + limits.SESSION_SETTLES
    away = [*run.away, *((at, at) for at in process.severed)]
    return any(since < begun and process.started < until for since, until in away)


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
    received = [f"press {press.id} ({press.intent} at table {press.table}) is not kept" for press in lost]
    verdict.none("acknowledged moves that are not kept", received)
    verdict.none("presses that were played twice", kept.twice)
    shown = [
        table for table, moves in run.discord.received.moves.items() if moves > kept.sequences.get(table, 0)
    ]
    verdict.must("matches of which people saw more moves than are kept", len(shown))
    changed = [move for move, seen in run.watch.moves.items() if kept.digests.get(move) != seen]
    verdict.must("moves that were in the database and are not, or are others", len(changed))
    verdict.none("flaws found by replaying all matches", kept.faults)
    verdict.must("turns for which somebody's time ran out", kept.missed)


def _results(run: Run, verdict: Verdict) -> None:
    kept, posted = run.kept, run.discord.results
    verdict.figure("matches that were played to their end", len(kept.results))
    verdict.figure("matches that began during the run", kept.tables - run.plan.matches)
    twice, unannounced, false = flaws(kept.results, posted, run.notified_until)
    verdict.figure("results that were told in the channel", len(posted))
    verdict.none("results told more than once", twice)
    verdict.none("results that were not told", unannounced)
    verdict.none("results told otherwise than a replay of the match says", false)


def _presses(run: Run, verdict: Verdict) -> None:
    presses = [press for press in run.discord.presses if press.at < run.ended]
    verdict.figure("presses", len(presses))
    verdict.figure("presses a second", f"{len(presses) / max(1.0, run.ended - run.began):.1f}")
    waits = [press.made.answered - press.at for press in presses if press.made.answered is not None]
    if waits:
        verdict.figure("seconds to the answer: median, p99, most", _three(waits))
    verdict.figure("presses answered", len(waits))
    verdict.figure("presses that no process got", sum(not press.received for press in presses))
    by_name = {process.name: process for process in run.processes}
    left = [press for press in presses if press.made.answered is None and press.received]
    silent, late = list[str](), list[str]()
    for press in left:
        if process := _should_have_answered(run, press, by_name):
            (late if process.name in press.made.late else silent).append(
                f"press {press.id} ({press.intent} at table {press.table}, shard {press.shard}, "
                f"{press.at - run.began:.2f} s) was not answered in time by {process.name}; "
                f"it was delivered to {', '.join(press.received)}"
            )
    verdict.figure("presses that were lost with a process", len(left) - len(silent) - len(late))
    verdict.none("presses that a living process had to answer and did not", silent)
    verdict.none("presses that a living process answered too late", late, timed=True)


def _should_have_answered(run: Run, press: Press, by_name: dict[str, Process]) -> Process | None:
    """The process that owned the press's shard, got the press and was there all the time."""
    for name in press.received:
        process = by_name[name]
        until = press.at + limits.ANSWERED_WITHIN + limits.MARGIN
        if process.fate == "drained" and process.ended is not None:
            until = min(until, process.ended - limits.MARGIN)  # it ends once it has answered everybody
        if until < press.at or not process.ran(press.at - limits.MARGIN, until):
            continue
        moments = (press.at - limits.MARGIN, press.at, press.at + limits.MARGIN)
        if all(run.watch.owner(press.shard, moment) == process.pid for moment in moments):
            return process
    return None


# -- the database


def _owners(run: Run, verdict: Verdict) -> None:
    looks = run.watch.away(0.0)
    late = [to - at for at, to in looks if not any(since < to and at < until for since, until in run.away)]
    what = "most seconds between two looks at the database, which also tell of a busy machine"
    verdict.figure(what, f"{max(late, default=0.0):.2f}")
    found = gaps(run)
    real = [gap for gap in found if gap.net > limits.MARGIN]
    verdict.figure("times that a shard was without a living owner", len(real))
    if real:
        what = "seconds without an owner, the database's absence not counted: median, p99, most"
        verdict.figure(what, _three([gap.net for gap in real]))
    verdict.notes += explain(run, [gap for gap in real if gap.net > limits.WITHOUT_OWNER - 1])
    what = "most seconds that a table was without an owner while another process could take over"
    longest = max((gap.could for gap in real), default=0.0)
    verdict.must(what, longest, limits.WITHOUT_OWNER, "{:.1f}", timed=True)
    killed = after_kills(run, found)
    verdict.figure("of these times, begun by a kill", len(killed))
    what, usual = "median of seconds without an owner after a kill", median(killed) if killed else 0.0
    verdict.must(what, usual, limits.AFTER_KILL, "{:.2f}", timed=True)
    judged, moved = moved_at_restarts(run)
    verdict.figure("restarts of the database at which all processes ran, with fair shares", judged)
    verdict.none("shards that changed their owner at these", moved)


def _writes(run: Run, verdict: Verdict) -> None:
    verdict.figure("changes of tables", run.watch.writes)
    verdict.none("changes that left a gap or a fork in a table's versions", run.watch.breaks)
    foreign = run.watch.foreign_writes
    verdict.figure("changes of a table by a process that did not own its shard", len(foreign))
    late = [f"{write} is not the owner's" for write in foreign if not is_excused(run, write)]
    when = f"within {limits.FOREIGN_WITHIN:g} s of a change of owner, a thaw or lost sessions"
    verdict.none(f"of these, not {when}", late)


# -- Discord


def _connections(run: Run, verdict: Verdict) -> None:
    by_shard = [[*unconnected(run, shard)] for shard in range(run.plan.shards)]
    lengths = sorted(until - since for spans in by_shard for since, until in spans)
    verdict.figure("seconds until all shards were connected at the start", f"{run.ready_after:.1f}")
    verdict.figure("times that a shard was without a connection to a process that ran", len(lengths))
    if lengths:
        verdict.figure("seconds without a connection: median, p99, most", _three(lengths))
        totals = sorted(sum(until - since for since, until in spans) for spans in by_shard)
        verdict.figure("seconds without a connection in all, by shard: median, p99, most", _three(totals))
    judged, torn, slow = drains(run)
    verdict.figure("drains that nothing disturbed", judged)
    verdict.none("times that a shard was without a connection at these", torn)
    verdict.none(f"of these drains, not over within {limits.DRAIN_SECONDS:g} s", slow, timed=True)
    identifies = list(run.discord.identified.values())
    verdict.figure("identifies", sum(map(len, identifies)))
    pauses = [after - before for times in identifies for before, after in pairwise(times)]
    if pauses:
        verdict.figure("least seconds between two identifies in a bucket", f"{min(pauses):.2f}")
    # A process that is frozen on its way from being allowed to identify to doing so comes late, another then too early.
    verdict.must("identifies that came too early", run.discord.refused_identifies, timed=True)


def _limits(run: Run, verdict: Verdict) -> None:
    discord = run.discord
    verdict.figure("requests that count", len(discord.sent))
    for seconds, within in ((1, "a second"), (10, "ten seconds")):
        what = f"most requests that count and were sent within {within}"
        verdict.must(what, discord.busiest(seconds), seconds * limits.REQUESTS_A_SECOND, timed=True)
    # While this program is late, requests of more than a second arrive within one.
    verdict.figure("requests refused by Discord for being too many", discord.refused)


def _logs(run: Run, verdict: Verdict) -> None:
    received = Counter(line for process in run.processes for line in errors(process.log))
    verdict.figure("errors in the logs", sum(received.values()))
    verdict.notes += [f"{number:,} times in the logs: {line}" for line, number in received.most_common(20)]


def _three(lengths: Sequence[float]) -> str:
    ordered = sorted(lengths)
    return f"{median(ordered):.2f}, {ordered[int(len(ordered) * 0.99)]:.2f}, {ordered[-1]:.2f}"


def _first_session(run: Run, process: Process) -> float:
    """The moment of its first session at the database; the end of the run if it had none."""
    sessions = (session.since for session in run.watch.sessions.values() if session.process == process.pid)
    return min(sessions, default=run.ended)
