"""The host of all tables in this process: its parts, their start and end, and the shards that come and go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.app.controls import Blocklist, Notice
from bot.app.heartbeat import Heartbeat
from bot.app.housekeeping import Housekeeping, PersonalWork
from bot.app.job_runner import JobRunner, ServerTasks
from bot.app.load import Load, spare_the_collector
from bot.app.services import Services
from bot.art.picture_cache import PictureCache
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.metrics import Metrics
from bot.people.privacy.handlers import Privacy
from bot.replay.film_queue import FilmQueue
from bot.replay.film_replies import FilmReplies
from bot.replay.progress import ProgressReplies
from bot.replay.reviews import Reviews
from bot.settings import Settings
from bot.store.model import Conflict
from bot.store.store import Store
from bot.tables.messages import MatchThread, Messages
from bot.tables.model import NOWHERE
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from bot.ui.application_emoji.registry import EmojiRegistry
from bot.ui.call_choices import CallChoices
from bot.ui.pictures import PictureChoices, Pictures
from bot.ui.router import Router
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.table_display import Presenter
from engine.game import AnyGame

log = logging.getLogger(__name__)
_CANCEL: Final = 0.5
"""Seconds after that for cancelled work: a write that is under way becomes durable first."""


@dataclass(eq=False, kw_only=True)
class Display:
    """The parts that show the tables."""

    screens: dict[str, AnyScreens]
    """By game; the cogs register them."""
    picture_choices: PictureChoices
    call_choices: CallChoices
    picture_cache: PictureCache
    emoji: EmojiRegistry
    presenter: Presenter
    films: FilmQueue
    pictures: Pictures
    film_replies: FilmReplies
    progress_replies: ProgressReplies


@dataclass(eq=False, kw_only=True)
class Host(Display):
    """The parts that live as long as the bot. `bot.app.build` creates them."""

    services: Services
    blocklist: Blocklist
    notice: Notice
    load: Load
    thinkers: Thinkers
    tables: Tables
    heartbeat: Heartbeat
    router: Router
    privacy: Privacy
    reviews: Reviews
    tasks: ServerTasks
    jobs: JobRunner
    housekeeping: Housekeeping
    personal: PersonalWork

    settings: Settings = field(init=False)
    clock: Clock = field(init=False)
    store: Store = field(init=False)
    fleet: Fleet = field(init=False)
    games: Mapping[str, AnyGame] = field(init=False)
    metrics: Metrics = field(init=False)
    _closed: asyncio.Future[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        services = self.services
        self.settings, self.clock, self.store = services.settings, services.clock, services.store
        self.fleet, self.games, self.metrics = services.fleet, services.games, services.metrics
        self._timing = services.timing

    def register(self, screens: AnyScreens) -> None:
        """Adds a game's screens. The game must be one of `games`."""
        assert screens.game in self.games
        self.screens[screens.game] = screens

    # -- start and end

    @property
    def is_open(self) -> bool:
        """Whether the store is open and the host does its work."""
        return self.tasks.is_open

    async def start(self, join: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Opens the store and counts the time for which nobody could be served as downtime. Raises `StoreRefused`.

        `join` makes this process one of several that share the store, and returns whether others live already. If the
        machine's time was set back meanwhile, the host goes on as if no time had passed.
        """
        spare_the_collector()
        await self.store.open()
        self.tasks.open()
        await self.heartbeat.begin(others_live=join is not None and await join())
        await self.housekeeping.removals.load()
        await self.blocklist.load()
        await self.notice.load()
        await self.picture_choices.load()
        await self.call_choices.load()
        await self.emoji.load()
        self.picture_cache.open()

    async def close(self) -> None:
        """Finishes running work and closes the store. Safe to call twice, and to cancel: the closing goes on."""
        if self.is_open:
            self.tasks.close()
            self.jobs.clear()
            self._closed = asyncio.ensure_future(self._close())
        if self._closed is not None:
            await asyncio.shield(self._closed)

    async def _close(self) -> None:
        self.films.close()  # people who wait for a film or a review are notified at once
        self.reviews.close()
        self.tables.masters.close()
        self.presenter.late.close()
        self.emoji.close()
        await self._finish_all()
        self.thinkers.close()
        self.picture_cache.close()
        try:
            async with asyncio.timeout(self._timing.save):
                await self.heartbeat.beat()
                await self.fleet.leave()
                await self.store.close()
        except TimeoutError:
            log.error("the store is too slow to be closed in time; all that was acknowledged is kept")

    async def _finish_all(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timing.finish
        while (unfinished := self._unfinished()) and loop.time() < until:  # presses may still arrive
            await asyncio.wait(unfinished, timeout=until - loop.time(), return_when=asyncio.FIRST_COMPLETED)
        if unfinished:
            for task in unfinished:
                task.cancel()
            await asyncio.wait(unfinished, timeout=_CANCEL)

    def _unfinished(self) -> set[asyncio.Task[Any]]:
        tasks: set[asyncio.Task[Any]] = {
            *self.tasks.running,
            *self.progress_replies.waits.tasks,
            *self.reviews.making.tasks,
            *self.tables.masters.playing.tasks,
        }
        tasks |= self.router.answering | self.housekeeping.tasks
        tasks |= self.presenter.late.waits.tasks | self.personal.work.tasks
        return {task for task in tasks if not task.done()}

    # -- due work

    async def start_due(self) -> float | None:
        """Starts all due work. Returns the time at which work is due next. Raises `StoreError`."""
        if not self.is_open:
            return None
        now = self.clock.now()
        await self.heartbeat.beat_if_due(now)
        self.housekeeping.start_due(now)
        self.personal.start_due(now)
        self.emoji.start_due(now)
        due = await self.jobs.start_due(now)
        return self.heartbeat.next if due is None else min(due, self.heartbeat.next)

    # -- shards that come and go

    async def took_over(self, shards: Collection[int]) -> None:
        """Prepares for shards that another process may have served, before the first act for them.

        Raises `StoreError`.
        """
        await self.heartbeat.take_over()
        if 0 in shards:
            self.housekeeping.cleanup.purge_soon()
        self.gave_up(shards)
        self.tables.took_over(shards, self.heartbeat.grace_ends)

    def gave_up(self, shards: Collection[int]) -> None:
        """Drops all data in memory about the tables of these shards, whose jobs another process does now."""
        self.jobs.forget(shards, self.tables.cache.drop_shards(shards))
        self.presenter.states.keep_only({table.id for table in self.tables.cache.all()})

    async def finish(self, shards: Collection[int], within: float) -> None:
        """Waits for the running jobs of these shards, for at most `within` seconds."""
        jobs = self.tasks.of(lambda server: self.fleet.shard_of(server) in shards)
        if jobs:
            await asyncio.wait(jobs, timeout=within)

    # -- channels

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
        """Posts every live table's message anew. Private matches have none, and in a group DM only a press posts one.

        The playground requires this, because its Discord stores nothing.
        """
        await self.emoji.forget()
        for row in await self.store.live_tables():
            if row.channel_id == NOWHERE or not row.guild_id:
                continue
            try:
                async with self.tables.change(row.id) as draft:
                    draft.table.body.messages = Messages()
                    if draft.table.body.thread is not None:
                        draft.table.body.thread = MatchThread(draft.table.body.thread.parent)
                    draft.touch()
                await self.presenter.repost(row.id)
            except Refused as refused:
                log.warning("table %s: its message was not posted anew (%s)", row.id, refused.code)
