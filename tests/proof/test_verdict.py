"""Each promise of the proof can be seen to be broken: made-up observations, sound ones and others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.bench.busy_discord import Shown
from tests.bot.fake_discord import Interaction
from tests.bot.fake_gateway import Session as DiscordSession
from tests.proof.discord import Press, ProofDiscord
from tests.proof.explain import Gap, explain
from tests.proof.matches import Kept
from tests.proof.owners import gaps, is_excused, nobody_there
from tests.proof.plan import Plan
from tests.proof.processes import Process
from tests.proof.results import Result
from tests.proof.run import Run
from tests.proof.verdict import judge
from tests.proof.watch import MEMBER, OWNER, ForeignWrite, Seen, Session

PLAN = Plan(seconds=200, processes=3, shards=3, matches=1)
WITHOUT_OWNER = "most seconds that a table was without an owner while another process could take over"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Three processes and shards: the database is restarted, processes are killed, frozen, cut off and drained."""
    (log := tmp_path / "log").touch()

    def process(name: str, pid: int, started: float, **changes: Any) -> Process:
        received: dict[str, Any] = {"fate": "terminated", "doomed": 300.5, "ended": 301.0, "status": 0}
        return Process(name, pid, log, started, **(received | changes))

    killed = {"fate": "killed", "doomed": 150.0, "ended": 150.0, "status": -9}
    drained = {"fate": "drained", "drains": 230.0, "doomed": None, "ended": 234.0}
    processes = [
        process("p1.1", 11, 50.0, **killed),
        process("p2.1", 12, 50.0, frozen=[(180.0, 190.0)]),
        process("p3.1", 13, 50.0, severed=[210.0], **drained),
        process("p1.2", 14, 152.0),
        process("p3.2", 15, 235.0),
        process("p4.1", 16, 111.0, fate="", doomed=None, ended=113.0, status=1),  # the database was away
    ]
    owners: list[list[tuple[float, set[int]]]] = [
        [(60.0, {11}), (150.1, set()), (150.6, {12}), (160.0, {14})],
        [(60.0, {12}), (186.1, set()), (186.6, {13}), (195.0, {12})],
        [(60.0, {13}), (233.2, {14}), (240.0, {15})],
    ]
    members = [(60.0, {11, 12, 13}), (150.1, {12, 13}), (159.0, {12, 13, 14}), (230.1, {12, 14})]
    histories = {(OWNER, shard): history for shard, history in enumerate(owners)} | {(MEMBER, 0): members}
    seen = Seen(
        held={lock: [(at, frozenset(pids)) for at, pids in history] for lock, history in histories.items()},
        sessions={
            since: Session(pid, since, until)
            for pid, since, until in (
                *((11, 51.0, 109.9), (12, 51.1, 109.9), (13, 51.2, 109.9), (11, 112.2, 150.1)),
                *((12, 112.3, 186.0), (13, 112.4, 210.0), (12, 190.1, 301.0), (13, 210.1, 234.0)),
                *((14, 153.0, 301.0), (15, 236.0, 301.0)),
            )
        },
        looks=[at / 10 for at in range(600, 3010) if not 1100 < at < 1120],
        moves={(7, 1): "digest"},
        writes=1,
    )
    discord = ProofDiscord(PLAN, set())
    spans: list[tuple[str, int, float, float | None]] = [
        *(("p1.1", 0, 60.0, 150.0), ("p2.1", 0, 151.0, 160.5), ("p1.2", 0, 158.0, None)),
        *(("p2.1", 1, 60.0, None), ("p3.1", 1, 186.7, 195.5)),
        *(("p3.1", 2, 60.0, 233.7), ("p1.2", 2, 233.0, 240.5), ("p3.2", 2, 239.5, None)),
    ]
    for name, shard, opened, lost in spans:
        discord.sessions.append(DiscordSession(name, name, shard, 3, cast("Any", None), opened, lost))
    discord.presses.append(press(1, answered=120.5))
    discord.received.moves[7] = 1
    kept = Kept(1, 1, 1, sequences={7: 1}, presses={1: []}, digests={(7, 1): "digest"})
    return Run(PLAN, discord, seen, processes, kept, 100.0, 300.0, [(110.0, 112.0)], 9.0, notified_until=50.0)


def press(number: int, *, answered: float | None = None, late: tuple[str, ...] = ()) -> Press:
    made = Interaction(number, 120.0, [], answered=answered, late=[*late])
    return Press(number, 120.0, 0, 7, "g.dig", ("p1.1",), made, acknowledged=answered is not None)


def test_run_without_broken_promises_has_no_faults(run: Run) -> None:
    verdict = judge(run)
    assert (verdict.faults, verdict.slow) == ([], [])
    found = dict(verdict.rows)
    assert found["restarts of the database at which all processes ran, with fair shares"] == "1"
    assert found["drains that nothing disturbed"] == "1"
    assert found["of these times, begun by a kill"] == "1"
    assert found["median of seconds without an owner after a kill"] == "0.60"
    assert found[WITHOUT_OWNER] == "6.6"
    assert set(verdict.promised) == BROKEN.keys()


def held(run: Run, shard: int, *history: tuple[float, int]) -> None:
    """Has the shard be owned otherwise; 0 is nobody."""
    run.watch.held[OWNER, shard] = [(at, frozenset({pid} - {0})) for at, pid in history]


def opened(run: Run, number: int, at: float) -> None:
    run.discord.sessions[number].opened = at


def changed(run: Run, number: int, **changes: Any) -> None:
    cast("list[Process]", run.processes)[number] = replace(run.processes[number], **changes)


def result(run: Run, *messages: int) -> None:
    run.kept.results.append(Result(7, None, (), 40.0))
    if messages:
        run.discord.results[7] = {number: Shown(number, 1, []) for number in messages}


BROKEN: dict[str, Callable[[Run], object]] = {
    "processes that ended otherwise than they should": lambda r: changed(r, 1, status=1),
    "most seconds until a process ended that was told to": lambda r: changed(r, 1, ended=306.5),
    "acknowledged moves that are not kept": lambda r: r.kept.presses.clear(),
    "presses that were played twice": lambda r: r.kept.twice.append("press 1"),
    "matches of which people saw more moves than are kept": lambda r: r.discord.received.moves.update({7: 2}),
    "moves that were in the database and are not, or are others": lambda r: r.kept.digests.update(
        {(7, 1): ""}
    ),
    "flaws found by replaying all matches": lambda r: r.kept.faults.append("table 7"),
    "turns for which somebody's time ran out": lambda r: setattr(r.kept, "missed", 1),
    "results told more than once": lambda r: result(r, 1, 2),
    "results that were not told": lambda r: result(r),
    "results told otherwise than a replay of the match says": lambda r: r.discord.results.update({8: {}}),
    "presses that a living process had to answer and did not": lambda r: r.discord.presses.append(press(2)),
    "presses that a living process answered too late": lambda r: r.discord.presses.append(
        press(2, late=("p1.1",))
    ),
    WITHOUT_OWNER: lambda r: held(r, 1, (60.0, 12), (186.1, 0), (188.6, 13), (195.0, 12)),
    "median of seconds without an owner after a kill": lambda r: held(
        r, 0, (60.0, 11), (150.1, 0), (151.6, 12), (160.0, 14)
    ),
    "shards that changed their owner at these": lambda r: held(
        r, 1, (60.0, 12), (116.0, 13), (120.0, 12), (186.1, 0), (186.6, 13), (195.0, 12)
    ),
    "changes that left a gap or a fork in a table's versions": lambda r: r.watch.breaks.append("table 7"),
    "of these, not within 2 s of a change of owner, a thaw or lost sessions": lambda r: (
        r.watch.foreign_writes.append(ForeignWrite(7, 0, 3, 12, 170.0))
    ),
    "times that a shard was without a connection at these": lambda r: opened(r, 6, 233.8),
    "of these drains, not over within 60 s": lambda r: changed(r, 2, ended=291.0),
    "identifies that came too early": lambda r: setattr(r.discord, "refused_identifies", 1),
    "most requests that count and were sent within a second": lambda r: r.discord.sent.extend([150.0] * 51),
    "most requests that count and were sent within ten seconds": lambda r: r.discord.sent.extend(
        150 + number / 60 for number in range(501)
    ),
}
"""By promise, what breaks it."""


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_found(run: Run, promise: str) -> None:
    BROKEN[promise](run)
    verdict = judge(run)
    broken = [what for what, text in verdict.rows if "(at most " in text]
    assert broken[-1] == promise
    assert len(broken) == 1 + promise.endswith("ten seconds")  # too many in ten are too many in one of them
    assert any(promise in received for received in verdict.faults + verdict.slow)


@pytest.mark.parametrize("number", [1, 3])
def test_a_restart_is_not_judged_if_a_process_is_frozen_or_no_member(run: Run, number: int) -> None:
    BROKEN["shards that changed their owner at these"](run)
    if number == 1:
        changed(run, number, frozen=[(113.0, 113.5)])
    else:
        run.watch.held[MEMBER, 0].insert(1, (105.0, frozenset({11, 12})))
    assert judge(run).faults == []


def test_just_started_or_thawed_process_cannot_take_over(run: Run) -> None:
    """Only p1.2 ran, with a session from 153 s on, and p2.1 with one that it opened at 190 s."""
    cast("list[Process]", run.processes)[:] = [run.processes[3], run.processes[1]]
    run.watch.sessions = {since: run.watch.sessions[since] for since in (153.0, 190.1)}
    changed(run, 0, drains=180.0)
    alone = sum(until - since for since, until in nobody_there(run))
    assert alone == pytest.approx((156.0 - 100.0) + (193.1 - 180.0))


def test_process_frozen_while_taking_a_shard_counts_as_a_failure_of_its_own(run: Run) -> None:
    """p2.1 is frozen from 180 s on and its session ends at 186 s; p1.2 takes the shard and is frozen until 192 s."""
    changed(run, 3, frozen=[(186.5, 192.0)])
    held(run, 1, (60.0, 12), (186.1, 0), (186.6, 14), (195.0, 12))
    assert [(gap.since, gap.until) for gap in gaps(run) if gap.shard == 1] == [(180.0, 186.6), (186.6, 192.0)]
    held(run, 1, (60.0, 12), (186.1, 0), (192.6, 14))
    assert [(gap.since, gap.until) for gap in gaps(run) if gap.shard == 1] == [(180.0, 192.6)]


def test_foreign_write_is_excused_by_events_of_shard_writer_or_database(run: Run) -> None:
    run.wall = 1_000_000.0

    def excused(shard: int, process: int, *moments: float) -> list[float]:
        writes = [(at, ForeignWrite(7, shard, 3, process, run.wall + at)) for at in moments]
        return [at for at, write in writes if is_excused(run, write)]

    assert excused(0, 12, 109, 111, 113.5, 115, 149, 151, 161, 163) == [111, 113.5, 151, 161]
    assert excused(2, 12, 179, 185, 189, 191, 193, 211) == [191]
    assert excused(0, 13, 191, 209, 211, 213) == [211]


def test_long_gap_without_an_owner_is_explained(run: Run, tmp_path: Path) -> None:
    received = {"time": "1970-01-01T00:02:30+00:00", "level": "INFO", "logger": "bot.fleet.member"}
    changed(run, 1, log=tmp_path / "p2.log")
    run.processes[1].log.write_text(json.dumps(received | {"message": "taken"}) + "\nnot a line\n")
    heading, *lines = explain(run, [Gap(0, 150.0, 150.6, 0.6, 0.5)])
    assert "for 0.6 s, from 50.0 to 50.6 s: shards 0" in heading
    assert "another process could take over for 0.5 s" in heading
    assert lines == [
        "50.0 s: p1.1 has ended with status -9",
        "50.0 s: p1.1 is killed",
        "50.0 s: p2.1 says: taken",
        "50.1 s: members: p2.1, p3.1",
        "50.1 s: owner of shard 0: nobody",
        "50.1 s: this session of p1.1 is seen for the last time",
        "50.6 s: owner of shard 0: p2.1",
        "52.0 s: p1.2 is started, pid 14",
    ]
