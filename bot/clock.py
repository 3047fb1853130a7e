"""The host's one clock. Nothing else asks the time, so tests decide what it is.

Within a process it never jumps: what is to happen in an hour happens in an hour, whatever is done to the machine's
time. Between two processes it may, and `bot.host` sees to it that nobody gains or loses by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol


class Clock(Protocol):
    """Tells the time, in seconds since 1970-01-01 UTC."""

    @property
    def correction(self) -> float:
        """Whole seconds by which the machine's own time is ahead of `now`: it was set since this process began.

        To be added to what people are shown.
        """
        ...

    def now(self) -> float:
        """The time, which never goes back and passes as fast as it does for people, the machine asleep or not."""
        ...


def _elapsed() -> Callable[[], float]:
    """A clock of the system's that nobody sets and that counts the machine's sleep, where there is one."""
    # Python's own time.monotonic stands still while the machine sleeps, on Linux and macOS.
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):  # Linux; macOS, whose CLOCK_MONOTONIC counts sleep
        number: int | None = getattr(time, name, None)
        if number is not None:
            return lambda: time.clock_gettime(number)
    return time.monotonic


ELAPSED: Final = _elapsed()


class SystemClock:
    """The machine's own time as it was when this was made, and what has passed since."""

    def __init__(self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = ELAPSED) -> None:
        self._wall = wall
        self._elapsed = elapsed
        self._offset = wall() - elapsed()

    @property
    def correction(self) -> float:
        return float(round(self._wall() - self.now()))

    def now(self) -> float:
        return self._offset + self._elapsed()


class ManualClock:
    """A clock that stands still until it is moved; for tests and benchmarks."""

    correction = 0.0

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        """Lets so much time pass."""
        assert seconds >= 0, "no clock goes back under a host: set it between two"
        self._now += seconds

    def set(self, seconds: float) -> None:
        """Sets it so much later, or back where that is negative: as another process may find the machine's time."""
        self._now += seconds
