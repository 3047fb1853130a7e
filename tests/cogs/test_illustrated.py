"""The pages of rules with pictures: what they show is what their texts say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import hypot

import pytest

from bot.art import ink
from bot.art.labels import DISC, labelled, signs
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from bot.ui.screens import pages as illustrated_pages
from bot.ui.screens.game_screens import Page
from bot.ui.screens.pages import Sample
from cogs import make_screens
from engine.registry import load_games

ENGINES = load_games()
SCREENS = make_screens(ENGINES)
PICTURED = sorted(key for key, screens in SCREENS.items() if any(page.picture for page in screens.rules()))
"""The games whose rules have pictures."""
EACH_GAME = pytest.mark.parametrize("key", PICTURED)


@cache
def illustrated(key: str) -> list[tuple[Page, Picture]]:
    return [(page, drawn) for page in SCREENS[key].rules() if page.picture and (drawn := page.picture())]


def discs(picture: Picture) -> list[Box]:
    """The boxes of the discs of a picture."""
    round_ = [layer for layer in picture.layers if layer.width == layer.height == DISC]
    return [Box(*layer[:4]) for layer in round_ if ink.CLAY in layer.element]


def frames(picture: Picture) -> list[Box]:
    """The frames of a picture with labels."""
    lines = [layer for layer in picture.layers if 'fill="none"' in layer.element and "<rect" in layer.element]
    return [Box(*layer[:4]) for layer in lines if f'stroke="{ink.CLAY}"' in layer.element]


def on_the_picture(page: Page) -> tuple[Picture, list[Box], list[Box]]:
    """A labelled picture, its frames and its discs, in its own coordinates."""
    made: list[Picture] = []

    def spy(picture: Picture, targets: Sequence[Box], alt: str) -> Picture:
        made.append(picture)
        return labelled(picture, targets, alt)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(illustrated_pages, "labelled", spy)
        assert page.picture
        result = page.picture()
    assert result
    (picture,) = made
    inset = result.layers[0]
    moved = [
        [box._replace(x=box.x - inset.x, y=box.y - inset.y) for box in boxes]
        for boxes in (frames(result), discs(result))
    ]
    return picture, moved[0], moved[1]


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
        for disc in discs(picture):
            assert 0 <= disc.x <= picture.width - DISC
            assert 0 <= disc.y <= picture.height - DISC


@EACH_GAME
def test_no_disc_hides_a_sign_or_a_digit_and_no_frame_cuts_one(key: str) -> None:
    for page, _drawn in illustrated(key)[:2]:
        picture, around, numbers = on_the_picture(page)
        assert len(around) == len(numbers) >= 4
        shown = signs(picture)
        for disc in numbers:
            x, y = disc.x + DISC / 2, disc.y + DISC / 2
            # The corners of the square around a disc are free.
            near = [
                box
                for box in shown
                if hypot(_outside(x, box.x, box.width), _outside(y, box.y, box.height)) < DISC / 2
            ]
            assert near == []
        assert all(apart(one, other) for one, other in combinations(numbers, 2))
        digits = [Box(*layer[:4]) for layer in picture.layers if is_number(layer.element)]
        for frame in around:
            assert [box for box in digits if cuts(frame, box)] == []
            assert any(contains(frame, box) for box in shown), f"{page.title}: {frame} frames nothing"


def _outside(at: float, begin: float, length: float) -> float:
    return max(begin - at, 0, at - begin - length)


def is_number(element: str) -> bool:
    return element.startswith('<g transform="translate({}) ')


def apart(one: Box, other: Box) -> bool:
    return hypot(one.x - other.x, one.y - other.y) >= DISC


def contains(frame: Box, box: Box) -> bool:
    across = frame.x <= box.x and box.x + box.width <= frame.x + frame.width
    return across and frame.y <= box.y and box.y + box.height <= frame.y + frame.height


def cuts(frame: Box, box: Box, trim: float = 4) -> bool:
    """Whether a frame's line goes through the inner part of a box."""
    left, top = box.x + trim, box.y + trim
    right, bottom = max(left, box.x + box.width - trim), max(top, box.y + box.height - trim)
    end_x, end_y = frame.x + frame.width, frame.y + frame.height
    inside = frame.x <= left and frame.y <= top and right <= end_x and bottom <= end_y
    outside = right <= frame.x or end_x <= left or bottom <= frame.y or end_y <= top
    return not inside and not outside


def test_a_disc_with_no_room_on_the_picture_stands_beside_it() -> None:
    scene = Scene(WIDTH, 100)
    for x in range(0, WIDTH, 20):
        for y in range(0, 100, 20):
            scene.figure(8, x, y, 20)
    picture = labelled(scene.picture("full"), [Box(300, 0, 60, 40)], "an eight")
    (disc,) = discs(picture)
    assert picture.height > 100
    assert disc.y + DISC <= picture.layers[0].y


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


TURNS = {
    "archaeology": ("expert", 39, [["found"], ["traded"], ["sold"]]),
    "expedition": ("expert", 66, [["found"], ["traded"], ["sold"]]),
    "artifacts-inc": ("veteran", 4, [["rolled"], ["gained"], ["filled"], ["bought"]]),
    "artifact": ("veteran", 10, [["moved", "challenge"]]),
}


@pytest.mark.parametrize("key", TURNS)
def test_the_turn_that_is_shown_is_the_turn_that_is_told(key: str) -> None:
    """Other agents, or another card list, would play another turn: then the pages need another one."""
    game = ENGINES[key]
    options = {"monument": "great_pyramid"} if key == "expedition" else {}
    level, begin, pictured = TURNS[key]
    sample = Sample(game, game.load_options(options), level=level)
    for number, kinds in enumerate(pictured, begin + 1):
        assert set(kinds) <= {event.kind for event in sample.events(number)}


def test_a_sample_that_ends_early_shows_its_end() -> None:
    game = ENGINES["archaeology"]
    sample = Sample(game, game.options_type())
    assert sample.view(100_000, None).outcome is not None
    assert not sample.view(0, None).moves
