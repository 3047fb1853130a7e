"""The times and sizes of the bot as a process that tests shorten. All others stand where they are used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bot.gateway.timing import GATEWAY, IDENTIFY, GatewayTiming, IdentifyTiming
from bot.tables.erasures import ErasureTiming
from bot.tables.model import HOUR


@dataclass(frozen=True, slots=True)
class ClosingTiming:
    """The end of a process. Closing the host takes at most the sum of the first three times."""

    finish: float = 2.0
    """Seconds that work under way may take when the host closes; what takes longer is done after the next start."""
    cancel: float = 0.5
    """Seconds after that for cancelled work: a write that is under way becomes durable first."""
    save: float = 1.0
    """Seconds after that for the last heartbeat and for closing the store."""
    disconnect: float = 0.5
    """Seconds for closing the connections to Discord."""
    tasks: float = 0.3
    """Seconds that the connection and the job loop have to end after they were cancelled, before the host closes."""
    process: float = 4.5
    """Seconds after which the process ends in any case, even if a disk, Discord or a name lookup hangs."""


@dataclass(frozen=True, slots=True)
class JobTiming:
    """Due jobs: how many are read at once, and when one that failed is tried again."""

    read_at_once: int = 2000
    """The number of due jobs that are read from the store at once."""
    remembered: int = 1000
    """Above this many tables, redraws that are over a minute old are forgotten."""


@dataclass(frozen=True, slots=True)
class JobLoopTiming:
    """The loop that looks for due jobs."""

    idle: float = 0.25
    """The longest time between two searches for due jobs, in seconds."""
    soon: float = 0.05
    """The same if a job is due now or within `idle`. Each search after which none is doubles the time."""
    after_error: float = 5.0
    """The same after an error."""


@dataclass(frozen=True, slots=True)
class HousekeepingTiming:
    """Regular work that is no table's job."""

    every: float = 1.0
    """Seconds between two checks. They are short because an operator who asks for an erasure waits for it."""
    register_again: float = HOUR
    """Seconds after which a registration of the commands that failed is tried again."""


@dataclass(frozen=True, slots=True)
class ConnectionTiming:
    """The connection to Discord and the start of the process."""

    launches: int = 200
    """How often opening a shard's first connection is tried again, every 5 s, before the bot gives up."""
    connecting: float = 60.0
    """Seconds for which jobs run although no shard is connected, after shards were taken over."""
    wait_for_store: float = 3.0
    """Seconds at the start for which the bot waits until another process, such as a command, releases the store."""


@dataclass(frozen=True, slots=True)
class AppTiming:
    """The times and sizes of all parts of the process."""

    closing: ClosingTiming = ClosingTiming()
    jobs: JobTiming = JobTiming()
    job_loop: JobLoopTiming = JobLoopTiming()
    housekeeping: HousekeepingTiming = HousekeepingTiming()
    erasures: ErasureTiming = field(default_factory=ErasureTiming)
    connection: ConnectionTiming = ConnectionTiming()
    gateway: GatewayTiming = GATEWAY
    identify: IdentifyTiming = IDENTIFY


DEFAULT: Final = AppTiming()
