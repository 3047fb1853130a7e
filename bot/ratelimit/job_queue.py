"""The queue of due jobs that have been read from the store and not yet begun.

Redraws begin as fast as the limit on requests to Discord allows, and jobs that make moves begin a few at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from bot.ratelimit.fair_queue import FairQueue, QueueKey, Usage
from bot.ratelimit.limiter import RateLimiter, Ticket, Urgency
from bot.store.model import Job
from bot.tables.draft import AGENT, AGENTS_PLAY, ALARM, REDRAW

JobKey = tuple[int, str]
"""A job's table and kind."""
AGENTS_AT_ONCE: Final = 8
"""How many jobs of agents run at once. However many are due, people's presses are then handled in between."""
ALARMS_AT_ONCE: Final = 16
"""The same for jobs that time has made due, such as reminders."""


def queue_key_of(job: Job) -> QueueKey:
    """The server of the job's table and the person who opened the table."""
    return job.guild_id, job.opener_id


def _urgency(job: Job) -> Urgency:
    return Urgency.AGENTS if job.payload == AGENTS_PLAY else Urgency.DUE


class JobQueue:
    """Jobs that wait for their turn. `begin` is called with each job at its turn, and returns None if it began nothing.

    A redraw's turn comes when the rate limiter has a permit for its request. The redraw therefore shows the table at
    that moment, not at the moment at which the redraw was scheduled.
    """

    def __init__(
        self,
        limiter: RateLimiter,
        begin: Callable[[Job], asyncio.Task[Any] | None],
    ) -> None:
        self._at_once = {AGENT: AGENTS_AT_ONCE, ALARM: ALARMS_AT_ONCE}
        self._limiter = limiter
        self._begin = begin
        self._waiting: dict[JobKey, Job] = {}
        self._tickets: dict[JobKey, Ticket] = {}
        usage = Usage()
        self._queues = {kind: FairQueue[JobKey](usage) for kind in self._at_once}
        self._usage = usage
        self._being_done = dict.fromkeys(self._at_once, 0)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._waiting.values())

    def add(self, job: Job) -> bool:
        """Adds the job. Returns whether the job waits; its turn may also come at once.

        If a job of this kind already waits for the table, the new job replaces it.
        """
        key = job.table_id, job.kind
        before = self._waiting.get(key)
        self._waiting[key] = job
        if before is None or (job.kind == REDRAW and _urgency(job) != _urgency(before)):
            self._queue_up(key, job)
        return key in self._waiting

    def _queue_up(self, key: JobKey, job: Job) -> None:
        if job.kind == REDRAW:
            self._withdraw(key)
            ticket = self._limiter.ask(queue_key_of(job), partial(self._draw, key), _urgency(job))
            if key in self._waiting:
                self._tickets[key] = ticket
        elif job.kind in self._at_once:
            self._queues[job.kind].put(queue_key_of(job), key)
            self._go_on(job.kind)
        else:
            self._turn_of(key)

    def _withdraw(self, key: JobKey) -> None:
        ticket = self._tickets.pop(key, None)
        if ticket is not None:
            self._limiter.withdraw(ticket)

    def _draw(self, key: JobKey) -> None:
        job = self._waiting[key]
        if self._turn_of(key) is None:
            self._limiter.release(queue_key_of(job))

    def _turn_of(self, key: JobKey) -> asyncio.Task[Any] | None:
        self._tickets.pop(key, None)
        return self._begin(self._waiting.pop(key))

    def _go_on(self, kind: str) -> None:
        """Begins waiting jobs of this kind, up to the number that may run at once."""
        queue, now = self._queues[kind], asyncio.get_running_loop().time()
        while queue and self._being_done[kind] < self._at_once[kind]:
            queue_key, key = queue.take()
            task = self._turn_of(key)
            if task is not None:
                self._usage.charge(queue_key, now)
                self._being_done[kind] += 1
                task.add_done_callback(partial(self._done, kind))

    def _done(self, kind: str, _task: asyncio.Task[Any]) -> None:
        self._being_done[kind] -= 1
        self._go_on(kind)

    def drop(self, gone: Callable[[Job], bool]) -> None:
        """Removes the waiting jobs for which `gone` is true, because another process does them."""
        for key in [key for key, job in self._waiting.items() if gone(job)]:
            self._withdraw(key)
            for queue in self._queues.values():
                queue.remove(key)
            del self._waiting[key]

    def clear(self) -> None:
        """Removes all waiting jobs. They are still in the store and are read again after the next start."""
        self.drop(lambda _job: True)
