"""The plan: what one process is to do about Discord's shards, from what it sees in the database and knows of itself.

Every process makes its own plan from the same view, so no process has to tell another what to do. Nothing here waits,
asks the time or speaks to anybody. In the words of this module:

- an *owner* works for a shard: it does its jobs and is connected to Discord for it;
- a *member* takes a fair share of the shards; a process that *drains* is no member and gives all of its shards away;
- a *standby* connects a shard that it is to get, so that the owner can give it away without a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Shards = frozenset[int]
NO_SHARDS: Shards = frozenset()


@dataclass(frozen=True, slots=True)
class View:
    """What the locks in the database say at one moment. Processes are numbers: their sessions' process ids.

    `processes` has all that live, members or not. `connected` has those that Discord sends the events of a shard to. A
    process that gives a shard away is no longer among them, although its connection is closed a moment later. One that
    has ceased to stand by stays among them until it has seen that the shard has an owner.
    """

    shard_count: int
    members: frozenset[int] = frozenset()
    owners: Mapping[int, int] = field(default_factory=dict[int, int])
    standbys: Mapping[int, int] = field(default_factory=dict[int, int])
    connected: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    processes: frozenset[int] = frozenset()
    settled: bool = True
    """Whether any session is old enough to show that the database has not just restarted."""

    def owned_by(self, process: int) -> list[int]:
        return [shard for shard, owner in sorted(self.owners.items()) if owner == process]

    def stood_by_by(self, process: int) -> frozenset[int]:
        """The shards for which this process stands by."""
        return frozenset(shard for shard, standby in self.standbys.items() if standby == process)

    def is_connected(self, shard: int, process: int) -> bool:
        return process in self.connected.get(shard, frozenset())


@dataclass(frozen=True, slots=True)
class Mine:
    """What a process knows of itself.

    After a restart of the database all sessions are new, and each process first takes what it owned: `before` has the
    shards that it owned in the session that it lost. `not_taken` has those that it has given away and nobody has taken.
    `overdue` has those that have been free for so long that whoever should take them does not: it may be frozen.
    """

    process: int
    draining: bool = False
    before: Shards = NO_SHARDS
    not_taken: Shards = NO_SHARDS
    overdue: Shards = NO_SHARDS


@dataclass(frozen=True, slots=True)
class Actions:
    """What the process is to do now, in this order. `member` is whether it is to be a member."""

    member: bool
    give: Shards = NO_SHARDS
    """To their standbys, which are connected."""
    take: Shards = NO_SHARDS
    stand_by: Shards = NO_SHARDS
    step_back: Shards = NO_SHARDS
    """No longer to stand by for these."""


def plan(view: View, mine: Mine) -> Actions:
    """What a process is to do."""
    member = not mine.draining and (mine.process in view.members or _may_join(view, mine.process))
    members = view.members | {mine.process} if member else view.members - {mine.process}
    shares = fair_shares(view, members)
    take = _to_take(view, mine, shares)
    stand_by, step_back = _standing_by(view, mine, shares, take)
    return Actions(member, _to_give(view, mine, shares), take, stand_by, step_back)


def _may_join(view: View, process: int) -> bool:
    """Whether the process has shown that it reaches Discord, or no member does, or no shard is left for it.

    A process that is cut off from Discord while members are not therefore gets no share.
    """
    there = frozenset[int]().union(*view.connected.values())
    share = fair_shares(view, view.members | {process})[process]
    return process in there or not there & view.members or not share


def fair_shares(view: View, members: Iterable[int]) -> dict[int, int]:
    """How many shards each member is to own. The members that own most already get the remainder.

    >>> fair_shares(View(7, owners={0: 20, 1: 20, 2: 10}), [10, 20, 30])
    {20: 3, 10: 2, 30: 2}
    """
    owned = _owned(view)
    ordered = sorted(members, key=lambda process: (-owned.get(process, 0), process))
    if not ordered:
        return {}
    each, more = divmod(view.shard_count, len(ordered))
    return {process: each + (number < more) for number, process in enumerate(ordered)}


def _owned(view: View) -> dict[int, int]:
    """How many shards each owner has."""
    owned: dict[int, int] = {}
    for owner in view.owners.values():
        owned[owner] = owned.get(owner, 0) + 1
    return owned


def _to_give(view: View, mine: Mine, shares: Mapping[int, int]) -> Shards:
    """The shards that go to their connected standbys: as many as the process owns beyond its share."""
    me = mine.process
    owned = view.owned_by(me)
    ready = [
        shard
        for shard in owned
        if (standby := view.standbys.get(shard)) is not None
        and standby != me
        and view.is_connected(shard, standby)
    ]
    return frozenset(ready[: max(0, len(owned) - shares.get(me, 0))])


def _to_take(view: View, mine: Mine, shares: Mapping[int, int]) -> Shards:
    """The shards without an owner that this process is to own."""
    me = mine.process
    free = [shard for shard in range(view.shard_count) if shard not in view.owners]
    again = mine.not_taken | {shard for shard in mine.before if _is_left_to(view, shard, me)}
    if mine.draining:
        return again.intersection(free)  # to be given away without a gap
    mine_at_once = [shard for shard in free if shard in again or _comes_next(view, shard, me)]
    if me not in shares or not view.settled:
        return frozenset(mine_at_once)
    next_of = {
        shard: next((each for each in shares if _comes_next(view, shard, each)), None) for shard in free
    }
    rest = [shard for shard in free if shard not in mine_at_once and next_of[shard] is None]
    owned = _owned(view)
    for process in next_of.values():
        if process not in (None, me):
            owned[process] = owned.get(process, 0) + 1
    owned[me] = owned.get(me, 0) + len(mine_at_once)
    wants = {process: max(0, share - owned.get(process, 0)) for process, share in shares.items()}
    return frozenset([*mine_at_once, *_portion(rest, wants, me), *mine.overdue.intersection(free)])


def _is_left_to(view: View, shard: int, process: int) -> bool:
    """Whether a free shard that this process owned before is connected here or nowhere, and not given to a standby."""
    there = view.connected.get(shard, frozenset())
    return view.standbys.get(shard) not in there - {process} and (process in there or not there)


def _comes_next(view: View, shard: int, process: int) -> bool:
    """Whether a free shard falls to this process at once, because it is connected for it.

    Of several the standby comes first, and then the one with the lowest number.
    """
    there = view.connected.get(shard, frozenset())
    standby = view.standbys.get(shard)
    return process in there and process == (standby if standby in there else min(there))


def _standing_by(view: View, mine: Mine, shares: Mapping[int, int], take: Shards) -> tuple[Shards, Shards]:
    """The shards to begin and to cease to stand by for."""
    me = mine.process
    current = view.stood_by_by(me)
    if mine.draining:
        return NO_SHARDS, current
    if me not in shares:  # it shows with one shard that it reaches Discord, as if it had joined
        shares = fair_shares(view, {*shares, me})
        shares[me] = min(1, shares[me])
    surplus = _surplus(view, shares)
    useful = [shard for shard in current if shard not in take and _is_useful(view, shard, me, surplus)]
    owned = _owned(view)
    wants = {process: max(0, share - owned.get(process, 0)) for process, share in shares.items()}
    wants[me] = max(0, wants[me] - len(take))
    # A connected standby gets its shard in a moment, so one that is not connected yet is given up first.
    useful.sort(key=lambda shard: (not view.is_connected(shard, me), shard))
    kept = useful[: wants[me]]
    step_back = current.difference(kept)
    wants[me] -= len(kept)
    if len(view.owners) < view.shard_count:  # a free shard is taken first
        return NO_SHARDS, step_back
    return frozenset(_portion(_offered(view, surplus, me), wants, me)), step_back


def _surplus(view: View, shares: Mapping[int, int]) -> dict[int, int]:
    """By owner: how many shards it owns beyond its share. A process that is no member has no share."""
    found = {owner: number - shares.get(owner, 0) for owner, number in _owned(view).items()}
    return {owner: number for owner, number in found.items() if number > 0}


def _is_useful(view: View, shard: int, me: int, surplus: Mapping[int, int]) -> bool:
    """Whether the owner of the shard is still to give it away."""
    owner = view.owners.get(shard)
    return owner is not None and owner != me and owner in surplus


def _offered(view: View, surplus: Mapping[int, int], me: int) -> list[int]:
    """The shards that somebody may stand by for: never more of an owner than it is to give away."""
    left = dict(surplus)
    for shard in view.standbys:
        owner = view.owners.get(shard)
        if owner in left:
            left[owner] -= 1
    offered: list[int] = []
    for shard, owner in sorted(view.owners.items(), reverse=True):
        if owner != me and shard not in view.standbys and left.get(owner, 0) > 0:
            left[owner] -= 1
            offered.append(shard)
    return offered


def _portion(shards: list[int], wants: Mapping[int, int], me: int) -> list[int]:
    """The part of these shards that falls to this process when each gets as many as it wants, in order of number."""
    begin = 0
    for process, wanted in sorted(wants.items()):
        if process == me:
            return shards[begin : begin + wanted]
        begin += wanted
    return []
