"""A whole match by presses alone, and how many presses a turn takes."""

from __future__ import annotations

import json
from random import Random

import pytest

from bot.tables.model import HOUR
from cogs.artifact import turn
from engine.record import verify
from engine.registry import load_games
from tests.cogs.artifact import adventurer
from tests.cogs.table_driver import Room
from tests.engine.artifact.scene import scene


async def test_two_people_and_an_agent_play_to_the_result(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", agents=1, scenario="drowned_temple")
    await adventurer.play(room, people, Random(1))
    result, board = await room.result(), await room.board()
    assert "wins" in result.text
    assert result.text.count("Challenges: ") == 3, "a line for each party"
    assert not room.announcements(), "nobody is called after the end"
    assert "Parties" in board.buttons, "parties can still be looked at"
    assert "Roll" not in board.buttons
    ((_name, data),) = (await people[0].press(result, "Fairness")).files.items()
    assert verify(data.decode(), load_games()).sound


async def test_what_is_chosen_in_the_menus_is_what_the_party_sets_out_with(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    page = await adventurer.own_page(ana)
    page = await ana.choose(page, adventurer.EQUIPMENT, "Lockpicks", "Scientific Texts")
    await ana.press(page, "Set Out")
    assert "Lockpicks" not in (await room.board()).text, "it stays hidden until all are made"
    assert "Lockpicks" not in (await adventurer.own_page(ben)).text
    await ben.press(await adventurer.own_page(ben), "Set Out")
    sheet = await ben.press(await room.board(), "Parties")
    await ben.press(sheet, "Ana")
    assert "Lockpicks · Mechanics +3" in sheet.text
    assert sheet.ephemeral


async def test_a_lobby_whose_scenario_is_there_no_more_says_so_at_the_start(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.options = {"scenario": "a_city_of_the_owner_s"}
        draft.touch()
    answer = await ana.press(lobby, "Start Match")
    assert "an option that I no longer have" in answer.text
    assert (await room.table()).status == "lobby"


async def test_the_selection_stays_when_somebody_else_takes_a_party_back(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    hers, his = await adventurer.own_page(ana), await adventurer.own_page(ben)
    await ben.choose(his, adventurer.EQUIPMENT, "Lockpicks", "Scientific Texts")
    setting_out = ben.pressing(his, "Set Out")
    await ana.press(hers, "Set Out")
    await ana.press(hers, "Undo")
    assert his.menu(adventurer.EQUIPMENT).chosen == ("Lockpicks", "Scientific Texts")
    await room.deliver(setting_out)
    await ana.press(hers, "Set Out")
    assert (await room.table()).state.aids[1] == ("lockpicks", "texts"), (
        "nothing that Ben is asked has changed"
    )


async def test_a_turn_without_a_choice_is_one_press_and_tells_its_story(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(3, 20))
    await ana.press(await room.board(), "Roll")
    state = (await room.table()).state
    assert (state.active, state.phase) == (1, "roll")
    assert "You go on from square 3" in (await ana.command("log")).text
    assert "-# **Ana** rolls " in (await room.board()).text, "the turn is a sentence on the table"
    assert "You go on from square 3" in (await adventurer.own_page(ana)).text, "and a tale to who played it"


async def test_a_challenge_shows_the_exact_chances_with_and_without_aids(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    state = scene(
        3,
        9,
        parties={0: "agility"},
        aids={0: "climbing_gear"},
        phase="challenge",
        encounter="rope_bridge",
        step=1,
    )
    await room.stage(state)
    page = await adventurer.own_page(ana)
    # One die and 1 against two dice, or 4: counted by hand, 56 and 135 of 216.
    assert page.of_intent(turn.USE) == ["Spend Climbing Gear: 62%", "Without Boons: chance 26%"]
    page = await ana.press(page, "Spend Climbing Gear: 62%")
    assert "You spend Climbing Gear (+3)" in (await ana.command("log")).text


async def test_a_roll_is_shown_after_its_chance(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(
        scene(3, 9, aids={0: "climbing_gear"}, phase="challenge", encounter="rope_bridge", step=1)
    )
    page = await adventurer.own_page(ana)
    monkeypatch.setattr(room.settings, "suspense", 0.05)
    await ana.press(page, page.of_intent(turn.USE)[1])
    answer = json.dumps([*room.requests("POST", "/callback")][-1])
    assert "Your chance: **" in answer
    assert "You roll" not in answer
    assert "You roll" in page.text, "the result follows by itself"


async def test_a_direction_is_chosen_on_the_table_itself(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(12, 14, holder=1, phase="direction", die=2))
    board = await room.board()
    assert {"Outward 14", "Homeward 10"} <= {*board.buttons}
    private = await adventurer.own_page(ana)
    assert "draw" in private.text, "who would be met, and the chances"
    await ana.press(board, "Homeward 10")
    assert "homeward to square 10" in (await room.board()).text


async def test_a_fight_is_told_with_its_dice_and_both_are_called(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    state = scene(5, 5, aids={0: "pistols", 1: "pistols"}, phase="attack", opponent=1, ability=0, step=1)
    await room.stage(state)
    assert "Combat" in (await room.board()).text
    page = await adventurer.own_page(ana)
    await ana.press(page, page.of_intent(turn.USE)[0])
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text
    page = await adventurer.own_page(ben)
    await ben.press(page, page.of_intent(turn.USE)[1])
    log = (await ben.command("log")).text
    assert "Ana** spends Pistols (+3)" in log
    assert "You spend no Boon" in log
    assert "\u00a0=\u00a0**" in log


async def test_a_computer_player_steps_in_for_one_turn_although_the_next_is_skipped(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben", turn_limit="1h")
    await room.stage(scene(3, 9, skips=[1]))
    before = (await room.table()).sequence
    await room.later(HOUR + 60)
    table = await room.table()
    played = [move for move in await room.host.store.moves(table.id) if move.sequence > before]
    assert {move.seat for move in played} == {0}
    assert (table.state.active, table.state.phase, table.state.round) == (0, "roll", 6)
    assert "💤 **Ben** skips this turn," in (await ana.command("log")).text
    assert (await ana.command("log")).text.count("ran out of time") == 1
    asked = table.body.asked[0]
    assert not asked.substitute
    assert asked.deadline == asked.at + HOUR, "her next turn has its whole time"
    assert "Roll" in (await adventurer.own_page(ana)).buttons


async def test_a_sheet_leads_back_to_the_own_party(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(3, 9))
    sheet = await ana.press(await room.board(), "Parties")
    assert "### Your party" in (await ana.press(sheet, "My Party")).text
    assert "My Party" not in (await room.person("Eve").press(await room.board(), "Parties")).buttons
