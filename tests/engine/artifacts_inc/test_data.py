"""Moves and card lists of Artifacts, Inc. as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from engine.artifacts_inc import ArtifactsInc, create
from engine.errors import BadData, UnknownVersion
from engine.registry import load_games
from tests.engine.artifacts_inc.scene import CARD_LIST, GAME, START, dive, fill, own, play, roll_again, scene
from tests.engine.data import replaced

# -- moves


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
        {"kind": "roll", "order": list(START[:3])},
        {"kind": "roll", "order": [*START[:3], "palace"]},
        {"kind": "place_die", "die": 0, "on": GUIDE},
        {"kind": "place_die", "die": 7, "on": GUIDE},
        {"kind": "place_die", "die": 1, "on": {"card": "palace", "slot": 0}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work"}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work", "slot": 0, "copy": True}},
        {"kind": "place_die", "die": 1, "on": {"card": "guide_work", "slot": 0, "copy": -1}},
        {"kind": "place_die", "die": 1, "on": {**GUIDE, "row": "upper"}},
        {"kind": "gather", "die": 1, "on": GUIDE, "artifact": "coin"},
        {"kind": "fill_order", "die": 1, "on": GUIDE, "museum": "gem", "order": -1},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": {"fossil": 0}},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": {"coin": 1}},
        {"kind": "collect", "die": 1, "on": GUIDE, "artifacts": ["fossil"]},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "palace", "place": {"row": "upper", "column": 4}},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "biplane", "place": {"row": "third", "column": 4}},
        {"kind": "buy", "die": 1, "on": GUIDE, "card": "biplane", "place": {"row": "upper", "column": 1e9}},
        {"kind": "dive", "dice": []},
        {"kind": "dive", "dice": [1] * 8},
        {"kind": "turn_die", "by": {"card": "airfield"}, "die": 1, "to": 7},
        {"kind": "roll_again", "by": {"card": "caravan"}, "dice": []},
    ],
)
def test_a_malformed_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData):
        GAME.load_move(data)


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
