"""Every reason for which a move is refused, with the facts that screens word; nothing is changed by it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from engine.artifacts_inc import create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.company import OwnCard, Place, Space
from engine.artifacts_inc.state import State
from engine.game import Options
from tests.engine.artifacts_inc.oracle import BUILT_IN, CODES
from tests.engine.artifacts_inc.scene import (
    GAME,
    KEY,
    PASS,
    START,
    buy,
    card,
    collect,
    dive,
    fill,
    gather,
    put,
    refused,
    roll,
    roll_again,
    scene,
    space,
    turn,
    turn_die,
)


def first_turn() -> State:
    return GAME.new(2, Options(), KEY)


RICH = {"dollars": 20, "artifacts": "fossil*2 scroll*2"}

REFUSALS: list[tuple[str, State, Any, dict[str, Any]]] = [
    ("unknown-move", scene(dice="1"), "pass", {}),
    ("unknown-move", scene(dice="1"), None, {}),
    ("unknown-move", first_turn(), ("roll",), {}),
    ("roll-first", first_turn(), PASS, {}),
    ("roll-first", first_turn(), put(1, "guide_work"), {}),
    ("rolled-already", scene(dice="1"), roll(), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3]), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3], "airfield"), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3], START[0]), {}),
    ("no-such-die", scene(dice="1 2"), put(4, "guide_work"), {"die": 4}),
    ("no-such-die", scene(dice="1 2"), dive(1, 1), {"die": 1}),
    ("no-such-die", scene(dice="1 2"), dive(7), {"die": 7}),
    ("no-such-die", scene("airfield", dice="1 2"), turn_die("airfield", 5, 6), {"die": 5}),
    ("no-such-die", scene("caravan", dice="1 2"), roll_again("caravan", 2, 3), {"die": 3}),
    ("no-such-card", scene(dice="4 1"), put(4, "antiquarian"), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(card("desert_expedition"), 1, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(card("guide_work"), 1, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(-1, 0, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(99, 0, 0)), {}),
    ("no-such-card", scene("airfield", dice="4 1"), turn_die("airfield", 4, 1, copy=1), {}),
    ("no-such-card", scene(dice="1", **RICH), turn(1, "biplane"), {}),
    ("no-such-card", scene(dice="1", **RICH), turn(1, "guide_work"), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "desert_expedition", 1), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "desert_expedition", -1), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "adventurers"), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "guide_work", 1), {}),
    ("slot-covered", scene(dice="1", covered=[space("guide_work")], laid=[2]), put(1, "guide_work"), {}),
    ("requirement-unmet", scene(dice="3 1"), put(3, "desert_expedition"), {"die": 3, "requires": "4+"}),
    ("requirement-unmet", scene(dice="2 1"), put(2, "canyon_expedition"), {"die": 2, "requires": "=1"}),
    (
        "other-action",
        scene(dice="4 1", **RICH),
        collect(4, "fossil", "desert_expedition"),
        {"action": "gain"},
    ),
    ("other-action", scene(dice="4 1"), put(4, "headquarters"), {"action": "buy"}),
    ("other-action", scene(dice="4 1"), put(4, "private_collectors"), {"action": "collect"}),
    ("other-action", scene(dice="4 1"), put(4, "fossil_museum"), {"action": "museum"}),
    ("no-such-artifact", scene("biplane", dice="4 1"), m.Gather(4, space("biplane"), 4), {}),
    ("no-such-artifact", scene("biplane", dice="4 1"), m.Gather(4, space("biplane"), -1), {}),
    ("no-expedition-yields", scene("biplane", dice="4 1"), gather(4, "gem"), {"artifact": "gem"}),
    ("other-museum", scene(dice="6 1", **RICH), fill(6, "fossil", 0, "gem_museum"), {}),
    ("other-museum", scene("curators_office", dice="6"), m.FillOrder(6, space("curators_office"), 4, 0), {}),
    ("other-museum", scene("curators_office", dice="6"), m.FillOrder(6, space("curators_office"), -1, 0), {}),
    ("no-such-order", scene(dice="6 1", **RICH), fill(6, "fossil", 6), {}),
    ("no-such-order", scene(dice="6 1", **RICH), fill(6, "fossil", -1), {}),
    ("order-filled", scene(dice="6 1", orders={"fossil": {0: 1}}, **RICH), fill(6, "fossil", 0), {}),
    (
        "too-few-artifacts",
        scene(dice="6 1", **RICH),
        fill(6, "fossil", 2),
        {"artifact": "fossil", "need": 3, "have": 2},
    ),
    (
        "too-few-artifacts",
        scene(dice="6 1", **RICH),
        collect(6, "fossil*2 gem"),
        {"artifact": "gem", "need": 1, "have": 0},
    ),
    (
        "too-few-artifacts",
        scene(dice="6 1", offer="caravan", dollars=9),
        buy(6, "caravan"),
        {"artifact": "scroll", "need": 1, "have": 0},
    ),
    (
        "too-few-artifacts",
        scene("research_institute", dice="6 1", dollars=9),
        turn(6, "research_institute"),
        {"artifact": "scroll", "need": 1, "have": 0},
    ),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), (1,)), {}),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), ()), {}),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), (2, -1, 0, 0)), {}),
    ("nothing-to-sell", scene(dice="6 1", **RICH), collect(6, ""), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), buy(6, "desert_expedition"), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), buy(6, "guide_work"), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), m.Buy(6, space("headquarters"), -1, Place(0, 4)), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), m.Buy(6, space("headquarters"), 99, Place(0, 4)), {}),
    ("too-few-dollars", scene(dice="6 1", dollars=1), buy(6, "airfield"), {"cost": 2, "have": 1}),
    ("too-few-dollars", scene(dice="6 1", dollars=3), turn(6, "headquarters"), {"cost": 4, "have": 3}),
    (
        "no-such-row",
        scene(dice="6", **RICH),
        m.Buy(6, space("headquarters"), card("airfield"), Place(2, 0)),
        {},
    ),
    ("place-taken", scene(dice="6 1", **RICH), buy(6, "airfield", "upper:3"), {}),
    ("place-apart", scene(dice="6 1", **RICH), buy(6, "airfield", "upper:5"), {}),
    ("place-apart", scene(dice="6 1", **RICH), buy(6, "airfield", "lower:4"), {}),
    ("turned-already", scene("headquarters+", dice="6 1", **RICH), turn(6, "headquarters"), {}),
    ("dived-already", scene(dice="6", dived=(2,), divers=(0,)), dive(6), {}),
    ("no-dive-left", scene(dice="6", divers=(1,) * 10), dive(6), {}),
    ("dive-needs-dice", scene(dice="6"), dive(), {}),
    (
        "dive-too-low",
        scene("diving_bell", dice="1 2", divers=(1, 1)),
        dive(1, 2),
        {"number": 6, "sum": 5, "bonus": 2},
    ),
    ("no-such-ability", scene("biplane", dice="6"), turn_die("biplane", 6, 5), {}),
    ("no-such-ability", scene("caravan", dice="6"), turn_die("caravan", 6, 5), {}),
    ("no-such-ability", scene("airfield", dice="6"), roll_again("airfield", 6), {}),
    (
        "ability-used",
        scene("airfield", dice="6", used=[OwnCard(card("airfield"))]),
        turn_die("airfield", 6, 5),
        {"uses": 1},
    ),
    ("no-such-face", scene("airfield", dice="6"), turn_die("airfield", 6, 7), {}),
    ("same-face", scene("airfield", dice="6"), turn_die("airfield", 6, 6), {}),
    ("face-out-of-reach", scene("field_office", dice="6"), turn_die("field_office", 6, 4), {"die": 6}),
    ("roll-needs-dice", scene("caravan", dice="6"), roll_again("caravan"), {}),
]


@pytest.mark.parametrize(
    ("code", "state", "move", "facts"),
    REFUSALS,
    ids=[f"{number}-{code}" for number, (code, *_) in enumerate(REFUSALS)],
)
def test_a_move_is_refused_for_its_reason(code: str, state: State, move: Any, facts: dict[str, Any]):
    error = refused(state, move)
    assert (error.code, error.facts) == (code, facts)


def test_a_card_that_has_been_bought_is_on_offer_no_more():
    state = scene("airfield " * 5, dice="6 1", dollars=20)
    assert refused(state, buy(6, "airfield", "lower:0")).code == "not-on-offer"


def test_a_slot_that_sells_one_artifact_refuses_what_is_not_held():
    card_list = deepcopy(BUILT_IN)
    card_list["piles"]["A"][3]["sides"][0]["slots"][0] |= {
        "requires": "any",
        "action": {"do": "sell", "dollars": 3},
    }
    game = create(card_list)
    state = scene("antiquarian", dice="1 2", artifacts="gem@headquarters", game=game)
    error = refused(state, m.SellOne(1, space("antiquarian"), 0), game=game)
    assert (error.code, error.facts) == ("too-few-artifacts", {"artifact": "fossil", "need": 1, "have": 0})
    assert refused(state, m.SellOne(1, space("antiquarian"), 4), game=game).code == "no-such-artifact"
    (event,) = game.apply(state, 0, m.SellOne(1, space("antiquarian"), 3))
    assert (event.kind, event.facts) == (
        "sold",
        {"on": "antiquarian", "die": 1, "artifact": "gem", "dollars": 3},
    )
    assert (state.dollars[0], state.artifacts[0]) == (3, [0, 0, 0, 0])


def test_who_is_not_asked_is_told_so_whatever_the_move():
    for seat in (-1, 1, 2):
        for move in (PASS, put(1, "guide_work"), None):
            assert refused(scene(dice="1"), move, seat).code == "not-your-move"


def test_every_code_is_here():
    assert {code for code, *_ in REFUSALS} | {"not-your-move"} == CODES
