"""Erases people's data to the last byte, and continues after a crash.

A request is stored before its first step and deleted after its last. The leader carries it out at all tables: a process
that has such a table in memory reads the table again before its next use.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal

from bot.fleet.fleet import Fleet
from bot.people.privacy.stored_data import forget
from bot.store.model import Erasure, StoreError
from bot.tables.service import Tables

log = logging.getLogger(__name__)
AGAIN: Final = 60.0
"""Seconds after which a request that could not be carried out is tried again."""
_WAIT: Final = 15.0
"""Seconds for which a process that was asked waits for the leader."""
_CHECK_EVERY: Final = 0.25
"""Seconds between two looks at what the leader has done."""


WIPE_WITHIN: Final = 10.0
"""Seconds to wait for another reader, such as a backup under way, before the store's files can be wiped."""

Outcome = Literal["done", "traces", "later"]
"""The outcome of a request to be forgotten.

"done": nothing is left. "traces": all is deleted, but the files could not be wiped yet. "later": it could not be
carried out yet. In the last two cases the rest is done later.
"""


class Erasures:
    """Carries out requests to erase, if this process is the leader; else it waits for the leader."""

    def __init__(
        self,
        tables: Tables,
        fleet: Fleet | None = None,
        forgotten: Callable[[int], None] = lambda _user: None,
        wipe_within: float = WIPE_WITHIN,
    ) -> None:
        """`forgotten` is called with a person who has just been forgotten at all tables."""
        self._wipe_within = wipe_within
        self._tables = tables
        self._store = tables.store
        self._fleet = fleet if fleet is not None else Fleet()
        self._being_done: set[int] = set()
        self._held: dict[int, float] = {}
        """The requests that could not be carried out, with the ends of their waits."""
        self._forgotten = forgotten

    async def forget(self, user_id: int) -> Outcome:
        """Forgets a person and wipes their traces from the store's files.

        Returns once that is done or has failed, or the leader needs longer than `_WAIT` for it.
        Raises `StoreError` if the request itself could not be stored. Then nothing was changed.
        """
        number = await self._store.erasures.ask(user_id)
        try:
            if self._fleet.is_leader:
                return await self._carry_out([Erasure(number, user_id, self._tables.clock.now())])
            await self._fleet.publish_with_retry("forgotten")
            return await self._outcome(number)
        except StoreError as error:
            log.warning("what is to be erased could not be: %s", error)
            return "later"

    async def _outcome(self, number: int) -> Outcome:
        """Waits for the leader, and returns the outcome of a request."""
        until = time.monotonic() + _WAIT
        while True:
            pending = next((each for each in await self._store.erasures.pending() if each.id == number), None)
            if pending is None:
                return "done"
            if time.monotonic() >= until:
                return "traces" if pending.user_id is None else "later"
            await asyncio.sleep(_CHECK_EVERY)

    async def take_up(self) -> None:
        """Carries out the requests that are not under way, and tries failed ones again after a while."""
        if not self._fleet.is_leader:
            return
        now = self._tables.clock.now()
        waiting = [each for each in await self._store.erasures.pending() if each.id not in self._being_done]
        # A time further ahead than `again` is from before the clock was set back.
        waiting = [each for each in waiting if not now < self._held.get(each.id, now) <= now + AGAIN]
        for each in waiting:
            if each.user_id is not None:
                await self._try([each])
        unnamed = [each for each in waiting if each.user_id is None]
        if unnamed:
            await self._try(unnamed)

    def look_again(self) -> None:
        """Ends all waits. Called when this process owns other shards, or somebody has asked to be forgotten."""
        self._held.clear()

    async def _try(self, erasures: Sequence[Erasure]) -> None:
        try:
            outcome = await self._carry_out(erasures)
        except StoreError as error:
            outcome = "later"
            log.warning("what is to be erased could not be: %s", error)
        except Exception:
            outcome = "later"
            log.exception("what is to be erased could not be")
        for each in erasures:
            if outcome == "done":
                self._held.pop(each.id, None)
            else:
                self._held[each.id] = self._tables.clock.now() + AGAIN

    async def _carry_out(self, erasures: Sequence[Erasure]) -> Outcome:
        """Forgets these people at all tables, and wipes their traces from the store's files."""
        numbers = [each.id for each in erasures]
        self._being_done.update(numbers)
        try:
            people = [each.user_id for each in erasures if each.user_id is not None]
            for user_id in people:
                await forget(self._tables, user_id)
                self._forgotten(user_id)
            return await self._finish(numbers, whole=not people)
        finally:
            self._being_done.difference_update(numbers)

    async def _finish(self, numbers: Sequence[int], *, whole: bool) -> Outcome:
        await self._store.erasures.unname(numbers)
        if not whole:
            await self._fleet.publish_with_retry("forgotten")
        if not await self._store.wipe(within=self._wipe_within, whole=whole):
            log.warning(
                "somebody reads the database, so traces of what was deleted are still in its files; "
                "this is tried again every minute"
            )
            return "traces"
        await self._store.erasures.finish(numbers)
        return "done"
