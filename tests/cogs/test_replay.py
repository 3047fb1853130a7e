"""Watching a match again on Discord: the command, the button, and what stands there until the film is ready."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
import simcord
from PIL import Image

import cogs
from bot.art.picture_cache import PictureCache
from bot.replay.film import CAPTION, Film, NoFilm
from bot.replay.film_queue import FilmQueue, FilmRequest, PendingFilm
from bot.replay.progress import UPDATE_EVERY, FilmQueueLimits
from bot.replay.turns import moments
from bot.settings import Settings
from bot.store.model import MoveRow
from bot.tables.history import record_of
from bot.tables.model import Table
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.ids import BESIDE, Id
from engine.record import Record
from tests.cogs import some_game
from tests.cogs.conftest import Mishaps
from tests.cogs.page import Page
from tests.cogs.painted_screens import PaintedScreens
from tests.cogs.private_matches import open_private
from tests.cogs.table_driver import Person, Room, until
from tests.cogs.test_uploads import no_files
from tests.cogs.waits import Waits

GALLERY = 12
READY = "The film appears here when it is ready."
EVERY = UPDATE_EVERY
WATCHED = "🎬 Archaeology"


@pytest.fixture
def settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Pictures that are quickly drawn, for films alone: screens have none."""
    monkeypatch.setattr(cogs, "GAMES", (PaintedScreens, *cogs.GAMES[1:]))
    monkeypatch.setattr("bot.app.build.PictureCache", lambda *, on, seen: PictureCache(on=not on, seen=seen))
    return settings.model_copy(update={"pictures": True})


class Studio:
    """Stands in for the process that makes films: a test says how far each is, and when it is ready."""

    def __init__(self, env: simcord.Env, monkeypatch: pytest.MonkeyPatch) -> None:
        self._env = env
        self.waits = Waits(env, monkeypatch, PendingFilm)
        self.orders: list[FilmRequest] = []
        self.at_work = 0
        self.counts: Any = None
        self.ready = asyncio.Event()
        self.failure: NoFilm | None = None

    async def made(self, order: FilmRequest, counts: Any) -> Film:
        self.orders.append(order)
        self.counts = counts
        self.at_work += 1
        assert self.at_work == 1, "one film is made at a time"
        try:
            await self._env.external_wait(self.ready.wait(), reason="the film is being made")
        finally:
            self.at_work -= 1
        if self.failure:
            raise self.failure
        return Film(b"GIF of " + repr(order.key).encode(), 41, 40)

    async def asks(self, room: Room, person: Person, page: Page | None = None) -> Page:
        """As the function, and each reply that shows progress already waits for its next edit."""
        answer = await asks(room, person, page)
        following = room.host.progress_replies.waits.tasks
        await until(lambda: "⏳" not in answer.text or 0 < len(following) == self.waits.now)
        return answer


@pytest.fixture
def studio(env: simcord.Env, monkeypatch: pytest.MonkeyPatch) -> Studio:
    studio = Studio(env, monkeypatch)
    monkeypatch.setattr(FilmQueue, "_made", lambda _replays, *given: studio.made(*given))
    return studio


def film_of(page: Page) -> bytes:
    """The one file of a message, which its gallery shows and describes."""
    (name,) = page.files
    (gallery,) = [part for part in page.components if part["type"] == GALLERY]
    (item,) = gallery["items"]
    assert name.endswith(".gif")
    assert 0 < len(item["description"]) <= 1024
    return page.files[name]


async def dig(room: Room, *people: Person) -> None:
    """Whoever begins makes the first move."""
    await (await room.asked(people)).press(await room.board(), "Dig")


async def goes_on(room: Room) -> None:
    """Has the newest match be as if it had gone on: its film is another one."""
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.undone += 1
        draft.touch()


async def asks(room: Room, person: Person, page: Page | None = None) -> Page:
    """Has a person ask for the film, by the button on this page or by the command, and not wait for it."""
    press = person.pressing(page, "Replay") if page else None
    if press is None:
        data = {"id": "1", "name": room.game, "type": 1, "options": [{"type": 1, "name": "replay"}]}
        press = person.interaction(2, data, None)
    room.emit(press)
    await until(lambda: press.answered and bool(press.answers), seconds=30)
    return press.answer


async def drawn(room: Room, person: Person, page: Page | None = None) -> Page:
    """Has a person ask for the film, and waits for the process that draws it, however busy the machine is."""
    answer = await asks(room, person, page)
    following = room.host.progress_replies.waits.tasks
    await until(lambda: bool(answer.text) and "⏳" not in answer.text and not following, seconds=120)
    with suppress(TimeoutError):  # SimCord tells now that its own patience, of 5 s, ended meanwhile
        await room.env.settle()
    await room.env.settle()
    return answer


# -- the film


async def test_the_film_of_a_match_that_was_ended_shows_every_turn(room: Room) -> None:
    """The real thing: the moves from the store, the process that draws, the file that Discord gets."""
    ana, ben = await room.match_of("Ana", "Ben")
    screens: dict[int, Page] = {}
    rng = Random(1)
    for _ in range(30):
        await some_game.step(room, {ana.id: ana, ben.id: ben}, screens, rng)
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    page = await drawn(room, ana)
    assert WATCHED in page.text
    table = await room.table()
    record = Record.model_validate_json(record_of(table, await room.host.store.moves(table.id)))
    turns = [moment.turn for moment in moments(record, room.host.games)][-1]
    assert turns > 1
    assert "A picture of each turn;" in page.text
    assert "not over" not in page.text
    image = Image.open(io.BytesIO(film_of(page)))
    assert getattr(image, "n_frames", 1) == turns + 1
    assert image.height > 250, "hands stand below the table"
    assert list(page.links) == ["Go to the Table"]
    assert room.host.films.made == 1


async def test_the_film_of_a_match_under_way_shows_what_everybody_may_know(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await drawn(room, ana)
    assert "No one has moved yet" in page.text
    assert "shows only what everyone may know" in page.text
    assert Image.open(io.BytesIO(film_of(page))).height < 250 + CAPTION


async def ended(room: Room, studio: Studio) -> tuple[Person, Person, Page]:
    """Two people whose match has ended, and the film that the first has asked for."""
    ana, ben = await room.match_of("Ana", "Ben")
    await dig(room, ana, ben)
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    studio.ready.set()
    return ana, ben, await drawn(room, ana)


async def test_one_press_posts_the_film_of_a_match_in_its_channel(room: Room, studio: Studio) -> None:
    ana, _ben, film = await ended(room, studio)
    before = {page.id for page in room.pages()}
    post = await ana.press(film, "Post Here")
    assert not post.ephemeral
    assert {page.id for page in room.pages()} - before == {post.id}
    assert film_of(post) == film_of(film), "with its alt text"
    assert post.buttons == {}
    assert [*post.links] == ["See the Result"], "which names all who played, as long as they wish"
    assert post.links["See the Result"].endswith(str((await room.result()).id))


async def test_film_is_posted_only_by_people_who_played_and_only_in_its_channel(
    room: Room, studio: Studio
) -> None:
    ana, _ben, film = await ended(room, studio)
    eve, before = room.person("Eve"), len(room.pages())
    press = eve.forging(await drawn(room, eve), film.buttons["Post Here"])
    await room.deliver(press)
    assert "Only people who played the match" in press.answer.text
    room.channel = room.guild.create_text_channel("elsewhere")
    profile = await ana.command("/games list")
    press = ana.forging(profile, film.buttons["Post Here"])
    await room.deliver(press)
    assert "in the channel where it was played" in press.answer.text
    assert room.pages() == []
    assert before


async def test_film_of_a_match_under_way_is_not_to_be_posted(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    page = await drawn(room, ana)
    assert page.buttons == {}
    table = await room.table()
    press = ana.forging(page, str(Id("replay-post", table.id)))
    await room.deliver(press)
    assert "only after the match" in press.answer.text
    press = ana.forging(page, str(Id("replay-page", table.id)))
    await room.deliver(press)
    assert not press.answer.files, "a page shows all hands"


async def test_page_of_an_ended_match_is_offered_beside_its_film(room: Room, studio: Studio) -> None:
    ana, _ben, film = await ended(room, studio)
    press = ana.pressing(film, "Page")
    room.emit(press)
    await until(lambda: bool(press.answers) and bool(press.answer.files), seconds=120)
    [(name, data)] = press.answer.files.items()
    assert name.endswith(".html")
    assert b"<!doctype html>" in data[:200].lower()
    assert b"Ana" not in data
    assert press.answer.ephemeral
    with suppress(TimeoutError):
        await room.env.settle()
    await room.env.settle()


async def test_a_film_of_a_private_match_is_for_everybody_once_its_deal_is_open_and_leaves_the_list(
    room: Room, studio: Studio
) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    table, page = await open_private(ana, opens=room.clock.now() + 60)
    await ana.press(await ana.press(page, "End the Match"), "End the Match")
    listed = await ben.command("/games mine")
    press = ben.forging(listed, str(Id(REPLAY, table.id, BESIDE)))
    studio.ready.set()
    await room.deliver(press)
    assert "someone else's" in press.answer.text
    await room.later(61)
    press = press.now()
    await room.deliver(press)
    await until(lambda: bool(press.answer.files), seconds=30)
    assert press.answer.id != listed.id
    assert film_of(press.answer)
    assert press.answer.links == {}, "there is no table message"
    [order] = studio.orders
    assert order.key[3], "the film shows all hands"
    await room.env.settle()


async def test_a_film_is_asked_for_with_all_that_happened_only_once_the_match_is_over(
    room: Room, studio: Studio
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    await ana.command("replay")
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    await ana.command("replay")
    assert [order.everything for order in studio.orders] == [False, True]


async def test_no_seed_shows_where_an_order_is_printed(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    await ana.command("replay")
    (order,) = studio.orders
    assert (await room.table()).body.host_seed in order.record
    assert (await room.table()).body.host_seed not in repr(order)


async def test_the_farewell_and_the_result_have_the_button(room: Room, studio: Studio) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    assert "Replay" in result.buttons
    before = result.kept.components
    studio.ready.set()
    with patch("bot.replay.film_replies.record_of", return_value="{}"):
        page = await ben.press(result, "Replay")
    assert page.ephemeral
    assert film_of(page)
    assert (await room.result()).kept.components == before


async def test_a_server_without_pictures_gets_the_film_that_somebody_asks_for(
    room: Room, studio: Studio
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.host.picture_choices.choose("guild", room.guild.id, text_only=True)
    studio.ready.set()
    assert film_of(await ana.command("replay"))


async def test_the_texts_are_in_the_askers_language(room: Room, studio: Studio) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    room.locales[ben.id] = "de"
    studio.ready.set()
    assert "A picture of each turn" in (await ana.command("replay")).text
    assert "Ein Bild für jeden Zug" in (await ben.command("replay")).text


# -- until it is ready


async def test_until_it_is_ready_a_line_tells_how_far_it_is(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    assert "Going through the match" in page.text
    studio.counts[0], studio.counts[1] = 11, 40
    await room.later(EVERY)
    assert "Drawing picture 12 of 40 …" in page.text
    assert "▰▰▰▱▱▱▱▱▱▱▱▱" in page.text
    assert READY in page.text
    assert not page.files
    studio.ready.set()
    await room.env.settle()
    assert WATCHED in page.text
    assert film_of(page)


async def test_a_second_wish_is_answered_without_drawing_again(room: Room, studio: Studio) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    first = film_of(await ana.command("replay"))
    assert film_of(await ben.command("replay")) == first
    assert len(studio.orders) == 1
    await dig(room, ana, ben)
    assert film_of(await ben.command("replay")) != first
    assert len(studio.orders) == 2


async def test_a_move_taken_back_is_another_film(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    keys = set()
    for undone in range(2):
        async with room.host.tables.change((await room.table()).id) as draft:
            draft.table.body.undone = undone
            draft.touch()
        await ana.command("replay")
        keys.add(studio.orders[-1].key)
    assert len(keys) == 2


async def test_several_who_ask_at_once_share_the_work(room: Room, studio: Studio) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    pages = [await studio.asks(room, person) for person in (ana, ben, ana)]
    studio.ready.set()
    await room.env.settle()
    assert len({film_of(page) for page in pages}) == 1
    assert len(studio.orders) == 1


async def test_who_asks_for_another_film_meanwhile_reads_that_it_comes_next(
    room: Room, studio: Studio
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    first = await studio.asks(room, ana)
    await goes_on(room)
    second = await studio.asks(room, ben)
    assert "Films that are drawn before yours: 1" in second.text
    assert len(studio.orders) == 1
    studio.ready.set()
    await room.env.settle()
    assert film_of(first) != film_of(second)


async def test_after_each_of_ten_moves_a_stranger_still_waits_for_one_film_alone(
    room: Room, studio: Studio
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    others = [await studio.asks(room, ana)]
    for _move in range(9):
        await goes_on(room)
        others.append(await studio.asks(room, ana))
    await goes_on(room)
    stranger = await studio.asks(room, ben)
    studio.ready.set()
    await room.env.settle()
    assert film_of(stranger)
    assert film_of(others[-1])
    assert room.host.films.made == 2, "one for each person"
    assert all("You've asked for another film since" in page.text for page in others[:-1])
    assert all("Replay" in page.buttons for page in others[:-1])


async def test_a_newer_film_on_the_same_page_is_not_covered_by_what_is_told_of_the_older(
    room: Room, studio: Studio
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    await goes_on(room)
    press = ana.pressing(page, "Replay")
    room.emit(press)
    await until(lambda: press.answered and len(room.host.progress_replies.waits.tasks) == 1)
    await room.later(EVERY)
    assert "another film since" not in page.text
    studio.ready.set()
    await room.env.settle()
    assert repr(studio.orders[-1].key).encode() in film_of(page)
    await room.later(2 * EVERY)
    assert film_of(page)


async def test_a_film_that_others_wait_for_is_drawn_though_one_of_them_wants_another(
    room: Room, studio: Studio
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    hers, his = await studio.asks(room, ana), await studio.asks(room, ben)
    await goes_on(room)
    newer = await studio.asks(room, ana)
    await room.later(EVERY)
    assert "You've asked for another film since" in hers.text
    studio.ready.set()
    await room.env.settle()
    assert film_of(his) != film_of(newer)
    assert not hers.files


async def test_films_beyond_the_bound_are_refused_in_the_askers_language_and_asked_for_again(
    room: Room, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room.host.films, "_limits", FilmQueueLimits(waiting=1))
    ana, ben = await room.match_of("Ana", "Ben")
    cem, dora = room.person("Cem"), room.person("Dora")
    room.locales[cem.id] = "de"
    for person in (ana, ben):
        await studio.asks(room, person)
        await goes_on(room)
    refused = await studio.asks(room, cem)
    assert "Es warten so viele Filme" in refused.text
    assert "So many films are waiting" in (await studio.asks(room, dora)).text
    assert len(studio.orders) == 1
    studio.ready.set()
    await room.env.settle()
    (again,) = refused.buttons.values()
    assert again
    label = next(iter(refused.buttons))
    assert film_of(await cem.press(refused, label))


async def test_a_refused_wish_leaves_the_film_that_is_drawn_for_the_same_message(
    room: Room, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    await goes_on(room)
    await studio.asks(room, ben)
    monkeypatch.setattr(room.host.films, "_limits", FilmQueueLimits(waiting=1))
    await goes_on(room)
    refused = await studio.asks(room, ana, page)
    assert "So many films are waiting" in refused.text
    await room.later(EVERY)
    assert len(studio.orders) == studio.at_work == 1, "it is drawn on"
    studio.ready.set()
    await room.env.settle()
    assert room.host.films.made == 2


async def test_a_film_is_not_drawn_for_an_answer_that_discord_did_not_take(
    room: Room, studio: Studio
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    room.fail("POST", "/interactions/*/*/callback", 404, 10062, times=None)
    data = {"id": "1", "name": room.game, "type": 1, "options": [{"type": 1, "name": "replay"}]}
    press = ana.interaction(2, data, None)
    room.emit(press)
    room.answers_missing += 1
    await room.env.settle()
    room.heal()
    assert room.host.films.waiting == 0
    assert studio.at_work == 0, "its process is ended"


async def test_the_one_who_waits_reads_how_many_wait_too(room: Room, studio: Studio) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    pages = []
    for person in (ana, ben, room.person("Cem"), room.person("Dora")):
        pages.append(await studio.asks(room, person))
        await goes_on(room)
    await room.later(EVERY)
    assert "Going through the match" in pages[0].text
    assert all("Films that are drawn before yours: 3" in page.text for page in pages[1:])
    room.clock.advance(15 * 60)  # the tokens of those who wait have died
    await room.later(EVERY)
    assert room.host.films.waiting == 0, "films that cannot be shown are not drawn"


async def test_pressing_again_meanwhile_draws_nothing_twice_and_sends_one_file(
    room: Room, studio: Studio
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    again = ana.pressing(page, "Replay")
    room.emit(again)
    await until(lambda: again.answered and len(room.host.progress_replies.waits.tasks) == 2)
    studio.ready.set()
    await room.env.settle()
    assert film_of(page)
    sent = [
        entry
        for entry in room.env.http_requests
        if isinstance(entry.json, dict) and entry.json.get("attachments")
    ]
    assert len(sent) == 1
    assert len(studio.orders) == 1


@pytest.mark.parametrize(("status", "code"), [(413, 0), (403, 50013)])
async def test_a_film_that_discord_does_not_accept_says_so_and_the_button_asks_again(
    room: Room, studio: Studio, status: int, code: int
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    studio.ready.set()
    with no_files(status, code):
        page = await studio.asks(room, ana)
        await room.env.settle()
        assert "Discord doesn't accept this file here" in page.text
        assert page.files == {}
    assert film_of(await ana.press(page, "Replay")), "no pause holds back what is asked for"


# -- restarts


async def test_a_restart_in_the_midst_says_so_and_the_button_asks_again(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    await room.restart()
    assert "I'm being restarted. Please press **Replay** again" in page.text
    studio.ready.set()
    assert film_of(await ana.press(page, "Replay"))


async def test_after_a_crash_in_the_midst_the_button_asks_again(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    for task in [*room.host.progress_replies.waits.tasks, *asyncio.all_tasks()]:
        if task.get_name().startswith(("replay of", "film of")):
            task.cancel()
    await room.restart(crash=True)
    assert READY in page.text
    studio.ready.set()
    assert film_of(await ana.press(page, "Replay"))


async def test_a_token_that_has_died_leaves_the_button(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    page = await studio.asks(room, ana)
    room.clock.advance(15 * 60)
    studio.ready.set()
    await room.env.settle()
    assert READY in page.text
    assert film_of(await ana.press(page, "Replay")), "it was kept"
    assert len(studio.orders) == 1


# -- what cannot be drawn


async def test_a_game_without_pictures_has_no_button_and_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.replay.film_replies.has_pictures", lambda _screens: False)
    monkeypatch.setattr("bot.ui.screens.ended.has_pictures", lambda _screens: False)
    ana, ben = await room.match_of("Ana", "Ben")
    assert "no pictures yet" in (await ana.command("replay")).text
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    (farewell,) = [page for page in room.pages() if "Play Again" in page.buttons]
    assert "Replay" not in farewell.buttons


async def test_a_match_whose_moves_do_not_lead_to_it_any_more_is_refused(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await dig(room, ana, ben)
    with patch("bot.replay.film_replies.record_of", _of_other_rules):
        page = await drawn(room, ana)
    assert "rules have changed" in page.text


def _of_other_rules(table: Table, moves: Sequence[MoveRow]) -> str:
    return record_of(table, moves).replace(f'"version": {table.game.version}', '"version": 999')


async def test_a_film_that_fails_says_so_and_can_be_asked_for_again(room: Room, studio: Studio) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    studio.failure = NoFilm("failed")
    studio.ready.set()
    page = await ana.command("replay")
    assert "couldn't draw this match" in page.text
    studio.failure = None
    assert film_of(await ana.press(page, "Replay"))


@pytest.mark.system
async def test_a_process_that_dies_is_no_end(room: Room, mishaps: Mishaps) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    with patch("bot.replay.film_queue._film", _die):
        page = await drawn(room, ana)
    assert "couldn't draw this match" in page.text
    assert film_of(await drawn(room, ana, page))


def _die(_order: FilmRequest) -> Film:
    os._exit(1)


async def test_without_pictures_at_all_the_log_is_named(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.host.film_replies, "_on", False)
    ana, _ben = await room.match_of("Ana", "Ben")
    assert "**Log** tells the match in words" in (await ana.command("replay")).text
