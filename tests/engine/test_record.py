"""A match's record, and checking it: the truth checks out, and every lie is named."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.archaeology import create
from engine.errors import IllegalMove
from engine.fairness import Contribution, commitment, match_key
from engine.game import Options
from engine.record import LONGEST, Record, Verdict, make_record, verify
from engine.registry import load_games

SEED = bytes(range(32))
AGREED = [Contribution("start", "1234567890"), Contribution("seat 1", "Käse")]
GAMES = load_games()
GAME = GAMES["archaeology"]


def played(moves: int = 10_000) -> Record:
    """The record of a random match, or of one given up after so many moves."""
    state, rng = GAME.new(3, Options(), match_key(SEED, AGREED)), Random(7)
    made: list[tuple[int, dict[str, Any]]] = []
    while (pending := GAME.pending(state)) and len(made) < moves:
        seat = pending[0].seat
        move = GAME.sample(state, seat, rng)
        GAME.apply(state, seat, move)
        made.append((seat, GAME.dump_move(move)))
    return make_record(
        GAME,
        options=Options(),
        seats=["person", "agent:novice", "person"],
        host_seed=SEED,
        contributions=AGREED,
        moves=made,
        outcome=GAME.outcome(state),
    )


WHOLE: dict[str, Any] = json.loads(played().model_dump_json())


def check(**changes: Any) -> Verdict:
    """The verdict on the whole record with some of its fields changed."""
    verdict = verify({**deepcopy(WHOLE), **changes}, GAMES)
    json.dumps(verdict.dump())
    return verdict


def code(verdict: Verdict) -> str:
    (fault,) = verdict.faults
    assert not verdict.sound
    return fault.code


def test_a_true_record_checks_out():
    verdict = check()
    assert verdict.sound
    assert (verdict.seed_fits, verdict.same_end, verdict.replayed) == (True, True, len(WHOLE["moves"]))
    assert verdict.dump()["faults"] == []


def test_a_record_is_checked_from_its_text_too():
    assert verify(json.dumps(WHOLE), GAMES).sound
    assert verify(json.dumps(WHOLE).encode(), GAMES).sound
    assert verify(played(), GAMES).sound


def test_a_record_holds_what_it_takes_and_names_nobody():
    assert set(WHOLE) == {
        "form", "game", "version", "scheme", "table", "options", "seats",
        "commitment", "host_seed", "contributions", "moves", "end",
    }  # fmt: skip
    assert WHOLE["seats"] == ["person", "agent:novice", "person"]
    assert WHOLE["commitment"] == commitment(SEED)
    assert len(WHOLE["end"]["ranks"]) == 3


def test_a_records_text_shows_neither_seed_nor_moves():
    text = repr(played())
    assert SEED.hex() not in text
    assert "end_turn" not in text


def test_a_match_that_was_given_up_checks_out_too():
    record = json.loads(played(40).model_dump_json())
    assert record["end"] is None
    assert verify(record, GAMES).sound


def test_another_seed_does_not_fit_the_commitment():
    verdict = check(commitment=commitment(b"another"))
    assert code(verdict) == "commitment"
    assert (verdict.seed_fits, verdict.same_end) == (False, True)


def test_a_seed_put_in_afterwards_fits_neither_commitment_nor_moves():
    verdict = check(host_seed=bytes(32).hex())
    assert [fault.code for fault in verdict.faults] == ["commitment", "illegal-move"]
    assert (verdict.seed_fits, verdict.same_end) == (False, False)


def test_another_contribution_is_another_match():
    verdict = check(contributions=[["start", "1234567891"], ["seat 1", "Käse"]])
    assert (code(verdict), verdict.seed_fits) == ("illegal-move", True)


def test_the_first_illegal_move_is_named():
    moves = deepcopy(WHOLE["moves"])
    moves[50] = [moves[50][0], {"kind": "steal", "victim": 99}]
    moves[60] = [0, {"kind": "steal", "victim": 99}]
    verdict = check(moves=moves)
    (fault,) = verdict.faults
    assert (fault.code, fault.move, fault.seat) == ("illegal-move", 50, moves[50][0])
    assert fault.facts["reason"] in ("no-thief-due", "thief-needs-opponent")
    assert (verdict.same_end, verdict.replayed) == (False, 50)


def test_the_facts_of_an_illegal_move_are_passed_on():
    moves = deepcopy(WHOLE["moves"])
    at = next(n for n, (_, move) in enumerate(moves) if move["kind"] == "sell")
    moves[at][1] = {"kind": "sell", "treasure": "map", "count": 2}
    (fault,) = check(moves=moves).faults
    assert fault.facts == {"reason": "set-too-large", "facts": {"treasure": 5, "largest": 1}}


@pytest.mark.parametrize("seat", sorted({0, 1, 2, 3, 99} - {WHOLE["moves"][10][0]}))
def test_a_move_out_of_turn_is_illegal(seat: int):
    moves = deepcopy(WHOLE["moves"])
    moves[10][0] = seat
    (fault,) = check(moves=moves).faults
    assert (fault.code, fault.move, fault.seat) == ("illegal-move", 10, seat)
    assert fault.facts["reason"] == "not-your-move"


def test_a_malformed_move_is_named():
    moves = deepcopy(WHOLE["moves"])
    moves[3][1] = {"kind": "fly"}
    (fault,) = check(moves=moves).faults
    assert (fault.code, fault.move, fault.seat) == ("malformed-move", 3, moves[3][0])


def test_moves_after_the_end_are_named():
    moves = [*WHOLE["moves"], [1, {"kind": "end_turn"}]]
    (fault,) = check(moves=moves).faults
    assert (fault.code, fault.move) == ("after-end", len(WHOLE["moves"]))


def test_a_record_that_stops_short_of_its_end_is_named():
    verdict = check(moves=WHOLE["moves"][:-1])
    assert code(verdict) == "not-over"
    assert verdict.replayed == len(WHOLE["moves"]) - 1


def test_an_end_that_is_left_out_is_named():
    assert code(check(end=None)) == "over"


@pytest.mark.parametrize("part", ["ranks", "scores"])
def test_another_end_is_named_with_both(part: str):
    end = deepcopy(WHOLE["end"])
    end[part][0] += 1
    verdict = check(end=end)
    assert code(verdict) == "other-end"
    assert verdict.faults[0].facts == {"recorded": end, "computed": WHOLE["end"]}
    assert verdict.replayed == len(WHOLE["moves"])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"version": 99}, "other-version"),
        ({"scheme": 99}, "other-scheme"),
        ({"table": "0" * 16}, "other-table"),
        ({"seats": ["person"]}, "bad-seats"),
        ({"seats": ["person"] * 5}, "bad-seats"),
        ({"options": {"colour": "red"}}, "bad-options"),
        ({"form": 2}, "malformed"),
        ({"seats": ["Ann", "Ben"]}, "malformed"),
        ({"seats": []}, "malformed"),
        ({"host_seed": "00"}, "malformed"),
        ({"host_seed": "G" * 64}, "malformed"),
        ({"host_seed": "a" * 64 + "\n"}, "malformed"),
        ({"commitment": None}, "malformed"),
        ({"contributions": [["moon", "full"]]}, "malformed"),
        ({"contributions": [["start", "\ud800"]]}, "malformed"),
        ({"contributions": [["start", "x" * 100_000]]}, "malformed"),
        ({"moves": {}}, "malformed"),
        ({"moves": [[0]]}, "malformed"),
        ({"moves": [[-1, {"kind": "dig"}]]}, "malformed"),
        ({"moves": [[0, {"kind": "dig"}]] * (LONGEST + 1)}, "malformed"),
        ({"end": {"ranks": [1], "scores": [10**400]}}, "malformed"),
        ({"end": {}}, "malformed"),
        ({"players": ["Ann"]}, "malformed"),
    ],
)
def test_what_cannot_be_replayed_is_refused_by_name(changes: dict[str, Any], expected: str):
    assert code(check(**changes)) == expected


def test_other_versions_are_named_with_both_numbers():
    assert check(version=99).faults[0].facts == {"recorded": 99, "known": GAME.version}


def test_a_record_of_other_cards_is_not_replayed_with_these():
    table = json.loads((Path(__file__).parents[2] / "engine/archaeology/cards.json").read_text())
    table["treasures"][0]["sales"][4] = 16
    assert code(verify(deepcopy(WHOLE), {"archaeology": create(table)})) == "other-table"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not-json"),
        ("{", "not-json"),
        (b"\xff\x00", "not-json"),
        ("[" * 200_000, "not-json"),
        ("9" * 10_000, "not-json"),
        ("null", "malformed"),
        ("NaN", "malformed"),
        ("[]", "malformed"),
        ('"' + "x" * 33_600_000 + '"', "too-large"),
    ],
    ids=["empty", "cut off", "bytes", "deep", "long number", "null", "NaN", "list", "huge"],
)
def test_what_is_no_record_is_refused_by_name(text: str | bytes, expected: str):
    assert code(verify(text, GAMES)) == expected


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(levels):
        inner = {"x": inner}
    return inner


@pytest.mark.parametrize("levels", [100, 100_000])
def test_depth_does_no_harm(levels: int):
    for changes in ({"moves": [[0, deep(levels)]]}, {"options": deep(levels)}, {"end": deep(levels)}):
        assert verify(WHOLE | changes, GAMES).faults


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(json_values)
def test_anything_gets_a_verdict(data: Any):
    assert not verify(data, GAMES).sound


@given(st.sampled_from(sorted(WHOLE)), json_values)
def test_anything_in_a_field_gets_a_verdict(name: str, value: Any):
    verdict = check(**{name: value})
    assert verdict.sound == (not verdict.faults)


@given(st.integers(0, len(WHOLE["moves"]) - 1), st.data())
@settings(max_examples=60)
def test_a_changed_move_is_found_at_or_after_its_place_or_changes_the_end(at: int, draw: st.DataObject):
    moves = deepcopy(WHOLE["moves"])
    moves[at] = draw.draw(st.sampled_from([move for move in moves if move != moves[at]]))
    verdict = check(moves=moves)
    assert verdict.sound or verdict.replayed >= at


def test_the_codes_of_illegal_moves_are_the_rules_own():
    state = GAME.new(3, Options(), match_key(SEED, AGREED))
    seat = GAME.pending(state)[0].seat
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, seat, GAME.load_move({"kind": "end_turn"}))
    (fault,) = check(moves=[[seat, {"kind": "end_turn"}]]).faults
    assert fault.facts == {"reason": caught.value.code, "facts": caught.value.facts}
