"""Every message ends up as its table is: whatever order Discord takes edits in, and wherever a kill falls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from simcord.http import FakeWebhookAdapter, client
from simcord.http.client import FakeHTTPClient

from bot.store.model import Change, StoreError, StoreFull
from bot.store.store import Store
from bot.tables.model import Table
from bot.ui.display.state import DisplayState
from bot.ui.interaction import Interaction
from bot.ui.screens.ids import Id
from bot.ui.sender import Sender
from bot.ui.table_display import Presenter
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.conftest import Mishaps
from tests.cogs.crashes import killed
from tests.cogs.page import Page
from tests.cogs.table_driver import Held, Nonces, Person, Room, until
from tests.patience import PATIENCE

POSTS = "/channels/*/messages"
MINUTE = 60


@contextmanager
def slow_edits(message: int) -> Iterator[Held]:
    """Edits of this message, other than by answers to presses, are on their way until they are let go.

    Those through the token of a press are held back whatever message they change.
    """
    held, request, by_token = Held(), FakeHTTPClient.request, FakeWebhookAdapter.request

    async def on_the_way(route: Any) -> None:
        if route.method == "PATCH" and route.url.endswith((f"/messages/{message}", "/messages/@original")):
            held.waiting += 1
            await held.gate.wait()

    async def wait_for_it(http: FakeHTTPClient, route: Any, **options: Any) -> Any:
        await on_the_way(route)
        return await request(http, route, **options)

    async def wait_for_token(adapter: FakeWebhookAdapter, route: Any, session: Any, **options: Any) -> Any:
        await on_the_way(route)
        return await by_token(adapter, route, session, **options)

    with (
        patch.object(FakeHTTPClient, "request", wait_for_it),
        patch.object(FakeWebhookAdapter, "request", wait_for_token),
    ):
        yield held
        held.gate.set()


def edits_of(room: Room, message: Page) -> int:
    """How often the bot edited this message other than by answering a press."""
    return len(list(room.requests("PATCH", f"/messages/{message.id}")))


def with_hand(room: Room) -> list[Page]:
    """The boards whose buttons can be pressed."""
    return [page for page in room.pages() if "More" in page.buttons]


# -- edits that land in another order than they were sent


async def test_a_slow_edit_of_the_lobby_that_lands_after_the_start_does_not_open_it_again(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    cara = room.person("Cara")
    with slow_edits(lobby.id) as held:
        await room.host.notice.set("Back in ten minutes")  # the lobby is drawn anew for it
        drawing = asyncio.create_task(run_due(room.host))
        await until(lambda: held.waiting > 0)
        start = ana.pressing(lobby, "Start Match")
        room.emit(start, cara.pressing(lobby, "Join"))
        await until(lambda: start.answered)
        held.gate.set()
        await drawing
    await room.env.settle()
    await room.catch_up()
    assert not set(lobby.buttons) & {"Join", "Start Match"}
    assert "has started" in lobby.text


async def test_an_answer_that_is_slow_and_lands_last_is_put_right(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    cara = room.person("Cara")
    join = cara.pressing(lobby, "Join")
    await room.deliver_late(join, [ana.pressing(lobby, "Start Match")])
    assert "has started" in lobby.text
    assert "Join" not in lobby.buttons


async def test_an_answer_that_was_drawn_before_the_table_moved_leaves_no_second_board(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    old, drawn, moved, in_answer = await room.board(), asyncio.Event(), asyncio.Event(), Presenter.in_answer

    async def slowly(presenter: Presenter, table_id: int, message: int) -> Any:
        found = await in_answer(presenter, table_id, message)
        drawn.set()
        await moved.wait()
        return found

    table = await room.table()
    press = ben.forging(old, str(Id("hand", table.id)))
    async with room.host.tables.change(table.id) as draft:  # so that the answer has something to draw
        draft.table.state = table.game.load(table.game.dump(some_game.last_move(2)))
        draft.touch()
    with monkeypatch.context() as slow:
        slow.setattr(Presenter, "in_answer", slowly)
        room.emit(press)
        await drawn.wait()
    await room.host.presenter.repost(table.id)
    await run_due(room.host)
    assert "began with this message" in old.text
    moved.set()
    await until(lambda: press.answered)
    await room.env.settle()
    await room.catch_up()
    assert "began with this message" in old.text
    assert with_hand(room) == [await room.board()]


async def test_answers_that_cross_leave_the_lobby_with_all_who_joined(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana")
    ben, cara = room.person("Ben"), room.person("Cara")
    await room.deliver_late(ben.pressing(lobby, "Join"), [cara.pressing(lobby, "Join")])
    assert "**Ben**" in lobby.text
    assert "**Cara**" in lobby.text


async def test_a_press_in_the_lobby_is_drawn_by_its_answer_alone(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", "Ben", "Cara")
    await room.later(MINUTE)
    assert edits_of(room, lobby) == 0


async def test_a_match_that_begins_edits_its_lobby_by_the_answer_alone(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.TURN)
    await some_game.move(ana, await ana.hand())
    await room.later(MINUTE)
    assert "has started" in lobby.text
    assert edits_of(room, lobby) == 0


# -- kills between two requests


async def test_a_kill_between_the_start_and_its_answer_leaves_no_open_lobby(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")

    async def never(_interaction: Interaction, _reply: Any) -> None:
        raise OSError("the process is dead")

    with monkeypatch.context() as dead:
        dead.setattr(Interaction, "_deliver", never)
        room.answers_missing = 1
        room.emit(ana.pressing(lobby, "Start Match"))
        await room.env.settle()
    assert (await room.table()).status == "playing"
    assert "Start Match" in lobby.buttons
    await room.restart(crash=True)
    await room.later(MINUTE)
    assert "has started" in lobby.text
    assert set(lobby.buttons) == set()


@pytest.mark.parametrize("down", [0, 60 * MINUTE])
async def test_a_kill_while_the_table_is_brought_down_leaves_one_board(
    room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch, down: float
) -> None:
    mishaps.expect("could not be saved")
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    old = await room.board()
    room.answers_missing = 1
    with killed("POST", "Prices & Rules", mute=True):
        await ben.actor.slash(room.channel, "archaeology table")
    assert len(with_hand(room)) == 2
    newest = with_hand(room)[-1]
    if down:  # Discord forgets nonces after some minutes
        monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)
    room.clock.advance(down)
    await room.restart(crash=True)
    await room.later(MINUTE)
    assert with_hand(room) == [newest] == [await room.board()]
    assert "began with this message" in old.text, "the start message stays, for all to compare its id"
    await some_game.move(ana, await ana.hand())
    assert "$2" in newest.text


async def test_a_kill_before_the_old_board_is_deleted_leaves_one_board(room: Room, mishaps: Mishaps) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    await ben.command("table")
    old = await room.board()
    room.fail("DELETE", f"/channels/*/messages/{old.id}", 500, times=None)
    await ben.command("table")
    assert len(with_hand(room)) == 2
    room.heal()
    await room.restart(crash=True)
    await room.later(10 * MINUTE)
    assert with_hand(room) == [await room.board()]
    assert " · 💰 $" in (await ana.hand()).text


async def lost_lobby(room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch) -> tuple[Page, Person]:
    """A lobby whose message the process before could not keep, and a person who has not joined."""
    mishaps.expect("could not be delivered")
    ana, ben = room.person("Ana"), room.person("Ben")
    with monkeypatch.context() as dead:
        dead.setattr(Store, "commit", _full)
        await ana.actor.slash(room.channel, "archaeology start")
    (lobby,) = room.pages()
    await room.restart(crash=True)
    return lobby, ben


async def test_a_kill_before_the_lobbys_message_is_kept_leaves_one_lobby(
    room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, ben = await lost_lobby(room, mishaps, monkeypatch)
    await room.later(MINUTE)
    assert room.pages() == [lobby], "it is found, and not posted once more"
    await ben.press(lobby, "Join")
    assert "**Ben**" in lobby.text


async def _full(_store: Store, _change: Change) -> None:
    raise StoreFull("the process is dead")


async def test_a_board_that_was_left_behind_goes_when_somebody_presses_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    old = await room.board()
    await ben.command("table")
    stray = _copy_of(room, await room.board(), before=old.id)
    press = ana.forging(stray, (await room.board()).buttons["Hand"])
    await room.deliver(press)
    assert " · 💰 $" in press.answer.text
    assert not stray.exists
    assert with_hand(room) == [await room.board()]


def _copy_of(room: Room, page: Page, *, before: int) -> Page:
    """Another message with the same buttons, older than `before`."""
    number = before - 1
    room.env.backend.messages[room.channel.id][number] = replace(page.kept, id=number)
    return Page(room.env, room.channel.id, number)


# -- Discord is busy


async def test_a_table_that_cannot_be_brought_down_now_is_told_so_and_comes_down_later(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    old = await room.board()
    room.fail("POST", POSTS, 503, times=None)
    answer = await ben.command("table")
    assert "as soon as it does" in answer.text
    assert with_hand(room) == [old]
    room.heal()
    await room.later(10 * MINUTE)
    board = await room.board()
    assert with_hand(room) == [board]
    assert board != old
    await some_game.move(ana, await ana.hand())
    assert "$2" in board.text


async def test_one_refusal_of_discords_is_not_noticed(room: Room) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")
    room.fail("POST", POSTS, 503)
    assert "bottom of the channel now" in (await ben.command("table")).text


@pytest.mark.parametrize("status", [500, 503])
async def test_a_letter_that_discord_does_not_take_now_is_told_as_what_it_is(room: Room, status: int) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    more = await ana.press(await room.board(), "More")
    room.fail("POST", POSTS, status, times=None)
    answer = await ana.press(more, "Send My Hand by DM")
    assert "try again in a moment" in answer.text


# -- names that have to go


async def ended(room: Room) -> tuple[Person, Person]:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben", agents=1)
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="scarab")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(3))
    await some_game.move(ana, await ana.hand())
    return ana, ben


async def test_after_a_deletion_no_message_names_the_person_any_more(room: Room) -> None:
    _ana, ben = await ended(room)
    assert any("Ben" in page.text for page in room.pages())
    await room.later(MINUTE)
    await ben.delete_data()
    named = {page.id: page.text for page in room.pages() if "Ben" in page.text or str(ben.id) in page.text}
    assert not named
    assert any("Ana" in page.text for page in room.pages())


async def test_who_played_to_the_end_does_not_become_an_agent_by_it(room: Room) -> None:
    _ana, ben = await ended(room)
    before = [page.text.count("🤖") for page in (await room.board(), await room.result())]
    await ben.delete_data()
    for page, agents in zip((await room.board(), await room.result()), before, strict=True):
        assert "**—**" in page.text
        assert page.text.count("🤖") == agents


async def test_in_a_match_that_goes_on_they_are_not_named_either(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="scarab")
    await ana.press(lobby, "Start Match")
    await ben.delete_data()
    assert not [page.text for page in room.pages() if "Ben" in page.text]


async def test_a_message_that_takes_no_edit_any_more_does_not_keep_the_others_from_theirs(room: Room) -> None:
    _ana, ben = await ended(room)
    result = await room.result()
    room.fail("PATCH", f"/channels/*/messages/{result.id}", 400, 30046, times=None)
    await ben.delete_data()
    await room.later(60 * MINUTE)
    assert [page for page in room.pages() if "Ben" in page.text] == [result]
    for _ in range(12):
        await room.later(60 * MINUTE)
    tried = edits_of(room, result)
    await room.later(24 * 60 * MINUTE)
    assert edits_of(room, result) == tried, "it is not tried for ever"
    assert await room.host.store.due(room.clock.now() + 60 * MINUTE) == [], "and nothing is left to be done"


async def test_a_result_that_takes_no_edit_for_a_while_loses_the_name_later(room: Room) -> None:
    _ana, ben = await ended(room)
    result = await room.result()
    room.fail("PATCH", f"/channels/*/messages/{result.id}", 400, 30046)
    await ben.delete_data()
    assert "Ben" in result.text
    await room.later(30 * MINUTE)
    assert "Ben" not in result.text


async def test_an_ended_board_that_takes_no_edit_does_not_go_on_looking_alive(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben", agents=1)
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(3))
    hand, board = await ana.hand(), await room.board()
    room.fail("PATCH", f"/channels/*/messages/{board.id}", 400, 30046)
    await some_game.move(ana, hand)
    await room.later(60 * MINUTE)
    assert not board.exists
    assert "The match is over" in (await room.board()).text
    assert not with_hand(room)


async def test_where_the_bot_may_not_edit_it_does_not_try_again_and_again(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    hand, board = await ana.hand(), await room.board()
    room.fail("PATCH", f"/channels/*/messages/{board.id}", 403, 50001, times=None)
    before = edits_of(room, board)
    await some_game.move(ana, hand)
    for _ in range(10):
        await room.later(MINUTE)
    assert edits_of(room, board) == before + 1


# -- what an earlier process left behind


@pytest.mark.parametrize("down", [0, 60 * MINUTE])
async def test_a_result_is_told_once_though_a_kill_falls_before_it_is_kept(
    room: Room, monkeypatch: pytest.MonkeyPatch, down: float
) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben", agents=1)
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(3))
    hand = await ana.hand()
    with killed("POST", "Play Again", mute=True):
        sale = some_game.moving(ana, hand)
        await room.deliver(sale)
    if down:  # Discord forgets nonces after some minutes
        monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)
    room.clock.advance(down)
    await room.restart(crash=True)
    await room.later(MINUTE)
    assert [page for page in room.pages() if "Play Again" in page.buttons] == [await room.result()]


async def test_an_announcement_of_an_earlier_process_does_not_stand_beside_the_new_one(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    hand = await ana.hand()
    with killed("POST", f"<@{ben.id}>", mute=True):
        await room.deliver(ana.pressing(hand, "End Turn"), catch_up=False)
        await run_due(room.host)
    monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)
    room.clock.advance(60 * MINUTE)
    await room.restart(crash=True)
    await room.later(10 * MINUTE)
    (call,) = room.announcements()
    assert ben.mention in call.text


def notified(room: Room, person: Person) -> int:
    """How many messages were sent that notify this person."""
    bodies = [entry.json for entry in room.env.http_requests if entry.method == "POST" and entry.json]
    return sum(str(person.id) in json.dumps(body.get("allowed_mentions")) for body in bodies)


@contextmanager
def killed_after_a_call(
    monkeypatch: pytest.MonkeyPatch, room: Room, person: Person, label: str
) -> Iterator[list[Page]]:
    """The process dies between the next call and its note, after this person has pressed a button of the call."""
    announce, posted = Sender.announce, list[Page]()

    async def then_die(sender: Sender, *given: Any) -> int:
        posted.append(Page(room.env, room.channel.id, await announce(sender, *given)))
        press = person.pressing(posted[-1], label)
        room.emit(press)
        await until(lambda: press.answered)
        await room.host.store.close()
        raise OSError("the process is dead")

    with monkeypatch.context() as dead, suppress(StoreError):
        dead.setattr(Sender, "announce", then_die)
        yield posted


@pytest.mark.parametrize("label", ["Dig", "Hand"])
async def test_a_call_of_an_earlier_process_is_known_whatever_the_called_person_did_before_the_kill(
    room: Room, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    """After **Dig** the words and the buttons of the same call are other ones."""
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    await ana.press(await room.board(), "Dig")
    before = notified(room, ben)
    with killed_after_a_call(monkeypatch, room, ben, label) as posted:
        await room.deliver(ana.pressing(await ana.hand(), "End Turn"), catch_up=False)
        await run_due(room.host)
    await room.restart(crash=True)
    await room.later(MINUTE)
    assert room.announcements() == posted
    assert ("Dig" in posted[0].buttons) == (label != "Dig"), "it is brought up to date"
    assert notified(room, ben) == before + 1


async def test_a_letter_of_an_earlier_process_is_known_with_its_call_at_the_table(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    await ben.choose(await ben.command("/settings"), "When it is your turn", "Write to Me")
    await ana.press(await room.board(), "Dig")
    with killed_after_a_call(monkeypatch, room, ben, "Dig"):
        await room.deliver(ana.pressing(await ana.hand(), "End Turn"), catch_up=False)
        await run_due(room.host)
    assert len(room.letters(ben)) == 1
    await room.restart(crash=True)
    assert len(room.letters(ben)) == 1
    assert notified(room, ben) == 0
    await ben.press(await ben.hand(), "End Turn")
    await room.minds_wander()
    assert room.letters(ben) == [], "it is noted, and goes with the turn"


async def test_everybody_is_called_at_once_while_discord_cannot_show_what_stands_in_the_channel(
    room: Room,
) -> None:
    people = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning())
    await room.restart(crash=True)
    room.fail("GET", POSTS, 500, times=None)
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.messages.calling = "a call that was perhaps made before the crash"
        draft.touch()
    for person, called in (people, people[::-1], people):
        before = notified(room, called)
        await person.press(await room.board(), "Dig")
        await person.press(await person.hand(), "End Turn")
        await room.minds_wander()
        assert notified(room, called) == before + 1
    room.heal()
    await room.later(MINUTE)
    searches = sum(entry.method == "GET" for entry in room.env.http_requests)
    await room.later(MINUTE)
    assert sum(entry.method == "GET" for entry in room.env.http_requests) == searches, (
        "it was searched once more"
    )


async def test_a_lobby_that_somebody_presses_while_it_is_looked_for_stays(
    room: Room, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, ben = await lost_lobby(room, mishaps, monkeypatch)
    look = Sender.left_behind

    async def while_pressed(sender: Sender, table: Table, state: DisplayState) -> Any:
        found = await look(sender, table, state)
        press = ben.pressing(lobby, "Join")
        room.emit(press)
        await until(lambda: press.answered)
        return found

    monkeypatch.setattr(Sender, "left_behind", while_pressed)
    await room.later(MINUTE)
    assert room.pages() == [lobby]
    assert "**Ben**" in lobby.text


# -- all of it at once


@contextmanager
def slow_discord(rng: Random) -> Iterator[None]:
    """Every request takes its own time, to Discord and back, so that they land in any order; some are lost on the way
    back, after Discord has done what they ask for.
    """
    request, answer = FakeHTTPClient.request, FakeWebhookAdapter.request

    async def on_the_way() -> None:
        for _ in range(int(rng.expovariate(0.2))):
            await asyncio.sleep(0)

    async def slowly(http: FakeHTTPClient, route: Any, **options: Any) -> Any:
        await on_the_way()
        done = await request(http, route, **options)
        await on_the_way()
        if route.method in ("PATCH", "DELETE") and rng.random() < 0.1:
            raise OSError("the answer got lost")
        return done

    async def slowly_answered(adapter: FakeWebhookAdapter, route: Any, session: Any, **options: Any) -> Any:
        await on_the_way()
        done = await answer(adapter, route, session, **options)
        await on_the_way()
        return done

    with (
        patch.object(FakeHTTPClient, "request", slowly),
        patch.object(FakeWebhookAdapter, "request", slowly_answered),
    ):
        yield


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_order_requests_land_in_all_messages_end_up_as_the_table_is(
    room: Room, seed: int
) -> None:
    rng = Random(seed)
    lobby, (ana, *others) = await room.lobby_of("Ana")
    others = [room.person(name) for name in ("Ben", "Cara", "Dora")]
    with slow_discord(rng):
        crowd = [person.pressing(lobby, label) for person in others for label in ("Join", "Leave", "Join")]
        rng.shuffle(crowd)
        crowd.append(ana.forging(lobby, str(Id("start", (await room.table()).id))))
        drawing = asyncio.create_task(_jobs(room, lambda: all(press.answered for press in crowd)))
        for press in crowd:
            room.emit(press)
            for _ in range(rng.randrange(30)):
                await asyncio.sleep(0)
        await drawing
        if (await room.table()).status == "lobby":  # too few had sat down
            await others[0].press_stale(lobby, "join")
            await ana.press_stale(lobby, "start")
        board, hand = await room.board(), str(Id("hand", (await room.table()).id))
        presses = [person.forging(board, hand) for person in (ana, *others)]
        moving = [
            asyncio.create_task(room.host.presenter.repost((await room.table()).id))
            for _ in range(rng.randrange(4))
        ]
        room.emit(*presses)
        await _jobs(
            room,
            lambda: all(press.answered for press in presses) and all(task.done() for task in moving),
        )
        await asyncio.gather(*moving, return_exceptions=True)
    await room.env.settle()
    await room.later(10 * MINUTE)
    assert "has started" in lobby.text
    assert set(lobby.links) == {"Go to the Table"}
    assert str((await room.board()).id) in lobby.links["Go to the Table"]
    assert with_hand(room) == [await room.board()]
    assert len(room.announcements()) == 1
    assert str((await room.board()).id) in room.announcements()[0].links["Go to the Table"]


async def _jobs(room: Room, done: Callable[[], bool]) -> None:
    """Does what is due, again and again, until this holds."""
    async with asyncio.timeout(PATIENCE):
        while not done():
            await room.host.start_due()
            await asyncio.sleep(0.001)
