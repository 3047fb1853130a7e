"""A whole match, by presses alone."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from bot.observability.logs import QUIET, set_up_logging
from bot.store.model import StoreFull
from bot.store.store import Store
from bot.tables.model import Table
from bot.tables.service import Tables
from bot.ui.screens.fairness import SEAL
from engine.fairness import commitment
from engine.record import verify
from engine.registry import load_games
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.conftest import Mishaps
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room


async def test_three_people_and_an_agent_play_from_the_start_to_the_result(room: Room) -> None:
    lobby, people = await room.lobby_of("Ana", "Ben", "Cara", agents=1)
    promised = lobby.text.partition("no one can choose or change it: `")[2].partition("`")[0]
    await people[0].press(lobby, "Start Match")
    screens = await some_game.play(room, people, Random(1))

    result, board = await room.result(), await room.board()
    assert "wins" in result.text or "share" in result.text
    assert all(person.name in result.text for person in people)
    assert {"Play Again", "Log"} <= set(result.buttons)
    assert str(result.id) in board.links["See the Result"]
    assert "Dig" not in board.buttons
    assert not room.announcements(), "nobody is called after the end"
    assert all("End Turn" not in page.buttons for page in screens.values())

    assert promised not in result.text + board.text
    assert not result.files
    fairness = await people[1].press(result, "Fairness")
    ((name, data),) = fairness.files.items()
    verdict = verify(data.decode(), load_games())
    assert verdict.sound, verdict
    record = json.loads(data)
    assert name.endswith(".json")
    assert len(promised) == SEAL
    assert record["commitment"].startswith(promised)
    assert commitment(bytes.fromhex(record["host_seed"])) == record["commitment"]
    assert record["host_seed"] in fairness.text
    assert promised in fairness.text
    assert record["seats"] == ["person", "agent:novice", "person", "person"]
    for person in people:  # a record names nobody
        assert str(person.id) not in data.decode()
        assert person.name not in data.decode()


async def test_a_person_plays_against_two_masters(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=2, agent_level="master")
    assert lobby.text.count("· Master") == 2
    await ana.press(lobby, "Start Match")
    await some_game.play(room, [ana], Random(2))
    result = await room.result()
    assert "wins" in result.text or "share" in result.text
    ((_, data),) = (await ana.press(result, "Fairness")).files.items()
    assert verify(data.decode(), load_games()).sound
    assert sorted(json.loads(data)["seats"]) == ["agent:master", "agent:master", "person"]


async def test_a_match_leaves_nothing_in_the_clients_memory(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    await some_game.play(room, people, Random(2))
    await room.later(3600)
    assert room.bot._connection._view_store._views == {}
    assert room.bot._connection._view_store._modals == {}
    assert [*room.host.presenter.states] == []
    assert room.host.presenter.private._locks._locks == {}
    assert room.host.tasks.running == set()
    assert room.bot._connection._messages is None or not room.bot._connection._messages


async def ended_match(room: Room) -> tuple[list[Person], Page]:
    """A match of two people and an agent that has just ended, and its result."""
    people = await room.match_of("Ana", "Ben", agents=1)
    await room.stage(some_game.last_move(3))
    await some_game.move(people[0], await people[0].hand())
    return people, await room.result()


async def test_play_again_opens_a_lobby_with_a_new_promise_and_seats_nobody_but_the_presser_and_agents(
    room: Room,
) -> None:
    (ana, ben), result = await ended_match(room)
    first = (await room.table(1)).body.host_seed
    lobby = await ben.press(result, "Play Again")
    assert "1. **Ben** · host" in lobby.text
    assert "**Ana**" not in lobby.text
    assert lobby.text.count("🤖") == 1
    assert commitment(bytes.fromhex(first))[:SEAL] not in lobby.text
    assert commitment(bytes.fromhex((await room.table(2)).body.host_seed))[:SEAL] in lobby.text
    await ana.press(lobby, "Join")
    await ben.press(lobby, "Start Match")
    assert " · 💰 $" in (await ana.hand()).text
    assert (await room.board()) != result


async def test_play_again_alone_against_agents_begins_the_match(room: Room) -> None:
    (ana,) = await room.match_of("Ana", agents=1)
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    await ana.press(await room.result(), "Play Again")
    assert (await room.table()).status == "playing"
    assert " · 💰 $" in (await ana.hand()).text


async def test_play_again_asks_the_others_once_and_shows_who_is_in_and_who_is_not(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", "Cara")
    ana, ben, cara = people
    await room.stage(some_game.last_move(3))
    await some_game.move(ana, await ana.hand())
    lobby = await ben.press(await room.result(), "Play Again")
    assert (
        f"**Ben** would like to play again. {ana.mention}, {cara.mention}, will you **Join**?" in lobby.text
    )
    assert sorted(lobby.kept.ping_user_ids) == sorted([ana.id, cara.id]), "Discord tells those who are asked"
    await ana.press(lobby, "Join")
    assert f"**Ben** would like to play again. {cara.mention}, will you **Join**?" in lobby.text
    assert "3. **Ana**" in lobby.text or "2. **Ana**" in lobby.text
    await ben.command("table")
    (moved,) = [page for page in room.pages() if "Join" in page.buttons]
    assert moved != lobby
    assert cara.mention in moved.text
    assert not moved.kept.ping_user_ids, "who was asked is not told again"
    await cara.press(moved, "Join")
    assert "everyone who was asked is in" in moved.text
    assert "<@" not in moved.text
    assert (await room.table()).body.guests == [ana.id, cara.id]
    await ben.press(moved, "Start Match")
    assert (await room.table()).body.guests == [], "they are not kept any longer than needed"


async def test_who_presses_play_again_later_joins_the_lobby_that_is_open(room: Room) -> None:
    (ana, ben), result = await ended_match(room)
    lobby = await ana.press(result, "Play Again")
    answer = await ben.press(result, "Play Again")
    assert "you have a seat in it" in answer.text
    assert str(lobby.id) in answer.links["Go to the Table"]
    assert "**Ben**" in lobby.text
    await ben.press(result, "Play Again")
    assert lobby.text.count("**Ben**") == 1
    await ana.press(lobby, "Start Match")
    assert "already a match here" in (await ben.press(result, "Play Again")).text


async def test_who_left_the_match_can_still_press_play_again(room: Room) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    for leaver in (ben, cara):
        await leaver.press(await leaver.command("leave"), "Leave Now")
    dan = room.person("Dan")
    await dan.press(await dan.press(await room.board(), "More"), "Take Over from Cara")
    await room.stage(some_game.last_move(3))
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    lobby = await cara.press(result, "Play Again")
    assert "1. **Cara** · host" in lobby.text
    assert "🤖" not in lobby.text.partition("**Seats**")[2], "the agent in Ben's seat does not come along"
    assert sorted(lobby.kept.ping_user_ids) == sorted([ana.id, dan.id]), "who left is not rung"
    assert "you have a seat in it" in (await ben.press(result, "Play Again")).text


async def test_a_person_who_is_asked_and_forgotten_is_in_the_lobby_no_more(room: Room) -> None:
    (ana, ben), result = await ended_match(room)
    lobby = await ben.press(result, "Play Again")
    assert ana.mention in lobby.text
    await ana.delete_data()
    assert ana.mention not in lobby.text
    assert (await room.table()).body.guests == []


async def test_the_log_of_an_ended_match_is_read_by_command_too(room: Room) -> None:
    (_ana, ben), _result = await ended_match(room)
    log = await ben.command("log")
    assert "The match is over" in log.text
    assert "**Ana** sells 🪙 1 Coin for $2." in log.text
    assert "no match of this game" in (await ben.command("hand")).text


async def test_a_lobby_that_was_closed_since_does_not_hide_the_last_matchs_log(room: Room) -> None:
    (ana, ben), result = await ended_match(room)
    await ana.press(result, "Play Again")
    sure = await ana.command("end")
    await ana.press(sure, "Close the Lobby")
    assert "The match is over" in (await ben.command("log")).text


async def test_play_again_is_for_those_who_played_and_opens_one_lobby(room: Room) -> None:
    (ana, ben), result = await ended_match(room)
    assert "Only those who played" in (await room.person("Eve").press(result, "Play Again")).text
    presses = [ana.pressing(result, "Play Again"), ben.pressing(result, "Play Again")]
    await room.deliver(*presses)
    lobbies = [page for page in room.pages() if "Join" in page.buttons]
    assert len(lobbies) == 1
    (second,) = [press.answer for press in presses if press.answer != lobbies[0]]
    assert "you have a seat in it" in second.text
    assert str(room.channel.id) in second.links["Go to the Table"]
    assert "2 of 4" not in lobbies[0].text, "two people and the agent"
    assert "3 of 4" in lobbies[0].text
    again = await ana.press(result, "Play Again")
    assert str(lobbies[0].id) in again.links["Go to the Table"]


async def test_a_match_ends_where_the_rules_end_it_and_says_what_decided(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    sold = [[("coin", 1), ("coin", 1), ("pot_shard", 1)], [("coin", 2)]]
    left = crafted.everything(coin=5, pot_shard=1)
    state = crafted.craft(
        [{"coin": 1}, {}], sold=sold, phase=crafted.ACT, explored=True, rest="market", market=left
    )
    await room.stage(state)
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    assert "🥇 1. 🔵 **Ana**" in result.text
    assert "🥈 2. 🔶 **Ben**" in result.text
    assert ben.mention not in result.text.partition("🥇")[2], "the ranks are told by name"


# -- what is logged

OURS = ("bot", "cogs", "engine", "aiosqlite", "discord", "asyncio", "root")


@pytest.fixture
def logs_of_a_debugging_operator(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All that a bot logs whose LOG_LEVEL is DEBUG."""
    levels = {name: logging.getLogger(name).level for name in QUIET}
    with caplog.at_level(logging.DEBUG):
        set_up_logging("DEBUG")
        yield caplog
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def hidden_words(table: Table) -> set[str]:
    """Texts that must not stand in a log: the seed, the key, and the cards of hands and dig site as data."""
    snapshot = table.game.dump(table.state)
    lists = [snapshot["site"][-12:], *(hand for hand in snapshot["hands"] if any(hand))]
    lists += [chamber for chamber in snapshot["chambers"] if sum(map(bool, chamber)) > 1]
    dumped = {json.dumps(cards, separators=by) for cards in lists for by in ((",", ":"), (", ", ": "))}
    return {table.body.host_seed, snapshot["key"], *dumped} - {"[]"}


@pytest.mark.parametrize(
    ("game", "options"),
    [("archaeology", {}), ("expedition", {"monument": "temple"})],
    ids=["archaeology", "temple"],
)
async def test_the_log_names_the_table_and_never_a_hidden_card(
    room: Room,
    mishaps: Mishaps,
    logs_of_a_debugging_operator: pytest.LogCaptureFixture,
    game: str,
    options: dict[str, Any],
) -> None:
    room.game = game
    people = await room.match_of("Ana", "Ben", **options)
    by_id, rng = {person.id: person for person in people}, Random(3)
    screens: dict[int, Page] = {}
    hidden, private = set[str](), set[str]()
    for number in range(40):
        hidden |= hidden_words(await room.table())
        if number % 10 == 3:
            room.fail("PATCH", "/channels/*/messages/*", 500, times=2)
            room.fail("PATCH", "/webhooks/*", 404, 10008)
        if number == 20:
            mishaps.expect("a press failed")
            mishaps.expect("could not be saved")
            while "Dig" not in (await room.board()).buttons:  # a press that makes a move, whatever the deal
                await digger.step(room, by_id, screens, rng)
            person = await digger.asked(room, by_id)
            for broken in (patch.object(Tables, "play", side_effect=RuntimeError), full_disk()):
                with broken:
                    await person.press(await room.board(), "Dig")
        if number in (4, 14, 20, 24, 34):
            screens.clear()  # they could not follow
        await digger.step(room, by_id, screens, rng)
        private |= {line for page in screens.values() if page.exists for line in page.text.split("\n")}
        await room.later(3)
    records = [r for r in logs_of_a_debugging_operator.records if r.name.split(".")[0] in OURS]
    logged = "\n".join(logging.Formatter().format(record) for record in records)
    assert "table 1" in logged
    assert "Traceback" in logged
    assert [word for word in hidden if word in logged] == []
    assert [line for line in private if len(line) > 3 and line in logged] == []
    assert not re.search(r"(?i)shard|parchment|\bcoin|talisman|\bmask|\bcup|\btablet|pendant", logged)


def full_disk() -> AbstractContextManager[object]:
    return patch.object(Store, "commit", side_effect=StoreFull("no room"))
