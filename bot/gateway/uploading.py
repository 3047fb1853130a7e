"""Requests with files, which are given up early.

discord.py repeats a request that Discord could not serve, for up to 25 seconds; a request with files is given up at
once instead, because the same message without them may be accepted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord


@dataclass(slots=True)
class _Upload:
    """A request with files, which may be under way until `until` at the latest, and for `patience` seconds."""

    timeout: asyncio.Timeout
    patience: float
    until: float | None

    def began(self) -> None:
        ends = asyncio.get_running_loop().time() + self.patience
        self.timeout.reschedule(ends if self.until is None else min(ends, self.until))

    def ended(self) -> None:
        self.timeout.reschedule(self.until)


_upload: ContextVar[_Upload | None] = ContextVar("upload", default=None)


@asynccontextmanager
async def uploading(patience: float, until: float | None = None) -> AsyncGenerator[None]:
    """A context in which the current task makes a request with files.

    Raises `TimeoutError` once Discord has not answered for `patience` seconds, the wait for a permit not included, or
    at the time `until` on the event loop's clock. Raises `discord.DiscordServerError` at the first error of Discord's.
    """
    async with asyncio.timeout_at(until) as timeout:
        token = _upload.set(_Upload(timeout, patience, until))
        try:
            yield
        finally:
            _upload.reset(token)


def request_began() -> None:
    """To be called when a request is sent."""
    if (upload := _upload.get()) is not None:
        upload.began()


def request_ended(response: aiohttp.ClientResponse) -> None:
    """To be called with Discord's response. Raises `discord.DiscordServerError` if the request has files and failed."""
    if (upload := _upload.get()) is not None:
        upload.ended()
        if response.status >= 500:
            response.close()
            raise discord.DiscordServerError(response, None)


def watch_uploads(trace: aiohttp.TraceConfig) -> None:
    """Watches the requests of the sessions with this trace. To be called after all that delays a request."""

    async def began(_session: aiohttp.ClientSession, _context: SimpleNamespace, _request: Any) -> None:
        request_began()

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        request_ended(request.response)

    trace.on_request_start.append(began)
    trace.on_request_end.append(ended)
