"""Erases people's data to the last byte, and goes on with it after a crash."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final, Literal

from bot.store.base import Erasure, StoreError
from bot.tables.privacy import forget
from bot.tables.service import Tables

log = logging.getLogger(__name__)

WITHIN: Final = 10.0
"""Seconds to wait for somebody else, such as a backup under way, who keeps the store's files from being wiped."""
AGAIN: Final = 60.0
"""Seconds after which a request that could not be carried out is tried again."""


Outcome = Literal["done", "traces", "later"]
"""What became of a request to be forgotten.

"done": nothing is left. "traces": all is deleted, but the files could not be wiped yet. "later": it could not be
carried out yet. In the last two cases the rest is done later.
"""


class Erasures:
    """Carries out requests to erase. Each is in the store from before its first step until after its last."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._being_done: set[int] = set()
        self._held: dict[int, float] = {}
        """Requests that could not be carried out, and until when they wait."""
        self.forgotten: Callable[[int], None] = lambda _user: None
        """Called with a person who has just been forgotten."""

    async def forget(self, user_id: int) -> Outcome:
        """Forgets a person and wipes their traces from the store's files. Returns once that is done or has failed.

        Raises `StoreError` if not even the request could be kept. Then nothing was changed.
        """
        number = await self._store.ask_erasure(user_id)
        try:
            done = await self._carry_out([Erasure(number, user_id, self._tables.clock.now())])
        except StoreError as error:
            log.warning("what is to be erased could not be: %s", error)
            return "later"
        return "done" if done else "traces"

    async def take_up(self) -> None:
        """Carries out the requests that nobody is carrying out already, and tries failed ones again after a while."""
        now = self._tables.clock.now()
        waiting = [each for each in await self._store.erasures() if each.id not in self._being_done]
        # A time that lies further ahead than that is from before the clock was set back.
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
                    self.forgotten(each.user_id)
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
