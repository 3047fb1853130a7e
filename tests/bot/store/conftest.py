"""A store on a real file, opened for one test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.store.base import Store
from bot.store.sqlite import SqliteStore


@pytest.fixture
async def store(path: Path, clock: ManualClock) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(path, clock)
    as_the_host_sees_it: Store = opened  # the type checker compares the class with the interface here
    await as_the_host_sees_it.open()
    yield opened
    await opened.close()
