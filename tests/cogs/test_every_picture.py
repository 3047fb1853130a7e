"""The pictures of every game's random matches: their sizes, their texts, and what they may not show."""

from __future__ import annotations

import pytest

from bot.ui.screens.game_screens import AnyScreens
from tests.cogs.in_memory import PLAYED, SCREENS
from tests.cogs.pictures import check_every_picture, check_secrecy

MADE_BY = {
    "banner": AnyScreens.banner,
    "table": AnyScreens.table_picture,
    "own": AnyScreens.own_picture,
    "sheet": AnyScreens.sheet_picture,
    "vignette": AnyScreens.vignette,
    "podium": AnyScreens.podium,
}
"""The kinds of pictures, by the methods with which a game may make them."""
DRAWN = {
    key: {
        kind for kind, method in MADE_BY.items() if getattr(type(SCREENS[key]), method.__name__) is not method
    }
    for key in PLAYED
}
"""By game, the kinds of pictures that it makes."""

pytestmark = pytest.mark.sampled


@pytest.mark.parametrize("key", PLAYED)
def test_every_picture_keeps_its_size_and_is_described_in_every_language(key: str) -> None:
    check_every_picture(key, DRAWN[key])


@pytest.mark.parametrize("key", PLAYED)
def test_what_a_viewer_may_not_know_changes_neither_picture_nor_description(key: str) -> None:
    check_secrecy(key)
