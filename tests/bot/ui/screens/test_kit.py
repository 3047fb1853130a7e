"""The pieces of screens: what menus offer, and what a custom_id carries."""

from __future__ import annotations

import doctest
import gc
import weakref
from itertools import combinations
from typing import Any

import pytest
from discord.http import handle_message_parameters

from bot.art.picture_cache import Plate
from bot.ui.screens import components as ui
from bot.ui.screens import ids, kit
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import ANY_NUMBER, Option, Screen, bundle_sizes, button, menus, ranking
from engine.game import Outcome


def test_bundles_make_every_number_and_no_more() -> None:
    for count in range(1, 61):
        sizes = bundle_sizes(count)
        sums = {sum(chosen) for n in range(len(sizes) + 1) for chosen in combinations(sizes, n)}
        assert sums == set(range(count + 1))


@pytest.mark.parametrize("count", [1, 24, 25, 26, 50, 51, 76])
def test_menus_hold_every_option_whatever_their_number(count: int) -> None:
    options = [Option(f"Choice {n}", str(n)) for n in range(count)]
    rows = menus(Id("pick", 7, "3"), "Choose", options, count=ANY_NUMBER)
    selects: list[Any] = [row["components"][0] for row in rows if row["type"] == ui.ROW]
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
    row = ui.row(button("Dig", Id("dig")))
    return Screen().text("Your hand").add([row, *menus(Id("take"), "Take", [Option("Coin", "1")])])


def test_equal_screens_have_equal_digests_and_others_have_not() -> None:
    screen = a_screen()
    [container] = screen.view().to_components()
    assert [part["type"] for part in container["components"]] == [ui.TEXT, ui.ROW, ui.ROW]
    assert screen.view().digest == screen.view().digest == a_screen().view().digest
    assert screen.view().digest != Screen().text("Your hand").view().digest


def test_discord_py_neither_keeps_a_drawing_nor_lets_it_time_out() -> None:
    view = a_screen().view()
    assert view.is_finished()
    assert not view.is_dispatchable()
    assert view.timeout is None
    assert view.has_components_v2()
    params = handle_message_parameters(view=view)
    assert params.payload is not None
    assert params.payload["components"] == view.to_components()


def test_half_a_character_has_a_digest() -> None:
    assert Screen().text("Ana \ud83c").view().digest != Screen().text("Ana").view().digest


def test_a_screen_that_was_sent_needs_no_garbage_collector() -> None:
    gc.disable()
    try:
        view = a_screen().view()
        gone = weakref.ref(view)
        view.to_components()
        del view
        assert gone() is None
    finally:
        gc.enable()


def test_a_wide_picture_stands_directly_below_the_heading_that_it_shows() -> None:
    plate = Plate("turn.png", b"", "A sale.")
    lines = ["-# before", *kit.pictured(["### A sale", "-# ends"]), "-# after"]
    screen = Screen().add([ui.text("more")]).tell(lines, kit.NEWS, 0)
    kinds = [item["type"] for item in screen.headline(plate, kit.NEWS).items]
    assert kinds == [ui.TEXT, ui.GALLERY, ui.TEXT, ui.TEXT]
    assert list(ui.texts(screen.items)) == ["-# before\n### A sale", "-# ends\n-# after", "more"]
    assert not Screen().tell(["-# another turn"], kit.NEWS, 0).headline(plate, kit.NEWS).plates


def test_a_picture_replaces_the_text_that_says_the_same() -> None:
    def screen() -> Screen:
        return Screen().add([ui.text("first"), ui.text("the trail", id=kit.PICTURED), ui.text("last")])

    assert list(ui.texts(screen().items)) == ["first", "the trail", "last"]
    plate = Plate("a.png", b"", "the trail in words")
    shown = screen().picture(plate, 1).items
    assert list(ui.texts(shown)) == ["first", "last"]
    assert [item["type"] for item in shown] == [ui.TEXT, ui.GALLERY, ui.TEXT]
    beside = screen()
    beside.thumbnail(plate, kit.PICTURED + 1)
    assert "the trail" in list(ui.texts(beside.items))
