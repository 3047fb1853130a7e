"""The two storage backends, an SQLite file and a PostgreSQL database, for the commands.

A command reads a store as of one moment, whether or not a bot has the store open.
"""

from __future__ import annotations

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from bot.clock import Clock
from bot.database_url import readers_target, where
from bot.store.engine import Engine, TxFunction, run_sync
from bot.store.jobs import changing_fact
from bot.store.migrate import scripts
from bot.store.model import Committed, StoreError, StoreRefused
from bot.store.people import adding_erasure
from bot.store.postgres.timing import POSTGRES, PostgresTiming
from bot.store.sqlite.connection import SqliteTx, open_to_read, open_to_request
from bot.store.sqlite.copying import copies_of, integrity_faults
from bot.store.sqlite.engine import SqliteEngine, backup_file
from bot.store.sqlite.errors import read_failed, write_failed
from bot.store.sqlite.layout import check_is_current, check_is_ours, layout_of
from bot.store.store import Store, StoreReader

if TYPE_CHECKING:
    from bot.settings import Settings

T = TypeVar("T")

NO_DRIVER: Final = (
    "DATABASE_URL is set, but asyncpg, which speaks to PostgreSQL, is not installed. In the folder that Digsite was "
    "fetched into: python -m pip install --constraint constraints.txt --editable '.[postgres]'"
)


class Backend(ABC):
    """A storage backend. Its text is the path, or the URL without secrets."""

    latest: int
    """The newest layout that this version supports."""
    remedy: str
    """A sentence with the remedy for damage."""
    wiped: str
    """A sentence on the reach of a wipe."""

    @property
    def older_copies(self) -> list[str]:
        """The names of older copies beside the store."""
        return []

    def store(
        self,
        clock: Clock,
        *,
        lock_timeout: float = 0.0,
        committed: Committed | None = None,
        shared: bool = False,
    ) -> Store:
        """The store, not yet open. `lock_timeout`: seconds to wait while another process has the store open.

        `shared`: other processes may open the store too. Ignored by SQLite.
        """
        return Store(self._engine(lock_timeout, committed, shared=shared), clock)

    @abstractmethod
    def _engine(self, lock_timeout: float, committed: Committed | None, *, shared: bool) -> Engine: ...

    @abstractmethod
    def reading(self, *, current: bool = True) -> AbstractAsyncContextManager[StoreReader]:
        """A context with the store as of one moment. Raises `StoreError`, `StoreRefused`.

        `current`: an older layout raises `StoreRefused` too.
        """

    async def ask_erasure(self, user_id: int, now: float) -> int:
        """Stores an erasure request for the bot that has the store open; returns its number."""
        return await self._written(adding_erasure(user_id, now))

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> None:
        """As `Store.change_fact`, also while a bot has the store open."""
        await self._written(changing_fact(name, change))

    @abstractmethod
    async def _written(self, run: TxFunction[T]) -> T:
        """Runs a write beside a bot that has the store open."""

    @abstractmethod
    async def backup(self, target: Path) -> str:
        """Writes a consistent, checked copy to a new file; returns a sentence about it. Raises `StoreError`."""


# -- files


class FileBackend(Backend):
    """An SQLite file."""

    remedy = "Restore a backup; `sqlite3 FILE .recover` may save more than a backup holds."
    wiped = "No byte of the file or of its companions names them any more. Backups made before still do."

    def __init__(self, path: Path) -> None:
        self.path = path
        self.latest = len(scripts("sqlite"))

    def __str__(self) -> str:
        return str(self.path)

    def _engine(self, lock_timeout: float, committed: Committed | None, *, shared: bool) -> Engine:
        return SqliteEngine(self.path, lock_timeout=lock_timeout, committed=committed)

    @asynccontextmanager
    async def reading(self, *, current: bool = True) -> AsyncGenerator[StoreReader]:
        if not self.path.is_file():
            raise StoreError(f"There is no file at {self.path}. Check the path of the store (DATABASE_PATH).")
        try:
            with closing(open_to_read(self.path)) as connection:
                if current:
                    check_is_current(connection, self.path)
                else:
                    check_is_ours(connection, self.path, self.latest)
                connection.execute("BEGIN")
                yield StoreReader(
                    SqliteTx(connection),
                    partial(_later, layout_of, connection),
                    partial(_later, integrity_faults, connection),
                )
        except sqlite3.Error as error:
            raise read_failed(error) from error

    async def _written(self, run: TxFunction[T]) -> T:
        try:
            with closing(open_to_request(self.path)) as connection:
                check_is_current(connection, self.path)
                connection.execute("BEGIN IMMEDIATE")
                result = run_sync(run(SqliteTx(connection)))
                connection.execute("COMMIT")
                return result
        except sqlite3.Error as error:
            raise write_failed(error) from error

    async def backup(self, target: Path) -> str:
        await asyncio.to_thread(backup_file, self.path, target)
        return f"{target} is a consistent copy of {self.path}, checked and found sound."

    @property
    def older_copies(self) -> list[str]:
        return [file.name for file in copies_of(self.path)]


async def _later(look: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection) -> T:
    return look(connection)


# -- databases


class DatabaseBackend(Backend):
    """A PostgreSQL database. Needs asyncpg."""

    remedy = "Restore a backup; PostgreSQL's manual says how to save more from damaged pages."
    wiped = (
        "Nothing in the database names them any more. The server's write-ahead log, its replicas, and backups made "
        "before still may."
    )

    def __init__(self, url: str, timing: PostgresTiming = POSTGRES) -> None:
        try:
            from bot.store.postgres import driver as _driver
        except ImportError:
            raise StoreRefused(NO_DRIVER) from None
        del _driver
        self._url = url
        self._timing = timing
        self.latest = len(scripts("postgres"))

    def __str__(self) -> str:
        return where(self._url)

    def __repr__(self) -> str:  # no password
        return f"DatabaseBackend({str(self)!r})"

    def _engine(self, lock_timeout: float, committed: Committed | None, *, shared: bool) -> Engine:
        from bot.store.postgres.engine import PostgresEngine

        return PostgresEngine(
            self._url, lock_timeout=lock_timeout, committed=committed, shared=shared, timing=self._timing
        )

    @asynccontextmanager
    async def reading(self, *, current: bool = True) -> AsyncGenerator[StoreReader]:
        from bot.store.postgres import layout
        from bot.store.postgres.driver import PostgresTx
        from bot.store.transfer import database_read

        async with database_read(self._url, readers_target(self._url)) as connection:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if current:
                await layout.check_is_current(connection, str(self))
            else:
                await layout.check_is_ours(connection, str(self), self.latest)
            yield StoreReader(
                PostgresTx(connection),
                partial(layout.layout_of, connection),
                partial(layout.integrity_faults, connection),
            )

    async def _written(self, run: TxFunction[T]) -> T:
        from bot.store.postgres.driver import PostgresTx
        from bot.store.postgres.layout import check_is_current
        from bot.store.transfer import database_read

        async with database_read(self._url) as connection:
            await check_is_current(connection, str(self))
            await connection.execute("BEGIN")
            result = await run(PostgresTx(connection))
            if await connection.execute("COMMIT") != "COMMIT":
                raise StoreError(f"{self} did not keep this. Nothing was changed.")
            return result

    async def backup(self, target: Path) -> str:
        from bot.store.transfer import to_file

        await to_file(self._url, target)
        return (
            f"{target} is a consistent copy of {self} as a file of SQLite's, checked and found sound. `digsite move` "
            "carries it back into an empty database. For a large one, PostgreSQL's own pg_dump is quicker."
        )


def backend_of(settings: Settings) -> Backend:
    """The backend that the settings name. Raises `StoreRefused` if asyncpg is needed and missing."""
    url = settings.database_url.get_secret_value()
    return DatabaseBackend(url) if url else FileBackend(settings.database_path)
