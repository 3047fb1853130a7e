"""Whoever is asked next sees it as soon as the move is durable; the table message and the others follow later."""

from __future__ import annotations

import asyncio

import pytest

from bot.ui.private_screens import HASTE
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Person, Room, until

LATE = 30.0
"""Seconds that lie between two redraws here: what is seen at once is seen long before."""


@pytest.fixture
async def slow(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table messages are drawn seldom."""
    monkeypatch.setattr(room.settings, "redraw_interval", LATE)


def edits_of(room: Room, page: Page) -> int:
    """How often this private screen was edited, apart from the answers to presses on it."""
    found = 0
    for entry in room.env.http_requests:
        if entry.method != "PATCH" or "/webhooks/" not in entry.path:
            continue
        token, _, message = entry.path.partition("/webhooks/")[2].partition("/messages/")
        interaction = room.env.backend.interactions[int(token.rpartition("_")[2])]
        edited = interaction.message_id if message == "@original" else int(message)
        found += edited == page.id
    return found


async def storm(room: Room) -> tuple[Person, Person, Page, Page]:
    """Ana and then Ben are to choose what they lose in a Sandstorm; both have their private screens open."""
    ana, ben = await room.match_of("Ana", "Ben")
    hands = ({"coin": 4}, {"coin": 2, "map": 2})
    await room.stage(crafted.craft(hands, site=["sandstorm", "pot_shard", "pot_shard"]))
    await room.later(LATE)
    hers = await ana.press(await room.board(), "Dig")
    return ana, ben, hers, await ben.hand()


async def test_their_buttons_come_before_the_table_message_is_drawn_again(room: Room, slow: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    board = await room.board()
    before = board.text
    await ana.press(hers, "End Turn")
    assert "Dig" in his.buttons
    assert board.text == before
    await room.later(LATE)
    assert "It is **Ben**'s turn" in board.text
    assert not room.announcements(), "he is there, and need not be called"


async def test_the_redraw_does_not_send_them_the_same_screen_again(room: Room, slow: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await ana.press(hers, "End Turn")
    await room.later(LATE)
    assert edits_of(room, his) == 1


async def test_who_is_not_asked_follows_with_the_table_message(room: Room, slow: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await some_game.move(ana, hers)
    assert edits_of(room, his) == 0
    await room.later(LATE)
    assert "sells" in his.text


async def test_who_goes_on_with_their_turn_sees_it_in_the_answer_alone(room: Room, slow: None) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await some_game.move(ana, hers)
    await ana.press(hers, "Undo")
    await room.later(LATE)
    assert edits_of(room, hers) == 0


async def test_changes_in_quick_succession_become_one_edit(room: Room, slow: None) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await ana.press(hers, "End Turn")
    for _time in range(3):
        await ana.press(hers, "Undo")
        await ana.press(hers, "End Turn")
    assert edits_of(room, his) == 1, "the others would come too soon after it"
    await room.later(LATE)
    assert edits_of(room, his) == 2
    assert "Dig" in his.buttons


async def test_after_a_moment_they_see_the_next_change_at_once_again(room: Room, slow: None) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    await ana.press(hers, "End Turn")
    await ana.press(hers, "Undo")
    room.clock.advance(HASTE)
    await ana.press(hers, "End Turn")
    assert edits_of(room, his) == 2
    assert "End Turn" in (await ben.press(his, "Dig")).buttons, "what he was shown holds"


async def test_what_changes_while_the_edit_is_on_its_way_is_one_more_edit(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    with room.holding("/messages/@original", "PATCH") as held:
        room.emit(ana.pressing(hers, "End Turn"))
        await until(lambda: held.waiting == 1)
        redraws = asyncio.create_task(run_due(room.host))
        for label in ("Undo", "End Turn"):
            await until(lambda label=label: label in hers.buttons)
            press = ana.pressing(hers, label)
            room.emit(press)
            await until(lambda press=press: press.answered)
    await redraws
    await room.catch_up()
    assert edits_of(room, his) == 2
    assert "Dig" in his.buttons


async def test_after_an_agent_they_see_it_at_once_too(room: Room, slow: None) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(some_game.TURN)
    hers, board = await ana.hand(), await room.board()
    before = board.text
    await ana.press(hers, "End Turn")
    assert (await room.table()).state.active == 0, "the agent has had its turn"
    assert "Dig" in hers.buttons
    assert board.text == before


async def test_who_was_answered_with_an_older_state_sees_the_newer_one_at_once(
    room: Room, slow: None
) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    await room.later(LATE)
    look = ben.pressing(await room.board(), "Hand")
    await room.deliver_late(look, [ana.pressing(hers, "End Turn")])
    assert not his.exists
    assert "Dig" in look.answer.buttons


async def test_who_could_choose_before_their_turn_sees_at_once_that_it_has_come(
    room: Room, slow: None
) -> None:
    ana, _ben, hers, his = await storm(room)
    assert "You can already choose" in his.text
    await ana.press(hers, digger.lose_button(hers))
    assert "You can already choose" not in his.text
    assert digger.lose_button(his)


async def test_who_has_chosen_before_their_turn_is_not_asked_and_nothing_is_sent(
    room: Room, slow: None
) -> None:
    ana, ben, hers, his = await storm(room)
    await ben.press(his, digger.lose_button(his))
    edits = edits_of(room, his)
    await room.deliver(ana.pressing(hers, digger.lose_button(hers)), catch_up=False)
    assert edits_of(room, his) == edits


async def test_while_the_bot_is_busy_they_see_it_as_soon(
    room: Room, slow: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room.host.load, "_delay", 1.0)
    monkeypatch.setattr(room.settings, "board_lag", LATE)
    ana, _ben, hers, his = await turn_of_ana(room)
    await ana.press(hers, "End Turn")
    assert "Dig" in his.buttons


async def test_an_edit_that_fails_leaves_it_to_the_call(room: Room, slow: None) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    room.fail("PATCH", "/webhooks/*/messages/@original", 404, 10008)
    await ana.press(hers, "End Turn")
    assert "Dig" not in his.buttons
    await room.later(LATE)
    assert room.announcements()[0].kept.ping_user_ids == [ben.id]
