"""Moves, snapshots and card lists of Artifacts, Inc. as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.state import ABILITIES, OVER, State
from engine.errors import BadData, UnknownVersion
from engine.game import Options
from engine.registry import load_games
from tests.engine.artifacts_inc.scene import (
    BUILT_IN,
    CARD_LIST,
    GAME,
    PASS,
    START,
    buy,
    collect,
    dive,
    fill,
    gather,
    own,
    play,
    put,
    roll,
    roll_again,
    scene,
    space,
    turn,
    turn_die,
)
from tests.engine.data import emptied, json_values, replaced
from tests.sampling import examples

# -- moves

MOVES: list[tuple[Any, dict[str, Any]]] = [
    (roll(), {"kind": "roll"}),
    (roll(*reversed(START)), {"kind": "roll", "order": list(reversed(START))}),
    (
        put(4, "desert_expedition"),
        {"kind": "place_die", "die": 4, "on": {"card": "desert_expedition", "slot": 0}},
    ),
    (
        put(6, "mountain_expedition", 1, copy=1),
        {"kind": "place_die", "die": 6, "on": {"card": "mountain_expedition", "copy": 1, "slot": 1}},
    ),
    (
        gather(3, "scroll"),
        {"kind": "gather", "die": 3, "on": {"card": "biplane", "slot": 0}, "artifact": "scroll"},
    ),
    (
        fill(5, "gem", 2),
        {
            "kind": "fill_order",
            "die": 5,
            "on": {"card": "gem_museum", "slot": 0},
            "museum": "gem",
            "order": 2,
        },
    ),
    (
        collect(1, "fossil statue*2"),
        {
            "kind": "collect",
            "die": 1,
            "on": {"card": "private_collectors", "slot": 0},
            "artifacts": {"fossil": 1, "statue": 2},
        },
    ),
    (
        m.SellOne(2, space("antiquarian"), 3),
        {"kind": "sell_one", "die": 2, "on": {"card": "antiquarian", "slot": 0}, "artifact": "gem"},
    ),
    (
        buy(1, "caravan", "lower:-2", slot=1),
        {
            "kind": "buy",
            "die": 1,
            "on": {"card": "headquarters", "slot": 1},
            "card": "caravan",
            "place": {"row": "lower", "column": -2},
        },
    ),
    (
        turn(1, "airfield", copy=2),
        {
            "kind": "turn_card",
            "die": 1,
            "on": {"card": "headquarters", "slot": 0},
            "own": {"card": "airfield", "copy": 2},
        },
    ),
    (dive(2, 5), {"kind": "dive", "dice": [2, 5]}),
    (turn_die("field_office", 3, 2), {"kind": "turn_die", "by": {"card": "field_office"}, "die": 3, "to": 2}),
    (roll_again("caravan", 1, 1), {"kind": "roll_again", "by": {"card": "caravan"}, "dice": [1, 1]}),
    (PASS, {"kind": "pass"}),
]


@pytest.mark.parametrize(("move", "data"), MOVES, ids=[data["kind"] for _, data in MOVES])
def test_a_move_is_data_that_people_can_read(move: Any, data: dict[str, Any]):
    assert GAME.dump_move(move) == data
    read = GAME.load_move(json.loads(json.dumps(data)))
    assert read == move
    assert type(read) is type(move)


def test_dice_are_read_in_any_order():
    assert GAME.load_move({"kind": "dive", "dice": [5, 2]}) == dive(2, 5)
    assert GAME.load_move({"kind": "roll_again", "by": {"card": "caravan"}, "dice": [6, 1]}) == roll_again(
        "caravan", 1, 6
    )


GUIDE = {"card": "guide_work", "slot": 0}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "pass", "die": 1},
        {"kind": "roll", "order": list(START[:3])},
        {"kind": "roll", "order": [*START[:3], "palace"]},
        {"kind": "place_die", "die": 1},
        {"kind": "place_die", "die": 0, "on": GUIDE},
        {"kind": "place_die", "die": 7, "on": GUIDE},
        {"kind": "place_die", "die": True, "on": GUIDE},
        {"kind": "place_die", "die": 1.0, "on": GUIDE},
        {"kind": "place_die", "die": "1", "on": GUIDE},
        {"kind": "place_die", "die": 1, "on": {"card": "palace", "slot": 0}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work"}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work", "slot": True}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work", "slot": 0, "copy": True}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work", "slot": 0, "copy": -1}},
        {"kind": "place_die", "die": 1, "on": {**GUIDE, "row": "upper"}},
        {"kind": "gather", "die": 1, "on": GUIDE, "artifact": "coin"},
        {"kind": "fill_order", "die": 1, "on": GUIDE, "museum": "gem"},
        {"kind": "fill_order", "die": 1, "on": GUIDE, "museum": "gem", "order": -1},
        {"kind": "fill_order", "die": 1, "on": GUIDE, "museum": 3, "order": 1},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": {"fossil": 0}},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": {"fossil": True}},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": {"coin": 1}},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": ["fossil"]},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "palace", "place": {"row": "upper", "column": 4}},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "biplane", "place": {"row": "third", "column": 4}},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "biplane", "place": {"row": 0, "column": 4}},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "biplane", "place": {"row": "upper", "column": 1e9}},
        {"kind": "turn_card", "die": 1, "on": GUIDE, "own": "biplane"},
        {"kind": "dive", "dice": []},
        {"kind": "dive", "dice": [1] * 8},
        {"kind": "dive", "dice": [True]},
        {"kind": "dive", "dice": 6},
        {"kind": "turn_die", "by": {"card": "airfield"}, "die": 1, "to": 7},
        {"kind": "roll_again", "by": {"card": "caravan"}, "dice": []},
    ],
)
def test_a_malformed_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData):
        GAME.load_move(data)


PARTS = ("die", "on", "artifact", "museum", "order", "artifacts", "card", "place", "own", "by", "dice", "to")


@given(st.sampled_from(MOVES), st.sampled_from(PARTS), json_values)
@examples(300)
def test_whatever_is_sent_as_a_move_is_read_or_refused(pair: Any, part: str, value: Any):
    data = {**pair[1], part: value}
    try:
        move = GAME.load_move(data)
    except BadData:
        return
    assert GAME.load_move(GAME.dump_move(move)) == move


# -- options


def test_there_are_no_options():
    assert GAME.load_options({}) == Options()
    with pytest.raises(BadData, match="options of artifacts-inc"):
        GAME.load_options({"seats": 3})
    assert list(GAME.variants(3)) == [Options()]


# -- snapshots


def reached(phase: str, enough: Callable[[State], object] = bool, seats: int = 3) -> State:
    """A moment of a random match in this phase."""
    for number in range(200):
        state, rng = GAME.new(seats, Options(), number.to_bytes(32, "big")), Random(number)
        while True:
            if state.phase == phase and enough(state):
                return state
            if not GAME.pending(state):
                break
            GAME.apply(state, state.active, GAME.sample(state, state.active, rng))
    raise AssertionError("no such match")


def busy(state: State) -> bool:
    """Something is placed, used, dived, bought, sold and scored."""
    return bool(
        state.covered and state.used and state.dived and any(e[ABILITIES] for e in state.earned)
    ) and any(seat >= 0 for orders in state.orders for seat in orders)


BUSY = reached("act", busy)
ARRANGING = reached("arrange", lambda state: state.active != state.first)
ENDED = reached(OVER)
SNAPSHOTS = {
    name: GAME.dump(state) for name, state in (("busy", BUSY), ("arranging", ARRANGING), ("ended", ENDED))
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_snapshot_is_read_as_it_was(name: str):
    data = json.loads(json.dumps(SNAPSHOTS[name]))
    state = GAME.load(data)
    assert GAME.dump(state) == SNAPSHOTS[name] == data
    original = {"busy": BUSY, "arranging": ARRANGING, "ended": ENDED}[name]
    assert state == original


def test_a_snapshot_shares_nothing_with_the_match():
    state = BUSY.copy()
    data = GAME.dump(state)
    before = deepcopy(data)
    emptied(data)
    assert GAME.dump(state) == before


def test_a_snapshot_of_another_form_or_table_is_refused():
    with pytest.raises(UnknownVersion, match="form 2"):
        GAME.load({**SNAPSHOTS["busy"], "form": 2})
    with pytest.raises(UnknownVersion, match="card list"):
        GAME.load({**SNAPSHOTS["busy"], "card_list": "0" * 16})


@pytest.mark.parametrize("part", sorted(set(SNAPSHOTS["busy"]) - {"form", "card_list"}))
def test_a_snapshot_without_one_of_its_parts_is_refused(part: str):
    data = {name: value for name, value in SNAPSHOTS["busy"].items() if name != part}
    with pytest.raises(BadData, match=part):
        GAME.load(data)
    with pytest.raises(BadData):
        GAME.load({**SNAPSHOTS["busy"], part: None})


# -- the card list


def damaged(*path: str | int, value: Any = None) -> Any:
    """The built-in list with one value replaced."""
    return replaced(CARD_LIST, *path, value=value)


def test_a_table_of_ones_own_takes_the_place_of_ours(tmp_path: Path):
    (tmp_path / "artifacts_inc.json").write_text(json.dumps(damaged("museums", 3, "bonus", value=9)))
    theirs = load_games(tmp_path)["artifacts-inc"]
    assert isinstance(theirs, ArtifactsInc)
    assert theirs.cards_digest != GAME.cards_digest
    assert create(CARD_LIST).cards_digest == GAME.cards_digest
    state = scene(dice="6 1", artifacts="gem@headquarters", game=theirs)
    play(state, fill(6, "gem", 0), game=theirs)
    assert state.dollars[0] == 10
    with pytest.raises(UnknownVersion):
        GAME.load(theirs.dump(state))


def test_provenance_and_names_change_nothing_in_the_digest():
    renamed = deepcopy(CARD_LIST)
    renamed["museums"][0] |= {"name": "Knochenhaus", "provenance": "printed"}
    renamed["piles"]["A"][0]["sides"][0]["provenance"] = {"reputation": "inferred"}
    assert create(renamed).cards_digest == GAME.cards_digest
    assert create(renamed).catalogue != GAME.catalogue


GAIN = {"do": "gain", "artifact": "gem"}


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("game",), "archaeology", ("game",)),
        (("wings",), 2, ("wings",)),
        (("museums",), CARD_LIST["museums"][:3], ("museums", 3)),
        (("museums",), [*CARD_LIST["museums"][1:], CARD_LIST["museums"][0]], ("museums",)),
        (("museums", 0, "six"), [1, 2, 3], ("museums", 0, "six")),
        (("museums", 0, "nine"), [1, 2, 3, 4, 5, 6, 7, 9, 8], ("museums", 0)),
        (("museums", 0, "requires"), "7+", ("museums", 0, "requires")),
        (("museums", 0, "bonus"), -1, ("museums", 0, "bonus")),
        (("museums", 0, "bonus"), True, ("museums", 0, "bonus")),
        (("museums", 0, "majority"), "3", ("museums", 0, "majority")),
        (
            ("museums", 0, "provenance"),
            "guessed",
            ("museums", 0, "provenance", "literal['printed','inferred','house']"),
        ),
        (("museums", 0, "provenance"), {"bonus": "house"}, ("museums", 0)),
        (("museums", 0, "name"), "Fossil\nMuseum", ("museums", 0)),
        (("museums", 0, "name"), "", ("museums", 0, "name")),
        (("museums", 0, "key"), "Fossil Museum", ("museums", 0, "key")),
        (("start",), CARD_LIST["start"][:3], ("start",)),
        (("start", 0, "cost"), {}, ("start", 0, "cost", "dollars")),
        (("start", 0, "sides"), [], ("start", 0, "sides", 0)),
        (("start", 0, "sides", 1), {"provenance": {"reputation": "house"}}, ("start", 0, "sides", 1)),
        (("start", 3, "sides", 1, "dice"), 0, ("start",)),
        (("start", 0, "key"), "biplane", ("piles", "B", 1, "key")),
        (("piles", "A"), [], ("piles",)),
        (("piles", "F"), [], ("piles", "F", "[key]")),
        (("piles", "A", 0, "copies"), 0, ("piles", "A", 0, "copies")),
        (("piles", "A", 0, "copies"), 61, ("piles", "A", 0, "copies")),
        (
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
            {"do": "dance"},
            ("piles", "A", 0, "sides", 0, "slots", 0, "action", "do"),
        ),
        (
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
            {"do": "gain"},
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
        ),
        (
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
            {**GAIN, "do": "buy"},
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
        ),
        (
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
            {"do": "earn"},
            ("piles", "A", 0, "sides", 0, "slots", 0, "action"),
        ),
        (
            ("piles", "A", 0, "sides", 0, "slots"),
            [CARD_LIST["piles"]["A"][0]["sides"][0]["slots"][0]] * 5,
            ("piles", "A", 0, "sides", 0, "slots"),
        ),
        (
            ("piles", "A", 4, "sides", 0, "ability"),
            {"do": "turn", "uses": 0},
            ("piles", "A", 4, "sides", 0, "ability", "uses"),
        ),
        (
            ("piles", "C", 0, "sides", 0, "per"),
            {"camel": 1},
            ("piles", "C", 0, "sides", 0, "per", "camel", "[key]"),
        ),
        (("dives", 0, "number"), 0, ("dives", 0, "number")),
        (("dives", 0, "number"), 5, ("dives",)),
        (("dives", 0, "find"), "gold", ("dives", 0, "find")),
    ],
)
def test_a_damaged_table_is_refused_with_the_path_of_the_fault(path: Any, value: Any, where: Any):
    with pytest.raises(BadData) as caught:
        create(damaged(*path, value=value))
    assert tuple(map(str, caught.value.where)) == tuple(map(str, where))


def test_a_pile_that_no_shuffle_takes_is_refused():
    card_list = deepcopy(CARD_LIST)
    for asset in card_list["piles"]["A"]:
        asset["copies"] = 60
    with pytest.raises(BadData, match=r"piles\.A: more than 255"):
        create(card_list)


@pytest.mark.parametrize("data", [None, [], 7, "cards", {}, {"game": "artifacts-inc"}])
def test_what_is_no_table_is_refused(data: Any):
    if data is None:
        assert create(data).cards_digest == BUILT_IN.cards_digest
        return
    with pytest.raises(BadData):
        create(data)


def test_a_catalogue_is_sent_as_its_table_and_read_once():
    view = GAME.view(scene("airfield", dice="1"), 0)
    sent = pickle.dumps(view)
    one, other = pickle.loads(sent), pickle.loads(sent)
    assert one == view
    assert one.catalogue is other.catalogue
    assert one.catalogue == GAME.catalogue
    assert hash(one.catalogue) == hash(GAME.catalogue)
    assert GAME.catalogue != "cards"
    assert own("airfield") in [usable.own for usable in scene("airfield").powers[0].abilities]
