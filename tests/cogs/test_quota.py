"""The texts for people who may open no more tables, and the actions that count as opening one."""

from __future__ import annotations

import asyncio

import pytest

from bot.settings import Settings
from bot.tables.model import MINUTE, Table
from bot.tables.quota import Limits, Quota
from bot.ui.display.state import PrivateScreen
from bot.ui.router import PRESSES_AT_ONCE
from bot.ui.screens.kit import Screen
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_match import ended_match
from tests.patience import PATIENCE


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"tables_per_person": 2})


def limited(room: Room, limits: Limits) -> None:
    """Other limits than this page's bot has."""
    room.host.tables._quota = Quota(limits)


async def started_elsewhere(room: Room, person: Person) -> Page:
    """The result of opening a table in another channel."""
    room.channel = room.guild.create_text_channel("elsewhere")
    return await person.command("start")


async def test_who_has_as_many_live_tables_as_one_may_have_is_told_what_to_do(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    for _ in range(2):
        assert "Join" in (await started_elsewhere(room, ana)).buttons
    refused = await started_elsewhere(room, ana)
    assert refused.ephemeral
    assert "You've opened 2 tables" in refused.text
    assert f"`/{room.game} end`" in refused.text
    assert "Join" in (await started_elsewhere(room, ben)).buttons
    room.locales[ana.id] = "de"
    assert "Du hast 2 Tische eröffnet" in (await started_elsewhere(room, ana)).text


async def test_play_again_counts_like_any_other_start(room: Room) -> None:
    (ana, ben), result = await ended_match(room)
    here = room.channel
    for _ in range(2):
        await started_elsewhere(room, ana)
    room.channel = here
    assert "You've opened 2 tables" in (await ana.press(result, "Play Again")).text
    assert "Join" in (await ben.press(result, "Play Again")).buttons


async def test_a_table_that_is_ended_makes_room(room: Room) -> None:
    ana = room.person("Ana")
    lobby = await ana.command("start")
    await started_elsewhere(room, ana)
    await ana.press(lobby, "Leave")
    assert "Join" in (await started_elsewhere(room, ana)).buttons


async def test_a_server_that_is_full_says_so(room: Room) -> None:
    limited(room, Limits(per_server=1))
    await room.person("Ana").command("start")
    refused = await started_elsewhere(room, room.person("Ben"))
    assert "This server has 1 table" in refused.text
    assert refused.ephemeral


async def test_who_opens_one_table_after_another_is_told_when_the_next_may_be(room: Room) -> None:
    limited(room, Limits(new_per_person=2, new_per_server=3))
    ana, ben = room.person("Ana"), room.person("Ben")
    for _ in range(2):
        await started_elsewhere(room, ana)
    again = f"<t:{int(room.clock.now()) + MINUTE + 1}:R>"
    assert (
        f"more than 2 tables per minute. You can open your next one {again}"
        in (await started_elsewhere(room, ana)).text
    )
    await started_elsewhere(room, ben)
    assert "Only 3 tables per minute" in (await started_elsewhere(room, ben)).text
    room.clock.advance(MINUTE + 1)
    assert "Join" in (await started_elsewhere(room, ana)).buttons


async def test_of_one_persons_presses_a_few_are_dealt_with_at_a_time_and_no_one_elses_wait(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    board = await room.board()
    private, free = room.host.presenter.private, asyncio.Event()
    draw, drawn = private.draw, list[int]()

    async def slow(table: Table, screen: PrivateScreen) -> Screen:
        assert screen.seat is not None
        drawn.append(screen.seat)
        if drawn.count(0) == PRESSES_AT_ONCE and 1 in drawn:
            free.set()
        async with asyncio.timeout(PATIENCE):
            await free.wait()
        return await draw(table, screen)

    monkeypatch.setattr(private, "draw", slow)
    presses = [*(ana.pressing(board, "Hand") for _ in range(20)), ben.pressing(board, "Hand")]
    seats_before_any_was_done = PRESSES_AT_ONCE + 1
    await room.deliver(*presses)
    assert sorted(drawn[:seats_before_any_was_done]) == [0] * PRESSES_AT_ONCE + [1]
    assert all(press.answered for press in presses)
