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
from tests.engine.data import emptied, json_values, replaced
from tests.sampling import examples

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
        ({"kind": "use", "aids": "maps"}, "use.aids: list_type"),
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
            "create.equipment.1: literal_error",
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


DAMAGES: list[tuple[str, tuple[str | int, ...], Any, str]] = [
    ("facing", ("seats",), 3, "a list by seat"),
    ("facing", ("seats",), 1, "seats: greater_than_equal"),
    ("facing", ("seats",), True, "seats: int_type"),
    ("facing", ("key",), "00", "key: string_pattern_mismatch"),
    ("facing", ("counters",), {"dice": -1}, "counters.dice: greater_than_equal"),
    ("facing", ("moves",), -1, "moves: greater_than_equal"),
    ("facing", ("moves",), "40", "moves: int_type"),
    ("facing", ("moves",), 40.0, "moves: int_type"),
    ("facing", ("scenario",), 3, "scenario"),
    ("facing", ("drawn",), 1, "drawn: bool_type"),
    ("facing", ("phase",), "dance", "phase: literal_error"),
    ("facing", ("phase",), "party", "waiting"),
    ("facing", ("phase",), "roll", "step"),
    ("facing", ("phase",), "give_up", "its turn"),
    ("facing", ("phase",), "over", "step"),
    ("facing", ("waiting",), 1, "waiting"),
    ("facing", ("rolls", 0), [1] * 16, "rolls"),
    ("facing", ("created", 0), {"tens": [], "equipment": ["pistols", "texts"]}, "rolls"),
    ("facing", ("order",), [[0, 5], [1, 5]], "order"),
    ("facing", ("order",), [[0, 5], [1, 6]], "order"),
    ("facing", ("order",), [[0, 11], [1, 6]], "order"),
    ("facing", ("order",), [], "order"),
    ("facing", ("round",), 0, "round: greater_than_equal"),
    ("facing", ("first",), 1, "order"),
    ("facing", ("first",), 2, "a seat that does not exist"),
    ("facing", ("active",), 1, "its turn"),
    ("facing", ("active",), 2, "a seat that does not exist"),
    ("facing", ("members", 0, 0), [0], "members"),
    ("facing", ("members", 0, 0, 0), 9, "members.0.0.0: less_than"),
    ("facing", ("members", 0), [], "members"),
    ("facing", ("wounds", 0, 0), 1, "members"),
    ("facing", ("wounds", 0, 1), 1, "members"),
    ("facing", ("wounds", 0, 2), 3, "wounds.0.2: less_than_equal"),
    ("facing", ("wounds", 0), [0], "members"),
    ("facing", ("aids", 0), ["picks", "maps"], "members"),
    ("facing", ("aids", 0), ["maps"], "its turn"),
    ("facing", ("aids", 0), ["picks", "sabres"], "members"),
    ("facing", ("at", 0), 0, "members"),
    ("facing", ("at", 0), 31, "at.0: less_than_equal"),
    ("facing", ("at", 0), 1, "its turn"),
    ("facing", ("at", 0), 18, "its turn"),
    ("facing", ("skips", 0), True, "its turn"),
    ("facing", ("holder",), 0, "holder"),
    ("facing", ("holder",), 2, "a seat that does not exist"),
    ("facing", ("lies",), 0, "holder"),
    ("facing", ("lies",), 12, "holder"),
    ("facing", ("die",), 3, "die"),
    ("facing", ("step",), 0, "step"),
    ("facing", ("step",), 2, "step: less_than_equal"),
    ("facing", ("encounter",), "", "encounter"),
    ("facing", ("encounter",), "letter", "its turn"),
    ("facing", ("encounter",), "spear_hall", "its turn"),
    ("facing", ("opponent",), 1, "opponent"),
    ("facing", ("ability",), 1, "ability"),
    ("facing", ("used",), ["maps"], "used"),
    ("facing", ("journal",), [0] * 13, "a list by seat"),
    ("facing", ("journal", 0), -1, "journal.0: greater_than_equal"),
    ("facing", ("hands",), [[4, 0, 30]], "holder"),
    ("heading", ("die",), 0, "die"),
    ("heading", ("die",), 7, "die: less_than_equal"),
    ("heading", ("at", 0), 1, "its turn"),
    ("heading", ("at", 0), 30, "its turn"),
    ("heading", ("at", 2), 4, "members"),
    ("heading", ("skips", 2), True, "members"),
    ("heading", ("aids", 2), ["maps"], "members"),
    ("heading", ("holder",), 0, "holder"),
    ("heading", ("holder",), -1, "holder"),
    ("heading", ("lies",), 30, "holder"),
    ("heading", ("hands",), [], "holder"),
    ("heading", ("hands", 0, 0), 6, "holder"),
    ("heading", ("hands", 0, 1), 0, "holder"),
    ("heading", ("hands", 0, 1), 3, "holder"),
    ("heading", ("hands", 0, 2), 1, "holder"),
    ("choosing", ("at", 1), 6, "its turn"),
    ("choosing", ("at", 2), 1, "its turn"),
    ("naming", ("opponent",), -1, "opponent"),
    ("naming", ("opponent",), 0, "its turn"),
    ("naming", ("at", 1), 7, "its turn"),
    ("naming", ("ability",), 3, "ability"),
    ("attacking", ("ability",), -1, "ability"),
    ("attacking", ("ability",), 1, "its turn"),
    ("attacking", ("used",), ["pistols"], "used"),
    ("attacking", ("aids", 0), [], "its turn"),
    ("defending", ("used",), ["picks"], "its turn"),
    ("defending", ("used",), ["pistols", "nothing"], "its turn"),
    ("defending", ("aids", 1), [], "its turn"),
    ("losing", ("aids", 0), ["maps"], "its turn"),
    ("losing", ("encounter",), "stairway", "its turn"),
    ("ended", ("at", 0), 2, "phase"),
    ("ended", ("phase",), "roll", "phase"),
    ("ended", ("step",), -1, "step"),
    ("lying", ("active",), 0, "its turn"),
    ("lying", ("lies",), 1, "holder"),
    ("lying", ("lies",), 12, "its turn"),
    ("making", ("waiting",), 0, "waiting"),
    ("making", ("waiting",), 7, "its beginning"),
    ("making", ("waiting",), 13, "waiting"),
    ("making", ("moves",), 2, "its beginning"),
    ("making", ("rolls", 0), [], "created"),
    ("making", ("rolls", 0, 0), 0, "rolls.0.0: greater_than_equal"),
    ("making", ("rolls", 0, 0), 11, "rolls.0.0: less_than_equal"),
    ("making", ("created", 0), {"tens": [], "equipment": ["pistols", "texts"]}, "created"),
    ("making", ("created", 1), None, "created"),
    ("making", ("created", 1, "tens"), [9], "created.1.tens.0: less_than"),
    ("making", ("created", 1, "tens"), [0] * 17, "created"),
    ("making", ("created", 1, "equipment"), ["texts", "pistols"], "created"),
    ("making", ("created", 1, "equipment"), ["pistols", "pistols"], "created"),
    ("making", ("created", 1, "equipment"), ["pistols"], "created.1.equipment: too_short"),
    ("making", ("round",), 2, "its beginning"),
    ("making", ("at", 1), 2, "its beginning"),
    ("making", ("aids", 1), ["maps"], "its beginning"),
    ("making", ("lies",), 20, "its beginning"),
    ("making", ("journal", 3), 1, "its beginning"),
]


@pytest.mark.parametrize(
    ("name", "path", "value", "fault"), DAMAGES, ids=[f"{n}-{d[0]}-{d[1][0]}" for n, d in enumerate(DAMAGES)]
)
def test_a_damaged_snapshot_is_refused_with_its_fault(
    name: str, path: tuple[str | int, ...], value: Any, fault: str
):
    data = replaced(SNAPSHOTS[name], *path, value=value)
    assert data != SNAPSHOTS[name]
    with pytest.raises(BadData) as caught:
        GAME.load(data)
    assert str(caught.value) == f"the snapshot is damaged at {fault}"


@given(st.sampled_from(sorted(SNAPSHOTS)), st.data())
@examples(300)
def test_a_damaged_snapshot_is_refused_or_can_be_played_on(name: str, data: Any):
    snapshot = deepcopy(SNAPSHOTS[name])
    rng = data.draw(st.randoms(use_true_random=False))
    inner: Any = snapshot
    key: Any = rng.choice(sorted(snapshot))
    while isinstance(inner[key], dict | list) and inner[key]:
        inner = inner[key]
        key = rng.choice(sorted(inner) if isinstance(inner, dict) else range(len(inner)))
    old = inner[key]
    if isinstance(old, int) and not isinstance(old, bool) and rng.random() < 0.7:
        inner[key] = old + rng.choice((-2, -1, 1, 2, 9))
    else:
        inner[key] = data.draw(json_values)
    try:
        state = GAME.load(snapshot)
    except BadData as error:
        told = str(error)
    else:
        assert GAME.dump(GAME.load(GAME.dump(state))) == GAME.dump(state)
        plays_to_its_end(state)
        return
    assert told.startswith("the snapshot ")
    assert KEY.hex() not in told


def plays_to_its_end(state: State) -> None:
    for _ in range(3_000):
        if not (pending := GAME.pending(state)):
            return
        seat = pending[0].seat
        GAME.view(state, seat)
        GAME.apply(state, seat, GAME.sample(state, seat, Random(state.moves)))
    pytest.fail("the match does not end")
