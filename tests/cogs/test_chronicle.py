"""Nothing is missed: what happened since one's last turn, who did it, and how the match ended."""

from __future__ import annotations

import gc
import re
from random import Random
from typing import Any

import pytest

from bot.tables.model import HOUR
from bot.tables.seat import Seat
from bot.ui.screens.chronicle import in_the_open
from bot.ui.screens.names import Names
from engine.agents.advice import adviser_of
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, matches
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_absence import end, leave, long_match


def news_of(page: Page) -> str:
    """The news of a private screen in their order, which stand above whose turn it is."""
    return re.split("▶️|⏳|### Your hand", page.text)[0]


async def turn(person: Person) -> None:
    """Digs, and ends the turn."""
    page = await person.press(await person.hand(), "Dig")
    await person.press(page, "End Turn")


# -- what one has missed


async def test_a_turn_that_an_agent_played_for_somebody_is_told_them_move_by_move(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="5m")
    await turn(ana)
    await room.later(HOUR)
    table = await room.table()
    played = [move for move in await room.host.store.moves(table.id) if move.seat == 1]
    assert played
    news_text = news_of(await ben.hand())
    assert "You ran out of time" in news_text
    assert news_text.index("⏰ You ran out of time") < news_text.index("🤖 You"), "it explains what follows"
    assert news_text.count("🤖 You") >= len(played) - 1, "each of the agent's moves, except the turn's end"
    assert "-# 🤖" not in news_text, "it is not told in small print"


async def test_it_is_told_until_the_next_own_turn_has_ended_and_not_after(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="5m")
    await turn(ana)
    await room.later(5 * 60)
    await turn(ana)
    page = await ben.hand()
    assert "🤖 You" in news_of(page)
    page = await ben.press(page, "Dig")
    assert "🤖 You" in news_of(page), "it is still Ben's turn"
    page = await ben.press(page, "End Turn")
    await turn(ana)
    page = await ben.hand()
    assert "🤖 You" not in page.text
    assert "🤖 You" not in (await ben.press(page, "Dig")).text, "nor in the turn after that"


async def test_what_others_did_since_is_told_in_a_line(room: Room) -> None:
    ana, ben, cara = await long_match(room, "Ana", "Ben", "Cara")
    for person in (ana, ben, cara):
        await turn(person)
    news_text = news_of(await ana.hand())
    assert "**Ben** and **Cara** dig." in news_text


async def test_a_theft_is_told_to_the_robbed_in_the_order_of_what_happened(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"talisman": 1}], site=["thief", *["parchment_scrap"] * 6]))
    await ana.press(await ana.hand(), "Dig")
    dug, stolen = (await ben.hand()).text.splitlines()[:2]
    assert dug.startswith("-# **Ana** meets a")
    assert "Talisman" in stolen
    assert not stolen.startswith("-#"), "what concerns Ben is not in small print"


async def test_all_news_stand_above_the_turn_the_newest_last(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="5m")
    await turn(ana)
    await room.later(5 * 60)
    await turn(ana)
    page = await ben.hand()
    shown = page.text.splitlines()
    beginnings = ["-# **Ana** digs.", "⏰ You ran out of time", "🤖 You dig up", "**Ana** digs."]
    for line, beginning in zip(shown, beginnings, strict=False):
        assert line.startswith(beginning)
    page = await ben.press(page, "Dig")
    assert "\n**Now:** You dig up" in news_of(page), "the last, below what there is room for"


async def test_whoever_takes_a_move_back_has_the_same_news_as_before(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(
        crafted.craft(
            [{"coin": 1}, {"coin": 2, "map": 1}], site=["parchment_scrap"] * 6, market={"talisman": 1}
        )
    )
    await turn(ana)
    before = await ben.press(await ben.hand(), "Dig")
    news_text = before.text
    page = await digger.sell(ben, before, "1 Coin", 2)
    await ben.press(page, "Undo")
    seats = (await room.table()).seats
    assert (seats[1].moved, seats[1].since) == ((await room.table()).sequence, 0)
    assert (
        news_text.partition(" · 💰 $")[2].splitlines()[1:4]
        == (await ben.hand()).text.partition(" · 💰 $")[2].splitlines()[1:4]
    )


async def test_whoever_takes_a_seat_over_is_not_told_that_they_did_what_was_done_before(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    await turn(ana)
    await turn(ben)
    await leave(ben)
    dan = room.person("Dan")
    await dan.press(await dan.press(await room.board(), "More"), "Take Over from Ben")
    page = await dan.hand()
    assert "🚪 **Ben** left; a computer player plays on." in page.text
    assert "You end" not in page.text
    log = await log_of(room, dan)
    assert "**Ben** digs." in log
    assert "You take over from 🤖\u00a0**Ben**" in log
    assert log.count("You ") == 1


async def test_whoever_comes_back_is_told_each_move_that_an_agent_made_meanwhile(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    await turn(ana)
    await turn(ben)
    await leave(ben)
    await turn(ana)
    await room.later(30)
    page = await ben.press(await ben.press(await room.board(), "More"), "I'm Back")
    news_text = news_of(page if " · 💰 $" in page.text else await ben.hand())
    assert "\n🤖 You dig up" in news_text
    assert "🤖\u00a0**Ana**" not in page.text, (
        "the sign of an agent stands before the reader's own deeds alone"
    )


# -- the names of the time


async def log_of(room: Room, person: Person) -> str:
    return (await person.press(await room.board(), "Log")).text


async def taken_over(room: Room) -> tuple[Person, Person, Person]:
    """Ben left after a turn of his own, an agent played one for him, and Dan took over and played one."""
    ana, ben = await long_match(room, "Ana", "Ben")
    await turn(ana)
    await turn(ben)
    await leave(ben)
    await turn(ana)
    dan = room.person("Dan")
    more = await dan.press(await room.board(), "More")
    await dan.press(more, "Take Over from Ben")
    await turn(ana)
    await turn(dan)
    return ana, ben, dan


async def test_the_log_calls_everybody_as_they_were_called_then(room: Room) -> None:
    ana, _ben, _dan = await taken_over(room)
    await room.restart()
    log = (await log_of(room, ana)).splitlines()
    left = next(n for n, line in enumerate(log) if "left" in line)
    taken = next(n for n, line in enumerate(log) if "takes over" in line)
    assert log[left] == "🚪 **Ben** left; a computer player plays on."
    assert log[taken] == "🪑 **Dan** takes over from 🤖\u00a0**Ben**."
    assert any(line.startswith("**Ben** digs") for line in log[:left])
    assert any(line.startswith("🤖\u00a0**Ben** digs") for line in log[left:taken])
    assert any(line.startswith("**Dan** digs") for line in log[taken:])
    assert not any("Dan" in line for line in log[:taken])


async def test_a_move_that_an_agent_made_for_somebody_is_told_as_the_agents(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", turn_limit="5m")
    await turn(ana)
    await room.later(5 * 60)
    await turn(ana)
    await turn(ben)
    log = (await log_of(room, ana)).splitlines()
    digs = [line for line in log if "Ben** digs" in line]
    assert [line.startswith("🤖") for line in digs] == [True, False]


async def test_who_held_a_seat_earlier_is_forgotten_like_everybody_else(room: Room) -> None:
    ana, ben, _dan = await taken_over(room)
    assert "Ben" in await log_of(room, ana)
    await ben.delete_data()
    assert "Ben" not in await log_of(room, ana)
    assert str(ben.id) not in (await room.table()).row().body


# -- the end


async def test_everybody_who_sits_there_is_told_the_end_once(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", agents=1)
    await room.stage(crafted.craft([{"coin": 1}, {}, {}], rest="sold", phase=crafted.ACT, explored=True))
    his = await ben.hand()
    room.fail("POST", "/channels/*/messages", 500, times=None)
    room.fail("POST", "/webhooks/*", 500, times=None)
    await digger.sell(ana, await ana.hand(), "1 Coin", 2)
    assert "The result follows at the table." in his.text
    assert "wins" not in his.text, "the table tells it first"
    assert list(his.buttons) == ["?"]
    room.heal()
    await room.minds_wander()
    await room.later(60)
    result = await room.result()
    assert {ana.mention, ben.mention} <= set(re.findall(r"<@\d+>", result.text))
    assert mentioned(room, result) == {ana.id, ben.id}
    assert "🏆 🤖\u00a0**Amelia** wins by $" in his.text, "and then the winner is named here too"
    assert "See the Result" in his.links
    await room.restart()
    ends = [page for page in room.pages() if "Play Again" in page.buttons]
    assert ends == [result]


async def test_an_end_by_hand_is_told_to_everybody_too_and_by_whom(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben", agents=1)
    his = await ben.hand()
    await end(ana)
    await ben.press(await room.board(), "Agree to End")
    news_text = await room.result()
    assert "The players agreed to end the match: **Ana** and **Ben**." in news_text.text
    assert mentioned(room, news_text) == {ana.id, ben.id}
    assert "Play Again" in news_text.buttons
    assert "agreed to end" in his.text
    assert "Dig" not in his.buttons
    assert "Undo" not in his.buttons


async def test_an_end_by_hand_is_told_once_on_each_screen(room: Room) -> None:
    ana, ben = await long_match(room, "Ana", "Ben")
    page = await ben.hand()
    await end(ana)
    await end(ben)
    for screen in (await room.board(), page):
        assert screen.text.count("agreed to end the match") == 1, screen.text


async def test_who_ended_it_is_not_named_any_more_once_they_are_forgotten(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    boss = room.person("Boss", manages=True)
    more = await boss.press(await room.board(), "More")
    sure = await boss.press(more, "End the Match")
    await boss.press(sure, "End the Match")
    news_text = await room.result()
    assert boss.mention in news_text.text
    assert boss.id not in mentioned(room, news_text), "they know"
    await boss.delete_data()
    assert boss.mention not in news_text.text
    assert "A channel manager ended the match." in news_text.text


async def test_a_closed_lobby_calls_nobody(room: Room) -> None:
    _lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    await ana.press(await ana.command("end"), "Close the Lobby")
    assert not [page for page in room.pages() if "Play Again" in page.buttons]


def mentioned(room: Room, page: Page) -> set[int]:
    """The ids of the people whom a message has mentioned."""
    kept: Any = page.kept
    return {int(person) for person in kept.ping_user_ids}


async def test_no_words_with_the_name_of_somebody_forgotten_are_kept_in_memory(room: Room) -> None:
    ana, ben = await room.match_of("Philippa", "Ben")
    by_id, rng = {person.id: person for person in (ana, ben)}, Random(5)
    for _ in range(6):
        person = await some_game.asked(room, by_id)
        await some_game.act(person, await person.hand(), rng)
    assert kept_names("Philippa")
    await room.host.housekeeping.erasures.forget(ana.id)
    await room.catch_up()
    await room.later(60)
    assert not kept_names("Philippa")


def kept_names(name: str) -> list[Names]:
    """The names of tables in memory that have this one among them."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Names)]
    return [names for names in found if any(names.bare(seat) == name for seat in range(len(names)))]


@pytest.mark.parametrize("key", [key for key in PLAYED if adviser_of(ENGINES[key])])
def test_with_all_hands_open_nobody_else_is_addressed(key: str) -> None:
    names = Names([Seat(f"Person {seat}", seat) for seat in range(6)])
    events = [event for match in matches(key, 12) for _at, event in match.events if event.secret]
    told = [in_the_open(event, None, names, SCREENS[key]) for event in events]
    assert not [line for line in told if re.search(r"\b[Yy]ou", line)]
