"""The public screens as they are pressed: companies in full, also after the end, and nothing that was not offered."""

from __future__ import annotations

from simcord.components import walk_components

from bot.ui.screens.board import board as show_board
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from bot.ui.screens.private import private
from engine.artifacts_inc.state import GOAL, State
from tests.cogs.artifacts_inc import roller
from tests.cogs.in_memory import SCREENS, Match
from tests.cogs.table_driver import Person, Room
from tests.engine.artifacts_inc.scene import GAME, scene


def lines(screen: Screen) -> list[str]:
    parts = walk_components(screen.view().to_components())
    return [line for part in parts if part["type"] == 10 for line in part["content"].splitlines()]


SPACE = "\N{NO-BREAK SPACE}"


async def table_with(room: Room, state: State) -> tuple[Person, Person]:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(state)
    return ana, ben


def test_the_round_in_which_somebody_has_just_enough_reputation_is_the_last() -> None:
    for reputation, last in ((GOAL - 1, False), (GOAL, True)):
        state = scene(dice="2 5")
        state.earned = [(reputation, 0, 0, 0), (0, 0, 0, 0)]
        state.derive()
        match = Match(GAME, state, [])
        texts = lines(show_board(match.table(), match.screens, [], 0.0))
        assert any("Last round" in line for line in texts) == last
        assert any("the most ⭐ wins" in line for line in texts) != last
        texts = lines(private(match.table(), match.screens, 0, []))
        assert any("Your last turn" in line for line in texts) == last


async def test_anybody_opens_all_companies_and_each_in_full(room: Room) -> None:
    ana, _ben = await table_with(
        room, scene("biplane@lower:1 dig_camp@upper:-1 airfield+", dice="2", artifacts="fossil*2 gem@biplane")
    )
    stranger = room.person("Sam")
    board = await room.board()
    sheet = await stranger.press(board, "Cards")
    assert sheet.ephemeral
    await stranger.press(sheet, "Companies")
    assert "🔵 **Ana** · ⭐ **" in sheet.text
    assert "-# Dig Camp, Desert Expedition, Canyon Expedition, Headquarters, Adventurers, " in sheet.text
    await stranger.press(sheet, "Ana")
    assert "__Lower row__\n**Biplane** below Canyon Expedition · " in sheet.text
    assert (
        f"**Canyon Expedition** · `1` 🦴{SPACE}Fossil · `3+` 🦴{SPACE}Fossil · on it: **🦴 2**" in sheet.text
    )
    assert (
        sheet.text.index("__Upper row, from left to right__")
        < sheet.text.index("__Lower row__")
        < sheet.text.index("Biplane")
    )
    await stranger.press(sheet, "Both Sides")
    assert (
        "**Headquarters** · $4 to upgrade\n▸ **I** · `any` buy or upgrade a card\n"
        "II · ⭐ 2 · `any` buy or upgrade a card ×2" in sheet.text
    )
    assert "**Airfield II**\nI · ⭐ 1" in sheet.text, "what is at level 2 cannot be improved any more"
    assert "\n▸ **II** · ⭐ 3 · 2 times per turn" in sheet.text
    await stranger.press(sheet, "Ben")
    assert "### 🔶 Ben" in sheet.text
    assert "Biplane" not in sheet.text
    page = await roller.own_page(ana)
    await ana.choose(page, roller.OTHERS, "Guide Work: $1")
    await stranger.press(sheet, "Ana")
    assert "💰 $1" in sheet.text, "it shows how things stand when it is pressed"


async def test_a_stranger_cannot_play_and_no_press_of_theirs_is_without_an_answer(room: Room) -> None:
    await table_with(room, scene(dice="2"))
    sam = room.person("Sam")
    assert "You're not at this table" in (await sam.press(await room.board(), "My Company")).text
    number = (await room.table()).id
    for intent, arg in (
        ("s.company", ""),
        ("s.company", "9.0.0"),
        ("s.company", "0.2.0"),
        ("s.company", "0.0.-1"),
        ("s.company", "x"),
        ("s.offers", "x"),
        ("s.nothing", ""),
        ("s.", ""),
    ):
        press = sam.forging(await room.board(), str(Id(intent, number, arg=arg)))
        await room.deliver(press)
        assert "older version of me" in press.answer.text
    press = sam.forging(await room.board(), str(Id("s.company", number, arg="0.0.99")))
    await room.deliver(press)
    assert "### 🔵 Ana" in press.answer.text, "a page too far is the last one"


async def test_nobody_is_told_by_a_button_what_they_may_not_know(room: Room) -> None:
    """All lies open but what is to come: neither the piles' order nor dice are in any component's id."""
    await table_with(room, scene(dice="2 5"))
    board = await room.board()
    args = {to.arg for to in board.ids}
    assert args <= {"", "0", "0.0.0", "1.0.0"}, "pages and companies alone"


async def test_companies_stay_open_to_all_after_the_end(room: Room) -> None:
    ana, _ben = await table_with(room, scene(dice="6", round=60, active=1, first=0))
    ben = _ben
    page = await roller.own_page(ben)
    await ben.press(page, "Guide Work: $1")
    assert (await room.table()).status == "over"
    sheet = await ana.press(await room.board(), "Ben")
    assert "💰 $1" in sheet.text


def test_every_button_of_a_sheet_is_a_sheets() -> None:
    state = scene("biplane", dice="2")
    view, screens = GAME.view(state, None), SCREENS["artifacts-inc"]
    names = Names(Match(GAME, state, []).table().seats)
    for action in screens.sheets(view, names):
        to = read_id(str(Id(action.intent, 1, arg=action.arg)))
        assert to is not None
        assert to.intent.startswith("s.")
