"""The interface to a database engine: the calls in which SQLite and PostgreSQL differ.

A read or a write is one coroutine function of a `Tx`. A write is one transaction. PostgreSQL awaits the coroutine on a
connection. With SQLite the coroutine never suspends, so the connection's thread runs it like a plain function
(`run_sync`).

All statements are in SQL that both engines accept, with the parameters `$1`, `$2` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Value = int | float | str | None
Row = Sequence[Any]
"""A row of a result: its columns in order."""


class NotUnique(Exception):
    """A row violates the unique index `index`."""

    def __init__(self, index: str) -> None:
        super().__init__(index)
        self.index = index


class Tx(Protocol):
    """A transaction on a connection. Every call raises `NotUnique` and the driver's errors."""

    numbers: str
    """SQL that expands a JSON list of numbers into rows; `{}` stands for the parameter."""
    again: bool
    """Whether an earlier attempt may have been committed: the connection was lost during its COMMIT."""

    async def execute(self, query: str, *values: Value) -> int:
        """Runs a statement; returns the number of rows written."""
        ...

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        """Runs a statement once for each row of values."""
        ...

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]: ...

    async def serialise(self, what: str, number: int = 0) -> None:
        """Takes a lock on these arguments until the transaction ends; other transactions wait for the lock."""
        ...


TxFunction = Callable[[Tx], Coroutine[Any, Any, T]]
"""A read or a write. A write may run several times; at most one run is committed."""

Shards = tuple[int, Collection[int]]
"""The shard count, and a selection of shards."""


class Engine(Protocol):
    """A database engine. Its text is the path, or the URL without secrets."""

    layout: int
    """The number of the last migration applied; set by `open`."""

    async def open(self, look: TxFunction[T]) -> T:
        """Opens or creates the database, migrates, and returns the result of `look`. Raises `StoreRefused`."""
        ...

    async def close(self) -> None:
        """Finishes pending writes and closes the connections."""
        ...

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None) -> T:
        """Runs `run` in a transaction; calls `on_commit` with its result once durable, and returns the result.

        `run` and `on_commit` run even if the caller is cancelled. Raises `StoreError`, `NotUnique`, and the errors of
        `run`.
        """
        ...

    async def read(self, run: TxFunction[T]) -> T:
        """Returns the result of `run`. Raises `StoreError`."""
        ...

    async def settle(self) -> None:
        """Returns when all earlier writes are durable or have failed."""
        ...

    async def wipe(self, *, within: float, whole: bool) -> bool:
        """See `Store.wipe`."""
        ...


def run_sync(run: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never suspends."""
    try:
        run.send(None)
    except StopIteration as done:
        return done.value
    run.close()
    raise RuntimeError("a transaction function suspended")
