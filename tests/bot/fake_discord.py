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
from typing import IO, Any

from aiohttp import web

from tests.bot.fake_gateway import BOT as BOT
from tests.bot.fake_gateway import BOT_USER, FakeGateway, Session
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]

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
class Interaction:
    """A person's action, and the bot's answer."""

    id: int
    at: float
    """When it was delivered, on the loop's clock."""
    receivers: list[Session]
    """The sessions by which it was delivered."""
    by: str | None = None
    """The process whose answer was the first; None as long as there is none."""
    answered: float | None = None
    late: list[str] = field(default_factory=list[str])
    """The processes whose answers came too late."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with the first answer."""


@dataclass
class FakeDiscord(FakeGateway):
    """A server that notes what the bot asked of it, and behaves as a test tells it to."""

    requests: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    output: IO[bytes] | int = asyncio.subprocess.PIPE
    """Where what the bot says goes."""
    patience: float | None = None
    """Seconds after which an interaction can no longer be answered (error 10062), 3 with Discord; None: never."""
    interactions: dict[str, Interaction] = field(default_factory=dict[str, Interaction])
    """By their tokens."""
    dms: set[int] = field(default_factory=set[int])
    """The channels that are the direct messages of a person with the bot."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: int = 9_000

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[FakeDiscord]:
        app = web.Application()
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_get("/gateway/{process}/", self._gateway)
        app.router.add_route("*", "/api/{rest:.*}", self._answer)
        app.router.add_route("*", "/{process}/api/{rest:.*}", self._answer)
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

    def addresses(self, process: str = "") -> tuple[str, str]:
        """Where the process of this name finds the HTTP interface and the gateway."""
        return f"http://{self.base}{f'/{process}' if process else ''}/api", self.gateway(process)

    def arguments(self, process: str = "", before: str = "") -> tuple[str, ...]:
        """With these, a Python runs `python -m bot run` with this as its Discord, and the code `before` first."""
        return ("-c", _LAUNCH, *self.addresses(process), before)

    async def start_bot(
        self,
        database: Path,
        *,
        process: str = "",
        before: str = "",
        **environment: str,
    ) -> asyncio.subprocess.Process:
        """Starts the real `python -m bot run` with this as its Discord. It first runs the Python code `before`.

        By the name `process` its sessions and answers can be told from those of others.
        """
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *self.arguments(process, before)),
            cwd=database.parent,
            env={
                **kept,
                "PYTHONPATH": str(ROOT),
                "DISCORD_TOKEN": "x",
                "DATABASE_PATH": str(database),
                "SHARD_COUNT": "1",
                "SECOND_TAP": "0",
                "SUSPENSE": "0",
                **environment,
            },
            stdout=self.output,
            stderr=self.output,
        )

    async def asked_for(self, method: str, part: str) -> Any:
        """Waits for a request whose address contains this, and returns its body."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for made, path, body in self.requests:
                    if made == method and part in path:
                        return body
                self._news.clear()
                await self._news.wait()

    async def fail(self, times: int) -> None:
        """Waits until this many more requests have failed."""
        until = self.failed + times
        async with asyncio.timeout(PATIENCE):
            while self.failed < until:
                await asyncio.sleep(0.02)

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

        Without a server (`guild` 0) the channel is a group DM, or one of `dms`. Returns the interaction's id, which its
        token ends with.
        """
        number = self._next()
        person = {"id": str(user), "username": "ana", "discriminator": "0", "avatar": None}
        pressed = {} if message is None else {"message": message}
        place = self._place(guild, channel, person)
        made = self.interactions[f"token{number}"] = Interaction(
            number, asyncio.get_running_loop().time(), []
        )
        made.receivers = await self.dispatch(
            "INTERACTION_CREATE",
            {
                "id": str(number),
                "application_id": str(BOT),
                "type": kind,
                "data": data,
                "channel_id": str(channel),
                "token": f"token{number}",
                "version": 1,
                "locale": "en-US",
                "entitlements": [],
                "app_permissions": str(permissions),
                "attachment_size_limit": 1000,
                **place,
                **pressed,
            },
        )
        return number

    def _place(self, guild: int, channel: int, person: dict[str, Any]) -> dict[str, Any]:
        """The place of an interaction as Discord describes it, and the person there."""
        if not guild:
            own = channel in self.dms
            place = {"id": str(channel), "type": 1 if own else 3, "name": None, "recipients": [person]}
            owners = {"1": person["id"]}
            return {
                "user": person,
                "channel": place,
                "context": 1 if own else 2,
                "authorizing_integration_owners": owners,
            }
        member = {"user": person, "roles": [], "permissions": "0", "joined_at": None, "flags": 0}
        text = {
            "id": str(channel),
            "type": 0,
            "name": "games",
            "position": 0,
            "permissions": "0",
            "permission_overwrites": [],
            "parent_id": None,
            "nsfw": False,
            "topic": None,
        }
        return {"guild_id": str(guild), "channel": text, "member": member}

    def _next(self) -> int:
        self._ids += 1
        return self._ids

    def refusal(self, process: str, parts: list[str]) -> tuple[int, Any] | None:
        """Why a request about an interaction is refused, as status and body; else notes who has answered it."""
        now = asyncio.get_running_loop().time()
        made = self.interactions.get(parts[2]) if parts[0] in ("interactions", "webhooks") else None
        if made is None:
            return None
        late = self.patience is not None and made.answered is None and now > made.at + self.patience
        if parts[0] == "webhooks":
            return (404, {"code": 10015, "message": "Unknown Webhook"}) if made.answered is None else None
        if made.answered is not None:
            return 400, {"code": 40060, "message": "Interaction has already been acknowledged."}
        if late:
            made.late.append(process)
            return 404, {"code": 10062, "message": "Unknown interaction"}
        made.by, made.answered = process, now
        made.done.set()
        return None

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = path_of(request)
        body = (await request.read()).decode("utf-8", "replace")  # pictures are no text
        try:
            parsed = json.loads(body) if body else None
        except ValueError:
            parsed = body
        self.requests.append((request.method, path, parsed))
        self._news.set()
        if any(part in path for part in self.hangs):
            await asyncio.sleep(3600)
        process = request.match_info.get("process", "")
        refusal = self.refusal(process, path.strip("/").split("/"))
        status, answer = refusal or (200, self._content(request.method, path, process))
        for part, failure in self.fails.items():
            if part in path:
                self.failed += 1
                status, answer = failure
        return web.Response(status=status, body=json.dumps(answer).encode(), content_type="application/json")

    def _content(self, method: str, path: str, process: str = "") -> Any:
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
        if path == "/gateway/bot":
            limit = {"total": 1000, "remaining": self.logins, "reset_after": 3_600_000}
            limit["max_concurrency"] = self.concurrency
            return {"url": self.gateway(process), "shards": self.shards, "session_start_limit": limit}
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


def path_of(request: web.Request) -> str:
    """The address after that of the interface."""
    return "/" + request.match_info["rest"]
