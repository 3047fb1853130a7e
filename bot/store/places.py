"""Where a store may be kept: in a file, or in a PostgreSQL database. What the commands of the program do with either.

A command reads a store as it is at one moment, whether or not a bot has it open.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from bot.clock import Clock
from bot.database_url import where
from bot.store import erasure, statements
from bot.store.backup import backup_file
from bot.store.base import (
    Committed,
    Erasure,
    LogRow,
    MoveRow,
    ProcessName,
    Scope,
    Store,
    StoreError,
    StoreRefused,
    TableRow,
)
from bot.store.connection import open_to_ask, open_to_read
from bot.store.copying import copies_beside
from bot.store.faults import read_failed, write_failed
from bot.store.flaws import flaws_of
from bot.store.schema import check_is_current, check_is_ours, layout_of, migrations
from bot.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.store.postgres.driver import Connection

_TOGETHER: Final = 1000
"""How many tables one query looks through."""

FactChange = Callable[[str | None, str | None], str]
"""Makes a fact's new value of its old one and of another fact; None is a fact that is not kept."""

NO_DRIVER: Final = (
    "DATABASE_URL is set, but asyncpg, which speaks to PostgreSQL, is not installed. In the folder that Digsite was "
    "fetched into: python -m pip install --constraint constraints.txt --editable '.[postgres]'"
)


class Snapshot(Protocol):
    """A store as it is at one moment, to read from. `bot.store.base.Store` says what its methods return."""

    async def table(self, table_id: int) -> TableRow | None: ...
    async def live_tables(self) -> list[TableRow]: ...
    async def tables_after(self, after: int, most: int) -> list[TableRow]:
        """The next `most` tables after the id `after`, live or not, with their snapshots."""
        ...

    async def moves(self, table_id: int) -> list[MoveRow]: ...
    async def log(self, table_id: int) -> list[LogRow]: ...
    async def seat_of(self, table_id: int, user_id: int) -> int | None: ...
    async def opener_of(self, table_id: int) -> int:
        """The id of who opened the table; 0 if that is no longer known."""
        ...

    async def tables_naming(self, user_id: int) -> list[int]: ...
    async def text_only(self) -> list[tuple[Scope, int]]: ...
    async def fact(self, name: str) -> str | None: ...
    async def erasures(self) -> list[Erasure]: ...
    async def by_status(self) -> dict[str, int]:
        """How many tables there are in each status."""
        ...

    async def layout(self) -> int:
        """The number of the last migration; 0 if the store is empty."""
        ...

    async def flaws(self) -> list[str]:
        """What is damaged, in words that name no content; empty if nothing is. Reads everything."""
        ...


class Place(Protocol):
    """A place for a store. As a text it is the path, or the URL without its secrets."""

    @property
    def latest(self) -> int:
        """The newest layout that this version knows."""
        ...

    def store(
        self,
        clock: Clock,
        *,
        patience: float = 0.0,
        committed: Committed | None = None,
        shared: ProcessName | None = None,
    ) -> Store:
        """The store there, not opened yet. `patience`: seconds to wait while another process has it open.

        `shared`: the name under which this process is to share it with others, where that is possible.
        """
        ...

    def reading(self, *, current: bool = True) -> AbstractAsyncContextManager[Snapshot]:
        """A context with the store as it is at one moment. Raises `StoreError`, `StoreRefused` if it is not Digsite's.

        `current`: also refuses an older layout.
        """
        ...

    async def ask_erasure(self, user_id: int, now: float) -> int:
        """Leaves a request to forget this person for the bot that has the store open; returns its number."""
        ...

    async def change_fact(self, name: str, beside: str, change: FactChange) -> None:
        """Changes a fact that only commands write, also while a bot has the store open.

        `change` gets the values of the facts `name` and `beside`. Two commands that do this do it one after the other.
        """
        ...

    async def backup(self, target: Path) -> str:
        """Writes a consistent, checked copy to a new file; returns what to tell about it. Raises `StoreError`."""
        ...

    @property
    def remedy(self) -> str:
        """A sentence on what to do if it is damaged."""
        ...

    @property
    def older_copies(self) -> list[str]:
        """The names of older copies that the program has left beside the store."""
        ...

    @property
    def wiped(self) -> str:
        """A sentence on where nothing is left of what was deleted, once it is wiped."""
        ...


# -- files


class FilePlace:
    """A file of SQLite's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.latest = len(migrations())
        self.remedy = "Restore a backup; `sqlite3 FILE .recover` may save more than a backup holds."
        self.wiped = (
            "No byte of the file or of its companions names them any more. Backups made before still do."
        )

    def __str__(self) -> str:
        return str(self.path)

    def store(
        self,
        clock: Clock,
        *,
        patience: float = 0.0,
        committed: Committed | None = None,
        shared: ProcessName | None = None,
    ) -> Store:
        return SqliteStore(self.path, clock, patience=patience, committed=committed)

    @asynccontextmanager
    async def reading(self, *, current: bool = True) -> AsyncGenerator[Snapshot]:
        if not self.path.is_file():
            raise StoreError(f"There is no file at {self.path}. Check the path of the store (DATABASE_PATH).")
        try:
            with closing(open_to_read(self.path)) as connection:
                if current:
                    check_is_current(connection, self.path)
                else:
                    check_is_ours(connection, self.path, self.latest)
                connection.execute("BEGIN")
                yield _FileSnapshot(connection)
        except sqlite3.Error as error:
            raise read_failed(error) from error

    async def ask_erasure(self, user_id: int, now: float) -> int:
        try:
            with closing(open_to_ask(self.path)) as connection:
                check_is_current(connection, self.path)
                return erasure.asking(user_id, now)(connection)
        except sqlite3.Error as error:
            raise write_failed(error) from error

    async def change_fact(self, name: str, beside: str, change: FactChange) -> None:
        try:
            with closing(open_to_ask(self.path)) as connection:
                check_is_current(connection, self.path)
                connection.execute("BEGIN IMMEDIATE")
                value = change(statements.fact(connection, name), statements.fact(connection, beside))
                statements.setting_fact(name, value)(connection)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise write_failed(error) from error

    async def backup(self, target: Path) -> str:
        await asyncio.to_thread(backup_file, self.path, target)
        return f"{target} is a consistent copy of {self.path}, checked and found sound."

    @property
    def older_copies(self) -> list[str]:
        return [file.name for file in copies_beside(self.path)]


class _FileSnapshot:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def table(self, table_id: int) -> TableRow | None:
        return statements.table(self._connection, table_id)

    async def live_tables(self) -> list[TableRow]:
        return statements.live_tables(self._connection)

    async def tables_after(self, after: int, most: int) -> list[TableRow]:
        return statements.tables_after(self._connection, after, most)

    async def moves(self, table_id: int) -> list[MoveRow]:
        return statements.moves(self._connection, table_id)

    async def log(self, table_id: int) -> list[LogRow]:
        return statements.log(self._connection, table_id, None, 0)

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        return statements.seat_of(self._connection, table_id, user_id)

    async def opener_of(self, table_id: int) -> int:
        return statements.opener_of(self._connection, table_id)

    async def tables_naming(self, user_id: int) -> list[int]:
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = statements.naming(self._connection, user_id, after, _TOGETHER)
            named += some
        return named

    async def text_only(self) -> list[tuple[Scope, int]]:
        return statements.text_only(self._connection)

    async def fact(self, name: str) -> str | None:
        return statements.fact(self._connection, name)

    async def erasures(self) -> list[Erasure]:
        return erasure.pending(self._connection)

    async def by_status(self) -> dict[str, int]:
        return statements.by_status(self._connection)

    async def layout(self) -> int:
        return layout_of(self._connection)

    async def flaws(self) -> list[str]:
        return flaws_of(self._connection)


# -- databases


class DatabasePlace:
    """A PostgreSQL database. asyncpg must be installed."""

    def __init__(self, url: str) -> None:
        try:
            from bot.store.postgres import schema
        except ImportError:
            raise StoreRefused(NO_DRIVER) from None
        self._url = url
        self.latest = len(schema.migrations())
        self.older_copies: list[str] = []
        self.remedy = "Restore a backup; PostgreSQL's manual says how to save more from damaged pages."
        self.wiped = (
            "Nothing in the database names them any more. The server's write-ahead log, its replicas, and backups made "
            "before still may."
        )

    def __str__(self) -> str:
        return where(self._url)

    def __repr__(self) -> str:  # without the password
        return f"DatabasePlace({str(self)!r})"

    def store(
        self,
        clock: Clock,
        *,
        patience: float = 0.0,
        committed: Committed | None = None,
        shared: ProcessName | None = None,
    ) -> Store:
        from bot.store.postgres.store import PostgresStore

        return PostgresStore(self._url, clock, patience=patience, committed=committed, shared=shared)

    @asynccontextmanager
    async def reading(self, *, current: bool = True) -> AsyncGenerator[Snapshot]:
        from bot.store.carrying import database_read
        from bot.store.postgres import schema

        async with database_read(self._url) as connection:
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if current:
                await schema.check_is_current(connection, str(self))
            else:
                await schema.check_is_ours(connection, str(self), self.latest)
            yield _DatabaseSnapshot(connection)

    async def ask_erasure(self, user_id: int, now: float) -> int:
        from bot.store.carrying import database_read
        from bot.store.postgres import schema
        from bot.store.postgres.statements import asking

        async with database_read(self._url) as connection:
            await schema.check_is_current(connection, str(self))
            return await asking(user_id, now)(connection)

    async def change_fact(self, name: str, beside: str, change: FactChange) -> None:
        from bot.store.carrying import database_read
        from bot.store.postgres import schema, statements

        async with database_read(self._url) as connection:
            await schema.check_is_current(connection, str(self))
            await connection.execute("BEGIN")
            await connection.execute(f"SELECT pg_advisory_xact_lock({schema.KEY}, {schema.FACTS_LOCK})")
            value = change(await statements.fact(connection, name), await statements.fact(connection, beside))
            await statements.setting_fact(name, value)(connection)
            if await connection.execute("COMMIT") != "COMMIT":
                raise StoreError(f"{self} did not keep this. Nothing was changed.")

    async def backup(self, target: Path) -> str:
        from bot.store.carrying import to_file

        await to_file(self._url, target)
        return (
            f"{target} is a consistent copy of {self} as a file of SQLite's, checked and found sound. `digsite move` "
            "carries it back into an empty database. For a large one, PostgreSQL's own pg_dump is quicker."
        )

    async def take_in(self, path: Path) -> dict[str, int]:
        """Carries the store in a file into this database; returns how many rows there were of each kind."""
        from bot.store.carrying import to_database

        return await to_database(path, self._url)

    async def move_to_file(self, target: Path) -> dict[str, int]:
        """Carries the store into a new file while no bot has it open; returns how many rows there were of each kind."""
        from bot.store.carrying import to_file

        return await to_file(self._url, target, alone=True)


class _DatabaseSnapshot:
    def __init__(self, connection: Connection) -> None:
        from bot.store.postgres import schema
        from bot.store.postgres import statements as sql

        self._connection, self._sql, self._schema = connection, sql, schema

    async def table(self, table_id: int) -> TableRow | None:
        return await self._sql.table(self._connection, table_id)

    async def live_tables(self) -> list[TableRow]:
        return await self._sql.live_tables(self._connection)

    async def tables_after(self, after: int, most: int) -> list[TableRow]:
        return await self._sql.tables_after(self._connection, after, most)

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._sql.moves(self._connection, table_id)

    async def log(self, table_id: int) -> list[LogRow]:
        return await self._sql.log(self._connection, table_id, None, 0)

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        return await self._sql.seat_of(self._connection, table_id, user_id)

    async def opener_of(self, table_id: int) -> int:
        return await self._sql.opener_of(self._connection, table_id)

    async def tables_naming(self, user_id: int) -> list[int]:
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = await self._sql.naming(self._connection, user_id, after, _TOGETHER)
            named += some
        return named

    async def text_only(self) -> list[tuple[Scope, int]]:
        return await self._sql.text_only(self._connection)

    async def fact(self, name: str) -> str | None:
        return await self._sql.fact(self._connection, name)

    async def erasures(self) -> list[Erasure]:
        return await self._sql.pending(self._connection)

    async def by_status(self) -> dict[str, int]:
        return await self._sql.by_status(self._connection)

    async def layout(self) -> int:
        return await self._schema.layout_of(self._connection)

    async def flaws(self) -> list[str]:
        return await self._schema.flaws_of(self._connection)


def place_of(settings: Settings) -> Place:
    """The database or the file that the settings name. Raises `StoreRefused` if asyncpg is needed and missing."""
    url = settings.database_url.get_secret_value()
    return DatabasePlace(url) if url else FilePlace(settings.database_path)
