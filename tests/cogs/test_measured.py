"""Presses and commands as the operator sees them: counted by what they mean and came to, and by nothing else."""

from __future__ import annotations

import logging

import pytest

from bot.app.running import Readiness
from bot.ui.screens.ids import Id
from tests.cogs.conftest import Mishaps
from tests.cogs.table_driver import Room

NAMES = ("ana", "ben")


def presses(room: Room, intent: str, outcome: str) -> float:
    labels = {"intent": intent, "outcome": outcome}
    return room.host.metrics.registry.get_sample_value("digsite_presses_total", labels) or 0


def figure(room: Room, name: str) -> float:
    return room.host.metrics.registry.get_sample_value(name) or 0


async def test_presses_and_commands_are_counted_by_what_they_came_to(room: Room) -> None:
    page, people = await room.lobby_of(*NAMES)
    assert presses(room, "/start", "done") == 1
    assert presses(room, "join", "done") == 1
    await people[1].press(page, "Join")
    assert presses(room, "join", "refused") == 1
    assert figure(room, "digsite_answer_seconds_count") == 3, "each was answered"
    assert figure(room, "digsite_durable_seconds_count") == 2, "the refused one changed nothing"


async def test_a_games_press_is_counted_by_its_intent(room: Room) -> None:
    people = await room.match_of(*NAMES)
    digger = await room.asked(people)
    page = await digger.hand()
    assert presses(room, "/hand", "done") == 1
    await digger.press(page, "Dig")
    assert presses(room, "g.dig", "done") == 1


async def test_a_forged_intent_is_never_a_label(room: Room) -> None:
    page, people = await room.lobby_of(*NAMES)
    forged = "ana-holds-a-map"
    for intent in (forged, f"g.{forged}", f"s.{forged}", f"rules.{forged}", f"set.{forged}", "join.x"):
        await room.deliver(people[1].forging(page, str(Id(intent, 1))))
    assert forged not in room.host.metrics.text().decode()
    counted = sum(presses(room, "unknown", outcome) for outcome in ("refused", "stale"))
    assert counted == 4, "the three that mean nothing, and what is no intent of the game"
    assert presses(room, "s", "refused") == presses(room, "rules", "refused") == 1


async def test_a_press_that_cannot_be_saved_is_counted_as_such(room: Room, mishaps: Mishaps) -> None:
    page, people = await room.lobby_of(*NAMES)
    mishaps.expect("could not be saved")
    await room.host.store.close()
    await room.deliver(people[1].pressing(page, "Leave"), catch_up=False)
    await room.host.store.open()
    assert presses(room, "leave-lobby", "not-saved") == 1


async def test_what_is_read_names_no_person_no_server_and_no_table(room: Room) -> None:
    people = await room.match_of("Zerubbabel", "Nebuchadnezzar")
    await (await room.asked(people)).hand()
    await Readiness(room.bot).figures()
    text = room.host.metrics.text().decode()
    assert 'digsite_live_tables{game="archaeology"} 1.0' in text
    ids = {str(room.channel.id), str(room.guild.id), *(str(person.id) for person in people)}
    names = {person.name for person in people}
    assert [part for part in ids | names if part in text] == []


async def test_each_press_leaves_one_line_that_says_what_it_was(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    page, people = await room.lobby_of(*NAMES)
    caplog.set_level(logging.DEBUG, "bot")
    await people[1].press(page, "Leave")
    lines = [record.getMessage() for record in caplog.records if record.name == "bot.ui.router"]
    assert lines == ["table 1: leave-lobby is done"]
