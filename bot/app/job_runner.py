"""Starts the due jobs, each at its turn, and handles their failures: retries after growing waits, or none.

Most are redraws, which bring a table's messages up to date, with a least time between two of them. Jobs, and the other
tasks for single servers, such as the update, at once, of the private screens of players who must act, are awaited when
a shard is given away or the process ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextvars import Context, copy_context
from typing import Any, Final, Literal

from bot.app.guild_removals import Removals
from bot.app.services import DEFAULT, AppTiming, Services
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.gateway.errors import UNDELIVERED, Brief, is_transient
from bot.observability.context import Operation, operation_scope, set_outcome
from bot.ratelimit.job_queue import JobKey, JobQueue, queue_key_of
from bot.ratelimit.limiter import presser
from bot.settings import Settings
from bot.store.model import Job, StoreError
from bot.store.store import Store
from bot.tables.draft import KINDS, REDRAW, START
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.display.state import PrivateScreen
from bot.ui.private_screens import PrivateScreens
from bot.ui.table_display import Presenter

log = logging.getLogger(__name__)
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


class ServerTasks:
    """Tasks, each for one server. They are started only while the host is open and this process owns the server."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._server_of: dict[asyncio.Task[None], int] = {}
        self._outside = Context()
        self.is_open = False

    def open(self) -> None:
        """Allows tasks to start. Called at the start of the host, outside of any press and job."""
        self._outside = copy_context()
        self.is_open = True

    def close(self) -> None:
        """Prevents the start of further tasks."""
        self.is_open = False

    @property
    def running(self) -> set[asyncio.Task[None]]:
        """All tasks that have not ended."""
        return {*self._server_of}

    def of(self, chosen: Callable[[int], bool]) -> set[asyncio.Task[None]]:
        """The tasks of the servers for which `chosen` is true."""
        return {task for task, server in self._server_of.items() if chosen(server)}

    def start(
        self, server: int, work: Coroutine[Any, Any, None], name: str, *, outside: bool = False
    ) -> asyncio.Task[None] | None:
        """Starts a task for a server; None if the host is closed or does not own the server.

        With `outside` the task is no part of the press or job that starts it, so its requests do not count for either.
        """
        if not self.is_open or not self._fleet.owns(server):
            work.close()
            return None
        task = asyncio.create_task(work, name=name, context=self._outside.copy() if outside else None)
        self._server_of[task] = server
        task.add_done_callback(self._server_of.__delitem__)
        return task


def prompting(private: PrivateScreens, tasks: ServerTasks) -> Callable[[Table], None]:
    """Returns what updates the open private screens of players whom a change of their table asks for a decision.

    The player whose press made the change gets an answer anyway.
    """

    async def update(table: Table, asked: Sequence[PrivateScreen]) -> None:
        try:
            await private.hurry(table, asked)
        except StoreError as error:  # the redraw tries again, as after any other failure
            log.info(
                "table %s: could not update the screens of the players who are asked: %s", table.id, error
            )
        except Exception:
            log.exception("table %s: could not update the screens of the players who are asked", table.id)

    def table_changed(table: Table) -> None:
        if asked := private.asks_anew(table, presser()):
            tasks.start(table.guild_id, update(table, asked), f"asked at table {table.id}", outside=True)

    return table_changed


class RedrawTimes:
    """The times at which each table's messages were last drawn. Edits in quick succession become one."""

    def __init__(self, settings: Settings, clock: Clock, timing: AppTiming = DEFAULT) -> None:
        self._settings = settings
        self._clock = clock
        self._timing = timing
        self._drawn: dict[int, float] = {}

    def soonest(self, table_id: int) -> float:
        """The time from which a table's messages may be drawn again."""
        now, last = self._clock.now(), self._drawn.get(table_id, 0.0)
        return last + self._settings.redraw_interval if last <= now else 0.0

    def drawn(self, table_id: int, at: float) -> None:
        """Records that a redraw of the table began at this time."""
        self._drawn[table_id] = at
        if len(self._drawn) > self._timing.redraws_remembered:
            self._drawn = {table: each for table, each in self._drawn.items() if each > at - MINUTE}

    def expedite(self, table: Table) -> None:
        """Lets the table's next redraw begin without a wait."""
        self._drawn.pop(table.id, None)

    def forget(self, tables: Collection[int]) -> None:
        for table_id in tables:
            self._drawn.pop(table_id, None)


class RedrawJobs:
    """Carries out redraws with the table display (`Presenter`)."""

    def __init__(self, tables: Tables, presenter: Presenter, times: RedrawTimes, removals: Removals) -> None:
        self._tables = tables
        self.presenter = presenter
        self.times = times
        self._removals = removals

    async def do(self, job: Job) -> None:
        """Carries out a redraw, and finishes or postpones its job. Raises the presenter's and the store's errors."""
        store, now = self._tables.store, self._tables.clock.now()
        look_again = await self.presenter.redraw(job.table_id)
        if not self.presenter.is_urgent(job.table_id):
            self.times.drawn(job.table_id, now)
        if look_again is None:
            await store.finish([job])
        else:
            await store.postpone(job, now + look_again)
        if self.presenter.trouble_of(job.table_id) is not None:
            await self._removals.doubt(job.guild_id)

    async def follow(self, table_id: int) -> None:
        """Updates the open private screens of a table whose message has to wait for its redraw."""
        try:
            await self.presenter.private.follow_latest(table_id)
        except StoreError as error:  # the redraw tries again, as after any other failure
            log.info("table %s: its private screens could not follow: %s", table_id, error)
        except Exception:
            log.exception("table %s: its private screens could not follow", table_id)


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


Track = tuple[int, Literal["drawing", "private", "other"]]
"""A table's id and a kind of work for it. Two tasks of one track never run at the same time; tasks of different tracks
of one table may. "private" updates private screens while the redraw of the table still waits.
"""


class JobRunner:
    """Does the due jobs of the servers that this process owns."""

    def __init__(
        self,
        services: Services,
        tables: Tables,
        redraws: RedrawJobs,
        retries: Retries,
        tasks: ServerTasks,
        shard_of: Callable[[int], int | None],
    ) -> None:
        """`shard_of` returns the shard of a server; None while it is not known."""
        self._services = services
        self._tables = tables
        self._redraws = redraws
        self._retries = retries
        self._tasks = tasks
        self._shard_of = shard_of
        self._queue = JobQueue(services.limiter, self._begin)
        self._running: dict[Track, asyncio.Task[None]] = {}

    async def start_due(self, now: float) -> float | None:
        """Starts the jobs that are due. Returns the time at which a job is due next. Raises `StoreError`."""
        store, owned = self._services.store, self._services.fleet.owned
        limit = self._services.timing.jobs_read_at_once + len(self._running) + self._retries.held
        busy = {*self._running}  # a job that ends while it is read here is not done twice
        for job in await store.due(now, limit, self._queue, owned):
            if _track(job) not in busy:
                self._start(job, now)
            await asyncio.sleep(0)  # a press that arrives is not kept waiting by all of them
        return await store.next_due(self._services.fleet.owned)

    def waiting(self) -> dict[str, tuple[int, float]]:
        """The due jobs that wait for their turn, by kind: their number, and the seconds since the oldest became due."""
        now = self._services.clock.now()
        found: dict[str, tuple[int, float]] = dict.fromkeys(KINDS, (0, 0.0))
        for job in self._queue:
            number, overdue = found[job.kind]
            found[job.kind] = number + 1, max(overdue, now - job.due)
        return found

    def clear(self) -> None:
        """Drops all waiting jobs from memory. They stay in the store."""
        self._queue.clear()

    def forget(self, shards: Collection[int], tables: Collection[int]) -> None:
        """Drops the jobs of these shards, which another process does, and retries and redraw times of these tables."""
        self._queue.drop(lambda job: self._services.fleet.shard_of(job.guild_id) in shards)
        self._retries.forget(tables)
        self._redraws.times.forget(tables)

    # -- a job's turn

    def _start(self, job: Job, now: float) -> None:
        """Queues a due job, unless it was postponed or its track is busy."""
        if _track(job) in self._running or self._retries.is_held(job, now) or not self._tasks.is_open:
            return
        if not self._services.fleet.owns(job.guild_id):
            return  # its shard is just being given away
        if job.kind == REDRAW and self._starts_at_once(job, now):
            return
        if self._queue.add(job) and job.kind == REDRAW:
            # Private screens are edited with the tokens of presses, which requires no permit, so they do not wait.
            self._run((job.table_id, "private"), self._redraws.follow(job.table_id), job)

    def _starts_at_once(self, job: Job, now: float) -> bool:
        """Whether a redraw bypassed the queue: an answer will draw it, or it was postponed or needs no permit.

        While the mover's own screen holds the result of a roll back, the table does not tell it.
        """
        presenter = self._redraws.presenter
        if presenter.tokens.awaited(job.table_id):
            return True
        soonest = max(self._redraws.times.soonest(job.table_id), presenter.private.held_until(job.table_id))
        if soonest > now and not presenter.is_urgent(job.table_id):
            self._run(_track(job), self._retries.postpone(job, soonest - now), job)
            return True
        if presenter.draws_outside_limit(job.table_id):
            self._run(_track(job), self._do(job, permits=0), job)
            return True
        return False

    def _begin(self, job: Job) -> asyncio.Task[None] | None:
        return self._run(_track(job), self._do(job, permits=1 if job.kind == REDRAW else 0), job)

    def _run(self, track: Track, work: Coroutine[Any, Any, None], job: Job) -> asyncio.Task[None] | None:
        if track in self._running:
            work.close()
            return None
        task = self._tasks.start(job.guild_id, work, f"job {job.kind} of table {job.table_id}")
        if task is not None:
            self._running[track] = task
            task.add_done_callback(lambda _task: self._running.pop(track, None))
        return task

    # -- doing a job

    async def _do(self, job: Job, permits: int) -> None:
        late = self._services.clock.now() - job.due
        shard = self._shard_of(job.guild_id)
        with operation_scope(Operation("job", job.kind, job.guild_id, job.table_id, shard)) as operation:
            await self._try(job, permits)
            self._services.metrics.job_done(operation, late)
            log.debug("table %s: %s is %s", job.table_id, job.kind, operation.outcome)

    async def _try(self, job: Job, permits: int) -> None:
        try:
            with self._services.limiter.job(queue_key_of(job), job.channel_id, reserved=permits):
                await self._carry_out(job)
        except Refused as refused:
            set_outcome("refused")
            await self._retries.refused(job, refused)
        except (*UNDELIVERED, StoreError) as error:
            set_outcome("undone")
            log.warning("table %s: %s failed: %s", job.table_id, job.kind, Brief(error))
            await self._retries.failed(job, for_ever=isinstance(error, StoreError) or is_transient(error))
        except Exception:
            set_outcome("failed")
            log.exception("table %s: %s failed", job.table_id, job.kind)
            await self._retries.failed(job)
        else:
            self._retries.succeeded(job)

    async def _carry_out(self, job: Job) -> None:
        if job.kind == REDRAW:
            await self._redraws.do(job)
            return
        if job.kind == START:
            await self._redraws.presenter.start(job.table_id)
        else:
            await self._tables.do_job(job)
        await self._services.store.finish([job])


def _track(job: Job) -> Track:
    return job.table_id, "drawing" if job.kind == REDRAW else "other"
