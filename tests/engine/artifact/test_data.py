"""Moves and snapshots of Artifact as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
from contextlib import suppress
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
    "data",
    [
        {},
        {"kind": "dance"},
        {"kind": "roll", "die": 6},
        {"kind": "go"},
        {"kind": "go", "direction": "up"},
        {"kind": "go", "direction": True},
        {"kind": "meet", "seat": -1},
        {"kind": "meet", "seat": 6},
        {"kind": "meet", "seat": "1"},
        {"kind": "meet", "seat": True},
        {"kind": "name", "ability": "luck"},
        {"kind": "name", "ability": 1},
        {"kind": "use"},
        {"kind": "use", "aids": "maps"},
        {"kind": "use", "aids": [1]},
        {"kind": "use", "aids": ["Old Maps"]},
        {"kind": "give_up", "aid": None},
        {"kind": "create", "tens": []},
        {"kind": "create", "tens": ["combat"], "equipment": ["pistols"]},
        {"kind": "create", "tens": ["combat"] * 17, "equipment": ["pistols", "texts"]},
        {"kind": "create", "tens": [], "equipment": ["pistols", "letter"]},
    ],
)
def test_what_describes_no_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData):
        GAME.load_move(data)


@given(st.dictionaries(st.sampled_from(["kind", "tens", "equipment", "aids", "aid", "seat"]), json_values))
def test_no_data_break_the_reading_of_moves(data: dict[str, Any]):
    with suppress(BadData):
        GAME.load_move(data)


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
    for slot in State.__slots__:
        assert getattr(state, slot) == getattr(STATES[name], slot), slot


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
    with pytest.raises(BadData, match=part):
        GAME.load(data)
    with pytest.raises(BadData):
        GAME.load({**SNAPSHOTS["facing"], part: None})


DAMAGES: list[tuple[str, tuple[str | int, ...], Any]] = [
    ("facing", ("seats",), 3),
    ("facing", ("seats",), 1),
    ("facing", ("seats",), True),
    ("facing", ("key",), "00"),
    ("facing", ("counters",), {"dice": -1}),
    ("facing", ("moves",), -1),
    ("facing", ("moves",), "40"),
    ("facing", ("moves",), 40.0),
    ("facing", ("scenario",), 3),
    ("facing", ("drawn",), 1),
    ("facing", ("phase",), "dance"),
    ("facing", ("phase",), "party"),
    ("facing", ("phase",), "roll"),
    ("facing", ("phase",), "give_up"),
    ("facing", ("phase",), "over"),
    ("facing", ("waiting",), 1),
    ("facing", ("rolls", 0), [1] * 16),
    ("facing", ("created", 0), {"tens": [], "equipment": ["pistols", "texts"]}),
    ("facing", ("order",), [[0, 5], [1, 5]]),
    ("facing", ("order",), [[0, 5], [1, 6]]),
    ("facing", ("order",), [[0, 11], [1, 6]]),
    ("facing", ("order",), []),
    ("facing", ("round",), 0),
    ("facing", ("first",), 1),
    ("facing", ("first",), 2),
    ("facing", ("active",), 1),
    ("facing", ("active",), 2),
    ("facing", ("members", 0, 0), [0]),
    ("facing", ("members", 0, 0, 0), 9),
    ("facing", ("members", 0), []),
    ("facing", ("wounds", 0, 0), 1),
    ("facing", ("wounds", 0, 1), 1),
    ("facing", ("wounds", 0, 2), 3),
    ("facing", ("wounds", 0), [0]),
    ("facing", ("aids", 0), ["picks", "maps"]),
    ("facing", ("aids", 0), ["maps"]),
    ("facing", ("aids", 0), ["picks", "sabres"]),
    ("facing", ("at", 0), 0),
    ("facing", ("at", 0), 31),
    ("facing", ("at", 0), 1),
    ("facing", ("at", 0), 18),
    ("facing", ("skips", 0), True),
    ("facing", ("holder",), 0),
    ("facing", ("holder",), 2),
    ("facing", ("lies",), 0),
    ("facing", ("lies",), 12),
    ("facing", ("die",), 3),
    ("facing", ("step",), 0),
    ("facing", ("step",), 2),
    ("facing", ("encounter",), ""),
    ("facing", ("encounter",), "letter"),
    ("facing", ("encounter",), "spear_hall"),
    ("facing", ("opponent",), 1),
    ("facing", ("ability",), 1),
    ("facing", ("used",), ["maps"]),
    ("facing", ("journal",), [0] * 13),
    ("facing", ("journal", 0), -1),
    ("facing", ("hands",), [[4, 0, 30]]),
    ("heading", ("die",), 0),
    ("heading", ("die",), 7),
    ("heading", ("at", 0), 1),
    ("heading", ("at", 0), 30),
    ("heading", ("at", 2), 4),
    ("heading", ("skips", 2), True),
    ("heading", ("aids", 2), ["maps"]),
    ("heading", ("holder",), 0),
    ("heading", ("holder",), -1),
    ("heading", ("lies",), 30),
    ("heading", ("hands",), []),
    ("heading", ("hands", 0, 0), 6),
    ("heading", ("hands", 0, 1), 0),
    ("heading", ("hands", 0, 1), 3),
    ("heading", ("hands", 0, 2), 1),
    ("choosing", ("at", 1), 6),
    ("choosing", ("at", 2), 1),
    ("naming", ("opponent",), -1),
    ("naming", ("opponent",), 0),
    ("naming", ("at", 1), 7),
    ("naming", ("ability",), 3),
    ("attacking", ("ability",), -1),
    ("attacking", ("ability",), 1),
    ("attacking", ("used",), ["pistols"]),
    ("attacking", ("aids", 0), []),
    ("defending", ("used",), ["picks"]),
    ("defending", ("used",), ["pistols", "nothing"]),
    ("defending", ("aids", 1), []),
    ("losing", ("aids", 0), ["maps"]),
    ("losing", ("encounter",), "stairway"),
    ("ended", ("at", 0), 2),
    ("ended", ("phase",), "roll"),
    ("ended", ("step",), -1),
    ("lying", ("active",), 0),
    ("lying", ("lies",), 1),
    ("lying", ("lies",), 12),
    ("making", ("waiting",), 0),
    ("making", ("waiting",), 7),
    ("making", ("waiting",), 13),
    ("making", ("moves",), 2),
    ("making", ("rolls", 0), []),
    ("making", ("rolls", 0, 0), 0),
    ("making", ("rolls", 0, 0), 11),
    ("making", ("created", 0), {"tens": [], "equipment": ["pistols", "texts"]}),
    ("making", ("created", 1), None),
    ("making", ("created", 1, "tens"), [9]),
    ("making", ("created", 1, "tens"), [0] * 17),
    ("making", ("created", 1, "equipment"), ["texts", "pistols"]),
    ("making", ("created", 1, "equipment"), ["pistols", "pistols"]),
    ("making", ("created", 1, "equipment"), ["pistols"]),
    ("making", ("round",), 2),
    ("making", ("at", 1), 2),
    ("making", ("aids", 1), ["maps"]),
    ("making", ("lies",), 20),
    ("making", ("journal", 3), 1),
]


@pytest.mark.parametrize(
    ("name", "path", "value"), DAMAGES, ids=[f"{n}-{d[0]}-{d[1][0]}" for n, d in enumerate(DAMAGES)]
)
def test_a_damaged_snapshot_is_refused(name: str, path: tuple[str | int, ...], value: Any):
    data = replaced(SNAPSHOTS[name], *path, value=value)
    assert data != SNAPSHOTS[name]
    with pytest.raises(BadData) as caught:
        GAME.load(data)
    assert KEY.hex() not in str(caught.value)


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
    except BadData:
        return
    for _ in range(3_000):
        if not (pending := GAME.pending(state)):
            return
        seat = pending[0].seat
        GAME.view(state, seat)
        GAME.apply(state, seat, GAME.sample(state, seat, Random(state.moves)))
    pytest.fail("the match does not end")
