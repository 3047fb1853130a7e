"""Cheaper versions of what discord.py does for each request, because a press makes one or two."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import aiohttp
import discord.utils
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from pydantic_core import PydanticSerializationError, from_json, to_json

Ended = Callable[[str, str, int], None]
"""Called with the method, path and status of a request that has ended; the status is 0 if it failed."""


def install_lean_http(began: Callable[[], None], ended: Ended) -> None:
    """Installs the cheaper versions. Call before the bot connects, in the context in which it runs.

    `began` is called before each request that goes through the token of an interaction, and `ended` after it.
    """
    discord.utils._to_json = _write  # pyright: ignore[reportPrivateUsage]
    discord.utils._from_json = _read  # pyright: ignore[reportPrivateUsage]
    if type(async_context.get()) is AsyncWebhookAdapter:  # a test may have put its own there
        async_context.set(LeanAdapter(began, ended))


def as_json(what: Any) -> bytes:
    """Serialises to JSON in a quarter of the time of the standard library."""
    try:
        return to_json(what)
    except PydanticSerializationError:  # an unpaired surrogate, as in a truncated name
        return json.dumps(what, separators=(",", ":")).encode()


def _write(what: Any) -> str:
    return as_json(what).decode()


def _read(text: str) -> Any:
    """Reads JSON in half the time that the standard library takes."""
    try:
        return from_json(text, cache_strings="keys")
    except ValueError:  # half a character, which the standard library takes
        return json.loads(text)


class LeanAdapter(AsyncWebhookAdapter):
    """Sends requests through interaction tokens.

    Discord answers with the whole message. The bot needs only its id and files, so the components and the people are
    removed before discord.py builds objects from them.

    The requests share the connections of discord.py's session, but not its trace: aiohttp reports six steps of each
    request to a trace, which takes a sixth of the request's time.
    """

    def __init__(self, began: Callable[[], None], ended: Ended) -> None:
        super().__init__()
        self._began = began
        self._ended = ended
        self._session: aiohttp.ClientSession | None = None
        """A session without a trace."""

    async def request(self, route: Route, session: aiohttp.ClientSession, **options: Any) -> Any:
        data = await super().request(route, self._untraced(session), **options)
        for message in (data, _resource(data)):
            if isinstance(message, dict) and "components" in message:
                _trim(cast("dict[str, Any]", message))
        return data

    def _untraced(self, session: aiohttp.ClientSession) -> aiohttp.ClientSession:
        """A session that sends through the connections of this one. Whoever closes this one closes both."""
        if session.closed:
            return session  # which says so
        if self._session is None or self._session.connector is not session.connector:
            self._session = aiohttp.ClientSession(
                connector=session.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                middlewares=(self._watched,),
            )
        return self._session

    async def _watched(
        self, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        self._began()
        try:
            response = await send(request)
        except Exception:
            self._ended(request.method, request.url.raw_path, 0)
            raise
        self._ended(request.method, request.url.raw_path, response.status)
        return response


def _trim(message: dict[str, Any]) -> None:
    message |= {"components": [], "mentions": []}
    message.pop("interaction", None)
    message.pop("interaction_metadata", None)


def _resource(data: Any) -> Any:
    """The message in Discord's answer to an interaction callback, if any."""
    resource: Any = cast("dict[str, Any]", data).get("resource") if isinstance(data, dict) else None
    return cast("dict[str, Any]", resource).get("message") if isinstance(resource, dict) else None
