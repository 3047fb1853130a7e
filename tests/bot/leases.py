"""Leases without a database: what the processes of a fleet share stands in memory, and a test moves its clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.fleet import member as fleet
from bot.store.model import Deposed, ProcessRow, Reach, Roll, ShardRow, Signal, StoreError
from bot.store.postgres.beats import WATCHED, Beats


@dataclass
class Board:
    """What all processes see."""

    now: Callable[[], float]
    processes: dict[int, ProcessRow] = field(default_factory=dict[int, ProcessRow])
    until: dict[int, float] = field(default_factory=dict[int, float])
    shards: list[ShardRow] = field(default_factory=list[ShardRow])
    identified: dict[int, float] = field(default_factory=dict[int, float])
    listeners: list[Callable[[Signal], None]] = field(default_factory=list[Callable[[Signal], None]])
    away: bool = False
    """Whether nobody can reach it."""
    numbers: int = 0
    ahead: float = 0.0
    """By how much the clock that the leases run by was set forward."""

    def clock(self) -> float:
        return self.now() + self.ahead

    def lives(self, process: int | None) -> bool:
        return process is not None and self.until.get(process, 0.0) > self.clock()

    def depose(self, process: int) -> None:
        self.processes.pop(process, None)
        self.until.pop(process, None)
        for place, row in enumerate(self.shards):
            if row.owner == process:
                row = replace(row, owner=None)
            if row.heir == process:
                row = replace(row, heir=None, heir_ready=False)
            self.shards[place] = row

    def tell(self, signal: Signal) -> None:
        for heard in list(self.listeners):
            heard(signal)


class MemoryLeases:
    """What one process does with its leases."""

    def __init__(self, board: Board, name: str = "process") -> None:
        self.board = board
        self.name = name
        self.me = 0
        self._beats = Beats()
        self._heard: Callable[[Signal], None] | None = None

    def _check(self) -> None:
        if self.board.away:
            raise StoreError("the database is away")
        if self.me and self.me not in self.board.processes:
            raise Deposed("another process has taken over")

    def _roll(self) -> Roll:
        living = [row for row in self.board.processes.values() if self.board.lives(row.id)]
        self._beats.see(self.board.now(), {id: at for id, at in self.board.until.items() if id != self.me})
        ends = [at - self.board.clock() for other, at in self.board.until.items() if other != self.me]
        return Roll(
            self.me,
            tuple(sorted(living, key=lambda row: row.id)),
            tuple(self.board.shards),
            min((each for each in ends if each > 0), default=None),
        )

    async def shard_count(self) -> int | None:
        self._check()
        others = [process for process in self.board.processes if process != self.me]
        return len(self.board.shards) if any(map(self.board.lives, others)) else None

    async def begin(self, shard_count: int) -> Roll:
        self._check()
        if not self.board.processes:
            before = {row.shard: row.generation for row in self.board.shards}
            self.board.shards = [ShardRow(shard, None, before.get(shard, 0)) for shard in range(shard_count)]
        self.board.numbers += 1
        self.me = self.board.numbers
        self.board.processes[self.me] = ProcessRow(self.me, self.name, "1")
        self.board.until[self.me] = self.board.clock() + fleet.LEASE
        self.board.tell("leases")
        return self._roll()

    async def renew(self) -> Roll:
        self._check()
        self.board.until[self.me] = self.board.clock() + fleet.LEASE
        return self._roll()

    def _change(self, wanted: Sequence[int], change: Callable[[ShardRow], ShardRow | None]) -> Roll:
        self._check()
        changed = False
        for shard in wanted:
            row = change(self.board.shards[shard])
            if row is not None:
                self.board.shards[shard] = row
                changed = True
        if changed:
            self.board.tell("leases")
        return self._roll()

    async def take(self, shards: Sequence[int]) -> Roll:
        self._check()
        for shard in shards:
            owner = self.board.shards[shard].owner
            if owner is not None and not self.board.lives(owner):
                if self._beats.silent(owner, self.board.now()) < WATCHED * fleet.LEASE:
                    continue
                self.board.depose(owner)

        def take(row: ShardRow) -> ShardRow | None:
            if row.owner is not None:
                return None
            return ShardRow(row.shard, self.me, row.generation + 1)

        return self._change(shards, take)

    async def court(self, shards: Sequence[int]) -> Roll:
        def court(row: ShardRow) -> ShardRow | None:
            # The database's leases have struck a dead heir off the roll by then.
            if self.board.lives(row.heir) or row.owner == self.me:
                return None
            return replace(row, heir=self.me, heir_ready=False)

        return self._change(shards, court)

    async def renounce(self, shards: Sequence[int]) -> Roll:
        return self._change(
            shards,
            lambda row: replace(row, heir=None, heir_ready=False) if row.heir == self.me else None,
        )

    async def ready(self, shards: Sequence[int]) -> Roll:
        return self._change(
            shards, lambda row: replace(row, heir_ready=True) if row.heir == self.me else None
        )

    async def hand_over(self, shards: Sequence[int]) -> Roll:
        return self._change(
            shards,
            lambda row: (
                ShardRow(row.shard, row.heir, row.generation + 1)
                if row.owner == self.me and row.heir_ready
                else None
            ),
        )

    async def note_reach(self, reach: Reach) -> Roll:
        self._check()
        self.board.processes[self.me] = replace(self.board.processes[self.me], reach=reach)
        if reach == "cut off":
            for place, row in enumerate(self.board.shards):
                if row.heir == self.me:
                    self.board.shards[place] = replace(row, heir=None, heir_ready=False)
        self.board.tell("leases")
        return self._roll()

    async def drain(self, process: int) -> Roll:
        self._check()
        if process in self.board.processes:
            self.board.processes[process] = replace(self.board.processes[process], draining=True)
            self.board.tell("leases")
        return self._roll()

    async def leave(self) -> None:
        self._check()
        self.board.depose(self.me)
        if self._heard is not None:
            self.board.listeners.remove(self._heard)
        self.board.tell("leases")

    async def may_identify(self, bucket: int, every: float) -> float:
        self._check()
        wait = self.board.identified.get(bucket, -every) + every - self.board.now()
        if wait > 0:
            return wait
        self.board.identified[bucket] = self.board.now()
        return 0.0

    async def tell(self, signal: Signal) -> None:
        self._check()
        self.board.tell(signal)

    def listen(self, heard: Callable[[Signal], None]) -> None:
        self._heard = heard
        self.board.listeners.append(heard)
