"""When much is due at once: whose turn is next, and that a redraw shows the table as it is when its turn comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.app.host import Host
from bot.app.services import AppTiming
from bot.ratelimit.fair_queue import NOBODY
from bot.ratelimit.job_queue import AGENTS_AT_ONCE, JobQueue
from bot.ratelimit.limiter import AT_ONCE, RateLimiter
from bot.store.model import Job
from bot.tables.draft import AGENT, AGENTS_PLAY, REDRAW
from bot.tables.model import HOUR, Table
from bot.tables.thinking import Thinkers
from tests.bot.hosts import make_host, run_due
from tests.bot.tables.samples import ANA, BEN, CARA, GAME, change, leave, match_of, open_lobby
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

FIRST = AT_ONCE
FLOOD = 100
"""How many tables Ana has opened, all in one server."""


class Crowd:
    """A host whose redraws wait until a test lets them through. Each needs one request."""

    def __init__(self, path: Path, clock: ManualClock, **settings: Any) -> None:
        self.clock = clock
        self.limiter = RateLimiter(
            1e-6
        )  # after the first few permits, the next would come long after the test
        self.host, self.drawn = make_host(path, clock, self.limiter, **settings)
        self.drawn.meanwhile = lambda _table: self.limiter.wait()
        self.tables = self.host.tables

    async def look(self) -> None:
        """Makes the host look for due jobs and begin those that may begin."""
        await self.host.start_due()
        while any(not task.done() for task in self.host.tasks.running):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0)

    async def let_through(self, slots: int) -> list[int]:
        """Gives out this many slots, and returns the tables that were then drawn."""
        before = len(self.drawn.tables)
        for _ in range(slots):
            self.limiter.release(NOBODY)
            await self.look()
        return self.drawn.tables[before:]

    async def flood(self, *, agents: int = 0) -> list[Table]:
        tables = [
            await match_of(self.tables, ANA, BEN, agents=agents, channel=channel)
            for channel in range(1, FLOOD + 1)
        ]
        await self.look()
        assert len(self.drawn.tables) == FIRST, "all others wait"
        return tables

    async def stranger(self) -> Table:
        return await match_of(self.tables, CARA, BEN, channel=5000)


@pytest.fixture
async def crowd(path: Path, clock: ManualClock) -> AsyncIterator[Crowd]:
    crowd = Crowd(path, clock)
    await crowd.host.start()
    yield crowd
    await crowd.host.close()


# -- redraws


async def test_a_strangers_table_is_drawn_before_the_many_tables_of_somebody_else(crowd: Crowd) -> None:
    await crowd.flood()
    table = await crowd.stranger()
    await crowd.look()
    assert table.id in await crowd.let_through(1)


async def test_many_overdue_jobs_do_not_keep_newer_ones_from_being_found(
    path: Path, clock: ManualClock
) -> None:
    crowd = Crowd(path, clock, timing=AppTiming(jobs_read_at_once=FLOOD // 10))
    await crowd.host.start()
    for channel in range(1, FLOOD + 1):
        await match_of(crowd.tables, ANA, BEN, channel=channel)
    crowd.clock.advance(HOUR)
    table = await crowd.stranger()
    for _ in range(12):
        await crowd.look()
    assert table.id in await crowd.let_through(1)
    await crowd.host.close()


async def test_other_work_gets_a_turn_between_the_beginnings_of_two_redraws(
    path: Path, clock: ManualClock
) -> None:
    host, drawn = make_host(path, clock)
    await host.start()
    turns, begun = 0, list[int]()

    async def other_work() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def drawing(_table: int) -> None:
        begun.append(turns)

    for channel in range(1, 5):
        await match_of(host.tables, ANA, BEN, channel=channel)
    drawn.meanwhile = drawing
    other = asyncio.create_task(other_work())
    await run_due(host)
    other.cancel()
    assert len(begun) == len(set(begun)) == 4
    await host.close()


async def test_of_one_persons_tables_each_is_drawn_in_its_turn(crowd: Crowd) -> None:
    tables = await crowd.flood()
    await crowd.let_through(FLOOD)
    assert sorted(crowd.drawn.tables[:FLOOD]) == sorted(table.id for table in tables)


async def test_a_table_that_changed_while_its_redraw_waited_is_drawn_once_in_its_newest_state(
    crowd: Crowd,
) -> None:
    tables = await crowd.flood()
    table = tables[-1]
    shown: list[int] = []

    async def note(table_id: int) -> None:
        await crowd.limiter.wait()
        if table_id == tables[-1].id:
            shown.append((await crowd.tables.get(table_id)).version)

    crowd.drawn.meanwhile = note
    for _ in range(5):
        table = await change(crowd.tables, table, lambda draft: draft.touch())
        await crowd.look()
    await crowd.let_through(FLOOD)
    assert shown == [table.version]
    assert await crowd.host.store.due(crowd.clock.now()) == [], "no drawing is left over"


async def test_a_drawing_that_ends_while_due_jobs_are_read_is_not_done_twice(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, drawings = asyncio.Event(), 0

    async def drawing(_table: int) -> None:
        nonlocal drawings
        drawings += 1
        await goes_on.wait()

    crowd.drawn.meanwhile, due = drawing, crowd.host.store.due

    async def ends_meanwhile(*args: Any) -> list[Job]:
        jobs = await due(*args)
        goes_on.set()
        while drawings and any(not task.done() for task in crowd.host.tasks.running):
            await asyncio.sleep(0.001)
        return jobs

    await crowd.stranger()
    await crowd.host.start_due()
    monkeypatch.setattr(crowd.host.store, "due", ends_meanwhile)
    for _ in range(3):
        await crowd.look()
    assert drawings == 1


async def test_tables_at_which_only_agents_play_give_way_to_tables_that_wait_for_a_person() -> None:
    begun: list[int] = []

    def begin(job: Job) -> asyncio.Task[None]:
        begun.append(job.table_id)
        return asyncio.create_task(asyncio.sleep(0))

    due = JobQueue(RateLimiter(1e-6), begin)
    for table in range(1, FIRST + 1):
        due.add(Job(table, REDRAW, 0.0))
    for table in (10, 11):
        due.add(Job(table, REDRAW, 0.0, AGENTS_PLAY))
    for table in (20, 21):
        due.add(Job(table, REDRAW, 0.0))
    due.add(Job(11, REDRAW, 0.0))  # somebody is asked there now
    for _ in range(4):
        due._limiter.release(NOBODY)
    assert begun[FIRST:] == [20, 21, 11, 10]


async def test_a_table_waits_for_a_person_as_long_as_one_is_asked(crowd: Crowd) -> None:
    async def payload(table: Table) -> str:
        jobs = await crowd.host.store.due(1e12)
        return next(job.payload for job in jobs if job.table_id == table.id and job.kind == REDRAW)

    assert await payload(await open_lobby(crowd.tables, ANA, channel=1)) == ""
    table = await match_of(crowd.tables, ANA, BEN, agents=1, channel=2, first=0)
    assert await payload(table) == ""
    assert await payload(await leave(crowd.tables, table, ANA)) == AGENTS_PLAY


async def test_a_slot_that_was_not_needed_goes_to_the_next_in_the_queue(crowd: Crowd) -> None:
    crowd.drawn.meanwhile = None
    tables = [await match_of(crowd.tables, ANA, BEN, channel=channel) for channel in range(1, 31)]
    await crowd.look()
    assert len(crowd.drawn.tables) == len(tables)


async def test_private_screens_do_not_wait_for_the_table_to_be_drawn(crowd: Crowd) -> None:
    tables = await crowd.flood()
    assert set(crowd.drawn.followed) == {table.id for table in tables[FIRST:]}


async def test_what_waits_when_the_host_closes_is_drawn_after_the_next_start(
    crowd: Crowd, path: Path, clock: ManualClock
) -> None:
    tables = await crowd.flood()
    await crowd.host.close()
    assert not crowd.limiter.saturated
    host, drawn = make_host(path, clock)
    await host.start()
    await run_due(host)
    await host.close()
    # A table may be drawn twice: its job was still under way when the host closed.
    assert {*crowd.drawn.tables, *drawn.tables} == {table.id for table in tables}


async def test_doing_all_that_is_due_includes_redraws_that_wait_for_a_slot(
    path: Path, clock: ManualClock
) -> None:
    limiter = RateLimiter(200)
    host, drawn = make_host(path, clock, limiter)
    drawn.meanwhile = lambda _table: limiter.wait()
    await host.start()
    tables = [await match_of(host.tables, ANA, BEN, channel=channel) for channel in range(1, 20)]
    await run_due(host)
    assert {*drawn.tables} == {table.id for table in tables}
    await host.close()


# -- agents


class Thinking:
    """Agents that think until a test releases them. Notes how many think at once, and at which tables."""

    def __init__(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables: list[int] = []
        self.now = self.most = 0
        self.free = asyncio.Event()
        do_job = host.tables.do_job

        async def think(job: Any) -> None:
            if job.kind != AGENT:
                await do_job(job)
                return
            self.tables.append(job.table_id)
            self.now += 1
            self.most = max(self.most, self.now)
            await self.free.wait()
            self.now -= 1

        monkeypatch.setattr(host.tables, "do_job", think)

    async def until(self, tables: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.tables) < tables:
                await asyncio.sleep(0.001)


async def of_agents(path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> tuple[Host, Thinking]:
    """A host with 40 matches in which an agent is due."""
    host, _drawn = make_host(path, clock)
    await host.start()
    thinking = Thinking(host, monkeypatch)
    for channel in range(1, 41):
        await match_of(host.tables, ANA, agents=1, first=1, channel=channel)
    return host, thinking


async def test_however_many_agents_are_due_a_few_move_at_once_and_a_strangers_is_among_the_next(
    path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, thinking = await of_agents(path, clock, monkeypatch)
    clock.advance(1)
    stranger = await match_of(host.tables, CARA, agents=1, first=1, channel=5000)
    await host.start_due()
    await thinking.until(AGENTS_AT_ONCE)
    await host.start_due()
    await asyncio.sleep(0.01)
    assert len(thinking.tables) == AGENTS_AT_ONCE
    thinking.free.set()
    await thinking.until(41)
    assert stranger.id in thinking.tables[: AGENTS_AT_ONCE + 2]
    assert thinking.most == AGENTS_AT_ONCE
    await host.close()


async def test_no_alarm_waits_for_agents(
    path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, thinking = await of_agents(path, clock, monkeypatch)
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0, channel=99)
    clock.advance(HOUR)
    await host.start_due()
    async with asyncio.timeout(PATIENCE):
        while not (await host.tables.get(table.id)).seats[0].missed:
            await asyncio.sleep(0.001)
    assert len(thinking.tables) == AGENTS_AT_ONCE, "all of them think still"
    thinking.free.set()
    await run_due(host)
    await host.close()


async def test_other_work_gets_a_turn_between_two_agents_thoughts() -> None:
    thinkers = Thinkers(0)
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    seat = GAME.pending(state)[0].seat
    view = GAME.view(state, seat)
    rounds, seen = 0, list[int]()
    agent = GAME.agents["novice"]

    class Counted:
        slow = False

        def choose(self, *given: Any) -> Any:
            seen.append(rounds)
            return agent.choose(*given)

    class Counting:
        key, agents = GAME.key, {"counted": Counted()}

    async def others() -> None:
        nonlocal rounds
        while len(seen) < 20:
            rounds += 1
            await asyncio.sleep(0)

    counting: Any = Counting()
    work = [thinkers.choose(counting, "counted", view, bytes([n])) for n in range(20)]
    await asyncio.gather(others(), *work)
    assert all(later > earlier for earlier, later in pairwise(seen))
    thinkers.close()
