"""Every screen at its largest, in every language, keeps Discord's limits; nothing is cut off."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from simcord.components import walk_components

from bot.app.controls import LONGEST_NOTICE
from bot.art.picture_cache import Plate
from bot.language import speaking
from bot.people.server_setup.screens import questions as server_questions
from bot.tables.server_settings import ServerSettings
from bot.ui.screens.board import LOG_ROWS, Watcher, board, watched
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended as result
from bot.ui.screens.fitting import has_room
from bot.ui.screens.forms import Question, form, questions
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import ANY_NUMBER, Option, Screen, button, escape, link, menus
from bot.ui.screens.lobby import lobby
from bot.ui.screens.messages import more
from bot.ui.screens.pages import log_page, rules_page
from bot.ui.screens.private import Personal, private
from engine.game import own_decision
from tests.cogs.in_memory import SCREENS, SHOWN, matches, take_hint
from tests.cogs.limits import (
    EVERY_LANGUAGE,
    LONG_NAMES,
    command_faults,
    faults,
    fits,
    form_faults,
    message_faults,
)
from tests.sampling import amount

NOTICE = "W" * LONGEST_NOTICE


def with_pictures(screen: Screen) -> Screen:
    """The screen of a private match with the pictures of its board and of its hand."""
    screen.insert_picture(Plate("own.png", b"", "A picture."), 0)
    return screen.insert_picture(Plate("table.png", b"", "A picture."), 0) if has_room(screen) else screen


# -- what every game has


@pytest.mark.sampled
@EVERY_LANGUAGE
@pytest.mark.parametrize("key", SHOWN)
def test_every_screen_of_random_matches(key: str, language: str) -> None:
    for match in matches(key, amount(25, 10)):
        table, rows = match.table(names=LONG_NAMES * 2), match.rows()
        table.body.hints = True
        for seat in table.seats:
            seat.hinted = [*range(40)]
            seat.followed = [*range(40)]
        with speaking(language):
            fits(board(table, match.screens, rows[-LOG_ROWS:], 0.0, NOTICE))
            for seat in range(len(table.seats)):
                if own_decision(table.game.view(table.state, seat)) is not None:
                    take_hint(table, seat, table.game.sample(table.state, seat, Random(seat)))
                own = Personal(may_undo=True)
                fits(private(table, match.screens, seat, rows[-NEWS_ROWS:], own))
            fits(with_pictures(private(match.private(names=LONG_NAMES * 2), match.screens, 0, rows[-40:])))
            fits(log_page(table, match.screens, rows, 0, None))
            for ended in {False, table.status == "over"}:
                seen = watched(table, match.screens, rows[-LOG_ROWS:], 0.0, Watcher(True, ended))
                fits(with_pictures(seen))
            if table.status == "over":
                fits(result(table, match.screens, rows))


def fits_in_a_form(asked: list[Question]) -> None:
    made = form("Settings", Id("settings-set", 2**63 - 1), [each.label() for each in asked])
    assert not form_faults(made.to_dict())
    assert len({each.name for each in asked}) == len(asked)


@EVERY_LANGUAGE
async def test_form_of_a_servers_settings(language: str) -> None:
    with speaking(language):
        for pictures in (None, True):
            fits_in_a_form(server_questions(ServerSettings(), discords=language, pictures=pictures))


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", SHOWN)
async def test_lobby_rules_and_what_is_seldom_needed(key: str, language: str) -> None:
    screens = SCREENS[key]
    match = next(matches(key, 4))
    table = match.table(names=LONG_NAMES * 2)
    for seat in table.seats:
        seat.word = "*" * 64
    with speaking(language):
        for page in range(len(screens.rules())):
            fits(rules_page(screens, table, page)[0])
            fits(rules_page(screens, None, page)[0])
        fits_in_a_form(questions(table, screens))
        table.body.options = {
            name: max(setting.choices, key=len) for name, setting in screens.settings().items()
        }
        fits_in_a_form(questions(table, screens))
        fits(lobby(table, screens, NOTICE))
        table.status = "lobby"
        table.body.guests = [2**62 + number for number in range(8)]
        fits(lobby(table, screens, NOTICE))
        table.status = "playing"
        fits(more(table, screens, 1, manages=True))
        for seat in table.seats:
            seat.left_by, seat.user_id = seat.user_id, None
        fits(more(table, screens, 99, manages=True))


# -- the building kit


def test_a_menu_of_more_options_than_one_takes_becomes_several() -> None:
    options = [Option(f"option {n}", str(n)) for n in range(60)]
    screen = Screen().add(menus(Id("pick", 1), "Pick", options, count=ANY_NUMBER))
    fits(screen)
    parts = json.loads(json.dumps(screen.view().to_components()))
    shown = [part["options"] for part in walk_components(parts) if part["type"] == 3]
    assert [len(offered) for offered in shown] == [25, 25, 10]


# -- the checker itself


SPOILT = [
    ("text", Screen().text("x" * 4001)),
    ("text", Screen().text("x" * 2500).text("x" * 2500)),
    ("text", Screen().text("🏺" * 2001)),
    ("custom_id", Screen().buttons(button("a", Id("b")), button("c", Id("b")))),
    ("labelled", Screen().buttons(link("", "https://x.example"))),
]
"""Screens that each break one limit."""


@pytest.mark.parametrize(("word", "screen"), SPOILT)
def test_the_checker_finds_what_is_too_much(word: str, screen: Screen) -> None:
    assert any(word in fault for fault in faults(screen)), faults(screen)


def test_the_checker_finds_menus_rows_commands_and_forms_that_are_too_large() -> None:
    option = {"label": "x", "value": "x"}
    menu = {"type": 3, "custom_id": "m", "options": [option]}
    one = {"type": 2, "label": "x", "style": 1}

    def broken(*parts: dict[str, Any]) -> list[str]:
        return message_faults([{"type": 1, "components": list(parts)}])

    assert not broken(menu)
    assert broken(menu | {"options": [option | {"value": str(n)} for n in range(26)]})
    assert broken(menu | {"options": [option, option]})
    assert broken(menu | {"options": [option | {"label": "x" * 101}]})
    assert broken(menu | {"options": [option | {"description": "x" * 101}]})
    assert broken(menu | {"max_values": 2})
    assert broken(*[one | {"custom_id": str(n)} for n in range(6)])
    assert broken(one | {"custom_id": "x" * 101})
    assert broken(one | {"custom_id": "x", "label": "x" * 81})
    assert broken(menu, one | {"custom_id": "x"})
    command = {"name": "dig", "description": "Digs"}
    assert not command_faults(command)
    assert command_faults(command | {"description": "x" * 101})
    assert command_faults(command | {"name": "Dig"})
    assert command_faults(
        command | {"options": [{"name": f"o{n}", "description": "x", "type": 1} for n in range(26)]}
    )
    label = {"type": 18, "label": "x", "component": {"type": 4, "custom_id": "x"}}
    form = {"title": "x", "custom_id": "x", "components": [label]}
    assert not form_faults(form)
    for kind, most in ((3, 25), (21, 10), (22, 10)):
        options = [{"label": "x", "value": str(n), "default": not n} for n in range(most + 1)]
        group = {"type": kind, "custom_id": "x", "options": options[:-1]}
        assert not form_faults(form | {"components": [label | {"component": group}]})
        for wrong in ({"options": options}, {"custom_id": "x" * 101}, {"options": []}):
            assert form_faults(form | {"components": [label | {"component": group | wrong}]})
    assert form_faults(form | {"title": "x" * 46})
    assert form_faults(form | {"components": [label] * 6})


def test_an_escaped_name_stays_short_enough_for_the_screens() -> None:
    assert max(len(escape(name)) for name in LONG_NAMES) <= 64
