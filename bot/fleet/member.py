"""One of several processes on one database: it takes its share of Discord's shards, and gives away what is too much.

Every second, and whenever something happens, it looks at the locks of all (`bot.fleet.locks`), makes its plan
(`bot.fleet.plan`) and carries it out. A shard is given away only to a process that is connected for it, and the giver
answers presses on until the new owner has been seen and its own connection is closed (`bot.fleet.holding`).
"""

from __future__ import annotations

import asyncio
import logging
import math
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
"""Seconds between two looks."""
SOON: Final = 0.1
"""The same while a shard is changing hands."""
RECONNECTING: Final = 0.5
"""The same while the database does not answer."""
CUT_OFF: Final = 120.0
"""Seconds without any connection to Discord, while another member has one, after which a process ends."""
OVERDUE: Final = 1.2
"""Seconds after which a free shard is taken by any member, because the one that should take it may be frozen.

All others have looked by then (`EVERY`).
"""
UNSETTLED: Final = 10.0
"""Seconds after a change of owners or processes in which a press may reach two processes: one may just have woken."""
LATE: Final = 2.0
"""If a look begins more than so many seconds late, the log says so."""
_STEPS: Final = 5
"""How often at most a plan is made anew at once because something was done."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with this process and its fleet, for people who watch over it."""

    shard_count: int = 0
    owned: Shards = NO_SHARDS
    standby: Shards = NO_SHARDS
    given: Shards = NO_SHARDS
    """Given away, but still connected."""
    silence: float = 0.0
    """Seconds since the database was last asked something on the fleet's session that it has answered."""
    certain: bool = False
    """Whether what this process owns is certainly still its own."""
    members: int = 0
    draining: int = 0
    """How many processes live that are no members."""
    drains: bool = False
    is_member: bool = False
    share: int = 0
    """How many shards this process is to own at least."""


class Member:
    """This process in its fleet. `bot.fleet.alone.Fleet` says what the rest of the bot asks it."""

    alone = False

    def __init__(
        self, locks: Locks, signals: Signals, watcher: Watcher, elapsed: Callable[[], float] = ELAPSED
    ) -> None:
        """`elapsed` is a clock that nobody sets and that runs on while the machine sleeps."""
        self._locks, self._signals, self._watcher, self._elapsed = locks, signals, watcher, elapsed
        self._keeper: Keeper | None = None
        self._holding: Holding | None = None
        self._view = View(0)
        self._me = 0
        """The number of the session that holds this process's locks; 0 while there is none."""
        self._before: Shards = NO_SHARDS
        """What was owned in a session that was lost, until the new one has settled."""
        self._free_since: dict[int, float] = {}
        """When each shard without an owner was first seen to have none."""
        self._shows: set[int] = set()
        """The shards for which it holds CONNECTED."""
        self._draining = False
        self._left = False
        self._goes = self._followed = False
        self._cut_off_since: float | None = None
        self._changed_at = 0.0
        """When owners or processes were last seen to have changed."""
        self._wake = asyncio.Event()
        self._listeners: list[Changed] = []

    # -- what the rest of the bot asks

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
        """Whether what this process owns is its own: its session stands, and it has followed what that says."""
        return self._followed and self._locks.certain

    def serves(self, guild: int) -> bool:
        return self._holding is not None and self.shard_of(guild) in self._holding.served

    def lost_for(self, guild: int) -> float | None:
        return self._holding.lost_for(self.shard_of(guild)) if self._holding is not None else None

    def shard_of(self, guild: int) -> int | None:
        return shard_of(guild, self._view.shard_count) if self._view.shard_count else None

    async def tell(self, signal: Signal) -> None:
        await self._signals.tell(signal)

    async def spread(self, signal: Signal) -> None:
        try:
            await self.tell(signal)
        except StoreError as error:
            log.warning("that the %s have changed could not be told, and is told later: %s", signal, error)
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
        """Whether there is another member, to which this process can give its shards."""
        return bool(self._view.members - {self._me})

    # -- its life

    async def begin(self, keeper: Keeper, wanted: int | None, advised: Callable[[], Awaitable[int]]) -> bool:
        """Joins the fleet, in which it does nothing yet; returns whether other processes live.

        The number of shards is that of the others, or else `wanted`, or else `advised`. Raises `StoreUnreachable`, and
        `WrongShardCount` if the others have another number than is wanted.
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
            self._locks.close()  # nobody else can join before that
            raise
        return len(view.processes) > 1

    def go(self) -> None:
        """Has `run` take shards from now on; before, it only shows that it lives."""
        self._goes = True
        self.look()

    def look(self) -> None:
        """Has this process look at once, because something has happened: a shard is connected, or was given away."""
        self._wake.set()

    def drain(self) -> None:
        """Has this process give away all of its shards; `run` returns once it has."""
        log.info("this process drains: it gives its shards away")
        self._draining = True
        self.look()

    async def run(self, *beside: Coroutine[Any, Any, None]) -> None:
        """Owns its share of the shards until it was drained, and then returns. To be called once it has begun.

        It also ends when something does that goes on `beside` it. Raises `StoreRefused`, `StoreLost`, `CutOff`, and
        what that raises.
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
                    "the look at the fleet is %.1f s late: this process is too busy, or was asleep", late
                )
            self._wake.clear()
            try:
                wait = await self._look(keeper, holding)
            except SessionLost as lost:
                wait = SOON if self._me else RECONNECTING
                self._session_lost(holding, lost)
            if self._draining and not (holding.own or holding.is_moving):
                log.info("this process was drained: it owns nothing any more")
                return
            if self._draining and not self.can_drain and self._certain and self._locks.age >= SETTLED:
                log.warning("this process drains no longer: no other one is left that takes its shards")
                return
            due = self._elapsed() + wait
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()
                    due = self._elapsed()
        # Whoever closes cancels this; that there is no session any more is no news.
        await asyncio.Event().wait()

    def _session_lost(self, holding: Holding, why: SessionLost) -> None:
        if self._me:
            log.warning(
                "the session of the locks was lost (%s). A new one is opened, and those of the shards %s that are free "
                "then are taken again",
                *(why, listed(holding.own)),
            )
        self._followed = False
        self._before |= holding.session_lost()
        holding.step_back(self._shows)
        self._me = 0
        self._shows.clear()
        self._free_since.clear()

    # -- a look

    async def _look(self, keeper: Keeper, holding: Holding) -> float:
        """Looks at the locks and does what is to be done; returns after how many seconds to look again."""
        if not self._locks.is_open:
            if self._me:
                raise SessionLost("another statement has found its end")
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
            mine = Mine(self._me, self._draining, self._before, holding.not_taken(), self._overdue())
            if not await self._carry_out(plan(view, mine), holding):
                break
            view = await self._see(keeper)
        if self._locks.age >= SETTLED:
            self._before = NO_SHARDS
        holding.follow(view, self._me)
        self._followed = True
        self._check_reach(keeper, holding)
        awaited = view.stood_by_by(self._me) & self._shows
        if holding.is_moving or awaited:
            return SOON
        overdue = min(self._free_since.values(), default=math.inf) + OVERDUE
        return max(SOON, min(EVERY, overdue - self._elapsed()))

    def _overdue(self) -> Shards:
        now = self._elapsed()
        return frozenset(shard for shard, since in self._free_since.items() if now - since >= OVERDUE)

    async def _known_count(self) -> int:
        return self._view.shard_count

    async def _see(self, keeper: Keeper) -> View:
        asked, before = self._elapsed(), self._view
        self._view = view = await self._locks.view()
        if (view.owners, view.processes) != (before.owners, before.processes):
            self._changed_at = asked
        free = set(range(view.shard_count)).difference(view.owners) if view.settled else ()
        self._free_since = {shard: self._free_since.get(shard, asked) for shard in free}
        keeper.shared_by(len(view.processes), asked)
        return view

    async def _show_connections(self, keeper: Keeper, holding: Holding) -> None:
        """Brings CONNECTED into line with the connections. A shard that was given away is shown no more."""
        wanted = holding.wanted(self._view, self._me) - holding.given.keys()
        shown = {shard for shard in wanted if keeper.connected(shard)}
        await self._locks.free(Kind.CONNECTED, self._shows - shown)
        self._shows &= shown
        new = shown - self._shows - holding.given.keys()  # one may have been given away just now
        self._shows |= await self._locks.take(Kind.CONNECTED, new)

    async def _carry_out(self, actions: Actions, holding: Holding) -> bool:
        """Does what is planned; returns whether that has changed anything that a plan is made of."""
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
        # Also what was not got: while it was asked for, a shard may have been given away.
        return bool(actions.take or actions.stand_by or actions.step_back or actions.member != is_member)

    def _moved(self, gained: Shards, lost: Shards, how: Passing) -> None:
        self._watcher.shards_moved(how, len(gained or lost))
        self._signals.later([_call(changed, gained, lost) for changed in self._listeners])
        if how == "given":
            self._shows -= lost  # given away together with the shards
            self._signals.later([self._tell_of_gift])
        self.look()

    async def _tell_of_gift(self) -> None:
        with suppress(StoreError):  # the others find out within a second by themselves
            await self.tell("shards")

    def _check_reach(self, keeper: Keeper, holding: Holding) -> None:
        """Raises `CutOff` if this process does not reach Discord, and another one does."""
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
