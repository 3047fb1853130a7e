"""The gateway of a small Discord on this machine: any number of processes connect, each for any of the bot's shards."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from tests.patience import PATIENCE

BOT = 4242
BOT_USER = {"id": str(BOT), "username": "digsite", "discriminator": "0", "avatar": None, "bot": True}

IDENTIFY_EVERY: Final = 5.0
"""Seconds between two identifies in a bucket. Earlier ones are refused, and the session is invalid."""
RESUMABLE: Final = 60.0
"""Seconds after a lost connection for which its session can be resumed."""
KEPT: Final = 1_000
"""Events of a session that are kept for a resumption."""
HEARTBEAT: Final = 41.25
"""Seconds between two heartbeats that clients are asked for."""


@dataclass(eq=False)
class Session:
    """A session of one process for one shard, over one connection or, after resumptions, several."""

    id: str
    process: str
    """The name in the address at which the process connected."""
    shard: int
    shard_count: int
    socket: web.WebSocketResponse
    opened: float
    """When READY was sent, on the loop's clock."""
    lost: float | None = None
    """When its connection was lost; None while it is open."""
    over: bool = False
    """Whether its process has said goodbye, so that it cannot be resumed."""
    _number: int = 0
    _sent: deque[tuple[int, str]] = field(default_factory=lambda: deque[tuple[int, str]](maxlen=KEPT))
    _queue: asyncio.Queue[str] = field(default_factory=asyncio.Queue[str])
    _writer: asyncio.Task[None] | None = None

    @property
    def open(self) -> bool:
        return self.lost is None

    def send(self, event: str, data: dict[str, Any]) -> None:
        """Sends an event. It never waits, even if the process does not read: Discord does not either."""
        self._number += 1
        text = json.dumps({"op": 0, "t": event, "s": self._number, "d": data})
        self._sent.append((self._number, text))
        if self.open:
            self._queue.put_nowait(text)

    def connect(self, socket: web.WebSocketResponse) -> None:
        self.socket, self.lost = socket, None
        self._queue = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(socket, self._queue))

    def resume(self, socket: web.WebSocketResponse, seen: int) -> None:
        """Goes on over another connection with what was sent after the event of this number."""
        self.connect(socket)
        for number, text in self._sent:
            if number > seen:
                self._queue.put_nowait(text)

    def disconnect(self) -> None:
        if self.open:
            self.lost = asyncio.get_running_loop().time()
        if self._writer is not None:
            self._writer.cancel()

    async def flush(self) -> None:
        """Waits until all that was sent is on its way."""
        await self._queue.join()

    async def _write(self, socket: web.WebSocketResponse, queue: asyncio.Queue[str]) -> None:
        while True:
            text = await queue.get()
            try:
                await socket.send_str(text)
            except ConnectionError:
                pass  # the reader of this connection notices, and ends the session's connection
            finally:
                queue.task_done()


@dataclass
class FakeGateway:
    """Takes connections at `/gateway/NAME/`, where NAME may be empty, and sends events to all sessions of a shard."""

    base: str = ""
    hangs: tuple[str, ...] = ()
    """Requests whose address contains one of these are never answered; "gateway": nor is the bot's goodbye."""
    guilds: Collection[int] = (1,)
    """The servers that the bot is on."""
    tells_of_guilds: bool = False
    """Whether the bot is told more of them than their ids. Else they stay unavailable."""
    fails: dict[str, tuple[int, Any]] = field(default_factory=dict[str, tuple[int, Any]])
    """Requests whose address contains such a part fail with this status and body; "gateway" makes connecting fail."""
    failed: int = 0
    """How many requests have failed."""
    closes_with: int = 0
    """The code with which each connection to the gateway is closed after the bot has identified itself; 0: none is."""
    closes_early: bool = False
    """Whether connections are closed with that code before anything else was sent."""
    shards: int = 1
    """How many shards it advises."""
    concurrency: int = 1
    """How many buckets identifies are in: a shard's is the remainder of its number by this."""
    logins: int = 1000
    """How often shards may still identify, as `/gateway/bot` tells it."""
    keeps_identify_limit: bool = False
    """Whether a second identify of a bucket within `IDENTIFY_EVERY` is refused. Tests that reconnect need not wait."""
    resumes: bool = True
    """Whether a session whose connection was lost can be resumed. Else its shard has to identify anew."""
    lacking: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """The fields that each of the next READY events lacks."""
    sessions: list[Session] = field(default_factory=list[Session])
    """All sessions so far."""
    identified: dict[int, list[float]] = field(default_factory=dict[int, list[float]])
    """When identifies came, by bucket, on the loop's clock."""
    refused_identifies: int = 0
    socket: web.WebSocketResponse | None = None
    """The newest connection."""
    _identified: asyncio.Event = field(default_factory=asyncio.Event)

    def gateway(self, process: str = "") -> str:
        """The address at which this process is to connect."""
        return f"ws://{self.base}/gateway/{f'{process}/' if process else ''}"

    async def connected(self) -> None:
        """Waits until the bot is connected to the gateway."""
        async with asyncio.timeout(PATIENCE):
            await self._identified.wait()

    def open_sessions(self, guild: int | None = None) -> list[Session]:
        """The sessions that are open: those of a server's shard, or all."""
        return [
            session
            for session in self.sessions
            if session.open and (guild is None or (guild >> 22) % session.shard_count == session.shard)
        ]

    async def dispatch(self, event: str, data: dict[str, Any]) -> list[Session]:
        """Tells the bot that something has happened, by each session of the server's shard; returns those."""
        guild = data.get("guild_id") or (data["id"] if event.startswith("GUILD_") else None)
        receivers = self.open_sessions(None if guild is None else int(guild))
        for session in receivers:
            session.send(event, data)
        return receivers

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if "gateway" in self.fails:
            self.failed += 1
            return web.Response(status=self.fails["gateway"][0])
        self.socket = socket = web.WebSocketResponse(autoclose="gateway" not in self.hangs)
        try:
            return await self._serve_gateway(request, socket)
        except ConnectionError:  # the process has gone before anything was said
            return socket

    async def _serve_gateway(self, request: web.Request, socket: web.WebSocketResponse) -> web.StreamResponse:
        await socket.prepare(request)
        if self.closes_early:
            await socket.close(code=self.closes_with)
            return socket
        hello = {"op": 10, "d": {"heartbeat_interval": HEARTBEAT * 1000}, "s": None, "t": None}
        await socket.send_str(json.dumps(hello))
        session: Session | None = None
        goodbye = False
        try:
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                said = json.loads(message.data)
                if said["op"] == 1:
                    await socket.send_str(json.dumps({"op": 11, "d": None, "s": None, "t": None}))
                elif said["op"] in (2, 6):
                    begun = self._identify if said["op"] == 2 else self._resume
                    session = begun(request.match_info.get("process", ""), socket, said["d"])
                    if session is None:
                        await socket.send_str(json.dumps({"op": 9, "d": False, "s": None, "t": None}))
                    elif self.closes_with:
                        await session.flush()
                        await socket.close(code=self.closes_with)
            goodbye = message.type is WSMsgType.CLOSE and message.data == WSCloseCode.OK
        finally:
            if session is not None and session.socket is socket:
                session.disconnect()
                session.over = goodbye
        if "gateway" in self.hangs:
            await asyncio.sleep(3600)
        return socket

    def _identify(self, process: str, socket: web.WebSocketResponse, said: dict[str, Any]) -> Session | None:
        now = asyncio.get_running_loop().time()
        shard, count = said.get("shard") or (0, 1)
        times = self.identified.setdefault(shard % self.concurrency, [])
        early = bool(times) and now - times[-1] < IDENTIFY_EVERY
        times.append(now)
        if early and self.keeps_identify_limit:
            self.refused_identifies += 1
            return None
        session = Session(f"session{len(self.sessions)}", process, shard, count, socket, now)
        self.sessions.append(session)
        session.connect(socket)
        guilds = [
            {"id": str(guild), "unavailable": True} for guild in self.guilds if (guild >> 22) % count == shard
        ]
        ready = {
            "v": 10,
            "user": BOT_USER,
            "guilds": guilds,
            "session_id": session.id,
            "shard": [shard, count],
        }
        ready |= {"application": {"id": str(BOT), "flags": 0}}
        ready |= {"resume_gateway_url": self.gateway(process)}
        lacking = self.lacking.pop(0) if self.lacking else ()
        session.send("READY", {name: value for name, value in ready.items() if name not in lacking})
        if self.tells_of_guilds:
            for guild in guilds:
                session.send("GUILD_CREATE", _guild(int(guild["id"])))
        self._identified.set()
        return session

    def _resume(self, _process: str, socket: web.WebSocketResponse, said: dict[str, Any]) -> Session | None:
        now = asyncio.get_running_loop().time()
        for session in self.sessions:
            resumable = not session.over and (session.lost is None or now - session.lost < RESUMABLE)
            if session.id == said["session_id"] and resumable and self.resumes:
                session.resume(socket, said["seq"])
                session.send("RESUMED", {})
                return session
        return None


def _guild(guild: int) -> dict[str, Any]:
    everyone = {"id": str(guild), "name": "@everyone", "permissions": "0", "position": 0, "color": 0}
    everyone |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    everyone["colors"] = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    return {
        "id": str(guild),
        "name": "a server",
        "owner_id": "1",
        "roles": [everyone],
        "channels": [],
        "threads": [],
        "members": [],
        "member_count": 3,
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": "en-US",
        "premium_tier": 0,
        "verification_level": 0,
        "explicit_content_filter": 0,
        "default_message_notifications": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "afk_timeout": 0,
        "system_channel_flags": 0,
    }
