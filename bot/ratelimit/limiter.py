"""The rate limiter: holds the requests of a bot below Discord's limit for all of them together, in a fair order.

discord.py respects the limits of single channels, but notices the common limit only when Discord refuses a request. If
the bot drew a thousand boards at once, Discord would refuse some ten thousand requests, and block the bot for that.

A request that counts towards the limit requires a *permit*. If more requests wait than permits are free, the most
urgent request is next; among equally urgent ones, that of the queue key with the fewest recent permits
(`bot.ratelimit.fair_queue`); within a key, the oldest. A part of the permits is reserved for less urgent requests, so
that they are never shut out.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import aiohttp

from bot.clock import ELAPSED
from bot.ratelimit.fair_queue import NOBODY, FairQueue, QueueKey, Usage
from bot.settings import DISCORD_TAKES

AT_ONCE: Final = 5
"""After a pause up to this many requests may follow each other at once, if the limit leaves room for them."""
LIMIT: Final = 0.9 * DISCORD_TAKES
"""How many requests are meant to reach Discord within any one second. Not all take equally long to get there."""
SPENDABLE: Final = 5.0
"""Seconds for which a process of a fleet may spend the share that it was told, and for which it spends no more than
it had before. A process that joins thus begins with its share when all others have given up their part of it."""
SMALLEST: Final = 1 / 20
"""The part of the permits for a process that does not know how many share them, because it has just begun."""
_IN_A_ROW: Final = 3
"""At most this many permits in a row go to one kind of urgency while a less urgent one waits."""
LOAD_FADES: Final = 20.0
"""Seconds after which a permit that was used counts for a third of the load."""


PERMIT_VALID: Final = 0.25
"""Seconds for which a permit may be used. Jobs that waited for the store would all use theirs at once."""

EXEMPT: Final = ("/interactions/", "/webhooks/")
"""Parts of the URLs at which presses are answered. Answers do not count towards the limit and must not wait."""


class Urgency(IntEnum):
    """The urgency of a request for a permit, the most urgent first."""

    PRESS = 0
    """A person waits for the answer to a press."""
    BEGUN = 1
    """A running job makes another request. The longer the request waits, the more out of date is the board it draws."""
    DUE = 2
    """A due job is to begin."""
    AGENTS = 3
    """A due job is to begin, at a table that waits for no person: agents play on, and another redraw follows soon."""


@dataclass(eq=False, slots=True)
class RequestContext:
    """The press or job in a channel for which requests are made. `reserved` counts its unused permits.

    Reserved permits may be used until `valid_until`, on the event loop's clock.
    """

    queue_key: QueueKey
    channel_id: int
    is_press: bool = False
    reserved: int = 0
    valid_until: float = 0.0


@dataclass(eq=False, slots=True)
class Ticket:
    """A request that waits for a permit; `go` is called when it gets one."""

    go: Callable[[], None]
    channel_id: int = 0


_request_context: ContextVar[RequestContext | None] = ContextVar("request_context", default=None)
"""The press or job for which the current task, and the tasks that it creates, make requests."""


def presser() -> int | None:
    """The person whose press or command the current task answers; None if it answers none."""
    context = _request_context.get()
    return context.queue_key[1] if context is not None and context.is_press else None


class Tries:
    """Counts the requests begun. After a transient error, discord.py begins the same request again, after a pause."""

    def __init__(self, most: float) -> None:
        self.most = most
        self.made = 0


class NoMoreTries(OSError):
    """A request has failed as often as it may, so that it is not begun again."""


_tries: ContextVar[Tries | None] = ContextVar("tries", default=None)


@contextmanager
def counting_tries(most: float = math.inf) -> Generator[Tries]:
    """A context that counts the requests of the current task, each retry included.

    Requests beyond `most` raise `NoMoreTries` instead of being made.
    """
    tries = Tries(most)
    token = _tries.set(tries)
    try:
        yield tries
    finally:
        _tries.reset(token)


def count_try() -> None:
    """Counts a request. Called before each one is made. Raises `NoMoreTries`."""
    tries = _tries.get()
    if tries is not None:
        if tries.made >= tries.most:
            raise NoMoreTries
        tries.made += 1


class RateLimiter:
    """Issues permits for requests, `per_second` of them in a second; `math.inf` sets no limit.

    `limit` is the most requests that may reach Discord within any one second. Within this limit, a few permits
    (`AT_ONCE`) may be issued early after a pause.
    """

    def __init__(
        self,
        per_second: float,
        limit: float | None = None,
        *,
        shared: bool = False,
        elapsed: Callable[[], float] = ELAPSED,
        permit_valid: float = PERMIT_VALID,
    ) -> None:
        """`shared`: other processes may share the permits, and `share` sets their number.

        `elapsed` is a clock that cannot be set and that runs on while the machine sleeps.
        """
        self._permit_valid = permit_valid
        self._whole = per_second, LIMIT if limit is None else limit
        self._elapsed = elapsed
        self._shares: list[tuple[float, int]] | None = [] if shared else None
        """The recent calls of `share`: time and number of processes; None if the permits are not shared."""
        self._shared_since = elapsed()
        """The time since which `share` has been called without a long pause."""
        self._part = 0.0
        self._adjust()
        self._recent = 0.0
        """Permits issued recently, at `_counted_at`: older ones weigh less (`LOAD_FADES`)."""
        self._counted_at = 0.0
        self._free = 0.0
        """The time, on the event loop's clock, at which the next permit would be free if none could be issued early."""
        self._usage = Usage()
        self._queues = {urgency: FairQueue[Ticket](self._usage) for urgency in Urgency}
        self._in_a_row = dict.fromkeys(Urgency, 0)
        self._presses: dict[int, list[RequestContext]] = {}
        """The presses that are being answered now, by channel."""
        self._timer: asyncio.TimerHandle | None = None
        self._pumping = False
        """Whether permits are being issued at this moment."""

    def share(self, processes: int, at: float) -> None:
        """Sets how many processes share the permits evenly, as of the time `at` on `elapsed`. Called regularly."""
        shares = self._shares or []
        if not shares or at - shares[-1][0] >= SPENDABLE:
            self._shared_since = at
        self._shares = [each for each in shares if at - each[0] < SPENDABLE]
        self._shares.append((at, max(1, processes)))
        self._adjust()
        self._pump()

    def _adjust(self) -> None:
        """Sets the rate to the part of the permits that this process may spend now."""
        part = self._part_now()
        if part != self._part:
            self._part = part
            per_second, limit = (each * part for each in self._whole)
            self._distance = 1 / per_second
            at_once = max(1.0, min(AT_ONCE, limit - per_second))
            self._slack = (at_once - 1) * self._distance

    def _part_now(self) -> float:
        if self._shares is None:
            return 1.0
        now = self._elapsed()
        recent = max((processes for at, processes in self._shares if now - at < SPENDABLE), default=0)
        if not recent or now - self._shared_since < SPENDABLE:
            return min(SMALLEST, 1 / max(1, recent))
        return 1 / recent

    @property
    def saturated(self) -> bool:
        """Whether any request waits for a permit."""
        return any(self._queues.values())

    @property
    def load(self) -> float:
        """The part of the available permits that was used recently, from 0 to about 1."""
        faded = math.exp((self._counted_at - asyncio.get_running_loop().time()) / LOAD_FADES)
        return self._recent * faded * self._distance / LOAD_FADES

    def _count(self, now: float, permits: int) -> None:
        self._recent = max(0.0, self._recent * math.exp((self._counted_at - now) / LOAD_FADES) + permits)
        self._counted_at = now

    # -- presses and jobs

    @contextmanager
    def press(self, guild_id: int, user_id: int, channel_id: int) -> Generator[None]:
        """A context in which a person's press in a channel is answered.

        Running jobs in that channel become as urgent as the press, because the press may have to wait for them.
        """
        context = RequestContext((guild_id, user_id), channel_id, is_press=True)
        presses = self._presses.setdefault(channel_id, [])
        presses.append(context)
        begun = self._queues[Urgency.BEGUN]
        for ticket in [ticket for ticket in begun if ticket.channel_id == channel_id]:
            begun.remove(ticket)
            self._queues[Urgency.PRESS].put(context.queue_key, ticket)
        token = _request_context.set(context)
        try:
            yield
        finally:
            _request_context.reset(token)
            presses.remove(context)
            if not presses:
                self._presses.pop(channel_id, None)

    @contextmanager
    def job(self, queue_key: QueueKey, channel_id: int, *, reserved: int = 0) -> Generator[None]:
        """A context in which a job for a table in a channel is done.

        The job begins with `reserved` permits. Unused permits are released at the end. A permit that is not used in
        time (`PERMIT_VALID`) is lost, and the job waits for another.
        """
        valid_until = asyncio.get_running_loop().time() + self._permit_valid
        context = RequestContext(queue_key, channel_id, reserved=reserved, valid_until=valid_until)
        token = _request_context.set(context)
        try:
            yield
        finally:
            _request_context.reset(token)
            self.release(queue_key, context.reserved)
            context.reserved = 0

    # -- permits

    def ask(self, queue_key: QueueKey, go: Callable[[], None], urgency: Urgency) -> Ticket:
        """Calls `go` as soon as a permit is free, possibly before this method returns. The permit counts as used."""
        ticket = Ticket(go)
        self._queues[urgency].put(queue_key, ticket)
        self._pump()
        return ticket

    def withdraw(self, ticket: Ticket) -> None:
        """Cancels the wait for a permit that has not been issued yet."""
        for queue in self._queues.values():
            queue.remove(ticket)

    async def wait(self) -> None:
        """Returns when the next request of this task may be made."""
        context = _request_context.get()
        if context is not None and context.reserved:
            if asyncio.get_running_loop().time() < context.valid_until:
                context.reserved -= 1
                return
            context.reserved = 0
        urgency, queue_key = self._rank(context)
        there: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def go() -> None:
            if not there.done():
                there.set_result(None)

        ticket = Ticket(go, context.channel_id if context is not None else 0)
        self._queues[urgency].put(queue_key, ticket)
        self._pump()
        try:
            await there
        except asyncio.CancelledError:
            self.withdraw(ticket)
            if not there.cancelled():  # the permit was issued, but will not be used
                self.release(queue_key)
            raise

    def _rank(self, context: RequestContext | None) -> tuple[Urgency, QueueKey]:
        if context is None:
            return Urgency.BEGUN, NOBODY
        if context.is_press:
            return Urgency.PRESS, context.queue_key
        presses = self._presses.get(context.channel_id)
        return (Urgency.PRESS, presses[0].queue_key) if presses else (Urgency.BEGUN, context.queue_key)

    def _pump(self) -> None:
        """Issues the permits that are free now, and sets a timer for the next one.

        A receiver may release its permit, or request another one, at once. The running loop handles that too: if each
        receiver began a loop of its own, hundreds in a row would end in a `RecursionError`.
        """
        if self._pumping:
            return
        self._pumping = True
        try:
            self._give_out()
        finally:
            self._pumping = False

    def _give_out(self) -> None:
        loop = asyncio.get_running_loop()
        while self.saturated:
            self._adjust()
            now = loop.time()
            ready = self._free - self._slack
            if ready > now:
                self._come_back(loop, ready)
                return
            queue_key, ticket = self._queues[self._whose_turn()].take()
            self._free = max(self._free, now) + self._distance
            self._usage.charge(queue_key, now)
            self._count(now, 1)
            ticket.go()

    def _whose_turn(self) -> Urgency:
        """The most urgent kind with waiting requests or, after some permits for that kind, a less urgent one."""
        waiting = [urgency for urgency, queue in self._queues.items() if queue]
        for urgency in waiting[:-1]:
            if self._in_a_row[urgency] < _IN_A_ROW:
                self._in_a_row[urgency] += 1
                return urgency
            self._in_a_row[urgency] = 0
        self._in_a_row[waiting[-1]] = 0
        return waiting[-1]

    def _come_back(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        if self._timer is None or at < self._timer.when():
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(at, self._comes_back)

    def _comes_back(self) -> None:
        self._timer = None
        self._pump()

    def release(self, queue_key: QueueKey, permits: int = 1) -> None:
        """Returns permits that were issued under this key but not used."""
        if permits:
            self._free -= permits * self._distance
            now = asyncio.get_running_loop().time()
            self._usage.charge(queue_key, now, -permits)
            self._count(now, -permits)
            self._pump()

    # -- aiohttp

    def trace(self) -> aiohttp.TraceConfig:
        """A hook that makes an aiohttp session wait for permits."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._on_request_start)
        return config

    async def _on_request_start(
        self, _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        count_try()
        if not any(part in request.url.raw_path for part in EXEMPT):
            await self.wait()
