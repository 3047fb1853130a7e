"""The processes that run on one store together, and which of Discord's shards this one holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.store.base import Signal

Changed = Callable[[frozenset[int], frozenset[int]], Awaitable[None]]
"""Called with the shards that this process has gained and those that it has lost.

Whoever gains or loses shard 0 becomes or ceases to be the first. The fleet has changed already when it is called.
"""


class Fleet(Protocol):
    """What the rest of the bot asks about the other processes."""

    @property
    def first(self) -> bool:
        """Whether this process does what is done once for all: it holds shard 0."""
        ...

    def holds(self, guild: int) -> bool:
        """Whether this process serves this server's tables."""
        ...

    async def tell(self, signal: Signal) -> None:
        """Tells all processes, this one included, that something has changed that each keeps in memory."""
        ...

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Has `reload` called whenever another process or this one has told this."""
        ...

    def on_change(self, changed: Changed) -> None:
        """Has `changed` called whenever this process has gained or lost shards."""
        ...

    async def drain(self) -> None:
        """Has this process hand over all of its shards and then end. Raises `StoreError`."""
        ...


class Alone:
    """A fleet of one process, which has its store alone and serves all servers that Discord tells it of."""

    def __init__(self, *, first: bool = True) -> None:
        self.first = first

    def holds(self, guild: int) -> bool:
        return True

    async def tell(self, signal: Signal) -> None:
        """There is nobody else, and whoever tells has done it already."""

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Nobody else tells anything."""

    def on_change(self, changed: Changed) -> None:
        """It holds the same shards all the time."""

    async def drain(self) -> None:
        """There is nobody to hand over to."""
