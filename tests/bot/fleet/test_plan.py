"""The plan of shards: all processes that follow it come to fair shares, and no shard is given away with a gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.fleet.plan import NO_SHARDS, FleetState, OwnState, Shards, fair_shares, plan

ROUNDS = 40
"""Rounds after which everything must have settled, for the sizes used here."""


@dataclass
class Process:
    """A process as the plan moves it. Its connections are opened a round after they are wanted."""

    number: int
    draining: bool = False
    settled: bool = True
    cut_off: bool = False
    before: Shards = NO_SHARDS
    connected: set[int] = field(default_factory=set[int])
    leaving: set[int] = field(default_factory=set[int])
    """Shards for which it stood by, until it has seen that they have an owner."""


class Database:
    """The locks, which the database gives to one process at a time and takes back when its session ends."""

    def __init__(self, shards: int) -> None:
        self.shards = shards
        self.processes: dict[int, Process] = {}
        self.members: set[int] = set()
        self.owners: dict[int, int] = {}
        self.standbys: dict[int, int] = {}
        self.served_gaps = 0
        """Hand-overs after which a shard had no connected process."""

    def state(self) -> FleetState:
        connected = {
            shard: frozenset(p.number for p in self.processes.values() if shard in p.connected)
            for shard in range(self.shards)
        }
        return FleetState(
            self.shards, frozenset(self.members), dict(self.owners), dict(self.standbys), connected
        )

    def join(self, number: int) -> None:
        self.processes[number] = Process(number)

    def lose_session(self, number: int) -> None:
        """All locks of a process are gone; it lives on, and has a new session."""
        process = self.processes[number]
        process.before = frozenset(shard for shard, owner in self.owners.items() if owner == number)
        process.settled = False
        self._release(number)

    def die(self, number: int) -> None:
        self._release(number)
        del self.processes[number]

    def _release(self, number: int) -> None:
        self.members.discard(number)
        self.owners = {shard: owner for shard, owner in self.owners.items() if owner != number}
        self.standbys = {shard: by for shard, by in self.standbys.items() if by != number}

    def step(self, number: int, state: FleetState) -> None:
        """The process does what it plans from a state that may be old."""
        process = self.processes[number]
        process.leaving -= {shard for shard, owner in state.owners.items() if owner != number}
        actions = plan(
            replace(state, settled=process.settled), OwnState(number, process.draining, process.before)
        )
        if actions.member:
            self.members.add(number)
        else:
            self.members.discard(number)
        for shard in actions.give:
            self._give(shard, number)
        for shard in actions.take:
            if self.owners.setdefault(shard, number) == number and self.standbys.get(shard) == number:
                del self.standbys[shard]
        for shard in actions.stand_down:
            if self.standbys.get(shard) == number:
                del self.standbys[shard]
                process.leaving |= process.connected & {shard}
        for shard in actions.stand_by:
            self.standbys.setdefault(shard, number)
        process.before = NO_SHARDS if process.settled else process.before

    def _give(self, shard: int, number: int) -> None:
        assert self.owners[shard] == number, "only its owner gives a shard away"
        standby = self.standbys.get(shard)
        assert standby != number
        del self.owners[shard]
        self.processes[number].connected.discard(shard)
        there = [p for p in self.processes.values() if shard in p.connected and p.number != number]
        self.served_gaps += not there

    def connect(self) -> None:
        """Each process gets connected for all that it owns or stands by for, unless Discord is out of its reach."""
        for process in self.processes.values():
            wanted = {
                shard
                for held in (self.owners, self.standbys)
                for shard, by in held.items()
                if by == process.number
            }
            process.leaving &= process.connected
            process.connected = set() if process.cut_off else wanted | process.leaving

    def settle(self, rng: Random, rounds: int = ROUNDS) -> None:
        for _ in range(rounds):
            order = sorted(self.processes)
            rng.shuffle(order)
            state = self.state()
            for number in order:
                # Half of them have looked before the others acted.
                self.step(number, state if rng.random() < 0.5 else self.state())
            self.connect()
            for process in self.processes.values():
                process.settled = True

    def check_settled(self) -> None:
        serving = [p.number for p in self.processes.values() if not p.draining]
        if not serving:
            return
        assert {*self.owners} == {*range(self.shards)}, "each shard has an owner"
        counts = sorted(sum(owner == number for owner in self.owners.values()) for number in serving)
        assert counts[-1] - counts[0] <= 1, f"shares are fair: {self.owners}, {self.standbys}, {self.members}"
        assert sum(counts) == self.shards, "nobody owns a shard but members that serve"
        assert self.standbys == {}


def database(shards: int, processes: int) -> Database:
    made = Database(shards)
    for number in range(1, processes + 1):
        made.join(number)
    return made


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(("join", "die", "drain", "lose", "lose all", "cut off", "reach", "rounds")),
        st.integers(0, 9),
    ),
    max_size=25,
)


def happen(data: Database, event: str, which: int, rng: Random) -> None:
    numbers = sorted(data.processes)
    if event == "join":
        data.join(max(numbers, default=0) + 1 + which)
    elif event == "lose all":
        for number in numbers:
            data.lose_session(number)
    elif event == "rounds":
        data.settle(rng, which)
    elif numbers:
        process = data.processes[numbers[which % len(numbers)]]
        if event == "die":
            data.die(process.number)
        elif event == "lose":
            data.lose_session(process.number)
        elif event == "drain":
            process.draining = True
        else:
            process.cut_off = event == "cut off"


@given(st.integers(1, 40), st.integers(1, 6), EVENTS, st.randoms(use_true_random=False))
@example(
    2,
    1,
    [("join", 0), ("rounds", 2), ("join", 0), ("join", 0), ("die", 0), ("die", 1), ("drain", 0)],
    Random(0),
)
def test_random_events_lead_to_fair_shares_without_gaps(
    shards: int, processes: int, events: list[tuple[str, int]], rng: Random
) -> None:
    data = database(shards, processes)
    for event, which in events:
        happen(data, event, which, rng)
    for process in data.processes.values():
        process.cut_off = False
    data.settle(rng)
    data.check_settled()
    assert data.served_gaps == 0


@given(st.integers(1, 40), st.integers(1, 6), st.randoms(use_true_random=False))
def test_a_restart_of_the_database_moves_no_shard(shards: int, processes: int, rng: Random) -> None:
    data = database(shards, processes)
    data.settle(rng)
    before = dict(data.owners)
    for number in sorted(data.processes, key=lambda _: rng.random()):
        data.lose_session(number)
    data.settle(rng)
    assert data.owners == before


@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 9), st.randoms(use_true_random=False))
def test_draining_process_ends_without_shards_and_without_gaps(
    shards: int, processes: int, which: int, rng: Random
) -> None:
    data = database(shards, processes)
    data.settle(rng)
    number = which % processes + 1
    data.processes[number].draining = True
    for _ in range(ROUNDS):
        data.settle(rng, 1)
        assert all(any(shard in p.connected for p in data.processes.values()) for shard in range(shards))
    assert number not in data.owners.values()
    assert number not in data.standbys.values()
    assert number not in data.members
    data.check_settled()


def test_member_without_shards_receives_those_of_a_draining_process() -> None:
    data = database(1, 2)
    data.settle(Random(1))
    assert data.members == {1, 2}
    [owner] = data.owners.values()
    data.processes[owner].draining = True
    data.settle(Random(1))
    assert data.owners == {0: 3 - owner}
    assert data.served_gaps == 0


@given(st.integers(1, 30), st.integers(1, 5), st.randoms(use_true_random=False))
def test_joining_process_without_discord_gets_no_shard(shards: int, processes: int, rng: Random) -> None:
    data = database(shards, processes)
    data.settle(rng)
    before = dict(data.owners)
    data.join(99)
    data.processes[99].cut_off = True
    data.settle(rng)
    assert data.owners == before
    assert (99 in data.members) == (shards <= processes), "it takes part where it has no share to connect for"


@given(st.integers(1, 30), st.integers(1, 5), st.randoms(use_true_random=False))
def test_joining_process_moves_only_its_own_share(shards: int, processes: int, rng: Random) -> None:
    data = database(shards, processes)
    data.settle(rng)
    before = dict(data.owners)
    data.join(99)
    data.settle(rng)
    data.check_settled()
    moved = {shard for shard, owner in data.owners.items() if owner != before[shard]}
    assert {data.owners[shard] for shard in moved} <= {99}
    assert len(moved) == shards // (processes + 1)


def views() -> Iterator[tuple[FleetState, int]]:
    rng = Random(1)
    for _ in range(3000):
        shards = rng.randint(1, 20)
        people = list(range(1, rng.randint(2, 7)))
        pick = [shard for shard in range(shards) if rng.random() < 0.8]
        owners = {shard: rng.choice(people) for shard in pick}
        standbys = {shard: rng.choice(people) for shard in range(shards) if rng.random() < 0.3}
        connected = {shard: frozenset(p for p in people if rng.random() < 0.5) for shard in range(shards)}
        members = frozenset(p for p in people if rng.random() < 0.7)
        yield FleetState(shards, members, owners, standbys, connected), rng.choice(people)


def test_plan_never_takes_owned_shards_or_more_than_the_share() -> None:
    for state, me in views():
        actions = plan(state, OwnState(me))
        owned = {*state.owned_by(me)}
        assert not actions.take & state.owners.keys()
        assert actions.give <= owned
        assert all(state.is_connected(shard, state.standbys[shard]) for shard in actions.give)
        assert not actions.stand_by & state.standbys.keys()
        assert not actions.stand_by & owned
        assert actions.stand_down <= {shard for shard, by in state.standbys.items() if by == me}
        members = state.members | {me} if actions.member else state.members - {me}
        share = fair_shares(state, members).get(me, 0)
        granted = {shard for shard in actions.take if state.is_connected(shard, me)}
        assert len(owned) + len(actions.take - granted) <= max(share, len(owned))


def test_plans_of_two_processes_never_overlap() -> None:
    for state, _me in views():
        plans = [plan(state, OwnState(process)) for process in sorted(state.members)]
        for one, shards in enumerate(plans):
            for other in plans[one + 1 :]:
                assert not shards.take & other.take
                assert not shards.stand_by & other.stand_by


@pytest.mark.parametrize("draining", [False, True])
def test_new_session_retakes_only_its_former_shards(draining: bool) -> None:
    state = FleetState(4, owners={0: 7})
    own = OwnState(5, draining=draining, before=frozenset({0, 2}))
    assert plan(replace(state, settled=False), own).take == frozenset({2})
    assert plan(state, own).take == (frozenset({2}) if draining else frozenset({1, 2, 3}))


def test_connected_process_takes_no_free_shard_before_sessions_are_settled() -> None:
    state = FleetState(2, frozenset({5, 6}), {0: 6}, {}, {1: frozenset({5})})
    assert plan(state, OwnState(5)).take == frozenset({1})
    assert plan(replace(state, settled=False), OwnState(5)).take == NO_SHARDS


def test_former_owner_leaves_a_given_shard_to_its_standby() -> None:
    given = FleetState(4, frozenset({5, 6, 7}), {0: 7, 1: 6, 3: 5}, {2: 6}, {2: frozenset({6})})
    before = frozenset({2})
    assert not plan(given, OwnState(5, before=before)).take
    assert plan(given, OwnState(6)).take == before
    both = replace(given, connected={2: frozenset({5, 6})})
    assert not plan(both, OwnState(5, before=before)).take
    assert plan(replace(given, connected={}), OwnState(5, before=before)).take == before


@pytest.mark.parametrize("frozen", [6, 8])
def test_overdue_shard_of_a_frozen_member_is_taken(frozen: int) -> None:
    owners = {0: 7, 1: 7, 2: frozen}
    state = FleetState(6, frozenset({7, frozen}), owners, {}, {4: frozenset({frozen})})
    [other] = plan(state, OwnState(7)).take
    assert other in (3, 5), "one is its own portion, one that of the other, which is connected for a third"
    free = frozenset({3, 4, 5})
    assert plan(state, OwnState(7, overdue=free)).take == free
    assert plan(replace(state, settled=False), OwnState(7, overdue=free)).take == NO_SHARDS
    assert plan(state, OwnState(7, draining=True, overdue=free)).take == NO_SHARDS


def test_shard_that_a_connected_member_takes_counts_towards_its_share() -> None:
    state = FleetState(6, frozenset({6, 7}), {0: 6, 1: 7}, {}, {4: frozenset({6}), 5: frozenset({6})})
    assert plan(state, OwnState(6)).take == frozenset({4, 5})
    assert plan(state, OwnState(7)).take == frozenset({2, 3})
