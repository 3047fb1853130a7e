"""The connections of single shards are opened and closed while a real client of discord.py runs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.gateway import shards
from bot.gateway.shards import ANSWER_VALID_IF_FEW, IDENTIFY_EVERY, IdentifyBudget, Limit, Shards, allowance
from tests.bot.fake_discord import FakeDiscord
from tests.bot.fake_gateway import Session
from tests.patience import PATIENCE

SHARDS = 4
GUILDS = tuple((SHARDS + number) << 22 for number in range(SHARDS))
"""A server on each shard."""


class Client(discord.AutoShardedClient):
    """A client as small as it can be."""

    def __init__(self, every: float, valid_if_few: float) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.allowed = asyncio.Event()
        self.allowed.set()
        self.asked: list[int] = []
        self.every: list[float] = []
        self.granting: Callable[[], None] = lambda: None
        identify_budget = IdentifyBudget(self._limit, valid_if_few=valid_if_few)
        self.gateway = Shards(self, self._may_identify, identify_budget, every)

    async def _limit(self) -> Limit:
        _, _, limit = await self.http.get_bot_gateway()
        return Limit(limit["total"], limit["remaining"], limit["reset_after"] / 1000)

    async def _may_identify(self, bucket: int, every: float) -> float:
        self.asked.append(bucket)
        self.every.append(every)
        self.granting()
        return 0.0 if self.allowed.is_set() else 0.02

    async def setup_hook(self) -> None:
        advised, gateway, limits = await self.http.get_bot_gateway()
        self.gateway.begin(advised, gateway, limits["max_concurrency"])

    async def launch_shards(self) -> None:
        pass

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        assert shard_id is not None
        await self.gateway.wait_to_identify(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        self.gateway.on_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.gateway.on_connected(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self.gateway.on_disconnected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        self.gateway.on_guilds_listed(shard_id)

    def connected(self) -> set[int]:
        return {shard for shard in range(SHARDS) if self.gateway.is_connected(shard)}


@pytest.fixture
async def server() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(
        shards=SHARDS, concurrency=SHARDS, guilds=GUILDS, tells_of_guilds=True
    ).serving() as fake:
        yield fake


@pytest.fixture
def times() -> tuple[float, float]:
    return IDENTIFY_EVERY, ANSWER_VALID_IF_FEW


@pytest.fixture
async def client(
    server: FakeDiscord, times: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Client]:
    monkeypatch.setattr(Route, "BASE", f"http://{server.base}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway()))
    client = Client(*times)
    await client.login("x")
    running = asyncio.create_task(client.connect())
    yield client
    client.gateway.close()
    await client.close()
    with suppress(asyncio.CancelledError):
        await running


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def open_on(server: FakeDiscord, shard: int) -> list[Session]:
    return server.open_sessions(GUILDS[shard])


async def test_shards_are_opened_and_closed_while_the_client_runs(
    server: FakeDiscord, client: Client
) -> None:
    client.gateway.want(frozenset({1, 2}))
    await until(lambda: client.connected() == {1, 2} and len(client.guilds) == 2)
    assert {guild.id for guild in client.guilds} == {GUILDS[1], GUILDS[2]}
    assert {guild.shard_id for guild in client.guilds} == {1, 2}
    client.gateway.want(frozenset({2, 3}))
    await until(lambda: client.connected() == {2, 3})
    await until(lambda: {guild.id for guild in client.guilds} == {GUILDS[2], GUILDS[3]})
    await until(lambda: not open_on(server, 1))
    assert set(client.shards) == {2, 3}
    assert [session.over for session in server.sessions if session.shard == 1] == [True], "it said goodbye"
    client.gateway.want(frozenset({1}))
    await until(lambda: client.connected() == {1})
    await until(lambda: {guild.id for guild in client.guilds} == {GUILDS[1]})
    assert not client.is_closed()


async def test_shard_is_listed_after_its_servers_arrived(client: Client) -> None:
    client.gateway.want(frozenset({0}))
    await until(lambda: client.gateway.is_listed(0))
    assert client.guilds
    client.gateway.want(frozenset())
    assert not client.gateway.is_listed(0)
    assert not client.guilds


@pytest.mark.parametrize("resumes", [True, False])
async def test_lost_connection_reconnects(server: FakeDiscord, client: Client, resumes: bool) -> None:
    server.resumes = resumes
    client.gateway.want(frozenset({0, 1}))
    await until(lambda: client.connected() == {0, 1})
    session = open_on(server, 1)[0]
    socket = session.socket
    await socket.close(code=4000)
    await until(lambda: [other for other in open_on(server, 1) if other.socket is not socket])
    await until(lambda: client.connected() == {0, 1})
    assert (open_on(server, 1) == [session]) == resumes


async def test_closed_shard_is_not_reconnected(server: FakeDiscord, client: Client) -> None:
    client.gateway.want(frozenset({0, 1}))
    await until(lambda: client.connected() == {0, 1})
    client.allowed.clear()
    client.asked.clear()
    server.resumes = False
    session = open_on(server, 1)[0]
    await session.socket.close(code=4000)
    await until(lambda: client.asked)
    client.gateway.want(frozenset({0}))
    client.allowed.set()
    await asyncio.sleep(0.5)
    assert not open_on(server, 1)
    assert client.connected() == {0}
    assert not client.is_closed()
    other = open_on(server, 0)[0]
    await other.socket.close(code=4000)
    await until(lambda: [session for session in open_on(server, 0) if session is not other])


async def test_closed_shard_is_not_resumed(server: FakeDiscord, client: Client) -> None:
    client.gateway.want(frozenset({0, 1}))
    await until(lambda: client.connected() == {0, 1})
    client.allowed.clear()
    client.asked.clear()
    server.resumes = False
    first, second = open_on(server, 0)[0], open_on(server, 1)[0]
    await first.socket.close(code=4000)
    await until(lambda: client.asked)
    await second.socket.close(code=4000)
    await until(lambda: not second.open)
    server.resumes = True
    await asyncio.sleep(0.1)
    client.gateway.want(frozenset({0}))
    client.allowed.set()
    await until(lambda: open_on(server, 0))
    await asyncio.sleep(0.3)
    assert not open_on(server, 1)
    assert client.connected() == {0}


async def test_unwanted_shard_does_not_identify(server: FakeDiscord, client: Client) -> None:
    client.allowed.clear()
    client.gateway.want(frozenset({3}))
    await until(lambda: client.asked)
    client.gateway.want(frozenset({2}))
    await asyncio.sleep(0.1)
    client.allowed.set()
    await until(lambda: client.connected() == {2})
    assert "keep-alive-handler:shard-3" not in {thread.name for thread in threading.enumerate()}
    assert not [session for session in server.sessions if session.shard == 3]
    client.gateway.want(frozenset({2, 3}))
    await until(lambda: client.connected() == {2, 3})


async def test_outdated_turn_to_identify_is_asked_for_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = 0.0

    def sleep() -> None:
        nonlocal slept
        slept += 3.0 if len(client.asked) == 1 else 0.0

    monkeypatch.setattr(shards, "ELAPSED", lambda: time.monotonic() + slept)
    client.granting = sleep
    client.gateway.want(frozenset({3}))
    await until(lambda: client.connected() == {3})
    assert client.asked == [3, 3]


async def test_shards_of_a_bucket_are_opened_one_after_the_other(server: FakeDiscord, client: Client) -> None:
    client.gateway.begin(SHARDS, server.gateway(), 2)
    client.allowed.clear()
    client.gateway.want(frozenset(range(SHARDS)))
    await until(lambda: {0, 1} <= set(client.asked))
    await asyncio.sleep(0.1)
    assert set(client.asked) == {0, 1}
    assert len(server.sessions) == 0
    client.allowed.set()
    await until(lambda: len(client.connected()) == SHARDS)


async def test_fatal_connection_error_is_raised(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(_gateway: yarl.URL, _shard: int, *, initial: bool = False) -> None:
        raise discord.LoginFailure("no")

    monkeypatch.setattr(client, "launch_shard", refused)
    client.gateway.want(frozenset({0}))
    with pytest.raises(discord.LoginFailure):
        await client.gateway.failure()


@pytest.mark.parametrize("times", [(0.05, 0.02)])
async def test_empty_identify_budget_connects_no_shard_and_is_logged(
    server: FakeDiscord, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    server.logins = 2
    client.gateway.want(frozenset({0, 1}))
    await until(lambda: "loses its token" in caplog.text)
    await asyncio.sleep(0.3)
    assert not client.asked
    assert client.gateway.waits_in_turn(), "it is not cut off"
    server.logins = 1000
    await until(lambda: client.connected() == {0, 1})
    assert caplog.text.count("identify budget is low") == 1
    server.logins = 0
    session = open_on(server, 1)[0]
    socket = session.socket
    await socket.close(code=4000)
    await until(lambda: [other for other in open_on(server, 1) if other.socket is not socket])
    assert open_on(server, 1) == [session], "to resume is free"


async def test_low_identify_budget_is_spread_until_its_reset(
    server: FakeDiscord, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    server.logins = 43
    client.gateway.want(frozenset({3}))
    await until(lambda: client.connected() == {3})
    assert client.asked == [0], "all shards wait in one queue"
    assert client.every == [pytest.approx(3600 / 40, rel=0.01)]
    assert "identify budget is low: 43 of 1000" in caplog.text


def test_low_identify_budget_depends_on_the_shard_count() -> None:
    assert allowance(Limit(1000, 51, 100.0), 4).every == 0
    assert allowance(Limit(1000, 50, 100.0), 4).every > 0
    assert allowance(Limit(1000, 200, 100.0), 199).every == 0
    assert allowance(Limit(1000, 200, 100.0), 200).every > 0
    assert allowance(Limit(1000, 3, 100.0), 4).wait == 100
    assert IDENTIFY_EVERY > 5


async def test_single_process_spreads_a_low_identify_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    limit, now, slept = Limit(1000, 13, 600.0), 1000.0, list[float]()

    async def ask() -> Limit:
        return limit

    async def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    monkeypatch.setattr(shards.asyncio, "sleep", sleep)
    left = IdentifyBudget(ask, lambda: now)
    await left.wait(1)
    assert not slept
    await left.wait(1)
    assert sum(slept) >= 55, "one a minute"


def test_discord_py_still_has_the_private_parts_that_are_used() -> None:
    from discord.shard import Shard
    from discord.state import AutoShardedConnectionState

    client = discord.AutoShardedClient(intents=discord.Intents.none())
    assert vars(client)["_AutoShardedClient__shards"] == {}
    assert vars(client._connection)["_ready_tasks"] == {}  # pyright: ignore[reportPrivateUsage]
    for name in ("close", "launch", "reidentify", "reconnect"):
        assert callable(getattr(Shard, name)), name
    assert not hasattr(Shard, "__slots__"), "its methods could not be replaced"
    assert callable(AutoShardedConnectionState._remove_guild)  # pyright: ignore[reportPrivateUsage]
