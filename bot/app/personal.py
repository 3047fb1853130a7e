"""The regular work for single people: holidays that begin and end, and digests. The leader does it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from bot.app.services import Services
from bot.store.model import LIVE, StoreError
from bot.tables.draft import Draft
from bot.tables.holidays import Holiday, come_home, go_on_holiday
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.call_choices import HOLIDAY, CallChoices
from bot.ui.digests import Digests

log = logging.getLogger(__name__)


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
        self._every = services.timing.housekeeping.every
        self._looked = 0.0
        self._holidays = holidays
        self._digests = digests
        self.task: asyncio.Task[None] | None = None
        """The work under way."""

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """The work under way, as a set."""
        return set() if self.task is None else {self.task}

    def start_due(self, now: float) -> None:
        """Starts the work that is due, in the leader only. `now` may have jumped back."""
        if self.task is not None or not self._fleet.is_leader or 0 <= now - self._looked < self._every:
            return
        self._looked = now
        if self._holidays.due(now) or self._digests.due(now):
            self.task = asyncio.create_task(self._work(now), name="personal work")

    async def _work(self, now: float) -> None:
        try:
            await self._holidays.begin_and_end(now)
            await self._digests.send_due(now)
        except StoreError as error:
            log.warning("could not do the work for single people: %s", error)
        except Exception:
            log.exception("could not do the work for single people")
        finally:
            self.task = None
