"""The pieces of screens: what menus offer, and what a custom_id carries."""

from __future__ import annotations

import doctest
from itertools import combinations

import pytest

from bot.ui import ids, kit
from bot.ui.ids import Id, read_id
from bot.ui.kit import Option, bundle_sizes, menus, ranking, refusal
from engine.errors import IllegalMove, NotYourMove
from engine.game import Outcome


def test_bundles_make_every_number_and_no_more() -> None:
    for count in range(1, 61):
        sizes = bundle_sizes(count)
        sums = {sum(chosen) for n in range(len(sizes) + 1) for chosen in combinations(sizes, n)}
        assert sums == set(range(count + 1))


@pytest.mark.parametrize("count", [1, 24, 25, 26, 50, 51, 76])
def test_menus_hold_every_option_whatever_their_number(count: int) -> None:
    options = [Option(f"Choice {n}", str(n)) for n in range(count)]
    rows = menus(Id("pick", 7, "3"), "Choose", options, several=True)
    selects = [row.to_component_dict()["components"][0] for row in rows]  # type: ignore[attr-defined]
    values = [option["value"] for select in selects for option in select["options"]]
    assert values == [str(n) for n in range(count)]
    assert all(1 <= len(select["options"]) <= 25 for select in selects)
    assert len({select["custom_id"] for select in selects}) == len(selects)


def test_a_custom_id_comes_back_as_it_went() -> None:
    for to in (Id("hand", 1), Id("g.take", 2**62, "0.3", "3"), Id("rules-page", 5, arg="2")):
        assert read_id(str(to)) == to
        assert len(str(to)) <= 100


@pytest.mark.parametrize("text", ["", "ds", "ds:x:hand::", "other:1:hand::", "ds:1:hand:x:"])
def test_a_custom_id_that_is_not_ours_means_nothing(text: str) -> None:
    assert read_id(text) is None


@pytest.mark.parametrize("module", [ids, kit])
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_a_result_names_the_seats_from_the_winner_down_and_shared_ranks_alike() -> None:
    outcome = Outcome((3, 1, 5, 3, 2), (5, 9, 0, 5, 7), "score")
    assert ranking(outcome) == [(1, "### 🥇 1."), (4, "🥈 2."), (0, "🥉 3."), (3, "🥉 3."), (2, "▫️ 5.")]


def test_a_refusal_is_the_games_own_sentence_or_a_general_one() -> None:
    texts = {"keep-count": "Keep {due}, not {chosen}."}
    assert refusal(IllegalMove("keep-count", due=2, chosen=3), texts) == "Keep 2, not 3."
    assert refusal(NotYourMove(), texts) == "It is not your turn."
    assert refusal(NotYourMove(), {"not-your-move": "Wait."}) == "Wait."
    assert refusal(IllegalMove("something-new", n=1), texts) == "The rules do not allow that now."
