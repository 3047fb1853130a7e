"""The load of the process: the use of requests and processor, how far boards may be out of date, and its memory.

Python's garbage collector is adjusted to a process that holds many tables.

The processor's load is measured by an event loop that adds up its idle time. Delays alone do not show the load if
presses arrive faster than they are read: those that have begun continue at once, and the others wait at the socket.
Processor time does not show the load if other programs use the processor.
"""

from __future__ import annotations

import asyncio
import gc
import selectors
import sys
import time
from collections.abc import Callable
from typing import Final

from bot.ratelimit.limiter import RateLimiter
from bot.settings import Settings

_SATURATED: Final = 0.1
"""From this part of the possible requests on, boards are redrawn as seldom as `BOARD_LAG` allows."""
_DELAYED: Final = 0.02
"""Seconds. If things happen later than that on average, the processor is busy."""
_NEWEST_WEIGHT: Final = 0.2
"""The weight of the newest figure in the averages of delay and of utilisation."""
_BUSY: Final = 0.5
"""The processor also counts as busy if the event loop works for more than this part of the time."""
_FULL: Final = 0.8
"""From this part of the time on, the staleness budget is as large as it gets."""
_STALENESS: Final = 10.0
"""The largest staleness budget, in seconds, of boards and of the screens of players who are not asked."""
_STALENESS_PER_DELAY: Final = 20.0
"""Seconds of staleness budget for each second of delay."""
_PICTURES: Final = 1.5
"""Pictures may be stale so many times longer than texts."""


class _Watched(selectors.DefaultSelector):
    """A selector that adds up the time for which it waits."""

    waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        began = time.monotonic()
        try:
            return super().select(timeout)
        finally:
            self.waited += time.monotonic() - began


class IdlingLoop(asyncio.SelectorEventLoop):
    """The usual event loop, with the total number of seconds for which it was idle."""

    def __init__(self) -> None:
        self._watched = _Watched()
        super().__init__(self._watched)

    @property
    def idled(self) -> float:
        return self._watched.waited


LOOP: Final[Callable[[], asyncio.AbstractEventLoop] | None] = (
    None if sys.platform == "win32" else IdlingLoop  # on Windows the usual loop has no selector
)


class Utilisation:
    """Measures the part of the time for which the running event loop was busy."""

    def __init__(self) -> None:
        self._since, self._idled = self._now()

    def lately(self) -> float:
        """The busy part of the time since the last call, from 0 to 1; 0 if the loop does not measure it."""
        since, idled = self._since, self._idled
        self._since, self._idled = self._now()
        passed = self._since - since
        return 1 - min(1.0, (self._idled - idled) / passed) if passed > 0 else 0.0

    def _now(self) -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        now = loop.time()
        return now, loop.idled if isinstance(loop, IdlingLoop) else now


class Load:
    """The load of the bot, and how long redraws may wait because of it: presses come first."""

    def __init__(self, settings: Settings, limiter: RateLimiter) -> None:
        self._settings = settings
        self._limiter = limiter
        self._delay = 0.0
        """The moving average of delays, in seconds."""
        self._utilisation = 0.0
        """The moving average of the part of the time for which the event loop was busy."""

    @property
    def requests(self) -> float:
        """The part of the allowed requests that the bot has made recently, from 0 to about 1."""
        return self._limiter.load

    def record_delay(self, seconds: float) -> None:
        """Adds a delay to the moving average."""
        self._delay += (seconds - self._delay) * _NEWEST_WEIGHT

    def record_utilisation(self, part: float) -> None:
        """Adds the part of an interval for which the event loop was busy, from 0 to 1, to the moving average."""
        self._utilisation += (part - self._utilisation) * _NEWEST_WEIGHT

    def debounce_window(self) -> float:
        """The least number of seconds, now, between two edits of a table message that count towards the limit.

        The more requests the bot makes, the more changes become one edit. The number of edits a second then grows only
        with the square root of the number of busy tables.
        """
        return self._settings.board_lag * min(1.0, self._limiter.load / _SATURATED)

    def staleness_budget(self) -> float:
        """Seconds for which boards, and screens of players who are not asked, may be out of date now."""
        late = 0.0 if self._delay < _DELAYED else _STALENESS_PER_DELAY * self._delay
        busy = _STALENESS * (self._utilisation - _BUSY) / (_FULL - _BUSY)
        return max(0.0, min(_STALENESS, self._settings.board_lag, max(late, busy)))

    def picture_staleness_budget(self) -> float:
        """Seconds for which pictures may be out of date now."""
        return _PICTURES * self.staleness_budget()


COLLECT_AFTER: Final = 20_000
"""The number of new objects that starts a search for reference cycles; Python's default is 700.

Most objects of a press are freed by the next press at its table. A search between the two presses visits them all: with
10,000, searches took a twelfth of the time of a busy bot.
"""


def spare_the_collector() -> None:
    """Makes Python search for reference cycles less often, in the whole process. Safe to call twice.

    A move replaces some hundred small objects, none of which is part of a cycle. At 2,000 moves a second the
    collector would visit all tables several times a second and find nothing: a seventh of the time, and pauses of
    100 ms (measured with tests.bench.tables).
    """
    gc.set_threshold(COLLECT_AFTER, 10, 10)


def settle_in() -> None:
    """Excludes all present objects from later searches. Called once, when everything is loaded."""
    gc.collect()
    gc.freeze()
