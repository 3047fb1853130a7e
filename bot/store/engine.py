"""What the store asks of a database: the few calls in which a file of SQLite's and a server of PostgreSQL's differ.

A read or a write is one coroutine function `act(tx)` that says all it wants through `tx`. A write is one transaction:
it is kept as a whole or not at all. PostgreSQL awaits the coroutine on a connection. With SQLite nothing in it ever
waits, so the thread of a connection drives it to its end like a plain function (`driven`).

Statements are written once, in words that both understand, with the parameters `$1`, `$2` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Value = int | float | str | None
Row = Sequence[Any]
"""A row of an answer: its columns in their order."""


class Broken(Exception):
    """A row was refused because another one has what only one may have; `index` is the name of that unique index."""

    def __init__(self, index: str) -> None:
        super().__init__(index)
        self.index = index


class Tx(Protocol):
    """What a read or a write may ask of its connection. Raises `Broken`, and the driver's errors."""

    numbers: str
    """SQL that gives the numbers of a list in JSON as rows; `{}` stands for the parameter."""
    again: bool
    """Whether the connection was lost in the commit of an earlier try of this write, so that it may be kept already."""

    async def execute(self, query: str, *values: Value) -> int:
        """Runs a statement; returns how many rows it has written."""
        ...

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        """Runs a statement once for each of these rows of values."""
        ...

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]: ...

    async def serialise(self, what: str, number: int = 0) -> None:
        """Until this transaction ends, no other one passes that asks for the same."""
        ...


Act = Callable[[Tx], Coroutine[Any, Any, T]]
"""A read or a write. A write may be run several times, of which at most one is kept."""

Shards = tuple[int, Collection[int]]
"""The shard count, and some of the shards."""


class Engine(Protocol):
    """A database that a store keeps its rows in. As a text it is the path, or the URL without its secrets."""

    layout: int
    """The number of the last migration that was applied, once it is open."""

    async def open(self, look: Act[T]) -> T:
        """Opens or makes it, brings its layout up to date, and returns what `look` reads. Raises `StoreRefused`."""
        ...

    async def close(self) -> None:
        """Finishes the writes under way and closes."""
        ...

    async def write(self, act: Act[T], then: Callable[[T], None] | None = None) -> T:
        """Runs `act` in a transaction and returns its result once that is durable, after `then` was called with it.

        If the caller is cancelled meanwhile, both happen all the same. Raises `StoreError`, `Broken`, and what `act`
        raises itself.
        """
        ...

    async def read(self, act: Act[T]) -> T:
        """What `act` reads. Raises `StoreError`."""
        ...

    async def settle(self) -> None:
        """Returns when every write that was asked for earlier is durable or has failed."""
        ...

    async def wipe(self, *, within: float, whole: bool) -> bool:
        """`Store.wipe` says what it does."""
        ...

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy to a new file of SQLite's. Raises `StoreError`."""
        ...


def driven(act: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that waits for nothing."""
    try:
        act.send(None)
    except StopIteration as done:
        return done.value
    act.close()
    raise RuntimeError("a read or a write waited for something else than its database")
