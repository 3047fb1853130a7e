"""The bot is killed while it calls the next player: one call stands, also where the bot may not read the channel."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import pytest
from aiohttp import web

from bot.clock import SystemClock
from bot.tables.model import Table
from tests.bench.busy_discord import ALL_PERMISSIONS, BusyDiscord, Shown, mentions
from tests.bot.tables.samples import ANA, BEN, Presses, match_of, tables_on
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

CHANNEL, SERVER = 77, 1
READ_MESSAGE_HISTORY: Final = 1 << 16
RAPID: Final = 3
"""How often the bot is killed again, each time one request later after its start."""


class KillingDiscord(BusyDiscord):
    """Keeps what is posted, knows nonces, and kills the bot when it has taken a request."""

    def __init__(self, *, readable: bool) -> None:
        super().__init__(0.005)
        self.readable = readable
        """Whether the bot has the permission Read Message History."""
        self.victim: asyncio.subprocess.Process | None = None
        self.spared: int | None = None
        """How many more requests are taken before the one at which the bot is killed; None: it is not killed."""
        self.kills_at_a_call = False
        """Whether the bot is killed when it has posted a call."""
        self.called: list[tuple[int, int]] = []
        """Every message that was posted and rings for a player: the ids of the player and of the message."""
        self._nonces: dict[str, int] = {}

    async def interact(self, kind: int, data: Any, **options: Any) -> int:
        allowed = ALL_PERMISSIONS if self.readable else ALL_PERMISSIONS & ~READ_MESSAGE_HISTORY
        return await super().interact(kind, data, **{**options, "permissions": allowed})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.method == "GET" and request.path.endswith("/messages") and not self.readable:
            return web.Response(body=b"[]", headers={"Content-Type": "application/json"})
        if request.method == "PATCH" and "/channels/" in request.path and not self._stands(request.path):
            return web.json_response({"code": 10008, "message": "Unknown Message"}, status=404)
        return await super()._answer(request)

    def _stands(self, path: str) -> bool:
        """Whether the message with this path has not been deleted."""
        return int(path.rpartition("/")[2]) in self.channels.setdefault(CHANNEL, {})

    def _take(self, method: str, parts: list[str], body: Any, process: str) -> Any:
        calls = len(self.called)
        taken = self._carry_out(method, parts, body, process)
        if self.kills_at_a_call and len(self.called) > calls:
            self.spared = 0
        if parts[0] in ("channels", "interactions", "webhooks") and self.spared is not None:
            self.spared -= 1
            if self.spared < 0:
                self.spared, self.kills_at_a_call = None, False
                assert self.victim is not None
                os.kill(self.victim.pid, signal.SIGKILL)
        return taken

    def _carry_out(self, method: str, parts: list[str], body: Any, process: str) -> Any:
        there = self.channels.setdefault(CHANNEL, {})
        match parts:
            case ["channels", _channel, "messages"] if method == "GET":
                return [self._described(there[number]) for number in sorted(there, reverse=True)]
            case ["channels", _channel, "messages"] if method == "POST":
                posted = there.get(self._nonces.get(body["nonce"], 0))
                if posted is not None:
                    return self._described(posted)
        before = set(there)
        made = super()._take(method, parts, body, process)
        for number in set(there) - before:
            if parts[0] == "channels":
                self._nonces[body["nonce"]] = number
            rung = (body.get("allowed_mentions") or {}).get("users", ())
            self.called += [(int(user), number) for user in rung]
        return made

    def _described(self, shown: Shown) -> Any:
        return self._with_files(CHANNEL, shown.id, {}) | {"components": shown.components}

    def calls(self) -> list[Shown]:
        """The messages that stand there and say whose turn it is to the players themselves."""
        standing = self.channels.get(CHANNEL, {}).values()
        return [shown for shown in standing if mentions(shown, ANA) or mentions(shown, BEN)]


class Match:
    """A match in a file, played by people through a Discord that may kill the bot."""

    def __init__(self, discord: KillingDiscord, file: Path, table: Table, own_connections: str) -> None:
        self.discord, self.file, self.table = discord, file, table
        self._settings = {"PICTURES": "off", "THINKERS": "0", "OWN_CONNECTIONS": own_connections}

    @asynccontextmanager
    async def bot(self, *, spared: int | None = None) -> AsyncIterator[asyncio.subprocess.Process]:
        """The bot while it runs. It is killed at the end, if not earlier."""
        self.discord.spared = spared
        bot = await self.discord.start_bot(self.file, AGENT_DELAY="[0, 0]", **self._settings)
        self.discord.victim = bot
        try:
            yield bot
        finally:
            self.discord.spared = None
            if bot.returncode is None:
                bot.kill()
            await bot.communicate()

    def _read(self, question: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as file:
            return [row[0] for row in file.execute(question)]

    def body(self) -> Any:
        [body] = self._read("SELECT body FROM tables")
        return json.loads(body)

    def asked(self) -> int:
        """The person whose turn it is."""
        [seat] = self.body()["asked"]
        return (ANA, BEN)[int(seat)]

    def settled(self) -> bool:
        """Whether the bot has noted that it has called whoever's turn it is, and nothing is left to draw."""
        body = self.body()
        noted = body["messages"]
        due = self._read(f"SELECT count(*) FROM jobs WHERE kind = 'redraw' AND due < {time.time() + 5}")
        called = {seat: since for seat, (since, _reminds) in noted["called"].items()}
        asked = {seat: each["since"] for seat, each in body["asked"].items()}
        return (
            called.items() >= asked.items()
            and noted["announcement"] is not None
            and not noted.get("calling")
            and due == [0]
        )

    async def comes_to_rest(self, bot: asyncio.subprocess.Process, *, after: int | None = None) -> bool:
        """Waits until the match is settled, and it is not the turn of `after`. Returns False if the bot is killed."""
        async with asyncio.timeout(PATIENCE):
            while bot.returncode is None:
                if self.settled() and self.asked() != after:
                    return True
                await asyncio.sleep(0.02)
        return False

    async def turn_ends(self, *, spared: int | None = None) -> int:
        """Whoever's turn it is digs and presses End Turn; returns who, when the press has been delivered.

        From that press on the bot is killed at the request after so many.
        """
        user = self.asked()
        board = await self.discord.stands(CHANNEL, "g.dig")
        private = await (await self.discord.use(board, "g.dig", user=user, guild=SERVER)).shown
        self.discord.spared = spared
        await self.discord.use(private, "g.end", user=user, guild=SERVER)
        return user

    def check(self) -> None:
        """The player whose turn it is was called, and that is the only call that stands."""
        user = self.asked()
        [standing] = self.discord.calls()
        assert mentions(standing, user)
        assert (user, standing.id) in self.discord.called
        assert standing.id == self.body()["messages"]["announcement"]


@pytest.fixture(
    params=[(True, "on"), (False, "off")], ids=["history, own connections", "no history, aiohttp"]
)
async def match(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Match]:
    """A match in which it is Ana's turn, in a channel that the bot may or may not read."""
    file = tmp_path / "digsite.sqlite3"
    async with tables_on(file, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=CHANNEL, first=0)
    readable, own_connections = request.param
    async with KillingDiscord(readable=readable).serving() as discord:
        assert isinstance(discord, KillingDiscord)
        yield Match(discord, file, table, own_connections)


async def test_a_call_stands_once_at_whichever_request_the_bot_is_killed(match: Match) -> None:
    struck, spared = True, 0
    while struck:
        async with match.bot() as bot:
            assert await match.comes_to_rest(bot)
            match.check()
            user = await match.turn_ends(spared=spared)
            struck = not await match.comes_to_rest(bot, after=user)
        spared += 1
    assert spared > 3, "the answer, the call and the board at least"
    match.check()


async def test_a_call_stands_once_although_the_bot_is_killed_again_and_again(match: Match) -> None:
    async with match.bot() as bot:
        assert await match.comes_to_rest(bot)
        match.discord.kills_at_a_call = True
        await match.turn_ends()
        await bot.wait()
    for spared in range(RAPID):
        async with match.bot(spared=spared) as bot:
            await match.comes_to_rest(bot)
    async with match.bot() as bot:
        assert await match.comes_to_rest(bot)
    match.check()


async def test_a_call_that_is_due_no_longer_after_the_restart_does_not_stay(match: Match) -> None:
    """The player has moved before the new process has drawn anything."""
    async with match.bot() as bot:
        assert await match.comes_to_rest(bot)
        match.discord.kills_at_a_call = True
        await match.turn_ends()
        await bot.wait()
    [stale] = match.discord.calls()
    async with tables_on(match.file, SystemClock()) as tables:
        table = await tables.get(match.table.id)
        presses = Presses(tables, CHANNEL)
        while match.asked() == BEN:
            table = await presses.move(table)
    async with match.bot() as bot:
        assert await match.comes_to_rest(bot)
    match.check()
    assert stale not in match.discord.calls()
