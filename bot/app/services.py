"""The services that every part of the bot uses, created before all parts, and the times that tests shorten.

All other times and sizes stand where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.gateway.shards import GATEWAY, IDENTIFY, GatewayTiming, IdentifyTiming
from bot.observability.metrics import Metrics
from bot.people.privacy.erasures import ErasureTiming
from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings
from bot.store.store import Store
from engine.game import AnyGame


@dataclass(frozen=True, slots=True)
class ClosingTiming:
    """The end of a process. Closing the host takes at most these times and the half second for cancelled work."""

    finish: float = 2.0
    """Seconds that work under way may take when the host closes; what takes longer is done after the next start."""
    save: float = 1.0
    """Seconds after that for the last heartbeat and for closing the store."""


@dataclass(frozen=True, slots=True)
class JobTiming:
    """Due jobs and redraws."""

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


@dataclass(frozen=True, slots=True)
class AppTiming:
    """The times and sizes of all parts of the process."""

    closing: ClosingTiming = ClosingTiming()
    jobs: JobTiming = JobTiming()
    job_loop: JobLoopTiming = JobLoopTiming()
    housekeeping: HousekeepingTiming = HousekeepingTiming()
    erasures: ErasureTiming = field(default_factory=ErasureTiming)
    gateway: GatewayTiming = GATEWAY
    identify: IdentifyTiming = IDENTIFY


DEFAULT: Final = AppTiming()


@dataclass(frozen=True, slots=True)
class Services:
    """Settings, clock, store and the like. The store need not be open yet."""

    settings: Settings
    clock: Clock
    store: Store
    games: Mapping[str, AnyGame]
    limiter: RateLimiter
    metrics: Metrics
    fleet: Fleet
    timing: AppTiming = DEFAULT
