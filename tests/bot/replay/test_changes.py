"""The places of a film's frame that are marked, because they differ from the frame before."""

from __future__ import annotations

from itertools import pairwise

from bot.art import common, ink
from bot.art.common import token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from bot.replay.film import MOVED, changed, frames_of
from tests.bot.replay.records import ENGINES, SCREENS, played


def board(*tokens: tuple[int, float, float], wide: str = ink.CREAM) -> Picture:
    scene = Scene(WIDTH, 400).panel(Box(0, 0, WIDTH, 80), wide)
    for seat, x, y in tokens:
        scene.place(token(seat), x, y, 40)
    return scene.picture("a board")


def test_equal_pictures_have_no_change() -> None:
    assert changed(board((0, 10, 10)), board((0, 10, 10))) == []


def test_what_has_come_or_moved_is_marked_and_what_stayed_is_not() -> None:
    before, after = board((0, 10, 10), (1, 100, 10)), board((0, 10, 10), (1, 300, 10), (2, 500, 100))
    assert changed(before, after) == [Box(300, 10, 40, 40), Box(500, 100, 40, 40)]


def test_neighbours_share_a_mark() -> None:
    assert changed(board(), board((0, 10, 10), (1, 95, 10), (2, 52, 10))) == [Box(10, 10, 125, 40)]


def test_a_ground_that_changes_its_colour_is_no_mark() -> None:
    assert changed(board(), board(wide=ink.GOLD)) == []


def test_the_arrow_of_the_turn_is_not_marked() -> None:
    before, after = (
        Scene(WIDTH, 400).place(common.draw("arrow"), 0, y, 24).picture("a turn") for y in (40, 120)
    )
    assert changed(before, after) == []


def test_what_has_only_made_room_is_not_marked() -> None:
    row = [(number % 5, number * 50.0) for number in range(MOVED)]
    before = board(*[(seat, x, 200) for seat, x in row])
    after = board(*[(seat, x, 250) for seat, x in row], (4, 10, 100))
    assert changed(before, after) == [Box(10, 100, 40, 40)]


def test_a_picture_of_which_most_is_new_has_no_marks() -> None:
    rows = [(0, x * 50.0, y * 50.0) for x in range(14) for y in range(8)]
    assert changed(board(), board(*rows)) == []


def test_most_turns_of_each_game_have_marks() -> None:
    for game in ("archaeology", "artifact", "artifacts-inc", "expedition"):
        tables = [frame.table for frame in frames_of(played(game, 2), ENGINES, SCREENS, everything=False)]
        marks = [changed(before, after) for before, after in pairwise(tables)]
        assert sum(map(bool, marks)) > 0.9 * len(marks), game
