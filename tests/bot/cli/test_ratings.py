"""`digsite ratings`: computes the ratings again, says what differs, and replaces it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.bot.cli.test_forget_and_export import digsite
from tests.bot.store.samples import in_file
from tests.bot.store.test_results import ANA, BEN, end
from tests.manual_clock import ManualClock


@pytest.fixture
async def file_store(path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    opened = in_file(path, clock)
    await opened.open()
    yield opened
    await opened.close()


async def test_ratings_are_compared_and_those_that_differ_are_replaced(path: Path, file_store: Store) -> None:
    for places in ({ANA: 1, BEN: 2}, {ANA: 2, BEN: 1}):
        await end(file_store, places)
    rows = await file_store.results.rated_of(10)
    await file_store.close()
    status, said, _ = await digsite(path, "ratings")
    assert (status, said) == (0, "Rated matches: 2. Seats in them: 4. Seats whose ratings differ: 0.\n")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE results SET new_mu = 60 WHERE number = 1 AND seat = 1")
    status, said, _ = await digsite(path, "ratings")
    assert status == 1
    assert "differ: 1." in said
    assert "Nothing was changed" in said
    status, said, _ = await digsite(path, "ratings", "--write")
    assert (status, "They are replaced." in said) == (0, True)
    await file_store.open()
    assert await file_store.results.rated_of(10) == rows


async def test_ratings_of_a_store_in_use_are_left_alone(path: Path, file_store: Store) -> None:
    await end(file_store, {ANA: 1, BEN: 2})
    status, _, said = await digsite(path, "ratings", "--write")
    assert status == 2
    assert str(path) in said
