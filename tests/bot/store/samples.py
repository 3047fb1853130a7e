"""Sample tables, moves and log lines, places for stores, and ways to hold up their writes."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from bot.clock import Clock
from bot.store.backends import Backend, DatabaseBackend, FileBackend
from bot.store.engine import Tx, TxFunction
from bot.store.migrate import scripts
from bot.store.model import Change, Committed, LogRow, MoveRow, TableRow
from bot.store.postgres.timing import POSTGRES, PostgresTiming
from bot.store.repository import STORE, Access, StoreLimits
from bot.store.sqlite.engine import COMPACTED_AT_MOST, SqliteEngine
from bot.store.sqlite.layout import apply
from bot.store.store import Repositories, Store
from tests.manual_clock import ManualClock

T = TypeVar("T")

NOW = 1_800_000_000.0


def in_file(
    path: Path,
    clock: Clock,
    *,
    lock_timeout: float = 0.0,
    committed: Committed | None = None,
    limits: StoreLimits = STORE,
    compacted_at_most: int = COMPACTED_AT_MOST,
) -> Store:
    """A store in a file, not opened yet."""
    opens = SqliteEngine(
        path, lock_timeout=lock_timeout, committed=committed, compacted_at_most=compacted_at_most
    )
    return Store(opens, clock, limits)


def in_database(
    url: str,
    clock: Clock,
    *,
    lock_timeout: float = 0.0,
    shared: bool = True,
    limits: StoreLimits = STORE,
    timing: PostgresTiming = POSTGRES,
) -> Store:
    """A store in a database, not opened yet."""
    from bot.store.postgres.engine import PostgresEngine

    engine = PostgresEngine(url, lock_timeout=lock_timeout, shared=shared, timing=timing)
    return Store(engine, clock, limits)


def repositories(tx: Tx) -> Repositories:
    """All that a store holds, read and written in this transaction."""

    async def run(act: TxFunction[T], _on_commit: object = None) -> T:
        return await act(tx)

    return Repositories(
        cast("Access", SimpleNamespace(read=run, write=run, clock=ManualClock(), limits=STORE))
    )


@cache
def columns() -> dict[str, list[str]]:
    """The columns of each table of the present layout, without what pads a row."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as file:
        apply(file, Path("memory"), scripts("sqlite"))
        names = file.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        found = {name: file.execute(f"PRAGMA table_info({name})").fetchall() for (name,) in names.fetchall()}
    return {name: [column for _number, column, *_rest in rows] for name, rows in found.items()}


@dataclass(frozen=True, slots=True)
class Home:
    """Where a store is kept: the path of a file, or the URL of a database."""

    place: Path | str

    @classmethod
    def of(cls, text: str) -> Home:
        """The home that a program was told of on its command line."""
        return cls(text if "://" in text else Path(text))

    def store(self, clock: Clock, *, lock_timeout: float = 0.0, limits: StoreLimits = STORE) -> Store:
        """The store that is kept there, not opened yet."""
        if isinstance(self.place, Path):
            return in_file(self.place, clock, lock_timeout=lock_timeout, limits=limits)
        return in_database(self.place, clock, lock_timeout=lock_timeout, limits=limits)

    def backend(self) -> Backend:
        """The store as commands see it."""
        return FileBackend(self.place) if isinstance(self.place, Path) else DatabaseBackend(self.place)

    async def change(self, sql: str) -> None:
        """Changes the store as only a mishap or somebody else can."""
        if isinstance(self.place, Path):
            with closing(sqlite3.connect(self.place)) as connection, connection:
                connection.execute(sql)
        else:
            await self.query(sql)

    async def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The stored data, read by another program than the store."""
        if isinstance(self.place, Path):
            with closing(sqlite3.connect(self.place)) as connection:
                return connection.execute(sql).fetchall()
        import asyncpg

        connection = await asyncpg.connect(self.place, server_settings={"search_path": "digsite"})
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()


async def everything(home: Home) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables. A boolean equals the number that SQLite has for it, and is sorted as that."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, shown in columns().items():
        rows = await home.query(f"SELECT {', '.join(shown)} FROM {name}")
        found[name] = sorted(
            rows, key=lambda row: repr([+each if each is True or each is False else each for each in row])
        )
    return found


def a_table(
    channel_id: int = 1, *, status: str = "playing", game: str = "archaeology", ended_at: float | None = None
) -> TableRow:
    """A table that is not in the store yet."""
    return TableRow(
        id=0,
        guild_id=10,
        channel_id=channel_id,
        game=game,
        status=status,
        version=0,
        sequence=0,
        body='{"seats": []}',
        snapshot='{"hands": []}',
        created_at=NOW,
        changed_at=NOW,
        ended_at=ended_at,
    )


def a_line(event: str = "dug") -> LogRow:
    return LogRow(source="game", sequence=1, event=event, at=NOW)


def a_move(table: TableRow, interaction_id: int | None = None, move: str = "dig") -> Change:
    """The next move at this table, with one line of its log."""
    table.sequence += 1
    moves = [MoveRow(table.sequence, 0, move, interaction_id, NOW)]
    return Change(table, moves, log=[a_line(f"dug {table.sequence}")], press=interaction_id)


async def kept(
    store: Store, channel_id: int = 1, *, press: int | None = None, **named: str | float
) -> TableRow:
    """A table that is in the store."""
    return await store.create(Change(a_table(channel_id, **named), press=press))  # type: ignore[arg-type]


def damage(path: Path, table: str) -> None:
    """Damages the first page of a table, in a file that nobody has open."""
    with closing(sqlite3.connect(path)) as connection:
        [(page,)] = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchall()
        [(size,)] = connection.execute("PRAGMA page_size").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with path.open("r+b") as file:
        file.seek(page * size - 200)
        file.write(b"\xa5" * 200)


async def on_writer(store: Store, act: Callable[[sqlite3.Connection], T]) -> T:
    """Runs `act` on the writer's thread, outside of any transaction, and returns its result."""
    return await opened_file(store).writer._connection.submit(act)


def opened_file(store: Store) -> Any:
    """The open file behind a store."""
    assert isinstance(store.engine, SqliteEngine)
    assert store.engine._opened is not None
    return store.engine._opened


@asynccontextmanager
async def writer_held(store: Store) -> AsyncIterator[None]:
    """A context in which no write comes to its end, as on a slow disk."""
    if isinstance(store.engine, SqliteEngine):
        free = threading.Event()
        holding = opened_file(store).writer._connection.submit(lambda _: free.wait(10))
        try:
            yield
        finally:
            free.set()
            await holding
        return
    import asyncpg

    from bot.store.postgres.engine import PostgresEngine

    assert isinstance(store.engine, PostgresEngine)
    somebody = await asyncpg.connect(store.engine._url, server_settings={"search_path": "digsite"})
    await somebody.execute("BEGIN")
    await somebody.execute("LOCK TABLE tables, jobs, facts IN EXCLUSIVE MODE")
    try:
        yield
    finally:
        await asyncio.shield(somebody.close())
