"""The shards that one process works for, is about to, or has just given away, and what follows from each change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final, Literal, Protocol

from bot.fleet.locks import Locks, SessionLost
from bot.fleet.plan import NO_SHARDS, Shards, View
from bot.store.model import StoreError

log = logging.getLogger(__name__)

OVERLAP: Final = 0.5
"""Seconds for which a process that has given a shard away answers presses on after it has seen the new owner."""
FINISHING: Final = 1.5
"""Seconds that jobs under way may take before their shard is given away all the same."""
NOT_TAKEN: Final = 1.0
"""Seconds after which a shard that was given away and that nobody has taken is taken back."""
KEPT: Final = 8.0
"""Seconds for which it is then kept: until the session of a standby that is frozen has ended."""
AGAIN: Final = 1.0
"""Seconds until a shard is prepared for again if that has failed."""

Passing = Literal["taken", "received", "given", "lost"]
"""How a shard has come or gone: taken when free, received from its owner, given away, or lost with the session."""


class Keeper(Protocol):
    """What a process does with the shards that it owns."""

    async def gained(self, shards: Shards) -> None:
        """Called before the first job of these shards is begun. Raises `StoreError`, and is then called again."""
        ...

    def lost(self, shards: Shards) -> None:
        """Called when this process does no jobs for these shards any more."""
        ...

    async def finish(self, shards: Shards, within: float) -> None:
        """Waits for the jobs under way for these shards, for so many seconds at most. Nothing new is begun."""
        ...

    def connect_only(self, shards: Shards) -> None:
        """Has connections to Discord for these shards, and closes all others."""
        ...

    def connected(self, shard: int) -> bool:
        """Whether Discord sends this process the presses on this shard."""
        ...

    def waits_in_turn(self) -> bool:
        """Whether a shard waits only for its turn to identify at Discord."""
        ...

    def shared_by(self, processes: int, at: float) -> None:
        """Called at each look with the number of processes that live, which share what Discord allows to all.

        `at` is when there were so many, at the latest.
        """
        ...


class Watcher(Protocol):
    """Counts what happens to the shards."""

    def shards_moved(self, how: Passing, shards: int) -> None: ...
    def look_late(self, seconds: float) -> None: ...


Moved = Callable[[Shards, Shards, Passing], None]
"""Called with the shards that this process has gained or lost, and how."""


class Holding:
    """What this process has to do with each shard."""

    def __init__(self, keeper: Keeper, locks: Locks, moved: Moved, elapsed: Callable[[], float]) -> None:
        self._keeper, self._locks, self._moved, self._elapsed = keeper, locks, moved, elapsed
        self.own: set[int] = set()
        """Those that it owns and is prepared for."""
        self._taking_on: dict[int, asyncio.Task[None]] = {}
        """Those that it owns and prepares for."""
        self._giving: dict[int, asyncio.Task[None]] = {}
        """Those of its own whose jobs it finishes to give them away."""
        self.given: dict[int, float | None] = {}
        """Those that it has given away and is still connected for; and since when it has seen a connected new owner."""
        self._given_at: dict[int, float] = {}
        self._kept_until: dict[int, float] = {}
        """Those that it has taken back because nobody took them, and until when it does not give them again."""
        self._stepping_back: set[int] = set()
        """Those that it stood by for, connected, until it has seen that they have a connected owner."""
        self._received: set[int] = set()
        """Those that it got as their standby."""
        self._lost: dict[int, float] = {}
        """Those that another process owns since this one has lost its session, and when this one has seen it."""

    @property
    def working(self) -> Collection[int]:
        """Those whose jobs it begins."""
        return self.own - self._giving.keys()

    @property
    def served(self) -> Collection[int]:
        """Those whose presses it answers."""
        return self.own | self._taking_on.keys() | self.given.keys()

    def not_taken(self) -> Shards:
        """Those that it has given away a while ago, and that still have no owner: their standby may be frozen."""
        now = self._elapsed()
        return frozenset(
            shard
            for shard, seen in self.given.items()
            if seen is None and now - self._given_at[shard] >= NOT_TAKEN
        )

    @property
    def is_moving(self) -> bool:
        """Whether any is on its way from or to another process."""
        return bool(self._taking_on or self._giving or self.given)

    def lost_for(self, shard: int | None) -> float | None:
        """Seconds since this process saw that it has lost the shard with its session; None if it has not."""
        since = self._lost.get(shard) if shard is not None else None
        return None if since is None else self._elapsed() - since

    def wanted(self, view: View, me: int) -> Shards:
        """Those for which it is to be connected."""
        return (
            view.stood_by_by(me).union(view.owned_by(me)) | self.own | self.given.keys() | self._stepping_back
        )

    def step_back(self, shards: Collection[int]) -> None:
        """It has ceased to stand by for these, for which it is connected."""
        self._stepping_back |= set(shards) - self.own - self.given.keys()

    def receive(self, shards: Collection[int]) -> None:
        """It has got these as their standby."""
        self._received |= set(shards)

    def session_lost(self) -> Shards:
        """What is being given away stays its own; returns all that it owned."""
        for task in self._giving.values():
            task.cancel()
        self._giving.clear()
        return frozenset(self.own | self._taking_on.keys())

    def close(self) -> None:
        """Nothing more is begun."""
        for task in (*self._giving.values(), *self._taking_on.values()):
            task.cancel()

    def follow(self, view: View, me: int) -> None:
        """Follows what the locks say."""
        now, owned = self._elapsed(), frozenset(view.owned_by(me))
        reached = {shard for shard, owner in view.owners.items() if view.is_connected(shard, owner)}
        for shard, since in list(self.given.items()):
            seen = since or (now if shard in reached else None)
            if shard in owned:
                self._kept_until[shard] = now + KEPT
            if shard in owned or (seen is not None and now - seen >= OVERLAP):
                del self.given[shard]
            else:
                self.given[shard] = seen
        self._stepping_back -= reached | owned
        for shard in self._taking_on.keys() - owned:
            del self._taking_on[shard]
        self._lost = {shard: since for shard, since in self._lost.items() if shard not in owned}
        if lost := frozenset(self.own - owned):
            self._lost |= dict.fromkeys(lost, now)
            self._lose(lost, "lost")
        self._keeper.connect_only(self.wanted(view, me))
        if gained := owned - self.own - self._taking_on.keys():
            task = asyncio.create_task(self._take_on(gained), name="taking shards on")
            self._taking_on |= dict.fromkeys(gained, task)

    def give(self, shards: Collection[int]) -> None:
        """Begins to give these of its own away."""
        now = self._elapsed()
        kept = {shard for shard, until in self._kept_until.items() if now < until}
        for shard in self.own & set(shards) - self._giving.keys() - kept:
            self._giving[shard] = asyncio.create_task(self._give(shard), name=f"giving shard {shard} away")

    async def _give(self, shard: int) -> None:
        one = frozenset({shard})
        try:
            await self._keeper.finish(one, FINISHING)
            await self._locks.give(one)
        except SessionLost:
            return  # the next look finds out whose it is
        finally:
            self._giving.pop(shard, None)
        self.given[shard], self._given_at[shard] = None, self._elapsed()
        self._lose(one, "given")

    def _lose(self, shards: Shards, how: Passing) -> None:
        self.own -= shards
        log.info("this process owns the shards %s no more (%s)", listed(shards), how)
        self._keeper.lost(shards)
        self._moved(NO_SHARDS, shards, how)

    async def _take_on(self, shards: Shards) -> None:
        try:
            await self._keeper.gained(shards)
        except Exception as error:
            expected = isinstance(error, StoreError)
            log.warning(
                "the shards %s are not taken on yet: %s", listed(shards), error, exc_info=not expected
            )
            await asyncio.sleep(AGAIN)
            return
        finally:
            # Some may have been lost meanwhile.
            me = asyncio.current_task()
            shards = frozenset(shard for shard in shards if self._taking_on.get(shard) is me)
            for shard in shards:
                del self._taking_on[shard]
        self.own |= shards
        received = shards & self._received
        self._received -= shards
        log.info("this process owns the shards %s now, %s in all", listed(shards), len(self.own))
        if received:
            self._moved(received, NO_SHARDS, "received")
        if taken := shards - received:
            self._moved(taken, NO_SHARDS, "taken")


def listed(shards: Collection[int]) -> str:
    """These shards for a line of the log."""
    return ", ".join(str(shard) for shard in sorted(shards)) or "(none)"
