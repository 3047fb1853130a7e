"""Archaeology's moves, snapshots and card lists as JSON data: what is read is right, or is refused in words."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology import create
from engine.archaeology_family import moves as m
from engine.errors import BadData, UnknownVersion
from engine.game import Options
from tests.engine.archaeology.scene import GAME, explore
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, KEY, cards, discard, kind, sell, trade
from tests.engine.data import json_values

CARDS = json.loads(resources.files("engine.archaeology").joinpath("cards.json").read_text())

# -- moves


@pytest.mark.parametrize(
    ("move", "data"),
    [
        (DIG_MOVE, {"kind": "dig"}),
        (m.Steal(2), {"kind": "steal", "victim": 2}),
        (discard("coin*2 map"), {"kind": "discard", "cards": {"coin": 2, "map": 1}}),
        (trade("coin", "pot_shard*2"), {"kind": "trade", "give": {"coin": 1}, "take": {"pot_shard": 2}}),
        (explore(1), {"kind": "explore", "chamber": 1}),
        (sell("talisman*4"), {"kind": "sell", "treasure": "talisman", "count": 4}),
        (END_TURN, {"kind": "end_turn"}),
    ],
)
def test_a_move_is_data_that_people_can_read(move: Any, data: dict[str, Any]):
    assert GAME.dump_move(move) == data
    assert GAME.load_move(json.loads(json.dumps(data))) == move


def test_cards_may_come_in_any_order():
    data = {"kind": "discard", "cards": {"map": 1, "coin": 2}}
    assert GAME.load_move(data) == m.Discard(((kind("coin"), 2), (kind("map"), 1)))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "dig", "site": 1},
        {"kind": "steal"},
        {"kind": "steal", "victim": "1"},
        {"kind": "steal", "victim": True},
        {"kind": "steal", "victim": -1},
        {"kind": "discard", "cards": {"coin": 0}},
        {"kind": "discard", "cards": {"coin": 1.0}},
        {"kind": "discard", "cards": {"gold": 1}},
        {"kind": "discard", "cards": {"coin": 10**30}},
        {"kind": "discard", "cards": [["coin", 1]]},
        {"kind": "trade", "give": {"coin": 1}},
        {"kind": "sell", "treasure": "gold", "count": 1},
        {"kind": "sell", "treasure": 2, "count": 1},
        {"kind": "explore", "chamber": None},
    ],
)
def test_malformed_moves_are_refused(data: dict[str, Any]):
    with pytest.raises(BadData, match="a move"):
        GAME.load_move(data)


@given(json_values)
def test_whatever_is_no_move_is_refused(data: Any):
    with pytest.raises(BadData):
        GAME.load_move(data)


@given(st.dictionaries(st.sampled_from(["kind", "cards", "give", "take", "count"]), json_values), st.data())
def test_no_data_break_the_reading_of_a_move(data: dict[str, Any], draw: st.DataObject):
    data["kind"] = draw.draw(st.sampled_from(["steal", "discard", "trade", "explore", "sell"]))
    try:
        move = GAME.load_move(data)
    except BadData:
        return
    assert GAME.load_move(GAME.dump_move(move)) == move


# -- snapshots


def some_state(moves: int = 70, seats: int = 3):
    state, rng = GAME.new(seats, Options(), KEY), Random(8)
    for _ in range(moves):
        GAME.apply(state, state.asked, GAME.sample(state, state.asked, rng))
    return state


def snapshot(moves: int = 70) -> dict[str, Any]:
    return json.loads(json.dumps(GAME.dump(some_state(moves))))


def test_a_snapshot_shares_nothing_with_the_match():
    state = some_state(0)
    data = GAME.dump(state)
    text = json.dumps(data)
    rng = Random(1)
    for _ in range(120):
        GAME.apply(state, state.asked, GAME.sample(state, state.asked, rng))
    assert json.dumps(data) == text


def test_a_match_read_from_a_snapshot_shares_nothing_with_it():
    data = snapshot()
    before = deepcopy(data)
    state, rng = GAME.load(data), Random(2)
    for _ in range(40):
        GAME.apply(state, state.asked, GAME.sample(state, state.asked, rng))
    assert data == before


@pytest.mark.parametrize("form", [None, 0, 2, "1"])
def test_a_snapshot_of_another_form_is_refused_by_name(form: Any):
    with pytest.raises(UnknownVersion, match="form"):
        GAME.load(snapshot() | {"form": form})


def test_a_snapshot_of_another_card_list_is_refused_by_name():
    with pytest.raises(UnknownVersion, match="card list"):
        GAME.load(snapshot() | {"card_list": "0" * 16})


def test_the_refusal_of_a_snapshot_hides_what_it_holds():
    data = snapshot() | {"market": "secret", "hands": "secret"}
    with pytest.raises(BadData) as caught:
        GAME.load(data)
    assert "secret" not in str(caught.value)
    assert data["key"] not in str(caught.value)


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


@pytest.mark.parametrize("card_list", [[], {}, "cards", 7, {"game": "archaeology"}])
def test_what_is_no_card_list_is_refused(card_list: object):
    with pytest.raises(BadData):
        create(card_list)


def test_cards_are_named_in_moves_and_numbered_in_events():
    assert GAME.dump_move(trade("coin", "map"))["take"] == {"map": 1}
    assert cards("coin map") == ((kind("coin"), 1), (kind("map"), 1))
