"""All requests together keep below Discord's limit, and answers to presses wait for none of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.client import REQUESTS, make_client
from bot.clock import ManualClock
from bot.pace import AT_ONCE, Pace
from bot.settings import Settings
from tests.bot.fake_discord import FakeDiscord


@pytest.fixture
async def discord_here() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord().serving() as fake:
        yield fake


async def took(
    session: aiohttp.ClientSession, fake: FakeDiscord, method: str, path: str, count: int
) -> float:
    """Seconds that so many requests at once take."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def request() -> None:
        async with session.request(method, f"http://{fake.base}/api{path}") as answer:
            assert answer.status == 200

    await asyncio.gather(*(request() for _ in range(count)))
    return loop.time() - began


async def test_many_requests_at_once_keep_their_distance_and_answers_to_presses_do_not(
    discord_here: FakeDiscord,
) -> None:
    async with aiohttp.ClientSession(trace_configs=[Pace(100).trace()]) as session:
        assert await took(session, discord_here, "PATCH", "/channels/1/messages/2", 55) >= 50 / 100
        slow = asyncio.create_task(took(session, discord_here, "PATCH", "/channels/1/messages/2", 200))
        await asyncio.sleep(0.05)
        assert await took(session, discord_here, "POST", "/interactions/1/token/callback", 20) < 1
        assert await took(session, discord_here, "PATCH", "/webhooks/1/token/messages/@original", 20) < 1
        assert not slow.done()
        await slow


async def test_a_pause_earns_no_more_than_a_few_requests_at_once() -> None:
    loop, pace = asyncio.get_running_loop(), Pace(100)
    await asyncio.sleep(0.3)
    began = loop.time()
    for _ in range(AT_ONCE + 10):
        await pace.wait()
    assert loop.time() - began >= 0.09


@pytest.mark.parametrize(("ids", "count", "share"), [(None, None, 1), (None, 8, 1), ([0, 1], 8, 0.25)])
def test_processes_share_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ids: list[int] | None, count: int | None, share: float
) -> None:
    paces: list[float] = []

    class Noted(Pace):
        def __init__(self, per_second: float) -> None:
            paces.append(per_second)
            super().__init__(per_second)

    monkeypatch.setattr("bot.client.Pace", Noted)
    settings = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_path=tmp_path / "digsite.sqlite3",
        shard_count=count,
        shard_ids=ids,
    )
    client = make_client(settings, ManualClock(), shard_count=count, shard_ids=ids)
    assert paces == [pytest.approx(REQUESTS * share)]
    assert client.http.http_trace is not None
