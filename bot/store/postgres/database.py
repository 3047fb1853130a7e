"""The open database: its layout, its identity on each new connection, and its lock."""

from __future__ import annotations

from typing import Final

from bot.store.migrate import scripts
from bot.store.model import StoreLost
from bot.store.postgres import layout
from bot.store.postgres.driver import Connection, DriverError, Primary, sqlstate_of
from bot.store.postgres.errors import gone
from bot.store.postgres.timing import POSTGRES, PostgresTiming

_KNOWN: Final = f"""
    SELECT identity, readable, EXISTS (
        SELECT FROM pg_locks WHERE {layout.IN_USE} AND mode = 'ExclusiveLock'
    ) FROM digsite.store"""


class Database:
    """Tracks the identity of the opened database, and whether this process has lost it."""

    def __init__(
        self, primary: Primary, where: str, *, shared: bool, timing: PostgresTiming = POSTGRES
    ) -> None:
        """`where`: the URL without secrets. `shared`: other processes may have the database open too."""
        self._primary, self._where, self._shared = primary, where, shared
        self._timing = timing
        self._holder: Connection | None = None
        """The connection that holds the exclusive lock, if the database is not shared."""
        self._identity: object = None
        self._latest = 0
        self._lost = ""
        """The reason why the database is lost; empty while it is not."""

    async def open(self, lock_timeout: float) -> bool:
        """Applies migrations; returns whether the database was empty.

        Waits up to `lock_timeout` seconds for another exclusive lock. Raises `StoreRefused` and driver errors.
        """
        self._lost = ""
        self._holder = connection = await self._primary.connect()
        migrations = scripts("postgres")
        self._latest = len(migrations)
        await layout.check_server(connection, self._where)
        present = await layout.check_is_ours(connection, self._where, len(migrations))
        shared = self._shared and not layout.excludes_older(present, migrations)
        if self._shared and not shared:
            lock_timeout = self._timing.frozen_session_ends
        await layout.lock(connection, self._where, lock_timeout, shared=shared)
        made = await layout.migrate(connection, self._where, migrations)
        await layout.make_commits_durable(connection)
        self._identity = await connection.fetchval("SELECT identity FROM store")
        if self._shared:
            await self.close()
        return made

    async def close(self) -> None:
        """Closes the connection that holds the exclusive lock, if any."""
        holder, self._holder = self._holder, None
        if holder is not None:
            try:
                await holder.close(timeout=self._timing.close)
            except DriverError:
                holder.terminate()

    async def prepare(self, connection: Connection) -> None:
        """Checks that a new connection leads to the same database, and makes the connection's commits durable.

        Raises `StoreLost` for another database or a newer layout, and `ConnectionError` while another process holds the
        exclusive lock.
        """
        try:
            [(identity, readable, locked_exclusively)] = await connection.fetch(_KNOWN)
        except DriverError as error:
            if sqlstate_of(error) in ("42P01", "3F000"):
                raise self._is_lost(str(gone())) from None
            raise
        if identity != self._identity:
            raise self._is_lost(
                f"Another database was put in the place of {self._where} while the bot ran, or its matches were moved "
                "elsewhere. Nothing more is kept, so the bot stops. Put the right one back, then start it again."
            )
        if readable > self._latest:
            raise self._is_lost(
                f"A newer Digsite has changed the layout of {self._where}. This one writes nothing more, so it stops. "
                "All that was acknowledged is kept; start the newer version here too."
            )
        if self._shared and locked_exclusively:
            raise ConnectionError
        await layout.make_commits_durable(connection)

    # -- lost

    def raise_if_lost(self) -> None:
        """Raises `StoreLost` if the database was lost before, or the exclusive lock with its connection."""
        if self._holder is not None and self._holder.is_closed():
            raise self._is_lost(
                f"The connection to {self._where} was lost. All that was acknowledged is kept; try again."
            )
        if self._lost:
            raise StoreLost(self._lost)

    def remember_loss(self, error: BaseException) -> BaseException:
        """Returns this error; stores a `StoreLost`, which `raise_if_lost` then raises."""
        return self._is_lost(str(error)) if isinstance(error, StoreLost) else error

    def _is_lost(self, why: str) -> StoreLost:
        """The error with the first reason for which the database is lost."""
        self._lost = self._lost or why
        return StoreLost(self._lost)


async def change_identity(connection: Connection) -> None:
    """Gives the database a new identity, so that every process that had it open gets `StoreLost`."""
    await connection.execute("UPDATE digsite.store SET identity = gen_random_uuid()")
