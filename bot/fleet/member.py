"""A process of a fleet: takes its fair share of Discord's shards, and gives away its surplus.

Every second, and after each event, it reads the locks (`bot.fleet.locks`), makes its plan (`bot.fleet.plan`) and
carries it out. A shard is given only to a connected standby, and the previous owner answers presses until it has seen
the new owner and closed its own connection (`bot.fleet.holding`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from bot.clock import ELAPSED
from bot.fleet.alone import Changed, CutOff, ProcessState, Signal
from bot.fleet.holding import Holding, Keeper, Passing, Watcher, listed
from bot.fleet.locks import SETTLED, Kind, Locks, SessionLost
from bot.fleet.plan import NO_SHARDS, Actions, Mine, Shards, View, fair_shares, plan
from bot.fleet.signals import Signals
from bot.store.engine import Shards as Served
from bot.store.model import StoreError, StoreUnreachable, shard_of

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two checks of the locks."""
SOON: Final = 0.1
"""Seconds between two checks while a shard is changing owners."""
RECONNECTING: Final = 0.5
"""Seconds between two attempts while the database does not answer."""
CUT_OFF: Final = 120.0
"""Seconds without a connection to Discord, while another member has one, after which the process ends."""
UNSETTLED: Final = 10.0
"""Seconds after a change of owners or processes in which a press may reach two processes."""
LATE: Final = 2.0
"""Delay of a check, in seconds, above which the log has a warning."""
_STEPS: Final = 5
"""Maximum number of plans per check."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The status of this process and its fleet, for monitoring."""

    shard_count: int = 0
    owned: Shards = NO_SHARDS
    standby: Shards = NO_SHARDS
    given: Shards = NO_SHARDS
    """Given away, but still connected."""
    silence: float = 0.0
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


class Member:
    """This process in its fleet. `bot.fleet.alone.Fleet` documents the interface."""

    alone = False

    def __init__(
        self, locks: Locks, signals: Signals, watcher: Watcher, elapsed: Callable[[], float] = ELAPSED
    ) -> None:
        """`elapsed` is a monotonic clock that includes the time for which the machine sleeps."""
        self._locks, self._signals, self._watcher, self._elapsed = locks, signals, watcher, elapsed
        self._keeper: Keeper | None = None
        self._holding: Holding | None = None
        self._view = View(0)
        self._me = 0
        """The process id of the current fleet session; 0 while there is none."""
        self._before: Shards = NO_SHARDS
        """The shards owned in a lost session, until the new one has settled."""
        self._shows: set[int] = set()
        """The shards for which this process holds CONNECTED."""
        self._draining = False
        self._left = False
        self._goes = self._followed = False
        self._cut_off_since: float | None = None
        self._changed_at = 0.0
        """When owners or processes last changed."""
        self._wake = asyncio.Event()
        self._listeners: list[Changed] = []

    # -- the interface to the rest of the bot

    @property
    def is_settled(self) -> bool:
        return self._certain and self._elapsed() - self._changed_at >= UNSETTLED

    @property
    def leads(self) -> bool:
        return 0 in self._working()

    @property
    def owned(self) -> Served | None:
        count, owned = self._view.shard_count, self._working()
        return None if 0 < count == len(owned) else (count, owned)

    def owns(self, guild: int) -> bool:
        return self.shard_of(guild) in self._working()

    def _working(self) -> Collection[int]:
        return self._holding.working if self._holding is not None and self._certain else NO_SHARDS

    @property
    def _certain(self) -> bool:
        """Whether this process certainly owns its shards: the session stands, and its locks were applied."""
        return self._followed and self._locks.certain

    def serves(self, guild: int) -> bool:
        return self._holding is not None and self.shard_of(guild) in self._holding.served

    def has_lost(self, guild: int) -> bool:
        return self._holding is not None and self._holding.has_lost(self.shard_of(guild))

    def shard_of(self, guild: int) -> int | None:
        return shard_of(guild, self._view.shard_count) if self._view.shard_count else None

    async def tell(self, signal: Signal) -> None:
        await self._signals.tell(signal)

    async def spread(self, signal: Signal) -> None:
        try:
            await self.tell(signal)
        except StoreError as error:
            log.warning("could not publish notification %s, retrying: %s", signal, error)
            self._signals.later([lambda: self.tell(signal)])

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        self._signals.on(signal, reload)

    def on_change(self, changed: Changed) -> None:
        self._listeners.append(changed)

    async def leave(self) -> None:
        self._left = True
        if self._holding is not None:
            self._holding.close()
        self._locks.close()

    @property
    def standing(self) -> Standing:
        view, me, holding = self._view, self._me, self._holding
        return Standing(
            view.shard_count,
            frozenset(holding.own) if holding is not None else NO_SHARDS,
            view.stood_by_by(me),
            frozenset(holding.given) if holding is not None else NO_SHARDS,
            self._locks.silence,
            self._certain,
            len(view.members),
            len(view.processes - view.members),
            self._draining,
            me in view.members,
            fair_shares(view, view.members).get(me, 0),
        )

    async def processes(self) -> list[ProcessState]:
        try:
            return await self._locks.processes()
        except SessionLost as lost:
            raise StoreUnreachable(f"The database does not answer ({lost}). Nothing was changed.") from None

    @property
    def can_drain(self) -> bool:
        """Whether another member can take over the shards."""
        return bool(self._view.members - {self._me})

    # -- lifecycle

    async def begin(self, keeper: Keeper, wanted: int | None, advised: Callable[[], Awaitable[int]]) -> bool:
        """Joins the fleet without taking shards; returns whether other processes are live.

        The shard count is that of the others, else `wanted`, else `advised`. Raises `StoreUnreachable`, and
        `WrongShardCount` if the others have another count than `wanted`.
        """
        self._keeper, self._holding = keeper, Holding(keeper, self._locks, self._moved, self._elapsed)
        try:
            await self._locks.open()
            await self._locks.agree_on_count(wanted, advised)
            self._me = self._locks.process
            view = await self._see(keeper)
        except SessionLost as lost:
            raise StoreUnreachable(f"The database does not answer ({lost}). Nothing was changed.") from None
        except BaseException:
            self._locks.close()  # frees the lock for joining
            raise
        return len(view.processes) > 1

    def go(self) -> None:
        """Lets `run` take shards; before this call, the process only shows that it is live."""
        self._goes = True
        self.look()

    def look(self) -> None:
        """Checks the locks now, after an event."""
        self._wake.set()

    def drain(self) -> None:
        """Starts giving all shards away; `run` returns once all are given."""
        log.info("draining: giving all shards away")
        self._draining = True
        self.look()

    async def run(self, *beside: Coroutine[Any, Any, None]) -> None:
        """Maintains this process's share of the shards; returns once drained. Call after `begin`.

        The coroutines `beside` run at the same time; `run` ends when one of them ends. Raises `StoreRefused`,
        `StoreLost`, `CutOff`, and the errors of `beside`.
        """
        works = (self._look_until_drained(), self._signals.listen(self.look), self._signals.call_for_ever())
        tasks = {asyncio.create_task(work) for work in (*works, *beside)}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _look_until_drained(self) -> None:
        keeper, holding = self._keeper, self._holding
        assert keeper is not None
        assert holding is not None
        due = self._elapsed()
        while not self._left:
            late = self._elapsed() - due
            self._watcher.look_late(late)
            if late > LATE:
                log.warning(
                    "check of the fleet's locks is %.1f s late: this process is overloaded, or was suspended",
                    late,
                )
            self._wake.clear()
            try:
                wait = await self._look(keeper, holding)
            except SessionLost as lost:
                wait = SOON if self._me else RECONNECTING
                self._session_lost(holding, lost)
            if self._draining and not (holding.own or holding.is_moving):
                log.info("drained: this process owns no shards")
                return
            if self._draining and not self.can_drain and self._certain and self._locks.age >= SETTLED:
                log.warning("stopped draining: no other member can take the shards")
                return
            due = self._elapsed() + wait
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()
                    due = self._elapsed()
        # `leave` has closed the session; the caller cancels this task.
        await asyncio.Event().wait()

    def _session_lost(self, holding: Holding, why: SessionLost) -> None:
        if self._me:
            log.warning(
                "lost the fleet session (%s); opening a new one, and retaking those of the shards %s that are free",
                *(why, listed(holding.own)),
            )
        self._followed = False
        self._before |= holding.session_lost()
        holding.step_back(self._shows)
        self._me = 0
        self._shows.clear()

    # -- one check

    async def _look(self, keeper: Keeper, holding: Holding) -> float:
        """Reads the locks and carries out the plan; returns the seconds until the next check."""
        if not self._locks.is_open:
            if self._me:
                raise SessionLost("it was closed after an earlier statement")
            await self._locks.open()
            if await self._locks.agree_on_count(None, self._known_count) != self._view.shard_count:
                raise StoreUnreachable(
                    "The other processes have another number of shards since the database was away. This process has "
                    "to be started again to have it, too."
                )
            self._me = self._locks.process
        await self._show_connections(keeper, holding)
        view = await self._see(keeper)
        if not self._goes:
            return EVERY
        for _ in range(_STEPS):
            mine = Mine(self._me, self._draining, self._before | holding.not_taken())
            if not await self._carry_out(plan(view, mine), holding):
                break
            view = await self._see(keeper)
        if self._locks.age >= SETTLED:
            self._before = NO_SHARDS
        holding.follow(view, self._me)
        self._followed = True
        self._check_reach(keeper, holding)
        awaited = view.stood_by_by(self._me) & self._shows
        return SOON if holding.is_moving or awaited else EVERY

    async def _known_count(self) -> int:
        return self._view.shard_count

    async def _see(self, keeper: Keeper) -> View:
        asked, before = self._elapsed(), self._view
        self._view = view = await self._locks.view()
        if (view.owners, view.processes) != (before.owners, before.processes):
            self._changed_at = asked
        keeper.shared_by(len(view.processes), asked)
        return view

    async def _show_connections(self, keeper: Keeper, holding: Holding) -> None:
        """Takes and releases CONNECTED as the connections require; given shards do not count as connected."""
        wanted = holding.wanted(self._view, self._me) - holding.given.keys()
        shown = {shard for shard in wanted if keeper.connected(shard)}
        await self._locks.free(Kind.CONNECTED, self._shows - shown)
        self._shows &= shown
        new = shown - self._shows - holding.given.keys()  # one may have been given meanwhile
        self._shows |= await self._locks.take(Kind.CONNECTED, new)

    async def _carry_out(self, actions: Actions, holding: Holding) -> bool:
        """Carries out the plan; returns whether the view may have changed."""
        locks, is_member = self._locks, self._me in self._view.members
        if actions.member and not is_member:
            await locks.take(Kind.MEMBER, [0])
        elif is_member and not actions.member:
            await locks.free(Kind.MEMBER, [0])
        stood_by = self._view.stood_by_by(self._me)
        taken = await locks.take(Kind.OWNER, actions.take)
        holding.receive(taken & stood_by)
        await locks.free(Kind.STANDBY, (taken & stood_by) | actions.step_back)
        holding.step_back(actions.step_back & self._shows)
        await locks.take(Kind.STANDBY, actions.stand_by)
        holding.give(actions.give)
        # Failed attempts count too: a shard may have been given away during the attempt.
        return bool(actions.take or actions.stand_by or actions.step_back or actions.member != is_member)

    def _moved(self, gained: Shards, lost: Shards, how: Passing) -> None:
        self._watcher.shards_moved(how, len(gained or lost))
        self._signals.later([_call(changed, gained, lost) for changed in self._listeners])
        if how == "given":
            self._shows -= lost  # released together with the shards
            self._signals.later([self._tell_of_gift])
        self.look()

    async def _tell_of_gift(self) -> None:
        with suppress(StoreError):  # the others check within a second anyway
            await self.tell("shards")

    def _check_reach(self, keeper: Keeper, holding: Holding) -> None:
        """Raises `CutOff` if this process has no connection to Discord while another member has one."""
        others = any(there & self._view.members - {self._me} for there in self._view.connected.values())
        if self._shows or not holding.own or not others or keeper.waits_in_turn():
            self._cut_off_since = None
            return
        self._cut_off_since = self._cut_off_since or self._elapsed()
        if self._elapsed() - self._cut_off_since >= CUT_OFF:
            raise CutOff(
                f"This process has had no connection to Discord for {CUT_OFF:.0f} s, while others have. It ends, so "
                "that they take its shards. Check this machine's network, firewall and clock."
            )


def _call(changed: Changed, gained: Shards, lost: Shards) -> Callable[[], Awaitable[None]]:
    return lambda: changed(gained, lost)
