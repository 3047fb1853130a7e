"""Several processes on one database: who holds which shard, and that nobody else writes its tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from bot.clock import ManualClock
from bot.store.base import (
    Change,
    Leases,
    NotHeld,
    ProcessName,
    Roll,
    TableRow,
)
from tests.bot.postgres import Server, server
from tests.bot.store.samples import Home, a_move, a_table

pytest.importorskip("asyncpg")

from bot.store.postgres.store import PostgresStore

LEASE = 0.8
"""Seconds that a lease lasts in these tests."""


def of_shard(shard: int, number: int = 1) -> int:
    """The id of a server of this shard, if there are up to 1000 shards of which 1000 is a multiple."""
    return (1000 * number + shard) << 22


def table_of(shard: int, channel: int = 1) -> TableRow:
    row = a_table(channel)
    row.guild_id = of_shard(shard)
    return row


@dataclass
class Fleet:
    """Stores that share one database."""

    running: Server
    database: str
    clock: ManualClock
    stores: list[PostgresStore] = field(default_factory=list[PostgresStore])

    async def join(self, shard_count: int | None = 4, url: str | None = None) -> PostgresStore:
        """One more process; it has begun unless `shard_count` is None."""
        name = ProcessName(f"process {len(self.stores)}", "1.0")
        store = PostgresStore(url or self.running.url(self.database), self.clock, shared=name, lease=LEASE)
        await store.open()
        self.stores.append(store)
        if shard_count is not None:
            await leases(store).begin(shard_count)
        return store

    async def query(self, sql: str) -> list[tuple[object, ...]]:
        return [*await Home(self.running.url(self.database)).query(sql)]


def leases(store: PostgresStore) -> Leases:
    assert store.leases is not None
    return store.leases


@pytest.fixture
async def fleet(clock: ManualClock) -> AsyncIterator[Fleet]:
    running = server()
    made = Fleet(running, await running.database(), clock)
    yield made
    for store in made.stores:
        await store.close()


def owners(roll: Roll) -> list[int | None]:
    return [row.owner for row in roll.shards]


async def test_the_first_sets_the_shard_count_and_who_joins_uses_it(fleet: Fleet) -> None:
    first = await fleet.join(None)
    assert await leases(first).shard_count() is None
    roll = await leases(first).begin(4)
    assert (roll.shard_count, owners(roll), roll.expires_in) == (4, [None] * 4, None)
    second = await fleet.join(None)
    assert await leases(second).shard_count() == 4
    roll = await leases(second).begin(9)
    assert roll.shard_count == 4
    assert [process.name for process in roll.processes] == ["process 0", "process 1"]
    assert roll.expires_in is not None
    assert 0 < roll.expires_in <= LEASE


async def test_a_shard_goes_from_its_owner_to_its_heir(fleet: Fleet) -> None:
    one, other = await fleet.join(), await fleet.join()
    roll = await leases(one).take([0, 1, 2, 3])
    me = roll.me
    assert owners(roll) == [me] * 4
    roll = await leases(other).take([2])
    assert owners(roll) == [me] * 4, "what is held cannot be taken"
    roll = await leases(other).court([2, 3])
    assert [row.heir for row in roll.shards] == [None, None, roll.me, roll.me]
    roll = await leases(one).hand_over([2])
    assert owners(roll) == [me] * 4, "its heir is not ready"
    await leases(other).ready([2])
    row = await one.create(Change(table_of(2)))
    roll = await leases(one).hand_over([2, 3])
    assert owners(roll) == [me, me, roll.processes[1].id, me]
    assert [each.generation for each in roll.shards] == [1, 1, 2, 1]
    with pytest.raises(NotHeld):
        await one.commit(a_move(row))
    row.sequence = 0
    await leases(other).renew()
    await other.commit(a_move(row))
    with pytest.raises(NotHeld):
        await other.create(Change(table_of(3, 2)))
    await leases(one).leave()
    roll = await leases(other).renew()
    assert owners(roll) == [None, None, roll.me, None]
    roll = await leases(other).take([0, 1, 3])
    assert owners(roll) == [roll.me] * 4
