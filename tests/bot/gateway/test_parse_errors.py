"""Events that discord.py cannot read end neither the bot nor, unless nothing can be done, a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.tables.model import Table
from tests.bot.app.test_running import dig, moves_on_file, sent_stop
from tests.bot.fake_discord import FakeDiscord
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

SECRET = "a word of Ana's"
GUILD, CHANNEL = "1", "77"

Event = tuple[str, dict[str, Any]]


@pytest.fixture
async def discord_here() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord(tells_of_guilds=True).serving() as fake:
        yield fake


def interaction(**changed: Any) -> Event:
    """A press as Discord describes it, with these fields changed; None takes a field away."""
    person = {"id": "7", "username": SECRET, "discriminator": "0", "avatar": None}
    whole = {
        "id": "9",
        "application_id": "1",
        "type": 3,
        "token": SECRET,
        "version": 1,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "channel": {"id": CHANNEL, "type": 0},
        "member": {"user": person, "roles": [], "permissions": "0", "joined_at": None, "flags": 0},
        "data": {"custom_id": SECRET, "component_type": 2},
        "attachment_size_limit": 1000,
        "app_permissions": "2048",
    }
    kept = {name: value for name, value in (whole | changed).items() if value is not None}
    return "INTERACTION_CREATE", kept


UNREADABLE: tuple[Event, ...] = (
    interaction(token=None),
    interaction(id=SECRET),
    interaction(data=None),
    interaction(data={"custom_id": SECRET}),
    interaction(member={"permissions": SECRET}),
    interaction(app_permissions=SECRET),
    interaction(channel={"type": 0}),
    interaction(channel=[SECRET]),
    interaction(message={"id": SECRET, "components": [{}]}),
    interaction(type=5, data={"custom_id": SECRET}),
    ("GUILD_CREATE", {"id": GUILD, "name": SECRET, "roles": None, "threads": None}),
    ("GUILD_CREATE", {"id": SECRET}),
    ("GUILD_DELETE", {}),
    ("CHANNEL_DELETE", {"guild_id": GUILD}),
    ("THREAD_CREATE", {"guild_id": GUILD, "id": SECRET}),
    ("THREAD_DELETE", {"guild_id": GUILD}),
)
UNUSUAL: tuple[Event, ...] = (
    interaction(id="10", channel={"id": CHANNEL, "type": 99}),
    interaction(id="11", channel=None),
    ("CHANNEL_DELETE", {"guild_id": GUILD, "id": "5", "type": 99}),
    ("SOMETHING_NEW", {"word": SECRET}),
)


async def test_unparsable_event_is_skipped_and_logged_by_kind(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path)
    await discord_here.connected()
    for event, data in (*UNREADABLE, *UNUSUAL, *UNREADABLE):
        for session in discord_here.open_sessions():
            session.send(event, data)
    press = await dig(discord_here, table)
    await discord_here.asked_for("POST", f"/interactions/{press}/")
    status, _taken, said = await sent_stop(bot)
    assert status == 0, said
    assert await moves_on_file(path, table) == [press]
    assert SECRET not in said
    assert "Traceback" not in said
    assert len(discord_here.sessions) == 1, "the connection has lasted"
    lines = [line for line in said.splitlines() if "skipped an event" in line]
    first = [line for line in lines if "more of this kind" not in line]
    assert len(first) == len({line.partition("could not be parsed: ")[2] for line in first}), "each kind once"
    kinds = {line.partition("could not be parsed: ")[2].partition(",")[0] for line in first}
    assert kinds == {event for event, _data in UNREADABLE}
    assert "INTERACTION_CREATE, KeyError at interactions.py:" in said


@pytest.mark.parametrize("lacking", ["user", "session_id"])
async def test_connection_with_unparsable_ready_is_reopened(
    discord_here: FakeDiscord, path: Path, table: Table, lacking: str
) -> None:
    discord_here.lacking = [(lacking,)]
    bot = await discord_here.start_bot(path)
    async with asyncio.timeout(PATIENCE):
        while len(discord_here.sessions) < 2:
            await asyncio.sleep(0.02)
    assert discord_here.open_sessions() == discord_here.sessions[1:], "the useless one is closed"
    press = await dig(discord_here, table)
    await discord_here.asked_for("POST", f"/interactions/{press}/")
    status, _taken, said = await sent_stop(bot)
    assert status == 0, said
    assert "could not parse a frame, reconnecting: shard 0, KeyError at " in said
    assert "Traceback" not in said
    assert len(discord_here.sessions) == 2
