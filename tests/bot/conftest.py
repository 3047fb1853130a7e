"""Fixtures of most tests of the host: a file or a database of their own, and a clock that a test moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.store.samples import Home
from tests.manual_clock import ManualClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "digsite.sqlite3"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["sqlite", "postgres"])
async def home(request: pytest.FixtureRequest, path: Path) -> Home:
    """Where the test's store is kept."""
    if request.param == "sqlite":
        return Home(path)
    from tests.bot.postgres import server

    running = server()
    return Home(running.url(await running.database()))
