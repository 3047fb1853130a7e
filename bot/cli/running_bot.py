"""The common parts of the commands that change a store with or without a running bot."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import backend_of
from bot.tables.service import Policy, Tables
from bot.tables.thinking import Thinkers
from engine.registry import load_games

T = TypeVar("T")
_CHECK_EVERY: Final = 0.25
"""Seconds between two checks for the result."""
AT_MOST: Final = 60.0
"""Seconds for which a command waits for the running bot."""


@asynccontextmanager
async def tables_of_store(settings: Settings) -> AsyncGenerator[Tables]:
    """The tables of the settings' store, opened by this process. Raises `StoreInUse` if a bot has the store open."""
    clock = SystemClock()
    store = backend_of(settings).store(clock)
    await store.open()
    try:
        games, policy = load_games(settings.card_lists), Policy(settings.agent_delay)
        tables = Tables(store, games, clock, Thinkers(0), policy)
        tables.start(float(await store.fact("downtime") or 0), 0.0)
        yield tables
    finally:
        await store.close()


async def result_of_bot(look: Callable[[], Awaitable[T | None]], at_most: float) -> T | None:
    """Calls `look` until it returns the running bot's result, and returns the result; None on timeout.

    The command must not take the store's lock meanwhile, because a restarting bot takes it.
    """
    until = time.monotonic() + at_most
    while (found := await look()) is None and time.monotonic() < until:  # noqa: ASYNC110 - polls another process
        await asyncio.sleep(_CHECK_EVERY)
    return found
