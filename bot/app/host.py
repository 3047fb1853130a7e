"""The host of all tables in this process: it opens and closes the store, and does the jobs that are due."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Any, Final, Literal

import discord

from bot.app.housekeeping import Upkeep
from bot.app.memory import spare_the_collector
from bot.art.gallery import Gallery
from bot.clock import Clock
from bot.fleet.alone import Alone, Fleet
from bot.gateway.errors import Brief, passes
from bot.observability.context import Act, came_to, doing
from bot.observability.metrics import Metrics
from bot.ratelimit.job_queue import Due, Key, lane_of
from bot.ratelimit.limiter import Pace, presser
from bot.replay.answers import ReplayAnswers
from bot.replay.film_queue import Replays
from bot.settings import Settings
from bot.store.model import Conflict, Job, StoreError
from bot.store.store import Store
from bot.tables.draft import KINDS, REDRAW, START
from bot.tables.model import DAY, HOUR, MINUTE, Messages, Table
from bot.tables.quota import Limits
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from bot.ui.application_emoji.registry import EmojiRegistry
from bot.ui.application_emoji.signs import Signs
from bot.ui.application_emoji.uploads import EmojiUploads
from bot.ui.display.state import OpenScreen
from bot.ui.interaction import UNDELIVERED
from bot.ui.picture_choices import PictureChoices
from bot.ui.pictures import Pictures
from bot.ui.public_screens import PublicScreens
from bot.ui.router import Router
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.names import forget_names
from bot.ui.screens.table import REPLAY
from bot.ui.table_display import Presenter
from engine.game import AnyGame

log = logging.getLogger(__name__)

HEARTBEAT: Final = 30
"""Seconds between two notes in the store that the host is up. A crash can cost a player at most this much time."""
AWAY: Final = 90.0
"""Only time for which nobody could be served is given back to players, and only if it was longer than these seconds.

Shorter gaps happen at every reconnection.
"""
GRACE: Final = 5 * MINUTE
"""Seconds for which nobody's time runs out after a start, after taking over a shard, and after an outage."""
CLOSING: Final = 2.0
"""Seconds that what is under way may take when the host closes; what takes longer is done after the next start."""
LETTING_GO: Final = 0.5
"""Seconds after that for work that had to be cancelled: a write that is under way becomes durable first."""
SAVING: Final = 1.0
"""Seconds after that for the last notes and for closing the store. Closing takes at most the sum of these three."""
AT_ONCE: Final = 2000
"""How many due jobs are read from the store at once."""
CROWDED: Final = 0.1
"""If so large a part of the requests that the bot may make is made, boards lag as long as the setting allows."""
DELAYED: Final = 0.02
"""If things happen more than so many seconds late on average, the processor is busy."""
DELAY_WEIGHT: Final = 0.2
"""How much the newest delay counts in that average."""
BUSY: Final = 0.5
FULL: Final = 0.8
"""The same holds if the event loop is busy for more than the first part of the time (`bot.app.load`). From the second
on, what nobody waits for lags as long as it may.
"""
LAG: Final = 10.0
LAG_PER_DELAY: Final = 20.0
"""What nobody waits for may then lag by so many times the delay, but by 10 seconds at most."""
PICTURES_LAG: Final = 1.5
"""Pictures may lag so many times longer than texts."""
WAITING: Final = 0.05
"""Seconds between two checks while no job runs and some wait for their turn."""
RETRY_FIRST: Final = 2
"""Seconds after which a job that has failed once is tried again. The wait doubles with each further failure."""
RETRY_MOST: Final = 5 * MINUTE
"""The longest wait, in seconds, before a failed job is tried again."""
RETRY_UNREADABLE: Final = HOUR
"""Seconds between two tries at a table that cannot be read: another version or card list may be able to."""
UNREADABLE_IN_FLEET: Final = MINUTE
"""The same if several processes share the store: one of a newer version may hold the table at any moment."""
REMEMBERED: Final = 1000
"""The host remembers when each table was last drawn. Above this many tables, it forgets times over a minute old."""
GIVE_UP: Final = 12
"""After this many failures in a row that are no outage, a redraw is given up until the table next changes."""

Lane = tuple[int, Literal["drawing", "private", "other"]]
"""A table's id and a kind of work for it. Work in the same lane is never done at the same time, work in different lanes
of one table may be. "private" brings private screens up to date while the redraw of the table still waits.
"""


@dataclass(frozen=True)
class _Load:
    """How busy the bot is (`bot.ui.display.parts.Load`)."""

    spacing: Callable[[], float]
    lag: Callable[[], float]


class Host:
    """Everything that lives as long as the bot: store, tables, screens, jobs."""

    def __init__(
        self,
        client: discord.Client,
        settings: Settings,
        clock: Clock,
        store: Store,
        games: Mapping[str, AnyGame],
        pace: Pace | None = None,
        metrics: Metrics | None = None,
        fleet: Fleet | None = None,
    ) -> None:
        self.settings = settings
        self.fleet = fleet or Alone()
        self.metrics = metrics if metrics is not None else Metrics()
        self.clock = clock
        self.store = store
        self.games = games
        self.screens: dict[str, AnyScreens] = {}
        self.thinkers = Thinkers(settings.thinkers, settings.card_lists, self.metrics.thought)
        self.tables = Tables(store, games, clock, self.thinkers, settings.agent_delay, Limits.of(settings))
        self.tables.fleet = self.fleet
        self.upkeep = Upkeep(self.tables, self.fleet)
        self._pace = pace if pace is not None else Pace(math.inf)
        self.picture_choices = PictureChoices(store, self.fleet)
        self.upkeep.erasures.forgotten = self._forgotten
        self.gallery = Gallery(on=settings.pictures, seen=self.metrics.picture)
        self.fleet.on("forgotten", self._names_go)
        uploads = EmojiUploads(client, store, self.gallery, Signs(self.screens))
        self.shelf = EmojiRegistry(uploads, clock, self.fleet, on=settings.pictures)
        self._delay = 0.0
        """How many seconds later than due things happen now, on average of the last few."""
        self._work = 0.0
        """For which part of the time the event loop was busy lately."""
        controls = self.upkeep.controls
        self.tables.may_sit = controls.check
        self.tables.redrawn_from = self._redrawn_from
        self.tables.changed = self._changed
        pictures = Pictures(self.gallery, self.picture_choices, self.shelf, lambda: PICTURES_LAG * self._lag)
        public = PublicScreens(self.tables, self.screens, pictures, lambda: controls.notice)
        self.presenter = Presenter(client, self.tables, public, _Load(self._spacing, lambda: self._lag))
        self.tables.draw_at_once = self.presenter.draw_at_once
        self.router = Router(
            client, self.tables, self.presenter, self.screens, self._pace, self.metrics, self.fleet
        )
        self.replays = Replays(self.screens, settings.card_lists)
        self.replay_answers = ReplayAnswers(self.tables, self.screens, self.replays, on=settings.pictures)
        self.router.add_handler(REPLAY, self.replay_answers.replay, "private")
        self._due = Due(self._pace, self._begin)
        """Jobs that are due and wait for their turn."""
        self._running: dict[Lane, asyncio.Task[None]] = {}
        self._asking: set[asyncio.Task[None]] = set()
        """Private screens that are brought up to date at once, because the match waits for their owners."""
        self._context = Context()
        """That of no act: what is done in it is no part of the press or job that has made it necessary."""
        self._guild_of: dict[asyncio.Task[None], int] = {}
        """By job that is being done, and by private screens that are brought up to date: their server."""
        self._failures: dict[Key, int] = {}
        self._held: dict[tuple[Key, int], float] = {}
        """Jobs, with their stamps, that failed and could not be put off in the store; and until when they wait."""
        self._redrawn: dict[int, float] = {}
        self._answers_come = False
        """Whether a redraw that is due waits for the answer to a press."""
        self._purging: asyncio.Task[None] | None = None
        self._beaten = 0.0
        """When it was last tried to note that people can be served."""
        self._noted = 0.0
        """When that was last noted."""
        self._purged = 0.0
        self._begun = 0
        """Jobs started so far."""
        self._open = False
        self._closing: asyncio.Future[None] | None = None

    def _forgotten(self, user: int) -> None:
        """Forgets what is remembered of a person whom the store has forgotten."""
        self.picture_choices.forget(user)
        forget_names()

    async def _names_go(self) -> None:
        """Somebody was forgotten by another process."""
        forget_names()
        self.tables.played.forget()

    def register(self, screens: AnyScreens) -> None:
        """Adds a game's screens. The host must have been given the game."""
        assert screens.game in self.games
        self.screens[screens.game] = screens
        self.router.declare(screens.presses())

    async def start(self, join: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Opens the store and gives everybody back the time for which nobody could be served. Raises `StoreRefused`.

        `join` makes this process one of several that share the store; it returns whether others live already. If the
        machine's time was set back meanwhile, the host goes on as if no time had passed.
        """
        spare_the_collector()
        self._context = copy_context()
        await self.store.open()
        self._open = True
        others_live = join is not None and await join()
        await self._note_time(AWAY if others_live else 0.0)
        await self.upkeep.guilds.load()
        await self.upkeep.controls.load()
        await self.picture_choices.load()
        await self.shelf.load()
        self.gallery.open()

    async def give_back(self, seconds: float) -> None:
        """Gives everybody back the last `seconds`, in which this process, which is alone, could serve nobody.

        Raises `StoreError`.
        """
        # People could still be served after the last heartbeat. A crash between these two leaves the rest to the next
        # start.
        await self.store.beat(self.clock.now() - seconds, math.inf)
        await self._note_time(0.0)

    def grant_grace(self) -> None:
        """Gives everybody at the tables of this process the grace period, because they could not reach it for long."""
        down = self.tables.downtime
        self.tables.start(down, self.clock.now() - down + GRACE)

    async def _note_time(self, away: float) -> None:
        """Notes that people can be served; if they could not for longer than `away` seconds, gives those back.

        Whenever time was given back, by this process or another one, everybody gets the grace period. Raises
        `StoreError`.
        """
        now = self.clock.now()
        down = await self.store.beat(now, away)
        if down != self.tables.downtime or not self._noted:
            self.tables.start(down, now - down + GRACE)
        self._beaten = self._noted = now

    # -- shards that come and go

    async def took_over(self, shards: Collection[int]) -> None:
        """To be called before the first act for shards that another process may have served. Raises `StoreError`."""
        await self._note_time(AWAY)
        if 0 in shards:
            self._purged = 0.0  # the leader deletes what is old, and its last one may have been young
        self._forget(shards)
        self.tables.took_over(shards, self.clock.now() - self.tables.downtime + GRACE)

    def gave_up(self, shards: Collection[int]) -> None:
        """Forgets everything about the tables of shards whose jobs another process does now."""
        self._forget(shards)

    def _forget(self, shards: Collection[int]) -> None:
        self._due.drop(lambda job: self.fleet.shard_of(job.guild_id) in shards)
        gone = {
            table.id for table in self.tables.in_memory() if self.fleet.shard_of(table.guild_id) in shards
        }
        # Of tables that are in memory no more a wait may stay, which does no harm if they come back.
        self._failures = {key: each for key, each in self._failures.items() if key[0] not in gone}
        self._held = {job: until for job, until in self._held.items() if job[0][0] not in gone}
        self._redrawn = {table_id: at for table_id, at in self._redrawn.items() if table_id not in gone}
        self.tables.drop(shards)
        self.presenter.keep_only(self.tables.in_memory())

    async def finish(self, shards: Collection[int], within: float) -> None:
        """Waits for the jobs under way for these shards, for so many seconds at most."""
        jobs = {task for task, guild in self._guild_of.items() if self.fleet.shard_of(guild) in shards}
        if jobs:
            await asyncio.wait(jobs, timeout=within)

    async def close(self) -> None:
        """Finishes what is under way and closes the store. Safe to call twice, and to cancel: it goes on."""
        if self._open:
            self._open = False  # from here on no new jobs are started
            self._due.clear()
            self._closing = asyncio.ensure_future(self._close())
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def _close(self) -> None:
        self.replays.close()  # who waits for a film is told so at once
        self.shelf.close()
        await self._finish()
        self.thinkers.close()
        self.gallery.close()
        try:
            async with asyncio.timeout(SAVING):
                await self._beat()
                await self.fleet.leave()
                await self.store.close()
        except TimeoutError:
            log.error("the store is too slow to be closed in time; all that was acknowledged is kept")

    async def _finish(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + CLOSING
        while (unfinished := self._unfinished()) and loop.time() < until:  # presses may still arrive
            await asyncio.wait(unfinished, timeout=until - loop.time(), return_when=asyncio.FIRST_COMPLETED)
        if unfinished:
            for task in unfinished:
                task.cancel()
            await asyncio.wait(unfinished, timeout=LETTING_GO)

    def _unfinished(self) -> set[asyncio.Task[Any]]:
        tasks: set[asyncio.Task[Any]] = {*self.busy, *self.replay_answers.following}
        tasks |= self.router.answering
        tasks |= self.upkeep.tasks | ({self._purging} if self._purging is not None else set())
        return {task for task in tasks if not task.done()}

    # -- what can be seen from outside

    @property
    def is_open(self) -> bool:
        """Whether the store is open and the host does its work."""
        return self._open

    @property
    def request_load(self) -> float:
        """Which part of the requests that the bot may make it has made lately, from 0 to about 1."""
        return self._pace.load

    def waiting_jobs(self) -> dict[str, tuple[int, float]]:
        """The jobs that are due and wait for their turn: how many of each kind, and for how many seconds the oldest."""
        now = self.clock.now()
        found: dict[str, tuple[int, float]] = dict.fromkeys(KINDS, (0, 0.0))
        for job in self._due:
            number, overdue = found[job.kind]
            found[job.kind] = number + 1, max(overdue, now - job.due)
        return found

    # -- what is due

    async def run_due(self) -> float | None:
        """Does all that is due, and what becomes due by that. Returns the time at which something is due next."""
        while self._open:
            idle, begun = not self._running, self._begun
            soonest = await self.start_due()
            if self._running:
                await asyncio.wait(self._running.values(), return_when=asyncio.FIRST_COMPLETED)
            elif self.upkeep.task is not None:
                await asyncio.wait({self.upkeep.task})  # it may set new jobs
            elif self.shelf.task is not None:
                await asyncio.wait({self.shelf.task})
            elif self._due or self._answers_come:
                await asyncio.sleep(WAITING)
            elif idle and begun == self._begun:
                # Otherwise a job that has just ended may have kept another one waiting.
                return soonest
        return None

    async def start_due(self) -> float | None:
        """Starts the jobs that are due. Returns the time at which something is due next."""
        if not self._open:
            return None
        now = self.clock.now()
        if not self.fleet.alone and now - self._noted > AWAY:
            # The store was away: that time is given back before anybody's limit runs out.
            await self._note_time(AWAY)
        elif now - self._beaten >= HEARTBEAT:
            await self._beat()
        if now - self._purged >= DAY and self._purging is None:
            self._purged = now
            self._purging = asyncio.create_task(self._purge(now), name="purge")
        self.upkeep.start_due(now)
        self.shelf.start_due(now)
        limit = AT_ONCE + len(self._running) + len(self._held)
        self._answers_come = False
        for job in await self.store.due(now, limit, self._due, self.fleet.owned):
            self._start(job, now)
        due = await self.store.next_due(self.fleet.owned)
        beat = self._beaten + HEARTBEAT
        return beat if due is None else min(due, beat)

    def _start(self, job: Job, now: float) -> None:
        """Queues a job that is due, unless it was put off or its lane is busy."""
        held = self._held.get(((job.table_id, job.kind), job.id), now)
        if _lane(job) in self._running or held > now or not self._open:
            return
        if not self.fleet.owns(job.guild_id):
            return  # its shard is just being given away
        if job.kind == REDRAW:
            if self.presenter.answer_awaited(job.table_id):
                self._answers_come = True
                return
            if (soonest := self._redrawn_from(job.table_id)) > now:
                self._run(_lane(job), self._put_off(job, soonest - now), job)
                return
            if self.presenter.rides(job.table_id):
                self._run(_lane(job), self._do(job, slots=0), job)
                return
        if self._due.add(job) and job.kind == REDRAW:
            # Private screens are edited through tokens of presses, which needs no slot. So they are updated without
            # waiting.
            self._run((job.table_id, "private"), self._follow(job.table_id), job)

    def _changed(self, table: Table) -> None:
        """Shows at once what they may do to those who are asked since this change; all else waits for the redraw."""
        due = self.presenter.private.asks_anew(table, presser())
        if not due or not self._open or not self.fleet.owns(table.guild_id):
            return
        task = asyncio.create_task(
            self._show_asked(table, due), name=f"asked at table {table.id}", context=self._context.copy()
        )
        self._asking.add(task)
        self._guild_of[task] = table.guild_id
        task.add_done_callback(self._asking.discard)
        task.add_done_callback(self._guild_of.__delitem__)

    async def _show_asked(self, table: Table, due: Sequence[OpenScreen]) -> None:
        try:
            await self.presenter.private.hurry(table, due)
        except StoreError as error:  # the redraw will try again, as after any other failure
            log.info("table %s: who is asked could not be shown it at once: %s", table.id, error)
        except Exception:
            log.exception("table %s: who is asked could not be shown it at once", table.id)

    def _redrawn_from(self, table_id: int) -> float:
        """From when on a table's messages may be drawn again.

        Edits that follow each other quickly become one, which shows the newest state.
        """
        if self.presenter.is_urgent(table_id):
            return 0.0
        now, last = self.clock.now(), self._redrawn.get(table_id, 0.0)
        return last + self.settings.redraw_interval if last <= now else 0.0

    def _begin(self, job: Job) -> asyncio.Task[None] | None:
        """Starts a job whose turn has come."""
        return self._run(_lane(job), self._do(job, slots=1 if job.kind == REDRAW else 0), job)

    def _run(self, lane: Lane, work: Coroutine[Any, Any, None], job: Job) -> asyncio.Task[None] | None:
        if lane in self._running or not self._open or not self.fleet.owns(job.guild_id):
            work.close()
            return None
        task = asyncio.create_task(work, name=f"job {job.kind} of table {job.table_id}")
        self._running[lane] = task
        self._guild_of[task] = job.guild_id
        self._begun += 1
        task.add_done_callback(lambda _task: self._running.pop(lane, None))
        task.add_done_callback(self._guild_of.__delitem__)
        return task

    def _spacing(self) -> float:
        """How many seconds are to lie now between two edits of a table message by requests that count.

        The more requests the bot makes, the more changes become one edit. The number of edits a second then grows with
        the square root of the number of busy tables only.
        """
        return self.settings.board_lag * min(1.0, self._pace.load / CROWDED)

    def felt(self, delay: float) -> None:
        """To be told how many seconds later than due something has happened."""
        self._delay += (delay - self._delay) * DELAY_WEIGHT

    def worked(self, share: float) -> None:
        """To be told for which part of a while the event loop was busy."""
        self._work += (share - self._work) * DELAY_WEIGHT

    @property
    def _lag(self) -> float:
        """For how many seconds boards, and screens of those who are not asked, may be out of date now.

        When the processor is busy, presses come first: what several moves change is then drawn once.
        """
        late = 0.0 if self._delay < DELAYED else LAG_PER_DELAY * self._delay
        busy = LAG * (self._work - BUSY) / (FULL - BUSY)
        return max(0.0, min(LAG, self.settings.board_lag, max(late, busy)))

    @property
    def busy(self) -> set[asyncio.Task[None]]:
        """The jobs that are being done now, and the private screens that are brought up to date at once."""
        return {*self._running.values(), *self._asking}

    async def _beat(self) -> None:
        self._beaten = self.clock.now()
        self.presenter.sweep()
        try:
            # Who is alone gives time back itself, because it knows exactly since when it could serve nobody.
            await self._note_time(math.inf if self.fleet.alone else AWAY)
        except StoreError as error:
            log.warning("that the host is up could not be noted: %s", error)

    async def _purge(self, now: float) -> None:
        """Deletes matches that ended long ago, once for all processes, and clears what is remembered of failed jobs."""
        before = now - self.settings.keep_days * DAY
        self._failures.clear()
        self._held.clear()
        try:
            purged = await self.store.purge(before) if self.fleet.leads else 0
        except StoreError as error:
            log.warning("old matches could not be deleted: %s", error)
        else:
            self.tables.drop_ended(before)
            if purged:
                log.info("deleted %s matches that had ended %s days ago", purged, self.settings.keep_days)
        finally:
            self._purging = None

    async def _do(self, job: Job, slots: int) -> None:
        """Does a job that has got so many slots for requests in advance."""
        late = self.clock.now() - job.due
        shard = self.router.shard_of(job.guild_id)
        with doing(Act("job", job.kind, job.guild_id, job.table_id, shard)) as act:
            await self._try(job, slots)
            self.metrics.job_done(act, late)
            log.debug("table %s: %s is %s", job.table_id, job.kind, act.outcome)

    async def _try(self, job: Job, slots: int) -> None:
        try:
            with self._pace.job(lane_of(job), job.channel_id, paid=slots):
                if job.kind == REDRAW:
                    await self._redraw(job)
                elif job.kind == START:
                    await self.presenter.start(job.table_id)
                    await self.store.finish([job])
                else:
                    await self.tables.do_job(job)
                    await self.store.finish([job])
        except Refused as refused:
            came_to("refused")
            await self._refused(job, refused)
        except (*UNDELIVERED, StoreError) as error:
            came_to("undone")
            log.warning("table %s: %s failed: %s", job.table_id, job.kind, Brief(error))
            await self._retry(job, for_ever=isinstance(error, StoreError) or passes(error))
        except Exception:
            came_to("failed")
            log.exception("table %s: %s failed", job.table_id, job.kind)
            await self._retry(job)
        else:
            self._failures.pop((job.table_id, job.kind), None)

    async def _redraw(self, job: Job) -> None:
        now = self.clock.now()
        look_again = await self.presenter.redraw(job.table_id)
        self._redrawn[job.table_id] = now
        if len(self._redrawn) > REMEMBERED:
            self._redrawn = {table: at for table, at in self._redrawn.items() if at > now - MINUTE}
        if look_again is None:
            await self.store.finish([job])
        else:
            await self.store.postpone(job, now + look_again)
        if job.table_id in self.presenter.trouble:
            await self.upkeep.guilds.doubt((await self.tables.get(job.table_id)).guild_id)

    async def _follow(self, table_id: int) -> None:
        """Updates the open private screens of a table whose message has to wait for its redraw."""
        try:
            await self.presenter.follow(table_id)
        except StoreError as error:  # the redraw will try again, as after any other failure
            log.info("table %s: its private screens could not follow: %s", table_id, error)
        except Exception:
            log.exception("table %s: its private screens could not follow", table_id)

    async def _refused(self, job: Job, refused: Refused) -> None:
        """Puts off the job of a table that cannot be read by this version, and drops that of a table that is gone."""
        if refused.code == "unreadable":
            await self._put_off(job, RETRY_UNREADABLE if self.fleet.alone else UNREADABLE_IN_FLEET)
        else:
            await self._drop(job)

    async def _retry(self, job: Job, *, for_ever: bool = False) -> None:
        key = (job.table_id, job.kind)
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        if failures >= GIVE_UP and job.kind == REDRAW and not for_ever:
            await self._drop(job)
        else:
            await self._put_off(job, min(RETRY_MOST, RETRY_FIRST * 2 ** min(failures - 1, 10)))

    async def _drop(self, job: Job) -> None:
        self._failures.pop((job.table_id, job.kind), None)
        await self._or_hold(job, self.clock.now() + RETRY_MOST, self.store.finish([job]))

    async def _put_off(self, job: Job, seconds: float) -> None:
        due = self.clock.now() + seconds
        await self._or_hold(job, due, self.store.postpone(job, due))

    async def _or_hold(self, job: Job, due: float, write: Awaitable[None]) -> None:
        """Carries out `write`, which puts off or drops the job. If even that fails, the job still waits until `due`."""
        key = ((job.table_id, job.kind), job.id)
        try:
            await write
        except StoreError:
            self._held[key] = due
        else:
            self._held.pop(key, None)

    # -- channels that are gone

    async def channel_gone(self, channel_id: int) -> None:
        """Ends the match of a channel that was deleted."""
        row = await self.store.live_table(channel_id)
        if row is None:
            return
        try:
            await self.presenter.channel_gone(await self.tables.get(row.id))
        except Conflict:
            pass  # another process has just done the same
        except Refused:
            await self.tables.give_up(row.id)

    async def repost_all(self) -> None:
        """Posts every live table's message anew. The playground needs it, because its Discord forgets everything."""
        await self.shelf.forget()
        for row in await self.store.live_tables():
            try:
                async with self.tables.change(row.id) as draft:
                    draft.table.body.messages = Messages()
                    draft.touch()
                await self.presenter.repost(row.id)
            except Refused as refused:
                log.warning("table %s: its message was not posted anew (%s)", row.id, refused.code)


def _lane(job: Job) -> Lane:
    return job.table_id, "drawing" if job.kind == REDRAW else "other"
