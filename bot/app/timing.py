"""The times and sizes of the bot as a process. Tests give the composition root shorter ones.

`tools/timing.py` makes the page docs/timing.md from these classes and those of other packages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bot.gateway.timing import GATEWAY, IDENTIFY, GatewayTiming, IdentifyTiming
from bot.tables.erasures import ErasureTiming
from bot.tables.model import DAY, HOUR, MINUTE


@dataclass(frozen=True, slots=True)
class HeartbeatTiming:
    """The heartbeat: how it is noted that people can be served, and when lost time is given back to them."""

    every: float = 30.0
    """Seconds between two heartbeats in the store. A crash can cost a player at most this much time."""
    away: float = 90.0
    """Seconds. Only a longer time for which nobody could be served is given back; reconnections take less."""
    grace: float = 5 * MINUTE
    """Seconds for which nobody's time runs out after a start, after taking over a shard, and after an outage."""


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
    retry_first: float = 2.0
    """Seconds before a job that has failed once is tried again. The wait doubles with each further failure."""
    retry_most: float = 5 * MINUTE
    """The longest wait, in seconds, before a failed job is tried again."""
    retry_unreadable: float = HOUR
    """Seconds between two tries at a table that cannot be read: another version or card list may be able to."""
    retry_unreadable_in_fleet: float = MINUTE
    """The same if several processes share the store: one of a newer version may own the table at any moment."""
    give_up: int = 12
    """After this many failures in a row that are no outage, a redraw is given up until the table next changes."""
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
class LoadLimits:
    """Load: from when on the bot counts as busy, and what may then be out of date for how long."""

    saturated: float = 0.1
    """From this part of the possible requests on, boards are redrawn as seldom as `BOARD_LAG` allows."""
    delayed: float = 0.02
    """Seconds. If things happen later than that on average, the processor is busy."""
    newest_weight: float = 0.2
    """The weight of the newest figure in the averages of delay and of utilisation."""
    busy: float = 0.5
    """The processor also counts as busy if the event loop works for more than this part of the time."""
    full: float = 0.8
    """From this part of the time on, the staleness budget is as large as it gets."""
    staleness: float = 10.0
    """The largest staleness budget, in seconds, of boards and of the screens of players who are not asked."""
    staleness_per_delay: float = 20.0
    """Seconds of staleness budget for each second of delay."""
    pictures: float = 1.5
    """Pictures may be stale so many times longer than texts."""


@dataclass(frozen=True, slots=True)
class HousekeepingTiming:
    """Regular work that is no table's job."""

    every: float = 1.0
    """Seconds between two checks. They are short because an operator who asks for an erasure waits for it."""
    purge_every: float = DAY
    """Seconds between two deletions of matches that ended long ago."""
    sweep_every: float = 30.0
    """Seconds between two sweeps of screens and tokens that Discord no longer takes edits for."""
    register_again: float = HOUR
    """Seconds after which a registration of the commands that failed is tried again."""
    removal_grace: float = 7 * DAY
    """Seconds after a removal from a server for which its matches are kept. After a new invitation they go on."""
    doubt_again: float = HOUR
    """Seconds before Discord is asked again whether the bot is still on the same server."""


@dataclass(frozen=True, slots=True)
class OrderTiming:
    """The operator's orders."""

    kept: float = HOUR
    """Seconds after which an order that was carried out is deleted even if nobody has read its answer."""


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

    heartbeat: HeartbeatTiming = HeartbeatTiming()
    closing: ClosingTiming = ClosingTiming()
    jobs: JobTiming = JobTiming()
    job_loop: JobLoopTiming = JobLoopTiming()
    load: LoadLimits = LoadLimits()
    housekeeping: HousekeepingTiming = HousekeepingTiming()
    orders: OrderTiming = OrderTiming()
    erasures: ErasureTiming = field(default_factory=ErasureTiming)
    connection: ConnectionTiming = ConnectionTiming()
    gateway: GatewayTiming = GATEWAY
    identify: IdentifyTiming = IDENTIFY


DEFAULT: Final = AppTiming()
