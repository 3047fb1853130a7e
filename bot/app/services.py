"""The services that every part of the bot uses, created before all parts, and the times that tests shorten.

All other times and sizes stand where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.gateway.shards import IDENTIFY_EVERY
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings
from bot.store.store import Store
from engine.game import AnyGame


@dataclass(frozen=True, slots=True)
class AppTiming:
    """The times, in seconds, and sizes of all parts of the process.

    Closing the host takes at most `finish`, `save`, and the half second for cancelled work.
    """

    finish: float = 2.0
    """For work under way when the host closes; what takes longer is done after the next start."""
    save: float = 1.0
    """After that for the last heartbeat and for closing the store."""
    jobs_read_at_once: int = 2000
    """The number of due jobs that are read from the store at once."""
    redraws_remembered: int = 1000
    """Above this many tables, redraws that are over a minute old are forgotten."""
    idle: float = 0.25
    """The longest time between two searches for due jobs."""
    soon: float = 0.05
    """The same if a job is due now or within `idle`. Each search after which none is doubles the time."""
    after_error: float = 5.0
    """The same after an error."""
    housekeeping_every: float = 1.0
    """Between two checks for work that is no table's job. An operator who asks for an erasure waits for it."""
    identify_every: float = IDENTIFY_EVERY


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
