"""The services that every part of the bot uses, created before all parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.app.timing import DEFAULT, AppTiming
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings
from bot.store.store import Store
from engine.game import AnyGame


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
