"""Cheaper versions of what discord.py does for each request, because a press makes one or two."""

from __future__ import annotations

import json
from typing import Any, cast

import discord.utils
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from pydantic_core import PydanticSerializationError, to_json


def install_lean_http() -> None:
    """Installs the cheaper versions. Call before the bot connects, in the context in which it runs."""
    discord.utils._to_json = _write  # pyright: ignore[reportPrivateUsage]
    if type(async_context.get()) is AsyncWebhookAdapter:  # a test may have set its own
        async_context.set(LeanAdapter())


def as_json(what: Any) -> bytes:
    """Serialises to JSON in a quarter of the time of the standard library."""
    try:
        return to_json(what)
    except PydanticSerializationError:  # an unpaired surrogate, as in a truncated name
        return json.dumps(what, separators=(",", ":")).encode()


def _write(what: Any) -> str:
    return as_json(what).decode()


class LeanAdapter(AsyncWebhookAdapter):
    """Sends requests through interaction tokens.

    Discord answers with the whole message. The bot needs only its id and files, so the components are removed before
    discord.py builds objects from them.
    """

    async def request(self, *args: Any, **options: Any) -> Any:
        data = await super().request(*args, **options)
        for message in (data, _resource(data)):
            if isinstance(message, dict) and "components" in message:
                message["components"] = []
        return data


def _resource(data: Any) -> Any:
    """The message in Discord's answer to an interaction callback, if any."""
    resource: Any = cast("dict[str, Any]", data).get("resource") if isinstance(data, dict) else None
    return cast("dict[str, Any]", resource).get("message") if isinstance(resource, dict) else None
