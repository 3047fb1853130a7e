"""Processes share out the shards: by a plan that always settles, and by a loop that carries it out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.fleet import member as module
from bot.fleet import signals
from bot.fleet.member import LEASE, ROUND, Passing, Shared, WrongShardCount
from bot.fleet.plan import plan, serving, shares
from bot.fleet.reach import Reaching
from bot.store.model import Deposed, Reach, Roll, Signal, StoreError
from bot.store.store import Store
from tests.bot.leases import Board, MemoryLeases
from tests.sampling import examples

SHARDS = 13
SETTLED_WITHIN = 12
"""Rounds in which everything has settled once nobody comes or goes any more."""

LET_BE = 3
"""Rounds for which a shard of who drains is left to the one whose portion it is."""
PATIENT = 6
"""Rounds after which an heir that does not get connected renounces."""
CUT_OFF = 4
"""Rounds without a connection after which a process is cut off from Discord if others are not."""


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Planner:
    """A process reduced to its plans: what it does in each round is done in no time."""

    def __init__(self, board: Board, shards: int) -> None:
        self.leases = MemoryLeases(board)
        self.shards = shards
        self.waited: frozenset[int] = frozenset()
        self.frozen = self.ended = self.deposed = False
        self.slept = 0
        """Rounds that it has missed just now."""
        self.sick = False
        """Whether it gets no shard connected to Discord."""
        self.uncourted = Counter[int]()
        self.courting = Counter[int]()
        self.avoided = Counter[int]()
        self.renounced = 0
        self.changes = 0
        self.reaching = Reaching(CUT_OFF * ROUND)

    async def begin(self) -> None:
        await self.leases.begin(self.shards)

    async def round(self) -> None:
        try:
            roll = await self.leases.renew()
            courted = [row.shard for row in roll.shards if row.heir == roll.me and row.owner != roll.me]
            if not self.sick:
                roll = await self.leases.ready(courted)
            roll = await self._note_reach(roll)
            roll = await self._renounce(roll)
            heirs = serving(roll)
            due = [
                row.shard
                for row in roll.shards
                if row.owner == roll.me and row.heir_ready and row.heir in heirs
            ]
            roll = await self.leases.hand_over(due)
            long = [shard for shard, rounds in self.uncourted.items() if rounds >= LET_BE]
            planned = plan(roll, self.waited.union(long), self.avoided)
            self.changes = len(due) + len(planned.take) + len(planned.court)
            self.waited = planned.free - set(planned.take)
            self.uncourted = Counter(
                {shard: self.uncourted[shard] + 1 for shard in planned.uncourted.difference(planned.court)}
            )
            await self.leases.take(planned.take)
            roll = await self.leases.court(planned.court)
            if self._drained(roll):
                await self.leases.leave()
                self.ended = True
        except Deposed:
            self.ended = self.deposed = True

    def _drained(self, roll: Roll) -> bool:
        drains = any(each.id == roll.me and each.draining for each in roll.processes)
        return drains and all(row.owner != roll.me for row in roll.shards)

    async def _note_reach(self, roll: Roll) -> Roll:
        tries = any(roll.me in (row.owner, row.heir) for row in roll.shards)
        others = any(each.reach == "connected" for each in roll.processes if each.id != roll.me)
        connected = tries and not self.sick
        reach = self.reaching.look(self.leases.board.now(), connected=connected, tries=tries, others=others)
        if any(each.id == roll.me and each.reach != reach for each in roll.processes):
            return await self.leases.note_reach(reach)
        return roll

    async def _renounce(self, roll: Roll) -> Roll:
        courting = [row.shard for row in roll.shards if row.heir == roll.me and self.sick]
        self.courting = Counter({shard: self.courting[shard] + 1 for shard in courting})
        self.avoided -= Counter(set(self.avoided))
        hopeless = [shard for shard, rounds in self.courting.items() if rounds > PATIENT]
        self.renounced += bool(hopeless)
        self.avoided |= Counter(dict.fromkeys(hopeless, PATIENT * 2**self.renounced))
        return await self.leases.renounce(hopeless)


class World:
    """Processes that come and go, round by round."""

    def __init__(self, shards: int = SHARDS) -> None:
        self.time = Time()
        self.board = Board(self.time)
        self.shards = shards
        self.planners: list[Planner] = []

    async def join(self) -> Planner:
        planner = Planner(self.board, self.shards)
        await planner.begin()
        self.planners.append(planner)
        return planner

    async def round(self) -> None:
        self.time.now += ROUND
        for planner in list(self.planners):
            planner.slept += 1
            if not planner.frozen:
                await planner.round()
                assert not planner.deposed or planner.slept > 2, (
                    "who renews its leases in time is not deposed"
                )
                planner.slept = 0
            if planner.ended:
                self.planners.remove(planner)

    async def rounds(self, number: int) -> None:
        for _ in range(number):
            await self.round()

    def roll(self) -> Roll:
        living = tuple(row for row in self.board.processes.values() if self.board.lives(row.id))
        return Roll(0, living, tuple(self.board.shards))

    def held(self) -> Counter[int | None]:
        return Counter(row.owner if self.board.lives(row.owner) else None for row in self.board.shards)

    def owners(self) -> list[int | None]:
        return [row.owner for row in self.board.shards]

    def is_settled(self) -> bool:
        active = [row.id for row in self.roll().processes if not row.draining]
        if not active:
            return True
        return dict(self.held()) == {each: n for each, n in shares(self.shards, active).items() if n}


async def test_a_process_that_starts_alone_takes_all_shards_at_once() -> None:
    world = World()
    first = await world.join()
    await world.round()
    assert world.held() == {first.leases.me: SHARDS}


async def test_a_second_process_gets_its_half_by_courting_and_nothing_is_ever_without_an_owner() -> None:
    world = World()
    await world.join()
    await world.round()
    await world.join()
    for _ in range(6):
        await world.round()
        assert None not in world.held()
    assert sorted(world.held().values()) == [6, 7]
    assert world.board.shards[0].owner == 1, "the last shards go first, so the first process stays the first"


async def test_processes_that_start_together_each_take_their_portion() -> None:
    world = World(12)
    for _ in range(3):
        await world.join()
    await world.round()
    assert sorted(world.held().values()) == [4, 4, 4]
    await world.rounds(3)
    assert all(planner.changes == 0 for planner in world.planners)


async def test_shards_of_a_dead_process_are_held_within_two_rounds_of_the_end_of_its_lease() -> None:
    world = World()
    for _ in range(3):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    world.planners[1].frozen = True
    await world.rounds(int(LEASE / ROUND))
    await world.rounds(2)
    assert None not in world.held()
    world.planners[1].frozen = False
    await world.rounds(2)
    assert len(world.planners) == 2, "who wakes after that is deposed"


async def test_the_heir_of_a_dead_owner_goes_first() -> None:
    roll = await _courted_by_the_younger_one()
    assert roll.shards[11].heir == 2
    alone = Roll(2, tuple(row for row in roll.processes if row.id != 1), roll.shards)
    oldest = Roll(3, alone.processes, roll.shards)
    assert {row.shard for row in roll.shards if row.heir == 2} <= set(plan(alone).take)
    assert not {row.shard for row in roll.shards if row.heir == 2} & set(plan(oldest).take)
    everything = plan(oldest, tuple(range(12))).take
    assert set(everything) == set(range(12)), "but nobody waits for it twice"


async def _courted_by_the_younger_one() -> Roll:
    world = World(12)
    await world.join()
    await world.round()
    second = await world.join()
    await second.leases.court(plan(await second.leases.renew()).court)
    third = await world.join()
    return await third.leases.renew()


async def test_only_who_has_renewed_steadily_takes_from_the_dead() -> None:
    roll = await _courted_by_the_younger_one()
    alone = Roll(2, tuple(row for row in roll.processes if row.id == 2), roll.shards)
    assert plan(alone, steady=False).take == ()
    assert len(plan(alone).take) == 12


async def test_when_all_drain_nobody_gives_anything_away() -> None:
    world = World()
    for _ in range(2):
        await world.join()
    await world.rounds(3)
    before = world.held()
    for planner in world.planners:
        await planner.leases.drain(planner.leases.me)
    await world.rounds(3)
    assert world.held() == before


Event = st.tuples(
    st.sampled_from(["join", "die", "leave", "drain", "freeze", "wake", "step", "nothing"]),
    st.integers(0, 9),
    st.integers(0, 5),
)


async def _happens(world: World, event: str, which: int) -> None:
    if event == "join" and len(world.planners) < 8:
        await world.join()
    if not world.planners:
        return
    planner = world.planners[which % len(world.planners)]
    match event:
        case "die":
            world.planners.remove(planner)
        case "leave" if planner.leases.me in world.board.processes:
            await planner.leases.leave()
            world.planners.remove(planner)
        case "drain":
            await planner.leases.drain(planner.leases.me) if not planner.frozen else None
        case "step":
            world.board.ahead += 5.0 * which
        case "freeze" | "wake":
            planner.frozen = event == "freeze"
        case _:
            pass


@examples(300)
@given(st.integers(1, 16), st.lists(Event, max_size=25))
@example(2, [("join", 0, 0), ("leave", 0, 1), ("join", 0, 0), ("join", 0, 1), ("die", 1, 0)])
async def test_however_processes_come_and_go_the_shards_settle(
    shards: int, events: list[tuple[str, int, int]]
) -> None:
    world = World(shards)
    await world.join()
    for event, which, rounds in events:
        with suppress(Deposed):
            await _happens(world, event, which)
        await world.rounds(rounds)
    for planner in world.planners:
        planner.frozen = False
    await world.rounds(int(LEASE / ROUND) + 1)
    if not any(not row.draining for row in world.roll().processes):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    assert world.is_settled(), world.held()
    before = list(world.board.shards)
    await world.rounds(3)
    assert world.board.shards == before, "and then nothing moves any more"
    draining = {row.id for row in world.roll().processes if row.draining}
    assert not draining & set(world.held())


@examples(100)
@given(
    st.integers(1, 16),
    st.lists(st.sampled_from(["well", "sick", "draining", "draining and sick"]), max_size=6),
    st.integers(0, 6),
)
async def test_who_drains_ends_also_if_others_never_get_connected(
    shards: int, kinds: list[str], well: int
) -> None:
    world = World(shards)
    kinds.insert(well, "well")
    for kind in kinds:
        planner = await world.join()
        await world.rounds(3)
        planner.sick = "sick" in kind
    for planner, kind in zip(list(world.planners), kinds, strict=True):
        if "draining" in kind:
            await planner.leases.drain(planner.leases.me)
    draining = {row.id for row in world.roll().processes if row.draining}
    for _ in range(500):
        if not draining & set(world.held()):
            break
        await world.round()
        assert None not in world.held(), "and every shard is served all the time"
    assert not draining & set(world.held())


# -- processes that do not reach Discord


async def test_who_does_not_reach_discord_gives_up_its_shards_to_those_that_do() -> None:
    world = World()
    for _ in range(3):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    sick = world.planners[1]
    sick.sick = True
    await world.rounds(CUT_OFF)
    assert world.held()[sick.leases.me] == 4, "it is given time"
    for _ in range(SETTLED_WITHIN):
        await world.round()
        assert None not in world.held()
    assert sorted(world.held().values()) == [6, 7]
    assert sick.leases.me not in world.held()
    sick.sick = False
    await world.rounds(CUT_OFF - 1)
    assert sick.leases.me not in world.held(), "it has to prove that it stays connected"
    await world.rounds(4 * SETTLED_WITHIN)
    assert sorted(world.held().values()) == [4, 4, 5]


async def test_who_is_cut_off_takes_no_free_shards_while_another_can() -> None:
    world = World()
    for _ in range(3):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    sick, dies = world.planners[:2]
    sick.sick = True
    await world.rounds(CUT_OFF + SETTLED_WITHIN)
    world.planners.remove(dies)
    for _ in range(SETTLED_WITHIN):
        await world.round()
        assert sick.leases.me not in world.held()
    assert None not in world.held()
    world.planners.pop()
    await world.rounds(int(LEASE / ROUND) + 2)
    assert world.held() == {sick.leases.me: SHARDS}, "but somebody has to do what is due"


async def test_when_nobody_reaches_discord_nobody_gives_up_anything() -> None:
    world = World()
    for _ in range(3):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    before = world.owners()
    for planner in world.planners:
        planner.sick = True
    await world.rounds(10 * CUT_OFF)
    assert world.owners() == before
    for planner in world.planners:
        planner.sick = False
        await world.round()
    await world.rounds(10 * CUT_OFF)
    assert world.owners() == before, (
        "and when Discord is back, the others have as long as the first one to return"
    )


async def test_the_longer_a_connection_has_come_and_gone_the_longer_it_must_last() -> None:
    reaching, now = Reaching(10), 0.0

    def lasts(seconds: int, *, connected: bool) -> Reach:
        nonlocal now
        said: list[Reach] = []
        for _ in range(seconds):
            now += 1
            said.append(reaching.look(now, connected=connected, tries=True, others=True))
        return said[-1]

    assert lasts(5, connected=True) == "connected"
    for proof in (10, 20, 40):
        assert lasts(10, connected=False) == "connecting"
        assert lasts(1, connected=False) == "cut off"
        assert lasts(proof, connected=True) == "cut off"
        assert lasts(1, connected=True) == "connected"


@examples(30)
@given(
    st.integers(
        5, 12
    ),  # a process without a shard has no connection by which to tell that Discord can be reached
    st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 8)), max_size=12),
    st.integers(0, 4),
)
async def test_however_connections_come_and_go_who_reaches_discord_holds_all_in_the_end(
    shards: int, changes: list[tuple[int, bool, int]], well: int
) -> None:
    world = World(shards)
    for _ in range(5):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    for which, sick, rounds in changes:
        world.planners[which].sick = sick
        before = world.owners()
        for _ in range(rounds):
            await world.round()
            assert None not in world.held(), "every shard has an owner all the time"
            if all(planner.sick for planner in world.planners):
                assert world.owners() == before, "when nobody reaches Discord, nothing moves"
            before = world.owners()
    world.planners[well].sick = False
    sick = {planner.leases.me for planner in world.planners if planner.sick}
    for _ in range(600):
        # Once it has proved that it is connected, and has got all shards connected, nobody else is needed.
        if not sick & set(world.held()):
            break
        await world.round()
    assert not sick & set(world.held())
    await world.rounds(60)
    before = world.owners()
    await world.rounds(60)
    assert world.owners() == before, "and then nothing moves any more"
    assert not sick & set(before)


# -- the loop


class KeptInMemory:
    """As much of a store as a fleet asks."""

    def __init__(self, leases: MemoryLeases) -> None:
        self.leases = leases


class Figures:
    """Notes what happened to the leases."""

    def __init__(self) -> None:
        self.passed = Counter[str]()

    def lease_passed(self, how: Passing, shards: int) -> None:
        if shards:
            self.passed[how] += shards

    def renewal_late(self, seconds: float) -> None:
        pass


class Process:
    """A process whose connections to Discord are there at once, unless a test holds them up."""

    def __init__(self, board: Board, clock: Callable[[], float]) -> None:
        self.figures = Figures()
        self.leases = MemoryLeases(board)
        self.fleet = Shared(cast("Store", KeptInMemory(self.leases)), self.figures, clock)
        self.happened: list[tuple[str, frozenset[int]]] = []
        self.wanted: frozenset[int] = frozenset()
        self.processes = 0
        self.may_connect = asyncio.Event()
        self.may_connect.set()
        self.acts = asyncio.Event()
        """Cleared while something is under way."""
        self.acts.set()
        self.may_gain = asyncio.Event()
        self.may_gain.set()
        self.waits = False
        """Whether a shard waits for its turn to log in."""
        self.running: asyncio.Task[None] | None = None

    async def start(self, shards: int = 6, wanted: int | None = None) -> Process:
        async def advised() -> int:
            return shards

        await self.fleet.begin(self, wanted, advised)
        self.fleet.go()
        self.running = asyncio.create_task(self.fleet.run())
        return self

    async def stop(self) -> None:
        """As if it were killed: the others are told nothing."""
        assert self.running is not None
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)

    @property
    def held(self) -> frozenset[int]:
        return self.fleet.standing.held

    async def gained(self, shards: frozenset[int]) -> None:
        assert not any(self.fleet.holds(shard << 22) for shard in shards), "nothing is served before"
        self.happened.append(("gained", shards))
        await self.may_gain.wait()

    async def lost(self, shards: frozenset[int]) -> None:
        assert not any(self.fleet.holds(shard << 22) for shard in shards), "nothing is served any more"
        self.happened.append(("lost", shards))

    async def finish(self, shards: frozenset[int], within: float) -> None:
        assert not any(self.fleet.holds(shard << 22) for shard in shards), "nothing new is begun"
        self.happened.append(("finished", shards))
        await self.acts.wait()

    def connect_only(self, shards: frozenset[int]) -> None:
        self.wanted = shards

    def connected(self, shard: int) -> bool:
        return shard in self.wanted and self.may_connect.is_set()

    def waits_in_turn(self) -> bool:
        return self.waits

    def shared_by(self, processes: int, at: float) -> None:
        self.processes = processes


@pytest.fixture
async def start(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., Awaitable[Process]]]:
    """Starts processes whose leases last half a second."""
    for name, seconds in (
        ("LEASE", 0.5),
        ("ROUND", 0.05),
        ("STEADY", 0.1),
        ("LOOK_AGAIN", 0.05),
        ("LEFT", 0.05),
        ("HELD", 1.0),
    ):
        monkeypatch.setattr(module, name, seconds)
    monkeypatch.setattr(module, "LEAST_PAUSE", 0.02)
    monkeypatch.setattr(module, "SETTLING", 0.05)
    clock = asyncio.get_running_loop().time
    board, processes = Board(clock), list[Process]()

    async def start(shards: int = 6, wanted: int | None = None) -> Process:
        process = Process(board, clock)
        processes.append(process)
        return await process.start(shards, wanted)

    yield start
    for process in processes:
        if process.running is not None:
            await process.stop()


Start = Callable[..., Awaitable[Process]]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


def guild_on(shard: int) -> int:
    return (shard + 6) << 22


async def test_shards_are_handed_over_to_a_process_that_joins(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    assert one.fleet.first
    two = await start()
    await until(lambda: len(two.held) == 3 and len(one.held) == 3)
    assert one.held | two.held == set(range(6))
    assert one.fleet.first
    assert not two.fleet.first
    assert [what for what, _shards in one.happened] == ["gained", "finished", "lost"]
    assert one.processes == two.processes == 2
    assert one.wanted == one.held
    assert two.wanted == two.held, "connections of shards that were handed over are closed"
    assert one.figures.passed == {"taken": 6, "handed_over": 3}
    assert two.figures.passed == {"received": 3}


async def test_nothing_is_handed_over_before_the_heir_is_connected(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    two = Process(one.leases.board, asyncio.get_running_loop().time)
    two.may_connect.clear()
    await two.start()
    try:
        await until(lambda: len(two.wanted) == 3)
        await asyncio.sleep(0.2)
        assert len(one.held) == 6
        two.may_connect.set()
        two.fleet.look()
        await until(lambda: len(two.held) == 3)
    finally:
        await two.stop()


async def test_a_press_at_an_heir_is_held_until_the_shard_is_its_own(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    one.acts.clear()
    two = await start()
    await until(lambda: ("finished", frozenset({3, 4, 5})) in one.happened)
    assert await one.fleet.admit(guild_on(0)) == "served"
    assert await two.fleet.admit(guild_on(0)) == "ignored"
    assert await two.fleet.admit(0) == "served", "a direct message has no server"
    at_heir = asyncio.create_task(two.fleet.admit(guild_on(5)))
    at_owner = asyncio.create_task(one.fleet.admit(guild_on(5)))
    await asyncio.sleep(0.05)
    assert not at_heir.done()
    one.acts.set()
    assert await at_heir == "claimed", "the owner before may have answered it"
    assert await at_owner == "unsaved", "it tells the person if nobody else has"
    assert await two.fleet.admit(guild_on(5)) == "claimed"
    await asyncio.sleep(module.HELD)
    assert await two.fleet.admit(guild_on(5)) == "served"


async def test_a_press_at_an_heir_is_dropped_if_the_owner_keeps_the_shard(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    one.acts.clear()
    two = await start()
    await until(lambda: two.fleet.standing.courted)
    await until(lambda: one.fleet.standing.leaving)
    at_owner = asyncio.create_task(one.fleet.admit(guild_on(5)))
    assert await two.fleet.admit(guild_on(5)) == "ignored"
    assert await at_owner == "unsaved", "somebody has to answer while the shard cannot be handed over"
    one.acts.set()


async def test_a_press_on_a_shard_that_cannot_be_served_yet_is_answered(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    two = Process(one.leases.board, asyncio.get_running_loop().time)
    two.may_gain.clear()
    await two.start()
    try:
        await until(lambda: any(what == "gained" for what, _shards in two.happened))
        assert await two.fleet.admit(guild_on(5)) == "unsaved"
    finally:
        two.may_gain.set()
        await two.stop()


async def test_acts_that_take_long_do_not_hold_up_the_renewal(start: Start) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    one.acts.clear()
    two = await start()
    await until(lambda: ("finished", frozenset({3, 4, 5})) in one.happened)
    await asyncio.sleep(2 * module.LEASE)
    assert one.held == set(range(6))
    assert not one.fleet.lapsed
    one.acts.set()
    await until(lambda: len(two.held) == 3)


async def test_shards_of_a_process_that_died_are_taken_over(start: Start) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    await one.stop()
    await until(lambda: len(two.held) == 6)
    assert two.fleet.first
    three = await start()
    await until(lambda: len(three.held) == 3)


async def test_who_was_deposed_ends_and_serves_nobody(start: Start) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    renew = one.leases.renew
    freeze = asyncio.Event()

    async def frozen() -> Roll:
        await freeze.wait()
        return await renew()

    one.leases.renew = frozen
    await until(lambda: len(two.held) == 6)
    assert one.fleet.lapsed
    assert not one.fleet.first
    freeze.set()
    assert one.running is not None
    with pytest.raises(Deposed):
        await one.running


async def test_while_nobody_can_renew_no_press_is_served_and_then_all_goes_on(start: Start) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    board = one.leases.board
    board.away = True
    await until(lambda: one.fleet.lapsed and two.fleet.lapsed)
    assert not one.fleet.holds(guild_on(0))
    assert await one.fleet.admit(guild_on(0)) == "unsaved"
    assert await two.fleet.admit(guild_on(0)) == "ignored"
    waiting = asyncio.create_task(one.fleet.admit(guild_on(0)))
    await asyncio.sleep(0)
    board.away = False
    assert await waiting == "claimed"
    await asyncio.sleep(0.3)
    assert len(one.held) == len(two.held) == 3, "nobody was deposed for what was the database's fault"
    assert ("lost", one.held) not in one.happened


async def test_a_process_that_is_drained_hands_over_all_and_ends(start: Start) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    await one.leases.drain(one.leases.me)
    assert one.running is not None
    await asyncio.wait_for(one.running, 20)
    assert two.held == set(range(6))
    await one.fleet.leave()
    assert list(two.leases.board.processes) == [two.leases.me]


async def test_who_is_drained_alone_serves_on_until_another_comes(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    one = await start()
    await until(lambda: len(one.held) == 6)
    await one.leases.drain(one.leases.me)
    await until(lambda: "no other one takes its shards" in caplog.text)
    assert one.fleet.first
    two = await start()
    await until(lambda: len(two.held) == 6)
    assert one.running is not None
    await asyncio.wait_for(one.running, 20)
    assert caplog.text.count("no other one takes its shards") == 1


async def test_an_heir_that_never_gets_connected_keeps_nobody_from_being_drained(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    sick = await start()
    sick.may_connect.clear()
    await one.leases.drain(one.leases.me)
    await until(lambda: any(row.heir == sick.leases.me for row in one.leases.board.shards))
    await asyncio.sleep(0.3)
    assert one.held, "as long as it has not renounced, nobody else courts"
    monkeypatch.setattr(module, "COURTSHIP", 0.5)
    monkeypatch.setattr(module, "UNCOURTED", 0.1)
    assert one.running is not None
    await asyncio.wait_for(one.running, 20)
    assert "could not be connected to Discord in time" in caplog.text


async def test_who_is_cut_off_from_discord_says_so_and_serves_again_once_it_is_connected(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "CUT_OFF", 0.2)
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    two.waits = True
    two.may_connect.clear()
    await asyncio.sleep(0.5)
    assert len(two.held) == 3, "who waits for its turn to log in reaches Discord"
    two.waits = False
    await until(lambda: len(one.held) == 6)
    assert two.fleet.standing.cut_off
    assert "it gives up its shards" in caplog.text
    assert two.running is not None
    assert not two.running.done()
    two.may_connect.set()
    await until(lambda: len(one.held) == len(two.held) == 3)
    assert not two.fleet.standing.cut_off
    assert caplog.text.count("it gives up its shards") == 1


async def test_who_leaves_frees_its_shards_at_once(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = await start(), await start()
    await until(lambda: len(one.held) == len(two.held) == 3)
    monkeypatch.setattr(module, "LEASE", 1000.0)
    await asyncio.sleep(0.1)
    await one.stop()
    await one.fleet.leave()
    await until(lambda: len(two.held) == 6)


async def test_a_shard_that_cannot_be_prepared_is_not_served_yet(start: Start) -> None:
    one = Process(Board(asyncio.get_running_loop().time), asyncio.get_running_loop().time)
    gained, tries = one.gained, 0

    async def fails_once(shards: frozenset[int]) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise StoreError("not now")
        await gained(shards)

    one.gained = fails_once
    await one.start()
    try:
        await until(lambda: len(one.held) == 6)
        assert tries == 2
    finally:
        await one.stop()


async def test_the_others_number_of_shards_holds_and_another_one_is_refused(start: Start) -> None:
    await start(6)
    two = await start(8)
    assert two.fleet.standing.shard_count == 6
    with pytest.raises(WrongShardCount, match=r"SHARD_COUNT is 8, but .* share 6 shards"):
        await start(6, wanted=8)


async def test_what_could_not_be_told_at_once_is_told_later(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(signals, "RELOAD_AGAIN", 0.02)
    one, two = await start(), await start()
    heard = asyncio.Event()

    async def reload() -> None:
        heard.set()

    two.fleet.on("pictures", reload)
    tell, tries = one.leases.tell, 0

    async def fails_twice(signal: Signal) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise StoreError("not now")
        await tell(signal)

    monkeypatch.setattr(one.leases, "tell", fails_twice)
    await one.fleet.spread("pictures")
    await asyncio.wait_for(heard.wait(), 10)
    assert "told later" in caplog.text


async def test_everybody_hears_what_one_process_tells_and_reads_again_what_could_not_be_read(
    start: Start,
) -> None:
    one, two = await start(), await start()
    await until(lambda: one.held and two.held)
    heard: list[str] = []
    fails = True

    async def reload() -> None:
        nonlocal fails
        fails, failed = False, fails
        if failed:
            raise StoreError("not now")
        heard.append("two")

    async def noted() -> None:
        heard.append("one")

    async def broken() -> None:
        raise ValueError

    one.fleet.on("controls", broken)
    one.fleet.on("controls", noted)
    two.fleet.on("controls", reload)
    await two.fleet.tell("controls")
    await until(lambda: sorted(heard) == ["one", "two"])


async def test_whoever_asks_is_told_of_gained_and_lost_shards(start: Start) -> None:
    one = await start()
    told: list[tuple[frozenset[int], frozenset[int]]] = []

    async def changed(gained: frozenset[int], lost: frozenset[int]) -> None:
        assert not lost or not one.fleet.holds(guild_on(5)), "it is told afterwards"
        told.append((gained, lost))

    one.fleet.on_change(changed)
    await until(lambda: told)
    await start()
    await until(lambda: len(told) == 2)
    assert told == [(frozenset(range(6)), frozenset()), (frozenset(), frozenset({3, 4, 5}))]
