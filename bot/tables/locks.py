"""Locks by number, for example one for each table. A lock exists only while a task holds it or waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Locks:
    """Locks by number, which are created at their first use and dropped after their last.

    Up to `at_once` tasks may hold one lock at the same time. The others wait in the order of their arrival.
    """

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._locks: dict[int, tuple[asyncio.Semaphore, int]] = {}

    def __len__(self) -> int:
        return len(self._locks)

    def __contains__(self, number: int) -> bool:
        """Whether a task holds this lock or waits for it."""
        return number in self._locks

    @asynccontextmanager
    async def hold(self, number: int) -> AsyncGenerator[None]:
        """A context that waits for the lock of this number and holds it."""
        lock, users = self._locks.get(number) or (asyncio.Semaphore(self._at_once), 0)
        self._locks[number] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks[number]
            if users == 1:
                del self._locks[number]
            else:
                self._locks[number] = (lock, users - 1)
