"""Names and words as people send them, on every screen: on one line, nothing unseen, and no two alike."""

from __future__ import annotations

import pytest

from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.table_driver import Room

NASTY = "A\u202ena\n\u200b\u2066# wins"
CLEAN = "Ana # wins"
UNSEEN = ("\u202e", "\u200b", "\u2066")


def words_of(page: Page) -> list[str]:
    """All that there is to read, buttons and menus too."""
    options = [option for menu in page.menus for option in menu.options]
    return [page.text, *page.buttons, *page.links, *options]


def tells_apart(page: Page, *seats: int) -> None:
    """Of those who are called Ana each bears the number of their seat, and these are there."""
    text = "\n".join(words_of(page)).replace("\\", "")
    assert text.count("Ana") == sum(text.count(f"Ana ({seat})") for seat in (1, 2, 3)), text
    for seat in seats:
        assert f"Ana ({seat})" in text


async def test_two_of_one_name_can_be_told_apart_on_every_screen(room: Room) -> None:
    lobby, (first, second, ben) = await room.lobby_of("Ana", "aNa", "Ben", agents=1)
    text = lobby.text
    assert "1. **Ana (1)** · host" in text
    assert "3. **aNa (3)**" in text
    assert "**Ana (1)** starts the match" in text
    await (await second.open_form(lobby, "Lucky Word")).submit(word="scarab")
    assert "**aNa (3)** · 🍀 “scarab”" in lobby.text
    await first.press(lobby, "Start Match")
    state = crafted.craft([{"coin": 2}, {"map": 1}, {"map": 1}, {"map": 1}], phase=crafted.STEAL)
    await room.stage(state)
    hand = await first.hand()
    victims = digger.labelled(hand, "g.steal")
    assert victims == ["Amelia · 1 card · $0", "aNa (3) · 1 card · $0", "Ben · 1 card · $0"]
    await first.press(hand, victims[1])
    for page in (await room.board(), await ben.command("log")):
        assert "**Ana (1)**" in page.text
        assert "**aNa (3)**" in page.text
    sure = await first.command("end")
    wish = await first.press(sure, "End the Match")
    assert "**aNa (3)**" in wish.text
    gone = await second.command("leave")
    await second.press(gone, "Leave Now")
    more = await room.person("Dan").press(await room.board(), "More")
    assert {"Take Over from aNa (3)", "Take Over from Amelia"} <= set(more.buttons)


async def test_the_result_and_the_next_lobby_tell_them_apart_too(room: Room) -> None:
    people = await room.match_of("Ana", "Ana")
    await room.stage(some_game.last_move(2))
    await some_game.move(people[0], await people[0].hand())
    result = await room.result()
    tells_apart(result, 1, 2)
    tells_apart(await room.board(), 1, 2)
    lobby = await people[1].press(result, "Play Again")
    await people[0].press(lobby, "Join")
    tells_apart(lobby, 1, 2)


async def test_who_takes_the_name_of_an_agent_is_told_apart_from_it(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    await room.person("🤖 Amelia").press(lobby, "Join")
    assert "🤖\u00a0Amelia (2) · Novice" in lobby.text
    assert "**🤖 Amelia (3)**" in lobby.text
    await ana.choose(lobby, "Computer players", "One more: Veteran")
    assert "🤖\u00a0Boris · Veteran" in lobby.text, "there is no second Amelia"


async def test_a_new_agent_does_not_take_a_persons_name(room: Room) -> None:
    lobby, _people = await room.lobby_of("ＡＭＥＬＩＡ", agents=1)
    assert "🤖\u00a0Boris" in lobby.text


async def test_a_name_of_many_lines_and_unseen_characters_stands_on_one(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of(NASTY, "Ben")
    await (await ana.open_form(lobby, "Lucky Word")).submit(word="sca\n\u202erab\u2028!")
    await ana.press(lobby, "Start Match")
    seats = (await room.table()).seats
    assert [seat.name for seat in seats] == [CLEAN, "Ben"]
    assert ("seat 1", "sca rab !") in (await room.table()).body.contributions
    shown = [words_of(lobby), words_of(await room.board())]
    shown += [words_of(await ana.hand()), words_of(await ana.command("log"))]
    assert not [sign for sign in UNSEEN for words in shown for text in words if sign in text]
    assert "the lucky word “sca rab !”" in lobby.text


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u200b"])
async def test_who_has_a_name_that_shows_nothing_is_called_by_their_account(room: Room, name: str) -> None:
    ana = room.person(name)
    lobby = await ana.command("start")
    called = (await room.table()).seats[0].name
    assert called == ana.actor.user.name or called == ""
    assert f"1. **{called or 'Player 1'}** · host" in lobby.text


async def test_a_word_that_shows_nothing_is_no_word(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    answer = await (await ana.open_form(lobby, "Lucky Word")).submit(word="\u202e\n ")
    assert "no lucky word" in answer.text
    assert (await room.table()).seats[0].word == ""


async def test_names_that_were_kept_before_are_shown_clean_and_apart(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    table = await room.table()
    async with room.host.tables.change(table.id) as draft:
        draft.table.seats[0].name = NASTY
        draft.table.seats[1].name = "\u2067" + CLEAN
        draft.touch()
    await room.catch_up()
    board = await room.board()
    assert f"**{CLEAN} (1)**" in board.text
    assert f"**{CLEAN} (2)**" in board.text


async def test_a_name_that_changes_during_a_match_is_taken_up_with_the_next_press_that_counts(
    room: Room,
) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    room.env.backend.edit_member(room.guild.id, ana.id, {"nick": NASTY.replace("A", "E", 1)})
    board = await room.board()
    await ana.press(board, "Dig")
    assert "**Ena # wins**" in board.text
    assert "**Ana**" not in board.text
    assert [seat.name for seat in (await room.table()).seats] == ["Ena # wins", "Ben"]
    room.env.backend.edit_member(room.guild.id, ana.id, {"nick": "\u3164"})
    await ana.delete_data()
    assert "Ena" not in (await room.table()).row().body
    assert "Ena" not in (await ben.hand()).text
