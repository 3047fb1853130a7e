"""What a process does when it hears a signal: it reads again what another one, or itself, has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from bot.store.model import Signal, StoreError, StoreLost

log = logging.getLogger(__name__)

RELOAD_AGAIN: Final = 2.0
"""Seconds after which what another process has changed is read again if the store could not be read."""

Call = Callable[[], Awaitable[None]]


class Signals:
    """What is to be called at which signal, one after the other, and again if the store could not be read for it."""

    def __init__(self) -> None:
        self._reloads: dict[Signal, list[Call]] = {}
        self._untold: list[Call] = []
        """What is still to be called because of a signal or a change, in this order."""
        self._told = asyncio.Event()

    def on(self, signal: Signal, reload: Call) -> None:
        """Has `reload` called at each such signal."""
        self._reloads.setdefault(signal, []).append(reload)

    def heard(self, signal: Signal) -> None:
        """To be told each signal."""
        self.later(reload for reload in self._reloads.get(signal, ()) if reload not in self._untold)

    def later(self, calls: Iterable[Call]) -> None:
        """Has these called after all that is to be called already."""
        self._untold += calls
        self._told.set()

    async def call_for_ever(self) -> None:
        """Calls what is to be called, one after the other, and again what the store could not be read for."""
        while True:
            await self._told.wait()
            self._told.clear()
            while self._untold:
                call = self._untold.pop(0)
                try:
                    await call()
                except StoreLost:
                    raise
                except StoreError as error:
                    log.warning("what has changed could not be read or told: %s", error)
                    self._untold.insert(0, call)
                    await asyncio.sleep(RELOAD_AGAIN)
                except Exception:
                    log.exception("what follows from a change in the fleet could not be done")
