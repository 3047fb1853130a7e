"""A first answer with files whose connection drops: the second request has the same files."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, interaction_message_response_params

from bot.art.picture_cache import Plate
from bot.ui.first_answer import FirstAnswer
from bot.ui.screens.kit import Screen
from bot.ui.uploads import Uploads
from tests.manual_clock import ManualClock

PICTURE = b"a picture" * 1000


async def test_a_second_request_has_the_whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []

    async def drop_first(request: web.Request) -> web.Response:
        async for part in await request.multipart():
            assert isinstance(part, aiohttp.BodyPartReader)
            if part.name == "files[0]":
                sent.append(bytes(await part.read()))
        if len(sent) == 1:
            assert request.transport is not None
            request.transport.abort()
        return web.json_response({"interaction": {"id": "1", "type": 2}})

    app = web.Application()
    app.router.add_post("/{path:.*}", drop_first)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    view = Screen().insert_picture(Plate("picture.png", PICTURE, ""), 0).view()
    first, uploads = FirstAnswer(), Uploads(ManualClock(0), lambda _reason: None)

    async def answer(files: list[discord.File]) -> Any:
        with interaction_message_response_params(type=4, view=view, files=files) as params:
            adapter = AsyncWebhookAdapter()
            return await adapter.create_interaction_response(1, "token", session=session, params=params)

    async with aiohttp.ClientSession() as session:
        await uploads.send(1, view, lambda files: first.send(lambda: answer(files)))
    await runner.cleanup()
    assert sent == [PICTURE, PICTURE]
