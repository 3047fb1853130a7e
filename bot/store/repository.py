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
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from bot.clock import Clock
from bot.store.engine import Tx, TxFunction

S = TypeVar("S", bound="Repository")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """The store, whichever engine it has."""

    purge_batch_size: int = 20
    """Tables deleted per write. Other writes can run in between."""
    search_batch_size: int = 200
    """Tables searched per read for a user's id. Other reads can run in between."""
    live_of_user: int = 200
    """Live tables of a user that are listed at most."""
    transfer_batch_size: int = 500
    """Rows read and written per batch of a transfer."""
    presses_live: float = 3600.0
    """Seconds after which a press id is deleted. Interaction tokens expire after 15 minutes."""
    presses_batch_size: int = 20_000
    """Press ids deleted per heartbeat. Ids grow with time, so the oldest come first."""
    waits: int = 20
    """Matches of a server and mode for which it is stored how long the first person waited."""


STORE: Final = StoreLimits()
READER: Final = StoreLimits(search_batch_size=1000)
"""The limits of a store as of one moment, for whose reads no other reads wait."""


class Access(Protocol):
    """How the repositories of a store reach it: `read` and `write` run a function in a transaction (see `Engine`)."""

    clock: Clock
    limits: StoreLimits

    async def read(self, run: TxFunction[T], /) -> T: ...

    async def write(self, run: TxFunction[T], on_commit: Callable[[T], None] | None = None, /) -> T: ...


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
