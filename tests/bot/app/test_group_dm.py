"""Matches without a server at the wire: the real program, and a Discord that takes nothing from it but answers."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from tests.bench.busy_discord import NEW, PRIVATE, Answer, BusyDiscord, Shown, mentions, walk
from tests.cogs.limits import COMPONENTS_V2
from tests.cogs.schemas import faults
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

ANA, BEN = 501, 502
GROUP, OWN_DM, NO_SERVER = 88, 89, 0
FOLLOW_UPS = 5
"""How many follow-ups to an interaction Discord takes there."""
ENDS_A_CHOICE = ("g.steal", "g.discard", "g.end", "g.sell-all", "g.sell")
"""The press of a person who is asked and has dug."""


class GroupDiscord(BusyDiscord):
    """Takes nothing in the group and the direct messages but answers to interactions, by tokens that are valid."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.forbidden: list[str] = []
        self.public: list[tuple[str, str, Any]] = []
        """The public requests: methods, paths and bodies."""
        self.follow_ups: Counter[str] = Counter()
        self._expired: set[str] = set()
        self.dms = {OWN_DM}

    def expire(self) -> None:
        """A quarter of an hour passes: no token so far is valid any more."""
        self._expired |= {*self.interactions}

    async def _interact(self, kind: int, data: Any, **options: Any) -> Answer:
        # In direct messages with the bot, every message answers the presses on it.
        in_place = options.pop("in_place", False) or options["channel"] in self.dms
        return await super()._interact(kind, data, **options, in_place=in_place)

    def refusal(self, process: str, parts: list[str]) -> tuple[int, Any] | None:
        if parts[0] == "webhooks" and parts[2] in self._expired:
            return 404, {"code": 10015, "message": "Unknown Webhook"}
        return super().refusal(process, parts)

    def _take(self, method: str, parts: list[str], body: Any, process: str) -> Any:
        if str(GROUP) in parts or str(OWN_DM) in parts:
            self.forbidden.append(f"{method} {'/'.join(parts)}")
        posts = parts[0] in ("interactions", "webhooks") and method == "POST"
        if posts and body["type" if parts[0] == "interactions" else "flags"] in (NEW, COMPONENTS_V2):
            self.public.append((method, "/" + "/".join(parts), body))
        if posts and parts[0] == "webhooks":
            self.follow_ups[parts[2]] += 1
        return super()._take(method, parts, body, process)

    def check(self) -> None:
        assert not self.forbidden
        assert [fault for posted in self.public for fault in faults(*posted)] == []
        assert max(self.follow_ups.values(), default=0) <= FOLLOW_UPS

    def texts(self) -> str:
        """All that everybody in the group can read."""
        shown = self.channels.get(GROUP, {}).values()
        return "\n".join(part.get("content", "") for each in shown for part in walk(each.components))


class Match:
    """People in a group who press, and what the bot's file says."""

    def __init__(self, discord: GroupDiscord, file: Path, own_connections: str) -> None:
        self.discord, self.file = discord, file
        self._settings = {"PICTURES": "off", "THINKERS": "0", "OWN_CONNECTIONS": own_connections}

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[None]:
        """The bot while it runs. It is killed at the end."""
        bot = await self.discord.start_bot(
            self.file, AGENT_DELAY="[0, 0]", REDRAW_INTERVAL="0", **self._settings
        )
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.discord.open_sessions():
                    await asyncio.sleep(0.02)
            yield
        finally:
            bot.kill()
            await bot.communicate()

    def row(self) -> tuple[str, Any]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as file:
            status, body = file.execute("SELECT status, body FROM tables ORDER BY id DESC LIMIT 1").fetchone()
            return status, json.loads(body)

    async def use(self, shown: Shown, intent: str, user: int) -> Shown:
        async with asyncio.timeout(PATIENCE):
            return await (await self.discord.use(shown, intent, user=user, guild=NO_SERVER)).shown

    async def stands(self, intent: str, *, after: int = 0) -> Shown:
        async with asyncio.timeout(PATIENCE):
            return await self.discord.stands(GROUP, intent, after=after)

    async def called(self, user: int | None) -> Shown:
        """The board that calls this person."""
        assert user is not None
        async with asyncio.timeout(PATIENCE):
            while not mentions(board := await self.discord.stands(GROUP, "more"), user):
                await self.discord.changed(GROUP)
            return board

    async def asked(self) -> int | None:
        """The person whose turn it is, once it is a person's; None if the match is over."""
        async with asyncio.timeout(PATIENCE):
            while True:
                status, body = self.row()
                if status == "over":
                    return None
                for seat in body["asked"]:
                    user = body["seats"][int(seat)]["user_id"]
                    if user is not None:
                        return int(user)
                await asyncio.sleep(0.02)

    async def turns(self, most: int) -> bool:
        """Has people take so many turns, each from a private screen. Returns whether the match is over."""
        for _ in range(most):
            user = await self.asked()
            if user is None:
                return True
            own = await self.use(await self.stands("hand"), "hand", user)
            assert own.flags & PRIVATE
            dig = own.control("g.dig")
            own = await self.use(own, "g.dig", user) if dig else own
            wanted = next((intent for intent in ENDS_A_CHOICE if own.control(intent)), None)
            if wanted is not None:
                await self.use(own, wanted, user)
        return False


@pytest.mark.parametrize("own_connections", ["on", "off"])
async def test_a_match_of_two_people_and_an_agent_from_the_command_to_the_podium(
    tmp_path: Path, own_connections: str
) -> None:
    async with GroupDiscord().serving() as discord:
        assert isinstance(discord, GroupDiscord)
        match = Match(discord, tmp_path / "digsite.sqlite3", own_connections)
        async with match.bot():
            await discord.command("start", user=ANA, guild=NO_SERVER, channel=GROUP, agents=1)
            lobby = await match.stands("join")
            await match.use(lobby, "join", BEN)
            await match.use(await match.stands("start"), "start", ANA)
            await match.called(await match.asked())
            await match.turns(4)
            discord.expire()
            before = discord.texts()
            await match.turns(4)
            assert discord.texts() != before
        discord.expire()
        async with match.bot():
            await match.turns(4)
            assert "your sets bring" not in discord.texts()
            async with asyncio.timeout(PATIENCE):
                while not await match.turns(10):
                    pass
            result = await match.stands("again")
            assert "🏆" in discord.texts()
            await match.use(result, "again", BEN)
            following = await match.stands("join", after=result.id)
            assert mentions(following, ANA)
        discord.check()


@pytest.mark.parametrize("own_connections", ["on", "off"])
async def test_a_match_alone_in_direct_messages_from_the_command_to_the_podium(
    tmp_path: Path, own_connections: str
) -> None:
    async with GroupDiscord().serving() as discord:
        assert isinstance(discord, GroupDiscord)
        match = Match(discord, tmp_path / "digsite.sqlite3", own_connections)
        async with match.bot():
            started = await discord.command("start", user=ANA, guild=NO_SERVER, channel=OWN_DM, agents=1)
            async with asyncio.timeout(PATIENCE):
                number = (await started.shown).id
                while not (screen := discord.channels[OWN_DM][number]).control("again"):
                    assert not screen.flags & PRIVATE
                    intent = next(filter(screen.control, ("g.dig", *ENDS_A_CHOICE)), None)
                    if intent is not None:
                        await match.use(screen, intent, ANA)
                    else:  # computer players are at it
                        await discord.changed(OWN_DM)
            assert any("🏆" in part.get("content", "") for part in walk(screen.components))
        discord.check()
