"""Agents move from what their seat can see; whatever goes wrong with one, the match goes on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.model import StoreFull
from bot.tables.draft import AGENT
from bot.tables.model import Table
from bot.tables.service import Tables
from bot.tables.thinking import Deal, Thinkers, ThinkingTiming
from engine.agents.advice import advice, appraise
from engine.agents.outlooks import Trial, outlook_at
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.master import Effort, Master
from tests.bot.tables.samples import (
    ANA,
    ARTIFACTS_INC,
    GAME,
    asked,
    do_due,
    jobs_of,
    later,
    leave,
    make_tables,
    match_of,
)
from tests.engine.artifacts_inc.scene import scene as artifacts_inc_scene
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

PATIENT = ThinkingTiming(longest=PATIENCE, patient=PATIENCE)
"""Beside other work, a process that is to think takes a while to start."""


async def agents_match(tables: Tables) -> Table:
    """A match in which a computer player is to move."""
    return await match_of(tables, ANA, agents=1, first=1)


async def test_an_agent_moves_when_its_pause_is_over(tables: Tables, clock: ManualClock) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(3, 5))
    table = await agents_match(tables)
    due = (await jobs_of(tables, table))[AGENT] - clock.now()
    assert 3 <= due <= 5
    table = await later(tables, clock, 2.9, table)
    assert table.sequence == 0
    table = await later(tables, clock, 2.2, table)
    assert table.sequence == 1
    assert asked(table) == 1
    assert AGENT in await jobs_of(tables, table), "and it goes on"


async def test_a_whole_match_of_agents_and_a_person_who_left_is_played_by_jobs_alone(tables: Tables) -> None:
    table = await match_of(tables, ANA, 2, agents=2)
    await leave(tables, table, 2)
    presses = random.Random(5)
    while table.live:
        await do_due(tables)
        table = await tables.get(table.id)
        if table.live:
            move = GAME.sample(table.state, 0, presses)
            await tables.play(table.id, ANA, None, move, presses.getrandbits(60))
    assert table.status == "over"


async def test_an_agent_repeats_itself(tables: Tables) -> None:
    table = await agents_match(tables)
    first = await tables._agents.choose(table, 1)
    assert await tables._agents.choose(table, 1) == first


async def test_an_agent_is_given_a_view_and_nothing_else(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await agents_match(tables)
    given: list[Any] = []

    async def note(_game: Any, level: str, view: Any, seed: bytes) -> Any:
        given.extend((level, view, seed))
        return m.Dig()

    monkeypatch.setattr(tables._agents._thinkers, "choose", note)
    await tables.agent_turn(table.id)
    level, view, seed = given
    assert (level, view) == ("novice", GAME.view(table.state, 1))
    assert seed != bytes.fromhex(table.body.host_seed)


async def test_a_level_that_there_is_no_more_is_played_by_the_substitute(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await agents_match(tables)
    async with tables.change(table.id) as draft:
        draft.table.seats[1].agent = "grandmaster"
        draft.touch()
    await do_due(tables)
    assert (await tables.get(table.id)).sequence > 0


# -- agents that fail


@pytest.mark.parametrize("answer", ["illegal", "nonsense", "raises"])
async def test_if_an_agent_has_no_legal_move_a_random_one_is_made(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: str
) -> None:
    table = await agents_match(tables)

    async def fail(*_thought: Any) -> Any:
        if answer == "raises":
            raise RuntimeError("out of thoughts")
        return m.EndTurn() if answer == "illegal" else "dig"

    drawn_from: list[Any] = []
    sample = GAME.sample

    def drawn(state: Any, *given: Any) -> Any:
        drawn_from.append(state)
        return sample(state, *given)

    monkeypatch.setattr(tables._agents._thinkers, "choose", fail)
    monkeypatch.setattr(GAME, "sample", drawn)
    await tables.agent_turn(table.id)
    assert (await tables.get(table.id)).sequence == 1
    assert "novice agent" in caplog.text
    assert len(drawn_from) == 1
    assert drawn_from[0] is not table.state, "it is drawn from what the seat sees, as an agent's is"


async def test_if_no_process_can_think_the_substitute_moves(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """For example, if a card list was spoilt while the bot runs: a process that begins to think reads it."""
    (tmp_path / "artifacts_inc.json").write_text("spoilt", encoding="utf-8")
    game, chosen = ARTIFACTS_INC, list[Any]()
    table = await match_of(tables, ANA, agents=1, game=game)
    async with tables.change(table.id) as draft:
        draft.table.seats[1].agent = "expert"
        draft.table.state = artifacts_inc_scene(dice="1 2 5", active=1)
        draft.touch()
    substitute = type(game.agents["veteran"])
    choose = substitute.choose

    def note(self: Any, view: Any, rng: random.Random) -> Any:
        chosen.append(choose(self, view, rng))
        return chosen[-1]

    monkeypatch.setattr(substitute, "choose", note)
    tables._agents._thinkers = Thinkers(1, tmp_path, timing=PATIENT)
    try:
        await tables.agent_turn(table.id)
    finally:
        tables._agents._thinkers.close()
    (move,) = await tables.store.moves(table.id)
    assert [json.loads(move.move)] == [game.dump_move(each) for each in chosen]
    assert "the expert agent failed" in caplog.text


async def test_if_not_even_a_state_can_be_imagined_the_match_goes_on(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await agents_match(tables)

    def fail(*_given: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(GAME, "determinize", fail)
    monkeypatch.setattr(tables._agents._thinkers, "choose", fail)
    await tables.agent_turn(table.id)
    assert (await tables.get(table.id)).sequence == 1


async def test_an_agents_move_that_cannot_be_kept_stays_due(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await agents_match(tables)

    async def full(_change: Any) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(tables.store, "commit", full)
    with pytest.raises(StoreFull):
        await tables.agent_turn(table.id)
    monkeypatch.undo()
    assert AGENT in await jobs_of(tables, table)
    await do_due(tables)
    assert (await tables.get(table.id)).sequence > 0


# -- thinking elsewhere


class Slow:
    """The novice, who takes its thoughts elsewhere."""

    slow = True

    def choose(self, view: Any, rng: random.Random) -> Any:
        return GAME.agents["novice"].choose(view, rng)


@pytest.fixture
def thinkers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thinkers]:
    """One process to think in; Archaeology's novice is one of those who use it."""
    monkeypatch.setattr(type(GAME), "agents", property(lambda _game: {"novice": Slow()}))
    thinking = Thinkers(1, timing=PATIENT)
    yield thinking
    thinking.close()


async def test_slow_agents_think_in_processes_that_are_made_anew_and_end_with_the_bot(
    thinkers: Thinkers,
) -> None:
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    seat = GAME.pending(state)[0].seat
    view = GAME.view(state, seat)
    assert await thinkers.choose(GAME, "novice", view, b"seed") == m.Dig()
    (process,) = _processes(thinkers)
    os.kill(process.pid, signal.SIGKILL)
    await _ended(process)
    answers = await asyncio.gather(*(thinkers.choose(GAME, "novice", view, b"seed") for _ in range(3)))
    assert answers == [m.Dig()] * 3
    (second,) = _processes(thinkers)
    thinkers.close()
    await _ended(second)


@pytest.fixture
def full_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here masters try as much as in another process."""
    monkeypatch.setattr(Master, "effort", Effort())


async def test_a_master_thinks_in_a_process_as_it_does_here(full_effort: None) -> None:
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    seat = GAME.pending(state)[0].seat
    GAME.apply(state, seat, m.Dig())
    view = GAME.view(state, seat)
    thinkers = Thinkers(1, timing=PATIENT)
    try:
        move = await thinkers.choose(GAME, "master", view, b"seed")
    finally:
        thinkers.close()
    assert move == GAME.agents["master"].choose(view, random.Random(b"seed"))


async def test_advice_and_slices_of_reviews_are_the_same_in_a_process_as_here(full_effort: None) -> None:
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    seat = GAME.pending(state)[0].seat
    GAME.apply(state, seat, m.Dig())
    view = GAME.view(state, seat)
    here, there = Thinkers(0), Thinkers(1, timing=PATIENT)
    try:
        for thinkers in (here, there):
            advised = await thinkers.advise(GAME, [view], b"seed")
            assert advised == advice(GAME, [view], b"seed")
            appraisal = await thinkers.appraise(GAME, view, m.EndTurn(), b"seed")
            assert appraisal == appraise(GAME, view, m.EndTurn(), random.Random(b"seed"))
            trial = Trial((None, "novice"))
            outlook = await thinkers.outlook(GAME, view, m.EndTurn(), b"seed", trial)
            assert outlook == outlook_at(GAME, view, m.EndTurn(), random.Random(b"seed"), trial)
    finally:
        there.close()
    assert str(Deal(2, GAME.load_options({}), bytes(32))) == "<Deal to 2 seats>", "the key is secret"


async def test_reviews_take_turns_and_wait_while_agents_at_tables_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one process, a slice of a review is thought about only when no agent is, and reviews alternate."""
    thinkers, begun, gate = Thinkers(1, timing=PATIENT), list[str](), asyncio.Event()

    async def run(_longest: float, _thinking: Any, _game: Any, what: str, *_rest: Any) -> None:
        begun.append(what)
        if what == "live":
            await gate.wait()
        await asyncio.sleep(0)

    async def review(name: str) -> None:
        for _ in range(3):
            await thinkers.appraise(GAME, name, None, b"")

    monkeypatch.setattr(thinkers, "_run", run)
    live = asyncio.ensure_future(thinkers.advise(GAME, "live", b""))
    await asyncio.sleep(0)
    reviews = [asyncio.ensure_future(review(name)) for name in ("ana", "ben")]
    for _ in range(20):
        await asyncio.sleep(0)
    assert begun == ["live"]
    gate.set()
    await asyncio.gather(live, *reviews)
    assert begun == ["live", "ana", "ben", "ana", "ben", "ana", "ben"]


async def test_a_review_takes_longer_where_agents_at_tables_are_no_longer_awaited(full_effort: None) -> None:
    """Its work is bounded by a count, so on a busy machine each decision is only late."""
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    seat = GAME.pending(state)[0].seat
    GAME.apply(state, seat, m.Dig())
    view = GAME.view(state, seat)
    thinkers = Thinkers(1, timing=ThinkingTiming(longest=0.0, patient=0.0))
    try:
        with pytest.raises(TimeoutError):
            await thinkers.advise(GAME, view, b"seed")
        found = await thinkers.appraise(GAME, view, m.EndTurn(), b"seed")
    finally:
        thinkers.close()
    assert found == appraise(GAME, view, m.EndTurn(), random.Random(b"seed"))


async def test_if_a_master_does_not_answer_in_time_an_expert_does(
    tables: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    """A thinking process may hang, and hundreds of tables may wait for one."""
    table = await agents_match(tables)
    async with tables.change(table.id) as draft:
        draft.table.seats[1].agent = "master"
        GAME.apply(draft.table.state, 1, m.Dig())
        draft.touch()
    table = await tables.get(table.id)
    view = GAME.view(table.state, 1)
    tables._agents._thinkers = Thinkers(1, timing=ThinkingTiming(longest=0.0, patient=0.0))
    try:
        move = await tables._agents.choose(table, 1)
    finally:
        tables._agents._thinkers.close()
    assert move == GAME.agents["expert"].choose(view, random.Random(1))
    assert "the master agent did not answer in time" in caplog.text


async def _ended(process: Any) -> None:
    """Waits for its end. Asked once, a process whose end the pool is just taking note of says that it lives."""
    async with asyncio.timeout(PATIENCE):
        while process.is_alive():
            await asyncio.sleep(0.01)


def _processes(thinkers: Thinkers) -> list[Any]:
    pool: Any = thinkers._pool.open()
    return list(pool._processes.values())


_THINK_AND_REPORT = """
import asyncio, sys
from bot.tables.thinking import Thinkers

async def main():
    thinkers = Thinkers(1)
    pool = thinkers._pool.open()
    pool.submit(abs, 1).result()
    print(*(process.pid for process in pool._processes.values()), flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_thinking_processes_do_not_outlive_a_bot_that_is_killed() -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", _THINK_AND_REPORT], stdout=subprocess.PIPE, text=True, cwd=root
    ) as bot:
        assert bot.stdout is not None
        thinker = int(bot.stdout.readline())
        bot.kill()
    for _ in range(500):
        if not _runs(thinker):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it thinks on")


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
