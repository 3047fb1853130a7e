"""The regular work for single people: digests. The leader does it."""

from __future__ import annotations

import asyncio
import logging

from bot.app.services import Services
from bot.store.model import StoreError
from bot.ui.digests import Digests

log = logging.getLogger(__name__)


class PersonalWork:
    """Does the due work for single people, in a task of its own, because it waits for Discord."""

    def __init__(self, services: Services, digests: Digests) -> None:
        self._fleet = services.fleet
        self._every = services.timing.housekeeping.every
        self._looked = 0.0
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
        if self._digests.due(now):
            self.task = asyncio.create_task(self._work(now), name="personal work")

    async def _work(self, now: float) -> None:
        try:
            await self._digests.send_due(now)
        except StoreError as error:
            log.warning("could not do the work for single people: %s", error)
        except Exception:
            log.exception("could not do the work for single people")
        finally:
            self.task = None
