"""The table message of five players fits a phone's screen beside a picture, at every monument."""

from __future__ import annotations

from random import Random

import pytest

from bot.ui.screens.board import LOG_ROWS
from bot.ui.screens.board import board as show_board
from bot.ui.screens.kit import text_height
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import MONUMENTS, MonumentKey
from tests.cogs.in_memory import ENGINES, Match

NAMES = ("Ana", "Ben", "Chen", "Dora", "Emil")
MOST = 600 - 40 - 17 - 3 * 39
"""A phone's pixels for the texts: 600 without the message's frame, its dividing line, and three rows of buttons."""
LINES = 3 * 19
"""By three lines, seldom boards may be higher: those of a Sandstorm with many different cards in market and Ruins."""


@pytest.mark.parametrize("monument", MONUMENTS)
def test_the_texts_of_a_whole_match_are_no_higher_than_a_phone_has_room_for(monument: MonumentKey) -> None:
    game, rng = ENGINES["expedition"], Random(monument)
    state = game.new(5, ExpeditionOptions(monument=monument), bytes(32))
    match = Match(game, state, [(0, event) for event in game.opening(state)])
    heights: list[int] = []
    while pending := game.pending(state):
        seat, made = pending[0].seat, len(match.movers) + 1
        move = game.agents["novice"].choose(game.view(state, seat), rng)
        match.movers[made] = seat
        match.events += [(made, event) for event in game.apply(state, seat, move)]
        board = show_board(match.table(names=NAMES), match.screens, match.rows()[-LOG_ROWS:], 0.0)
        heights.append(text_height(board))
    assert max(heights) <= MOST + LINES
    assert sum(height > MOST for height in heights) <= len(heights) / 25
