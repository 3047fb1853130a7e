"""A table layer on a real file, its clock standing still until a test moves it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.service import Tables
from tests.bot.tables.samples import Presses, tables_on
from tests.manual_clock import ManualClock


@pytest.fixture
async def tables(path: Path, clock: ManualClock) -> AsyncIterator[Tables]:
    async with tables_on(path, clock) as opened:
        yield opened


@pytest.fixture
def presses(tables: Tables) -> Presses:
    return Presses(tables)
