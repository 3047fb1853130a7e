"""The reports to monitoring and systemd by the real `python -m bot run`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.clock import SystemClock
from bot.observability.endpoint import Systemd
from bot.settings import Address, read_address
from bot.tables.model import Table
from bot.ui.screens.ids import Id
from tests.bot.fake_discord import FakeDiscord
from tests.bot.tables.samples import ANA, BEN, match_of, tables_on
from tests.patience import PATIENCE

SERVED = re.compile(r"serving metrics at (http://127\.0\.0\.1:\d+)/metrics")


@pytest.fixture
async def table(path: Path) -> Table:
    """A file with a match in which Ana is to dig."""
    async with tables_on(path, SystemClock()) as tables:
        return await match_of(tables, ANA, BEN, channel=77, first=0)


@asynccontextmanager
async def running(
    fake: FakeDiscord, file: Path, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The real bot, which is told to end afterwards."""
    bot = await fake.start_bot(file, **settings)
    try:
        yield bot
    finally:
        if bot.returncode is None:
            bot.send_signal(signal.SIGTERM)
        await bot.communicate()


async def address_of(bot: asyncio.subprocess.Process) -> str:
    """Where the bot says that it serves its figures."""
    assert bot.stderr is not None
    said = ""
    async with asyncio.timeout(PATIENCE):
        while (found := SERVED.search(said)) is None:
            line = (await bot.stderr.readline()).decode()
            assert line, said
            said += line
    return found[1]


async def read(session: aiohttp.ClientSession, address: str) -> tuple[int, str]:
    async with session.get(address) as answer:
        return answer.status, await answer.text()


@pytest.mark.system
async def test_metrics_health_and_readiness_are_served(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    discord_here.hangs = ("/users/@me",)  # it cannot log in yet
    async with (
        running(discord_here, path, METRICS="127.0.0.1:0") as bot,
        aiohttp.ClientSession() as session,
    ):
        base = await address_of(bot)
        assert await read(session, f"{base}/healthz") == (200, "ok\n")
        assert await read(session, f"{base}/readyz") == (503, "the store is not open\n")
        assert "digsite_ready 0.0" in (await read(session, f"{base}/metrics"))[1]

    discord_here.hangs = ()
    async with (
        running(discord_here, path, METRICS="127.0.0.1:0") as bot,
        aiohttp.ClientSession() as session,
    ):
        base = await address_of(bot)
        await discord_here.connected()
        async with asyncio.timeout(PATIENCE):
            while (await read(session, f"{base}/readyz"))[0] != 200:
                await asyncio.sleep(0.02)
        decision = str(table.game.pending(table.state)[0].id)
        await discord_here.press(str(Id("g.dig", table.id, decision)), user=ANA, channel=77, message=7001)
        await discord_here.asked_for("POST", "/callback")
        async with asyncio.timeout(PATIENCE):
            while 'presses_total{intent="g.dig",outcome="done"} 1.0' not in (
                text := (await read(session, f"{base}/metrics"))[1]
            ):
                await asyncio.sleep(0.02)
    lines = text.splitlines()
    assert not [line for line in lines if re.match(r"\w+_created\b", line)], "they would double the page"
    assert "digsite_ready 1.0" in lines
    assert 'digsite_shards{connected="yes"} 1.0' in lines
    assert 'digsite_live_tables{game="archaeology"} 1.0' in lines
    assert "digsite_durable_seconds_count 1.0" in lines
    answer = 'digsite_requests_total{method="POST",route="/interactions/:id/:token/callback"'
    assert any(line.startswith(answer) for line in lines)


async def raw(base: str, request: bytes) -> bytes:
    """The address's answer to these bytes."""
    host, port = base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    async with asyncio.timeout(PATIENCE):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.system
@pytest.mark.parametrize(
    "request_",
    [
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\nHost: a\r\nCookie: " + b"x" * 20_000 + b"\r\n\r\n",
        b"\x16\x03\x01 no HTTP at all\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
    ids=["url", "header", "no HTTP", "no URL"],
)
async def test_malformed_request_gets_status_400_without_traceback(
    discord_here: FakeDiscord, path: Path, request_: bytes
) -> None:
    async with running(discord_here, path, METRICS="127.0.0.1:0") as bot:
        base = await address_of(bot)
        answer = await raw(base, request_)
        assert re.match(rb"HTTP/1\.\d 400 ", answer)
        assert b"Traceback" not in answer
        bot.send_signal(signal.SIGTERM)
        _out, said = await bot.communicate()
    assert "Traceback" not in said.decode()
    assert "Error handling request" not in said.decode()


@pytest.mark.system
async def test_an_address_that_is_taken_stops_the_start_with_a_sentence(
    discord_here: FakeDiscord, path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bot = await discord_here.start_bot(path, METRICS=f"127.0.0.1:{taken.getsockname()[1]}")
        async with asyncio.timeout(PATIENCE):
            _out, said = await bot.communicate()
    assert bot.returncode == 2
    assert "cannot be served" in said.decode()
    assert "Traceback" not in said.decode()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:9464", Address("127.0.0.1", 9464)),
        ("[::1]:9464", Address("::1", 9464)),
        ("localhost:80", Address("localhost", 80)),
        ("off", None),
        ("", None),
    ],
)
def test_an_address_is_read(text: str, address: Address | None) -> None:
    assert read_address(text) == address
    assert address is None or str(address) == text


@pytest.mark.parametrize(
    "text", ["9464", ":9464", "127.0.0.1:", "127.0.0.1:70000", "::1:9464", "127.0.0.1:x"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="as in"):
        read_address(text)


# -- systemd


@pytest.fixture
def manager(tmp_path: Path) -> socket.socket:
    """A socket like the one on which systemd listens."""
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ear.bind(str(tmp_path / "notify"))
    ear.setblocking(False)
    return ear


async def receive(manager: socket.socket, line: str) -> list[str]:
    """Everything that systemd is told until it is told this line."""
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while line not in lines:
            lines += (await asyncio.get_running_loop().sock_recv(manager, 4096)).decode().splitlines()
    return lines


@pytest.mark.system
async def test_systemd_gets_ready_watchdog_and_stopping(
    discord_here: FakeDiscord, path: Path, manager: socket.socket
) -> None:
    watched = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "300000"}
    with manager:
        async with running(discord_here, path, **watched):
            before = await receive(manager, "READY=1")
            assert "STATUS=serving tables" not in before
            await receive(manager, "STATUS=serving tables")
            await receive(manager, "WATCHDOG=1")
        await receive(manager, "STOPPING=1")


@pytest.mark.system
async def test_bot_that_has_not_logged_in_is_not_ready(
    discord_here: FakeDiscord, path: Path, manager: socket.socket
) -> None:
    discord_here.hangs = ("/users/@me",)
    watched = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "30000"}
    with manager:
        async with running(discord_here, path, **watched):
            await discord_here.asked_for("GET", "/users/@me")
            await receive(manager, "WATCHDOG=1")
        assert "READY=1" not in await receive(manager, "STOPPING=1")


async def test_watchdog_keep_alives_come_three_times_per_timeout(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    now, waited = loop.time(), list[float]()

    async def sleep(seconds: float) -> None:
        nonlocal now
        waited.append(seconds)
        now += seconds
        if len(waited) == 60:
            raise asyncio.CancelledError

    monkeypatch.setattr(loop, "time", lambda: now)
    monkeypatch.setattr("bot.observability.endpoint.asyncio.sleep", sleep)

    async def state() -> str:
        return "well"

    with manager:
        systemd = Systemd({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "30000000"})
        with pytest.raises(asyncio.CancelledError):
            await systemd.report_status(lambda: True, state)
        said: list[str] = []
        with contextlib.suppress(BlockingIOError):
            while True:
                said += manager.recv(4096).decode().splitlines()
    assert said.count("READY=1") == said.count("STATUS=well") == 1
    assert said.count("WATCHDOG=1") == 3, "within thirty seconds"


async def test_stuck_loop_sends_no_keep_alive(manager: socket.socket) -> None:
    with manager:
        systemd = Systemd({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "30000"})

        async def state() -> str:
            return "well"

        telling = asyncio.create_task(systemd.report_status(lambda: True, state))
        await receive(manager, "WATCHDOG=1")
        while True:  # what has been sent by now
            try:
                manager.recv(4096)
            except BlockingIOError:
                break
        stuck = asyncio.get_running_loop().time() + 0.3
        while asyncio.get_running_loop().time() < stuck:
            pass
        with pytest.raises(BlockingIOError):
            manager.recv(4096)
        await receive(manager, "WATCHDOG=1")
        telling.cancel()


def test_nothing_is_sent_without_systemd() -> None:
    systemd = Systemd({})
    assert not systemd.listens
    assert systemd.watchdog is None
    systemd.notify("READY=1")


def test_watchdog_of_another_process_is_ignored() -> None:
    assert Systemd({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}).watchdog is None
    assert Systemd({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": str(os.getpid())}).watchdog == 1


def test_missing_systemd_socket_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "gone")}).notify("READY=1")
    assert "could not notify systemd" in caplog.text
