"""Screens of the family that no written playthrough has: people away, a wish to end, and the pages of cards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simcord.components import walk_components

from bot.art.picture_cache import Plate
from bot.tables.model import Table
from bot.ui.screens import private as own_screen
from bot.ui.screens.board import board as show_board
from bot.ui.screens.kit import Screen
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import Match, matches
from tests.engine.archaeology_family import sell
from tests.engine.expedition import scene as dig

NAMES = ["Ana", "Ben", "Cara", "Dan", "Eve"]


def texts(screen: Screen) -> list[str]:
    parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
    return [part["content"] for part in parts if part["type"] == 10]


def buttons(screen: Screen) -> list[str]:
    parts = walk_components(json.loads(json.dumps(screen.view().to_components())))
    return [part["label"] for part in parts if part["type"] == 2]


def archaeology(hands: list[dict[str, int]], **more: Any) -> Match:
    return Match(crafted.GAME, crafted.craft(hands, **more), [])


def expedition(state: Any) -> Match:
    return Match(dig.GAME, state, [])


def board(match: Match, table: Table) -> Screen:
    return show_board(table, match.screens, [], 0.0)


def private(match: Match, seat: int) -> Screen:
    return own_screen.private(match.table(names=NAMES), match.screens, seat, [])


def test_while_an_agent_is_asked_there_is_no_button_for_it_and_no_time() -> None:
    match = archaeology([{"coin": 2}, {"map": 1}], site=["coin"])
    table = match.table(names=NAMES)
    table.seats[0].user_id, table.seats[0].agent = None, "novice"
    screen = board(match, table)
    assert texts(screen)[-1] == "▶️ It is 🤖\u00a0**Ana**'s turn to dig."
    assert buttons(screen) == ["Hand", "Prices & Rules", "More"], "nobody can come back to an agent's seat"
    table.seats[0].left_by = 1
    assert buttons(board(match, table))[-2:] == ["I'm Back", "Take Over"]


def test_a_wish_to_end_is_told_with_who_wishes_it() -> None:
    match = archaeology([{"coin": 2}, {"map": 1}, {"coin": 1}], site=["coin"])
    table = match.table(names=NAMES)
    table.body.end_votes = [1]
    screen = board(match, table)
    how = "It ends once everyone who is here agrees."
    assert texts(screen)[-1].endswith(f"\n🏳️ **Ben** wants to end the match. {how}")
    assert buttons(screen)[-1] == "Agree to End"
    table.body.end_votes = [1, 2]
    both = texts(board(match, table))[-1]
    assert both.endswith(f"\n🏳️ **Ben** and **Cara** want to end the match. {how}")


def test_what_was_seen_in_the_temple_stands_under_the_hand_of_who_saw_it_alone() -> None:
    state = dig.scene("coin*2 map*2", "coin*4", monument="temple", site="coin")
    dig.play(state, sell("coin"), dig.look(1))
    match = expedition(state)
    assert texts(private(match, 0))[1].endswith("-# 👁️ Chamber 2 · 🏺\u00a0×5")
    assert "👁️" not in "".join(texts(private(match, 1)))
    pictured = private(match, 0).picture(Plate("hand.png", b"", "A hand."), 1)
    assert all(sign in "".join(texts(pictured)) for sign in ("👁️ Chamber 2", "💰 $")), "no picture has these"
    assert not any("In brackets: trade value." in text for text in texts(pictured))
    assert [label for label in buttons(private(match, 0)) if label.startswith("Explore")] == [
        "Explore Chamber 1 · 2 Maps",
        "Explore Chamber 2 · 2 Maps → 5 Pot Shards",
        "Explore Chamber 3 · 2 Maps",
    ]


def cards_page(match: Match, title: str = "Prices and cards") -> list[str]:
    (page,) = [page for page in match.screens.rules() if page.title == title]
    return page.text.split("\n")


def test_the_second_games_cards_are_listed_with_how_each_number_is_known() -> None:
    lines = cards_page(expedition(dig.scene("coin", "coin")))
    assert "📜 **Parchment Scrap** · 16 copies · trades for 1" in lines
    assert "🪨 **Broken Tablet** · 12 copies · trades for 2 · from 4 players on" in lines
    assert "📿 **Broken Pendant** · 5 copies · trades for 3 · from 5 players on" in lines
    assert cards_page(expedition(dig.scene("coin", "coin")), "How the numbers are known")[:-1] == [
        "-# *trade value: inferred* 🏺 🧿",
        "-# *sale values: our own number* 🏺 🪙 🧿 🍷 🗺️ 🎭 🪨 📿",
        "-# *trade value: our own number* 🍷 🗺️ 🎭 🪨 📿",
        "-# *complete set: inferred* 🍷",
    ]
    assert lines[-2:] == [
        "🦹 **Thieves** · 4 with 2 players, 6 with 3 players, 8 with 4 players, 10 with 5 players",
        "🌪️ **Sandstorms** · 6 with 2 players, 5 with 3 players (inferred), 4 with 4/5 players (inferred)",
    ]


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_the_result_shows_the_cards_that_nobody_explored(key: str) -> None:
    shown = set[bool]()
    for match in matches(key, 3):
        view = match.game.view(match.state, None)
        left = [(kind, sum(counts)) for kind, counts in enumerate(zip(*match.state.chambers, strict=True))]
        line = f"🗺️ Never explored: {card.cards([each for each in left if each[1]])}"
        assert (line in match.screens.result(view, Names(match.table().seats))) == any(view.chambers)
        shown.add(any(view.chambers))
    assert True in shown
