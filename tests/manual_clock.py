"""A clock in the hand of a test or a benchmark."""

from __future__ import annotations


class ManualClock:
    """A clock that stands still until it is moved."""

    correction = 0.0

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        """Moves the clock forward."""
        assert seconds >= 0, "a clock never goes back while a host runs; between two hosts, use set()"
        self._now += seconds

    def set(self, seconds: float) -> None:
        """Moves the clock by `seconds`, which may be negative, as the next process may find the machine's time."""
        self._now += seconds
