"""Discord accepts no files, or accepts them too late: every message comes without its pictures, and in time."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from simcord.backend.errors import BackendError
from simcord.http import FakeWebhookAdapter, client

from bot.store.store import Store
from bot.ui import interaction as interaction_module
from bot.ui.uploads import PAUSE
from tests.cogs import some_game
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Room
from tests.cogs.test_pictures import moves, pictures, sees, settings, shown, studio
from tests.cogs.without_server import group_of

__all__ = ["pictures", "settings", "studio"]  # fixtures

REFUSALS = [(413, 0), (400, 40005), (500, 0), (502, 0), (403, 50013)]


@contextmanager
def no_files(status: int, code: int = 0) -> Iterator[list[str]]:
    """Discord refuses whatever has files, and accepts all else. The paths of what it refuses are noted."""
    dispatch, refused = client.router.dispatch, list[str]()

    def refusing(backend: Any, method: str, path: str, **options: Any) -> Any:
        if options.get("files"):
            refused.append(path)
            raise BackendError(status, code, "injected by a test")
        return dispatch(backend, method, path, **options)

    with patch.object(client.router, "dispatch", refusing):
        yield refused


def refused_uploads(room: Room) -> dict[str, float]:
    """How many messages were accepted only without their files, by reason."""
    registry, found = room.host.services.metrics.registry, dict[str, float]()
    for family in registry.collect():
        for sample in family.samples:
            if sample.name == "digsite_uploads_refused_total":
                found[sample.labels["reason"]] = sample.value
    return found


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_where_files_are_refused_a_whole_match_is_played_in_text(
    room: Room, status: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    with no_files(status, code) as refused, caplog.at_level(logging.WARNING, "bot.ui.uploads"):
        lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
        assert "Join" in lobby.buttons
        await ana.press(lobby, "Start Match")
        await room.stage(some_game.beginning())
        board = await room.board()
        hand = await ben.hand()
        assert " · 💰 $" in hand.text
        assert shown(hand) == []
        dug = await ana.press(board, "Dig")
        assert "You dig up" in dug.text
        assert shown(dug) == []
        await room.stage(some_game.last_move(2))
        await some_game.move(ana, await ana.hand())
        result = await room.result()
        assert "wins" in result.text
        for page in (lobby, board, result):
            assert shown(page) == []
        kinds = 1 + (status == 403)  # a private answer needs no permission, and is tried once more
        assert len(refused) == kinds, "pictures pause after the first refusal"
        assert all("accepts no files" in line for line in caplog.messages)
        assert len(caplog.messages) == sum(refused_uploads(room).values()) == kinds


async def test_pictures_come_back_by_themselves(room: Room) -> None:
    with no_files(413):
        await turn_of_ana(room)
        board = await room.board()
        assert shown(board) == []
    await room.later(PAUSE / 2)
    assert shown(board) == []
    await room.later(PAUSE / 2 + 1)
    await sees(room, board, f"{await moves(room)} moves were made")


async def test_the_picture_of_a_result_comes_back_too(room: Room) -> None:
    with no_files(413):
        ana, _ben = await room.match_of("Ana", "Ben")
        await room.stage(some_game.last_move(2))
        await some_game.move(ana, await ana.hand())
        assert shown(await room.result()) == []
    await room.later(PAUSE + 1)
    await sees(room, await room.result(), "the podium")


async def test_without_the_permission_a_match_that_is_over_is_let_go(room: Room) -> None:
    with no_files(403, 50013) as refused:
        ana, _ben = await room.match_of("Ana", "Ben")
        await room.stage(some_game.last_move(2))
        await some_game.move(ana, await ana.hand())
        table = await room.table()
        for _ in range(3):
            await room.later(PAUSE + 1)
        before = len(refused)
        await room.later(PAUSE + 1)
        assert len(refused) == before
        assert room.host.presenter.states.get(table.id) is None


async def test_a_screen_without_its_picture_says_what_the_picture_shows(room: Room) -> None:
    with no_files(413):
        await turn_of_ana(room)
        in_text = (await room.board()).text
    await room.later(PAUSE + 1)
    await sees(room, await room.board(), f"{await moves(room)} moves were made")
    assert "Market" in in_text
    assert len(in_text) > len((await room.board()).text)


async def test_nothing_is_edited_again_and_again_while_pictures_pause(room: Room) -> None:
    with no_files(413):
        await turn_of_ana(room)
        await room.minds_wander()
        before = len(room.env.http_requests)
        for _ in range(3):
            await room.host.presenter.redraw((await room.table()).id)
        assert len(room.env.http_requests) == before


async def test_a_press_whose_upload_takes_too_long_is_answered_without_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    monkeypatch.setattr(interaction_module, "UPLOAD_WITHIN", 0.05)
    request = FakeWebhookAdapter.request

    async def never(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        if options.get("files"):
            await asyncio.sleep(1)  # on the simulated clock, as the wait for it is
        return await request(adapter, route, session, **options)

    with patch.object(FakeWebhookAdapter, "request", never):
        hand = await ana.command("hand")
        assert " · 💰 $" in hand.text
        assert " · 💰 $" in (await ben.press(await room.board(), "Hand")).text
        assert refused_uploads(room) == {"failed": 1}


async def test_an_upload_that_arrives_after_it_was_given_up_is_the_answer(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    monkeypatch.setattr(interaction_module, "UPLOAD_WITHIN", 0.05)
    request = FakeWebhookAdapter.request

    async def slowly(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        done = await request(adapter, route, session, **options)
        if options.get("files") and route.url.endswith("/callback"):
            await asyncio.sleep(1)
        return done

    with patch.object(FakeWebhookAdapter, "request", slowly):
        hand = await ana.command("hand")
    assert " · 💰 $" in hand.text
    await some_game.move(ana, hand)
    assert "You sell" in hand.text, "the message is known, and follows"


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_a_group_is_played_in_text_too(room: Room, status: int, code: int) -> None:
    ana, ben = group_of(room, "Ana", "Ben")
    with no_files(status, code):
        lobby = await ana.command("start")
        await ben.press(lobby, "Join")
        await ana.press(lobby, "Start Match")
        await room.stage(some_game.TURN)
        hand = await ana.command("hand")
        await some_game.move(ana, hand)
        await ana.press(hand, "End Turn")
        board = await room.board()
        assert "Ben" in board.text
        assert shown(board) == shown(hand) == []
        await room.stage(some_game.last_move(2))
        await some_game.move(ana, await ana.command("hand"))
        assert "wins" in (await room.result()).text


async def test_a_refusal_in_one_channel_leaves_pictures_in_another(room: Room) -> None:
    with no_files(413):
        await turn_of_ana(room)
    room.channel = room.guild.create_text_channel("elsewhere")
    lobby, _people = await room.lobby_of("Cara", "Dan")
    await sees(room, lobby, "the banner")


async def test_the_record_of_a_match_that_is_refused_is_answered_with_the_reason(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    with no_files(413):
        page = await ana.press(result, "Fairness")
        assert "Is the shuffle fair?" in page.text
        assert "Attach Files" in page.text
    page = await ana.press(result, "Fairness")
    assert [name for name in page.files if name.endswith(".json")], "no pause holds back what is asked for"
    assert json.loads(next(iter(page.files.values())))["game"] == some_game.GAME


async def test_a_lobby_that_is_posted_late_is_recognised_when_it_is_sent_without_its_picture(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interaction_module, "DEFER_AFTER", 0.01)
    create, dispatch, posts = Store.create, client.router.dispatch, list[tuple[bool, Any]]()

    async def slowly(store: Store, change: Any, **named: Any) -> Any:
        await asyncio.sleep(0.03)  # on the simulated clock
        return await create(store, change, **named)

    monkeypatch.setattr(Store, "create", slowly)

    def noting(backend: Any, method: str, path: str, **options: Any) -> Any:
        if method == "POST" and path == f"/channels/{room.channel.id}/messages":
            body = options["json"]
            posts.append((bool(options.get("files")), (body.get("nonce"), body.get("enforce_nonce"))))
            if options.get("files"):
                raise BackendError(500, 0, "injected by a test")
        return dispatch(backend, method, path, **options)

    with patch.object(client.router, "dispatch", noting):
        await room.person("Ana").command("start")
    (with_files, first), (without, second) = posts
    assert (with_files, without) == (True, False)
    assert first == second
    assert all(first)


# -- the permission to attach files


async def test_the_permission_to_attach_files_is_named_once_to_who_may_give_it(room: Room) -> None:
    ana, mia = room.person("Ana"), room.manager("Mia")
    with no_files(403, 50013):
        lobby = await ana.command("start")
        press = mia.pressing(lobby, "Join")
        await room.deliver(press)
        (said,) = [page for page in press.answers if page.ephemeral]
        assert "I lack the permission **Attach Files** in this channel" in said.text
        assert "**Mia**" in lobby.text
        started = ana.pressing(lobby, "Start Match")
        await room.deliver(started)
        again = mia.pressing(await room.board(), "Hand")
        await room.deliver(again)
        for page in (*started.answers, *again.answers):
            assert "Attach Files" not in page.text
        assert "For that I need the permission Attach Files" in (await mia.command("/setup")).text
    await room.later(PAUSE + 1)
    await sees(room, await room.board(), f"{await moves(room)} moves were made")
    assert "Attach Files" not in (await mia.command("/setup")).text


# -- connections that drop


@contextmanager
def dropping(part: str, method: str = "*", *, arrived: bool) -> Iterator[list[str]]:
    """The connection of the first such request drops, before or after Discord has acted on it."""
    request, dropped = FakeWebhookAdapter.request, list[str]()

    async def cut(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        if dropped or part not in route.url or method not in ("*", route.method):
            return await request(adapter, route, session, **options)
        dropped.append(route.url)
        if arrived:
            await request(adapter, route, session, **options)
        raise OSError("the connection dropped")

    with patch.object(FakeWebhookAdapter, "request", cut):
        yield dropped
    assert dropped


@pytest.mark.parametrize("arrived", [False, True])
async def test_an_answer_whose_connection_drops_reaches_its_player_once(room: Room, arrived: bool) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    kept = room.env.backend.messages[room.channel.id]
    before = sum(message.is_ephemeral for message in kept.values())
    with dropping("/callback", arrived=arrived):
        page = await ana.command("hand")
    assert " · 💰 $" in page.text
    assert sum(message.is_ephemeral for message in kept.values()) == before + 1
    with dropping("/callback", arrived=arrived):
        await some_game.move(ana, page)
    assert "You sell" in page.text
    press = ben.pressing(await room.board(), "Hand")
    with dropping("/callback", arrived=arrived):
        await room.deliver(press)
    (private,) = press.answers
    assert " · 💰 $" in private.text
    await ana.press(page, "End Turn")
    assert "Dig" in private.buttons, "the screen is known, and follows"


async def test_a_private_screen_whose_connection_drops_reaches_its_player(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.TURN)
    press = ana.pressing(await room.board(), "Hand")
    with dropping("/webhooks/", "POST", arrived=False):
        await room.deliver(press)
    (private,) = press.answers
    assert " · 💰 $" in private.text


@pytest.mark.parametrize("arrived", [False, True])
async def test_a_form_or_a_deferral_whose_connection_drops_is_there(
    room: Room, arrived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    form = ben.pressing(await ben.press(lobby, "Rules & Settings"), "Lucky Word")
    with dropping("/callback", arrived=arrived):
        await room.deliver(form)
    assert form.answered
    monkeypatch.setattr(interaction_module, "DEFER_AFTER", 0.0)
    with dropping("/callback", arrived=arrived):
        assert "###" in (await ana.press(lobby, "Rules")).text
