"""The decisions that a review names."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.replay.findings import Played, Search
from bot.tables.history import OwnMove
from bot.ui.screens.game_screens import AnyScreens
from engine.agents.advice import Appraisal, Reason

WHY = Reason("usual")
GREAT = Appraisal("sell", WHY, lead=12.0, error=0.5)


class Preselects:
    """Screens that preselect nothing."""

    def preselected(self, view: Any, move: Any) -> bool:
        return False


def leads_after(cost: float, *, turn: int, number: int) -> list[int]:
    """The numbers of the moves praised, beside a mistake of this cost in turn 5, the match's move 20."""
    played = Played(cast("Any", None), cast("Any", None), [], {20: 5, number: turn})
    search = Search(played, cast("AnyScreens", Preselects()))
    search.add(OwnMove(20, None, "trade"), Appraisal("other", WHY, cost=cost, error=0.5))
    search.add(OwnMove(number, None, "sell"), GREAT)
    costs, leads = search.named()
    assert [each.number for each in costs] == [20]
    return [each.number for each in leads]


def test_move_is_not_praised_after_a_mistake_of_the_same_turn() -> None:
    assert leads_after(12.0, turn=5, number=21) == []


@pytest.mark.parametrize(
    ("cost", "turn", "number"),
    [(12.0, 7, 28), (12.0, 5, 19), (2.0, 5, 21)],
    ids=["in another turn", "before the mistake", "after a slip"],
)
def test_other_moves_are_praised(cost: float, turn: int, number: int) -> None:
    assert leads_after(cost, turn=turn, number=number) == [number]
