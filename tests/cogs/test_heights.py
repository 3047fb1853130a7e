"""On a phone, what one has and the whole of a decision stand on one screen, in every game and language.

Artifacts, Inc. has a test of its own, with the screens on the way to a move.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.language import speaking
from bot.ui.screens import components as ui
from bot.ui.screens.board import board
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.fitting import FRAME, PHONE, height, picture_height, row_height
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import NEWS, OWN_TITLE, PICTURED
from bot.ui.screens.private import Personal, private
from engine.game import Options, own_decision
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, Match, matches
from tests.cogs.limits import EVERY_LANGUAGE

HIGHER = {"archaeology": 60, "expedition": 160, "artifact": 150}
"""By game, the pixels by which seldom decisions are higher: many known chambers of a Temple; many sets of Boons."""
SELDOM = 0.15
MARKET = ("archaeology", "expedition")
"""The games with a Market."""
TWO_LINES = 72
NEWS_ROOM = 150
"""The height of some six lines of news, in pixels."""
NAMES = ("Ana", "Ben", "Chen", "Dora", "Emil", "Flo")


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", sorted(HIGHER))
def test_decision_stands_on_a_phone_s_screen_with_the_picture(key: str, language: str) -> None:
    heights: list[int] = []
    with speaking(language):
        for match in matches(key, 60):
            table = match.table(names=NAMES)
            table.body.hints = True
            for seat in range(len(table.seats)):
                view = match.game.view(match.state, seat)
                if own_decision(view) is None:
                    continue
                turn_line, *below = private(table, match.screens, seat, [], Personal(may_undo=True)).items
                assert turn_line["type"] == ui.TEXT
                picture = match.screens.own_picture(view)
                pictured = 0 if picture is None else picture_height(picture.width, picture.height)
                heights.append(pictured + height(below) + FRAME)
    assert max(heights) <= PHONE + HIGHER[key]
    assert sum(each > PHONE for each in heights) <= SELDOM * len(heights)


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", PLAYED)
def test_the_table_s_buttons_stand_in_two_lines_on_a_phone(key: str, language: str) -> None:
    with speaking(language):
        found = [
            board(match.table(names=NAMES), match.screens, [], 0).items[-1] for match in matches(key, 20)
        ]
    heights = [row_height(item["components"]) for item in found if item["type"] == ui.ROW]
    assert sum(each > TWO_LINES for each in heights) <= SELDOM * len(heights)


@EVERY_LANGUAGE
def test_a_party_that_waits_leaves_room_on_a_phone_for_what_has_happened(language: str) -> None:
    """Its picture has its members and Boons, so no text repeats them."""
    checked = 0
    with speaking(language):
        for match in matches("artifact", 60):
            table = match.table(names=NAMES)
            for seat in range(len(table.seats)):
                view = match.game.view(match.state, seat)
                if own_decision(view) is not None or view.phase == "party" or view.outcome is not None:
                    continue
                items = private(table, match.screens, seat, []).items
                picture = match.screens.own_picture(view)
                assert picture is not None
                below = height([item for item in items if item.get("id") != PICTURED])
                assert picture_height(picture.width, picture.height) + below + FRAME <= PHONE - NEWS_ROOM
                checked += 1
    assert checked > 10


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", MARKET)
def test_market_stands_above_every_decision_about_a_trade(key: str, language: str) -> None:
    signs, asked = ("🏺", "📜", "🪙", "🧿", "🍷", "🗺️", "🎭", "🪨", "📿"), 0
    with speaking(language):
        for match in matches(key, 60):
            table = match.table(names=NAMES)
            for seat in range(len(table.seats)):
                view = match.game.view(match.state, seat)
                if (
                    own_decision(view) is None
                    or view.phase != "act"
                    or not (any(view.market) and any(view.hand))
                ):
                    continue
                texts = ui.texts(private(table, match.screens, seat, [], Personal()).items)
                (market,) = [text for text in texts if text.startswith("-# **")]
                assert [signs[kind] in market for kind in range(len(view.market))] == list(
                    map(bool, view.market)
                )
                asked += 1
    assert asked > 10


@pytest.mark.parametrize("key", PLAYED)
def test_news_of_a_private_match_end_at_what_one_has_below_the_board(key: str) -> None:
    shown = 0
    for match in matches(key, 20):
        table = match.private(names=NAMES)
        ids = [item.get("id") for item in private(table, match.screens, 0, match.rows()).items]
        if NEWS in ids and OWN_TITLE in ids:
            assert ids[ids.index(NEWS) + 1 : ids.index(OWN_TITLE)] in ([], [None])
            shown += ids.index(NEWS) > 0
    assert shown or type(SCREENS[key]).vignette is AnyScreens.vignette, "news without pictures need no id"


@pytest.mark.parametrize(
    ("key", "higher"),
    [("archaeology", 0.12), ("artifact", 0.17), ("artifacts-inc", 0.4), ("expedition", 0.12)],
)
def test_news_and_decision_stand_together_on_a_phone_in_most_decisions_of_whole_matches(
    key: str, higher: float
) -> None:
    heights: list[int] = []
    for seed in range(2):
        match, since = Match(game := ENGINES[key], ENGINES[key].new(2, Options(), bytes([seed]) * 32), []), 0
        rng, moved, made = Random(seed), 0, 0
        while pending := game.pending(match.state):
            seat, view = pending[0].seat, game.view(match.state, pending[0].seat)
            if seat == 0:
                table = match.table(names=NAMES)
                table.sequence, table.body.hints = made, True
                table.seats[0].moved, table.seats[0].since = moved, since
                items = private(
                    table, match.screens, 0, match.rows()[-NEWS_ROWS:], Personal(may_undo=True)
                ).items
                picture = match.screens.own_picture(view)
                pictured = 0 if picture is None else picture_height(picture.width, picture.height)
                heights.append(pictured + height(items) + FRAME)
                moved, since = made + 1, since if moved == made else moved
            made += 1
            match.movers[made] = seat
            events = game.apply(match.state, seat, game.agents["novice"].choose(view, rng))
            match.events += [(made, event) for event in events]
    assert sum(each > PHONE for each in heights) <= higher * len(heights)
