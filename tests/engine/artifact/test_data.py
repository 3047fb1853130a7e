"""Moves and snapshots of Artifact as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artifact import moves as m
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from engine.errors import BadData, UnknownVersion
from tests.engine.artifact.scene import GAME, KEY, LOW, d10, encounter, play, roll, scene
from tests.engine.data import emptied, json_values

# -- moves

MOVES: list[tuple[Any, dict[str, Any]]] = [
    (
        m.Create((0, 8), ("pistols", "texts")),
        {"kind": "create", "tens": ["combat", "science"], "equipment": ["pistols", "texts"]},
    ),
    (m.Create((), ("picks", "maps")), {"kind": "create", "tens": [], "equipment": ["picks", "maps"]}),
    (m.ROLL, {"kind": "roll"}),
    (m.FORWARD, {"kind": "go", "direction": "forward"}),
    (m.BACK, {"kind": "go", "direction": "back"}),
    (m.Meet(5), {"kind": "meet", "seat": 5}),
    (m.Name(6), {"kind": "name", "ability": "linguistics"}),
    (m.HOLD_BACK, {"kind": "use", "aids": []}),
    (m.Use(("letter", "letter", "pistols")), {"kind": "use", "aids": ["letter", "letter", "pistols"]}),
    (m.GiveUp("letter"), {"kind": "give_up", "aid": "letter"}),
]


@pytest.mark.parametrize(("move", "data"), MOVES, ids=[str(n) for n in range(len(MOVES))])
def test_a_move_is_data_that_people_can_read(move: Any, data: dict[str, Any]):
    assert GAME.dump_move(move) == data
    read = GAME.load_move(json.loads(json.dumps(data)))
    assert read == move
    assert type(read) is type(move)


def test_equipment_and_aids_are_read_in_any_order():
    data = {"kind": "create", "tens": [], "equipment": ["texts", "pistols"]}
    assert GAME.load_move(data) == m.Create((), ("pistols", "texts"))
    assert GAME.load_move({"kind": "use", "aids": ["picks", "maps"]}) == m.Use(("maps", "picks"))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({}, "its kind: union_tag_not_found"),
        ({"kind": "dance"}, "its kind: union_tag_invalid"),
        ({"kind": "roll", "die": 6}, "roll.die: extra_forbidden"),
        ({"kind": "go"}, "go.direction: missing"),
        ({"kind": "go", "direction": "up"}, "go.direction: literal_error"),
        ({"kind": "go", "direction": True}, "go.direction: literal_error"),
        ({"kind": "meet", "seat": -1}, "meet.seat: greater_than_equal"),
        ({"kind": "meet", "seat": 6}, "meet.seat: less_than_equal"),
        ({"kind": "meet", "seat": "1"}, "meet.seat: int_type"),
        ({"kind": "meet", "seat": True}, "meet.seat: int_type"),
        ({"kind": "name", "ability": "luck"}, "name.ability: literal_error"),
        ({"kind": "name", "ability": 1}, "name.ability: literal_error"),
        ({"kind": "use"}, "use.aids: missing"),
        ({"kind": "use", "aids": "maps"}, "use.aids: tuple_type"),
        ({"kind": "use", "aids": [1]}, "use.aids.0: string_type"),
        ({"kind": "use", "aids": ["Old Maps"]}, "use.aids.0: string_pattern_mismatch"),
        ({"kind": "give_up", "aid": None}, "give_up.aid: string_type"),
        ({"kind": "create", "tens": []}, "create.equipment: missing"),
        ({"kind": "create", "tens": ["combat"], "equipment": ["pistols"]}, "create.equipment: too_short"),
        (
            {"kind": "create", "tens": ["combat"] * 17, "equipment": ["pistols", "texts"]},
            "create.tens: too_long",
        ),
        (
            {"kind": "create", "tens": [], "equipment": ["pistols", "letter"]},
            "create.equipment: value_error",
        ),
    ],
)
def test_what_describes_no_move_is_refused(data: dict[str, Any], fault: str):
    with pytest.raises(BadData) as caught:
        GAME.load_move(data)
    assert str(caught.value) == f"a move is malformed at {fault}"


@given(st.dictionaries(st.sampled_from(["kind", "tens", "equipment", "aids", "aid", "seat"]), json_values))
def test_whatever_is_sent_as_a_move_is_read_or_refused(data: dict[str, Any]):
    try:
        move = GAME.load_move(data)
    except BadData as error:
        told = str(error)
    else:
        assert GAME.load_move(GAME.dump_move(move)) == move
        return
    assert told.startswith("a move is malformed at ")


# -- snapshots


def making() -> State:
    state = GAME.new(3, ArtifactOptions(), KEY)
    GAME.apply(state, 1, GAME.sample(state, 1, Random(1)))
    return state


def facing() -> State:
    state = scene(3, 9, parties={0: "combat / x / science!"}, aids={0: "picks maps"}, skips=[1])
    roll(state, 2, encounter("rope_bridge"))
    return state


def heading() -> State:
    state = scene(9, 20, 0, holder=1)
    roll(state, 2)
    return state


def choosing() -> State:
    state = scene(3, 5, 5)
    roll(state, 2)
    return state


def naming() -> State:
    state = scene(3, 5)
    roll(state, 2, d10(10))
    return state


def attacking() -> State:
    state = scene(3, 5, aids={0: "pistols pistols", 1: "pistols"})
    roll(state, 2, d10(1))
    return state


def defending() -> State:
    state = attacking()
    play(state, m.Use(("pistols",)))
    return state


def losing() -> State:
    state = scene(18, 9, aids={0: "maps tomes"})
    roll(state, 2, encounter("idol"), LOW)
    return state


def ended() -> State:
    state = scene(3, 9, holder=0)
    roll(state, 4)
    return state


def lying() -> State:
    return scene(8, 12, 20, lies=8, active=1, skips=[0])


STATES = {
    make.__name__: make()
    for make in (
        making,
        facing,
        heading,
        choosing,
        naming,
        attacking,
        defending,
        losing,
        ended,
        lying,
    )
}
SNAPSHOTS = {name: GAME.dump(state) for name, state in STATES.items()}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_snapshot_is_read_as_it_was(name: str):
    data = json.loads(json.dumps(SNAPSHOTS[name]))
    state = GAME.load(data)
    assert GAME.dump(state) == SNAPSHOTS[name] == data
    assert state == STATES[name]


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_snapshot_shares_nothing_with_the_match(name: str):
    state = STATES[name].copy()
    data = GAME.dump(state)
    before = deepcopy(data)
    emptied(data)
    assert GAME.dump(state) == before


def test_a_snapshot_of_another_form_or_card_list_is_refused():
    with pytest.raises(UnknownVersion, match="form 2"):
        GAME.load({**SNAPSHOTS["facing"], "form": 2})
    with pytest.raises(UnknownVersion, match="card list"):
        GAME.load({**SNAPSHOTS["facing"], "card_list": "0" * 16})


@pytest.mark.parametrize("part", sorted(set(SNAPSHOTS["facing"]) - {"form", "card_list"}))
def test_a_snapshot_without_one_of_its_parts_is_refused(part: str):
    data = {name: value for name, value in SNAPSHOTS["facing"].items() if name != part}
    with pytest.raises(BadData, match=f"damaged at {part}: missing"):
        GAME.load(data)
    with pytest.raises(BadData, match=f"damaged at {part}: .*(_type|literal_error)$"):
        GAME.load({**SNAPSHOTS["facing"], part: None})
