"""Fixtures of most tests of the host: a file or a database of their own, and a clock that a test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.host import Host
from bot.clock import SystemClock
from bot.tables.model import Table
from tests.bot.fake_discord import FakeDiscord
from tests.bot.hosts import Drawn, make_host
from tests.bot.store.samples import Home
from tests.bot.tables.samples import ANA, BEN, match_of, tables_on
from tests.manual_clock import ManualClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "digsite.sqlite3"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def table(path: Path) -> Table:
    """A file with a match in which Ana is to dig."""
    async with tables_on(path, SystemClock()) as tables:
        return await match_of(tables, ANA, BEN, channel=77, first=0)


@pytest.fixture(params=["sqlite", "postgres"])
async def home(request: pytest.FixtureRequest, path: Path) -> Home:
    """Where the test's store is kept."""
    if request.param == "sqlite":
        return Home(path)
    from tests.bot.postgres import server

    running = server()
    return Home(running.url(await running.database()))


@pytest.fixture
async def discord_here() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord().serving() as fake:
        yield fake


@pytest.fixture
async def processes() -> AsyncIterator[Any]:
    """Processes of a fleet on one database."""
    from tests.bot.fleets import fleet

    async with fleet() as started:
        yield started


@pytest.fixture
async def pair() -> AsyncIterator[Any]:
    """Two servers of a database, of which the second follows the first."""
    from tests.bot.replication import replicated

    async with replicated() as made:
        yield made


@pytest.fixture
async def database(pair: Any) -> str:
    return await pair.primary.database()


@pytest.fixture
async def started(path: Path, clock: ManualClock) -> AsyncIterator[tuple[Host, Drawn]]:
    host, drawn = make_host(path, clock)
    await host.start()
    yield host, drawn
    await host.close()


@pytest.fixture
def host(started: tuple[Host, Drawn]) -> Host:
    return started[0]


@pytest.fixture
def drawn(started: tuple[Host, Drawn]) -> Drawn:
    return started[1]
