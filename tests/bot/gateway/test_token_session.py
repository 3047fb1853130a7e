"""The connections for requests with interaction tokens: each request gets its own response, or an error."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import discord.http
import pytest

from bot.gateway import token_session as module
from bot.gateway.lean_http import LeanAdapter
from bot.gateway.token_session import TokenSession

PATCH = "/webhooks/1/token/messages/2"
JSON = "Content-Type: application/json\r\n"
Answering = Callable[[asyncio.StreamWriter, bytes], Awaitable[None]]


class Discord:
    """A server whose connections are answered by a test, request by request."""

    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.connections = 0
        self.requests: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
                )
                body = await reader.readexactly(int(length.partition(b":")[2]))
                self.requests.append(head + body)
                await self.answering(writer, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def response(body: str, status: str = "200 OK", headers: str = "") -> bytes:
    text = body.encode()
    return f"HTTP/1.1 {status}\r\n{JSON}{headers}Content-Length: {len(text)}\r\n\r\n".encode() + text


async def echo(writer: asyncio.StreamWriter, body: bytes) -> None:
    """Answers with what it was asked."""
    writer.write(response(body.decode()))


@asynccontextmanager
async def talking(
    answering: Answering, tls: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[Discord, TokenSession, str]]:
    """A server that answers so, a session, and the server's address."""
    server = Discord(answering)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    session = TokenSession("DiscordBot (test)", lambda: None, lambda *_ended: None)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield server, session, f"{'http' if tls is None else 'https'}://localhost:{port}"
    finally:
        session.close()
        listening.close()


async def text_of(session: TokenSession, url: str, data: str = "{}", **more: Any) -> str:
    async with session.request("PATCH", url + PATCH, data=data, **more) as answer:
        return await answer.text()


async def test_requests_one_after_the_other_take_one_connection() -> None:
    async with talking(echo) as (server, session, url):
        assert [await text_of(session, url, str(n)) for n in range(5)] == ["0", "1", "2", "3", "4"]
        assert server.connections == 1


async def test_requests_at_the_same_time_get_their_own_responses() -> None:
    async with talking(echo) as (server, session, url):
        texts = await asyncio.gather(*(text_of(session, url, str(n)) for n in range(20)))
        assert texts == [str(n) for n in range(20)]
        assert server.connections == 20


async def test_what_is_sent_is_what_discord_expects() -> None:
    async with talking(echo) as (server, session, url):
        await text_of(session, url, "é", headers={"Content-Type": "application/json"}, params={"wait": 1})
        head, _, body = server.requests[0].partition(b"\r\n\r\n")
        first, *headers = head.decode().split("\r\n")
        assert first == f"PATCH {PATCH}?wait=1 HTTP/1.1"
        assert set(headers) >= {
            f"Host: {url.removeprefix('http://')}",
            "User-Agent: DiscordBot (test)",
            "Content-Type: application/json",
            "Content-Length: 2",
        }
        assert body == "é".encode()


async def test_a_response_in_pieces_is_put_together() -> None:
    async def in_pieces(writer: asyncio.StreamWriter, _body: bytes) -> None:
        whole = f"HTTP/1.1 200 OK\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n"
        for byte in whole.encode():
            writer.write(bytes([byte]))
            await writer.drain()

    async with talking(in_pieces) as (_server, session, url):
        assert await text_of(session, url) == "[1,2]"
        assert await text_of(session, url) == "[1,2]"


async def test_a_request_that_was_given_up_leaves_its_response_to_no_other() -> None:
    slow = asyncio.Event()

    async def late(writer: asyncio.StreamWriter, body: bytes) -> None:
        if body == b"first":
            await slow.wait()
        await echo(writer, body)

    async with talking(late) as (_server, session, url):
        assert await text_of(session, url, "before") == "before"
        given_up = asyncio.create_task(text_of(session, url, "first"))
        await asyncio.sleep(0.05)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        slow.set()
        assert await text_of(session, url, "second") == "second"


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
async def test_a_connection_that_discord_closes_is_an_error_and_is_not_used_again(said: bytes) -> None:
    async def hang_up(writer: asyncio.StreamWriter, body: bytes) -> None:
        if body == b"fails":
            writer.write(said)
            writer.close()
        else:
            await echo(writer, body)

    async with talking(hang_up) as (server, session, url):
        with pytest.raises(aiohttp.ClientError):
            await text_of(session, url, "fails")
        assert await text_of(session, url, "again") == "again"
        assert server.connections == 2


async def test_a_connection_that_discord_wants_closed_is_not_used_again() -> None:
    async def last(writer: asyncio.StreamWriter, body: bytes) -> None:
        writer.write(response(body.decode(), headers="Connection: close\r\n"))

    async with talking(last) as (server, session, url):
        assert [await text_of(session, url, str(n)) for n in range(2)] == ["0", "1"]
        assert server.connections == 2


async def test_a_connection_that_was_idle_for_long_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with talking(echo) as (server, session, url):
        assert await text_of(session, url, "1") == "1"
        monkeypatch.setattr(module, "REUSED_WITHIN", 0.0)
        assert await text_of(session, url, "2") == "2"
        assert server.connections == 2


async def test_connections_of_a_burst_are_closed_when_they_were_idle_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with talking(echo) as (server, session, url):
        await asyncio.gather(*(text_of(session, url, str(n)) for n in range(9)))
        monkeypatch.setattr(module, "REUSED_WITHIN", 0.0)
        await text_of(session, url, "later")
        monkeypatch.undo()
        [idle] = session._idle.values()
        assert (server.connections, len(idle)) == (10, 1)


async def test_hints_before_a_response_are_not_the_response() -> None:
    async def hinted(writer: asyncio.StreamWriter, body: bytes) -> None:
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + response(body.decode()))

    async with talking(hinted) as (_server, session, url):
        assert [await text_of(session, url, str(n)) for n in range(3)] == ["0", "1", "2"]


async def test_a_deletion_over_a_connection_that_was_just_closed_is_made_on_another() -> None:
    async with talking(echo) as (server, session, url):
        await text_of(session, url, "first")

        async def closes_once(writer: asyncio.StreamWriter, _body: bytes) -> None:
            server.answering = echo
            writer.close()

        server.answering = closes_once
        async with session.request("DELETE", url + PATCH, data="deleted") as answer:
            assert await answer.text() == "deleted"
        assert server.connections == 2
        server.answering = closes_once
        with pytest.raises(aiohttp.ClientError):
            await text_of(session, url, "not repeated")


async def test_what_is_no_http_is_an_error() -> None:
    async def nonsense(writer: asyncio.StreamWriter, _body: bytes) -> None:
        writer.write(b"Good evening!\r\n\r\n")

    async with talking(nonsense) as (_server, session, url):
        with pytest.raises(aiohttp.ClientError):
            await text_of(session, url)


async def test_a_discord_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(_writer: asyncio.StreamWriter, _body: bytes) -> None:
        """Answers nothing."""

    monkeypatch.setattr(module, "ANSWERED_WITHIN", 0.05)
    async with talking(silent) as (_server, session, url):
        with pytest.raises(TimeoutError):
            await text_of(session, url)


async def test_the_adapter_waits_as_long_as_discord_says_and_tries_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [
        response('{"retry_after": 0.01}', "429 Too Many Requests", "Via: 1.1 google\r\n"),
        response('{"id": "7"}', "200 OK"),
    ]

    async def limited(writer: asyncio.StreamWriter, _body: bytes) -> None:
        writer.write(answers.pop(0))

    async with talking(limited) as (server, session, url), aiohttp.ClientSession() as usual:
        monkeypatch.setattr(discord.http.Route, "BASE", url)
        adapter = LeanAdapter(session)
        route = discord.http.Route("PATCH", PATCH, webhook_id=1, webhook_token="token")
        assert await adapter.request(route, usual, payload={}) == {"id": "7"}
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("404 Not Found", discord.NotFound),
        ("403 Forbidden", discord.Forbidden),
        ("400 Bad", discord.HTTPException),
    ],
)
async def test_a_refusal_is_the_error_of_discords_library(
    status: str, error: type[discord.HTTPException], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(writer: asyncio.StreamWriter, _body: bytes) -> None:
        writer.write(response('{"code": 10008, "message": "Unknown Message"}', status))

    async with talking(refuse) as (_server, session, url), aiohttp.ClientSession() as usual:
        monkeypatch.setattr(discord.http.Route, "BASE", url)
        adapter = LeanAdapter(session)
        route = discord.http.Route("PATCH", PATCH, webhook_id=1, webhook_token="token")
        with pytest.raises(error) as raised:
            await adapter.request(route, usual, payload={})
        assert (raised.value.status, raised.value.code) == (int(status[:3]), 10008)


async def test_only_a_trusted_certificate_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    made = (openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject)
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(certificate, key)
    async with talking(echo, own) as (_server, session, url):
        with pytest.raises(aiohttp.ClientError):
            await text_of(session, url)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with talking(echo, own) as (_server, session, url):
        assert await text_of(session, url, "trusted") == "trusted"
