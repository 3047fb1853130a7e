"""Who is to hold which of Discord's shards: a plan that every process makes for itself from the same roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.store.model import Roll, ShardRow


@dataclass(frozen=True, slots=True)
class Plan:
    """What a process does next: the shards that it takes, and those whose heir it becomes.

    `free` are all shards that nobody living holds. Those of them that it does not take are left to others for now.
    `uncourted` are those that have no heir yet although their owner drains.
    """

    take: tuple[int, ...] = ()
    court: tuple[int, ...] = ()
    free: frozenset[int] = frozenset()
    uncourted: frozenset[int] = frozenset()


def plan(
    roll: Roll, waited: Collection[int] = (), avoided: Collection[int] = (), *, steady: bool = True
) -> Plan:
    """What the process `roll.me` does next. Every process that sees the same roll gives each shard to the same one.

    Who is cut off from Discord has no share while another process is connected. It gives up what it holds as if it
    drained, and courts a single shard, to find out whether it gets connected again.

    `waited` are the free and the uncourted shards that were left to others long enough. It courts none of the
    `avoided`, which it could not get connected. Only who is `steady` takes from the dead.
    """
    living = {process.id for process in roll.processes}
    active = serving(roll)
    free = [row for row in roll.shards if row.owner not in living]
    unowned = frozenset(row.shard for row in free)
    if roll.me not in active:
        return Plan(free=unowned, court=() if avoided else _probe(roll, living, active))
    needs = _needs(roll, living, active)
    if free:
        portions = _deal([row.shard for row in free if row.heir not in active], dict(needs))
        mine = {row.shard for row in free if row.heir == roll.me or row.shard in waited}
        mine |= {shard for shard, process in portions.items() if process == roll.me}
        can = (row for row in free if row.shard in mine and (steady or row.owner is None))
        return Plan(take=tuple(row.shard for row in can), free=unowned)
    wanted = _courtships(roll.shards, living, needs)
    uncourted = {row.shard for row in roll.shards if row.owner not in active and row.heir not in living}
    court = {shard for shard, process in wanted.items() if process == roll.me} | uncourted.intersection(
        waited
    )
    return Plan(court=tuple(sorted(court.difference(avoided))), uncourted=frozenset(uncourted))


def serving(roll: Roll) -> list[int]:
    """The processes that share the shards, oldest first.

    Those are all that do not drain, without those that are cut off from Discord if any of the others is connected. If
    nobody is, nobody is left out: then the trouble is Discord's own.
    """
    active = [process for process in roll.processes if not process.draining]
    if any(process.reach == "connected" for process in active):
        active = [process for process in active if process.reach != "cut off"]
    return sorted(process.id for process in active)


def _probe(roll: Roll, living: Collection[int], active: Collection[int]) -> tuple[int, ...]:
    """The shard with which a process that is cut off tries to get connected again, if it has none for that yet."""
    if any(process.id == roll.me and process.draining for process in roll.processes):
        return ()
    if any(roll.me in (row.owner, row.heir) for row in roll.shards):
        return ()
    free = [row.shard for row in roll.shards if row.owner in active and row.heir not in living]
    return (max(free),) if free else ()


def shares(shards: int, active: Sequence[int]) -> dict[int, int]:
    """How many shards each of the processes is to hold. The oldest get one more where it does not come out even."""
    each, more = divmod(shards, len(active))
    return {process: each + (place < more) for place, process in enumerate(sorted(active))}


def _needs(roll: Roll, living: set[int], active: Sequence[int]) -> dict[int, int]:
    """How many shards each process lacks, those counted that it is the heir of; negative if it has too many.

    An heir that shares the shards no more gets none.
    """
    going = Counter(
        row.heir if row.heir in active else row.owner
        for row in roll.shards
        if row.heir in active or row.owner in living
    )
    share = shares(roll.shard_count, active)
    return {process: share.get(process, 0) - going[process] for process in sorted(living)}


def _deal(shards: Iterable[int], needs: dict[int, int]) -> dict[int, int]:
    """Gives each shard to the process that then lacks the most; of equals, to the oldest one."""
    dealt: dict[int, int] = {}
    for shard in shards:
        process = max(needs, key=lambda each: (needs[each], -each))
        needs[process] -= 1
        dealt[shard] = process
    return dealt


def _courtships(shards: Sequence[ShardRow], living: set[int], needs: Mapping[int, int]) -> dict[int, int]:
    """Whose heir each process is to become, by shard, so that nobody has too many: the last ones go first."""
    lacking = {process: need for process, need in needs.items() if need > 0}
    surplus = {process: -need for process, need in needs.items() if need < 0}
    wanted: dict[int, int] = {}
    for row in sorted(shards, key=lambda row: -row.shard):
        if row.owner is None or row.heir in living or not surplus.get(row.owner) or not any(lacking.values()):
            continue
        surplus[row.owner] -= 1
        wanted |= _deal([row.shard], lacking)
    return wanted
