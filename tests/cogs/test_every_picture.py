"""The pictures of every game's random matches: their sizes, their texts, and what they may not show."""

from __future__ import annotations

import pytest

from bot.ui.screens.game_screens import AnyScreens
from tests.cogs.in_memory import PLAYED, SCREENS
from tests.cogs.pictures import check_every_picture, check_secrecy

MADE_BY = ("banner", "table_picture", "own_picture", "sheet_picture", "vignette", "podium")
"""The members of the screens with which a game may make pictures, by whose first words their kinds are called."""
DRAWN = {
    key: {
        member.partition("_")[0]
        for member in MADE_BY
        if getattr(type(SCREENS[key]), member) is not getattr(AnyScreens, member)
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
