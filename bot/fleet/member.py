"""The processes that run on one store together, and which of Discord's shards this one holds.

`Alone` is a process that has its store to itself. `Shared` is one of several: it renews its leases, shares the shards
out with the others by a plan (`bot.fleet.plan`), takes over from those that died, and hands over to those that hold too
few.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from bot.clock import ELAPSED
from bot.fleet.plan import Plan, plan, serving
from bot.fleet.reach import CUT_OFF, Reaching
from bot.fleet.signals import Signals
from bot.store.model import LEASE, Leases, Roll, Signal, StoreError, StoreLost, StoreRefused, shard_of
from bot.store.store import Store

log = logging.getLogger(__name__)

ROUND: Final = 2.0
"""Seconds between two renewals."""
LOOK_AGAIN: Final = 1.0
"""Seconds until what the store did not let a process do is tried again."""
LEFT: Final = 0.5
"""Seconds for which a free shard is left to those whose portion it is. After that anybody takes it.

They may have died themselves, while the roll still has them.
"""
STEADY: Final = 4.0
"""Seconds for which a process must have renewed its leases without a failure before it takes over from another one.

When the database itself was away, all leases run out together. Whoever reaches it first then leaves the others time.
"""
LEAST_PAUSE: Final = 0.25
"""Seconds that lie at least between two looks at the roll that nothing but time gives rise to."""
SETTLING: Final = 0.5
"""Seconds for which an owner serves presses after its heir has been connected.

Presses of before, which Discord has sent to the owner alone, arrive within that time.
"""
FINISHING: Final = 1.5
"""Seconds that acts under way may take before their shard is handed over all the same."""
HELD: Final = 2.0
"""Seconds for which a press is held until it is known who serves it. Discord waits 3 seconds for an answer."""
COURTSHIP: Final = 180.0
"""Seconds after which an heir that gets none of its shards connected renounces them.

For twice as long it then lets them be, and longer with each further time, so that two such heirs do not take turns.
"""
LONGEST_AVOIDED: Final = 3600.0
"""The longest time in seconds for which it lets them be."""
UNCOURTED: Final = 15.0
"""Seconds for which a shard of a process that drains is left to the one whose portion it is.

After that anybody courts it. One that lives no more is deposed in less time.
"""
LATE: Final = 2.0
"""If a renewal begins more than so many seconds late, the log says so."""

Changed = Callable[[frozenset[int], frozenset[int]], Awaitable[None]]
"""Called with the shards that this process has gained and those that it has lost.

Whoever gains or loses shard 0 becomes or ceases to be the first. The fleet has changed already when it is called.
"""

Admission = Literal["served", "claimed", "unsaved", "ignored"]
"""What is done with a press.

"served": it is served at once. "claimed": it is served if nobody else has answered it yet, because another process may
have got it too. "unsaved": the person is told that it could not be saved, unless somebody else has answered by now.
"ignored": another process serves it.
"""

Passing = Literal["taken", "received", "handed_over", "lost"]
"""How a shard has changed hands: taken over from nobody or a dead process, or handed over by a living one."""


class Fleet(Protocol):
    """What the rest of the bot asks about the other processes."""

    @property
    def first(self) -> bool:
        """Whether this process does what is done once for all: it holds shard 0."""
        ...

    def holds(self, guild: int) -> bool:
        """Whether this process serves this server's tables."""
        ...

    def shard_of(self, guild: int) -> int | None:
        """The shard of a server; None if this process shares none, or does not know yet how many there are."""
        ...

    async def admit(self, guild: int) -> Admission:
        """What to do with a press on this server (0: in a direct message). It may take up to `HELD` seconds."""
        ...

    async def tell(self, signal: Signal) -> None:
        """Tells all processes, this one included, that something has changed that each keeps in memory.

        Raises `StoreError`.
        """
        ...

    async def spread(self, signal: Signal) -> None:
        """Tells as `tell` does, but what cannot be told now is told later, and it raises nothing.

        For what is kept already: that nobody could be told of it does not undo it.
        """
        ...

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Has `reload` called whenever another process or this one has told this."""
        ...

    def on_change(self, changed: Changed) -> None:
        """Has `changed` called whenever this process has gained or lost shards."""
        ...

    async def leave(self) -> None:
        """Gives up all shards, because this process ends. Raises `StoreError`."""
        ...


class Alone:
    """A fleet of one process, which has its store alone and serves all servers that Discord tells it of."""

    def __init__(self, *, first: bool = True) -> None:
        self.first = first

    def holds(self, guild: int) -> bool:
        return True

    def shard_of(self, guild: int) -> int | None:
        return None

    async def admit(self, guild: int) -> Admission:
        return "served"

    async def tell(self, signal: Signal) -> None:
        """There is nobody else, and whoever tells has done it already."""

    async def spread(self, signal: Signal) -> None:
        """There is nobody else either."""

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Nobody else tells anything."""

    def on_change(self, changed: Changed) -> None:
        """It holds the same shards all the time."""

    async def leave(self) -> None:
        """Nobody waits for its shards."""


# -- one of several processes


class Keeper(Protocol):
    """What a process does with the shards that it holds."""

    async def gained(self, shards: frozenset[int]) -> None:
        """Called before the first press on a shard is served and its first job begun. Raises `StoreError`."""
        ...

    async def lost(self, shards: frozenset[int]) -> None:
        """Called when presses on these shards are served no more."""
        ...

    async def finish(self, shards: frozenset[int], within: float) -> None:
        """Waits for what is under way for these shards, for so many seconds at most. Nothing new is begun."""
        ...

    def connect_only(self, shards: frozenset[int]) -> None:
        """Has connections to Discord for these shards, and closes all others."""
        ...

    def connected(self, shard: int) -> bool:
        """Whether Discord sends this process the presses on this shard."""
        ...

    def waits_in_turn(self) -> bool:
        """Whether a shard waits only for its turn to log in at Discord."""
        ...

    def shared_by(self, processes: int, at: float) -> None:
        """Called with the number of living processes, which share what Discord allows to all of them together.

        `at` is when there were so many, at the latest. It is called at least every `ROUND` seconds.
        """
        ...


class Watcher(Protocol):
    """Counts what happens to the leases."""

    def lease_passed(self, how: Passing, shards: int) -> None: ...
    def renewal_late(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with this process and its fleet, for people who watch over it. `age` is in seconds."""

    shard_count: int = 0
    held: frozenset[int] = frozenset()
    courted: frozenset[int] = frozenset()
    leaving: frozenset[int] = frozenset()
    age: float = 0.0
    """Seconds since the leases were last renewed."""
    lapsed: bool = False
    serving: int = 0
    draining: int = 0
    """How many processes live that serve, and that drain."""
    drains: bool = False
    """Whether this process drains."""
    cut_off: bool = False
    """Whether this process is cut off from Discord while others are not, and so is to hold nothing."""


async def until_one_ends(**works: Coroutine[Any, Any, None]) -> set[asyncio.Task[None]]:
    """Does these works, each as a task of its name, until one of them ends; ends the others, and returns that one.

    If several end at the same time, it returns all of these.
    """
    tasks = {asyncio.create_task(work, name=name) for name, work in works.items()}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return done


class WrongShardCount(StoreRefused):
    """This process is told another number of shards than the others share."""

    def __init__(self, told: int, shared: int) -> None:
        super().__init__(
            f"SHARD_COUNT is {told}, but the processes that run on this database share {shared} shards. Remove "
            "SHARD_COUNT, or give it the same value for all; to change it, stop all processes first."
        )


@dataclass(slots=True)
class _Kept:
    """What this process knows of its shards."""

    generations: dict[int, int] = field(default_factory=dict[int, int])
    """The shards that it holds, with the generation of each lease."""
    courted: frozenset[int] = frozenset()
    """The shards that it is about to get."""
    leaving: set[int] = field(default_factory=set[int])
    """Shards that are just being handed over: nothing is begun for them any more."""


class Shared:
    """One of the processes that share a store and Discord's shards."""

    def __init__(self, store: Store, watcher: Watcher, elapsed: Callable[[], float] = ELAPSED) -> None:
        """`elapsed` is a clock that nobody sets and that runs on while the machine sleeps."""
        self._store = store
        self._watcher = watcher
        self._elapsed = elapsed
        self._keeper: Keeper | None = None
        self._kept = _Kept()
        self._roll: Roll | None = None
        """The roll that was last acted on."""
        self._fresh: Roll | None = None
        """A newer one that no act of this process has overtaken."""
        self._acts = 0
        """How often this process has changed who holds what."""
        self._renewed = -LEASE
        """When the last renewal that succeeded was asked for: the leases last at least `LEASE` seconds from then."""
        self._steady_since: float | None = None
        self._free_since: dict[int, float] = {}
        self._uncourted_since: dict[int, float] = {}
        self._courting_since: dict[int, float] = {}
        """Since when this process has been the heir of shards for which it is not connected yet."""
        self._connected = -COURTSHIP
        """When it was last connected for a shard of which it is the heir."""
        self._avoided: dict[int, float] = {}
        """Shards that it has renounced, and until when it does not court them again."""
        self._renounced = 0
        """How often it has renounced shards since it was last connected for one of which it was the heir."""
        self._received: dict[int, float] = {}
        """When shards were handed over to this process. Their owner before may have answered presses of just then."""
        self._goes = asyncio.Event()
        """Set once this process can serve people."""
        self._wake = asyncio.Event()
        self._turned = asyncio.Event()
        """Set, and replaced by a new one, when this process has come to hold or hold no longer a shard."""
        self._handing: set[frozenset[int]] = set()
        """Shards that are being handed over, as they are handed over together."""
        self._parting: set[asyncio.Task[None]] = set()
        self._hand_over_again = 0.0
        self._signals = Signals()
        self._listeners: list[Changed] = []
        self._told_to_stay = False
        self._reaching = Reaching(CUT_OFF)
        self._left = False

    @property
    def _leases(self) -> Leases:
        assert self._store.leases is not None, "the store was not opened shared"
        return self._store.leases

    # -- what the rest of the bot asks

    @property
    def first(self) -> bool:
        return self._serves(0)

    def holds(self, guild: int) -> bool:
        shard = self.shard_of(guild)
        return shard is not None and self._serves(shard)

    def shard_of(self, guild: int) -> int | None:
        return shard_of(guild, self._roll.shard_count) if self._roll is not None else None

    def _serves(self, shard: int) -> bool:
        return shard in self._kept.generations and shard not in self._kept.leaving and not self.lapsed

    @property
    def lapsed(self) -> bool:
        """Whether the leases have run out, so that another process may have taken over without this one knowing."""
        return self._elapsed() >= self._renewed + LEASE

    async def admit(self, guild: int) -> Admission:
        shard = self.shard_of(guild)
        if not guild or self.holds(guild):
            since = self._received.get(shard or 0, -HELD)
            return "claimed" if guild and self._elapsed() - since < HELD else "served"
        until = self._elapsed() + HELD
        held = self._has(shard)
        while held or shard in self._kept.courted:
            left = until - self._elapsed()
            if left <= 0:
                # Who held the shard when the press came answers in the end, unless another process has: the heir may
                # have died, may not have been connected yet, or the database may be away just then.
                return "unsaved" if held else "ignored"
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._turned.wait()
            if self.holds(guild):
                return "claimed"
            held = held or self._has(shard)
        return "ignored"

    def _has(self, shard: int | None) -> bool:
        """Whether this process holds the shard as far as it knows, also while it does not serve it yet or any more."""
        roll = self._roll
        return shard in self._kept.generations or (
            roll is not None and any(row.shard == shard and row.owner == roll.me for row in roll.shards)
        )

    async def tell(self, signal: Signal) -> None:
        await self._leases.tell(signal)

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
        """Gives up all shards. From then on `run` waits to be cancelled, if it still runs. Raises `StoreError`."""
        self._left = True
        if self._roll is None:
            return
        for task in self._parting:
            task.cancel()
        await self._leases.leave()

    @property
    def standing(self) -> Standing:
        roll, kept = self._roll, self._kept
        if roll is None:
            return Standing()
        draining = {process.id for process in roll.processes if process.draining}
        return Standing(
            roll.shard_count,
            frozenset(kept.generations),
            kept.courted,
            frozenset(kept.leaving),
            self._elapsed() - self._renewed,
            self.lapsed,
            len(roll.processes) - len(draining),
            len(draining),
            roll.me in draining,
            self._is_cut_off(roll),
        )

    @staticmethod
    def _is_cut_off(roll: Roll) -> bool:
        """Whether this process shares the shards no more because it does not reach Discord."""
        return roll.me not in serving(roll) and any(
            process.id == roll.me and process.reach == "cut off" for process in roll.processes
        )

    # -- beginning and going on

    async def begin(self, keeper: Keeper, wanted: int | None, advised: Callable[[], Awaitable[int]]) -> bool:
        """Joins the fleet; returns whether others live already.

        The number of shards is that of the others, or else `wanted`, or else `advised`. Raises `StoreError`, and
        `WrongShardCount` if the others share another number than is wanted.
        """
        shared = await self._leases.shard_count()
        _agree(wanted, shared)
        began = self._elapsed()
        roll = await self._leases.begin(shared or wanted or await advised())
        _agree(wanted, roll.shard_count)
        self._keeper, self._roll, self._fresh = keeper, roll, roll
        self._renewed = self._steady_since = began
        keeper.shared_by(len(roll.processes), began)
        self._leases.listen(self._heard)
        return shared is not None

    def look(self) -> None:
        """Has this process look at once at what there is to do, because a shard is connected now."""
        self._wake.set()

    def go(self) -> None:
        """Has `run` take shards from now on; before, it only renews the leases."""
        self._goes.set()

    async def run(self) -> None:
        """Holds its part of the shards until it was drained, and then returns. Raises `StoreLost`.

        To be called once it has begun.
        """
        done = await until_one_ends(
            leases=self._renew_for_ever(), fleet=self._act_until_drained(), told=self._signals.call_for_ever()
        )
        if self._left:
            await (
                asyncio.Event().wait()
            )  # that there are no leases any more is no news: whoever closes all cancels this
        for task in done:
            task.result()

    # -- renewing

    async def _renew_for_ever(self) -> None:
        """Renews the leases in a task of its own, so that nothing that this process does holds it up."""
        due = self._elapsed()
        while True:
            late = self._elapsed() - due
            self._watcher.renewal_late(late)
            if late > LATE:
                log.warning(
                    "the leases are renewed %.1f s late: this process is too busy, or was asleep", late
                )
            acts = self._acts
            try:
                roll = await self._renew()
            except StoreLost:
                raise
            except StoreError as error:
                log.warning("the leases could not be renewed: %s", error)
            else:
                if acts == self._acts:
                    self._fresh = roll
                    self._wake.set()
            due = max(due + ROUND, self._elapsed())
            await asyncio.sleep(due - self._elapsed())

    async def _renew(self) -> Roll:
        """Renews the leases. Raises `StoreError`."""
        began, lapsed = self._elapsed(), self.lapsed
        try:
            roll = await self._leases.renew()
        except StoreError:
            self._steady_since = None
            raise
        self._renewed = max(self._renewed, began)
        if self._keeper is not None:
            self._keeper.shared_by(len(roll.processes), began)
        if self._steady_since is None:
            self._steady_since = self._elapsed()
        if lapsed:
            log.warning("the leases had run out, but nobody has taken over: they are renewed")
            self._turn()
        return roll

    # -- acting

    async def _act_until_drained(self) -> None:
        await self._goes.wait()
        while not self._drained:
            self._wake.clear()
            try:
                pause = await self._look()
            except StoreLost:
                raise
            except StoreError as error:
                log.warning("the shards could not be shared out: %s", error)
                pause = LOOK_AGAIN
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()
        log.info("this process was drained: it holds nothing any more")

    @property
    def _drained(self) -> bool:
        roll = self._roll
        if roll is None or self._kept.generations or any(row.owner == roll.me for row in roll.shards):
            return False
        return any(process.id == roll.me and process.draining for process in roll.processes)

    async def _look(self) -> float | None:
        """Looks at the roll and does what is to be done; returns after how many seconds to look again."""
        roll, self._fresh = self._fresh, None
        if roll is None:
            roll = await self._renew()
        await self._follow(roll)
        assert self._keeper is not None
        roll = await self._note_reach(roll)
        ready = [
            row.shard
            for row in roll.shards
            if row.shard in self._kept.courted and not row.heir_ready and self._keeper.connected(row.shard)
        ]
        if ready:
            self._connected, self._renounced = self._elapsed(), 0
            roll = await self._change(self._leases.ready(ready))
        hopeless = self._hopeless(roll)
        if hopeless:
            log.warning(
                "the shards %s could not be connected to Discord in time; other processes may get them",
                _listed(hopeless),
            )
            self._renounced += 1
            avoided_for = min(COURTSHIP * 2 ** min(self._renounced, 10), LONGEST_AVOIDED)
            until = self._elapsed() + (COURTSHIP if self._is_cut_off(roll) else avoided_for)
            for shard in hopeless:
                self._avoided[shard] = until
            roll = await self._change(self._leases.renounce(hopeless))
        self._hand_over(roll)
        avoided = [shard for shard, until in self._avoided.items() if self._elapsed() < until]
        planned = plan(roll, self._waited(), avoided, steady=self._steady)
        if planned.take:
            roll = await self._change(self._leases.take(planned.take))
        if planned.court:
            roll = await self._change(self._leases.court(planned.court))
        self._say_if_it_stays(roll)
        return self._next_look(roll, planned)

    async def _note_reach(self, roll: Roll) -> Roll:
        """Has the others know how this process reaches Discord, and so whether it is to have a share."""
        assert self._keeper is not None
        wanted = [row.shard for row in roll.shards if roll.me in (row.owner, row.heir)]
        reach = self._reaching.look(
            self._elapsed(),
            connected=any(map(self._keeper.connected, wanted)),
            tries=bool(wanted) and not self._keeper.waits_in_turn(),
            others=any(each.reach == "connected" for each in roll.processes if each.id != roll.me),
        )
        before = next((each.reach for each in roll.processes if each.id == roll.me), reach)
        if reach == before:
            return roll
        if reach == "cut off":
            log.error(
                "this process has had no connection to Discord for %.0f s, while others have: it gives up its shards, "
                "and takes none until it is connected again. Check this machine's network, firewall and clock",
                CUT_OFF,
            )
        elif before == "cut off":
            log.warning(
                "this process has been connected to Discord for a while again: it takes its share of shards"
            )
        return await self._change(self._leases.note_reach(reach))

    def _hopeless(self, roll: Roll) -> list[int]:
        """The shards that this process has courted for too long.

        Shards are connected one after the other, so none of them is hopeless as long as some get connected.
        """
        assert self._keeper is not None
        now = self._elapsed()
        courting = [
            row.shard
            for row in roll.shards
            if row.heir == roll.me and row.owner != roll.me and not self._keeper.connected(row.shard)
        ]
        self._courting_since = {shard: self._courting_since.get(shard, now) for shard in courting}
        return [
            shard
            for shard, since in self._courting_since.items()
            if now - max(since, self._connected) >= COURTSHIP
        ]

    def _say_if_it_stays(self, roll: Roll) -> None:
        """Tells, once, that this process drains but nobody is there to take its shards."""
        stays = self._kept.generations and all(process.draining for process in roll.processes)
        if stays and not self._told_to_stay:
            log.warning(
                "this process is to be drained, but no other one takes its shards: it serves them until then"
            )
        self._told_to_stay = bool(stays)

    async def _change(self, act: Awaitable[Roll]) -> Roll:
        """Carries out a change of who holds what, and follows it."""
        self._acts += 1
        try:
            roll = await act
        finally:
            self._acts += 1
            self._fresh = None
        await self._follow(roll)
        return roll

    @property
    def _steady(self) -> bool:
        return self._steady_since is not None and self._elapsed() - self._steady_since >= STEADY

    def _waited(self) -> list[int]:
        now = self._elapsed()
        free = [shard for shard, since in self._free_since.items() if now - since >= LEFT]
        return free + [shard for shard, since in self._uncourted_since.items() if now - since >= UNCOURTED]

    def _next_look(self, roll: Roll, planned: Plan) -> float | None:
        now = self._elapsed()
        free = planned.free - set(planned.take)
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        uncourted = planned.uncourted.difference(planned.court)
        self._uncourted_since = {shard: self._uncourted_since.get(shard, now) for shard in uncourted}
        soon = [LEFT] if free else []
        if roll.expires_in is not None:
            soon.append(max(LEAST_PAUSE, roll.expires_in))
        return min(soon, default=None)

    async def _follow(self, roll: Roll) -> None:
        """Brings this process into line with what the roll says about its shards. Raises `StoreError`."""
        assert self._keeper is not None
        kept = self._kept
        owned = {row.shard: row.generation for row in roll.shards if row.owner == roll.me}
        lost = frozenset(shard for shard, at in kept.generations.items() if owned.get(shard) != at)
        back = kept.leaving.difference(lost, *self._handing)
        received = kept.courted.intersection(owned)
        self._roll = roll
        kept.courted = frozenset(
            row.shard for row in roll.shards if row.heir == roll.me and row.owner != roll.me
        )
        kept.leaving -= back
        if lost:
            await self._lose(lost)
        self._keeper.connect_only(kept.courted.union(owned))
        gained = frozenset(owned.keys() - kept.generations.keys())
        if gained:
            kept.courted |= gained  # presses that come meanwhile are held back
            await self._keeper.gained(gained)  # if this fails, the next look tries again
            kept.courted -= gained
            for shard in gained:
                kept.generations[shard] = owned[shard]
                if shard in received:
                    self._received[shard] = self._elapsed()
            log.info("this process holds the shards %s now, %s in all", _listed(gained), len(owned))
            self._watcher.lease_passed("received", len(gained & received))
            self._watcher.lease_passed("taken", len(gained - received))
        if gained or lost or back:
            self._turn()
        if gained or lost:
            self._signals.later([_call(changed, gained, lost) for changed in self._listeners])

    async def _lose(self, lost: frozenset[int]) -> None:
        assert self._keeper is not None
        kept = self._kept
        handed = lost & kept.leaving
        for shard in lost:
            del kept.generations[shard]
        kept.leaving -= lost
        log.info("this process holds the shards %s no more", _listed(lost))
        self._watcher.lease_passed("handed_over", len(handed))
        self._watcher.lease_passed("lost", len(lost - handed))
        await self._keeper.lost(lost)

    def _turn(self) -> None:
        self._turned.set()
        self._turned = asyncio.Event()

    def _hand_over(self, roll: Roll) -> None:
        """Begins to hand over the shards whose heir is connected. Looking at the roll must not wait for it."""
        heirs = serving(roll)
        ready = frozenset(
            row.shard
            for row in roll.shards
            if row.heir_ready
            and row.heir in heirs
            and row.owner == roll.me
            and row.shard in self._kept.generations
            and not any(row.shard in shards for shards in self._handing)
        )
        if ready and self._elapsed() >= self._hand_over_again:
            self._handing.add(ready)
            task = asyncio.create_task(self._part_with(ready), name="handing over")
            self._parting.add(task)
            task.add_done_callback(self._parting.discard)

    async def _part_with(self, shards: frozenset[int]) -> None:
        assert self._keeper is not None
        try:
            await asyncio.sleep(SETTLING)
            self._kept.leaving |= shards & self._kept.generations.keys()
            await self._keeper.finish(shards, FINISHING)
            await self._leases.hand_over(sorted(shards))
        except StoreError as error:
            log.warning("the shards %s could not be handed over: %s", _listed(shards), error)
            self._hand_over_again = self._elapsed() + LOOK_AGAIN
        except Exception:
            log.exception("the shards %s could not be handed over", _listed(shards))
            self._hand_over_again = self._elapsed() + LOOK_AGAIN
        finally:
            # The next look finds out who holds them now.
            self._handing.discard(shards)
            self._acts += 1
            self._fresh = None
            self._wake.set()

    # -- what others tell

    def _heard(self, signal: Signal) -> None:
        if signal == "leases":
            self._fresh = None
            self._wake.set()
        self._signals.heard(signal)


def _call(changed: Changed, gained: frozenset[int], lost: frozenset[int]) -> Callable[[], Awaitable[None]]:
    return lambda: changed(gained, lost)


def _agree(wanted: int | None, shared: int | None) -> None:
    if wanted is not None and shared is not None and wanted != shared:
        raise WrongShardCount(wanted, shared)


def _listed(shards: Collection[int]) -> str:
    return ", ".join(str(shard) for shard in sorted(shards))
