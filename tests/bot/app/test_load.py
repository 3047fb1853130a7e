"""By how long the event loop has nothing to do, the bot knows that it is busy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.app.load import IdlingLoop, Utilisation


def test_a_loop_that_waits_is_idle_and_one_that_always_has_something_to_do_is_busy() -> None:
    async def wait() -> None:
        await asyncio.sleep(0.02)

    async def work() -> None:
        for _turn in range(1000):
            await asyncio.sleep(0)

    async def lately(what: Callable[[], Awaitable[None]]) -> float:
        busyness = Utilisation()
        await what()
        return busyness.lately()

    with asyncio.Runner(loop_factory=IdlingLoop) as runner:
        assert runner.run(lately(work)) == 1
        assert runner.run(lately(wait)) < 1


def test_a_loop_that_does_not_tell_counts_as_idle() -> None:
    async def lately() -> float:
        busyness = Utilisation()
        await asyncio.sleep(0)
        return busyness.lately()

    assert asyncio.run(lately()) == 0
