"""The base of states: what is made of fields that are declared once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import Field

from engine.errors import BadData, UnknownVersion
from engine.state import Derived, Hidden, MatchState, Number, Owned, Seen, no_entries, no_items, start

KEY = bytes(range(32))
Cards = list[Annotated[int, Field(ge=0, le=9)]]


@dataclass(frozen=True, slots=True)
class Offer:
    price: Number
    cards: tuple[int, ...]


class Market(MatchState):
    stalls: Number
    hands: Annotated[list[Cards], Seen("owner", "hand")] = start(
        lambda match: [no_items(match) for _ in range(match.seats)]
    )
    bids: Owned[list[int]] = start(lambda match: [0] * match.seats)
    deck: Hidden[Cards] = start(no_items)
    seen: Hidden[list[dict[int, Cards]]] = start(
        lambda match: [no_entries(match) for _ in range(match.seats)]
    )
    rows: Annotated[list[Cards], Seen("all", "table")] = start(
        lambda match: [[stall] for stall in range(match.stalls)]
    )
    offer: Offer | None = None
    total: Derived[int] = 0


class Fair(Market):
    moves: Number = 0
    wheel: tuple[tuple[int, int], ...] = ((1, 2),)


def market() -> Market:
    state = Market(seats=2, key=KEY, stalls=2)
    state.hands = [[1, 2], [3]]
    state.bids = [4, 5]
    state.deck = [6, 7]
    state.seen[0][1] = [8]
    state.offer = Offer(3, (1,))
    state.counters["deal"] = 2
    return state


def test_fields_begin_anew_in_each_match():
    one, other = Market(seats=2, key=KEY, stalls=2), Market(seats=2, key=KEY, stalls=2)
    assert one == other
    assert (one.hands, one.rows, one.moves, one.offer) == ([[], []], [[0], [1]], 0, None)
    for name in ("hands", "deck", "seen", "rows", "counters"):
        assert getattr(one, name) is not getattr(other, name)
    assert not hasattr(one, "__dict__")


def test_a_value_given_takes_the_place_of_the_start():
    state = Market(seats=2, key=KEY, stalls=2, deck=[1], moves=7)
    assert (state.deck, state.moves) == ([1], 7)


def test_a_copy_is_equal_and_shares_no_list():
    state = market()
    twin = state.copy()
    assert twin == state
    assert type(twin) is Market
    twin.hands[0].append(9)
    twin.seen[0][1].append(9)
    twin.rows[0].append(9)
    twin.counters["deal"] = 3
    assert state == market()
    assert twin != state


@pytest.mark.parametrize("name", ["seats", "key", "moves", "counters", "deck", "offer", "total"])
def test_states_that_differ_in_one_field_are_not_equal(name: str):
    state = market()
    setattr(state, name, None)
    assert state != market()


def test_a_viewer_sees_what_is_public_and_its_own_part():
    public = {"seats": 2, "moves": 0, "stalls": 2, "table": ((0,), (1,)), "offer": Offer(3, (1,)), "total": 0}
    assert market().seen_by(1) == {**public, "viewer": 1, "hand": (3,), "bids": 5}
    assert market().seen_by(None) == {**public, "viewer": None, "hand": None, "bids": None}


def test_of_a_view_a_state_has_what_all_see():
    state = Market.of_view(SimpleNamespace(**market().seen_by(0)), bytes(32))
    assert (state.rows, state.offer, state.stalls, state.key) == ([[0], [1]], Offer(3, (1,)), 2, bytes(32))
    assert (state.hands, state.deck, state.counters) == ([[], []], [], {})
    state.rows[0].append(9)
    assert market().rows[0] == [0]


def test_a_snapshot_holds_all_but_what_is_derived_and_comes_back():
    state = market()
    data = state.dump("cards")
    assert list(data)[:3] == ["form", "card_list", "key"]
    assert data["key"] == KEY.hex()
    assert data["seen"] == [{"1": [8]}, {}]
    assert data["offer"] == {"price": 3, "cards": [1]}
    assert "total" not in data
    read = Market.load(json.loads(json.dumps(data)), "cards")
    assert read == state
    data["hands"][0].clear()
    assert state == market()


def test_a_field_that_is_declared_again_is_written_in_its_last_place():
    names = list(Fair(seats=2, key=KEY, stalls=0).dump(""))
    assert names.index("moves") > names.index("rows")
    assert names[-1] == "wheel"
    assert Fair(seats=2, key=KEY, stalls=0) != Market(seats=2, key=KEY, stalls=0)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"deck": ["secret"]}, "deck.0: int_type"),
        ({"deck": [10]}, "deck.0: less_than_equal"),
        ({"moves": True}, "moves: int_type"),
        ({"moves": 1.0}, "moves: int_type"),
        ({"key": "secret"}, "key: string_pattern_mismatch"),
        ({"offer": {"price": 3}}, "offer"),
        ({"secret": 1}, "secret: extra_forbidden"),
    ],
)
def test_a_damaged_snapshot_is_refused_with_the_field_and_without_its_value(change: Any, where: str):
    with pytest.raises(BadData, match=f"damaged at {where}") as caught:
        Market.load(market().dump("cards") | change, "cards")
    assert "secret" not in str(caught.value).replace("at secret", "")


@pytest.mark.parametrize("form", [2, None, "secret", [1]])
def test_another_form_is_refused(form: Any):
    with pytest.raises(UnknownVersion, match="reads form 1") as caught:
        Market.load(market().dump("cards") | {"form": form}, "cards")
    assert "secret" not in str(caught.value)


def test_another_card_list_is_refused():
    data = market().dump("cards")
    with pytest.raises(UnknownVersion, match="another card list"):
        Market.load(data, "others")


def test_what_matches_would_share_is_refused_at_the_class():
    make: Any = type(MatchState)
    with pytest.raises(TypeError, match="all matches would share deck"):
        make("Wrong", (MatchState,), {"__annotations__": {"deck": "list"}, "deck": []})


def test_a_text_of_a_state_shows_nothing_of_it():
    assert repr(market()) == "<Market seats=2 moves=0>"
