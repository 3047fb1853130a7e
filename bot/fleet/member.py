"""A process of a fleet: takes its fair share of Discord's shards, gives away its surplus, and detects a partition.

Every second, and after each event, the process reads the locks (`bot.fleet.locks`), makes its plan (`bot.fleet.plan`)
and carries it out. A shard is given only to a connected standby. The previous owner answers presses until the new owner
is connected and its own connection is closed (`bot.fleet.shard_states`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.background import first_of
from bot.fleet.fleet import Changed, Fleet, Notification, Partitioned, ProcessState, ShardHandler
from bot.fleet.locks import LockKind, Locks, SessionLost
from bot.fleet.notifications import Notifications
from bot.fleet.plan import NO_SHARDS, Actions, FleetState, OwnState, Shards, fair_shares, plan
from bot.fleet.shard_states import FleetMetrics, FreeShards, ShardChange, ShardStates, listed
from bot.store.engine import Shards as Served
from bot.store.model import StoreError, StoreUnreachable, shard_of


class Connectivity:
    """Holds the lock CONNECTED for each connected shard, and detects that this process is partitioned from Discord."""

    def __init__(self, handler: ShardHandler, locks: Locks, shards: ShardStates) -> None:
        self._handler, self._locks, self._shards = handler, locks, shards
        self.shown: set[int] = set()
        """The shards for which this process holds CONNECTED."""
        self._partitioned_since: float | None = None

    async def show(self, state: FleetState, me: int) -> None:
        """Takes and releases CONNECTED to match the connections. A shard given away does not count as connected."""
        wanted = self._shards.wanted(state, me) - self._shards.given.keys()
        connected = {shard for shard in wanted if self._handler.connected(shard)}
        await self._locks.free(LockKind.CONNECTED, self.shown - connected)
        self.shown &= connected
        new = connected - self.shown - self._shards.given.keys()  # a shard may have been given away meanwhile
        self.shown |= await self._locks.take(LockKind.CONNECTED, new)

    def check(self, state: FleetState, me: int) -> None:
        """Raises `Partitioned` if this process has no connection to Discord while another member has one."""
        now, after = self._locks.elapsed(), self._locks.timing.partitioned_after
        others = any(there & state.members - {me} for there in state.connected.values())
        if self.shown or not self._shards.own or not others or self._handler.waits_in_turn():
            self._partitioned_since = None
            return
        self._partitioned_since = self._partitioned_since or now
        if now - self._partitioned_since >= after:
            raise Partitioned(
                f"This process has had no connection to Discord for {after:.0f} s, while others have. It ends, "
                "so that they take its shards. Check this machine's network, firewall and clock."
            )


log = logging.getLogger(__name__)

_STEPS: Final = 5
"""Maximum number of plans per check."""
_BEGINNINGS: Final = 3
"""Attempts to join while the database does not answer."""
_CHECK_WHILE_MOVING: Final = 0.1
"""Seconds between two checks while a shard is changing owners."""
_UNSETTLED_FOR: Final = 10.0
"""Seconds after a change of owners or processes in which a press may reach two processes."""
_LATE_AFTER: Final = 2.0
"""Delay of a check, in seconds, above which the log has a warning."""


@dataclass(frozen=True, slots=True)
class FleetStatus:
    """The status of this process and its fleet, for monitoring."""

    shard_count: int = 0
    owned: Shards = NO_SHARDS
    standby: Shards = NO_SHARDS
    given: Shards = NO_SHARDS
    """The shards given away, but still connected."""
    answer_age: float = 0.0
    """Seconds since the last answered statement on the fleet session was sent."""
    certain: bool = False
    """Whether the owned shards are certainly still owned."""
    members: int = 0
    draining: int = 0
    """The number of live processes that are not members."""
    drains: bool = False
    is_member: bool = False
    share: int = 0
    """The least number of shards that this process should own."""


class Member(Fleet):
    """This process in its fleet. `bot.fleet.fleet.Fleet` documents the interface."""

    alone = False

    def __init__(self, locks: Locks, notifications: Notifications, metrics: FleetMetrics) -> None:
        self._locks, self._notifications, self._metrics = locks, notifications, metrics
        self._elapsed, self._timing = locks.elapsed, locks.timing
        self._shards: ShardStates | None = None
        self._connectivity: Connectivity | None = None
        self._state = FleetState(0)
        self._me = 0
        """The process id of the current fleet session; 0 while there is none."""
        self._before: Shards = NO_SHARDS
        """The shards owned in a lost session, until the new one has settled."""
        self._free = FreeShards(locks)
        self._draining = self._left = False
        self._takes_shards = self._followed = False
        self._changed_at = 0.0
        """The time at which owners or processes last changed."""
        self._wake = asyncio.Event()
        self._listeners: list[Changed] = []

    # -- the interface to the rest of the bot

    @property
    def is_settled(self) -> bool:
        return self._certain and self._elapsed() - self._changed_at >= _UNSETTLED_FOR

    @property
    def is_leader(self) -> bool:
        return 0 in self._working()

    @property
    def owned(self) -> Served | None:
        count, owned = self._state.shard_count, self._working()
        return None if 0 < count == len(owned) else (count, owned)

    def owns(self, guild: int) -> bool:
        return self.shard_of(guild) in self._working()

    def _working(self) -> Collection[int]:
        return self._shards.working if self._shards is not None and self._certain else NO_SHARDS

    @property
    def _certain(self) -> bool:
        """Whether this process certainly owns its shards: its session is open, and its locks were applied."""
        return self._followed and self._locks.certain

    @property
    def _session_settled(self) -> bool:
        return self._locks.age >= self._timing.session_settled

    def serves(self, guild: int) -> bool:
        return self._shards is not None and self.shard_of(guild) in self._shards.served

    def lost_for(self, guild: int) -> float | None:
        return self._shards.lost_for(self.shard_of(guild)) if self._shards is not None else None

    def shard_of(self, guild: int) -> int | None:
        return shard_of(guild, self._state.shard_count) if self._state.shard_count else None

    async def publish(self, notification: Notification) -> None:
        await self._notifications.publish(notification)

    async def publish_with_retry(self, notification: Notification) -> None:
        await self._notifications.publish_with_retry(notification)

    def on(self, notification: Notification, reload: Callable[[], Awaitable[None]]) -> None:
        self._notifications.on(notification, reload)

    def on_change(self, changed: Changed) -> None:
        self._listeners.append(changed)

    async def leave(self) -> None:
        self._left = True
        if self._shards is not None:
            self._shards.close()
        self._locks.close()

    @property
    def status(self) -> FleetStatus:
        state, me, shards = self._state, self._me, self._shards
        return FleetStatus(
            state.shard_count,
            frozenset(shards.own) if shards is not None else NO_SHARDS,
            state.standby_shards(me),
            frozenset(shards.given) if shards is not None else NO_SHARDS,
            self._locks.answer_age,
            self._certain,
            len(state.members),
            len(state.processes - state.members),
            self._draining,
            me in state.members,
            fair_shares(state, state.members).get(me, 0),
        )

    async def processes(self) -> list[ProcessState]:
        try:
            return await self._locks.processes()
        except SessionLost as lost:
            raise StoreUnreachable(f"The database does not answer ({lost}). Nothing was changed.") from None

    @property
    def can_drain(self) -> bool:
        """Whether another member can take over the shards."""
        return bool(self._state.members - {self._me})

    # -- lifecycle

    async def begin(
        self, handler: ShardHandler, wanted: int | None, advised: Callable[[], Awaitable[int]]
    ) -> bool:
        """Joins the fleet without taking shards; returns whether other processes are live.

        The shard count is that of the other processes, else `wanted`, else `advised`. Raises `StoreUnreachable`, and
        `WrongShardCount` if the other processes have another count than `wanted`.
        """
        self._shards = ShardStates(handler, self._locks, self._moved)
        self._connectivity = Connectivity(handler, self._locks, self._shards)
        for tries_left in reversed(range(_BEGINNINGS)):
            try:
                return await self._begin(self._shards, wanted, advised)
            except SessionLost as lost:
                if not tries_left:
                    raise StoreUnreachable(
                        f"The database does not answer ({lost}). Nothing was changed."
                    ) from None
                await asyncio.sleep(self._timing.reconnect_every)
        raise AssertionError

    async def _begin(
        self, shards: ShardStates, wanted: int | None, advised: Callable[[], Awaitable[int]]
    ) -> bool:
        try:
            await self._locks.open()
            await self._locks.agree_on_count(wanted, advised)
            self._me = self._locks.process
            return len((await self._read_locks(shards)).processes) > 1
        except BaseException:
            self._locks.close()  # releases COUNT, which would bind other processes
            raise

    def go(self) -> None:
        """Allows `run` to take shards; before this call, the process only shows that it is live."""
        self._takes_shards = True
        self.look()

    def look(self) -> None:
        """Starts the next check of the locks immediately, after an event."""
        self._wake.set()

    def drain(self) -> None:
        """Starts giving all shards away; `run` returns once all shards are given away."""
        log.info("draining: giving all shards away")
        self._draining = True
        self.look()

    async def run(self, *beside: Coroutine[Any, Any, None]) -> None:
        """Maintains this process's share of the shards; returns once drained. Call after `begin`.

        The coroutines `beside` run at the same time; `run` ends when one of them ends. Raises `StoreRefused`,
        `StoreLost`, `Partitioned`, and the errors of `beside`.
        """
        await first_of(
            self._check_until_drained(),
            self._notifications.listen(self.look),
            self._notifications.call_for_ever(),
            *beside,
        )

    async def _check_until_drained(self) -> None:
        shards, connectivity = self._shards, self._connectivity
        assert shards is not None
        assert connectivity is not None
        due = self._elapsed()
        while not self._left:
            late = self._elapsed() - due
            self._metrics.check_late(late)
            if late > _LATE_AFTER:
                log.warning(
                    "check of the fleet's locks is %.1f s late: this process is overloaded, or was suspended",
                    late,
                )
            self._wake.clear()
            try:
                wait = await self._check(shards, connectivity)
            except SessionLost as lost:
                wait = _CHECK_WHILE_MOVING if self._me else self._timing.reconnect_every
                self._session_lost(shards, connectivity, lost)
            if self._draining and not (shards.own or shards.is_moving):
                log.info("drained: this process owns no shards")
                return
            if self._draining and not self.can_drain and self._certain and self._session_settled:
                log.warning("stopped draining: no other member can take the shards")
                return
            due = self._elapsed() + wait
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()
                    due = self._elapsed()
        # `leave` has closed the session; the caller cancels this task.
        await asyncio.Event().wait()

    def _session_lost(self, shards: ShardStates, connectivity: Connectivity, why: SessionLost) -> None:
        if self._me:
            log.warning(
                "lost the fleet session (%s); opening a new one, and retaking those of the shards %s that are free",
                *(why, listed(shards.own)),
            )
        self._followed = False
        self._before |= shards.session_lost()
        shards.stand_down(connectivity.shown)
        self._me = 0
        connectivity.shown.clear()
        self._free.clear()

    # -- one check

    async def _check(self, shards: ShardStates, connectivity: Connectivity) -> float:
        """Reads the locks and carries out the plan; returns the seconds until the next check."""
        if not self._locks.is_open:
            if self._me:
                raise SessionLost("it was closed after an earlier statement")
            await self._locks.open()
            if await self._locks.agree_on_count(None, self._known_count) != self._state.shard_count:
                raise StoreUnreachable(
                    "The other processes have another number of shards since the database was away. This process has "
                    "to be started again to have it, too."
                )
            self._me = self._locks.process
        await connectivity.show(self._state, self._me)
        state = await self._read_locks(shards)
        if not self._takes_shards:
            return self._timing.check_every
        for _ in range(_STEPS):
            unclaimed = shards.unclaimed()
            own = OwnState(self._me, self._draining, self._before, unclaimed, self._free.overdue())
            if not await self._carry_out(plan(state, own), shards, connectivity):
                break
            state = await self._read_locks(shards)
        if self._session_settled:
            self._before = NO_SHARDS
        shards.follow(state, self._me)
        self._followed = True
        connectivity.check(state, self._me)
        awaited = state.standby_shards(self._me) & connectivity.shown
        soon = _CHECK_WHILE_MOVING
        if shards.is_moving or awaited:
            return soon
        return max(soon, min(self._timing.check_every, self._free.next_overdue()))

    async def _known_count(self) -> int:
        return self._state.shard_count

    async def _read_locks(self, shards: ShardStates) -> FleetState:
        asked, before = self._elapsed(), self._state
        self._state = state = await self._locks.state()
        if (state.owners, state.processes) != (before.owners, before.processes):
            self._changed_at = asked
        self._free.follow(state, asked)
        shards.handler.shared_by(len(state.processes), asked)
        return state

    async def _carry_out(self, actions: Actions, shards: ShardStates, connectivity: Connectivity) -> bool:
        """Carries out the plan; returns whether the state may have changed."""
        locks, is_member = self._locks, self._me in self._state.members
        if actions.member and not is_member:
            await locks.take(LockKind.MEMBER, [0])
        elif is_member and not actions.member:
            await locks.free(LockKind.MEMBER, [0])
        stood_by = self._state.standby_shards(self._me)
        taken = await locks.take(LockKind.OWNER, actions.take)
        shards.receive(taken & stood_by)
        await locks.free(LockKind.STANDBY, (taken & stood_by) | actions.stand_down)
        shards.stand_down(actions.stand_down & connectivity.shown)
        await locks.take(LockKind.STANDBY, actions.stand_by)
        shards.give(actions.give)
        # Failed attempts count too: a shard may have been given away during the attempt.
        return bool(actions.take or actions.stand_by or actions.stand_down or actions.member != is_member)

    def _moved(self, gained: Shards, lost: Shards, how: ShardChange) -> None:
        self._metrics.shards_moved(how, len(gained or lost))
        self._notifications.later([partial(changed, gained, lost) for changed in self._listeners])
        if how == "given" and self._connectivity is not None:
            self._connectivity.shown -= lost  # released together with the shards
            self._notifications.later([self._notify_given])
        self.look()

    async def _notify_given(self) -> None:
        with suppress(StoreError):  # the other processes check within a second anyway
            await self.publish("shards")
