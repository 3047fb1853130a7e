"""The balance of a card list is counted as its goals are worded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.master import Effort, Master
from engine.artifacts_inc.company import CompanyCard, Place, Space
from tests.bench import balance
from tests.bench.balance import Match, Setting, figures, goals, measure, note
from tests.engine.artifacts_inc.scene import BUILT_IN

pytestmark = pytest.mark.system

CARDS = BUILT_IN.catalogue.cards[BUILT_IN.catalogue.public :]
BIPLANE = BUILT_IN.catalogue.numbers["biplane"]
ON = Space(0)


def test_a_match_notes_purchases_and_the_museums_used():
    match = Match(10, 0, [1.0, 0.0])
    note(match, 0, m.Buy(1, ON, BIPLANE, Place(0, 4)))
    note(match, 1, m.TurnCard(1, ON, CompanyCard(BIPLANE)))
    note(match, 1, m.FillOrder(5, ON, 3, 0))
    note(match, 1, m.PASS)
    assert match.bought == {(0, 2 * BIPLANE), (1, 2 * BIPLANE + 1)}
    assert match.museums == {3}


def test_seats_go_by_the_order_of_turns_and_shared_victories_are_divided():
    first = Match(9, 1, [0.0, 1.0])
    second = Match(11, 0, [0.5, 0.5])
    found = figures(2, [first, second], CARDS)
    assert found.length == 10
    assert found.shares == (1.5, 0.5)


def test_a_card_is_judged_by_its_sides_and_by_what_its_buyers_win():
    bought = {(0, 2 * BIPLANE), (0, 2 * BIPLANE + 1), (1, 2 * BIPLANE)}
    matches = [Match(9, 0, [1.0, 0.0, 0.0], bought, {2}), Match(9, 0, [1.0, 0.0, 0.0])]
    found = figures(3, matches, CARDS)
    assert found.cards[BIPLANE] == balance.Sides((0.5, 0.5), 0.5, 1.5)
    assert found.museums == (0.0, 0.0, 0.5, 0.0)


def rows(matches: list[Match], seats: int, plans: Counter[str] | None = None) -> dict[str, str]:
    report = goals([figures(seats, matches, CARDS)], CARDS, plans or Counter(), 0)
    return {row[0]: row[-1] for row in report.rows}


def test_what_misses_its_goal_is_marked():
    every = {
        (seat, side) for seat in (0, 1) for card in CARDS for side in (2 * card.number, 2 * card.number + 1)
    }
    found = rows([Match(8, 0, [1.0, 0.0], every, {0, 1})], 2)
    assert found["median rounds"] == "8 !"
    assert (found["seat 1"], found["seat 2"]) == ("2.00 !", "0.00 !")
    assert (found["scroll museum used"], found["gem museum used"]) == ("100%", "0% !")
    assert found["sides beyond these bounds"] == "32 !"  # all but pile D's two
    assert found["cards with a higher one"] == "0"


def test_buyers_are_asked_about_only_where_a_card_is_bought_often():
    bought = {(0, 2 * BIPLANE)}
    often = [Match(10, 0, [1.0, 0.0], bought if n < 10 else set()) for n in range(100)]
    seldom = [Match(10, 0, [1.0, 0.0], bought if n < 9 else set()) for n in range(100)]
    assert rows(often, 2)["buyers' highest share"] == "Biplane: 2.00 !"
    assert rows(seldom, 2)["buyers' highest share"] == "none: 0.00"


def test_plans_are_asked_for_their_share_with_four_players():
    found = rows([Match(10, 0, [1.0, 0.0, 0.0, 0.0])], 4, Counter({"dives": 0.14, "museums": 0.15}))
    assert (found["plan: dives first"], found["plan: museums first"]) == ("14.0% !", "15.0%")


@pytest.mark.parametrize("kind", ["novices", "experts", "masters"])
def test_matches_are_the_same_however_often_they_are_played(kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Master, "effort", Effort(width=2, limit=100, lines=3, tries=3))
    setting = Setting(kind, None, 7)
    once, again = (balance.played(setting, 2, 0) for _ in range(2))
    assert once == again
    assert sum(once.shares) == pytest.approx(1)
    assert once.bought


def test_a_measurement_has_a_row_for_each_goal_and_each_card():
    asked, cards = measure(Setting("novices", None, 0), (2, 4), 2, 1)
    found: dict[str, Any] = {row[0]: row[2:] for row in asked.rows}
    assert len(found["seat 3"]) == 2
    assert found["seat 3"][0] == ""
    assert [row[0] for row in cards.rows] == [card.name for card in CARDS]
