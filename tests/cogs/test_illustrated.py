"""The pages of rules with pictures: what they show is what their texts say."""

from __future__ import annotations

import re

import pytest

from bot.art.labels import DISC, labelled
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Scene
from bot.ui.screens.game_screens import Page
from bot.ui.screens.sample import Sample
from cogs import GAMES, make_screens
from engine.registry import load_games

ENGINES = load_games()
SCREENS = make_screens(ENGINES)
EACH_GAME = pytest.mark.parametrize("key", sorted(made.game for made in GAMES))
EMPTY = Scene(WIDTH, 100).picture("empty")


def illustrated(key: str) -> list[tuple[Page, Picture]]:
    return [(page, drawn) for page in SCREENS[key].rules() if page.picture and (drawn := page.picture())]


def discs(picture: Picture) -> list[tuple[float, float]]:
    """The middles of the discs of a picture."""
    found = [layer for layer in picture.layers if layer.width == layer.height == DISC]
    return [(layer.x + DISC / 2, layer.y + DISC / 2) for layer in found]


@EACH_GAME
def test_table_own_cards_and_a_turn_have_a_picture_each(key: str) -> None:
    pages = illustrated(key)
    assert len(pages) == 3
    assert pages[2][0].title == "A turn in three pictures"


@EACH_GAME
def test_each_number_in_a_picture_has_its_line_and_each_line_its_number(key: str) -> None:
    for page, picture in illustrated(key):
        numbers = re.findall(r"^\*\*(\d)\*\* · ", page.text, re.MULTILINE)
        assert numbers == [str(number) for number in range(1, len(discs(picture)) + 1)]
        assert len(numbers) == len(page.text.splitlines())
        for x, y in discs(picture):
            assert DISC / 2 <= x <= picture.width - DISC / 2
            assert DISC / 2 <= y <= picture.height - DISC / 2


@EACH_GAME
def test_the_alt_text_says_all_that_the_text_says(key: str) -> None:
    for page, picture in illustrated(key):
        for line in page.text.splitlines():
            assert line.replace("**", "") in picture.alt


@EACH_GAME
def test_the_pictures_are_the_same_each_time(key: str) -> None:
    again = make_screens(load_games())[key].rules()
    drawn = [page.picture() for page in again if page.picture is not None]
    assert drawn == [picture for _page, picture in illustrated(key)]


def test_discs_can_be_read_on_a_phone() -> None:
    assert DISC * 265 / WIDTH >= 14
    assert discs(labelled(EMPTY, [(30, 40), (300, 50)], "two places")) == [(30, 40), (300, 50)]


TURNS = {
    "archaeology": (29, [["found"], ["traded"], ["sold"]]),
    "expedition": (19, [["found"], ["traded"], ["sold"]]),
    "artifacts-inc": (9, [["rolled"], ["filled"], ["gained"], ["bought"]]),
    "artifact": (9, [["moved", "challenge"]]),
}


@EACH_GAME
def test_the_turn_that_is_shown_is_the_turn_that_is_told(key: str) -> None:
    """A stronger novice, or another card list, would play another turn: then the pages need another one."""
    game = ENGINES[key]
    options = {"monument": "great_pyramid"} if key == "expedition" else {}
    sample = Sample(game, game.load_options(options))
    begin, told = TURNS[key]
    for number, kinds in enumerate(told, begin + 1):
        assert set(kinds) <= {event.kind for event in sample.events(number)}


def test_a_sample_that_ends_early_shows_its_end() -> None:
    game = ENGINES["archaeology"]
    sample = Sample(game, game.options_type())
    assert sample.view(100_000, None).outcome is not None
    assert not sample.view(0, None).moves
