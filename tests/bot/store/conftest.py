"""Stores, opened for one test: in a file, and in a database on a real server.

A test that asks for `store` speaks of what every store must do, and is run with each kind. A test that asks for
`file_store` speaks of SQLite's files.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.repository import STORE, StoreLimits
from bot.store.store import Store
from tests.bot.store.samples import Home, in_file
from tests.manual_clock import ManualClock


@pytest.fixture
def limits() -> StoreLimits:
    return STORE


@pytest.fixture
async def store(home: Home, clock: ManualClock, limits: StoreLimits) -> AsyncIterator[Store]:
    opened = home.store(clock, limits=limits)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def file_store(path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    opened = in_file(path, clock)
    await opened.open()
    yield opened
    await opened.close()
