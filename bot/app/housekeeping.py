"""The regular work that is no table's job: for the store, the servers and the operator, and for single people.

The first is erasures, the operator's orders, removals from servers, the registration of commands, and the deletion of
old matches, and of guests and wishes for a match that count no longer. The second is holidays that begin and end, and
digests; the leader does it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from bot.app.command_sync import Registration
from bot.app.guild_removals import Removals
from bot.app.job_runner import Retries
from bot.app.operator import Operator
from bot.app.services import Services
from bot.background import Background
from bot.people.own_matches.digests import Digests
from bot.people.privacy.erasures import Erasures
from bot.store.model import LIVE, StoreError
from bot.tables.daily import seal_ahead
from bot.tables.draft import Draft
from bot.tables.holidays import Holiday, come_home, go_on_holiday
from bot.tables.matchmaking import SWEEP_EVERY
from bot.tables.model import DAY
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.call_choices import HOLIDAY, CallChoices
from bot.ui.table_display import Presenter

log = logging.getLogger(__name__)
_PURGE_EVERY: Final = DAY
"""Seconds between two deletions of matches that ended long ago."""
_SWEEP_EVERY: Final = 30.0
"""Seconds between two sweeps of screens and tokens that Discord no longer takes edits for."""


class Cleanup:
    """Deletes old matches and seals the next daily deal once a day, and drops screens that can no longer be edited."""

    def __init__(self, services: Services, tables: Tables, presenter: Presenter, retries: Retries) -> None:
        self._services = services
        self._tables = tables
        self._presenter = presenter
        self._retries = retries
        self._purged = self._swept = 0.0
        self.task: asyncio.Task[None] | None = None
        """The deletion under way."""

    def start_due(self, now: float) -> None:
        """Sweeps screens, and starts the deletion of old matches, if due."""
        if now - self._swept >= _SWEEP_EVERY:
            self._swept = now
            self._presenter.sweep()
        if now - self._purged >= _PURGE_EVERY and self.task is None:
            self._purged = now
            self.task = asyncio.create_task(self._purge(now), name="purge")

    def purge_soon(self) -> None:
        """Makes a deletion due now: this process became the leader, and the last leader may not have made one."""
        self._purged = 0.0

    async def _purge(self, now: float) -> None:
        """Deletes matches that ended long ago and seals a deal, in the leader only, and clears the failures of jobs."""
        days = self._services.settings.keep_days
        before = now - days * DAY
        self._retries.forget_all()
        try:
            purged = await self._services.store.purge(before) if self._services.fleet.is_leader else 0
            if self._services.fleet.is_leader:
                await seal_ahead(self._tables)
        except StoreError as error:
            log.warning("could not delete old matches or seal tomorrow's deal: %s", error)
        else:
            self._tables.cache.drop_ended(before)
            if purged:
                log.info("deleted %s matches that had ended %s days ago", purged, days)
        finally:
            self.task = None


class Housekeeping:
    """Checks for work every second, and at once after a notification from another process."""

    def __init__(
        self,
        services: Services,
        erasures: Erasures,
        operator: Operator,
        removals: Removals,
        cleanup: Cleanup,
        registration: Registration | None = None,
    ) -> None:
        """`registration` registers the commands; None if there are none."""
        self.erasures = erasures
        self.operator = operator
        self.removals = removals
        self.cleanup = cleanup
        self._registration = registration
        self.task: asyncio.Task[None] | None = None
        """The check under way."""
        self._services = services
        self._every = services.timing.housekeeping_every
        self._looked = self._swept = 0.0
        services.fleet.on("forgotten", self._on_forgotten)
        services.fleet.on("controls", self._look_soon)
        services.fleet.on_change(self._on_shards)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """The tasks under way."""
        registering = self._registration.task if self._registration is not None else None
        return {task for task in (self.task, registering, self.cleanup.task) if task is not None}

    def start_due(self, now: float) -> None:
        """Starts due work. `now` may have jumped back."""
        self.cleanup.start_due(now)
        if self.task is None and not 0 <= now - self._looked < self._every:
            self._looked = now
            self.task = asyncio.create_task(self._check(), name="housekeeping")
        if self._registration is not None:
            self._registration.start_due(now)

    async def _check(self) -> None:
        try:
            await self.erasures.take_up()
            await self.operator.take_up()
            await self.removals.end_overdue()
            await self._sweep()
        except StoreError as error:
            log.warning("could not do the housekeeping: %s", error)
        except Exception:
            log.exception("could not do the housekeeping")
        finally:
            self.task = None

    async def _sweep(self) -> None:
        """Deletes the wishes for a match and the guests that count no longer, in the leader only."""
        now = self._services.clock.now()
        if self._services.fleet.is_leader and not 0 <= now - self._swept < SWEEP_EVERY:
            self._swept = now
            await self._services.store.wishes.end_overdue()
            await self._services.store.guests.end_overdue()

    async def _look_soon(self) -> None:
        self._looked = 0.0

    async def _on_forgotten(self) -> None:
        """Makes a check due, because a person has asked another process to be forgotten, or was forgotten."""
        self.erasures.look_again()
        await self._look_soon()

    async def _on_shards(self, gained: frozenset[int], _lost: frozenset[int]) -> None:
        """Makes a check due and reads the removals again, if this process has gained shards. Raises `StoreError`."""
        if gained:
            await self._on_forgotten()
            await self.removals.load()


class Holidays:
    """Begins and ends holidays at all tables of a person. Every step may be repeated after a crash."""

    def __init__(self, tables: Tables, choices: CallChoices) -> None:
        self._tables = tables
        self._choices = choices

    def due(self, now: float) -> list[tuple[int, Holiday]]:
        """The holidays that begin or end now, by person."""
        return [
            (user, holiday)
            for user, holiday in self._choices.holidays()
            if holiday.ends <= now or (holiday.begins <= now and not holiday.begun)
        ]

    async def begin_and_end(self, now: float) -> None:
        """Begins and ends the holidays that are due. Raises `StoreError`."""
        for user, holiday in self.due(now):
            try:
                await self._begin_or_end(user, holiday, now)
            except StoreError:
                raise
            except Exception:
                log.exception("a holiday could not begin or end")  # those of others are not held up

    async def _begin_or_end(self, user: int, holiday: Holiday, now: float) -> None:
        ended = holiday.ends <= now
        if ended:
            await self._at_all_tables(user, partial(come_home, user_id=user))
        else:
            await self._at_all_tables(user, partial(go_on_holiday, user_id=user, ends=holiday.ends))
        await self._choices.move(user, HOLIDAY, holiday, None if ended else holiday._replace(begun=True))

    async def _at_all_tables(self, user: int, act: Callable[[Draft], None]) -> None:
        for row in await self._tables.store.tables_of(user):
            if row.status in LIVE:
                with suppress(Refused):  # the table has just been deleted, or cannot be read
                    await self._tables.apply(row.id, act)


class PersonalWork:
    """Does the due work for single people, in a task of its own, because it waits for Discord."""

    def __init__(self, services: Services, holidays: Holidays, digests: Digests) -> None:
        self._fleet = services.fleet
        self._every = services.timing.housekeeping_every
        self._looked = 0.0
        self._holidays = holidays
        self._digests = digests
        self.work = Background()
        """The work under way."""

    def start_due(self, now: float) -> None:
        """Starts the work that is due, in the leader only. `now` may have jumped back."""
        if self.work.tasks or not self._fleet.is_leader or 0 <= now - self._looked < self._every:
            return
        self._looked = now
        if self._holidays.due(now) or self._digests.due(now):
            self.work.start(self._work(now), "personal work")

    async def _work(self, now: float) -> None:
        try:
            await self._holidays.begin_and_end(now)
            await self._digests.send_due(now)
        except StoreError as error:
            log.warning("could not do the work for single people: %s", error)
        except Exception:
            log.exception("could not do the work for single people")
