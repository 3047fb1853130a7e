"""Conclusions of The New Expedition's screens from public facts, and from nothing that one seat knows beyond it."""

from __future__ import annotations

from random import Random

from bot.ui.screens.board import board
from tests.cogs.test_secrecy import eager_match, other_world, sent
from tests.engine.conformance import cases


def test_the_mines_risk_on_the_board_is_the_same_whatever_one_seat_has_learnt() -> None:
    """It is reckoned from public knowledge of hands, so a state determinized from a seat's view must show the same."""
    case = next(case for case in cases() if case.name == "expedition-3-mine")
    exploring = [match for match in eager_match(case, Random(1)) if match.state.turned]
    assert len(exploring) > 5
    for match in exploring:
        victim, thief = (match.state.active + 1) % 3, match.state.active
        hand, known = match.state.hands[victim], match.state.known[victim]
        match.state.learnt[victim] = {thief: [have - n for have, n in zip(hand, known, strict=True)]}
        determinized = other_world(match, thief, Random(1))
        boards = [
            sent(board(match.table(state), match.screens, [], 0.0)) for state in (match.state, determinized)
        ]
        assert boards[0] == boards[1]
