"""Moves of Artifact as JSON data: read right, or refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artifact import moves as m
from engine.errors import BadData
from tests.engine.artifact.scene import GAME

# -- moves


def test_a_move_that_random_play_seldom_makes_is_data_that_people_can_read():
    assert GAME.dump_move(m.Meet(5)) == {"kind": "meet", "seat": 5}
    assert GAME.load_move({"kind": "meet", "seat": 5}) == m.Meet(5)


def test_equipment_and_aids_are_read_in_any_order():
    data = {"kind": "create", "tens": [], "equipment": ["texts", "pistols"]}
    assert GAME.load_move(data) == m.Create((), ("pistols", "texts"))
    assert GAME.load_move({"kind": "use", "aids": ["picks", "maps"]}) == m.Use(("maps", "picks"))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({}, "its kind: union_tag_not_found"),
        ({"kind": "dance"}, "its kind: union_tag_invalid"),
        ({"kind": "go", "direction": "up"}, "go.direction: literal_error"),
        ({"kind": "meet", "seat": -1}, "meet.seat: greater_than_equal"),
        ({"kind": "meet", "seat": 6}, "meet.seat: less_than_equal"),
        ({"kind": "name", "ability": "luck"}, "name.ability: literal_error"),
        ({"kind": "use", "aids": "maps"}, "use.aids: tuple_type"),
        ({"kind": "use", "aids": ["Old Maps"]}, "use.aids.0: string_pattern_mismatch"),
        ({"kind": "give_up", "aid": None}, "give_up.aid: string_type"),
        ({"kind": "create", "tens": ["combat"], "equipment": ["pistols"]}, "create.equipment: too_short"),
        (
            {"kind": "create", "tens": ["combat"] * 17, "equipment": ["pistols", "texts"]},
            "create.tens: too_long",
        ),
        ({"kind": "create", "tens": [], "equipment": ["pistols", "letter"]}, "create.equipment: value_error"),
    ],
)
def test_what_describes_no_move_is_refused(data: dict[str, Any], fault: str):
    with pytest.raises(BadData) as caught:
        GAME.load_move(data)
    assert str(caught.value) == f"a move is malformed at {fault}"
