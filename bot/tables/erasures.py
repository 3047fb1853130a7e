"""Forgets people to the last byte, and goes on with it after a crash."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final, Literal

from bot.store.base import Erasure, StoreError
from bot.tables.privacy import forget
from bot.tables.service import Tables

log = logging.getLogger(__name__)

WITHIN: Final = 10.0
"""Seconds that somebody else, such as a backup under way, may keep the store's files from being wiped."""
AGAIN: Final = 60.0
"""Seconds after which what could not be carried out is tried again."""


Outcome = Literal["done", "traces", "later"]
"""Of a wish to be forgotten: nothing is left; all is deleted but the files could not be wiped yet; it could not be
carried out yet. What is not done is done later.
"""


class Erasures:
    """Carries out requests to erase. Each is kept from before its first step until after its last."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._being_done: set[int] = set()
        self._held: dict[int, float] = {}
        """Requests that could not be carried out: until when they wait."""

    async def forget(self, user_id: int) -> Outcome:
        """Forgets a person and wipes their traces from the files of the store; returns once that is done, or cannot
        be done now. Raises `StoreError` where not even the wish could be kept: then nothing was changed.
        """
        number = await self._store.ask_erasure(user_id)
        try:
            done = await self._carry_out([Erasure(number, user_id, self._tables.clock.now())])
        except StoreError as error:
            log.warning("what is to be erased could not be: %s", error)
            return "later"
        return "done" if done else "traces"

    async def take_up(self) -> None:
        """Carries out what is asked for and is not being done, or tries again what could not be."""
        now = self._tables.clock.now()
        waiting = [each for each in await self._store.erasures() if each.id not in self._being_done]
        # Times that lie far ahead are those of a clock that has been set back.
        waiting = [each for each in waiting if not now < self._held.get(each.id, now) <= now + AGAIN]
        for each in waiting:
            if each.user_id is not None:
                await self._try([each])
        if unnamed := [each for each in waiting if each.user_id is None]:
            await self._try(unnamed)

    async def _try(self, erasures: Sequence[Erasure]) -> None:
        try:
            done = await self._carry_out(erasures)
        except StoreError as error:
            done = False
            log.warning("what is to be erased could not be: %s", error)
        except Exception:
            done = False
            log.exception("what is to be erased could not be")
        for each in erasures:
            if done:
                self._held.pop(each.id, None)
            else:
                self._held[each.id] = self._tables.clock.now() + AGAIN

    async def _carry_out(self, erasures: Sequence[Erasure]) -> bool:
        numbers = [each.id for each in erasures]
        whole = all(each.user_id is None for each in erasures)
        self._being_done.update(numbers)
        try:
            for each in erasures:
                if each.user_id is not None:
                    await forget(self._tables, each.user_id)
            await self._store.unname_erasures(numbers)
            if not await self._store.wipe(within=WITHIN, whole=whole):
                log.warning(
                    "somebody reads the database, so traces of what was deleted are still in its files; "
                    "this is tried again every minute"
                )
                return False
            await self._store.finish_erasures(numbers)
        finally:
            self._being_done.difference_update(numbers)
        return True
