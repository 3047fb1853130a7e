"""Fixtures of most tests of the host: a file of their own, and a clock that stands still until a test moves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clock import ManualClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "digsite.sqlite3"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()
