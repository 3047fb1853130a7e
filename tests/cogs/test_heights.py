"""On a phone, what one has and the whole of a decision stand on one screen, in every game and language.

Artifacts, Inc. has a test of its own, with the screens on the way to a move.
"""

from __future__ import annotations

import pytest

from bot.language import speaking
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import FRAME, PHONE, height, picture_height
from bot.ui.screens.private import Personal, private
from engine.game import own_decision
from tests.cogs.in_memory import matches
from tests.cogs.limits import EVERY_LANGUAGE

HIGHER = {"archaeology": 60, "expedition": 160, "artifact": 150}
"""By game, the pixels by which seldom decisions are higher: many known chambers of a Temple; many sets of Boons."""
SELDOM = 0.15
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
