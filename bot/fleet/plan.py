"""The plan of one process: a pure function of the locks and of the process's own state.

Every process plans from the same locks, so processes need not negotiate. The terms:

- an *owner* runs the jobs of a shard and connects the shard to Discord;
- a *member* takes a fair share of the shards; a *draining* process is no member and gives all of its shards away;
- a *standby* connects a shard before it becomes the owner, so that presses are answered without a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Shards = frozenset[int]
NO_SHARDS: Shards = frozenset()


@dataclass(frozen=True, slots=True)
class FleetState:
    """The locks of all processes at one moment. A process is identified by the process id of its database session.

    `processes`: all live processes, members or not. `connected`: by shard, the processes that receive its events. A
    process that gives a shard away leaves `connected` a moment before its connection closes. A process that stopped
    standing by stays in `connected` until the shard has a connected owner.
    """

    shard_count: int
    members: frozenset[int] = frozenset()
    owners: Mapping[int, int] = field(default_factory=dict[int, int])
    standbys: Mapping[int, int] = field(default_factory=dict[int, int])
    connected: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    processes: frozenset[int] = frozenset()
    settled: bool = True
    """Whether a session is old enough to rule out a recent restart of the database."""

    def owned_by(self, process: int) -> list[int]:
        return [shard for shard, owner in sorted(self.owners.items()) if owner == process]

    def standby_shards(self, process: int) -> frozenset[int]:
        """The shards for which this process stands by."""
        return frozenset(shard for shard, standby in self.standbys.items() if standby == process)

    def is_connected(self, shard: int, process: int) -> bool:
        return process in self.connected.get(shard, frozenset())


@dataclass(frozen=True, slots=True)
class OwnState:
    """The state of the planning process.

    `before`: the shards that the process owned in a lost session. After a restart of the database all sessions are new,
    and each process first retakes these shards. `unclaimed`: shards given away that no process has taken. `overdue`:
    shards that have been free for so long that the process which should take them may be frozen.
    """

    process: int
    draining: bool = False
    before: Shards = NO_SHARDS
    unclaimed: Shards = NO_SHARDS
    overdue: Shards = NO_SHARDS


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions of a process after one check of the locks."""

    member: bool
    """Whether the process is to be a member."""
    give: Shards = NO_SHARDS
    """The shards to give away to their connected standbys."""
    take: Shards = NO_SHARDS
    stand_by: Shards = NO_SHARDS
    """The shards to start standing by for."""
    stand_down: Shards = NO_SHARDS
    """The shards to stop standing by for."""


def plan(state: FleetState, own: OwnState) -> Actions:
    """The actions of a process."""
    member = not own.draining and (own.process in state.members or _may_join(state, own.process))
    members = state.members | {own.process} if member else state.members - {own.process}
    shares = fair_shares(state, members)
    take = _to_take(state, own, shares)
    stand_by, stand_down = _standing_by(state, own, shares, take)
    return Actions(member, _to_give(state, own, shares), take, stand_by, stand_down)


def _may_join(state: FleetState, process: int) -> bool:
    """Whether the process has a connection to Discord, or no member has a connection, or its share would be empty.

    A process that is partitioned from Discord thus gets no share while members are connected.
    """
    there = frozenset[int]().union(*state.connected.values())
    share = fair_shares(state, state.members | {process})[process]
    return process in there or not there & state.members or not share


def fair_shares(state: FleetState, members: Iterable[int]) -> dict[int, int]:
    """The number of shards that each member should own. The remainder goes to the members that own most shards.

    >>> fair_shares(FleetState(7, owners={0: 20, 1: 20, 2: 10}), [10, 20, 30])
    {20: 3, 10: 2, 30: 2}
    """
    owned = _owned(state)
    ordered = sorted(members, key=lambda process: (-owned.get(process, 0), process))
    if not ordered:
        return {}
    each, more = divmod(state.shard_count, len(ordered))
    return {process: each + (number < more) for number, process in enumerate(ordered)}


def _owned(state: FleetState) -> dict[int, int]:
    owned: dict[int, int] = {}
    for owner in state.owners.values():
        owned[owner] = owned.get(owner, 0) + 1
    return owned


def _to_give(state: FleetState, own: OwnState, shares: Mapping[int, int]) -> Shards:
    """The surplus shards that have connected standbys."""
    me = own.process
    owned = state.owned_by(me)
    ready = [
        shard
        for shard in owned
        if (standby := state.standbys.get(shard)) is not None
        and standby != me
        and state.is_connected(shard, standby)
    ]
    return frozenset(ready[: max(0, len(owned) - shares.get(me, 0))])


def _to_take(state: FleetState, own: OwnState, shares: Mapping[int, int]) -> Shards:
    me = own.process
    free = [shard for shard in range(state.shard_count) if shard not in state.owners]
    again = own.unclaimed | {shard for shard in own.before if _may_retake(state, shard, me)}
    # A draining process takes shards back to give them away without a gap. Until sessions are settled, the owner of
    # another shard may still be on a server that was replaced.
    if own.draining or not state.settled:
        return again.intersection(free)
    mine_at_once = [shard for shard in free if shard in again or _takes_now(state, shard, me)]
    if me not in shares:
        return frozenset(mine_at_once)
    taker = {shard: next((each for each in shares if _takes_now(state, shard, each)), None) for shard in free}
    rest = [shard for shard in free if shard not in mine_at_once and taker[shard] is None]
    owned = _owned(state)
    for process in taker.values():
        if process not in (None, me):
            owned[process] = owned.get(process, 0) + 1
    owned[me] = owned.get(me, 0) + len(mine_at_once)
    wants = {process: max(0, share - owned.get(process, 0)) for process, share in shares.items()}
    return frozenset([*mine_at_once, *_portion(rest, wants, me), *own.overdue.intersection(free)])


def _may_retake(state: FleetState, shard: int, process: int) -> bool:
    """Whether a process may retake a free shard: it is connected, or no process is; and no other standby is."""
    there = state.connected.get(shard, frozenset())
    return state.standbys.get(shard) not in there - {process} and (process in there or not there)


def _takes_now(state: FleetState, shard: int, process: int) -> bool:
    """Whether this process takes a free shard immediately, because it has the shard connected.

    Among several connected processes, the standby comes first, then the lowest process id.
    """
    there = state.connected.get(shard, frozenset())
    standby = state.standbys.get(shard)
    return process in there and process == (standby if standby in there else min(there))


def _standing_by(
    state: FleetState, own: OwnState, shares: Mapping[int, int], take: Shards
) -> tuple[Shards, Shards]:
    me = own.process
    current = state.standby_shards(me)
    if own.draining:
        return NO_SHARDS, current
    if me not in shares:  # a joining process first connects one shard
        shares = fair_shares(state, {*shares, me})
        shares[me] = min(1, shares[me])
    surplus = _surplus(state, shares)
    others = surplus.keys() - {me}
    useful = [shard for shard in current if shard not in take and state.owners.get(shard) in others]
    owned = _owned(state)
    wants = {process: max(0, share - owned.get(process, 0)) for process, share in shares.items()}
    wants[me] = max(0, wants[me] - len(take))
    # Shards that are not connected yet are dropped first, because this process receives the connected ones soon.
    useful.sort(key=lambda shard: (not state.is_connected(shard, me), shard))
    kept = useful[: wants[me]]
    stand_down = current.difference(kept)
    wants[me] -= len(kept)
    if len(state.owners) < state.shard_count:  # free shards come first
        return NO_SHARDS, stand_down
    return frozenset(_portion(_offered(state, surplus, me), wants, me)), stand_down


def _surplus(state: FleetState, shares: Mapping[int, int]) -> dict[int, int]:
    """The number of shards beyond the fair share, by owner. The share of a process that is no member is 0."""
    found = {owner: number - shares.get(owner, 0) for owner, number in _owned(state).items()}
    return {owner: number for owner, number in found.items() if number > 0}


def _offered(state: FleetState, surplus: Mapping[int, int], me: int) -> list[int]:
    """The shards to stand by for, at most the surplus of each owner."""
    left = dict(surplus)
    for shard in state.standbys:
        owner = state.owners.get(shard)
        if owner in left:
            left[owner] -= 1
    offered: list[int] = []
    for shard, owner in sorted(state.owners.items(), reverse=True):
        if owner != me and shard not in state.standbys and left.get(owner, 0) > 0:
            left[owner] -= 1
            offered.append(shard)
    return offered


def _portion(shards: list[int], wants: Mapping[int, int], me: int) -> list[int]:
    """This process's part of the shards, if they are divided by the numbers in `wants`, in order of process id."""
    begin = 0
    for process, wanted in sorted(wants.items()):
        if process == me:
            return shards[begin : begin + wanted]
        begin += wanted
    return []
