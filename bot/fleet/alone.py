"""The other processes, as the rest of the bot asks for them, and the answer of a process that has its store alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.store.engine import Shards

Signal = Literal["shards", "controls", "forgotten", "pictures", "emoji"]
"""What one process tells all others: that it has given shards away, or that something has changed that each remembers.

"controls": who is blocked, the notice, the operator's orders. "forgotten": a person was. "pictures": who chose text
only. "emoji": those that Discord has.
"""


@dataclass(frozen=True, slots=True)
class ProcessState:
    """A process that lives: its machine and number, its version, how many shards it owns, and if it is a member."""

    name: str
    version: str
    owned: int
    is_member: bool


class CutOff(Exception):
    """This process has had no connection to Discord for long, while another one has."""


Changed = Callable[[frozenset[int], frozenset[int]], Awaitable[None]]
"""Called with the shards that this process has gained and those that it has lost."""


class Fleet(Protocol):
    """The processes that work on one store together. Each shard of Discord's has one owner among them.

    Ownership decides which process works, never what is right: a process that owns a shard wrongly for a moment wastes
    work and nothing else.
    """

    alone: bool
    """Whether there is this process and no other."""

    @property
    def is_settled(self) -> bool:
        """Whether nothing has changed among the processes lately, so that no press reaches two of them."""
        ...

    @property
    def leads(self) -> bool:
        """Whether this process does what is done once for all: it owns shard 0."""
        ...

    @property
    def owned(self) -> Shards | None:
        """The shards whose jobs this process does; None: it does all jobs."""
        ...

    def owns(self, guild: int) -> bool:
        """Whether this process does the jobs of this server's tables and follows Discord's events there."""
        ...

    def serves(self, guild: int) -> bool:
        """Whether this process answers presses on this server; 0 stands for direct messages.

        While a shard changes hands two processes do, and the first change that is kept decides.
        """
        ...

    def lost_for(self, guild: int) -> float | None:
        """Seconds since this process saw that another one owns the server's shard, because its own session had ended.

        None if that is not so.
        """
        ...

    def shard_of(self, guild: int) -> int | None:
        """The shard of a server; None if this process is alone, or does not know yet how many shards there are."""
        ...

    async def tell(self, signal: Signal) -> None:
        """Tells all other processes, and this one, that something has changed. Raises `StoreError`."""
        ...

    async def spread(self, signal: Signal) -> None:
        """Tells as `tell` does, but what cannot be told now is told later, and it raises nothing.

        For what is kept already: that nobody could be told of it does not undo it.
        """
        ...

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Has `reload` called whenever another process or this one has told this, or may have."""
        ...

    def on_change(self, changed: Changed) -> None:
        """Has `changed` called whenever this process has gained or lost shards."""
        ...

    async def processes(self) -> list[ProcessState]:
        """The processes that live, oldest session first. Raises `StoreError`."""
        ...

    async def leave(self) -> None:
        """Gives up all shards at once, because this process ends."""
        ...


class Alone:
    """A fleet of one process, which has its store alone and does everything."""

    alone = True
    is_settled = True
    leads = True
    owned: Shards | None = None

    def owns(self, guild: int) -> bool:
        return True

    def serves(self, guild: int) -> bool:
        return True

    def lost_for(self, guild: int) -> float | None:
        return None

    def shard_of(self, guild: int) -> int | None:
        return None

    async def tell(self, signal: Signal) -> None:
        """There is nobody else, and whoever tells has done it already."""

    async def spread(self, signal: Signal) -> None:
        """There is nobody else either."""

    def on(self, signal: Signal, reload: Callable[[], Awaitable[None]]) -> None:
        """Nobody else tells anything."""

    def on_change(self, changed: Changed) -> None:
        """It owns the same shards all the time."""

    async def processes(self) -> list[ProcessState]:
        return []

    async def leave(self) -> None:
        """Nobody waits for its shards."""
