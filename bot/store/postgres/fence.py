"""What lets a write of this process through, and the shards that it holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.store.base import NotHeld, Roll, shard_of


@dataclass(frozen=True, slots=True)
class Permit:
    """What a write shows at the fence, in the order of its parameters there.

    `ticket` is a number that no other write of this process has. `handed` is how often the process had handed shards
    over when the write began. `shard` is None for a write that concerns no server.
    """

    era: int
    slot: int
    ticket: int
    handed: int
    shard: int | None = None
    generation: int | None = None

    @property
    def values(self) -> tuple[int | None, ...]:
        return self.era, self.slot, self.ticket, self.handed, self.shard, self.generation


@dataclass(slots=True)
class Holding:
    """The shards that this process holds, with their generations, as far as it knows."""

    shard_count: int = 0
    generations: dict[int, int] = field(default_factory=dict[int, int])
    handed: int = 0

    def learn(self, roll: Roll) -> None:
        self.shard_count = roll.shard_count
        self.generations = {row.shard: row.generation for row in roll.shards if row.owner == roll.me}

    def forget(self) -> None:
        """For a process that opens the store anew."""
        self.shard_count, self.generations, self.handed = 0, {}, 0

    def shard_of(self, server: int) -> int | None:
        """The shard of the server with this id; None while there are no shards."""
        return shard_of(server, self.shard_count) if self.shard_count else None

    def permit(self, era: int, slot: int, ticket: int, server: int | None) -> Permit:
        """The permit for a write of a table of this server, or of none. Raises `NotHeld`."""
        if server is None:
            return Permit(era, slot, ticket, self.handed)
        shard = self.shard_of(server)
        generation = None if shard is None else self.generations.get(shard)
        if shard is None or generation is None:
            raise not_held()
        return Permit(era, slot, ticket, self.handed, shard, generation)

    @property
    def all_held(self) -> bool:
        return 0 < self.shard_count == len(self.generations)


def not_held() -> NotHeld:
    return NotHeld("Another process holds this server's shard. Nothing was written; the other one goes on.")
