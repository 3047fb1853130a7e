"""`digsite healthy`, which the container's health check calls: what it says of a bot, and its status."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from aiohttp import web

from bot.__main__ import main
from bot.observability.endpoint import serving
from bot.settings import Address, Settings

HOST = "127.0.0.1"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port at which nothing listens."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        yield int(taken.getsockname()[1])


@asynccontextmanager
async def answering(status: int) -> AsyncGenerator[int]:
    """A server that answers everything with this status; gives its port."""

    async def answer(_request: web.BaseRequest) -> web.Response:
        return web.Response(status=status)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    yield int(runner.addresses[0][1])
    await runner.cleanup()


async def healthy(monkeypatch: pytest.MonkeyPatch, address: str) -> int:
    monkeypatch.setenv("METRICS", address)
    return await asyncio.to_thread(main, ["healthy"])


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_live_bot_is_healthy_at_any_address_and_before_it_is_ready(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    figures, not_ready = AsyncMock(return_value=b""), AsyncMock(return_value="the store is not open")
    async with serving(Address(host, 0), figures, not_ready, str) as port:
        assert await healthy(monkeypatch, f"{host}:{port}") == 0
    assert capsys.readouterr().out == f"The bot at {host}:{port} is well.\n"


async def test_unused_address_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], free_port: int
) -> None:
    assert await healthy(monkeypatch, f"{HOST}:{free_port}") == 1
    said = f"The bot at {HOST}:{free_port} is not well: it cannot be asked (Connection refused).\n"
    assert capsys.readouterr().err == said


async def test_stuck_bot_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.cli.healthy.ANSWER", 0.1)
    with socket.create_server((HOST, 0)) as stuck:  # it takes connections and says nothing
        assert await healthy(monkeypatch, f"{HOST}:{stuck.getsockname()[1]}") == 1
    assert "is not well: it does not answer." in capsys.readouterr().err


async def test_other_program_at_the_address_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with answering(404) as port:
        assert await healthy(monkeypatch, f"{HOST}:{port}") == 1
    assert "it answers with status 404." in capsys.readouterr().err


@pytest.mark.parametrize("address", ["", "off", "127.0.0.1:0"])
async def test_without_an_address_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    assert await healthy(monkeypatch, address) == 2
    assert capsys.readouterr().err.startswith("METRICS names no address and port")
