"""Writes changes of tables to the store, each at most once, whatever is cancelled or frozen meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from bot.clock import Clock
from bot.fleet.alone import Fleet
from bot.observability.context import first_press, is_durable
from bot.store.model import Change, StoreError, made_at
from bot.store.store import Store
from bot.tables.cache import TableCache
from bot.tables.refusals import AnsweredElsewhere


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Changes of tables."""

    tries: int = 3
    """How often a change is tried that conflicts with those of other processes."""
    answered_within: float = 3.0
    """Seconds for which Discord takes the first answer to a press."""


class Writer:
    """Writes changes, and drops a table from memory if it is not certain what is stored of it."""

    def __init__(
        self, store: Store, clock: Clock, fleet: Fleet, cache: TableCache, limits: TableLimits
    ) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self._cache = cache
        self._answered_within = limits.answered_within

    async def write(self, change: Change) -> bool:
        """Writes a change, the first one of an act with its press; returns what `Store.commit` does.

        A press that waited while this process was frozen can be answered no more, so it changes nothing any more.
        """
        change.press = first_press()
        if change.press is not None and self.is_too_late(change.table.guild_id, change.press):
            raise AnsweredElsewhere
        try:
            known = await self._store.commit(change)
            is_durable()
            return known
        except BaseException as error:
            # It is not known whether the change was kept, so the table is read anew.
            self._cache.drop(change.table.id)
            if isinstance(error, asyncio.CancelledError):
                await self._settle()
            raise

    def is_too_late(self, guild_id: int, press: int) -> bool:
        """Whether a press has waited here while this process was frozen, and another one works for the server now."""
        return self._fleet.has_lost(guild_id) and self._clock.now() - made_at(press) > self._answered_within

    async def _settle(self) -> None:
        """Waits for a write whose caller was cancelled, because the lock must be held until the write is durable."""
        settling = asyncio.ensure_future(self._store.settle())
        while not settling.done():
            with suppress(asyncio.CancelledError, StoreError):
                # A second cancellation must not cut the wait short.
                await asyncio.shield(settling)
