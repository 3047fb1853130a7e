"""The reasons beside moves: the majority that a sale changes, the use of a card, and the lines for a first time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from bot.language import languages, speaking
from bot.ui.screens.kit import utf16_length
from cogs.artifacts_inc import companies, proposals, rolled, shop, uses
from engine.agents.advice import adviser_of
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import fillable, majority
from engine.artifacts_inc.state import FREE, GOAL, ROUNDS, View
from tests.engine.artifacts_inc.scene import BUILT_IN, GAME, _hand, scene

GEM = ARTIFACTS.index("gem")
HIGH, LOW = 5, 0
"""Orders of the Gem Museum with two players: the one of six Gems and the one of one Gem."""


def view_of(**more: object) -> View:
    return GAME.view(scene(dice="5", artifacts="gem*9", **more), 0)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("cubes", "order", "said"),
    [
        ({}, LOW, "you lead"),
        ({1: 1}, LOW, "1 each, the higher order leads"),
        ({1: 1}, HIGH, "you take the lead"),
        ({1: 1, 2: 1}, HIGH, "you trail 1 to 2"),
        ({1: 0, 2: 1}, HIGH, "you take the lead"),
        ({1: 1, 2: 0}, HIGH, "you lead 2 to 1"),
    ],
)
def test_a_sale_says_how_its_cube_changes_the_majority(cubes: dict[int, int], order: int, said: str) -> None:
    view = view_of(orders={"gem": cubes})
    assert proposals.lead(view, GEM, order) == said


def test_a_sale_never_promises_a_lead_that_the_rules_deny() -> None:
    """Every filling of the first four orders by two companies, and every order that is free then."""
    for filling in range(3**4):
        cubes = {at: filling // 3**at % 3 - 1 for at in range(4)}
        view = view_of(orders={"gem": {at: seat for at, seat in cubes.items() if seat != FREE}})
        for _museum, order in [found for found in fillable(view) if found[0] == GEM]:
            text = proposals.lead(view, GEM, order)
            state = scene(
                dice="5", orders={"gem": {at: s for at, s in cubes.items() if s != FREE} | {order: 0}}
            )
            mine = majority(GAME.view(state, 0), GEM) == 0
            assert ("you lead" in text or "you take the lead" in text) == mine, text


def test_no_card_promises_dice_in_the_last_round() -> None:
    state = scene(dice="2 4", dollars=9)
    state.earned = [(2, 0, 0, 0), (GOAL, 0, 0, 0)]
    state.derive()
    view = GAME.view(state, 0)
    side = view.catalogue.cards[view.catalogue.numbers["hired_adventurers"]].side(1)
    assert proposals.card(view, side, 1) == ""


def test_a_card_says_that_it_brings_the_last_round_dice_or_an_easier_dive() -> None:
    state = scene(dice="2 4", dollars=9, divers=[1, 1])
    state.earned = [(GOAL - 2, 0, 0, 0), (2, 0, 0, 0)]
    state.derive()
    view = GAME.view(state, 0)
    side = {key: view.catalogue.cards[number].side(1) for key, number in view.catalogue.numbers.items()
            if number >= view.catalogue.public}  # fmt: skip
    assert (
        proposals.card(view, side["grand_hall"], 4)
        == f"takes you to ⭐ {GOAL + 2}, which makes this round the last"
    )
    assert proposals.card(view, side["hired_adventurers"], 1) == "more dice from your next turn on"
    assert proposals.card(view, side["diving_bell"], 1) == "the next dive then takes 4"
    improved = view.catalogue.cards[view.catalogue.numbers["diving_bell"]].side(2)
    left = f"the next dive then takes {4 + 2 * side['diving_bell'].dive - improved.dive}"
    assert proposals.card(view, improved, 1, side["diving_bell"]) == left, "it replaces what it adds"


def test_the_first_sale_and_the_first_dive_explain_themselves_until_they_are_made() -> None:
    sale = scene(dice="1", artifacts="fossil")
    dive = scene(dice="2")
    for state, begins in ((sale, "A sale leaves your cube"), (dive, "A dive adds")):
        (line,) = rolled.first_time(GAME.view(state, 0), sells=begins.startswith("A sale"))
        assert line.startswith(begins)
    experienced = scene(dice="6 6", artifacts="fossil", orders={"gem": {0: 0}}, divers=[0], game=BUILT_IN)
    assert rolled.first_time(BUILT_IN.view(experienced, 0), sells=True) == []


@pytest.mark.parametrize("language", languages())
def test_reasons_fit_beside_what_they_explain(language: str) -> None:
    view = view_of(orders={"gem": {1: 0, 2: 1}})
    with speaking(language):
        assert len(proposals.lead(view, GEM, HIGH)) <= 40
        sides = [
            card.side(level) for card in view.catalogue.cards[view.catalogue.public :] for level in (1, 2)
        ]
        assert all(
            len(proposals.card(view, side, 20)) <= 50 and len(proposals.card(view, side, 0)) <= 50
            for side in sides
        )


@pytest.mark.parametrize(
    ("cubes", "order", "rival", "said"),
    [
        ({}, LOW, "", "; whoever fills order 2 then leads"),
        ({}, HIGH, "", ""),
        ({1: 1}, LOW, "", ""),
        ({1: 1}, HIGH, "", "; whoever fills order 1 then leads"),
        ({}, LOW, "gem*2", "; a rival can pass"),
        ({}, LOW, "gem", "; whoever fills order 2 then leads"),
        ({1: 0, 2: 0}, LOW, "gem*9", ""),
    ],
)
def test_a_sale_says_how_one_more_cube_of_a_rival_takes_the_lead(
    cubes: dict[int, int], order: int, rival: str, said: str
) -> None:
    state = scene(dice="5", artifacts="gem*9", orders={"gem": cubes})
    if rival:
        _hand(state, 1, rival)
        state.derive()
    assert proposals.overtaking(GAME.view(state, 0), GEM, order) == said


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("own", ["", "curators_office"])
def test_a_sales_label_never_cuts_what_the_sale_leads_to(own: str, language: str) -> None:
    """With an equal number of cubes the lead is lost to a higher order: the label's end matters most."""
    for cubes in ({}, {5: 1}, {1: 0, 2: 1}):
        state = scene(
            own,
            dice="1 5 6",
            artifacts="fossil*6 gem*6 statue*6 scroll*6",
            orders=dict.fromkeys(ARTIFACTS, cubes),
            game=BUILT_IN,
        )
        view = BUILT_IN.view(state, 0)
        with speaking(language):
            for use in uses.uses(view, [1, 5, 6]):
                if use.choice.startswith("fill."):
                    museum, order = uses.decode(use.choice)[1][-2:]
                    assert utf16_length(use.label) <= 80
                    lead = proposals.lead(view, museum, order)
                    worth = f" (⭐{view.catalogue.museums[museum].majority})"
                    threats = ("", proposals.overtaking(view, museum, order))
                    assert use.label.endswith(tuple(lead + worth + threat for threat in threats))
                    assert "…" not in use.label


def test_a_sale_that_a_museum_and_a_card_take_alike_is_offered_once() -> None:
    for own, n in (("curators_office", 1), ("curators_office+", 2)):
        view = BUILT_IN.view(scene(own, dice="1 5", artifacts="gem", game=BUILT_IN), 0)
        sales = [use.label for use in uses.uses(view, [1, 5]) if use.choice.startswith("fill.")]
        assert len(sales) == n, "unless it pays more"
        assert sales[-1].startswith("5 → Gem Museum: 1 for $4"), "the card is left for another die"


def test_the_hints_for_a_first_time_come_only_where_their_button_is_and_not_in_every_round() -> None:
    dive = scene(dice="2")
    assert rolled.first_time(GAME.view(dive, 0), sells=False)
    dive.round = rolled.FIRST_DIVES + 1
    assert rolled.first_time(GAME.view(dive, 0), sells=False) == []
    unsold = GAME.view(scene(dice="1", artifacts="gem", divers=[0]), 0)
    labels = [use.label for use in uses.uses(unsold, [1])]
    assert not any("Museum" in label for label in labels), "no Gem Museum takes a 1"
    assert rolled.first_time(unsold, sells=False) == []


def test_lines_name_the_open_orders_for_what_one_holds_and_the_card_that_leads_to_the_goal() -> None:
    state = scene(dice="3 3", artifacts="fossil*2", dollars=4, offer="grand_hall", orders={"fossil": {0: 1}})
    state.reputation[0], finishing = GOAL - 4, cast("Any", adviser_of(GAME)).finishing
    view = GAME.view(state, 0)
    bonus, cost = (
        view.catalogue.museums[0].bonus,
        view.catalogue.cards[view.catalogue.numbers["grand_hall"]].dollars,
    )
    assert companies.orders(view, 0) == [f"Open orders: 🦴 2–6 (2 for ${2 + bonus})"]
    gems = replace(view, dice=(4,), artifacts=((0, 0, 0, 1),) * 2)
    assert companies.orders(gems, 0)[0].startswith("Open orders: 💎 5+: 1"), "no die fits"
    none, orders = ((0,) * 4,) * 2, tuple((1, *each[1:]) for each in view.orders)
    (line,) = companies.orders(replace(view, dice=(4,), artifacts=none, orders=orders), 0)
    assert line == "Open orders: 🦴 2–6 · 📜 3+: 2–6", "the die finds these, and one is not enough"
    reach = f"🏁 **⭐ {GOAL} is in reach: 3️⃣ → Buy Grand Hall (${cost}, ⭐ 4).**"
    assert shop.finish(view, finishing(view)) == [reach]
    assert shop.finish(view, []) == shop.finish(replace(view, round=ROUNDS), finishing(view)) == []
    poor = GAME.view(scene(dice="5 6", reputation=(GOAL - 1, 0), offer="grand_hall"), 0)
    assert shop.finish(poor, finishing(poor))[0].endswith("5️⃣ → Dive (⭐ 1).**")
    assert not finishing(replace(poor, dived=(6,), dice=(5,))), "nothing else can be paid"
