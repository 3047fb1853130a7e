"""Requests with interaction tokens over connections of their own: HTTP/1.1 and TLS, and nothing else.

A press consists mostly of such requests, and aiohttp takes most of a request's time for what none of them uses:
redirects, cookies, compression, traces. A `TokenSession` takes the place of aiohttp's session in discord.py's adapter.
The adapter still decides the order of a token's requests, the waits after a 429, and which requests are repeated.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, cast
from urllib.parse import urlencode, urlsplit

import aiohttp
from aiohappyeyeballs import start_connection  # pyright: ignore[reportUnknownVariableType]
from httptools import HttpParserError, HttpResponseParser
from multidict import CIMultiDict

from bot.gateway.uploading import request_began, request_ended

REUSED_WITHIN: Final = 15.0
"""Seconds without a request after which a connection is closed, because Discord may be about to close it."""
CONNECTED_WITHIN: Final = 30.0
"""Seconds within which a connection must be made."""
_NEXT_ADDRESS_AFTER: Final = 0.25
"""Seconds after which the next of Discord's addresses is tried as well."""
ANSWERED_WITHIN: Final = 300.0
"""Seconds within which Discord must have answered a request."""
_IDEMPOTENT: Final = ("GET", "DELETE")
"""The methods of requests that may be repeated if a connection that was idle turns out to be closed."""
Ended = Callable[[str, str, int], None]
"""Called with the method, path and status of a request that has ended; the status is 0 if it failed."""


class Response:
    """Discord's response, with the names of `aiohttp.ClientResponse` that discord.py reads."""

    __slots__ = ("_body", "headers", "reason", "status")

    def __init__(self) -> None:
        self.status = 0
        self.reason = ""
        self.headers = CIMultiDict[str]()
        self._body = bytearray()

    async def text(self, encoding: str = "utf-8") -> str:
        return self._body.decode(encoding)

    def close(self) -> None:
        """Does nothing: the response has been read to its end."""

    def add(self, body: bytes) -> None:
        """Adds a part of the body."""
        self._body += body


class _Connection(asyncio.Protocol):
    """One connection. It makes one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._response = Response()
        self._answer: asyncio.Future[Response] | None = None
        self.idle_since = 0.0
        """When the last request ended, on the event loop's clock."""

    async def request(self, request: bytes) -> Response:
        """Discord's response to these bytes. Raises `aiohttp.ClientError` if there is none."""
        if self._transport is None:
            raise aiohttp.ServerDisconnectedError
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        self._transport.write(request)
        try:
            return await self._answer
        finally:
            self._answer, self.idle_since = None, loop.time()

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def is_idle(self, since: float) -> bool:
        """Whether the connection is open, and its last request ended after this time on the event loop's clock."""
        return self.is_open and self.idle_since > since

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _fail(self, error: aiohttp.ClientError) -> None:
        self.close()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)

    # -- called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # no loop need derive its transports

    def data_received(self, data: bytes) -> None:
        if self._answer is None:
            self.close()  # it belongs to no request
            return
        try:
            self._parser.feed_data(data)
        except HttpParserError:
            self._fail(aiohttp.ClientPayloadError("Discord's response is not HTTP"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._fail(aiohttp.ServerDisconnectedError())

    # -- called by the parser

    def on_message_begin(self) -> None:
        self._response = Response()

    def on_status(self, status: bytes) -> None:
        self._response.reason += status.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._response.headers.add(name.decode("latin-1"), value.decode("latin-1"))

    def on_body(self, body: bytes) -> None:
        self._response.add(body)

    def on_message_complete(self) -> None:
        self._response.status = self._parser.get_status_code()
        if self._response.status < 200:
            return  # the response itself follows
        if not self._parser.should_keep_alive():
            self.close()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(self._response)


class _Address(NamedTuple):
    host: str
    port: int
    tls: bool


class TokenSession:
    """The connections to Discord. It stands in for an `aiohttp.ClientSession`."""

    def __init__(self, user_agent: str, began: Callable[[], None], ended: Ended) -> None:
        """`began` is called before each request, and `ended` after each."""
        self._user_agent = user_agent
        self._began = began
        self._ended = ended
        self._idle: dict[_Address, list[_Connection]] = {}
        self._closed = False

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    def close(self) -> None:
        """Closes the connections, those in use after their present requests."""
        self._closed = True
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    @asynccontextmanager
    async def request(
        self,
        method: str,
        url: str,
        *,
        data: str | aiohttp.FormData | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, object] | None = None,
        **_without_proxy: None,
    ) -> AsyncGenerator[Response]:
        """As `aiohttp.ClientSession.request`. Raises `aiohttp.ClientError`, or `TimeoutError`."""
        address, host, path = _parts_of(url)
        query = f"?{urlencode(params)}" if params else ""
        lines = [f"{method} {path}{query} HTTP/1.1", f"Host: {host}", f"User-Agent: {self._user_agent}"]
        if isinstance(data, aiohttp.FormData):
            form = data()
            body, headers = await form.as_bytes(), {**(headers or {}), "Content-Type": form.content_type}
        else:
            body = (data or "").encode()
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        request = "\r\n".join([*lines, f"Content-Length: {len(body)}", "\r\n"]).encode("latin-1") + body
        self._began()
        request_began()
        try:
            async with asyncio.timeout(ANSWERED_WITHIN):
                response = await self._sent(address, request, may_repeat=method in _IDEMPOTENT)
        except Exception:
            self._ended(method, path, 0)
            raise
        self._ended(method, path, response.status)
        request_ended(cast("aiohttp.ClientResponse", response))
        yield response

    async def _sent(self, address: _Address, request: bytes, *, may_repeat: bool) -> Response:
        idle = self._idle_one(address)
        connection = idle or await self._connect(address)
        try:
            response = await connection.request(request)
        except aiohttp.ServerDisconnectedError:
            connection.close()
            if idle is None or not may_repeat:
                raise
            # Discord was closing the idle connection.
            return await self._sent(address, request, may_repeat=False)
        except BaseException:
            connection.close()  # a late response must not be taken for that to the next request
            raise
        if self._closed:
            connection.close()
        elif connection.is_open:
            self._idle.setdefault(address, []).append(connection)
        return response

    def _idle_one(self, address: _Address) -> _Connection | None:
        """The connection that was used last, if it may be used again."""
        since = asyncio.get_running_loop().time() - REUSED_WITHIN
        idle = self._idle.get(address, [])
        while idle and not idle[0].is_idle(since):
            idle.pop(0).close()
        while idle:
            connection = idle.pop()
            if connection.is_idle(since):
                return connection
            connection.close()
        return None

    async def _connect(self, address: _Address) -> _Connection:
        loop, name = asyncio.get_running_loop(), address.host if address.tls else None
        try:
            async with asyncio.timeout(CONNECTED_WITHIN):
                found = await loop.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
                sock = await start_connection(found, happy_eyeballs_delay=_NEXT_ADDRESS_AFTER)
                tls = self._tls if address.tls else None
                _transport, connection = await loop.create_connection(
                    _Connection, sock=sock, ssl=tls, server_hostname=name
                )
        except OSError as error:
            raise aiohttp.ClientConnectionError(str(error)) from error
        return connection


@lru_cache(maxsize=4)
def _address_of(base: str) -> tuple[_Address, str]:
    """The address and the value of `Host` for the beginning of a URL, such as "https://discord.com"."""
    parts = urlsplit(base)
    tls = parts.scheme == "https"
    return _Address(parts.hostname or "", parts.port or (443 if tls else 80), tls), parts.netloc


def _parts_of(url: str) -> tuple[_Address, str, str]:
    """Address, value of `Host`, and path of a URL whose path is quoted already, as discord.py's routes are."""
    scheme, _, rest = url.partition("://")
    netloc, _, path = rest.partition("/")
    return *_address_of(f"{scheme}://{netloc}"), f"/{path}"
