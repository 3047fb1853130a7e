"""The decisions that a review names."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.replay.findings import Played, Search
from bot.tables.history import OwnMove
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.review import grade
from engine.agents.advice import Appraisal, Reason
from engine.agents.search import VICTORY, Outlook

WHY = Reason("usual")
GREAT = Appraisal("sell", WHY, lead=12.0, error=0.5)


class Preselects:
    """Screens that preselect nothing."""

    def preselected(self, view: Any, move: Any) -> bool:
        return False


def named(**appraised: tuple[int, int, Appraisal]) -> list[list[int]]:
    """The numbers of the costly and of the praised moves, of moves with turn, number and appraisal."""
    turns = {number: turn for turn, number, _ in appraised.values()}
    search = Search(Played(cast("Any", None), cast("Any", None), [], turns), cast("AnyScreens", Preselects()))
    for move, (_turn, number, appraisal) in appraised.items():
        search.add(OwnMove(number, None, move), appraisal)
    return [[each.number for each in found] for found in search.named()]


def costing(cost: float, chance: float) -> Appraisal:
    """A move that cost so much, and this chance to win."""
    made, other = Outlook(0.0, 20.0 - VICTORY * chance), Outlook(0.0, 20.0)
    return Appraisal("other", WHY, cost=cost, error=0.5, made=made, other=other)


@pytest.mark.parametrize(
    ("trade", "number", "turn", "found"),
    [
        (costing(9.0, 0.2), 21, 5, [[20], []]),
        (costing(9.0, 0.2), 19, 5, [[20], []]),
        (costing(9.0, 0.05), 21, 5, [[], [21]]),
        (costing(9.0, 0.2), 28, 7, [[20], [28]]),
    ],
    ids=["after a mistake", "before a mistake", "better than a slip was bad", "in another turn"],
)
def test_one_decision_a_turn_is_named_and_none_praised_in_a_turn_that_went_wrong(
    trade: Appraisal, number: int, turn: int, found: list[list[int]]
) -> None:
    assert named(trade=(5, 20, trade), sell=(turn, number, GREAT)) == found


def test_the_words_follow_the_chance_to_win_that_was_lost() -> None:
    grades = [grade(costing(12.0, chance)) for chance in (0.01, 0.12, 0.3)]
    assert grades == ["Slip", "Mistake", "Big mistake"], "whatever the lead that it cost"
    assert named(one=(5, 20, costing(4.0, 0.1)), other=(5, 21, costing(8.0, 0.2))) == [[21], []]
