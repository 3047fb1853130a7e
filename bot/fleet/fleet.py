"""The fleet of a single process, from which that of several is derived, and the times of a fleet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from bot.store.engine import Shards

Notification = Literal["shards", "controls", "forgotten", "pictures", "calls", "emoji"]
"""A notification to all processes, which then reload their in-memory copies.

"shards": a process has given shards away. "controls": blocks, the notice or the operator's orders changed. "forgotten":
a user was forgotten. "pictures", "calls": choices of people or servers changed. "emoji": the application's emoji
changed.
"""


@dataclass(frozen=True, slots=True)
class ProcessState:
    """A live process: host and process id, version, number of owned shards, and whether it is a member."""

    name: str
    version: str
    owned: int
    is_member: bool


class Partitioned(Exception):
    """This process has had no connection to Discord for a long time, while another process has one."""


Changed = Callable[[frozenset[int], frozenset[int]], Awaitable[None]]
"""Called with the shards that this process has gained and those that it has lost."""


@dataclass(frozen=True, slots=True)
class ShardHandler:
    """The work of a process for the shards that it owns."""

    gained: Callable[[frozenset[int]], Awaitable[None]]
    """Called before the first job of these shards, and again after an error. Raises `StoreError`."""
    lost: Callable[[frozenset[int]], None]
    """Called when this process stops running jobs for these shards."""
    finish: Callable[[frozenset[int], float], Awaitable[None]]
    """Waits for the running jobs of these shards, for at most so many seconds. No new job starts."""
    connect_only: Callable[[frozenset[int]], None]
    """Connects these shards to Discord, and disconnects all others."""
    connected: Callable[[int], bool]
    """Whether this process receives the presses of this shard."""
    waits_in_turn: Callable[[], bool]
    """Whether a shard waits only for its turn to identify."""
    shared_by: Callable[[int, float], None]
    """Called at each check with the number of live processes, which share Discord's limits, and with the time at which
    the number was read."""


class Fleet:
    """The processes that share one store: here a single process; `bot.fleet.member.Member` is one of several.

    Each of Discord's shards has one owner among them. Ownership decides which process does the work, never whether a
    change is valid: a process that wrongly owns a shard for a moment only does unnecessary work.
    """

    alone = True
    """Whether this is the only process."""

    @property
    def is_settled(self) -> bool:
        """Whether owners and processes have not changed recently, so that no press reaches two processes."""
        return True

    @property
    def is_leader(self) -> bool:
        """Whether this process owns shard 0, and so does the work that only one process may do."""
        return True

    @property
    def owned(self) -> Shards | None:
        """The shards whose jobs this process runs; None: all jobs."""
        return None

    def owns(self, guild: int) -> bool:
        """Whether this process runs the jobs of this server and handles its events."""
        return True

    def serves(self, guild: int) -> bool:
        """Whether this process answers presses on this server; 0 stands for direct messages.

        While a shard changes owners, two processes answer presses, and the first committed change decides.
        """
        return True

    def lost_for(self, guild: int) -> float | None:
        """Seconds since this process detected that it had lost the server's shard together with its fleet session.

        None if it has not lost the shard.
        """

    def shard_of(self, guild: int) -> int | None:
        """The shard of a server; None for a single process, or before the shard count is known."""

    async def publish(self, notification: Notification) -> None:
        """Publishes a notification to all processes, this one included. Raises `StoreError`."""

    async def publish_with_retry(self, notification: Notification) -> None:
        """Publishes a notification; after a failure, retries in the background. Raises nothing.

        Use when the change is already stored: a failed notification must not roll it back.
        """

    def on(self, notification: Notification, reload: Callable[[], Awaitable[None]]) -> None:
        """Calls `reload` after each such notification, and after a reconnection, because one may have been missed."""

    def on_change(self, changed: Changed) -> None:
        """Calls `changed` whenever this process gains or loses shards."""

    async def processes(self) -> list[ProcessState]:
        """The live processes, oldest session first; none for a single process. Raises `StoreError`."""
        return []

    async def leave(self) -> None:
        """Gives up all shards immediately, before the process ends."""


@dataclass(frozen=True, slots=True)
class FleetTiming:
    """Times of a process in its fleet, in seconds."""

    session_ends: int = 6
    """Silence after which the server ends the fleet session."""
    statement: float = 4.0
    """Timeout of a statement on the fleet session. After it, the process counts its locks as lost."""
    session_settled: float = 3.0
    """Age of a session that rules out a recent restart of the database; until then each process retakes its shards."""
    check_every: float = 1.0
    """Between two checks of the locks."""
    reconnect_every: float = 0.5
    """Between two attempts while the database does not answer."""
    partitioned_after: float = 120.0
    """Time without a connection to Discord, while another member has one, after which the process ends."""
    listening_checked: float = 10.0
    """Between two checks that the connection for notifications is alive and the address still leads to its server."""


FLEET_TIMING = FleetTiming()
