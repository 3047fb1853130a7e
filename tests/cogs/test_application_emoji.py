"""The application's own emoji on Discord: uploaded once, shown on screens, never in the way.

The drawings are this file's own, and Discord is as strict as it is: it takes no button with an emoji that it lacks.
"""

from __future__ import annotations

import asyncio
import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
import simcord
from PIL import Image
from simcord import _dpy_internals
from simcord.backend.errors import BackendError
from simcord.components import walk_components
from simcord.http import FakeHTTPClient, client

import cogs
from bot.app.client import Digsite, make_client
from bot.art.ink import CLAY, GOLD, Part, Sketch
from bot.settings import Settings
from bot.ui.application_emoji import uploads
from bot.ui.application_emoji.registry import BETWEEN, LOOK_AGAIN, RETRY_FIRST, RETRY_MOST, STAYS
from bot.ui.application_emoji.uploads import SIDE
from cogs.archaeology.screens import ArchaeologyScreens
from engine.registry import load_games
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted
from tests.cogs.conftest import Mishaps
from tests.cogs.page import MENU, Page
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Room, switch, until

pytestmark = pytest.mark.usefixtures("rendering_here")

EMOJIS = "/emojis"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"pictures": True})


def drawing(name: str, colour: str = GOLD) -> Part:
    return Sketch(name).oval(50, 50, 30, fill=colour).part()


Drawings = dict[str, Part]


@pytest.fixture(autouse=True)
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    """The emoji of the game that is played here; the other games have none. There are no pictures."""
    parts = {"🪙": drawing("coin emoji"), "⛏️": drawing("pick"), "💰": drawing("money bag")}
    for screens in cogs.GAMES:
        monkeypatch.setattr(screens, "emoji_parts", lambda *_given: dict[str, Part]())
    monkeypatch.setattr(ArchaeologyScreens, "emoji_parts", lambda _screens: dict(parts))
    for name in ("banner", "table_picture", "own_picture", "podium"):
        monkeypatch.setattr(ArchaeologyScreens, name, lambda *_given: None)
    return parts


class Emoji:
    """The application's emoji at Discord."""

    def __init__(self, env: simcord.Env) -> None:
        self.env = env
        self.images: dict[str, bytes] = {}
        self.dispatch = client.router.dispatch

    @property
    def there(self) -> dict[str, int]:
        return {emoji.name: emoji.id for emoji in self.env.backend.application_emojis.values()}

    def id(self, word: str) -> int:
        [number] = [number for name, number in self.there.items() if name.startswith(f"{word}_")]
        return number

    def own(self, word: str) -> str:
        return f"<:{word}:{self.id(word)}>"

    def requests(self) -> list[str]:
        """The methods of the requests about emoji, in their order."""
        return [entry.method for entry in self.env.http_requests if EMOJIS in entry.path]

    def strict(self, backend: Any, method: str, path: str, **options: Any) -> Any:
        body = options.get("json") or {}
        if method == "POST" and path.endswith(EMOJIS):
            if body["name"] in self.there:
                backend.http_requests.append(simcord.HttpLogEntry(method, path, {}, body, None))
                raise BackendError(400, 50035, "Invalid Form Body")
            made = self.dispatch(backend, method, path, **options)
            self.images[body["name"]] = b64decode(body["image"].partition("base64,")[2])
            return made
        if unknown_emoji(body) - set(self.there.values()):
            backend.http_requests.append(simcord.HttpLogEntry(method, path, {}, body, None))
            raise BackendError(400, 50035, "Invalid Form Body")
        return self.dispatch(backend, method, path, **options)


def unknown_emoji(body: Any) -> set[int]:
    """The ids of the emoji on the buttons and in the menus of a request."""
    data = body.get("data") or body if isinstance(body, dict) else {}
    parts = list(walk_components(data.get("components", ()) if isinstance(data, dict) else ()))
    bearers = [*parts, *(option for part in parts for option in part.get("options") or ())]
    worn = [bearer["emoji"] for bearer in bearers if bearer.get("emoji")]
    return {int(emoji["id"]) for emoji in worn if emoji.get("id")}


@pytest.fixture
def emoji(env: simcord.Env, monkeypatch: pytest.MonkeyPatch) -> Emoji:
    there = Emoji(env)
    monkeypatch.setattr(client.router, "dispatch", there.strict)
    return there


async def all_uploaded(room: Room) -> None:
    for _request in range(6):
        await room.later(BETWEEN)


def worn(page: Page) -> dict[str, str]:
    """The emoji of buttons and of menus' options, by label: their ids, or the ordinary ones."""
    options = [option for part in page.components if part["type"] == MENU for option in part["options"]]
    bearers = [part for part in [*page.components, *options] if part.get("emoji")]
    return {each["label"]: str(each["emoji"].get("id") or each["emoji"]["name"]) for each in bearers}


async def test_they_are_uploaded_one_by_one_and_then_shown_in_texts_on_buttons_and_in_menus(
    room: Room, emoji: Emoji
) -> None:
    await room.catch_up()
    assert emoji.requests() == ["GET"], "the start itself uploads nothing"
    await room.later(BETWEEN)
    assert emoji.requests() == ["GET", "POST"]
    await room.catch_up()
    assert emoji.requests() == ["GET", "POST"], "there is a pause between two of them"
    ana, _ben, hers, _his = await turn_of_ana(room)
    assert "🪙" in hers.text
    assert worn(hers)["1 Coin · $2"] == "🪙"
    await all_uploaded(room)
    assert emoji.requests() == ["GET", "POST", "POST", "POST"]
    assert [name.rpartition("_")[0] for name in emoji.there] == ["coin", "pick", "money_bag"]
    hers = await ana.hand()
    assert "🪙" not in hers.text
    assert emoji.own("coin") in hers.text
    assert worn(hers)["1 Coin · $2"] == str(emoji.id("coin"))
    await some_game.move(ana, hers)
    board = await room.board()
    assert emoji.own("coin") in board.text
    await room.stage(some_game.beginning())
    assert worn(await room.board())["Dig"] == str(emoji.id("pick"))
    await room.minds_wander()
    [call] = room.announcements()
    assert worn(call)["Dig"] == str(emoji.id("pick"))


async def test_the_files_are_of_discords_size_with_a_transparent_ground(room: Room, emoji: Emoji) -> None:
    await all_uploaded(room)
    assert emoji.images
    for data in emoji.images.values():
        assert len(data) <= uploads.MOST_BYTES
        image = Image.open(io.BytesIO(data))
        assert image.size == (SIDE, SIDE)
        assert image.mode == "RGBA"
        assert image.getpixel((0, 0))[3] == 0  # pyright: ignore[reportIndexIssue, reportOptionalSubscript]
        assert image.getpixel((SIDE // 2, SIDE // 2))[3] == 255  # pyright: ignore[reportIndexIssue, reportOptionalSubscript]


async def test_a_restart_sends_nothing_but_one_look(room: Room, emoji: Emoji) -> None:
    await all_uploaded(room)
    before, asked = emoji.there, emoji.requests()
    await room.restart()
    await all_uploaded(room)
    assert emoji.requests() == [*asked, "GET"]
    assert emoji.there == before


async def test_after_a_restart_they_are_shown_before_discord_was_asked(room: Room, emoji: Emoji) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    room.fail("GET", "/applications/*", 503, times=None)
    await room.restart()
    assert emoji.own("coin") in (await ana.hand()).text


async def test_another_applications_emoji_are_not_shown(room: Room, emoji: Emoji) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    await room.host.store.set_fact(uploads.FACT, "12345")
    room.fail("GET", "/applications/*", 503, times=None)
    await room.restart()
    assert "🪙" in (await ana.hand()).text


async def test_a_changed_drawing_replaces_the_old_one_which_goes_a_day_later(
    room: Room, emoji: Emoji, drawings: Drawings
) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    foreign = room.env.backend.create_application_emoji("coin_00000000").id
    await all_uploaded(room)
    pick = emoji.id("pick")
    [old] = [n for name, n in emoji.there.items() if name[:5] == "coin_" and n != foreign]
    drawings["🪙"] = drawing("coin emoji", CLAY)
    await room.restart()
    before = emoji.requests().count("POST")
    await all_uploaded(room)
    assert emoji.requests().count("POST") == before + 1
    [new] = [n for name, n in emoji.there.items() if name[:5] == "coin_" and n not in (old, foreign)]
    assert f"<:coin:{new}>" in (await ana.hand()).text
    assert emoji.id("pick") == pick
    assert old in emoji.there.values(), "another process may still show it"
    await room.later(STAYS)
    await all_uploaded(room)
    assert {*emoji.there.values()} >= {foreign, new, pick}, "what the bot did not upload is left alone"
    assert old not in emoji.there.values()
    await room.restart()
    await all_uploaded(room)
    assert len(emoji.there) == 4


@pytest.mark.parametrize(("status", "again"), [(403, RETRY_MOST), (503, RETRY_FIRST)])
async def test_while_discord_refuses_ordinary_ones_are_shown_and_it_is_tried_again(
    room: Room, emoji: Emoji, caplog: pytest.LogCaptureFixture, status: int, again: float
) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await room.later(BETWEEN)
    room.fail("POST", "/applications/*", status, times=None)
    await room.later(BETWEEN)
    first = len(emoji.requests())
    hers = await ana.hand()
    assert emoji.own("coin") in hers.text, "what is there is shown"
    await room.later(again / 2)
    assert len(emoji.requests()) == first
    await room.later(again / 2)
    await room.later(BETWEEN)
    assert len(emoji.requests()) > first
    warnings = [record for record in caplog.records if "cannot be brought to Discord" in record.getMessage()]
    assert len(warnings) == 1
    room.heal()
    await room.later(RETRY_MOST)
    await all_uploaded(room)
    assert len(emoji.there) == 3


async def test_one_that_discord_does_not_accept_keeps_no_other_away(
    room: Room, emoji: Emoji, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    mishaps.expect("does not accept the emoji coin_")
    dispatch = client.router.dispatch

    def picky(backend: Any, method: str, path: str, **options: Any) -> Any:
        if method == "POST" and path.endswith(EMOJIS) and options["json"]["name"].startswith("coin"):
            raise BackendError(400, 50035, "Invalid Form Body")
        return dispatch(backend, method, path, **options)

    monkeypatch.setattr(client.router, "dispatch", picky)
    for _try in range(3):
        await all_uploaded(room)
        assert len(emoji.there) == 2
        await room.later(RETRY_MOST)
    assert [name.rpartition("_")[0] for name in emoji.there] == ["pick", "money_bag"]


async def test_one_that_cannot_be_rendered_keeps_no_other_away(
    room: Room, emoji: Emoji, mishaps: Mishaps, drawings: Drawings
) -> None:
    mishaps.expect("cannot be rendered")
    drawings["🪙"] = Part("coin", 100, 100, "<this is no drawing")
    await room.restart()
    await all_uploaded(room)
    assert len(emoji.there) == 2


async def test_an_application_that_is_full_gets_none_and_says_so(
    room: Room, emoji: Emoji, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(uploads, "MOST", 2)
    room.env.backend.create_application_emoji("own_one")
    await all_uploaded(room)
    assert emoji.requests() == ["GET", "POST"]
    assert "as many emoji as Discord allows; 2 of the games are missing" in caplog.text


async def test_an_outdated_one_goes_at_once_where_its_room_is_needed(
    room: Room, emoji: Emoji, drawings: Drawings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST", 3)
    await all_uploaded(room)
    old = emoji.id("coin")
    drawings["🪙"] = drawing("coin emoji", CLAY)
    await room.restart()
    await all_uploaded(room)
    assert len(emoji.there) == 3
    assert emoji.id("coin") != old


async def test_one_that_somebody_deleted_costs_no_answer_and_is_uploaded_again(
    room: Room, emoji: Emoji, caplog: pytest.LogCaptureFixture
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    hers = await ana.hand()
    room.env.backend.delete_application_emoji(emoji.id("coin"))
    warnings = await some_game.move(ana, hers)
    assert worn(warnings)["1 Coin · $2"] == "🪙"
    assert "sells" in (await room.board()).text
    assert worn(await room.board()) != {}
    await all_uploaded(room)
    assert worn(await ana.hand())["1 Coin · $2"] == str(emoji.id("coin"))
    assert caplog.text.count("did not take the bot's own emoji") == 1


async def test_what_discord_goes_on_refusing_is_not_tried_again_at_once(
    room: Room, emoji: Emoji, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    monkeypatch.setattr(Emoji, "there", property(lambda _self: {}))
    for _press in range(5):
        assert worn(await ana.hand())["1 Coin · $2"] == "🪙"
        await room.later(BETWEEN)
    refused = [entry for entry in room.env.http_requests if unknown_emoji(entry.json)]
    assert len(refused) <= 4, "each is one of the 10,000 after which Discord shuts a bot out"


async def test_messages_of_the_table_that_would_have_a_deleted_one_come_all_the_same(
    room: Room, emoji: Emoji
) -> None:
    await turn_of_ana(room)
    await all_uploaded(room)
    room.env.backend.delete_application_emoji(emoji.id("pick"))
    await room.stage(some_game.beginning())
    await room.minds_wander()
    assert worn(await room.board())["Dig"] == "⛏️"
    [call] = room.announcements()
    assert worn(call)["Dig"] == "⛏️"


async def test_a_call_is_not_posted_twice_because_the_emoji_came_meanwhile(room: Room, emoji: Emoji) -> None:
    room.fail("GET", "/applications/*", 503, times=None)
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"map": 1}], market={"coin": 2}, site=["coin"] * 6))
    await room.minds_wander()
    page = await ana.press(await ana.hand(), "Dig")
    with room.answers_lost("POST", "/webhooks/", ben.mention):
        await room.deliver(ana.pressing(page, "End Turn"))
    [posted] = room.announcements()
    assert "🪙" in posted.text
    assert worn(posted)["Dig"] == "⛏️"
    room.heal()
    table = (await room.table()).id
    registry = room.host.emoji
    registry.between = 0
    while not registry.emoji_map(room.game):
        room.clock.advance(1)
        registry.start_due(room.clock.now() + RETRY_MOST)
        assert registry.task is not None
        await registry.task
    assert (await room.host.tables.get(table)).body.messages.announcement != posted.id, "not noted yet"
    await room.later(60)
    [now] = room.announcements()
    assert now.id == posted.id
    assert (await room.table()).body.messages.announcement == posted.id
    assert ana.mention not in now.text


async def test_a_table_that_was_drawn_before_they_came_is_edited_and_not_posted_anew(
    room: Room, emoji: Emoji
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    board = await room.board()
    assert "🪙" in board.text or "💰" in board.text or "🪙" in hers.text
    await all_uploaded(room)
    await some_game.move(ana, hers)
    assert (await room.board()).id == board.id
    assert emoji.own("coin") in board.text


async def test_who_chose_text_only_reads_ordinary_ones(room: Room, emoji: Emoji) -> None:
    ana, ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    await ben.press(await ben.command("/settings"), "Text Only for Me")
    assert "<:" not in (await ben.hand()).text
    assert emoji.own("coin") in (await ana.hand()).text
    boss = room.manager("Mia")
    await switch(boss, "Pictures", on=False)
    assert "<:" not in (await ana.hand()).text


async def test_what_all_see_does_not_depend_on_who_presses(
    room: Room, emoji: Emoji, drawings: Drawings
) -> None:
    drawings["🪑"] = drawing("chair")
    await room.restart()
    await all_uploaded(room)
    lobby, _people = await room.lobby_of("Ana")
    ben = room.person("Ben")
    await ben.press(await ben.command("/settings"), "Text Only for Me")
    await room.deliver(ben.pressing(lobby, "Join"), catch_up=False)
    assert "Ben" in lobby.text
    assert worn(lobby)["Join"] == str(emoji.id("chair"))


async def test_rules_have_them_and_direct_messages_do_not(room: Room, emoji: Emoji) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    rules = await ana.command("rules")
    pages = [rules.text]
    while "Next" in rules.buttons:
        rules = await ana.press(rules, "Next")
        pages.append(rules.text)
    assert emoji.own("coin") in "".join(pages)
    assert "🪙" not in "".join(pages)
    await ana.press(await room.board(), "More")
    page = await ana.press(await room.board(), "More")
    send = next(label for label in page.buttons if "DM" in label or "Message" in label)
    await ana.press(page, send)
    [letter] = room.letters(ana)
    assert "🪙" in letter.text


async def test_without_pictures_nothing_is_asked_or_shown(room: Room, emoji: Emoji) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await all_uploaded(room)
    asked = len(emoji.requests())
    room.settings = room.settings.model_copy(update={"pictures": False})
    await room.restart()
    await all_uploaded(room)
    assert len(emoji.requests()) == asked
    assert "🪙" in (await ana.hand()).text


async def test_no_press_and_no_end_waits_for_them(
    room: Room, emoji: Emoji, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, never = FakeHTTPClient.request, asyncio.Event()

    async def held_up(adapter: Any, route: Any, **options: Any) -> Any:
        if EMOJIS in route.url:
            await never.wait()
        return await request(adapter, route, **options)

    ana, _ben, hers, _his = await turn_of_ana(room)
    monkeypatch.setattr(FakeHTTPClient, "request", held_up)
    registry = room.host.emoji
    room.clock.advance(BETWEEN)
    await room.host.start_due()
    await asyncio.sleep(0.1)
    assert registry.task is not None
    press = some_game.moving(ana, hers)
    room.emit(press)
    await until(lambda: press.answered)
    assert registry.task is not None
    await room.host.close()
    assert registry.task is None


async def another_bot(room: Room, path: Path) -> Digsite:
    """Another bot with the same token, and with a store of its own."""
    settings = room.settings.model_copy(update={"database_path": path})
    bot = make_client(settings, room.clock, load_games(), cogs.setup)
    _dpy_internals.install_http(bot, FakeHTTPClient(room.env.backend, asyncio.get_running_loop()))
    bot._connection.application_id = room.bot.application_id
    await bot.host.start()
    cogs.setup(bot.host, bot.tree)
    return bot


async def step(room: Room, *bots: Digsite) -> None:
    """Each of these bots makes its next request, all at the same time."""
    room.clock.advance(RETRY_MOST)
    for bot in bots:
        bot.host.emoji.start_due(room.clock.now())
    tasks = [bot.host.emoji.task for bot in bots]
    await asyncio.gather(*[task for task in tasks if task is not None])


async def test_two_bots_that_upload_at_the_same_time_end_up_with_the_same(
    room: Room, emoji: Emoji, tmp_path: Path, drawings: Drawings
) -> None:
    bots = [await another_bot(room, tmp_path / f"{number}.sqlite3") for number in range(2)]
    await room.host.close()
    for _request in range(12):
        await step(room, *bots)
    assert len(emoji.there) == len(drawings)
    for bot in bots:
        assert bot.host.emoji.emoji_map(room.game).in_text("🪙") == emoji.own("coin")
        await bot.host.close()


async def test_with_a_new_store_nothing_is_uploaded_again(
    room: Room, emoji: Emoji, tmp_path: Path, drawings: Drawings
) -> None:
    await all_uploaded(room)
    room.settings = room.settings.model_copy(update={"database_path": tmp_path / "new.sqlite3"})
    await room.restart()
    await all_uploaded(room)
    assert emoji.requests().count("POST") == len(drawings)
    old = emoji.id("coin")
    drawings["🪙"] = drawing("coin emoji", CLAY)
    await room.restart()
    await all_uploaded(room)
    await room.later(LOOK_AGAIN)
    await all_uploaded(room)
    assert emoji.id("coin") != old, "what was found there is known to be the bot's"
