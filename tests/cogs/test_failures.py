"""Discord, the disk and people's rights fail at any time: no move is lost, and players are told."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import aiohttp
import pytest
from simcord.backend.errors import BackendError
from simcord.http import FakeWebhookAdapter, client

from bot.fleet.fleet import Fleet
from bot.store.model import Change, Job, StoreFull
from bot.store.store import Store
from bot.tables.draft import REDRAW
from bot.tables.model import DAY, HOUR
from bot.tables.service import Tables
from bot.ui import interaction as interaction_module
from bot.ui import router
from bot.ui.display.recovery import ARRIVED_AFTER
from bot.ui.display.state import ANNOUNCEMENT
from bot.ui.screens import components as ui
from bot.ui.screens.kit import ScreenView
from cogs.archaeology.screens import ArchaeologyScreens
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.conftest import Mishaps
from tests.cogs.crashes import killed
from tests.cogs.page import Page
from tests.cogs.table_driver import Nonces, Person, Room, until

BOARD = "/channels/*/messages/*"
POSTS = "/channels/*/messages"
MINUTE = 60


async def turn_of_ana(room: Room) -> tuple[Person, Person]:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    return ana, ben


# -- messages that are gone, or that Discord will not change


async def test_a_board_that_somebody_deletes_is_posted_anew_with_all_that_leads_to_it(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    old = await room.board()
    lobby = room.pages()[0]
    his = await ben.hand()
    room.delete(old)
    await some_game.move(ana, await ana.hand())
    await room.minds_wander()
    board = await room.board()
    assert board != old
    assert "$2" in board.text
    assert [page for page in room.pages() if "More" in page.buttons] == [board]
    (announcement,) = room.announcements()
    await ana.press(await ana.press(board, "Hand"), "End Turn")
    await room.minds_wander()
    (announcement,) = room.announcements()
    for page in (announcement, lobby):
        assert str(board.id) in page.links["Go to the Table"]
    assert str(board.id) in his.links["Table"]
    await ben.press(board, "Dig")
    assert "Ben" in board.text


async def test_table_brings_the_board_down_and_the_links_follow(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    old, his, lobby = await room.board(), await ben.hand(), room.pages()[0]
    (announcement,) = room.announcements()
    answer = await ben.command("table")
    board = await room.board()
    assert "Hand" not in old.buttons
    assert str(board.id) in old.links["Go to the Table"], "the start message stays, for all to compare its id"
    assert room.pages()[-1] == board
    assert room.announcements() == [announcement], "nobody is rung again"
    for page in (announcement, lobby, answer):
        assert str(board.id) in page.links["Go to the Table"]
    assert str(board.id) in his.links["Table"]
    await ana.press(await ana.press(board, "Hand"), "End Turn")


@pytest.mark.parametrize(("status", "code"), [(500, 0), (502, 0), (429, 0)])
async def test_edits_that_fail_are_tried_again_and_no_move_is_lost(
    room: Room, status: int, code: int
) -> None:
    ana, ben = await turn_of_ana(room)
    board = await room.board()
    room.fail("PATCH", BOARD, status, code, times=None)
    page = await some_game.move(ana, await ana.hand())
    await ana.press(page, "End Turn")
    assert "$2" not in board.text, "the board is behind"
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text, "but the next player is called"
    await ben.press(await ben.hand(), "Dig")
    await room.later(30)
    room.heal()
    await room.later(5 * MINUTE)
    assert "$2" in board.text
    assert "**Ben** may trade" in board.text
    assert (await room.table()).sequence == 3


async def test_a_board_that_takes_no_more_edits_is_posted_anew_and_the_old_one_goes(room: Room) -> None:
    ana, _ben = await turn_of_ana(room)
    old = await room.board()
    room.fail("PATCH", f"/channels/*/messages/{old.id}", 400, 30046, times=None)
    page = await some_game.move(ana, await ana.hand())
    board = await room.board()
    assert board != old
    assert not old.exists, "nobody presses its dead buttons"
    await ana.press(page, "End Turn")
    assert await room.board() == board
    assert [page for page in room.pages() if "More" in page.buttons] == [board]


async def test_an_announcement_that_fails_does_not_multiply_the_board(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    page = await ana.hand()
    room.delete(await room.board())
    posted = len(room.pages())
    with refusing("<@", 500):
        await ana.press(page, "End Turn")
        for _ in range(3):
            await room.later(60)
    assert len([page for page in room.pages() if "More" in page.buttons]) == 1
    await room.later(5 * MINUTE)
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text
    assert len(room.pages()) == posted + 1


async def call_left_behind(room: Room) -> tuple[Person, Person]:
    """Ana ends her turn, and the bot is killed before it keeps the id of the call to Ben."""
    ana, ben = await turn_of_ana(room)
    page = await ana.hand()
    await room.minds_wander()
    with killed("POST", ben.mention):
        await ana.press(page, "End Turn")
    return ana, ben


@pytest.mark.parametrize("readable", [True, False])
async def test_an_announcement_is_not_made_twice_by_a_crash_before_its_id_is_kept(
    room: Room, readable: bool
) -> None:
    if not readable:
        room.forbid(read_message_history=True)
    ana, ben = await call_left_behind(room)
    (announcement,) = room.announcements()
    assert (await room.table()).body.messages.announcement != announcement.id
    await room.restart(crash=True)
    await room.later(60)
    assert room.announcements() == [announcement]
    assert announcement.kept.ping_user_ids == [ben.id]
    assert (await room.table()).body.messages.announcement == announcement.id
    await ben.press(await ben.press(await room.board(), "Dig"), "End Turn")
    await room.minds_wander()
    (announcement,) = room.announcements()
    assert ana.mention in announcement.text


async def test_a_call_that_reaches_discord_only_after_the_restart_is_taken_away(room: Room) -> None:
    _ana, ben = await call_left_behind(room)
    room.delete(room.announcements()[0])  # it was on its way still
    await room.restart(crash=True)
    await room.later(60)
    (announcement,) = room.announcements()
    late = ScreenView([ui.text(f"{ben.mention}, it's your turn.", id=ANNOUNCEMENT)])
    await room.bot.get_partial_messageable(room.channel.id).send(view=late)
    assert len(room.announcements()) == 2
    await room.later(ARRIVED_AFTER + 1)
    assert room.announcements() == [announcement]
    assert not (await room.table()).body.messages.calling


async def test_a_call_goes_out_while_the_channel_cannot_be_searched_and_the_one_left_behind_goes_later(
    room: Room,
) -> None:
    await call_left_behind(room)
    (left,) = room.announcements()
    room.fail("GET", "/channels/*/messages", 500, times=None)
    room.calls_may_stay = True  # the one left behind cannot be found yet
    await room.restart(crash=True)
    await room.later(10)
    assert len(room.announcements()) == 2, "somebody waits for the call"
    room.heal()
    await room.later(60)
    (announcement,) = room.announcements()
    assert announcement.id != left.id
    assert (await room.table()).body.messages.announcement == announcement.id


async def test_a_call_that_is_found_by_nothing_goes_when_it_is_pressed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.forbid(read_message_history=True)
    _ana, ben = await call_left_behind(room)
    monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)  # Discord has forgotten the nonces
    await room.restart(crash=True)
    room.clock.advance(60)
    await run_due(room.host)
    left, announcement = room.announcements()
    await room.deliver(ben.pressing(left, "Dig"))
    assert not left.exists
    assert announcement.exists


async def test_a_board_and_a_result_are_not_posted_twice_by_a_crash_either(room: Room) -> None:
    ana, page = await finish(room)
    room.delete(await room.board())
    with killed("POST", "Play Again"):
        await some_game.move(ana, page)
    await room.restart(crash=True)
    await room.later(60)
    assert [p for p in room.pages() if "Play Again" in p.buttons] == [await room.result()]


async def test_with_a_full_disk_a_deleted_board_is_posted_anew_once(room: Room) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    with patch.object(Store, "commit", side_effect=Store.commit, autospec=True) as commit:
        await some_game.move(ana, page)
        room.delete(await room.board())
        room.host.presenter.states.of(1).messages.clear()
        await room.host.store.set_job(Job(1, REDRAW, room.clock.now()))
        commit.side_effect = StoreFull("no room")
        for _ in range(4):
            await room.later(60)
    await room.later(5 * MINUTE)
    assert [page for page in room.pages() if "More" in page.buttons] == [await room.board()]


async def test_an_announcement_that_somebody_deletes_before_its_id_is_kept_is_made_anew(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    page = await ana.hand()
    with killed("POST", ben.mention):
        await ana.press(page, "End Turn")
    room.delete(room.announcements()[0])
    await room.restart(crash=True)
    await room.later(60)
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text


async def test_the_board_of_a_thread_that_was_archived_is_posted_anew_which_opens_the_thread(
    room: Room,
) -> None:
    ana, _ben = await turn_of_ana(room)
    old = await room.board()
    room.fail("PATCH", f"/channels/*/messages/{old.id}", 400, 50083, times=None)
    await some_game.move(ana, await ana.hand())
    board = await room.board()
    assert board != old
    assert "$2" in board.text
    assert not old.exists


async def test_a_reminder_in_a_thread_that_was_archived_takes_the_announcements_place(room: Room) -> None:
    await room.match_of("Ana", "Ben", turn_limit="none")
    (old,) = room.announcements()
    with archived(room, old):
        await room.later(DAY)
    (reminder,) = room.announcements()
    assert reminder != old
    assert "⏰" in reminder.text


async def test_a_lobby_that_closes_in_a_thread_that_was_archived_says_so(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", "Ben")
    with archived(room, lobby):
        await room.later(DAY + HOUR)
    assert (await room.table()).status == "abandoned"
    assert not lobby.exists
    (message,) = room.pages()
    assert "so the lobby has closed" in message.text
    assert not message.buttons


@contextmanager
def archived(room: Room, *messages: Page) -> Iterator[None]:
    """The channel is a thread that takes no edits or deletions of these until something is posted there."""
    dispatch, open_again = client.router.dispatch, False
    paths = [f"/channels/{room.channel.id}/messages/{message.id}" for message in messages]

    def refusing_while_archived(backend: Any, method: str, path: str, **options: Any) -> Any:
        nonlocal open_again
        if method == "POST" and path == f"/channels/{room.channel.id}/messages":
            open_again = True
        if method in ("PATCH", "DELETE") and path in paths and not open_again:
            raise BackendError(400, 50083, "injected by a test")
        return dispatch(backend, method, path, **options)

    with patch.object(client.router, "dispatch", refusing_while_archived):
        yield


@contextmanager
def refusing(part: str, status: int, code: int = 0) -> Iterator[None]:
    """Discord refuses every message that holds this in its data."""
    dispatch = client.router.dispatch

    def failing(backend: Any, method: str, path: str, **options: Any) -> Any:
        if method == "POST" and part in json.dumps(options.get("json"), ensure_ascii=False):
            raise BackendError(status, code, "injected by a test")
        return dispatch(backend, method, path, **options)

    with patch.object(client.router, "dispatch", failing):
        yield


# -- places and rights that go away


async def test_a_match_ends_with_its_channel(room: Room) -> None:
    ana, _ben = await turn_of_ana(room)
    await ana.hand()
    room.env.backend.delete_channel(room.channel.id)
    await room.env.settle()
    await room.catch_up()
    table = await room.table()
    assert table.status == "abandoned"
    assert table.body.ending == "channel-gone"
    before = len(room.env.http_requests)
    await room.later(10 * 24 * 3600)
    assert len(room.env.http_requests) == before, "nothing is tried any more"


async def test_a_channel_whose_end_nobody_told_is_found_gone_by_the_next_redraw(room: Room) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    room.fail("*", "/channels/*", 404, 10003, times=None)
    await some_game.move(ana, page)
    assert (await room.table()).status == "abandoned"


async def test_without_the_right_to_post_players_are_told_on_their_own_screens(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    board = await room.board()
    page = await ana.hand()
    room.forbid(view_channel=True, send_messages=True)
    await some_game.move(ana, page)
    assert "$2" not in board.text
    his = await ben.hand()
    assert "I lack the permission **View Channel**" in his.text
    await ana.press(page, "End Turn")
    assert "Dig" in his.buttons
    assert (await room.table()).sequence == 2, "the match goes on on the private screens"
    room.allow_again()
    await ben.press(his, "Dig")
    assert "$2" in board.text
    assert "not allowed to post" not in (await ben.hand()).text
    await room.minds_wander()
    assert ben.mention in room.announcements()[0].text


@pytest.mark.parametrize(("code", "permission"), [(50001, "View Channel"), (50013, "Send Messages")])
async def test_a_permission_that_is_taken_away_in_a_match_is_named(
    room: Room, code: int, permission: str
) -> None:
    ana, ben = await turn_of_ana(room)
    room.delete(await room.board())
    room.fail("POST", POSTS, 403, code, times=None)
    await some_game.move(ana, await ana.hand())
    assert f"I lack the permission **{permission}**" in (await ben.hand()).text
    assert f"I lack the permission **{permission}**" in (await ben.command("table")).text
    room.heal()
    await ana.command("table")
    assert "I lack" not in (await ben.hand()).text


async def finish(room: Room) -> tuple[Person, Page]:
    """A match in which Ana's sale of one coin is the last move, and her screen."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    return ana, await ana.hand()


async def test_a_result_that_could_not_be_posted_comes_later_and_once(room: Room) -> None:
    ana, page = await finish(room)
    room.fail("POST", POSTS, 500, times=2)
    await some_game.move(ana, page)
    assert (await room.table()).body.messages.result is None
    for _ in range(4):
        await room.later(60)
    assert [p for p in room.pages() if "Play Again" in p.buttons] == [await room.result()]


async def test_an_answer_that_cannot_be_delivered_loses_no_move(room: Room) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    room.fail("POST", "/interactions/*/callback", 404, 10062)
    room.answers_missing = 1
    press = some_game.moving(ana, page)
    await room.deliver(press)
    assert not press.answered
    assert "$2" in (await room.board()).text
    again = await ana.press(await room.board(), "Hand")
    assert "3 Coins" in again.text


# -- a disk that fails or is slow


async def test_a_disk_that_is_full_changes_nothing_and_says_so(room: Room, mishaps: Mishaps) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    mishaps.expect("could not be saved")
    with patch.object(Store, "commit", side_effect=StoreFull("no room")):
        answer = await some_game.move(ana, page)
    assert "couldn't save" in answer.text
    assert answer.ephemeral
    assert (await room.table()).sequence == 0
    await some_game.move(ana, page)
    assert "3 Coins" in page.text


@pytest.mark.parametrize("same_press", [True, False], ids=["this-press", "something-else"])
async def test_a_press_that_another_process_overtakes_is_carried_out_once_on_what_holds_then(
    room: Room, same_press: bool
) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    commit, theirs = Store.commit, list[Change]()

    async def overtaken(store: Store, change: Change) -> bool:
        if not theirs:
            row = await store.table(change.table.id)
            assert row is not None
            theirs.append(
                replace(change, table=replace(change.table), press=None) if same_press else Change(row)
            )
            await commit(store, theirs[0])
        return await commit(store, change)

    with patch.object(Store, "commit", overtaken):
        answer = await some_game.move(ana, page)
    assert ("moved on" in answer.text) == same_press
    assert "3 Coins" in answer.text
    assert (await room.table()).sequence == 1


async def test_a_press_that_another_process_has_carried_out_is_not_answered_here(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    monkeypatch.setattr(Fleet, "alone", False)
    commit, theirs = Store.commit, list[Change]()

    async def overtaken(store: Store, change: Change) -> bool:
        if not theirs:  # it has got this press too, and was quicker
            theirs.append(replace(change, table=replace(change.table)))
            await commit(store, theirs[0])
        return await commit(store, change)

    refused = list[str]()
    monkeypatch.setattr(router, "refused_reply", lambda _interaction, refusal: refused.append(refusal.code))
    with patch.object(Store, "commit", overtaken), pytest.raises(AssertionError, match="answer"):
        await some_game.move(ana, page)
    assert (await room.table()).sequence == 1
    assert refused == []
    room.answers_missing = 1


async def test_the_first_change_of_a_press_carries_its_id_and_what_follows_none(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("start")
    commit = Store.commit
    presses: list[int | None] = []

    async def noted(store: Store, change: Change) -> bool:
        presses.append(change.press)
        return await commit(store, change)

    with patch.object(Store, "commit", noted):
        await ben.press(lobby, "Join")
        await ana.press(lobby, "Start Match")
        await room.later(60)
    first, second, *others = presses
    assert first is not None
    assert second not in (None, first)
    assert others
    assert set(others) == {None}


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write takes longer than the bot waits before it asks Discord for patience."""
    monkeypatch.setattr(interaction_module, "DEFER_AFTER", 0.01)
    for name in ("commit", "create"):
        original = getattr(Store, name)

        async def slowly(store: Store, change: Change, original: Any = original, **named: Any) -> Any:
            await asyncio.sleep(0.03)  # on the simulated clock, as the wait for it is
            return await original(store, change, **named)

        monkeypatch.setattr(Store, name, slowly)


@pytest.mark.usefixtures("slow_disk")
async def test_a_slow_disk_is_waited_for_on_every_kind_of_answer(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("start")
    assert not lobby.ephemeral
    assert not [m for m in room.env.backend.messages[room.channel.id].values() if m.is_ephemeral], (
        "nothing is left over"
    )
    await ben.press(lobby, "Join")
    assert "**Ben**" in lobby.text
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.TURN)
    page = await ana.hand()
    await some_game.move(ana, page)
    assert "3 Coins" in page.text
    await ana.press(page, "End Turn")
    screen = await ben.press(await room.board(), "Dig")
    assert screen.ephemeral
    assert "You dig up" in screen.text
    asked_for_patience = [body["type"] for body in room.requests("POST", "/callback")]
    assert {5, 6} <= set(asked_for_patience), "as a new message, and as a change of the one that was pressed"


@pytest.mark.usefixtures("slow_disk")
async def test_a_refusal_after_a_wait_is_seen_by_its_person_alone(room: Room) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    answer = await ben.command("start")
    assert "already a match here" in answer.text
    assert answer.ephemeral
    assert room.pages() == [lobby], "nothing is left in the channel"
    refused = await ben.press(lobby, "Join")
    assert "already at this table" in refused.text
    assert refused.ephemeral


async def test_who_opened_a_form_too_late_is_told_to_press_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    get = Tables.get

    async def slowly(tables: Tables, table_id: int) -> Any:
        await asyncio.sleep(0.03)
        return await get(tables, table_id)

    with monkeypatch.context() as slow:
        slow.setattr(interaction_module, "DEFER_AFTER", 0.01)
        slow.setattr(Tables, "get", slowly)
        answer = await ben.press(lobby, "Lucky Word")
    assert answer.ephemeral
    assert "**Lucky Word** once more" in answer.text
    form = await ben.open_form(lobby, "Lucky Word")
    await form.submit(word="scarab")
    assert (await room.table()).seats[1].word == "scarab"


async def test_private_screens_that_hang_hold_up_neither_each_other_nor_the_board(room: Room) -> None:
    ana, ben = await turn_of_ana(room)
    page = await ana.hand()
    his, board = await ben.hand(), await room.board()
    before = his.text
    with room.holding("/messages/@original", "PATCH") as held:
        press = some_game.moving(ana, page)
        room.emit(press)
        await until(lambda: press.answered)
        drawing = asyncio.create_task(run_due(room.host))
        await until(lambda: held.waiting > 0 and "$2" in board.text)
        assert his.text == before
        held.gate.set()
        await drawing
    await room.env.settle()
    assert his.text != before


async def test_a_network_that_fails_keeps_a_private_screen_from_following_and_nothing_else(
    room: Room,
) -> None:
    ana, ben = await turn_of_ana(room)
    page = await ana.hand()
    await ben.hand()
    request = FakeWebhookAdapter.request

    async def cut(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        if "@original" in route.url:
            raise aiohttp.ServerDisconnectedError
        return await request(adapter, route, session, **options)

    with patch.object(FakeWebhookAdapter, "request", cut):
        await some_game.move(ana, page)
    assert "$2" in (await room.board()).text


# -- errors of the bot's own


async def test_an_error_of_the_bots_own_is_answered_with_a_reference_and_tells_nothing(
    room: Room, mishaps: Mishaps, caplog: pytest.LogCaptureFixture
) -> None:
    ana, _ben = await turn_of_ana(room)
    page = await ana.hand()
    mishaps.expect("table 1: a press failed")
    with (
        patch.object(ArchaeologyScreens, "presses", side_effect=RuntimeError("broken")),
        caplog.at_level(logging.INFO),
    ):
        answer = await some_game.move(ana, page)
    (record,) = mishaps.records
    reference = record.getMessage().rstrip(")").rpartition(" ")[2]
    assert reference in answer.text
    assert "went wrong" in answer.text
    assert answer.ephemeral
    assert "table 1" in record.getMessage()
    assert "coin" not in caplog.text.lower()
    await some_game.move(ana, page)
    assert "3 Coins" in page.text


async def test_an_error_in_a_command_is_answered_too(room: Room, mishaps: Mishaps) -> None:
    ana, _ben = await turn_of_ana(room)
    mishaps.expect("a press failed")
    with patch.object(ArchaeologyScreens, "private", side_effect=RuntimeError("broken")):
        answer = await ana.hand()
    assert "went wrong" in answer.text


async def test_where_the_result_cannot_be_posted_the_board_tells_it(room: Room) -> None:
    ana, page = await finish(room)
    with refusing("🔁", 403, 50013):
        await some_game.move(ana, page)
    board = await room.board()
    assert "🏆" in board.text
    assert "Dig" not in board.buttons
    assert (await room.table()).body.messages.result is None
    assert not [state for _, state in room.host.presenter.states if state.trouble is not None]


async def test_a_bot_that_is_thrown_out_of_a_server_keeps_quiet(room: Room) -> None:
    await turn_of_ana(room)
    room.env.backend.remove_guild(room.guild.id)
    await room.env.settle()
    for _ in range(12):
        await room.later(24 * 3600)
    assert not (await room.table()).live
    assert not [state for _, state in room.host.presenter.states if state.trouble is not None]
