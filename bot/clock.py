"""The host's one clock. Nothing else asks the time, so tests decide what it is."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time, in seconds since 1970-01-01 UTC."""

    def now(self) -> float: ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> float:
        return time.time()


class ManualClock:
    """A clock that stands still until it is moved; for tests and benchmarks."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds
