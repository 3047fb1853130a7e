"""The order of writes: those of one table happen one after the other as they were asked for, others side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")

_LOG = logging.getLogger(__name__)


class Lanes:
    """Runs each write as a task of its own, which goes on if its caller is cancelled.

    While there is nothing to write, no task exists.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[object]] = {}
        """The write that was asked for last, by what it writes."""
        self._under_way: dict[asyncio.Task[object], Hashable | None] = {}
        """All writes, each with its district."""
        self._barrier: asyncio.Task[object] | None = None
        """The last write that concerned everything."""
        self._closed: dict[Hashable, asyncio.Task[object]] = {}
        """The last write that concerned a whole district."""

    async def run(
        self,
        what: Iterable[Hashable] | None,
        write: Callable[[], Awaitable[T]],
        then: Callable[[T], None] | None = None,
        *,
        district: Hashable | None = None,
    ) -> T:
        """Runs `write` after all earlier writes of the same things (None: of everything), and `then` with its result.

        If the caller is cancelled meanwhile, both happen all the same. `district`: what the things belong to, if that
        is known.
        """
        things = None if what is None else list(what)
        before = (
            set(self._under_way)
            if things is None
            else {self._last[each] for each in things if each in self._last}
        )
        if district in self._closed:
            before.add(self._closed[district])
        return await self._run(before, write, then, things, (), district)

    async def run_alone(self, districts: Iterable[Hashable], write: Callable[[], Awaitable[T]]) -> T:
        """Runs `write` after all earlier writes in these districts, and those of which no district is known.

        Later writes in these districts wait for it.
        """
        closed = [*districts]
        before = {task for task, where in self._under_way.items() if where is None or where in closed}
        return await self._run(before, write, None, [], closed, None)

    async def _run(
        self,
        before: set[asyncio.Task[object]],
        write: Callable[[], Awaitable[T]],
        then: Callable[[T], None] | None,
        things: list[Hashable] | None,
        closed: Iterable[Hashable],
        district: Hashable | None,
    ) -> T:
        if self._barrier is not None:
            before.add(self._barrier)

        async def in_turn() -> T:
            if before:
                await asyncio.wait(before)
            result = await write()
            if then is not None:
                then(result)
            return result

        task: asyncio.Task[T] = asyncio.create_task(in_turn(), name="write")
        self._under_way[task] = district
        if things is None:
            self._barrier = task
        else:
            self._last.update(dict.fromkeys(things, task))
        self._closed.update(dict.fromkeys(closed, task))
        task.add_done_callback(lambda done: self._finished(done, [*(things or ())]))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_failure)
            raise

    async def settle(self) -> None:
        """Returns when all writes that were asked for have succeeded or failed."""
        if self._under_way:
            await asyncio.wait(set(self._under_way))

    def _finished(self, task: asyncio.Task[object], things: list[Hashable]) -> None:
        del self._under_way[task]
        for each in things:
            if self._last.get(each) is task:
                del self._last[each]
        for each in [district for district, last in self._closed.items() if last is task]:
            del self._closed[each]
        if self._barrier is task:
            self._barrier = None


def _note_failure(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.warning("A write failed that nobody waits for any more: %s", type(error).__name__)
