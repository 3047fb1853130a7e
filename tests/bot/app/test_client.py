"""The client's loop does due jobs while Discord can be reached. An outage of Discord costs nobody their turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import cogs
from bot.app.client import Digsite, make_client
from bot.app.connection import Connectivity
from bot.app.heartbeat import AWAY, GRACE
from bot.app.services import DEFAULT, AppTiming
from bot.settings import Settings
from bot.store.model import StoreFull
from bot.tables.model import HOUR, MINUTE, Table
from engine.registry import load_games
from tests.bot.tables.samples import ANA, BEN, events_of, match_of
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE


class Reach:
    """Lets a test decide whether Discord can be reached."""

    def __init__(self) -> None:
        self.there = True


@pytest.fixture
def reach(monkeypatch: pytest.MonkeyPatch) -> Reach:
    reach = Reach()
    monkeypatch.setattr(Connectivity, "is_up", property(lambda _connectivity: reach.there))
    return reach


@pytest.fixture
async def client(tmp_path: Path, reach: Reach, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Digsite]:
    """A bot that has started and is connected, and whose messages nobody draws."""
    settings = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_path=tmp_path / "digsite.sqlite3",
        agent_delay=(0, 0),
        thinkers=0,
    )
    timing = AppTiming(idle=0.005, soon=0.005, after_error=0.01)
    client = make_client(settings, ManualClock(), load_games(), cogs.setup, timing, shard_count=1)

    async def nothing(*_given: Any) -> None:
        pass

    monkeypatch.setattr(client.registration, "register", nothing)
    monkeypatch.setattr(client.host.presenter, "redraw", nothing)
    await client.setup_hook()
    jobs = asyncio.create_task(client.job_loop.run())
    await client.on_connect()
    yield client
    jobs.cancel()
    await client.host.close()


async def looked(client: Digsite) -> None:
    """Waits until the loop has seen what time it is."""
    async with asyncio.timeout(PATIENCE):
        while client.job_loop._connected_at != client.host.clock.now():
            await asyncio.sleep(0.002)


async def match(client: Digsite) -> Table:
    await looked(client)
    return await match_of(client.host.tables, ANA, BEN, limit=HOUR, first=0)


def clock_of(client: Digsite) -> ManualClock:
    assert isinstance(client.host.clock, ManualClock)
    return client.host.clock


async def left(client: Digsite, table: Table) -> float:
    """Seconds until Ana's time runs out."""
    now = await client.host.tables.get(table.id)
    deadline = now.body.asked[0].deadline
    assert deadline is not None
    return deadline + client.host.tables.time.downtime - clock_of(client).now()


async def test_time_in_which_discord_was_out_of_reach_is_given_back(client: Digsite, reach: Reach) -> None:
    table = await match(client)
    clock_of(client).advance(6)
    await looked(client)
    reach.there = False
    before = await left(client, table)
    clock_of(client).advance(3 * HOUR)
    await asyncio.sleep(0.05)
    assert await events_of(client.host.tables, table) == [], "nothing is done meanwhile"
    reach.there = True
    await looked(client)
    assert await left(client, table) == pytest.approx(before)
    assert await events_of(client.host.tables, table) == []
    clock_of(client).advance(AWAY - 1)
    await looked(client)
    assert await left(client, table) == pytest.approx(before - AWAY + 1), "a short absence changes nothing"


async def test_what_runs_out_soon_after_an_absence_has_the_grace_of_a_start(
    client: Digsite, reach: Reach
) -> None:
    table = await match(client)
    for _ in range(59):
        clock_of(client).advance(MINUTE)
        await looked(client)
    assert await left(client, table) == pytest.approx(MINUTE)
    reach.there = False
    clock_of(client).advance(HOUR)
    reach.there = True
    await looked(client)
    assert await left(client, table) == pytest.approx(GRACE)
    assert await events_of(client.host.tables, table) == []


async def test_the_loop_goes_on_after_an_error_and_an_absence_is_given_back_later(
    client: Digsite, reach: Reach, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await match(client)
    before = await left(client, table)
    count_downtime = client.host.heartbeat.count_downtime

    async def full(_seconds: float) -> None:
        monkeypatch.setattr(client.host.heartbeat, "count_downtime", count_downtime)
        raise StoreFull("no room")

    monkeypatch.setattr(client.host.heartbeat, "count_downtime", full)
    clock_of(client).advance(3 * HOUR)
    await looked(client)
    assert "could not be looked up" in caplog.text
    assert await left(client, table) == pytest.approx(before)
    assert DEFAULT.after_error >= 1, "a disk that stays full does not fill the log as well"


async def test_a_connection_that_comes_while_the_store_cannot_be_read_is_no_failure(
    client: Digsite, caplog: pytest.LogCaptureFixture
) -> None:
    await match(client)
    await client.host.close()
    await client.on_ready()
    assert "which servers I was removed from could not be looked up" in caplog.text
