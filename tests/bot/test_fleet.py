"""Processes share out the shards: by a plan that always settles, and by a loop that carries it out."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.fleet import LEASE, ROUND, plan, shares
from bot.store.base import Deposed, Roll
from tests.bot.leases import Board, MemoryLeases

SHARDS = 13
SETTLED_WITHIN = 12
"""Rounds in which everything has settled once nobody comes or goes any more."""


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
        self.frozen = self.ended = False
        self.changes = 0

    async def begin(self) -> None:
        await self.leases.begin(self.shards)

    async def round(self) -> None:
        try:
            roll = await self.leases.renew()
            courted = [row.shard for row in roll.shards if row.heir == roll.me and row.owner != roll.me]
            await self.leases.ready(courted)
            due = [row.shard for row in roll.shards if row.owner == roll.me and row.heir_ready]
            roll = await self.leases.hand_over(due)
            planned = plan(roll, self.waited)
            self.changes = len(due) + len(planned.take) + len(planned.court)
            self.waited = planned.free - set(planned.take)
            await self.leases.take(planned.take)
            await self.leases.court(planned.court)
        except Deposed:
            self.ended = True


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
            if not planner.frozen:
                await planner.round()
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
    st.sampled_from(["join", "die", "leave", "drain", "freeze", "wake", "court-only", "nothing"]),
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
        case "freeze" | "wake":
            planner.frozen = event == "freeze"
        case _:
            pass


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 16), st.lists(Event, max_size=25))
async def test_however_processes_come_and_go_the_shards_settle(
    shards: int, events: list[tuple[str, int, int]]
) -> None:
    world = World(shards)
    await world.join()
    for event, which, rounds in events:
        try:
            await _happens(world, event, which)
        except Deposed:
            pass
        await world.rounds(rounds)
    for planner in world.planners:
        planner.frozen = False
    await world.rounds(1)
    if not any(not row.draining for row in world.roll().processes):
        await world.join()
    await world.rounds(SETTLED_WITHIN)
    assert world.is_settled(), world.held()
    before = list(world.board.shards)
    await world.rounds(3)
    assert world.board.shards == before, "and then nothing moves any more"
    draining = {row.id for row in world.roll().processes if row.draining}
    assert not draining & set(world.held())
