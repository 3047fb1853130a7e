"""The sheets that anybody, spectators included, may look up at a table: seen by the presser alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from simcord.components import walk_components

from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import SHEET_INTENTS, Action, Pressed
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Item, Option, button, menus
from bot.ui.screens.names import Names
from bot.ui.screens.pages import sheet as show_sheet
from tests.cogs.in_memory import SHOWN, Match, matches
from tests.cogs.limits import fits
from tests.cogs.sealed_screens import SealedScreens
from tests.cogs.table_driver import Room, add_game
from tests.sealed import Sealed, View

POINTS = "s.points"
OF_WHOM = "s.of-whom"


class Looked(SealedScreens):
    """The sealed bids, with everybody's points to be looked up."""

    def sheets(self, view: View, names: Names) -> list[Action]:
        return [Action("Points", POINTS, arg="0")]

    def sheet(self, view: View, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        if pressed.intent not in (POINTS, OF_WHOM):
            raise Refused("unknown")
        assert view.viewer is None
        seat = int(next(iter(pressed.chosen), pressed.arg))
        options = [Option(names.plain(each), str(each)) for each in range(view.seats)]
        return [
            ui.text(f"{names.bold(seat)} has {view.points[seat]}."),
            *menus(to._replace(intent=OF_WHOM), "Of whom", options, chosen=[str(seat)]),
            ui.row(button("Again", to._replace(intent=POINTS, arg=str(seat)))),
        ]


@pytest.fixture
def room(room: Room, monkeypatch: pytest.MonkeyPatch) -> Room:
    room.game = Sealed.key
    return room


@pytest.fixture(autouse=True)
def looked_up_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(monkeypatch, Sealed(), Looked)


async def test_a_stranger_looks_something_up_and_nobody_else_sees_it(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    board, before = await room.board(), len(room.pages())
    sam = room.person("Sam")
    sheet = await sam.press(board, "Points")
    assert sheet.ephemeral
    assert "**Ana** has 0." in sheet.text
    assert len(room.pages()) == before
    assert await sam.choose(sheet, "Of whom", "Ben") == sheet, "the sheet itself is what changes"
    assert "**Ben** has 0." in sheet.text
    await room.restart(crash=True)
    assert await sam.press(sheet, "Again") == sheet
    assert "**Ben** has 0." in sheet.text


async def test_a_press_that_the_game_does_not_have_is_an_older_versions(room: Room) -> None:
    await room.match_of("Ana", "Ben")
    number = (await room.table()).id
    press = room.person("Sam").forging(await room.board(), str(Id("s.nothing", number)))
    await room.deliver(press)
    assert "older version of me" in press.answer.text


async def test_nothing_is_to_be_looked_up_in_a_lobby(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    press = ana.forging(lobby, str(Id(POINTS, (await room.table()).id, arg="0")))
    await room.deliver(press)
    assert "hasn't started yet" in press.answer.text


async def test_a_game_without_sheets_answers_as_to_an_older_versions_button(room: Room) -> None:
    room.game = "archaeology"
    await room.match_of("Ana", "Ben")
    board = await room.board()
    assert not any(to.intent.startswith(SHEET_INTENTS) for to in board.ids)
    press = room.person("Sam").forging(board, str(Id(POINTS, (await room.table()).id, arg="0")))
    await room.deliver(press)
    assert "older version of me" in press.answer.text


# -- of every game


def presses_on(match: Match, pressed: Pressed) -> Iterator[Pressed]:
    """The presses possible on a sheet, each menu's options one by one."""
    screen = show_sheet(match.table(), match.screens, pressed)
    fits(screen)
    for part in walk_components(json.loads(json.dumps(screen.view().to_components()))):
        to = read_id(part.get("custom_id") or "")
        if to is None or part.get("disabled"):
            continue
        assert to.intent.startswith(SHEET_INTENTS)
        for values in [[option["value"]] for option in part.get("options", ())] or [[]]:
            yield Pressed(to.intent, to.arg, {to.intent: values} if values else {})


@pytest.mark.parametrize("key", SHOWN)
def test_every_button_of_a_sheet_leads_to_a_sheet_within_discords_limits(key: str) -> None:
    for match in matches(key, 6):
        view = match.game.view(match.state, None)
        offered = match.screens.sheets(view, Names(match.table().seats))
        waiting = [Pressed(action.intent, action.arg, {}) for action in offered]
        assert all(pressed.intent.startswith(SHEET_INTENTS) for pressed in waiting)
        seen: set[str] = set()
        while waiting:
            pressed = waiting.pop()
            if repr(pressed) not in seen:
                seen.add(repr(pressed))
                waiting += presses_on(match, pressed)
