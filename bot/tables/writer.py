"""Writes changes of tables to the store, each at most once, even if a task is cancelled or the process frozen."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.context import mark_durable, press_of_first_change
from bot.store.model import Change, Conflict, StoreError, snowflake_time
from bot.store.store import Store
from bot.tables.cache import TableCache
from bot.tables.refusals import AnsweredElsewhere

ANSWERED_WITHIN: Final = 3.0
"""Seconds for which Discord takes the first answer to a press."""
LEFT_AFTER_LOSS: Final = 1.2
"""Seconds after losing a shard in which a press or job under way may still change the shard's tables."""


class Writer:
    """Writes changes, and drops a table from the cache if its stored version is not certain."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet, cache: TableCache) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self._cache = cache

    async def write(self, change: Change) -> bool:
        """Writes a change, the first one of an operation with its press; returns the result of `Store.commit`."""
        self.set_press(change)
        try:
            known = await self._store.commit(change)
            mark_durable()
            return known
        except BaseException as error:
            # The change may or may not be stored, so the table has to be read again.
            self._cache.drop(change.table.id)
            if isinstance(error, asyncio.CancelledError):
                await self._settle()
            raise

    def is_too_late(self, guild_id: int, press: int) -> bool:
        """Whether another process owns the server's shard now, and this one may no longer carry out the press.

        The press has waited while this process was frozen, or begun before this process noticed the loss of the shard.
        """
        lost_for = self._fleet.lost_for(guild_id)
        return lost_for is not None and (
            lost_for > LEFT_AFTER_LOSS or self._clock.now() - snowflake_time(press) > ANSWERED_WITHIN
        )

    def set_press(self, change: Change) -> None:
        """Sets the press of an operation's first change.

        Raises `AnsweredElsewhere` if another process owns the table's shard by now or, for a change without a press,
        `Conflict`.
        """
        change.press = press_of_first_change()
        guild_id = change.table.guild_id
        if change.press is not None:
            if self.is_too_late(guild_id, change.press):
                raise AnsweredElsewhere
        elif (self._fleet.lost_for(guild_id) or 0.0) > LEFT_AFTER_LOSS:
            raise Conflict("Another process owns the shard of this table. Nothing was written.")

    async def _settle(self) -> None:
        """Waits for a write whose caller was cancelled, because the lock must be held until the write is durable."""
        settling = asyncio.ensure_future(self._store.settle())
        while not settling.done():
            with suppress(asyncio.CancelledError, StoreError):
                # A second cancellation must not cut the wait short.
                await asyncio.shield(settling)
