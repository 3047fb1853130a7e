"""A repository has the functions of one subject of the store. Each of them is a transaction.

A function is written once, on a transaction (`Tx`), and marked `reads` or `writes`. Callers leave the transaction out.
All statements are in SQL that SQLite and PostgreSQL accept.

A write may run several times, and at most one run is committed: if the connection was lost during COMMIT, `tx.again` is
True in the next attempt, because the earlier attempt may have been committed. A function such as `committing` makes a
write whose runs have values in common, or that copies arguments which can change.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from copy import copy
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.clock import Clock
from bot.store.engine import Tx, TxFunction
from bot.store.timing import STORE, StoreLimits

S = TypeVar("S", bound="Repository")
P = ParamSpec("P")
T = TypeVar("T")


class Write(Protocol):
    """Runs a write; see `Engine.write`."""

    def __call__(
        self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None, /
    ) -> Coroutine[Any, Any, T]: ...


class Read(Protocol):
    """Runs a read; see `Engine.read`."""

    def __call__(self, run: TxFunction[T], /) -> Coroutine[Any, Any, T]: ...


@dataclass(frozen=True, slots=True)
class Access:
    """How the repositories of a store reach it: `read` and `write` run a function in a transaction (see `Engine`)."""

    read: Read
    write: Write
    clock: Clock
    limits: StoreLimits = STORE


class Repository:
    """The functions of a subject. Each of them raises `StoreError` on failure."""

    def __init__(self, access: Access) -> None:
        self.access = access

    def now(self) -> float:
        """The present time in seconds since 1970."""
        return self.access.clock.now()


def reads(
    run: Callable[Concatenate[S, Tx, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Makes of a function of a transaction one that reads the store."""

    @wraps(run)
    async def read(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.access.read(lambda tx: run(self, tx, *args, **kwargs))

    return read


def writes(
    run: Callable[Concatenate[S, Tx, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Makes of a function of a transaction one that writes to the store.

    Copies lists, sets and mappings among the arguments, because the caller may change them before the write runs. What
    they hold must be immutable.
    """

    @wraps(run)
    async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        fixed: Any = [_fixed(value) for value in args]
        kwargs.update({name: _fixed(value) for name, value in kwargs.items()})
        return await self.access.write(lambda tx: run(self, tx, *fixed, **kwargs))

    return write


def _fixed(value: object) -> object:
    return copy(value) if type(value) in (list, set, dict) else value
