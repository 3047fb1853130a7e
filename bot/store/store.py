"""The store: tables, moves, logs, jobs, people, and facts (name-value pairs of the host).

Other records have objects of their own: `Store.choices`, `results`, `wishes`, `guests`, `daily`, `erasures`, `emoji`.

One class serves both engines (`bot.store.engine`). Versions and ids alone decide whether a change is valid. A change
has the table version that was read, and fails with `Conflict` if the stored version differs. The id of a press is
stored with the first change that the press causes; a second delivery of the press fails with `Repeated`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.clock import Clock, SystemClock
from bot.store.choices import Choices
from bot.store.daily import Daily
from bot.store.engine import Engine, NotUnique, Tx, TxFunction
from bot.store.guests import Guests
from bot.store.jobs import EmojiRecords, Jobs
from bot.store.model import StoreError
from bot.store.people import ErasureRequests, People
from bot.store.repository import READER, STORE, Access, StoreLimits
from bot.store.results import Results
from bot.store.tables import TableRecords, as_store_error, count_tables
from bot.store.wishes import Wishes

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class Repositories(TableRecords, Jobs, People):
    """All that a store holds, by subject. Every read and write raises `StoreError` on failure."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self.choices = Choices(access)
        self.results = Results(access)
        self.wishes = Wishes(access)
        self.guests = Guests(access)
        self.daily = Daily(access)
        self.erasures = ErasureRequests(access)
        self.emoji = EmojiRecords(access)


class StoreReader(Repositories):
    """A store as of one moment, for reading.

    `layout`: the number of the last migration; 0 for an empty store. `faults`: descriptions of the damage found by
    reading everything, without content; empty if there is none.
    """

    clock: Clock = SystemClock()
    limits = READER

    def __init__(
        self, tx: Tx, layout: Callable[[], Awaitable[int]], faults: Callable[[], Awaitable[list[str]]]
    ) -> None:
        super().__init__(self)
        self._tx, self.layout, self.faults = tx, layout, faults

    async def read(self, run: TxFunction[T], /) -> T:
        return await run(self._tx)

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None, /) -> T:
        raise StoreError("This store is open for reading only. Nothing was written.")


class Store(Repositories):
    """The durable state, through an engine.

    A write is durable when its call returns, and completes even if its caller is cancelled. Every read and write raises
    `StoreError` on failure, also while the store is not open, and `StoreLost` once the store cannot recover.
    """

    def __init__(self, engine: Engine, clock: Clock, limits: StoreLimits = STORE) -> None:
        super().__init__(self)
        self.engine, self.clock, self.limits = engine, clock, limits
        self._is_open = False
        self._closing: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        return f"Store({str(self.engine)!r})"

    async def open(self) -> None:
        """Opens the store, creates it if necessary, and applies pending migrations. Raises `StoreRefused`."""
        living, in_all = await self.engine.open(count_tables)
        self._is_open, self._closing = True, None
        layout = self.engine.layout
        _LOG.info(
            "the store is %s (layout %s); live tables: %s, in all: %s", self.engine, layout, living, in_all
        )

    async def close(self) -> None:
        """Finishes pending writes and closes the store. Idempotent; cancellation does not stop it."""
        if self._is_open:
            self._is_open = False  # new writes are refused from here on
            self._closing = asyncio.ensure_future(self.engine.close())
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def settle(self) -> None:
        """Returns when all earlier writes are durable or have failed."""
        self._must_be_open()
        await self.engine.settle()

    # -- files
    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        """Removes deleted data from every byte of the store's files. Raises `StoreError`.

        Returns False if another reader blocked the operation for longer than `within` seconds. Without `whole`, remains
        of deleted moves and log lines may be left; they contain no data about users.
        """
        self._must_be_open()
        return await self.engine.wipe(within=within, whole=whole)

    # -- inside
    def _must_be_open(self) -> None:
        if not self._is_open:
            raise StoreError(f"The store {self.engine} is not open. Nothing was read or written.")

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None, /) -> T:
        self._must_be_open()
        try:
            return await self.engine.write(run, on_commit)
        except NotUnique as violation:
            raise as_store_error(violation) from None

    async def read(self, run: TxFunction[T], /) -> T:
        self._must_be_open()
        return await self.engine.read(run)
