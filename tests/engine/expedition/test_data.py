"""The New Expedition's moves, options and card list as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from typing import Any

import pytest

from engine.archaeology_family import moves as m
from engine.errors import BadData
from engine.expedition import create
from engine.expedition.rules import ExpeditionOptions
from tests.engine.data import replaced
from tests.engine.expedition.scene import GAME

CARDS = json.loads(resources.files("engine.expedition").joinpath("cards.json").read_text())

# -- moves


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "look_at", "chamber": -1},
        {"kind": "keep", "cards": {"coin": 0}},
        {"kind": "keep", "cards": {"gold": 2}},
        {"kind": "guess", "treasures": ["coin"]},
        {"kind": "guess", "treasures": ["coin", "map", "talisman"]},
        {"kind": "guess", "treasures": ["coin", "gold"]},
        {"kind": "guess", "treasures": "coin map"},
    ],
)
def test_a_malformed_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData):
        GAME.load_move(data)


# -- options


@pytest.mark.parametrize("data", [{"monument": "tower"}, {"monument": 1}, {"seats": 3}])
def test_other_options_are_refused(data: dict[str, Any]):
    with pytest.raises(BadData, match="options of expedition"):
        GAME.load_options(data)


# -- the card list


def damaged(*path: str | int, value: Any = None) -> Any:
    """The built-in list with one value replaced."""
    return replaced(CARDS, *path, value=value)


def test_a_table_of_ones_own_takes_the_place_of_ours():
    theirs = create(damaged("treasures", 7, "sales", value=[2, 5, 9, 30]))
    assert theirs.prices[7] == (2, 5, 9, 30)
    assert theirs.cards_digest != GAME.cards_digest
    assert create(CARDS).cards_digest == GAME.cards_digest
    state = theirs.new(4, ExpeditionOptions(monument="mine"), bytes(32))
    assert theirs.view(state, 0).prices[7] == (2, 5, 9, 30)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("game",), "archaeology", ("game",)),
        (("treasures", 0, "trade"), 0, ("treasures", 0, "trade")),
        (("treasures", 8, "key"), "broken_vase", ()),
        (("treasures", 7, "from_seats"), 1, ("treasures", 7, "from_seats")),
        (("treasures", 8, "from_seats"), 3, ()),
        (("treasures", 2, "provenance"), {"copies": "printed"}, ("treasures", 2)),
        (("treasures", 2, "provenance", "trade"), "guessed", ("treasures", 2, "provenance", "trade")),
        (("thieves", "by_seats"), {"2": 4, "3": 6, "4": 8}, ("thieves",)),
        (("sandstorms", "by_seats", "5"), -1, ("sandstorms", "by_seats", "5")),
        (("treasures",), CARDS["treasures"][:7], ("treasures",)),
    ],
)
def test_a_damaged_table_is_refused_with_the_path_of_the_fault(path: Any, value: Any, where: Any):
    with pytest.raises(BadData) as caught:
        create(damaged(*path, value=value))
    assert tuple(map(str, caught.value.where)) == tuple(map(str, where))


def test_a_table_of_too_few_cards_is_refused():
    card_list = deepcopy(CARDS)
    for treasure in card_list["treasures"]:
        treasure["copies"] = 1
    with pytest.raises(BadData, match="too few for the set-up"):
        create(card_list)


def test_a_mine_of_dear_cards_collapses_at_the_first():
    card_list = deepcopy(CARDS)
    for treasure in card_list["treasures"]:
        treasure["trade"] = 6
    game = create(card_list)
    state = game.new(2, ExpeditionOptions(monument="mine"), bytes(32))
    state.phase = "act"
    state.hands[state.asked][5] = 1
    assert [event.kind for event in game.apply(state, state.asked, m.Explore(0))] == [
        "entered",
        "turned_up",
        "collapsed",
    ]
    assert sum(state.chambers[0]) == 15
