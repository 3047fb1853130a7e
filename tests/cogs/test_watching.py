"""Watching: a person without a seat follows a match, and learns what a spectator may know and nothing else."""

from __future__ import annotations

import sqlite3

import pytest

from bot.ui import private_drawing
from bot.ui.screens.board import WATCH
from bot.ui.screens.ids import Id
from tests.bot.hosts import run_due
from tests.cogs import some_game
from tests.cogs.archaeology_family import digger
from tests.cogs.page import Page
from tests.cogs.private_matches import open_private
from tests.cogs.some_game import turn_of_ana
from tests.cogs.table_driver import Person, Room, until
from tests.cogs.test_absence import leave
from tests.cogs.test_asked_next import edits_of, storm
from tests.cogs.test_controls import ordered

FOLLOWS = "follows the match for about 15 minutes"
MINUTE = 60.0


async def watching(room: Room, name: str = "Cara") -> tuple[Person, Page]:
    """Somebody new who watches the newest match."""
    person = room.person(name)
    return person, await person.press(await room.board(), "Watch")


async def forged(person: Person, page: Page, table: int = 1) -> Page:
    """The answer to a press on **Watch** of a table, on a page that has no such button."""
    delivery = person.forging(page, str(Id("watch", table)))
    await person.room.deliver(delivery)
    return delivery.answer


def edited(room: Room) -> list[int]:
    """The private messages that were edited or answered by an edit, in the order of the requests."""
    found: list[int] = []
    for entry in room.env.http_requests:
        token, slash, message = entry.path.partition("/webhooks/")[2].partition("/messages/")
        if entry.method == "PATCH" and slash:
            interaction = room.env.backend.interactions[int(token.rpartition("_")[2])]
            found.append((interaction.message_id or 0) if message == "@original" else int(message))
    return found


# -- what the screen shows


async def test_a_person_who_does_not_play_sees_the_board_and_no_hand(room: Room) -> None:
    ana, ben, hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    assert page.ephemeral
    assert page.kept.visible_to(cara.id)
    assert not page.kept.visible_to(ana.id)
    assert not page.kept.visible_to(ben.id)
    assert "2 Talismans" in page.text, "the market"
    assert "7 cards" in page.text
    assert "**Ana** may trade" in page.text
    assert " · 💰 $" in hers.text
    assert "hand" not in page.text
    assert FOLLOWS in page.text
    assert list(page.buttons) == ["Refresh", "Log", "Prices & Rules"]
    assert list(page.links) == ["Go to the Table"]


async def test_a_press_on_hand_names_watch_to_people_without_a_seat(room: Room) -> None:
    await turn_of_ana(room)
    cara = room.person("Cara")
    assert "**More** lets you watch" in (await cara.press(await room.board(), "Hand")).text


async def test_it_tells_how_to_stop(room: Room) -> None:
    await turn_of_ana(room)
    _cara, page = await watching(room)
    assert "To stop, dismiss this message" in page.text


async def test_nobody_is_marked_as_to_move_after_an_early_end(room: Room) -> None:
    ana, ben, _hers, _his = await turn_of_ana(room)
    _cara, page = await watching(room)
    assert "▶️" in page.text
    for person in (ana, ben):
        await person.press(await person.command("end"), "End the Match")
    await room.catch_up()
    assert "▶️" not in page.text
    assert "▶️" not in (await room.board()).text


async def test_a_wish_to_end_is_told_once_on_the_board(room: Room) -> None:
    ana, _ben, _hers, _his = await turn_of_ana(room)
    await ana.press(await ana.command("end"), "End the Match")
    await room.catch_up()
    assert (await room.board()).text.count("wants to end the match") == 1


async def test_it_is_in_the_language_of_the_person_who_watches(room: Room) -> None:
    await turn_of_ana(room)
    dora = room.person("Dora")
    room.locales[dora.id] = "de"
    page = await dora.press(await dora.press(await room.board(), "More"), "Zuschauen")
    assert "Aktualisieren" in page.buttons
    assert "Markt" in page.text


async def test_people_with_a_seat_get_their_own_screen(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    page = await ana.press_stale(await room.board(), WATCH)
    assert " · 💰 $" in page.text
    assert "End Turn" in page.buttons
    assert not hers.exists, "it is the newest of her screens, which there is one of"


async def test_a_person_who_has_left_is_a_spectator(room: Room) -> None:
    ana, ben, hers, _his = await turn_of_ana(room)
    await leave(ben)
    page = await ben.press(await room.board(), "Watch")
    assert " · 💰 $" not in page.text
    assert "3 Pot Shards" not in page.text.partition("**Ana**")[2]
    await some_game.move(ana, hers)
    assert "**Ana** sells" in page.text


async def test_a_person_who_takes_a_seat_has_their_own_screen_only(room: Room) -> None:
    _ana, ben, _hers, _his = await turn_of_ana(room)
    await leave(ben)
    cara, page = await watching(room)
    more = await cara.press(await room.board(), "More")
    own = await cara.press(more, more.label("Take Over from"))
    assert " · 💰 $" in own.text
    assert not page.exists


# -- how it follows


async def test_everybody_who_watches_sees_a_move_after_the_players(room: Room) -> None:
    ana, _ben, hers, his = await turn_of_ana(room)
    _cara, first = await watching(room)
    _dora, second = await watching(room, "Dora")
    begun = len(edited(room))
    await some_game.move(ana, hers)
    for page in (first, second):
        assert "**Ana** sells 🪙 1 Coin for $2." in page.text
    order = edited(room)[begun:]
    assert {first.id, second.id, his.id} <= {*order}
    assert order.index(his.id) < min(order.index(first.id), order.index(second.id))


async def test_a_secret_choice_in_advance_edits_nothing_that_others_watch(room: Room) -> None:
    ana, ben, hers, his = await storm(room)
    _cara, page = await watching(room)
    shown, edits = page.text, edits_of(room, page)
    version = (await room.table()).version
    await ben.press(his, digger.lose_button(his))
    assert (await room.table()).version > version
    assert (page.text, edits_of(room, page)) == (shown, edits)
    await ana.press(hers, digger.lose_button(hers))
    assert edits_of(room, page) > edits


async def test_a_screen_that_is_slow_to_edit_holds_up_nobody(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    page = await cara.press(page, "Refresh")
    token = next(
        record.token
        for record in reversed(room.env.backend.interactions.values())
        if record.user_id == cara.id and record.source_message_id == page.id
    )
    with room.holding(f"{token}/messages/", "PATCH") as held:
        room.emit(ana.pressing(hers, "End Turn"))
        await until(lambda: bool(hers.exists and "End Turn" not in hers.buttons))
        await run_due(room.host)
        await until(lambda: held.waiting == 1)
        assert "**Ben**'s turn" in (await room.board()).text
        assert "**Ana** may trade" in page.text
    await room.env.settle()
    assert "**Ben**'s turn" in page.text


async def test_only_so_many_follow_and_the_others_press_refresh(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.private_screens.WATCHERS", 1)
    ana, _ben, hers, _his = await turn_of_ana(room)
    _cara, first = await watching(room)
    dora, second = await watching(room, "Dora")
    assert FOLLOWS in first.text
    assert "Many people are watching" in second.text
    await some_game.move(ana, hers)
    assert "sells" in first.text
    assert "sells" not in second.text
    assert "sells" in (await dora.press(second, "Refresh")).text
    await room.later(16 * MINUTE)
    assert FOLLOWS in (await dora.press(second, "Refresh")).text, "the first has become free"


async def test_after_a_restart_and_after_its_time_it_is_refreshed(room: Room) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    await room.restart()
    await some_game.move(ana, hers)
    assert "sells" not in page.text
    assert await cara.press(page, "Refresh") == page
    assert "sells" in page.text
    await room.later(16 * MINUTE)
    await ana.press(hers, "End Turn")
    assert "**Ana** may trade" in page.text
    await cara.press(page, "Refresh")
    assert "**Ben**'s turn" in page.text


async def test_a_move_that_is_made_while_it_is_drawn_is_shown(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben, hers, _his = await turn_of_ana(room)
    cara = room.person("Cara")
    watch = cara.pressing(await cara.press(await room.board(), "More"), "Watch")
    await room.deliver_late(watch, [some_game.moving(ana, hers)])
    assert "sells" in watch.answer.text


async def test_a_name_that_is_deleted_leaves_the_screens_of_those_who_watch(room: Room) -> None:
    _ana, ben, _hers, _his = await turn_of_ana(room)
    _cara, page = await watching(room)
    assert "Ben" in page.text
    await ben.delete_data()
    assert "Ben" not in page.text


# -- the end


async def test_after_the_end_all_hands_are_shown_and_the_result_is_a_press_away(room: Room) -> None:
    ana, ben, _hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    for person in (ana, ben):
        await person.press(await person.command("end"), "End the Match")
    hands = page.text.partition("No longer secret")[2]
    assert "**Ana** · 🪙 4 Coins, 🧿 1 Talisman and 🗺️ 2 Maps" in hands
    assert "**Ben** · 🏺 3 Pot Shards and 🪙 1 Coin" in hands
    assert "Refresh" not in page.buttons
    assert page.links["See the Result"].endswith(str((await room.result()).id))
    assert not room.host.presenter.private.any_of(1)
    again = await forged(cara, page)
    assert "**Ben** · 🏺 3 Pot Shards and 🪙 1 Coin" in again.text


async def test_a_match_that_is_played_to_its_end_shows_the_result(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    _cara, page = await watching(room)
    await some_game.move(ana, await ana.hand())
    assert "🏆 **Ben** wins" in page.text
    assert "🥇" in page.text
    assert "See the Result" in page.links


async def test_hands_stay_secret_while_another_table_plays_the_deal(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sealed(*_args: object) -> bool:
        return False

    ana, ben, _hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    with monkeypatch.context() as patched:
        patched.setattr(private_drawing, "is_over", sealed)
        for person in (ana, ben):
            await person.press(await person.command("end"), "End the Match")
        assert "Talisman and" not in page.text
        assert "This deal is still secret" in page.text
    assert "4 Coins" in (await cara.press(page, "Refresh")).text


# -- what is refused, and what is stored


async def test_a_blocked_person_cannot_watch(room: Room) -> None:
    await turn_of_ana(room)
    eve = room.person("Eve")
    await ordered(room, "block-person", str(eve.id))
    answer = await eve.press(await room.board(), "Watch")
    assert "can no longer watch" in answer.text
    assert "market" not in answer.text.lower()


async def test_a_lobby_and_a_private_match_cannot_be_watched(room: Room) -> None:
    lobby, _people = await room.lobby_of("Ana", "Ben")
    eve = room.person("Eve")
    assert "hasn't started" in (await forged(eve, lobby)).text
    cleo = room.person("Cleo")
    table, page = await open_private(cleo)
    answer = await forged(eve, lobby, table.id)
    assert "Market" not in answer.text
    assert " · 💰 $" not in answer.text
    assert "older version" in (await forged(cleo, page, table.id)).text


async def test_a_match_of_another_channel_cannot_be_watched_by_a_forged_press(room: Room) -> None:
    await turn_of_ana(room)
    number = (await room.table()).id
    room.channel = room.guild.create_text_channel("elsewhere")
    lobby, _people = await room.lobby_of("Fay", "Gus")
    eve = room.person("Eve")
    answer = await forged(eve, lobby, number)
    assert "Ana" not in answer.text


async def test_watching_stores_nothing_about_the_person(room: Room) -> None:
    _ana, _ben, _hers, _his = await turn_of_ana(room)
    cara, page = await watching(room)
    await cara.press(page, "Refresh")
    with sqlite3.connect(room.settings.database_path) as database:
        stored = "\n".join(database.iterdump())
    assert str(cara.id) not in stored
    assert str(_ana.id) in stored
    assert "Cara" not in stored


async def test_a_screen_that_follows_the_match_outlives_further_answers_and_a_page_does_not(
    room: Room,
) -> None:
    await room.match_of("Ana", "Ben")
    eve, board = room.person("Eve"), await room.board()
    watching = await eve.press(await eve.press(board, "More"), "Watch")
    first = await eve.press(board, "More")
    second = await eve.press(board, "More")
    assert [page.exists for page in (watching, first, second)] == [True, False, True]
