"""Pictures on screens: they come with the text, follow it, never hold it up, and are not sent twice.

The pictures here are this file's own: figures that say how many moves were made, and how many cards a hand has.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from simcord.enums import ComponentType

from bot import processes
from bot.art import picture_cache
from bot.art.picture import Picture
from bot.art.rendering import render
from bot.art.scene import WIDTH, Scene
from bot.language import gettext as _
from bot.settings import Settings
from bot.ui.pictures import Wanted
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen
from cogs.archaeology.screens import ArchaeologyScreens
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.private_matches import open_private
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Person, Room, switch, until
from tests.cogs.without_server import group_of

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"pictures": True})


class Studio:
    """Renders in a thread, so that tests need not wait for a process; may be held up, or fail."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.fails = False
        self.rendered = 0

    def render(self, picture: Picture) -> bytes:
        assert self.gate.wait(20)
        if self.fails:
            raise ValueError("this is no SVG")
        self.rendered += 1
        return render(picture)


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    studio = Studio()
    monkeypatch.setattr(picture_cache, "render", studio.render)
    monkeypatch.setattr(processes, "open_pool", lambda *_arguments: ThreadPoolExecutor(1))
    monkeypatch.setattr(processes, "close_pool", lambda pool: pool.shutdown(wait=False))
    yield studio
    studio.gate.set()


def figure(number: int, alt: str, width: int = 200) -> Picture:
    return Scene(width, 100).figure(number, 100, 20, 60).picture(alt)


@pytest.fixture(autouse=True)
def pictures(monkeypatch: pytest.MonkeyPatch, studio: Studio) -> None:
    def table(_screens: Any, view: Any) -> Picture:
        assert view.viewer is None
        return figure(view.moves, f"{view.moves} moves were made")

    def own(_screens: Any, view: Any) -> Picture:
        return figure(1000 + sum(view.hand), _("Your hand"))

    monkeypatch.setattr(ArchaeologyScreens, "banner", lambda _screens: figure(0, "the banner"))
    monkeypatch.setattr(ArchaeologyScreens, "table_picture", table)
    monkeypatch.setattr(ArchaeologyScreens, "own_picture", own)
    monkeypatch.setattr(ArchaeologyScreens, "own_picture_after", AnyScreens.own_picture_after)

    def vignette(_screens: Any, events: Sequence[SeenEvent]) -> Picture | None:
        sold = [event for event in events if event.kind == "sold"]
        return figure(7, "a sale") if sold else None

    monkeypatch.setattr(ArchaeologyScreens, "vignette", vignette)
    monkeypatch.setattr(ArchaeologyScreens, "podium", lambda _screens, _view: figure(9, "the podium"))


def shown(page: Page) -> list[str]:
    """The descriptions of the pictures on a page. The file of each is attached, and no other file is."""
    items: list[dict[str, Any]] = []
    for part in page.components:
        if part["type"] == int(ComponentType.MEDIA_GALLERY):
            items += part["items"]
        elif part["type"] == int(ComponentType.THUMBNAIL):
            items.append(part)
    attached = {each["url"]: each for each in page.kept.attachments}
    assert {item["media"]["url"] for item in items} == {*attached}
    return [item["description"] for item in items]


async def moves(room: Room) -> int:
    table = await room.table()
    return table.game.view(table.state, None).moves


async def sees(room: Room, page: Page, *alts: str) -> None:
    """Waits until the page shows these pictures."""

    def does() -> bool:
        return shown(page) == list(alts)

    for _second in range(3):
        try:
            await until(does, 0.5)
            break
        except TimeoutError:
            await room.later(1)
    assert shown(page) == list(alts)


async def test_lobby_board_hand_and_result_have_their_pictures_with_descriptions(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await sees(room, lobby, "the banner")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.last_move(2))
    board = await room.board()
    made = await moves(room)
    await sees(room, board, f"{made} moves were made")
    hand = await ana.hand()
    await sees(room, hand, "Your hand")
    await some_game.move(ana, hand)
    await room.later(1)
    await sees(room, await room.result(), "the podium")
    await sees(room, board, f"{await moves(room)} moves were made")


async def test_lobby_board_and_result_of_a_group_have_their_pictures_whether_posted_or_edited(
    room: Room,
) -> None:
    ana, ben = group_of(room, "Ana", "Ben")
    lobby = await ana.command("start")
    await ben.press(lobby, "Join")
    await sees(room, lobby, "the banner")
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.TURN)
    hand = await ana.command("hand")
    await sees(room, await room.board(), f"{await moves(room)} moves were made")
    await some_game.move(ana, hand)
    await sees(room, await room.board(), f"{await moves(room)} moves were made", "a sale")
    before = await room.board()
    await ana.press(hand, "End Turn")
    assert (await room.board()).id != before.id
    await sees(room, await room.board(), f"{await moves(room)} moves were made", "a sale")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.command("hand"))
    await sees(room, await room.result(), "the podium")


async def test_a_page_of_the_rules_may_have_a_picture_and_others_have_none(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    page = await ana.press(await room.board(), "Prices & Rules")
    assert shown(page) == []
    with_picture: list[str] = []
    while "Next" not in page.greyed:
        await ana.press(page, "Next")
        with_picture += [page.text.partition(" · ")[0] for _alt in shown(page)]
    assert with_picture == [
        "### The table in a picture",
        "### A hand in a picture",
        "### A turn in three pictures",
    ]


async def turned_to(room: Room, reader: Person, page: Page, title: str) -> None:
    """Turns the pages of the rules until this one is there, whose picture does not come yet."""
    while title not in page.text:
        before, press = page.text, reader.pressing(page, "Next")
        room.emit(press)
        await until(lambda before=before: page.text != before, 2)


async def test_a_picture_of_the_rules_that_is_late_follows_its_text(room: Room, studio: Studio) -> None:
    room.host.presenter.pictures.wait = 0
    ana, _ben, _hers, _his = await turn_of_ana(room)
    page = await ana.press(await room.board(), "Prices & Rules")
    studio.gate.clear()
    await turned_to(room, ana, page, "The table in a picture")
    assert shown(page) == []
    studio.gate.set()
    await until(lambda: bool(shown(page)), 5)
    assert "The table in a picture. " in shown(page)[0]
    await room.later(1)
    assert not room.host.presenter.late.waits.tasks


async def test_a_late_picture_does_not_bring_back_the_page_before(room: Room, studio: Studio) -> None:
    room.host.presenter.pictures.wait = 0
    ana, _ben, _hers, _his = await turn_of_ana(room)
    page = await ana.press(await room.board(), "Prices & Rules")
    studio.gate.clear()
    await turned_to(room, ana, page, "A turn in three pictures")
    before, press = page.text, ana.pressing(page, "Next")
    room.emit(press)
    await until(lambda: page.text != before, 2)
    after = page.text
    studio.gate.set()
    await room.later(1)
    assert not room.host.presenter.late.waits.tasks
    assert (page.text, shown(page)) == (after, [])


async def test_each_move_brings_the_picture_of_what_holds_then(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    board = await room.board()
    made = await moves(room)
    await sees(room, board, f"{made} moves were made")
    await some_game.move(ana, hers)
    await sees(room, board, f"{made + 1} moves were made", "a sale")


async def test_people_who_watch_have_the_pictures_of_the_table_unless_they_chose_text_only(
    room: Room,
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    cara, dora = room.person("Cara"), room.person("Dora")
    await choose(dora, "Text Only for Me")
    made = await moves(room)
    page, text_only = [await person.press(await room.board(), "Watch") for person in (cara, dora)]
    await sees(room, page, f"{made} moves were made")
    await some_game.move(ana, hers)
    await sees(room, page, f"{made + 1} moves were made", "a sale")
    assert shown(text_only) == []
    assert "sells" in text_only.text
    assert "**Market**" in text_only.text


async def test_the_newest_turn_has_a_small_picture_until_the_next_turn(room: Room) -> None:
    ana, ben, hers, his = await turn_of_ana(room)
    board = await room.board()
    await some_game.move(ana, hers)
    await sees(room, board, f"{await moves(room)} moves were made", "a sale")
    [beside] = [part for part in board.components if part["type"] == int(ComponentType.SECTION)]
    assert "sells" in beside["components"][0]["content"]
    await ana.press(hers, "End Turn")
    await ben.press(his, "Dig")
    await sees(room, board, f"{await moves(room)} moves were made")
    assert "sells" in board.text


async def test_what_somebody_alone_has_found_is_shown_to_them_and_to_nobody_else(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vignette(_screens: Any, events: Sequence[SeenEvent]) -> Picture | None:
        found = [event for event in events if event.kind == "explored"]
        known = any("cards" in event.facts for event in found)
        return figure(70 + known, "found, face up" if known else "found", WIDTH) if found else None

    monkeypatch.setattr(ArchaeologyScreens, "vignette", vignette)
    ana, ben, hers, his = await turn_of_ana(room)
    await ana.press(hers, "Explore for 1 Map · 3 cards")
    await sees(room, hers, "found, face up", "Your hand")
    await sees(room, await room.board(), f"{await moves(room)} moves were made", "found")
    await sees(room, his, "found", "Your hand")
    await ana.press(hers, "End Turn")
    await ben.press(his, "Dig")
    await sees(room, hers, "Your hand")


async def test_a_moment_has_its_wide_picture_at_the_table_and_on_every_private_screen(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vignette(_screens: Any, events: Sequence[SeenEvent]) -> Picture | None:
        sold = any(event.kind == "sold" for event in events)
        return Scene(WIDTH, 190).picture("a great sale") if sold else None

    monkeypatch.setattr(ArchaeologyScreens, "vignette", vignette)
    monkeypatch.setattr(ArchaeologyScreens, "moment", lambda *given: 2 * (given[1].kind == "sold"))
    ana, ben, hers, his = await turn_of_ana(room)
    await some_game.move(ana, hers)
    await sees(room, hers, "a great sale", "Your hand")
    await sees(room, his, "a great sale", "Your hand")
    await sees(room, await room.board(), f"{await moves(room)} moves were made", "a great sale")
    await ana.press(hers, "End Turn")
    await ben.press(his, "Dig")
    await sees(room, his, "Your hand")
    await sees(room, hers, "a great sale", "Your hand")
    await sees(room, await room.board(), f"{await moves(room)} moves were made", "a great sale")
    await ben.press(his, "End Turn")
    await ana.press(hers, "Dig")
    await sees(room, hers, "Your hand")
    await sees(room, await room.board(), f"{await moves(room)} moves were made")


async def test_a_press_is_answered_and_the_board_drawn_while_pictures_are_held_up(
    room: Room, studio: Studio
) -> None:
    # SimCord's clock stands still while something is held up, so no time can be waited.
    room.host.presenter.pictures.wait = 0
    ana, _ben, hers, _his = await turn_of_ana(room)
    board = await room.board()
    made = await moves(room)
    before = f"{made} moves were made"
    await sees(room, board, before)
    studio.gate.clear()
    press = some_game.moving(ana, hers)
    room.emit(press)
    await until(lambda: press.answered, 2)
    await until(lambda: "sell" in hers.text, 2)
    await run_due(room.host)
    await until(lambda: "sells" in board.text, 2)
    assert shown(board) == [before], "the picture of before stays until the new one comes"
    studio.gate.set()
    await sees(room, board, f"{made + 1} moves were made", "a sale")


def show_moves_on_own_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the pictures on private screens say how many moves were made."""

    def own(_screens: Any, view: Any) -> Picture:
        return figure(100 + view.moves, f"yours after {view.moves} moves")

    monkeypatch.setattr(ArchaeologyScreens, "own_picture", own)


@pytest.mark.parametrize("on_the_table", [True, False])
async def test_private_screens_only_lead_to_the_result_once_it_is_posted(
    room: Room, studio: Studio, monkeypatch: pytest.MonkeyPatch, on_the_table: bool
) -> None:
    """Also if the table's messages have all that they are to have before them."""
    show_moves_on_own_screens(monkeypatch)
    if not on_the_table:
        for picture in ("table_picture", "podium"):
            monkeypatch.setattr(ArchaeologyScreens, picture, lambda _screens, _view: None)
    room.host.presenter.pictures.wait = 0
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    hers, his = await ana.hand(), await ben.hand()
    made = await moves(room)
    for page in (hers, his):
        await sees(room, page, f"yours after {made} moves")
    studio.gate.clear()
    press = some_game.moving(ana, hers)
    room.emit(press)
    await until(lambda: press.answered, 2)
    await run_due(room.host)
    await until(lambda: all("See the Result" in page.links for page in (hers, his)), 2)
    studio.gate.set()
    await room.later(1)
    for page in (hers, his):
        assert shown(page) == []
    assert not room.host.presenter.private.any_of((await room.table()).id), "all of them show the end"


PRICES = "In brackets: trade value."


async def test_the_text_of_a_hand_stays_until_its_present_picture_has_come(
    room: Room, studio: Studio
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    await sees(room, hers, "Your hand")
    assert " · 💰 $" in hers.text
    assert PRICES not in hers.text, "the picture shows them"
    assert len(hers.kept.attachments) == 1
    room.host.presenter.pictures.wait = 0
    studio.gate.clear()
    press = some_game.moving(ana, hers)
    room.emit(press)
    await until(lambda: press.answered, 2)
    await until(lambda: PRICES in hers.text, 2)
    assert not hers.kept.attachments, "the old picture would contradict the new text"
    studio.gate.set()
    for _second in range(3):
        await room.later(1)
    assert PRICES not in hers.text
    assert shown(hers) == ["Your hand"]


async def test_a_last_answer_that_lands_after_the_redraw_leads_to_the_result_too(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to the last press is drawn without its picture, and lands after the redraw and the picture."""
    show_moves_on_own_screens(monkeypatch)
    room.host.presenter.pictures.wait = 0
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    hers = await ana.hand()
    await sees(room, hers, f"yours after {await moves(room)} moves")
    seen = list[str]()
    monkeypatch.setattr(room.host.pictures.cache, "_seen", lambda outcome, _seconds: seen.append(outcome))
    press = some_game.moving(ana, hers)
    with room.holding(f"/interactions/{press.record.id}/") as held:
        room.emit(press)
        await until(lambda: held.waiting > 0, 2)
        await run_due(room.host)
        await until(lambda: seen.count("rendered") == 3, 2)
        room.clock.advance(1)
        await run_due(room.host)
    await until(lambda: "See the Result" in hers.links, 2)


async def test_a_picture_that_cannot_be_rendered_stays_away_and_is_tried_once(
    room: Room, studio: Studio, mishaps: Any
) -> None:
    mishaps.expect("a picture cannot be rendered")
    studio.fails = True
    ana, _ben, hers, _his = await turn_of_ana(room)
    board = await room.board()
    await room.later(1)
    assert shown(board) == []
    assert " · 💰 $" in hers.text
    logged = len(mishaps.records)
    for _second in range(5):
        await room.later(1)
    assert len(mishaps.records) == logged
    studio.fails = False
    await some_game.move(ana, hers)
    await sees(room, hers, "Your hand")


async def test_a_picture_whose_place_shows_none_before_its_turn_is_not_rendered(room: Room) -> None:
    pictures, place = room.host.pictures, ("turn", 1)
    pictures.at_hand(Screen(), Wanted(lambda: figure(7, "a sale"), place, guild=1))
    assert pictures.cache.comes(figure(7, "a sale"))
    pictures.at_hand(Screen(), Wanted(lambda: None, place, guild=1))
    assert not pictures.cache.comes(figure(7, "a sale"))


async def test_a_drawing_that_raises_leaves_the_text_alone(
    room: Room, mishaps: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_screens: Any, _view: Any) -> Picture:
        raise KeyError("pyramid")

    mishaps.expect("could not be drawn")
    monkeypatch.setattr(ArchaeologyScreens, "table_picture", broken)
    await turn_of_ana(room)
    board = await room.board()
    assert "Dig" in board.text or board.buttons
    assert shown(board) == []


async def test_what_has_not_changed_is_not_sent_again(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await sees(room, his, "Your hand")
    [before] = his.kept.attachments
    await some_game.move(ana, hers)
    await room.later(1)
    assert "sells" in his.text
    [after] = his.kept.attachments
    assert after["id"] == before["id"], "the same file is still attached"
    assert shown(his) == ["Your hand"]


async def test_a_file_that_has_gone_meanwhile_is_sent_anew(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    await sees(room, his, "Your hand")
    his.kept.attachments[0]["id"] = "1"  # as if another edit had replaced it
    await some_game.move(ana, hers)
    await room.later(1)
    assert "sells" in his.text
    assert shown(his) == ["Your hand"]


async def test_a_press_from_before_the_picture_came_leaves_no_file_without_a_component(room: Room) -> None:
    """The message that Discord sends with a press names the files of that moment, not those that it has now."""
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await sees(room, lobby, "the banner")
    press = ana.pressing(lobby, "Start Match")
    press.payload["message"]["attachments"] = []
    await room.deliver(press)
    assert shown(lobby) == []


async def test_edits_that_overtake_each_other_leave_no_file_without_a_component(room: Room) -> None:
    """The edit that was sent first takes effect last, but its answer comes first."""
    lobby, (_ana, _ben) = await room.lobby_of("Ana", "Ben")
    await sees(room, lobby, "the banner")
    state = room.host.presenter.states.of((await room.table()).id).message(lobby.id)
    with state.editing(Screen().text("with the banner").view()):
        with state.editing(Screen().text("without").view()):
            state.note_attachments(lobby.as_message().attachments)
        state.note_attachments([])
    await switch(room.manager("Mia"), "Pictures", on=False)
    await room.host.presenter.redraw((await room.table()).id)
    assert shown(lobby) == []


async def choose(person: Person, label: str) -> Page:
    return await person.press(await person.command("/settings"), label)


async def test_a_person_can_choose_text_only_for_their_own_screens(room: Room) -> None:
    ana, ben, _hers, _his = await turn_of_ana(room)
    answer = await choose(ben, "Text Only for Me")
    assert "**Pictures**: off, for you alone." in answer.text
    assert shown(await ben.hand()) == []
    await sees(room, await ana.hand(), "Your hand")
    board = await room.board()
    assert len(shown(board)) == 1, "the table is the server's"
    assert "**Pictures**: on." in (await choose(ben, "Show Me Pictures")).text
    await sees(room, await ben.hand(), "Your hand")


async def test_a_server_can_choose_text_only_and_the_choice_outlives_a_restart(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    boss = room.manager("Mia")
    await switch(boss, "Pictures", on=False)
    assert "**Pictures**: off for everyone on this server." in (await ana.command("/settings")).text
    await room.restart()
    hers = await ana.hand()
    assert shown(hers) == []
    await some_game.move(ana, hers)
    await room.later(1)
    assert shown(await room.board()) == []
    await switch(boss, "Pictures", on=True)
    await sees(room, await ana.hand(), "Your hand")


async def test_made_up_choice_of_pictures_changes_nothing(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("/settings")
    await room.deliver(ana.forging(page, str(Id("pictures-for-me", arg="both"))))
    assert await room.host.store.text_only() == []


async def test_deleting_ones_data_forgets_the_choice(room: Room) -> None:
    ana = room.person("Ana")
    await choose(ana, "Text Only for Me")
    answer = await ana.command("/privacy")
    assert "chosen to see no pictures" in answer.text
    await ana.delete_data()
    assert not room.host.picture_choices.text_only("person", ana.id)
    assert "I store no match" in (await ana.command("/privacy")).text
    assert await room.host.store.text_only() == []


async def test_an_operator_can_switch_pictures_off(room: Room, studio: Studio) -> None:
    room.settings = room.settings.model_copy(update={"pictures": False})
    await room.restart()
    rendered = studio.rendered
    ana, _ben, hers, _his = await turn_of_ana(room)
    assert shown(hers) == []
    assert shown(await room.board()) == []
    assert studio.rendered == rendered
    assert "switched pictures off" in (await ana.command("/settings")).text


async def test_private_match_has_the_pictures_of_board_and_hand_on_one_screen(room: Room) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    moves = table.sequence
    assert [alt.split(" ", 1)[1] for alt in shown(page)] == ["moves were made", "hand"]
    assert shown(page)[0].startswith(str(moves))
    assert "**Market** (trade value)" not in page.text, "the picture shows it"
    assert "**Amelia**" in page.text, "names stand in words"
    assert " · 💰 $" in page.text
    assert message_faults(page.kept.components) == []


async def test_step_of_a_lesson_has_one_picture_of_the_hand_or_of_the_table(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("/archaeology learn")
    assert shown(page) == ["Your hand"]
    page = await ana.press(page, "Dig")
    assert shown(page) == ["Your hand"]
    page = await ana.press(page, "End Turn")
    assert shown(page) == ["6 moves were made"], "the step speaks of the dig site"
    assert message_faults(page.kept.components) == []
