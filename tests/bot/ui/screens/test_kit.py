"""The pieces of screens: what menus offer, and what a custom_id carries."""

from __future__ import annotations

import doctest
import gc
import weakref
from itertools import combinations
from typing import Any

import pytest
from discord import ui

from bot.ui.screens import ids, kit
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Option, Screen, bundle_sizes, button, menus, ranking
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


def a_screen() -> Screen:
    row = ui.ActionRow(button("Dig", Id("dig")))
    return Screen().text("Your hand").add([row, *menus(Id("take"), "Take", [Option("Coin", "1")])])


def test_a_screen_is_put_into_discords_form_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[ui.TextDisplay[Any]]()
    put = ui.TextDisplay[Any].to_component_dict

    def counted(text: ui.TextDisplay[Any]) -> dict[str, Any]:
        made.append(text)
        return put(text)

    monkeypatch.setattr(ui.TextDisplay, "to_component_dict", counted)
    screen = a_screen()
    [container] = screen.view().to_components()
    assert [part["type"] for part in container["components"]] == [10, 1, 1]
    assert screen.view().digest == screen.view().digest == a_screen().view().digest
    assert screen.view().to_components() == [container]
    assert screen.view().has_components_v2()
    assert len(made) == 2, "one for each of the two screens"
    assert screen.view().digest != Screen().text("Your hand").view().digest


def test_half_a_character_has_a_digest() -> None:
    assert Screen().text("Ana \ud83c").view().digest != Screen().text("Ana").view().digest


def test_a_screen_that_was_sent_needs_no_garbage_collector() -> None:
    gc.disable()
    try:
        screen = a_screen()
        view = screen.view()
        inner = [part for row in screen.items if isinstance(row, ui.ActionRow) for part in row.children]
        parts = [weakref.ref(each) for each in (view, *screen.items, *inner)]
        assert len(parts) == 6
        del inner
        view.to_components()
        del screen, view
        assert not [part() for part in parts if part() is not None]
    finally:
        gc.enable()
