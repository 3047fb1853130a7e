"""Keeps the bot's requests below Discord's limit for all of them together, and shares them out.

discord.py keeps the limits of single channels, but finds this one out by being refused: a thousand boards that are
drawn at once are refused some ten thousand times, for which Discord shuts a bot out altogether.

A request that counts needs a *slot*. Where more are wanted than there are, four things decide who is next: how urgent
it is, then which server and which person have had fewest of late (`bot.fairshare`), then who came first; and of each
kind of urgency a part of the slots is kept for those that are less urgent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import aiohttp

from bot.fairshare import NOBODY, FairQueue, Lane, Usage
from bot.settings import DISCORD_TAKES

AT_ONCE: Final = 5
"""Requests that need not keep their distance, where there is room for so many."""
IN_A_ROW: Final = 3
"""So many slots in a row go to the more urgent at most, while the less urgent wait."""

EXEMPT: Final = ("/interactions/", "/webhooks/")
"""Answers to presses do not count, and must not wait."""


class Urgency(IntEnum):
    """What a slot is wanted for, the most urgent first."""

    PRESS = 0
    """Somebody has pressed and waits for it."""
    BEGUN = 1
    """A job that has begun goes on: the longer it takes, the older is what it draws."""
    DUE = 2
    """A job is to begin."""
    AGENTS = 3
    """A job is to begin whose table waits for no person: agents play on, and there will soon be more to draw."""


@dataclass(eq=False, slots=True)
class Errand:
    """What requests are made for: a press, or a job, in a channel. `paid`: slots that it has and has not used."""

    lane: Lane
    channel_id: int
    is_press: bool = False
    paid: int = 0


@dataclass(eq=False, slots=True)
class Ticket:
    """Somebody's wish for a slot; `go` is called once it is there."""

    go: Callable[[], None]
    channel_id: int = 0


_errand: ContextVar[Errand | None] = ContextVar("errand", default=None)
"""What the requests of this task, and of those that it makes, are for."""


class Pace:
    """Gives out so many slots a second; `math.inf` where nothing keeps to a limit.

    `most`: requests that Discord takes within any second. A slot or a few may come early, but no more.
    """

    def __init__(self, per_second: float, most: float = DISCORD_TAKES) -> None:
        self._distance = 1 / per_second
        at_once = max(1.0, min(AT_ONCE, most - per_second))
        self._slack = (at_once - 1) * self._distance
        self._free = 0.0
        """When, on the loop's clock, the next slot would be free if none might come early."""
        self._usage = Usage()
        self._queues = {urgency: FairQueue[Ticket](self._usage) for urgency in Urgency}
        self._in_a_row = dict.fromkeys(Urgency, 0)
        self._presses: dict[int, list[Errand]] = {}
        """The presses that are being answered, by channel."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def crowded(self) -> bool:
        """Whether anybody waits for a slot."""
        return any(self._queues.values())

    # -- what requests are made for

    @contextmanager
    def press(self, guild_id: int, user_id: int, channel_id: int) -> Generator[None]:
        """Within it, a person's press in a channel is answered.

        What a job has begun in that channel becomes as urgent: the press may have to wait for it.
        """
        errand = Errand((guild_id, user_id), channel_id, is_press=True)
        presses = self._presses.setdefault(channel_id, [])
        presses.append(errand)
        self._hurry(errand)
        token = _errand.set(errand)
        try:
            yield
        finally:
            _errand.reset(token)
            presses.remove(errand)
            if not presses:
                self._presses.pop(channel_id, None)

    @contextmanager
    def job(self, lane: Lane, channel_id: int, *, paid: int = 0) -> Generator[None]:
        """Within it, a job for a table in a channel is done, which begins with so many slots. Unused ones go back."""
        errand = Errand(lane, channel_id, paid=paid)
        token = _errand.set(errand)
        try:
            yield
        finally:
            _errand.reset(token)
            self.give_back(lane, errand.paid)
            errand.paid = 0

    def _hurry(self, press: Errand) -> None:
        begun = self._queues[Urgency.BEGUN]
        for ticket in [ticket for ticket in begun if ticket.channel_id == press.channel_id]:
            begun.remove(ticket)
            self._queues[Urgency.PRESS].put(press.lane, ticket)

    # -- slots

    def ask(self, lane: Lane, go: Callable[[], None], urgency: Urgency) -> Ticket:
        """Has `go` called once there is a slot, which is used by then; at once, where there is one."""
        ticket = Ticket(go)
        self._queues[urgency].put(lane, ticket)
        self._pump()
        return ticket

    def withdraw(self, ticket: Ticket) -> None:
        """This slot is not wanted any more."""
        for queue in self._queues.values():
            queue.remove(ticket)

    async def wait(self) -> None:
        """Returns when the next request of this task may be made."""
        errand = _errand.get()
        if errand is not None and errand.paid:
            errand.paid -= 1
            return
        urgency, lane = self._rank(errand)
        there: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def go() -> None:
            if not there.done():
                there.set_result(None)

        ticket = Ticket(go, errand.channel_id if errand is not None else 0)
        self._queues[urgency].put(lane, ticket)
        self._pump()
        try:
            await there
        except asyncio.CancelledError:
            self.withdraw(ticket)
            if not there.cancelled():  # the slot was there, and nobody uses it
                self.give_back(lane)
            raise

    def _rank(self, errand: Errand | None) -> tuple[Urgency, Lane]:
        if errand is None:
            return Urgency.BEGUN, NOBODY
        if errand.is_press:
            return Urgency.PRESS, errand.lane
        presses = self._presses.get(errand.channel_id)
        return (Urgency.PRESS, presses[0].lane) if presses else (Urgency.BEGUN, errand.lane)

    def _pump(self) -> None:
        """Gives out the slots that are free, and comes back when the next one will be."""
        loop = asyncio.get_running_loop()
        while self.crowded:
            now = loop.time()
            ready = self._free - self._slack
            if ready > now:
                self._come_back(loop, ready)
                return
            lane, ticket = self._queues[self._whose_turn()].take()
            self._free = max(self._free, now) + self._distance
            self._usage.charge(lane, now)
            ticket.go()

    def _whose_turn(self) -> Urgency:
        """The most urgent for whom anybody waits; in between, one that is less urgent."""
        waiting = [urgency for urgency, queue in self._queues.items() if queue]
        for urgency in waiting[:-1]:
            if self._in_a_row[urgency] < IN_A_ROW:
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

    def give_back(self, lane: Lane, slots: int = 1) -> None:
        """So many slots that this lane was given were not used."""
        if slots:
            self._free -= slots * self._distance
            self._usage.charge(lane, asyncio.get_running_loop().time(), -slots)
            self._pump()

    # -- aiohttp

    def trace(self) -> aiohttp.TraceConfig:
        """Has a session of aiohttp keep this pace."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._on_request_start)
        return config

    async def _on_request_start(
        self, _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        if not any(part in request.url.path for part in EXEMPT):
            await self.wait()
