"""What is spared when requests are made: nothing of what Discord reads, and nothing of its answers that is needed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextvars import copy_context
from typing import Any

import aiohttp
import discord
import discord.http
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.gateway.lean_http import LeanAdapter, install_lean_http
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Option, Screen, button, menus

MESSAGE = {"id": "7", "attachments": [{"id": "8"}], "components": [{"type": 10, "content": "a text"}]}
LEAN = MESSAGE | {"components": []}


@pytest.fixture
async def session(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[aiohttp.ClientSession]:
    """A session to a Discord that answers everything as it does the first answers to presses, and edits."""

    async def answer(request: web.Request) -> web.Response:
        first = request.path.endswith("/callback")
        says = {"resource": {"type": 4, "message": MESSAGE}} if first else MESSAGE
        return web.Response(body=json.dumps(says).encode(), content_type="application/json")

    async def no_content(_request: web.Request) -> web.Response:
        return web.Response(status=204)

    app = web.Application()
    app.router.add_delete("/{rest:.*}", no_content)
    app.router.add_route("*", "/{rest:.*}", answer)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        monkeypatch.setattr(discord.http.Route, "BASE", str(server.make_url("")).rstrip("/"))
        yield session


def route(method: str, path: str) -> discord.http.Route:
    return discord.http.Route(method, path, webhook_id=1, webhook_token="token")


@pytest.fixture
def adapter() -> LeanAdapter:
    return LeanAdapter()


async def test_edited_message_keeps_its_files(adapter: LeanAdapter, session: aiohttp.ClientSession) -> None:
    path = "/webhooks/1/token/messages/@original"
    assert await adapter.request(route("PATCH", path), session, payload={}) == LEAN


async def test_answering_message_keeps_its_files(
    adapter: LeanAdapter, session: aiohttp.ClientSession
) -> None:
    answer = await adapter.request(route("POST", "/interactions/1/token/callback"), session, payload={})
    assert answer["resource"]["message"] == LEAN


async def test_deletion_has_no_answer(adapter: LeanAdapter, session: aiohttp.ClientSession) -> None:
    assert not await adapter.request(route("DELETE", "/webhooks/1/token/messages/2"), session)


async def test_screens_are_written_as_the_standard_library_would() -> None:
    screen = Screen().text("🏺 **Ana** sells “2 Coins” for $5.\n-# é\u200b\\").rule()
    screen.buttons(button("End Turn", Id("g.end", 1), emoji="🏺"))
    screen.add(menus(Id("g.take", 1), "Take…", [Option("1 Map", "map", "a map", "🗺️"), Option("2", "two")]))
    install_lean_http()
    payload: dict[str, Any] = {
        "type": 7,
        "data": {"components": screen.view().to_components(), "flags": 1 << 15},
    }
    assert json.loads(discord.utils._to_json(payload)) == json.loads(json.dumps(payload))


async def test_unpaired_surrogate_is_written_as_the_standard_library_would() -> None:
    install_lean_http()
    assert json.loads(discord.utils._to_json({"name": "Ana \ud83c"})) == {"name": "Ana \ud83c"}


async def test_an_adapter_that_somebody_else_has_put_in_place_stays() -> None:
    def put(adapter: AsyncWebhookAdapter) -> AsyncWebhookAdapter:
        async_context.set(adapter)
        install_lean_http()
        return async_context.get()

    class Other(AsyncWebhookAdapter):
        pass

    assert isinstance(copy_context().run(put, AsyncWebhookAdapter()), LeanAdapter)
    assert isinstance(copy_context().run(put, Other()), Other)
