"""The host's one clock. Nothing else asks the time, so tests decide what it is.

Within one process the clock never jumps: what is due in an hour happens in an hour, even if somebody sets the
machine's time meanwhile. From one process to the next it may jump; `bot.app.host` moves deadlines at the start, so that
nobody gains or loses time by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol


class Clock(Protocol):
    """Tells the time, in seconds since 1970-01-01 UTC."""

    @property
    def correction(self) -> float:
        """Whole seconds by which the machine's time is ahead of `now` because it was set since this process began.

        Add them to every time that people are shown.
        """
        ...

    def now(self) -> float:
        """The time. It never goes back, and it runs on while the machine sleeps."""
        ...


def _elapsed() -> Callable[[], float]:
    """A clock of the system that nobody can set and that, where there is one, runs on while the machine sleeps."""
    # Python's own time.monotonic stands still while the machine sleeps, on Linux and macOS.
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        # Linux has the first one. macOS only has the second one, which counts sleep there.
        number: int | None = getattr(time, name, None)
        if number is not None:
            return lambda: time.clock_gettime(number)
    return time.monotonic


ELAPSED: Final = _elapsed()


class SystemClock:
    """Reads the machine's time once, when it is made, and from then on adds what has passed since."""

    def __init__(self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = ELAPSED) -> None:
        self._wall = wall
        self._elapsed = elapsed
        self._offset = wall() - elapsed()

    @property
    def correction(self) -> float:
        return float(round(self._wall() - self.now()))

    def now(self) -> float:
        return self._offset + self._elapsed()
