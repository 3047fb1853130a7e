"""PostgreSQL as the store's engine: a connection pool, and transactions that are retried and committed once.

Writes of several tables run concurrently. After a lost connection, a write is retried for some seconds. If the
connection was lost during COMMIT, the first attempt may have been committed or still be running. Until that attempt
ends, it holds the lock of the table's row. So the retry reads the version that the attempt has left, and the stored
press id shows whether the attempt was committed (`bot.store.tables.committing`).

The callers and the row locks order the writes of one table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeVar

from bot.database_url import where
from bot.store.engine import NotUnique, TxFunction
from bot.store.migrate import scripts
from bot.store.model import Committed, StoreError, StoreUnreachable
from bot.store.postgres import errors
from bot.store.postgres.database import Database
from bot.store.postgres.driver import (
    Connection,
    DatabaseError,
    Pool,
    PostgresTx,
    Primary,
    check_writable,
    sqlstate_of,
)
from bot.store.postgres.timing import POSTGRES, PostgresTiming

_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class _Lost(Exception):
    """The connection was lost, or the server requests a retry. `committing`: the write may have been committed."""

    def __init__(self, error: BaseException, *, committing: bool) -> None:
        super().__init__()
        self.error, self.committing = error, committing


class PostgresEngine:
    """The database at `url`, exclusive or shared by several processes. The first `open` creates the schema.

    `bot.store.engine.Engine` documents the methods.
    """

    def __init__(
        self,
        url: str,
        *,
        lock_timeout: float = 0.0,
        committed: Committed | None = None,
        shared: bool = False,
        timing: PostgresTiming = POSTGRES,
    ) -> None:
        """`lock_timeout`: seconds to wait for another process's exclusive lock. `shared`: others may open it too."""
        self._url, self._where, self._patience = url, where(url), lock_timeout
        self._committed = committed
        self._timing = timing
        self.primary = Primary(url, timing)
        self._database = Database(self.primary, self._where, shared=shared, timing=timing)
        self._pool: Pool | None = None
        self._writing = asyncio.Semaphore(timing.writes)
        self._under_way: set[asyncio.Task[object]] = set()
        self._closing = False
        self.layout = len(scripts("postgres"))

    def __str__(self) -> str:
        return self._where

    # -- opening and closing

    async def open(self, look: TxFunction[T]) -> T:
        self._closing, database = False, self._database
        try:
            made = await database.open(self._patience)
            self._pool = Pool(self.primary, database.prepare, self._timing)
            await self._pool.open()
            async with self._pool.connection() as connection:
                looked = await look(PostgresTx(connection, timeout=self._timing.count))
        except BaseException as error:  # noqa: BLE001 - nothing may stay open
            await self._close_all()
            raise errors.opening_failed(self._where, error) from None
        if made:
            _LOG.warning(
                "created a new, empty store at %s; if you expected matches, stop the bot and check DATABASE_URL",
                self._where,
            )
        return looked

    async def close(self) -> None:
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=self._timing.close)
        self._closing = True  # no retries from here on
        await self._close_all()
        await self.settle()

    async def _close_all(self) -> None:
        if self._pool is not None:
            await self._pool.close()
        await self._database.close()

    # -- reading and writing

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None) -> T:
        task = asyncio.create_task(self._write(run, on_commit), name="write")
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

    async def read(self, run: TxFunction[T]) -> T:
        async def on(connection: Connection) -> T:
            return await run(PostgresTx(connection))

        return await self._read(on)

    async def wipe(self, *, within: float, whole: bool) -> bool:
        # Data about users and other data share tables, so `whole` makes no difference.
        return await self._read(lambda connection: _wipe(connection, self._timing, within=within))

    async def _read(self, run: Callable[[Connection], Awaitable[T]]) -> T:
        loop, until = asyncio.get_running_loop(), None
        while True:
            try:
                async with self._connection() as connection:
                    result = await run(connection)
                    check_writable(connection)
                    return result
            except Exception as error:  # noqa: BLE001 - it is translated
                until = until or loop.time() + self._timing.retry_for
                if not errors.is_transient(error) or self._closing or loop.time() >= until:
                    raise self._database.remember_loss(errors.read_failed(error)) from None
            await asyncio.sleep(self._timing.retry_every)

    async def _write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None) -> T:
        async with self._writing:
            result = await self._commit_once(run)
        if on_commit is not None:
            on_commit(result)
        return result

    async def _commit_once(self, run: TxFunction[T]) -> T:
        """Runs a write until it is committed or refused, for `PostgresTiming.retry_for` seconds."""
        loop, until, again = asyncio.get_running_loop(), None, False
        while True:
            began = loop.time()
            try:
                result = await self._in_transaction(run, again)
            except _Lost as lost:
                again = again or lost.committing
                until = until or loop.time() + self._timing.retry_for
                if self._closing or loop.time() >= until:
                    error = _unknown() if again else errors.write_failed(lost.error)
                    raise self._database.remember_loss(error) from None
            except (StoreError, NotUnique) as error:
                raise self._database.remember_loss(error) from None
            except Exception as error:  # noqa: BLE001 - it is translated
                raise self._database.remember_loss(
                    _unknown() if again else errors.write_failed(error)
                ) from None
            else:
                if self._committed is not None:
                    self._committed(1, loop.time() - began)
                return result
            await asyncio.sleep(self._timing.retry_every)

    async def _in_transaction(self, run: TxFunction[T], again: bool) -> T:
        """Raises `_Lost` if a retry may succeed."""
        committing = False
        try:
            async with self._connection() as connection:
                try:
                    await connection.execute("BEGIN")
                    if again:
                        # An attempt that was lost while its commit waited for a standby is visible, but may be lost in
                        # a failover. A transaction that logs something waits in its turn, even if it changes nothing.
                        await connection.execute("SELECT pg_logical_emit_message(true, 'digsite', 'again')")
                    result = await run(PostgresTx(connection, again=again))
                    check_writable(connection)
                    committing = True
                    # COMMIT of an aborted transaction returns ROLLBACK.
                    if await connection.execute("COMMIT") == "COMMIT":
                        return result
                    failure: Exception = StoreError(
                        "The database did not keep this. All that came before was kept."
                    )
                except Exception as error:
                    if errors.is_transient(error) or committing:
                        raise
                    await connection.execute("ROLLBACK")
                    failure = error
        except Exception as error:
            if errors.is_transient(error):
                raise _Lost(error, committing=committing) from None
            raise
        raise failure

    def _connection(self) -> AbstractAsyncContextManager[Connection]:
        self._database.raise_if_lost()
        assert self._pool is not None
        return self._pool.connection()


def _unknown() -> StoreUnreachable:
    return StoreUnreachable(
        "The connection to the database was lost, and it could not be found out whether this was kept. "
        "All that came before it was; look at it again once the database answers."
    )


def _note_failure(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.warning("write of a cancelled caller failed: %s", type(error).__name__)


_SMALL: Final = (
    "sat",
    "text_only",
    "erasures",
    "facts",
    "presses",
    "players",
    "choices",
    "wishes",
    "guests",
    "attempts",
)
_ALL: Final = ("tables", "moves", "log", "jobs", "results", *_SMALL)


async def _wipe(connection: Connection, timing: PostgresTiming, *, within: float) -> bool:
    """Removes deleted data from the database's own files, as far as possible over a connection.

    A deleted row stays on its page until VACUUM frees it, and its bytes stay until they are overwritten. So the tables
    with data about users are rewritten (VACUUM FULL). In a large database, rewriting all tables would block moves for
    too long: only the small tables are rewritten, and the others are vacuumed. The write-ahead log, its archive,
    replicas and unused disk blocks are out of reach.

    Returns False if another reader blocked the operation for longer than `within` seconds.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + within
    size = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name"
    # The deleted rows may still be visible to transactions with an older snapshot.
    now = await connection.fetchval("SELECT pg_current_xact_id()::xid::text")
    whole = int(await connection.fetchval(size, [*_ALL])) <= timing.rewritten_at_most
    while await _has_older_snapshot(connection, now) or not await _rewritten(
        connection, _ALL if whole else _SMALL, timing
    ):
        if loop.time() >= until:
            return False
        await asyncio.sleep(timing.rewrite_every)
    if not whole:
        await connection.execute(f"VACUUM {', '.join(_ALL)}", timeout=timing.long_statement)
    return True


async def _has_older_snapshot(connection: Connection, before: str) -> bool:
    """Whether a transaction has a snapshot older than transaction `before`, so that VACUUM cannot free deleted rows."""
    query = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
          AND age(backend_xmin) > age($1::text::xid)"""
    return int(await connection.fetchval(query, before)) > 0


async def _rewritten(connection: Connection, tables: tuple[str, ...], timing: PostgresTiming) -> bool:
    await connection.execute(f"SET lock_timeout = '{round(timing.rewrite_waits * 1000)}ms'")
    try:
        for table in tables:
            await connection.execute(f"VACUUM FULL {table}", timeout=timing.long_statement)
    except DatabaseError as error:
        if sqlstate_of(error) != errors.LOCK_NOT_AVAILABLE:
            raise
        return False
    finally:
        if not connection.is_closed():
            await connection.execute("RESET lock_timeout")
    return True
