"""The bot is removed from a server, or the server has an outage: told apart as Discord tells them apart."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.tables.model import DAY, HOUR
from tests.cogs.table_driver import Room
from tests.patience import PATIENCE


async def until_asleep(room: Room, *, asleep: bool = True) -> None:
    """Waits until the bot has done what a removal, or an invitation, calls for."""
    async with asyncio.timeout(PATIENCE):
        while ((await room.table()).body.asleep is not None) != asleep:
            await asyncio.sleep(0.005)
    await room.env.settle()


def requests(room: Room) -> int:
    return len(room.env.http_requests)


async def test_a_removal_has_the_match_sleep_without_another_request_or_warning(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    await room.match_of("Ana", "Ben", agents=1, turn_limit="1h")
    room.env.backend.remove_guild(room.guild.id)
    await until_asleep(room)
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    before = requests(room)
    for _ in range(6):
        await room.later(HOUR)
    assert requests(room) == before
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == warned
    assert len(warned) == 1
    await room.restart()
    assert (await room.table()).live
    await room.later(7 * DAY)
    table = await room.table()
    assert (table.status, table.body.ending) == ("abandoned", "server-left")


async def test_a_removal_while_the_bot_was_down_is_found_at_its_start(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    await room.host.close()
    del room.env.backend.guilds[room.guild.id]
    await room.restart()
    await until_asleep(room)
    table = await room.table()
    assert table.body.asleep is not None
    assert table.live, "it sleeps, and is not ended yet"


async def test_an_outage_of_the_server_is_no_removal(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    room.env.backend.emit("GUILD_DELETE", {"id": str(room.guild.id), "unavailable": True})
    await room.env.settle()
    await room.restart()
    await room.env.settle()
    assert (await room.table()).body.asleep is None
    assert " · 💰 $" in (await ana.hand()).text


async def test_an_invitation_wakes_the_match_and_draws_it(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    board = await room.board()
    await room.host.housekeeping.removals.left(room.guild.id)
    table = await room.table()
    async with room.host.tables.change(table.id) as draft:
        draft.log_event("paused")
        draft.touch()
    await room.later(HOUR)
    assert "paused" not in board.text, "nothing is drawn meanwhile"
    guild = room.bot.get_guild(room.guild.id)
    assert guild is not None
    room.bot.dispatch("guild_join", guild)
    await until_asleep(room, asleep=False)
    await room.catch_up()
    assert "paused" in board.text
