"""Taking a move back on the screens: one press on the own private screen, and nothing old acts afterwards."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from tests.cogs import some_game
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room


async def a_turn(room: Room) -> tuple[Person, Person, Page]:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    return ana, ben, await ana.hand()


async def test_a_sale_is_taken_back_with_one_press(room: Room) -> None:
    ana, ben, page = await a_turn(room)
    his, before = await ben.hand(), page.text
    assert "Undo" not in page.buttons
    await some_game.move(ana, page)
    assert "3 Coins" in page.text
    assert "Undo" not in his.buttons
    assert await ana.press(page, "Undo") == page
    assert "Undone" in page.text
    assert "4 Coins" in page.text
    assert "Undo" not in page.buttons
    hand = before.partition("**Your turn**")[2]
    assert page.text.partition("**Your turn**")[2].partition("\n↩️")[0] == hand
    board = (await room.board()).text
    assert "$2" not in board
    assert "**Ana** takes a move back" in board
    assert "sells" not in (await ben.command("log")).text


async def test_the_end_of_a_turn_is_taken_back_and_the_call_follows(room: Room) -> None:
    ana, ben, page = await a_turn(room)
    await ana.press(page, "End Turn")
    (call,) = room.announcements()
    assert ben.mention in call.text
    await ana.press(page, "Undo")
    (changed,) = room.announcements()
    assert ana.mention in call.text
    assert ben.mention not in call.text
    assert changed == call, "who takes something back need not be called: an edit rings nobody"
    await ana.press(page, "End Turn")
    (call,) = room.announcements()
    assert ben.mention in call.text


async def test_after_a_card_was_dug_up_there_is_nothing_to_undo(room: Room) -> None:
    ana, ben, page = await a_turn(room)
    await ana.press(page, "End Turn")
    undo = ana.pressing(page, "Undo")
    await ben.press(await room.board(), "Dig")
    assert "Undo" not in page.buttons
    await room.deliver(undo)
    assert "moved on" in undo.answer.text
    assert (await room.table()).sequence == 2


async def test_a_screen_from_before_an_undo_says_that_the_table_has_moved_on(room: Room) -> None:
    ana, _ben, page = await a_turn(room)
    sale = some_game.moving(ana, page, other=True)
    await room.deliver(some_game.moving(ana, page))
    await ana.press(page, "Undo")
    await room.deliver(sale)
    assert "moved on since this screen was shown" in sale.answer.text
    assert "4 Coins" in sale.answer.text
    assert (await room.table()).sequence == 0


async def test_a_double_press_on_undo_takes_back_one_move(room: Room) -> None:
    ana, _ben, page = await a_turn(room)
    await some_game.move(ana, page)
    await some_game.move(ana, page)
    undo = ana.pressing(page, "Undo")
    await room.deliver(undo, undo.now())
    assert (await room.table()).sequence == 1
    await room.restart(crash=True)
    await ana.press(await ana.hand(), "Undo")
    assert (await room.table()).sequence == 0


async def test_a_second_tap_does_nothing_on_the_button_that_took_the_place_of_the_first(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room.settings, "second_tap", Settings.model_fields["second_tap"].default)
    ana, _ben, page = await a_turn(room)
    await room.later(60)
    await some_game.move(ana, page)
    after = page.text
    await room.later(0.25)
    tap = ana.pressing(page, "Undo")
    await room.later(2)  # a late delivery makes it no later press
    await room.deliver(tap)
    assert (page.text, (await room.table()).sequence) == (after, 1)
    await ana.press(page, "Undo")
    await room.later(0.25)
    after = page.text
    await ana.press(page, "?")  # it stood there before
    assert (page.text != after, (await room.table()).sequence) == (True, 0)
