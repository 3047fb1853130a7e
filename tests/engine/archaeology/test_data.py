"""Archaeology's moves and card lists as JSON data: what is read is right, or is refused in words."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from typing import Any

import pytest

from engine.archaeology import create
from engine.archaeology_family import moves as m
from engine.errors import BadData
from tests.engine.archaeology.scene import GAME
from tests.engine.archaeology_family import kind

CARDS = json.loads(resources.files("engine.archaeology").joinpath("cards.json").read_text())

# -- moves


def test_cards_may_come_in_any_order():
    data = {"kind": "discard", "cards": {"map": 1, "coin": 2}}
    assert GAME.load_move(data) == m.Discard(((kind("coin"), 2), (kind("map"), 1)))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "steal", "victim": -1},
        {"kind": "discard", "cards": {"coin": 0}},
        {"kind": "discard", "cards": {"gold": 1}},
        {"kind": "discard", "cards": {"coin": 10**30}},
        {"kind": "discard", "cards": [["coin", 1]]},
        {"kind": "sell", "treasure": "gold", "count": 1},
        {"kind": "sell", "treasure": 2, "count": 1},
    ],
)
def test_malformed_moves_are_refused(data: dict[str, Any]):
    with pytest.raises(BadData, match="a move"):
        GAME.load_move(data)


# -- card lists


def changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    card_list = deepcopy(CARDS)
    place: Any = card_list
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return card_list


def test_another_table_changes_the_game_and_its_digest():
    other = create(changed(("treasures", 0, "sales"), [1, 2, 3, 5, 16]))
    assert other.prices[0] == (1, 2, 3, 5, 16)
    assert other.cards_digest != GAME.cards_digest


def test_provenance_alone_does_not_change_the_digest():
    other = create(changed(("treasures", 0, "provenance", "copies"), "house"))
    assert other.cards_digest == GAME.cards_digest


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("game",), "expedition", "not of 'archaeology'"),
        (("treasures", 2, "copies"), 0, "treasures.2.copies"),
        (("treasures", 2, "sales"), [], "treasures.2.sales"),
        (("treasures", 2, "sales"), [2, 5, 5], "must bring more"),
        (("treasures", 2, "trade"), "two", "treasures.2.trade"),
        (("treasures", 2, "colour"), "gold", "treasures.2.colour"),
        (("treasures", 2, "provenance"), {"copies": "printed", "trade": "printed"}, "sales is missing"),
        (("treasures", 2, "provenance", "trade"), "guessed", "treasures.2.provenance.trade"),
        (("treasures", 2, "key"), "gold", "in this order"),
        (("treasures", 6, "from_seats"), 9, "from_seats"),
        (("treasures", 1, "from_seats"), 3, "before it"),
        (("treasures", 5, "copies"), 99, "treasures.5.copies"),
        (("thieves", "by_seats"), {"2": 8}, "2, 3, 4 players"),
        (("thieves", "by_seats", "2"), -1, "thieves.by_seats.2"),
        (("treasures",), CARDS["treasures"][:6], "there must be 7"),
        (("sandstorms",), None, "sandstorms"),
    ],
)
def test_a_faulty_card_list_is_refused_with_its_place(
    path: tuple[str | int, ...], value: object, reason: str
):
    with pytest.raises(BadData, match=reason):
        create(changed(path, value))


def test_a_table_must_hold_the_cards_of_the_set_up_and_no_more_than_a_shuffle_takes():
    few, many = deepcopy(CARDS), deepcopy(CARDS)
    for treasure in few["treasures"]:
        treasure["copies"] = 4
    with pytest.raises(BadData, match="too few"):
        create(few)
    for treasure in many["treasures"]:
        treasure["copies"] = 40
    with pytest.raises(BadData, match="more than 255"):
        create(many)


def test_the_map_is_in_every_match():
    card_list = deepcopy(CARDS)
    for treasure in card_list["treasures"][5:]:
        treasure["from_seats"] = 3
    with pytest.raises(BadData, match="Map must be in play"):
        create(card_list)
