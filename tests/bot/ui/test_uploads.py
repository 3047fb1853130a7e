"""The files of messages, where connections drop and where the bot lacks the permission to attach files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, interaction_message_response_params

from bot.art.picture_cache import Plate
from bot.ui.screens.kit import Screen
from bot.ui.tokens import FirstAnswer
from bot.ui.uploads import PAUSE, Uploads
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


async def test_nobody_is_told_twice_of_the_permission_because_an_answer_may_have_files() -> None:
    """Where posts may have no files, answers through a token may."""

    async def post(files: list[discord.File]) -> None:
        if files:
            response: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})

    async def answer(_files: list[discord.File]) -> None:
        pass

    clock = ManualClock(0)
    uploads, outcomes = Uploads(clock, lambda _reason: None), list[bool]()
    for _ in range(3):
        await uploads.send(1, Screen().insert_picture(Plate("a.png", PICTURE, ""), 0).view(), post)
        hand = Screen().insert_picture(Plate("a.png", PICTURE, ""), 0).view()
        hand.private = True
        await uploads.send(1, hand, answer)
        assert not hand.lacks_files
        assert uploads.is_forbidden(1)
        outcomes.append(uploads.inform(1, 42))
        clock.advance(PAUSE + 1)
        await uploads.send(1, Screen().insert_picture(Plate("b.png", PICTURE, ""), 0).view(), answer)
        assert not uploads.is_forbidden(1)
    assert outcomes == [True, False, False]
