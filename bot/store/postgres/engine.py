"""PostgreSQL as the store's engine: a few connections, and transactions of which each is kept once.

Changes of several tables are under way at the same time. If the connection is lost, the same write is run again on a
new one for some seconds. Where it was lost in a COMMIT, the first try may have been kept, or may still be: it holds the
lock of the table's row until it has ended, so the next try finds the version that it has left, and the id of the press
tells whose it is (`bot.store.sql.tables.committing`).

Writes of one table are put in order by who asks for them and by the row's lock; nothing else puts them in order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final, TypeVar

from bot.database_url import where
from bot.store.engine import Act, Broken
from bot.store.migrate import scripts
from bot.store.model import Committed, StoreError, StoreUnreachable
from bot.store.postgres import wipe
from bot.store.postgres.database import Database
from bot.store.postgres.driver import Connection, Pool, own_name
from bot.store.postgres.faults import opening_failed, passes, read_failed, write_failed
from bot.store.postgres.tx import PostgresTx

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

WRITES: Final = 6
"""Writes in hand at a time. The server commits those together that arrive together."""
_READS: Final = 4
"""Connections more than writes, so that reading never waits for a slow disk."""
PATIENCE: Final = 6.0
"""Seconds for which a read or a write is tried again after the connection was lost."""
_PAUSE: Final = 0.1
"""Seconds between two such attempts."""
_CLOSING: Final = 1.0
"""Seconds for closing the connections, and before that for writes that a server keeps from their end."""
_COUNTING: Final = 600.0
"""Seconds that the first look at the tables may take."""


class _Lost(Exception):
    """The connection was lost, or the server asks for another try. `committing`: whether the write may be kept."""

    def __init__(self, error: BaseException, *, committing: bool) -> None:
        super().__init__()
        self.error, self.committing = error, committing


class PostgresEngine:
    """The database at `url`. What is needed there is made when it is opened first.

    One process has it alone, or several share it. `bot.store.engine.Engine` says what the methods do.
    """

    def __init__(
        self,
        url: str,
        *,
        patience: float = 0.0,
        committed: Committed | None = None,
        shared: bool = False,
    ) -> None:
        """`patience` is how many seconds to wait while another process has the store open that does not share it.

        `shared`: whether this process shares the store with others.
        """
        self._url, self._where, self._patience = url, where(url), patience
        self._committed = committed
        self._database = Database(url, self._where, shared=shared)
        self._pool: Pool | None = None
        self._writing = asyncio.Semaphore(WRITES)
        self._under_way: set[asyncio.Task[object]] = set()
        self._closing = False
        self.layout = len(scripts("postgres"))

    def __str__(self) -> str:
        return self._where

    # -- opening and closing

    async def open(self, look: Act[T]) -> T:
        self._closing, database = False, self._database
        try:
            made = await database.open(self._patience)
            self._pool = Pool(self._url, WRITES + _READS, own_name(), database.prepare)
            await self._pool.open()
            async with self._pool.connection() as connection:
                looked = await look(PostgresTx(connection, timeout=_COUNTING))
        except BaseException as error:  # noqa: BLE001 - whatever it is, nothing may stay open
            await self._let_go()
            raise opening_failed(self._where, error) from None
        if made:
            _LOG.warning(
                "a new, empty store was made at %s; if you expected matches, stop the bot and look at DATABASE_URL",
                self._where,
            )
        return looked

    async def close(self) -> None:
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=_CLOSING)
        self._closing = True  # from now on nothing is tried again
        await self._let_go()
        await self.settle()

    async def _let_go(self) -> None:
        if self._pool is not None:
            await self._pool.close(_CLOSING)
        await self._database.close()

    # -- reading and writing

    async def write(self, act: Act[T], then: Callable[[T], None] | None = None) -> T:
        task = asyncio.create_task(self._write(act, then), name="write")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_failure)
            raise

    async def settle(self) -> None:
        if self._under_way:
            await asyncio.wait(set(self._under_way))

    async def read(self, act: Act[T]) -> T:
        async def on(connection: Connection) -> T:
            return await act(PostgresTx(connection))

        return await self._read(on)

    async def wipe(self, *, within: float, whole: bool) -> bool:
        # What tells nothing about people lies in the same tables, so `whole` makes no difference.
        return await self._read(lambda connection: wipe.wipe(connection, within=within))

    async def backup(self, path: Path) -> None:
        from bot.store.carry import to_file

        await to_file(self._url, path)

    async def _read(self, act: Callable[[Connection], Awaitable[T]]) -> T:
        loop, until = asyncio.get_running_loop(), None
        while True:
            try:
                async with await self._connection() as connection:
                    return await act(connection)
            except Exception as error:  # noqa: BLE001 - it is translated
                until = until or loop.time() + PATIENCE
                if not passes(error) or self._closing or loop.time() >= until:
                    raise self._database.noted(read_failed(error)) from None
            await asyncio.sleep(_PAUSE)

    async def _write(self, act: Act[T], then: Callable[[T], None] | None) -> T:
        async with self._writing:
            result = await self._kept_once(act)
        if then is not None:
            then(result)
        return result

    async def _kept_once(self, act: Act[T]) -> T:
        """Runs a write until it is kept or refused, for a while."""
        loop, until, again = asyncio.get_running_loop(), None, False
        while True:
            began = loop.time()
            try:
                result = await self._in_transaction(act, again)
            except _Lost as lost:
                again = again or lost.committing
                until = until or loop.time() + PATIENCE
                if self._closing or loop.time() >= until:
                    error = _unknown() if again else write_failed(lost.error)
                    raise self._database.noted(error) from None
            except (StoreError, Broken) as error:
                raise self._database.noted(error) from None
            except Exception as error:  # noqa: BLE001 - it is translated
                raise self._database.noted(_unknown() if again else write_failed(error)) from None
            else:
                if self._committed is not None:
                    self._committed(1, loop.time() - began)
                return result
            await asyncio.sleep(_PAUSE)

    async def _in_transaction(self, act: Act[T], again: bool) -> T:
        """Raises `_Lost` if it may be tried again."""
        committing = False
        try:
            async with await self._connection() as connection:
                try:
                    await connection.execute("BEGIN")
                    result = await act(PostgresTx(connection, again=again))
                    committing = True
                    # An aborted transaction would answer ROLLBACK.
                    if await connection.execute("COMMIT") == "COMMIT":
                        return result
                    failure: Exception = StoreError(
                        "The database did not keep this. All that came before was kept."
                    )
                except Exception as error:
                    if passes(error) or committing:
                        raise
                    await connection.execute("ROLLBACK")
                    failure = error
        except Exception as error:
            if passes(error):
                raise _Lost(error, committing=committing) from None
            raise
        raise failure

    async def _connection(self) -> AbstractAsyncContextManager[Connection]:
        await self._database.hold()
        assert self._pool is not None
        return self._pool.connection()


def _unknown() -> StoreUnreachable:
    return StoreUnreachable(
        "The connection to the database was lost, and it could not be found out whether this was kept. "
        "All that came before it was; look at it again once the database answers."
    )


def _note_failure(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.warning("A write failed that nobody waits for any more: %s", type(error).__name__)
