"""Tasks that run beside each other, that go on after the answer to a press, and what they wait for: outcomes, locks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeVar

T = TypeVar("T")


async def first_of(*works: Coroutine[Any, Any, Any]) -> None:
    """Runs these until one of them ends, raises its error if it has failed, and cancels the others."""
    tasks: list[asyncio.Task[Any]] = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Background:
    """Tasks of one kind. The host waits for them on close, so each has to end soon then."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        """The tasks that have not ended."""

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Starts a task."""
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def cancel(self) -> None:
        """Cancels all tasks."""
        for task in self.tasks:
            task.cancel()


class Pending(Generic[T]):
    """An outcome that is not there yet."""

    def __init__(self) -> None:
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        """The outcome, or the reason why there is none as its exception."""
        self.result.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # marks it as retrieved

    async def wait(self, seconds: float) -> bool:
        """Waits for at most `seconds`. Returns whether the outcome is there, or there will be none."""
        done, _waiting = await asyncio.wait({self.result}, timeout=seconds)
        return bool(done)

    def settle(self, outcome: T | Exception) -> None:
        """Sets the outcome, or the reason why there is none, unless it is set already."""
        if self.result.done():
            return
        if isinstance(outcome, Exception):
            self.result.set_exception(outcome)
        else:
            self.result.set_result(outcome)


class Locks:
    """Locks by number, which are created at their first use and dropped after their last.

    Up to `at_once` tasks may hold one lock at the same time. The others wait in the order of their arrival.
    """

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._locks: dict[int, tuple[asyncio.Semaphore, int]] = {}

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
