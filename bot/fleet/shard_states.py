"""The shards of one process by state (owned, being acquired, being released, given away), and the transitions."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Collection
from typing import Final, Literal, Protocol

from bot.fleet.fleet import ShardHandler
from bot.fleet.locks import Locks, SessionLost
from bot.fleet.plan import NO_SHARDS, FleetState, Shards
from bot.store.model import StoreError

log = logging.getLogger(__name__)


ShardChange = Literal["taken", "received", "given", "lost"]
"""The cause of a gain or loss: taken when free, received from its owner, given away, or lost with the session."""
_OVERDUE_AFTER: Final = 1.2
"""Seconds after which any member takes a free shard, because the process that should take it may be frozen. All others
have checked the locks by then (`check_every`)."""
OVERLAP: Final = 0.5
"""Seconds for which the previous owner answers presses after the new owner has connected."""
_FINISHING: Final = 1.5
"""Seconds that running jobs may take before their shard is given away all the same."""
_UNCLAIMED_AFTER: Final = 1.0
"""Seconds after which a given shard without a new owner is taken back."""
_KEPT_FOR: Final = 8.0
"""Seconds for which a shard that was taken back is not given again, until a frozen standby's session has ended."""
_ACQUIRE_AGAIN: Final = 1.0
"""Seconds between two attempts to acquire a shard."""


class FleetMetrics(Protocol):
    """Metrics of the fleet."""

    def shards_moved(self, how: ShardChange, shards: int) -> None: ...
    def check_late(self, seconds: float) -> None: ...


Moved = Callable[[Shards, Shards, ShardChange], None]
"""Called with the gained shards, the lost shards, and the cause."""


class ShardStates:
    """The shards of this process, by state."""

    def __init__(self, handler: ShardHandler, locks: Locks, moved: Moved) -> None:
        self.handler, self._locks, self._moved = handler, locks, moved
        self._elapsed = locks.elapsed
        self.own: set[int] = set()
        """The owned shards that are ready."""
        self._acquiring: dict[int, asyncio.Task[None]] = {}
        """The owned shards that are being prepared."""
        self._releasing: dict[int, asyncio.Task[None]] = {}
        """The owned shards whose last jobs are finishing before they are given away."""
        self.given: dict[int, float | None] = {}
        """The shards given away but still connected, with the time of the first check that found a connected owner."""
        self._given_at: dict[int, float] = {}
        self._kept_until: dict[int, float] = {}
        """The shards that were taken back, with the time until which each is not given away again."""
        self._standing_down: set[int] = set()
        """The shards that are still connected after standing by, until they have a connected owner."""
        self._received: set[int] = set()
        """The shards that this process took over as their standby."""
        self._lost: dict[int, float] = {}
        """The shards lost to other processes with the session, with the time of the check that found the loss."""

    @property
    def working(self) -> Collection[int]:
        """The shards whose jobs this process starts."""
        return self.own - self._releasing.keys()

    @property
    def served(self) -> Collection[int]:
        """The shards whose presses this process answers."""
        return self.own | self._acquiring.keys() | self.given.keys()

    def unclaimed(self) -> Shards:
        """The shards given away that have no owner after `unclaimed_after` seconds: their standby may be frozen."""
        now = self._elapsed()
        return frozenset(
            shard
            for shard, seen in self.given.items()
            if seen is None and now - self._given_at[shard] >= _UNCLAIMED_AFTER
        )

    @property
    def is_moving(self) -> bool:
        """Whether any shard is changing owners."""
        return bool(self._acquiring or self._releasing or self.given)

    def lost_for(self, shard: int | None) -> float | None:
        """Seconds since the check that found the shard lost with the session; None if it was not lost."""
        since = self._lost.get(shard) if shard is not None else None
        return None if since is None else self._elapsed() - since

    def wanted(self, state: FleetState, me: int) -> Shards:
        """The shards that need a connection."""
        return (
            state.standby_shards(me).union(state.owned_by(me))
            | self.own
            | self.given.keys()
            | self._standing_down
        )

    def stand_down(self, shards: Collection[int]) -> None:
        """Leaves these shards connected after this process stopped standing by, until they have a connected owner."""
        self._standing_down |= set(shards) - self.own - self.given.keys()

    def receive(self, shards: Collection[int]) -> None:
        """Marks these shards as received from their owner."""
        self._received |= set(shards)

    def session_lost(self) -> Shards:
        """Cancels pending releases; returns all owned shards."""
        for task in self._releasing.values():
            task.cancel()
        self._releasing.clear()
        return frozenset(self.own | self._acquiring.keys())

    def close(self) -> None:
        """Cancels all transitions."""
        for task in (*self._releasing.values(), *self._acquiring.values()):
            task.cancel()

    def follow(self, state: FleetState, me: int) -> None:
        """Applies the state of the locks."""
        now, owned = self._elapsed(), frozenset(state.owned_by(me))
        reached = {shard for shard, owner in state.owners.items() if state.is_connected(shard, owner)}
        for shard, since in list(self.given.items()):
            seen = since or (now if shard in reached else None)
            if shard in owned:
                self._kept_until[shard] = now + _KEPT_FOR
            if shard in owned or (seen is not None and now - seen >= OVERLAP):
                del self.given[shard]
            else:
                self.given[shard] = seen
        self._standing_down -= reached | owned
        for shard in self._acquiring.keys() - owned:
            del self._acquiring[shard]
        self._lost = {shard: since for shard, since in self._lost.items() if shard not in owned}
        if lost := frozenset(self.own - owned):
            self._lost |= dict.fromkeys(lost, now)
            self._lose(lost, "lost")
        self.handler.connect_only(self.wanted(state, me))
        if gained := owned - self.own - self._acquiring.keys():
            task = asyncio.create_task(self._acquire(gained), name="taking shards on")
            self._acquiring |= dict.fromkeys(gained, task)

    def give(self, shards: Collection[int]) -> None:
        """Starts giving these owned shards away."""
        now = self._elapsed()
        kept = {shard for shard, until in self._kept_until.items() if now < until}
        for shard in self.own & set(shards) - self._releasing.keys() - kept:
            self._releasing[shard] = asyncio.create_task(self._give(shard), name=f"giving shard {shard} away")

    async def _give(self, shard: int) -> None:
        one = frozenset({shard})
        try:
            await self.handler.finish(one, _FINISHING)
            if not await self._locks.give(shard):
                return  # the standby has stood down meanwhile
        except SessionLost:
            return  # the next check of the locks finds the owner
        finally:
            self._releasing.pop(shard, None)
        self.given[shard], self._given_at[shard] = None, self._elapsed()
        self._lose(one, "given")

    def _lose(self, shards: Shards, how: ShardChange) -> None:
        self.own -= shards
        log.info("lost ownership of shards %s (%s)", listed(shards), how)
        self.handler.lost(shards)
        self._moved(NO_SHARDS, shards, how)

    async def _acquire(self, shards: Shards) -> None:
        try:
            await self.handler.gained(shards)
        except Exception as error:
            expected = isinstance(error, StoreError)
            log.warning("could not acquire shards %s yet: %s", listed(shards), error, exc_info=not expected)
            await asyncio.sleep(_ACQUIRE_AGAIN)
            return
        finally:
            # Some of the shards may have been lost meanwhile.
            me = asyncio.current_task()
            shards = frozenset(shard for shard in shards if self._acquiring.get(shard) is me)
            for shard in shards:
                del self._acquiring[shard]
        self.own |= shards
        received = shards & self._received
        self._received -= shards
        log.info("acquired shards %s, %s in all", listed(shards), len(self.own))
        if received:
            self._moved(received, NO_SHARDS, "received")
        if taken := shards - received:
            self._moved(taken, NO_SHARDS, "taken")


class FreeShards:
    """The shards without an owner, and the times since which they are free."""

    def __init__(self, locks: Locks) -> None:
        self._elapsed, self._after = locks.elapsed, _OVERDUE_AFTER
        self._since: dict[int, float] = {}

    def follow(self, state: FleetState, at: float) -> None:
        """Applies the state of the locks at this time. No shard counts as free until the state is settled."""
        free = set(range(state.shard_count)).difference(state.owners) if state.settled else ()
        self._since = {shard: self._since.get(shard, at) for shard in free}

    def clear(self) -> None:
        self._since.clear()

    def overdue(self) -> Shards:
        """The shards that have been free for so long that the process which should take them may be frozen."""
        before = self._elapsed() - self._after
        return frozenset(shard for shard, since in self._since.items() if since <= before)

    def next_overdue(self) -> float:
        """Seconds until a shard becomes overdue; infinite if none is free."""
        return min(self._since.values(), default=math.inf) + self._after - self._elapsed()


def listed(shards: Collection[int]) -> str:
    """Shard numbers as text for the log."""
    return ", ".join(str(shard) for shard in sorted(shards)) or "(none)"
