"""Retries of failed jobs: after growing waits, or never."""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.ratelimit.job_queue import JobKey
from bot.store.model import Job, StoreError
from bot.store.store import Store
from bot.tables.draft import REDRAW
from bot.tables.model import HOUR, MINUTE
from bot.tables.refusals import Refused

_RETRY_FIRST: Final = 2.0
"""Seconds before a job that has failed once is tried again. The wait doubles with each further failure."""
_RETRY_MOST: Final = 5 * MINUTE
"""The longest wait, in seconds, before a failed job is tried again."""
_RETRY_UNREADABLE: Final = HOUR
"""Seconds between two tries at a table that cannot be read: another version or card list may be able to."""
_RETRY_UNREADABLE_IN_FLEET: Final = MINUTE
"""The same if several processes share the store: one of a newer version may own the table at any moment."""
GIVE_UP: Final = 12
"""After this many failures in a row that are no outage, a redraw is given up until the table next changes."""


class Retries:
    """Postpones failed jobs in the store. While the store cannot be written to, it holds them in memory."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self._failures: dict[JobKey, int] = {}
        """How often in a row each job has failed."""
        self._held: dict[tuple[JobKey, int], float] = {}
        """Failed jobs, with their ids, that could not be postponed in the store; and the end of their waits."""

    @property
    def held(self) -> int:
        """How many jobs are held in memory."""
        return len(self._held)

    def is_held(self, job: Job, now: float) -> bool:
        """Whether the job has to wait although it is due in the store."""
        return self._held.get(((job.table_id, job.kind), job.id), now) > now

    def succeeded(self, job: Job) -> None:
        self._failures.pop((job.table_id, job.kind), None)

    async def refused(self, job: Job, refused: Refused) -> None:
        """Postpones the job of a table that this version cannot read; drops the job of a table that is gone."""
        if refused.code != "unreadable":
            await self._drop(job)
        elif self._fleet.alone:
            await self.postpone(job, _RETRY_UNREADABLE)
        else:
            await self.postpone(job, _RETRY_UNREADABLE_IN_FLEET)

    async def failed(self, job: Job, *, for_ever: bool = False) -> None:
        """Postpones a job that has failed. With `for_ever`, as in an outage, even a redraw is never given up."""
        if not self._fleet.owns(job.guild_id):
            return  # the job stays due, for the owner
        key = (job.table_id, job.kind)
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        if failures >= GIVE_UP and job.kind == REDRAW and not for_ever:
            await self._drop(job)
        else:
            wait = _RETRY_FIRST * 2 ** min(failures - 1, 10)
            await self.postpone(job, min(_RETRY_MOST, wait))

    async def _drop(self, job: Job) -> None:
        self.succeeded(job)
        await self._or_hold(job, self._clock.now() + _RETRY_MOST, self._store.finish([job]))

    async def postpone(self, job: Job, seconds: float) -> None:
        """Postpones the job by this number of seconds."""
        due = self._clock.now() + seconds
        await self._or_hold(job, due, self._store.postpone(job, due))

    async def _or_hold(self, job: Job, due: float, write: Awaitable[None]) -> None:
        """Carries out `write`, which postpones or drops the job. If that fails, the job still waits until `due`."""
        key = ((job.table_id, job.kind), job.id)
        try:
            await write
        except StoreError:
            self._held[key] = due
        else:
            self._held.pop(key, None)

    def forget_all(self) -> None:
        """Drops all failures and held jobs, so that the dicts do not grow for ever."""
        self._failures.clear()
        self._held.clear()

    def forget(self, tables: Collection[int]) -> None:
        """Drops the failures at these tables, because another process does their jobs."""
        self._failures = {key: each for key, each in self._failures.items() if key[0] not in tables}
        self._held = {job: until for job, until in self._held.items() if job[0][0] not in tables}
