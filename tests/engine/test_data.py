"""Moves, options and snapshots of every game as JSON data: read as they were, or refused in words."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadData, UnknownVersion
from engine.registry import load_games, packages
from tests.engine.conformance import Case, cases, few, walk
from tests.engine.data import emptied, json_values
from tests.sampling import examples

ENGINE = Path(__file__).parents[2] / "engine"
GAMES = load_games()
each = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
CASES = few(cases(GAMES))


@cache
def played(name: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A move of each kind of a random match, and the snapshot of its middle."""
    case = next(case for case in CASES if case.name == name)
    steps = walk(case, 1).steps
    moves = {type(step.move): case.game.dump_move(step.move) for step in steps}
    return list(moves.values()), case.game.dump(steps[len(steps) // 2].state)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_move_that_lacks_a_part_is_refused_or_written_so_itself(case: Case):
    for data in played(case.name)[0]:
        for part in data:
            lacking = {name: value for name, value in data.items() if name != part}
            try:
                move = case.game.load_move(lacking)
            except BadData:
                continue
            assert case.game.dump_move(move) == lacking


@given(st.sampled_from(CASES), json_values, st.data())
@examples(400)
def test_whatever_is_sent_as_a_move_is_read_or_refused(case: Case, value: Any, data: st.DataObject):
    sent = data.draw(st.sampled_from(played(case.name)[0]))
    sent = value if data.draw(st.booleans()) else {**sent, data.draw(st.sampled_from(sorted(sent))): value}
    try:
        move = case.game.load_move(sent)
    except BadData:
        return
    assert case.game.load_move(case.game.dump_move(move)) == move


@each
def test_other_numbers_of_players_and_other_options_are_refused(game: Any):
    for seats in (-1, 0, game.min_seats - 1, game.max_seats + 1):
        with pytest.raises(BadData, match=f"{game.min_seats} to {game.max_seats} players"):
            game.new(seats, game.options_type(), bytes(32))
    assert game.load_options({}) == game.options_type()
    with pytest.raises(BadData, match=f"options of {game.key}, colour"):
        game.load_options({"colour": "red"})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_snapshot_is_of_a_form_and_a_card_list_and_has_all_its_parts(case: Case):
    game, data = case.game, json.loads(json.dumps(played(case.name)[1]))
    with pytest.raises(UnknownVersion, match="form 2"):
        game.load({**data, "form": 2})
    with pytest.raises(UnknownVersion, match="card list"):
        game.load({**data, "card_list": "0" * 16})
    for part in set(data) - {"form", "card_list"}:
        with pytest.raises(BadData, match=f"damaged at {part}: missing"):
            game.load({name: value for name, value in data.items() if name != part})
    with pytest.raises(BadData, match="damaged at key") as caught:
        game.load({**data, "key": "secret"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_snapshot_shares_nothing_with_the_match(case: Case):
    game, snapshot = case.game, json.dumps(played(case.name)[1])
    data = json.loads(snapshot)
    state = game.load(data)
    emptied(game.dump(state))
    assert game.dump(state) == data
    dumped, rng = game.dump(state), Random(1)
    for _ in range(40):
        if pending := game.pending(state):
            game.apply(state, pending[0].seat, game.sample(state, pending[0].seat, rng))
    assert json.dumps(data) == json.dumps(dumped) == snapshot


@pytest.mark.parametrize("package", [name for name in packages() if any((ENGINE / name).rglob("*.json"))])
def test_what_is_no_card_list_is_refused(package: str):
    create = import_module(f"engine.{package}").create
    for card_list in ([], "cards", 7):
        with pytest.raises(BadData):
            create(card_list)
