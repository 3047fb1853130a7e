"""The savings of lean requests: Discord reads the same, and all that is needed of its answers is there."""

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
from discord.http import MultipartParameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.gateway.lean_http import LeanAdapter, install_lean_http
from bot.gateway.token_session import TokenSession
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Option, Screen, button, menus

LEAN = {"id": "7", "attachments": [{"id": "8"}], "components": [], "mentions": []}
MESSAGE = LEAN | {
    "components": [{"type": 10, "content": "a text"}],
    "mentions": [{"id": "9"}],
    "interaction": {"id": "1"},
    "interaction_metadata": {"id": "1", "user": {"id": "9"}},
}


@pytest.fixture
async def session(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[aiohttp.ClientSession]:
    """A session to a Discord that answers everything as it does the first answers to presses, and edits."""

    async def answer(request: web.Request) -> web.Response:
        first = request.path.endswith("/callback")
        if first and "with_response" not in request.query and (await request.json()).get("type"):
            return web.Response(status=204)
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


class Watch:
    """Notes the requests that begin and end."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended: list[tuple[str, str, int]] = []

    def began(self) -> None:
        self.begun += 1

    def end(self, method: str, path: str, status: int) -> None:
        self.ended.append((method, path, status))


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=["own connections", "aiohttp"])
async def adapter(request: pytest.FixtureRequest, watch: Watch) -> AsyncIterator[LeanAdapter]:
    own = TokenSession("DiscordBot (test)", watch.began, watch.end)
    yield LeanAdapter(own if request.param == "own connections" else None)
    own.close()


only_own_connections = pytest.mark.parametrize("adapter", ["own connections"], indirect=True)


async def test_edited_message_keeps_its_files(adapter: LeanAdapter, session: aiohttp.ClientSession) -> None:
    path = "/webhooks/1/token/messages/@original"
    assert await adapter.request(route("PATCH", path), session, payload={}) == LEAN


async def test_answering_message_keeps_its_files(
    adapter: LeanAdapter, session: aiohttp.ClientSession
) -> None:
    answer = await adapter.request(route("POST", "/interactions/1/token/callback"), session, payload={})
    assert answer["resource"]["message"] == LEAN


@pytest.mark.parametrize(
    ("answer", "names_the_message"),
    [
        ({"type": 7, "data": {"components": [], "attachments": []}}, False),
        ({"type": 6}, False),
        ({"type": 9, "data": {"title": "Lucky Word"}}, False),
        ({"type": 7, "data": {"components": [], "attachments": [{"id": "8"}]}}, False),
        ({"type": 4, "data": {"components": []}}, True),
    ],
)
async def test_discord_sends_a_message_back_only_where_its_id_or_its_files_are_needed(
    adapter: LeanAdapter, session: aiohttp.ClientSession, answer: dict[str, Any], names_the_message: bool
) -> None:
    params = MultipartParameters(payload=answer, multipart=None, files=None)
    with params:
        data = await adapter.create_interaction_response(1, "token", session=session, params=params)
    assert ("resource" in data) == names_the_message


async def test_deletion_has_no_answer(adapter: LeanAdapter, session: aiohttp.ClientSession) -> None:
    assert not await adapter.request(route("DELETE", "/webhooks/1/token/messages/2"), session)


@only_own_connections
async def test_requests_go_through_no_trace_of_the_session_and_end_with_it(
    adapter: LeanAdapter, session: aiohttp.ClientSession
) -> None:
    traced = list[str]()

    async def note(_session: aiohttp.ClientSession, _context: Any, request: Any) -> None:
        traced.append(request.url.path)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(note)
    async with aiohttp.ClientSession(connector=session.connector, trace_configs=[trace]) as other:
        path = "/webhooks/1/token/messages/@original"
        assert await adapter.request(route("PATCH", path), other, payload={}) == LEAN
        assert traced == []
        async with other.get(discord.http.Route.BASE + "/users/@me"):
            assert traced == ["/users/@me"]
    with pytest.raises(RuntimeError, match="closed"):
        await adapter.request(route("PATCH", path), other, payload={})


@only_own_connections
async def test_each_request_is_counted_when_it_begins_and_when_it_ends(
    adapter: LeanAdapter, session: aiohttp.ClientSession, watch: Watch
) -> None:
    path = "/webhooks/1/token/messages/2"
    await adapter.request(route("PATCH", path), session, payload={})
    await adapter.request(route("DELETE", path), session)
    assert watch.begun == 2
    assert watch.ended == [("PATCH", path, 200), ("DELETE", path, 204)]


@only_own_connections
async def test_a_request_that_fails_is_counted_with_the_status_0(
    adapter: LeanAdapter,
    session: aiohttp.ClientSession,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    with pytest.raises(aiohttp.ClientError):
        await adapter.request(route("PATCH", "/webhooks/1/token/messages/2"), session, payload={})
    assert watch.ended == [("PATCH", "/webhooks/1/token/messages/2", 0)]


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


@pytest.mark.parametrize(
    "text", ['{"name": "Ana \\ud83c"}', '{"n": [1, 2.5, 12345678901234567890123], "é": "🏺"}']
)
async def test_json_is_read_as_the_standard_library_would(text: str) -> None:
    install_lean_http()
    assert discord.utils._from_json(text) == json.loads(text)
    with pytest.raises(json.JSONDecodeError):
        discord.utils._from_json(text[:-1])


async def test_an_adapter_that_somebody_else_has_put_in_place_stays() -> None:
    def put(adapter: AsyncWebhookAdapter) -> AsyncWebhookAdapter:
        async_context.set(adapter)
        install_lean_http()
        return async_context.get()

    class Other(AsyncWebhookAdapter):
        pass

    assert isinstance(copy_context().run(put, AsyncWebhookAdapter()), LeanAdapter)
    assert isinstance(copy_context().run(put, Other()), Other)
