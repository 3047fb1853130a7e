"""While the bot is busy, who is asked sees it at once; boards and the screens of the others may be late."""

from __future__ import annotations

import pytest

from bot.ui.pictures import Wanted
from bot.ui.screens.kit import Screen
from tests.cogs import some_game
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Room

LAG = 5.0


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch, room: Room) -> None:
    """A processor that has too much to do."""
    monkeypatch.setattr(room.host.load, "_delay", 1.0)
    monkeypatch.setattr(room.settings, "board_lag", LAG)


async def test_board_and_idle_screens_lag_a_little_and_catch_up_by_themselves(room: Room, busy: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    board = await room.board()
    for _time in ("what is due is drawn", "and nothing since"):
        await room.later(LAG + 1)
    await some_game.move(ana, hers)
    assert "sells" in board.text, "nothing was drawn lately, so this is drawn at once"
    before, whole = his.text, board.text
    await ana.press(hers, "Undo")
    await some_game.move(ana, hers)
    assert "sell" in hers.text, "a press is answered"
    assert (his.text, board.text) == (before, whole)
    await room.later(LAG + 1)
    assert "sells" in board.text
    assert "sells" in his.text


async def test_a_picture_stays_for_a_while_and_then_follows(room: Room, busy: None) -> None:
    pictures, place = room.host.presenter.pictures, ("table", 1)
    drawn: list[int] = []

    def draw() -> None:
        drawn.append(1)

    wanted = Wanted(draw, place, room.guild.id)
    pictures.cache.on = True
    assert pictures.at_hand(Screen(), wanted), "the first is drawn"
    assert not pictures.at_hand(Screen(), wanted), "the next one comes later"
    assert drawn == [1]
    room.host.load._delay = 0.0
    assert pictures.at_hand(Screen(), wanted)
    assert drawn == [1, 1]


async def test_who_is_asked_next_sees_it_at_once(room: Room, busy: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await room.later(LAG + 1)
    await some_game.move(ana, hers)
    await ana.press(hers, "End Turn")
    assert "Dig" in his.buttons
    await room.later(LAG + 1)
    assert "Dig" in (await room.board()).buttons


async def test_a_deletion_is_shown_at_once(room: Room, busy: None) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    await some_game.move(ana, await ana.hand())
    await ben.delete_data()
    assert [page.text for page in room.pages() if "Ben" in page.text] == []


async def test_the_end_is_shown_at_once(room: Room, busy: None) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    hers = await ana.hand()
    await some_game.move(ana, hers)
    assert "Play Again" in (await room.result()).buttons


async def test_delays_are_felt_and_forgotten(room: Room) -> None:
    room.settings = room.settings.model_copy(update={"board_lag": 60})
    await room.restart()
    host = room.host
    assert host.load.staleness_budget() == 0
    for _time in range(30):
        host.load.record_delay(0.1)
    assert 1 < host.load.staleness_budget() < 3
    for _time in range(30):
        host.load.record_delay(9.0)
    assert host.load.staleness_budget() == 10
    for _time in range(60):
        host.load.record_delay(0.0)
    assert host.load.staleness_budget() == 0


async def test_a_busy_loop_is_felt_too(room: Room) -> None:
    room.settings = room.settings.model_copy(update={"board_lag": 60})
    await room.restart()
    host = room.host
    for share, lag in ((0.4, 0), (0.65, 5), (1.0, 10), (0.0, 0)):
        for _time in range(60):
            host.load.record_utilisation(share)
        assert abs(host.load.staleness_budget() - lag) < 0.01
