"""The bot restarts in every kind of decision, and the screens that people have open go on."""

from __future__ import annotations

from typing import Any

import pytest

from bot.tables.model import Table
from bot.ui.display.state import DisplayState
from bot.ui.sender import Sender
from cogs.artifact import turn
from tests.cogs.artifact import adventurer
from tests.cogs.table_driver import Delivery, Room, until
from tests.engine.artifact.scene import scene

DECISIONS: dict[str, Any] = {
    "roll": (scene(3, 9), turn.ROLL),
    "direction": (scene(12, 14, holder=1, phase="direction", die=2), turn.BACK),
    "opponent": (scene(5, 5, 5, phase="opponent", step=1), turn.MEET),
    "ability": (scene(5, 5, phase="ability", opponent=1, step=1), turn.NAME),
    "attack": (scene(5, 5, aids={0: "pistols"}, phase="attack", opponent=1, ability=0, step=1), turn.USE),
    "challenge": (
        scene(3, 9, aids={0: "climbing_gear"}, phase="challenge", encounter="rope_bridge", step=1),
        turn.USE,
    ),
}


@pytest.mark.parametrize("kind", DECISIONS)
async def test_an_open_screen_still_works_after_a_crash(room: Room, kind: str) -> None:
    state, intent = DECISIONS[kind]
    ana, *_others = await room.match_of(*("Ana", "Ben", "Cara")[: state.seats])
    await room.stage(state)
    page = await adventurer.own_page(ana)
    await room.restart(crash=True)
    before = (await room.table()).state.moves
    await ana.press(page, page.of_intent(intent)[0])
    assert (await room.table()).state.moves == before + 1


async def test_who_is_attacked_answers_after_a_crash(room: Room) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(5, 5, aids={1: "pistols"}, phase="defend", opponent=1, ability=0, step=1))
    page = await adventurer.own_page(ben)
    await room.restart(crash=True)
    await ben.press(page, page.of_intent(turn.USE)[0])
    assert "You spend Pistols (+3)" in (await ben.command("log")).text


async def test_so_does_who_gives_up_an_aid(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(3, 9, aids={0: "pistols tomes"}, phase="give_up", encounter="rival_agent", step=1))
    page = await adventurer.own_page(ana)
    await room.restart(crash=True)
    await ana.press(page, "Pistols · Combat +3")
    assert "You lose the Boon “Pistols”" in (await ana.command("log")).text
    assert (await room.table()).state.aids[0] == ("tomes",)


async def test_a_party_that_is_half_made_survives_a_crash(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    page = await adventurer.own_page(ana)
    page = await ana.choose(page, adventurer.EQUIPMENT, "Lockpicks", "Scientific Texts")
    await room.restart(crash=True)
    await ana.press(page, "Set Out")
    await room.restart(crash=True)
    await ben.press(await adventurer.own_page(ben), "Set Out")
    assert (await room.table()).state.aids[0] == ("lockpicks", "texts")


async def test_nobody_is_called_to_a_match_that_ends_while_an_earlier_call_is_looked_for(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(2, 12, holder=0))
    page, search, presses = await adventurer.own_page(ana), Sender.left_behind, list[Delivery]()

    async def while_the_match_ends(sender: Sender, table: Table, state: DisplayState) -> Any:
        found = await search(sender, table, state)
        if not presses:
            presses.append(ana.pressing(page, page.of_intent(turn.ROLL)[0]))
            room.emit(*presses)
            await until(lambda: presses[0].answered)
        return found

    monkeypatch.setattr(Sender, "left_behind", while_the_match_ends)
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.messages.calling = "a call of a killed process"
        draft.touch()
    await room.catch_up()
    assert presses
    assert (await room.table()).status == "over"
    assert room.announcements() == []
