"""An event loop that tells how long it had nothing to do, by which the host knows whether the processor is busy.

How late things happen does not tell it where presses come faster than they are read: what has begun goes on at once,
and the others wait at the socket. Nor does the processor's time tell it where other programs take that.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import time
from collections.abc import Callable
from typing import Final


class _Watched(selectors.DefaultSelector):
    """Adds up the time for which it waits."""

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
    """The usual event loop, which knows how many seconds in all it has waited for something to do."""

    def __init__(self) -> None:
        self._watched = _Watched()
        super().__init__(self._watched)

    @property
    def idled(self) -> float:
        return self._watched.waited


LOOP: Final[Callable[[], asyncio.AbstractEventLoop] | None] = (
    None if sys.platform == "win32" else IdlingLoop  # there the usual loop has no selector
)


class Busyness:
    """Tells for which part of the time the running event loop was busy."""

    def __init__(self) -> None:
        self._since, self._idled = self._now()

    def lately(self) -> float:
        """The part of the time since the last call, from 0 to 1; 0 if the loop does not tell."""
        since, idled = self._since, self._idled
        self._since, self._idled = self._now()
        passed = self._since - since
        return 1 - min(1.0, (self._idled - idled) / passed) if passed > 0 else 0.0

    def _now(self) -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        now = loop.time()
        return now, loop.idled if isinstance(loop, IdlingLoop) else now
