"""A small Discord on this machine: as much of its HTTP interface and gateway as `python -m bot run` needs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

ROOT = Path(__file__).parents[2]
BOT = 4242
BOT_USER = {"id": str(BOT), "username": "digsite", "discriminator": "0", "avatar": None, "bot": True}

_LAUNCH = """
import runpy, sys, yarl
import discord.http, discord.gateway
discord.http.Route.BASE = sys.argv.pop(1)
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv.pop(1))
exec(sys.argv.pop(1))
sys.argv[:] = ["bot", "run"]
runpy.run_module("bot", run_name="__main__")
"""


@dataclass
class FakeDiscord:
    """A server that notes what the bot asked of it, and behaves as a test tells it to."""

    base: str = ""
    requests: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    hangs: tuple[str, ...] = ()
    """Requests whose address contains one of these are never answered; "gateway": nor is the bot's goodbye."""
    guilds: tuple[int, ...] = (1,)
    """The servers that the bot is on. They stay unavailable, so the bot learns nothing more about them."""
    fails: dict[str, tuple[int, Any]] = field(default_factory=dict[str, tuple[int, Any]])
    """Requests whose address contains such a part fail with this status and body; "gateway" makes connecting fail."""
    failed: int = 0
    """How many requests have failed."""
    closes_with: int = 0
    """The code with which each connection to the gateway is closed after the bot has identified itself; 0: none is."""
    closes_early: bool = False
    """Whether connections are closed with that code before anything else was sent."""
    _identified: asyncio.Event = field(default_factory=asyncio.Event)
    socket: web.WebSocketResponse | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: int = 9_000

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[FakeDiscord]:
        app = web.Application()
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_route("*", "/api/{rest:.*}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        self.base = f"127.0.0.1:{port}"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def start_bot(
        self, database: Path, *, before: str = "", **environment: str
    ) -> asyncio.subprocess.Process:
        """Starts the real `python -m bot run` with this as its Discord. It first runs the Python code `before`."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _LAUNCH, f"http://{self.base}/api", f"ws://{self.base}/gateway/", before),
            cwd=database.parent,
            env={
                **kept,
                "PYTHONPATH": str(ROOT),
                "DISCORD_TOKEN": "x",
                "DATABASE_PATH": str(database),
                "SHARD_COUNT": "1",
                **environment,
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def connected(self) -> None:
        """Waits until the bot is connected to the gateway."""
        async with asyncio.timeout(20):
            await self._identified.wait()

    async def asked_for(self, method: str, part: str) -> Any:
        """Waits for a request whose address contains this, and returns its body."""
        async with asyncio.timeout(20):
            while True:
                for made, path, body in self.requests:
                    if made == method and part in path:
                        return body
                self._news.clear()
                await self._news.wait()

    async def fail(self, times: int) -> None:
        """Waits until this many more requests have failed."""
        until = self.failed + times
        async with asyncio.timeout(30):
            while self.failed < until:
                await asyncio.sleep(0.02)

    async def dispatch(self, event: str, data: dict[str, Any]) -> None:
        """Tells the bot that something has happened."""
        assert self.socket is not None
        await self.socket.send_str(json.dumps({"op": 0, "t": event, "s": self._next(), "d": data}))

    async def press(
        self, custom_id: str, *, user: int, channel: int, message: int, values: list[str] | None = None
    ) -> int:
        """Makes a person press a button or choose in a menu; returns the id of the interaction."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
        if values is not None:
            data |= {"component_type": 3, "values": values}
        return await self.interact(
            3, data, user=user, channel=channel, message=self._message(channel, message)
        )

    async def interact(
        self,
        kind: int,
        data: dict[str, Any],
        *,
        user: int,
        channel: int,
        guild: int = 1,
        message: dict[str, Any] | None = None,
        permissions: int = 0,
    ) -> int:
        """Makes a person press a button (3) or use a command (2) in a server where the bot has these permissions.

        Returns the interaction's id, which its token ends with.
        """
        number = self._next()
        person = {"id": str(user), "username": "ana", "discriminator": "0", "avatar": None}
        pressed = {} if message is None else {"message": message}
        await self.dispatch(
            "INTERACTION_CREATE",
            {
                "id": str(number),
                "application_id": str(BOT),
                "type": kind,
                "data": data,
                "guild_id": str(guild),
                "channel_id": str(channel),
                "channel": {
                    "id": str(channel),
                    "type": 0,
                    "name": "games",
                    "position": 0,
                    "permissions": "0",
                    "permission_overwrites": [],
                    "parent_id": None,
                    "nsfw": False,
                    "topic": None,
                },
                "member": {"user": person, "roles": [], "permissions": "0", "joined_at": None, "flags": 0},
                "token": f"token{number}",
                "version": 1,
                "locale": "en-US",
                "entitlements": [],
                "app_permissions": str(permissions),
                "attachment_size_limit": 1000,
                **pressed,
            },
        )
        return number

    def _next(self) -> int:
        self._ids += 1
        return self._ids

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api")
        body = (await request.read()).decode("utf-8", "replace")  # pictures are no text
        try:
            parsed = json.loads(body) if body else None
        except ValueError:
            parsed = body
        self.requests.append((request.method, path, parsed))
        self._news.set()
        if any(part in path for part in self.hangs):
            await asyncio.sleep(3600)
        status, answer = 200, self._content(request.method, path)
        for part, failure in self.fails.items():
            if part in path:
                self.failed += 1
                status, answer = failure
        return web.Response(status=status, body=json.dumps(answer).encode(), content_type="application/json")

    def _content(self, method: str, path: str) -> Any:
        parts = path.strip("/").split("/")
        if path == "/users/@me":
            return BOT_USER
        if path == "/oauth2/applications/@me":
            return {"id": str(BOT), "name": "digsite", "description": "", "flags": 0, "verify_key": ""} | {
                "icon": None,
                "bot_public": True,
                "owner": BOT_USER,
                "bot_require_code_grant": False,
                "team": None,
            }
        if parts[-1] == "callback":
            message = self._message(1, self._next())
            made = {"interaction": {"id": parts[1], "type": 3}, "resource": {"type": 4, "message": message}}
            made["interaction"]["response_message_id"] = message["id"]
            return made
        if parts[-1] == "commands":
            return []
        if parts[-1] == "emojis":
            number = self._next()
            return {"items": []} if method == "GET" else {"id": str(number), "name": f"emoji_{number}"}
        if parts[0] == "channels" and method in ("POST", "PATCH"):
            return self._message(int(parts[1]), int(parts[3]) if len(parts) > 3 else self._next())
        if parts[0] == "webhooks" and method in ("POST", "PATCH"):
            return self._message(1, self._next())
        return {}

    def _message(self, channel: int, number: int) -> dict[str, Any]:
        return {
            "id": str(number),
            "channel_id": str(channel),
            "author": BOT_USER,
            "content": "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "flags": 0,
            "components": [],
        }

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if "gateway" in self.fails:
            self.failed += 1
            return web.Response(status=self.fails["gateway"][0])
        self.socket = socket = web.WebSocketResponse(autoclose="gateway" not in self.hangs)
        await socket.prepare(request)
        if self.closes_early:
            await socket.close(code=self.closes_with)
            return socket
        await socket.send_str(
            json.dumps({"op": 10, "d": {"heartbeat_interval": 40_000}, "s": None, "t": None})
        )
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == 1:
                await socket.send_str(json.dumps({"op": 11, "d": None, "s": None, "t": None}))
            elif said["op"] == 2:
                guilds = [{"id": str(guild), "unavailable": True} for guild in self.guilds]
                ready = {"v": 10, "user": BOT_USER, "guilds": guilds, "session_id": "s", "shard": [0, 1]}
                ready |= {"application": {"id": str(BOT), "flags": 0}}
                ready |= {"resume_gateway_url": f"ws://{self.base}/gateway/"}
                await self.dispatch("READY", ready)
                self._identified.set()
            elif said["op"] == 6:
                await self.dispatch("RESUMED", {})
            if said["op"] in (2, 6) and self.closes_with:
                await socket.close(code=self.closes_with)
        if "gateway" in self.hangs:
            await asyncio.sleep(3600)
        return socket
