"""A request with files is given up at Discord's first error, or when it takes too long; all others are tried again."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import discord
import discord.http
import pytest
from aiohttp import BodyPartReader, web
from aiohttp.test_utils import TestServer
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.gateway.lean_http import LeanAdapter
from bot.gateway.token_session import TokenSession
from bot.gateway.uploading import uploading, watch_uploads

PATIENCE = 60.0


class Discord:
    """Answers requests with files as a test tells it to, and counts them."""

    def __init__(self) -> None:
        self.status = 200
        self.silent = False
        self.uploads = 0
        self.parts: dict[str, tuple[str, bytes]] = {}
        """The newest upload: by part, its file name and its content."""

    async def answer(self, request: web.Request) -> web.Response:
        if request.content_type == "multipart/form-data":
            self.uploads += 1
            async for part in await request.multipart():
                assert isinstance(part, BodyPartReader)
                self.parts[part.name or ""] = part.filename or "", bytes(await part.read())
            if self.silent:
                await asyncio.Event().wait()
            return web.json_response({}, status=self.status)
        return web.json_response({})


@pytest.fixture
async def fake() -> AsyncIterator[tuple[Discord, str]]:
    made, app = Discord(), web.Application()
    app.router.add_route("*", "/{rest:.*}", made.answer)
    async with TestServer(app, shutdown_timeout=0.1) as server:
        yield made, str(server.make_url("")).rstrip("/")


Upload = Callable[[], Awaitable[Any]]


@pytest.fixture(params=["over own connections", "by token", "by the bot"])
async def upload(
    request: pytest.FixtureRequest, fake: tuple[Discord, str], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Upload]:
    """A request with a file, as discord.py makes it."""
    monkeypatch.setattr(discord.http.Route, "BASE", fake[1])
    parts = [{"name": "files[0]", "value": b"a picture", "filename": "table.png"}]

    def files() -> list[discord.File]:
        return [discord.File(io.BytesIO(b"a picture"), "table.png")]

    trace = aiohttp.TraceConfig()
    watch_uploads(trace)
    if request.param != "by the bot":
        own = TokenSession("DiscordBot (test)", lambda: None, lambda *_ended: None)
        adapter: AsyncWebhookAdapter = LeanAdapter(own if request.param == "over own connections" else None)
        route = discord.http.Route("POST", "/interactions/1/t/callback", webhook_id=1, webhook_token="t")
        async with aiohttp.ClientSession(trace_configs=[trace]) as session:
            yield lambda: adapter.request(route, session, multipart=parts, files=files())
        own.close()
    else:
        http = discord.http.HTTPClient(asyncio.get_running_loop(), http_trace=trace)
        http._HTTPClient__session = aiohttp.ClientSession(trace_configs=[trace])  # type: ignore[attr-defined]
        http._global_over = asyncio.Event()
        http._global_over.set()
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=1)
        yield lambda: http.request(route, form=parts, files=files())
        await http._HTTPClient__session.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_an_upload_is_given_up_at_the_first_error_of_discords(
    upload: Upload, fake: tuple[Discord, str], status: int
) -> None:
    fake[0].status = status
    with pytest.raises(discord.DiscordServerError) as raised:
        async with uploading(PATIENCE):
            await upload()
    assert raised.value.status == status
    assert fake[0].uploads == 1


async def test_an_upload_that_discord_does_not_answer_is_given_up(
    upload: Upload, fake: tuple[Discord, str]
) -> None:
    fake[0].silent = True
    with pytest.raises(TimeoutError):
        async with uploading(0.05):
            await upload()
    with pytest.raises(TimeoutError):
        async with uploading(PATIENCE, asyncio.get_running_loop().time() + 0.05):
            await upload()


async def test_an_upload_that_discord_accepts_is_made_once(upload: Upload, fake: tuple[Discord, str]) -> None:
    async with uploading(PATIENCE):
        await upload()
    assert fake[0].uploads == 1
    assert fake[0].parts == {"files[0]": ("table.png", b"a picture")}


async def test_other_requests_are_tried_again_by_discord_py(
    upload: Upload, fake: tuple[Discord, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "sleep", lambda _seconds: no_pause())
    fake[0].status = 500
    with pytest.raises(discord.DiscordServerError):
        await upload()
    assert fake[0].uploads == 5


async def no_pause() -> None:
    """No pause between tries."""
