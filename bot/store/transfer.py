"""Transfers a whole store from a file into a PostgreSQL database, or from a database into a new file.

A transfer is complete and compared row by row, or leaves the target unchanged.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bot.database_url import READ_WRITE, readers_target, where
from bot.store.engine import Row
from bot.store.migrate import scripts
from bot.store.model import StoreError, StoreRefused
from bot.store.postgres import layout
from bot.store.postgres.database import change_identity
from bot.store.postgres.driver import Connection, DriverError, connect, lost_connection, sqlstate_of
from bot.store.postgres.errors import opening_failed, write_failed
from bot.store.postgres.timing import POSTGRES
from bot.store.repository import STORE
from bot.store.sqlite.connection import open_to_read
from bot.store.sqlite.copying import create_part_file, integrity_faults, rename_complete, summary
from bot.store.sqlite.errors import read_failed as file_read_failed
from bot.store.sqlite.layout import apply
from bot.store.sqlite.layout import check_is_current as check_file_is_current
from bot.store.sqlite.lock import FileLock

Counts = dict[str, int]
"""Rows transferred, by table name."""


_TABLES: Final = """
    SELECT relname, array_agg(attname::text ORDER BY attnum),
        array_agg(attname::text ORDER BY array_position(conkey, attnum)) FILTER (WHERE attnum = ANY(conkey)),
        bool_or(attidentity <> ''),
        coalesce(array_agg(attname::text) FILTER (WHERE atttypid = 'boolean'::regtype), '{}'),
        coalesce(array_agg(attname::text) FILTER (WHERE atttypid = 'text'::regtype), '{}')
    FROM pg_class JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
        JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = 'digsite'::regnamespace AND relname NOT IN ('store', 'identifies')
    GROUP BY pg_class.oid, relname
    ORDER BY EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'f'), relname"""
"""All tables that a file has too; a referenced table precedes the tables that refer to it."""


class TableSpec(NamedTuple):
    """A table of the database."""

    name: str
    columns: Sequence[str]
    key: Sequence[str]
    """The columns of the primary key."""
    numbered: bool
    """Whether the database generates the ids of the rows, and never reuses an id."""
    booleans: Sequence[str]
    """The boolean columns, which SQLite stores as 0 and 1."""
    texts: Sequence[str]

    def rows(self, found: Iterable[Row]) -> list[Row]:
        """Rows from SQLite with their boolean columns converted."""
        places = [self.columns.index(name) for name in self.booleans]
        return [
            tuple(bool(value) if place in places else value for place, value in enumerate(row))
            if places
            else row
            for row in found
        ]


async def tables_of(connection: Connection) -> list[TableSpec]:
    """The tables as the database describes them."""
    return [TableSpec(*row) for row in await connection.fetch(_TABLES)]


class Digest:
    """The number and the hash of rows, added in the order of their keys."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.rows += 1
            self._hash.update(repr(tuple(row)).encode())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Digest)
            and self.rows == other.rows
            and self._hash.digest() == other._hash.digest()
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]


# -- into a database


async def to_database(path: Path, url: str) -> Counts:
    """Transfers the store in the file at `path` into the empty database at `url`.

    Raises `StoreError` if the file or the database is in use, the file is damaged or of another version, the database
    contains matches, or a comparison fails. The database is then unchanged.
    """
    with _file_held(path) as original:
        async with _database_held(url) as connection:
            await layout.check_server(connection, where(url))
            migrations = scripts("postgres")
            await layout.check_is_ours(connection, where(url), len(migrations))
            await layout.migrate(connection, where(url), migrations)
            await connection.execute("BEGIN")
            counts = await _fill(connection, original, where(url))
            await _keep(connection, where(url))
            return counts


async def _keep(connection: Connection, name: str) -> None:
    try:
        kept = await connection.execute("COMMIT") == "COMMIT"
    except DriverError:
        raise StoreError(
            f"The connection to {name} was lost at the last moment, so all of it is there or nothing. Run the command "
            "again: if it says that the database holds something already, all is there. The file is as it was."
        ) from None
    if not kept:
        raise StoreError(f"{name} did not keep what was carried there. Nothing was changed.")


@contextmanager
def _file_held(path: Path) -> Generator[sqlite3.Connection]:
    """A context with the file open for reading, under its lock."""
    if not path.is_file():
        raise StoreError(f"There is no file at {path}. Nothing was moved; check the path of the store.")
    lock = FileLock(Path(os.path.realpath(path)))
    try:
        lock.take()
        with closing(open_to_read(path)) as original:
            check_file_is_current(original, path)
            if faults := integrity_faults(original):
                raise StoreError(f"{path} is damaged: {summary(faults)}. Nothing was moved.")
            original.execute("BEGIN")
            yield original
    except sqlite3.Error as error:
        raise file_read_failed(error) from error
    except OSError as error:
        raise StoreError(f"{path} could not be read ({error.strerror}). Nothing was moved.") from error
    finally:
        lock.release()


@asynccontextmanager
async def _database_held(url: str) -> AsyncGenerator[Connection]:
    """A context with a connection to the database, under its exclusive lock. Translates driver errors."""
    async with database_read(url) as connection:
        await layout.lock(connection, where(url))
        yield connection


async def _fill(connection: Connection, original: sqlite3.Connection, name: str) -> Counts:
    for part in (
        "tables",
        "erasures",
        "text_only",
        "players",
        "results",
        "seasons",
        "choices",
        "guests",
        "attempts",
    ):
        if await connection.fetch(f"SELECT 1 FROM {part} LIMIT 1"):
            raise StoreError(
                f"{name} holds something already, and nothing is ever mixed with it or written over it. Nothing was "
                "moved; name an empty database."
            )
    # These may be from a bot that was started on the empty database. If it still runs, it gets `StoreLost`.
    await connection.execute("DELETE FROM facts")
    await connection.execute("DELETE FROM emoji")
    await connection.execute("DELETE FROM deals")
    await change_identity(connection)
    counts: Counts = {}
    for part in await tables_of(connection):
        given, found = Digest(), Digest()
        for rows in _rows_of_file(original, part):
            given.add(rows)
            await connection.copy_records_to_table(
                part.name, records=rows, columns=part.columns, schema_name="digsite"
            )
        async for rows in _rows_of_database(connection, part):
            found.add(rows)
        _compare(part, given, found)
        counts[part.name] = given.rows
        if part.numbered:
            given_out = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?"
            [(last,)] = original.execute(given_out, (part.name,)).fetchall()
            await connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{part.name}', 'id'), $1, $2)", max(last, 1), last > 0
            )
    return counts


def _rows_of_file(original: sqlite3.Connection, part: TableSpec) -> Iterator[list[Row]]:
    key = ", ".join(part.key)
    cursor = original.execute(f"SELECT {', '.join(part.columns)} FROM {part.name} ORDER BY {key}")
    while rows := cursor.fetchmany(STORE.transfer_batch_size):
        yield part.rows(rows)


def _compare(part: TableSpec, given: Digest, found: Digest) -> None:
    if given != found:
        raise StoreError(
            f"Not everything arrived as it was: {part.name}, {given.rows} and {found.rows} rows. The rows that had "
            "arrived were removed again; the store is as it was before."
        )


# -- into a file


async def to_file(url: str, target: Path, *, alone: bool = False) -> Counts:
    """Transfers the database at `url`, as of one moment, into the new private file `target`.

    `alone`: raises `StoreInUse` if a bot has the database open; without `alone`, a bot can write meanwhile. Raises
    `StoreError`, also if `target` exists; no new file is then left.
    """
    try:
        # The target of `digsite move` gets the owner of its folder, the bot's user. A backup made by root stays root's.
        part = create_part_file(target, like=target.parent if alone else None)
        try:
            async with (
                _database_held(url) if alone else database_read(url, readers_target(url)) as connection
            ):
                await layout.check_is_current(connection, where(url))
                if alone:
                    # A bot that has lost its connections, and so its lock, gets `StoreLost` when it reconnects.
                    await change_identity(connection)
                await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                counts = await _copy(connection, part)
            rename_complete(part, target)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError:
        raise StoreError(
            f"{target} already exists. It was left as it is; name a file that does not."
        ) from None
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{where(url)} could not be copied to {target} ({error}). No copy was left; the store is as it was."
        ) from error
    return counts


@asynccontextmanager
async def database_read(url: str, target: str = READ_WRITE) -> AsyncGenerator[Connection]:
    """A context with a connection to the database, whether or not a bot has it open. Translates driver errors.

    `target`: the kind of server, as in libpq's `target_session_attrs`.
    """
    try:
        connection = await connect(url, answering=POSTGRES.long_statement, target=target)
    except (*DriverError, ValueError) as error:
        raise opening_failed(where(url), error) from None
    try:
        await connection.execute("SET idle_in_transaction_session_timeout = 0")
        await layout.make_commits_durable(connection)
        yield connection
    except DriverError as error:
        if sqlstate_of(error) is None and not lost_connection(error):
            raise  # an OSError raised inside the context
        raise write_failed(error) from None
    finally:
        connection.terminate()


async def _copy(connection: Connection, path: Path) -> Counts:
    """Copies all rows into the empty file; SQLite runs on other threads, so that the event loop stays responsive."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as copy:
        await asyncio.to_thread(_prepare, copy, path)
        digests = list[tuple[TableSpec, Digest]]()
        for part in await tables_of(connection):
            digest = Digest()
            digests.append((part, digest))
            async for rows in _rows_of_database(connection, part):
                digest.add(rows)
                await asyncio.to_thread(_insert, copy, part, rows)
            if part.numbered:
                await asyncio.to_thread(_go_on_numbering, copy, part, await _last_given(connection, part))
        await asyncio.to_thread(_check, copy, digests)
    return {part.name: digest.rows for part, digest in digests}


def _prepare(copy: sqlite3.Connection, path: Path) -> None:
    copy.execute("PRAGMA synchronous = FULL").fetchall()
    try:
        apply(copy, path, scripts("sqlite"))
    except StoreRefused as error:
        raise sqlite3.OperationalError(str(error.__cause__)) from error
    copy.execute("BEGIN")


def _insert(copy: sqlite3.Connection, part: TableSpec, rows: list[Row]) -> None:
    values = ", ".join("?" * len(part.columns))
    query = f"INSERT INTO {part.name} ({', '.join(part.columns)}) VALUES ({values})"
    copy.executemany(query, [tuple(row) for row in rows])


def _go_on_numbering(copy: sqlite3.Connection, part: TableSpec, last: int) -> None:
    copy.execute("DELETE FROM sqlite_sequence WHERE name = ?", (part.name,))
    if last:
        copy.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (part.name, last))


def _check(copy: sqlite3.Connection, digests: Sequence[tuple[TableSpec, Digest]]) -> None:
    copy.execute("COMMIT")
    if faults := integrity_faults(copy):
        raise StoreError(f"The copy is damaged: {summary(faults)}. It was not left; see to the disk.")
    for part, given in digests:
        found = Digest()
        for rows in _rows_of_file(copy, part):
            found.add(rows)
        _compare(part, given, found)


async def _last_given(connection: Connection, part: TableSpec) -> int:
    sequence = await connection.fetchval("SELECT pg_get_serial_sequence($1, 'id')", part.name)
    query = f"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM {sequence}"
    return int(await connection.fetchval(query))


async def _rows_of_database(connection: Connection, part: TableSpec) -> AsyncGenerator[list[Row]]:
    key = ", ".join(f'{each} COLLATE "C"' if each in part.texts else each for each in part.key)
    query = f"SELECT {', '.join(part.columns)} FROM {part.name} ORDER BY {key}"
    # Unique names, because asyncpg caches the result columns of a statement by its text.
    cursor = f"carried_{part.name}"
    await connection.execute(f"DECLARE {cursor} NO SCROLL CURSOR FOR {query}")
    while rows := await connection.fetch(f"FETCH {STORE.transfer_batch_size} FROM {cursor}"):
        yield rows
    await connection.execute(f"CLOSE {cursor}")
