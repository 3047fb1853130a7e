"""The host's only clock. Other modules do not read the time of day themselves, so tests can set it.

Within one process the clock never jumps: an act that is due in an hour happens in an hour, even if somebody sets the
machine's time meanwhile. Between two processes the clock may jump; `bot.app.host` moves deadlines at the start, so that
nobody gains or loses time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol


class Clock(Protocol):
    """A clock in seconds since 1970-01-01 UTC."""

    @property
    def correction(self) -> float:
        """Whole seconds by which the machine's time is ahead of `now`, because it was set since this process began.

        They are added to every time that people are shown.
        """
        ...

    def now(self) -> float:
        """The time. It never decreases, and it runs on while the machine sleeps."""
        ...


def _elapsed() -> Callable[[], float]:
    """A clock of the system that cannot be set. It runs on while the machine sleeps, if the system has such a clock."""
    # Python's own time.monotonic stands still while the machine sleeps, on Linux and macOS.
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        # Linux has CLOCK_BOOTTIME. macOS has only CLOCK_MONOTONIC, which counts sleep there.
        number: int | None = getattr(time, name, None)
        if number is not None:
            return lambda: time.clock_gettime(number)
    return time.monotonic


ELAPSED: Final = _elapsed()


class SystemClock:
    """A clock that reads the machine's time once, when it is created, and from then on adds the elapsed time."""

    def __init__(self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = ELAPSED) -> None:
        self._wall = wall
        self._elapsed = elapsed
        self._offset = wall() - elapsed()

    @property
    def correction(self) -> float:
        return float(round(self._wall() - self.now()))

    def now(self) -> float:
        return self._offset + self._elapsed()
