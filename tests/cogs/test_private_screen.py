"""The private screen: the hand, the choices that need it, and how it follows the table while it is open."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.model import StoreError
from bot.tables.model import Table
from bot.ui.display.state import PrivateScreen
from bot.ui.private_drawing import PrivateDrawing
from bot.ui.private_screens import PrivateScreens
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.private import Personal, private
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.archaeology_family import digger
from tests.cogs.in_memory import random_match
from tests.cogs.page import Page
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Room, until

MINUTE = 60


async def test_it_shows_the_own_hand_to_its_owner_alone(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    assert hers.ephemeral
    assert "4 Coins" in hers.text
    assert "1 Talisman" in hers.text
    assert "3 Pot Shards" in his.text
    assert "Talisman" not in his.text.partition("Your hand")[2]
    assert hers.kept.visible_to(ana.id)
    assert not hers.kept.visible_to(ben.id)


async def test_an_open_screen_follows_what_others_do(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await digger.take(ana, hers, "3 Pot Shards")
    await ana.choose(hers, digger.PAY, digger_option(hers, "1 Talisman"))
    await ana.press(hers, "Trade")
    assert "trades" in his.text
    await ana.press(hers, "End Turn")
    assert "Dig" in his.buttons, "it is Ben's turn now, and his screen shows it"
    assert "End Turn" not in hers.buttons


def digger_option(page: Page, beginning: str) -> str:
    """The payment that begins so."""
    return next(label for label in page.menu(digger.PAY).options if label.startswith(beginning))


async def test_the_selection_survives_what_others_do(room: Room) -> None:
    ana, ben, hers, _his = await turn_of_ana(room)
    await digger.take(ana, hers, "1 Talisman")
    await ana.choose(hers, digger.PAY, "1 Coin")
    await ben.press(await ben.command("end"), "End the Match")
    assert "wants to end" in hers.text, "the screen has followed"
    assert hers.menu(digger.TAKE).chosen == ("1 Talisman",)
    assert hers.menu(digger.PAY).chosen == ("1 Coin",)
    await ana.choose(hers, digger.PAY, "3 Coins")
    await ana.press(hers, digger.trade_button(hers))
    assert "You trade 🪙 3 Coins" in hers.text


async def test_after_fifteen_minutes_it_follows_no_more_but_the_next_press_works(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    await room.later(16 * MINUTE)
    edits = len(list(room.requests("PATCH", "/messages/@original")))
    before = his.text
    await some_game.move(ana, hers)
    assert "3 Coins" in hers.text, "her own press brought a fresh token"
    assert his.text == before
    later = [entry for entry in room.env.http_requests if entry.path.endswith("/messages/@original")]
    assert len(later) == edits, "nothing was tried with the token that is dead"
    await ana.press(hers, "End Turn")
    assert "Dig" in (await ben.press(await room.board(), "Hand")).buttons


async def test_only_the_newest_screen_of_a_person_stays_open(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    again = await ana.press(await room.board(), "Hand")
    assert not hers.exists
    assert "4 Coins" in again.text


async def test_a_screen_that_its_owner_dismissed_is_no_trouble(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    room.delete(his)
    await ana.press(hers, "End Turn")
    assert "Dig" in (await room.board()).buttons


async def test_the_next_edit_that_fails_ends_the_following_and_no_more(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    room.fail("PATCH", "/webhooks/*/messages/@original", 500)
    await ana.press(hers, "End Turn")
    assert "Dig" in (await room.board()).buttons
    assert "Dig" in (await ben.hand()).buttons
    assert not his.exists or "Dig" not in his.buttons


# -- by direct message


async def test_the_hand_is_sent_as_a_direct_message(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    answer = await ana.press(await ana.press(await room.board(), "More"), "Send My Hand by DM")
    assert "sent you your hand" in answer.text
    (letter,) = room.letters(ana)
    assert "4 Coins" in letter.text
    assert str((await room.board()).id) in letter.text
    assert not letter.buttons, "a text to read"


async def test_who_takes_no_direct_messages_gets_the_hand_as_a_reply(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    more = await ana.press(await room.board(), "More")
    room.fail("POST", "/channels/*/messages", 403, 50007)
    answer = await ana.press(more, "Send My Hand by DM")
    assert answer.ephemeral
    assert "closed" in answer.text
    assert "4 Coins" in answer.text
    assert not room.letters(ana)


async def test_a_letter_that_discord_cannot_take_now_is_no_closed_mailbox(
    room: Room,
) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    more = await ana.press(await room.board(), "More")
    room.fail("POST", "/channels/*/messages", 500)
    answer = await ana.press(more, "Send My Hand by DM")
    assert "try again in a moment" in answer.text
    assert "closed" not in answer.text


# -- presses and edits that cross


async def test_an_edit_that_crosses_with_a_new_screen_does_not_end_its_following(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    look = ben.pressing(await room.board(), "Hand")
    with room.holding("/messages/@original", "PATCH") as held:
        room.emit(some_game.moving(ana, hers))
        await until(lambda: "You sell" in hers.text)
        redraw = asyncio.create_task(run_due(room.host))
        await until(lambda: held.waiting > 0)
        room.emit(look)  # while the edit of his old screen is on its way, Ben opens a new one
        await until(lambda: look.answered and not his.exists)
    await redraw
    await ana.press(hers, "End Turn")
    assert "Dig" in look.answer.buttons, "the new screen follows"


async def test_an_edit_that_arrives_after_the_answer_to_a_press_does_not_undo_it(room: Room) -> None:
    ana, ben, hers, _his = await turn_of_ana(room)
    sure = await ben.command("end")
    await ana.choose(hers, digger.OFFER, digger.BUILD)
    with room.holding("/messages/@original", "PATCH") as held:
        room.emit(ben.pressing(sure, "End the Match"))
        await until(lambda: "You want to end" in sure.text)
        redraw = asyncio.create_task(run_due(room.host))
        await until(lambda: held.waiting > 0)
        choice = ana.choosing(hers, digger.TAKE, "1 Talisman")
        room.emit(choice)
        await until(lambda: choice.answered)
    await redraw
    await room.catch_up()
    assert hers.menu(digger.TAKE).chosen == ("1 Talisman",)
    assert "wants to end" in hers.text


async def test_it_is_drawn_again_only_if_something_has_changed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = list[int | None](), PrivateScreens.draw

    async def counted(screens: PrivateScreens, table: Table, screen: PrivateScreen) -> Screen:
        drawn.append(screen.seat)
        return await draw(screens, table, screen)

    ana, _ben, hers, his = await turn_of_ana(room)
    monkeypatch.setattr(PrivateScreens, "draw", counted)
    await room.catch_up()
    await room.host.presenter.private.follow_latest((await room.table()).id)
    assert drawn == [], "they show all there is"
    await some_game.move(ana, hers)
    await room.catch_up()
    assert drawn == [0, 1], "hers in the answer to her press, and his because he sees it"
    await ana.press(hers, "End Turn")
    assert drawn == [0, 1, 0, 1]
    assert "Dig" in his.buttons


def test_the_result_stands_on_the_private_screen_if_the_table_cannot_tell_it() -> None:
    match = random_match("archaeology", 1, moves=10_000)
    table = match.table(names=["Ana", "Ben", "Cara"][: match.game.view(match.state, None).seats])
    table.status = "over"
    assert match.game.outcome(match.state) is not None
    assert table.body.messages.result is None
    fallback = private(table, match.screens, 0, match.rows())
    alone = private(table, match.screens, 0, match.rows(), Personal(table_shows_result=False))
    assert "🏆" not in str(fallback.items)
    assert "🏆" in str(alone.items)
    table.body.messages.result = 1_234_567_890_123_456_789
    after = private(table, match.screens, 0, match.rows())
    assert "See the Result" in str(after.items), "it is a press away, and not told twice"
    result = match.screens.result(match.game.view(match.state, 0), Names(table.seats))
    assert not any(line in str(after.items) for line in result if line)


async def test_the_question_mark_has_what_does_not_stand_above_the_moves(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    assert "larger sets bring much more" not in hers.text
    shown = await ana.press(hers, "?")
    assert shown.ephemeral
    assert "larger sets bring much more" in shown.text
    assert "4 Coins" in shown.text
    assert "Talisman" in (await ana.press(shown, "Prices & Rules")).text


async def test_the_question_mark_shows_the_pressers_own_hand(room: Room) -> None:
    _ana, ben, _hers, his = await turn_of_ana(room)
    shown = await ben.press(his, "?")
    assert "3 Pot Shards" in shown.text
    assert "1 Talisman" not in shown.text


@pytest.mark.parametrize("label", ["?", "Log", "More", "Prices & Rules"])
async def test_a_page_that_is_looked_up_takes_the_place_of_the_hand_and_leads_back_to_it(
    room: Room, label: str
) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    board = await room.board()
    await digger.take(ana, hers, "1 Talisman")
    page = await ana.press(hers if label == "?" else board, label)
    shown = page.text
    assert not page.offers(digger.TAKE)
    await ben.press(his, "?")
    await room.catch_up()
    assert page.text == shown, "what others do does not turn the page"
    again = await ana.press(page, "Hand")
    assert again == page
    assert again.menu(digger.TAKE).chosen == ("1 Talisman",), "what was chosen is still chosen"


async def test_a_page_stays_and_says_on_top_while_a_decision_is_asked_of_its_reader(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    page = await ben.press(his, "?")
    assert page == his
    await some_game.move(ana, hers)
    await room.catch_up()
    assert "How to play" in page.text
    for turn in ("End Turn", "Undo", "End Turn"):
        await ana.press(hers, turn)
        await room.catch_up()
        assert (f"**{ben.name}**, it's your turn." in page.text) == (turn == "End Turn")
    assert page.text.startswith(f"▶️ **{ben.name}**, it's your turn.")
    assert "How to play" in page.text, "it is still being read"
    assert next(iter(page.buttons)) == "Hand"
    assert "Dig" in (await ben.press(page, "Hand")).buttons


async def test_an_answer_that_takes_the_place_of_a_page_stays(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    more = await ana.press(await room.board(), "More")
    left = await ana.press(await ana.press(more, "Leave the Match"), "Leave Now")
    await room.catch_up()
    assert "A computer player plays for you" in left.text


async def test_one_page_after_the_other_leaves_one_message_and_what_was_chosen(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    board = await room.board()
    await digger.take(ana, hers, "1 Talisman")
    log = await ana.press(board, "Log")
    more = await ana.press(board, "More")
    rules = await ana.press(await ana.press(board, "Prices & Rules"), "Next")
    assert [page.exists for page in (hers, log, more, rules)] == [False, False, False, True]
    assert (await ana.press(rules, "Hand")).menu(digger.TAKE).chosen == ("1 Talisman",)


async def test_a_person_who_reads_a_page_is_called_to_a_decision_that_they_have_not_seen(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    states = room.host.presenter.states
    del states.of((await room.table()).id).screens[ben.id]  # as if its token had expired
    await ana.press(hers, "End Turn")
    await ben.press(await room.board(), "Prices & Rules")
    await room.catch_up()
    assert [ben.mention in page.text for page in room.announcements()] == [True]
    assert "Dig" not in his.buttons


async def test_an_edit_that_crosses_with_a_page_leaves_a_hand_that_follows(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    with room.holding("/messages/@original", "PATCH") as held:
        move = some_game.moving(ana, hers)
        room.emit(move)
        await until(lambda: move.answered)
        redraws = asyncio.create_task(run_due(room.host))
        await until(lambda: held.waiting >= 1)
        press = ben.pressing(his, "?")
        room.emit(press)
        await until(lambda: press.answered)
    await redraws
    await room.catch_up()
    shown = his.text
    await ana.press(hers, "Undo")
    await room.catch_up()
    assert his.text != shown


async def test_a_screen_that_could_not_be_drawn_is_drawn_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    real, failed = PrivateDrawing._is_newcomer, list[int]()

    async def fails_once(drawing: PrivateDrawing, table: Table, seat: int) -> bool:
        if seat == 1 and not failed:
            failed.append(seat)
            raise StoreError("the file is busy")
        return await real(drawing, table, seat)

    monkeypatch.setattr(PrivateDrawing, "_is_newcomer", fails_once)
    await ana.press(hers, "End Turn")
    await room.later(120)
    assert failed
    assert "Dig" in his.buttons


async def test_pages_of_a_person_without_a_seat_lead_to_no_hand(room: Room) -> None:
    await turn_of_ana(room)
    assert "Hand" not in (await room.person("Eve").press(await room.board(), "Log")).buttons
