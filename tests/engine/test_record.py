"""A match's record, and checking it: the truth checks out, and every lie is named."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology import Archaeology, create
from engine.errors import IllegalMove
from engine.fairness import OF_DAY, SAME_DEAL, SCHEME, Contribution, commitment, match_key, of_day
from engine.game import Options
from engine.record import LARGEST, LONGEST, Agreement, Record, Verdict, make_record, replay, verify
from engine.registry import load_games

SEED = bytes(range(32))
AGREED = [Contribution("start", "1234567890"), Contribution("seat 1", "Käse")]
GAMES = load_games()
GAME = GAMES["archaeology"]


def played(moves: int = 10_000, scheme: int = SCHEME, agreed: Sequence[Contribution] = AGREED) -> Record:
    """The record of a random match, or of one given up after so many moves."""
    state, rng = GAME.new(3, Options(), match_key(SEED, agreed)), Random(7)
    made: list[tuple[int, dict[str, Any]]] = []
    while (pending := GAME.pending(state)) and len(made) < moves:
        seat = pending[0].seat
        move = GAME.sample(state, seat, rng)
        GAME.apply(state, seat, move)
        made.append((seat, GAME.dump_move(move)))
    return make_record(
        GAME,
        Agreement(
            options=Options(),
            seats=["person", "agent:novice", "person"],
            host_seed=SEED,
            contributions=agreed,
            scheme=scheme,
        ),
        made,
        GAME.outcome(state),
    )


WHOLE: dict[str, Any] = json.loads(played().model_dump_json())


def check(**changes: Any) -> Verdict:
    """The verdict on the whole record with some of its fields changed."""
    return verify({**deepcopy(WHOLE), **changes}, GAMES)


def code(verdict: Verdict) -> str:
    (fault,) = verdict.faults
    assert not verdict.sound
    return fault.code


def test_a_true_record_checks_out():
    verdict = check()
    assert verdict.sound
    assert (verdict.seed_fits, verdict.same_end, verdict.replayed) == (True, True, len(WHOLE["moves"]))


def test_a_record_is_checked_from_its_text_too():
    assert verify(json.dumps(WHOLE), GAMES).sound
    assert verify(json.dumps(WHOLE).encode(), GAMES).sound
    assert verify(played(), GAMES).sound


def test_a_record_holds_what_it_takes_and_names_nobody():
    assert set(WHOLE) == {
        "form", "game", "version", "scheme", "card_list", "options", "seats",
        "commitment", "host_seed", "contributions", "moves", "end",
    }  # fmt: skip
    assert WHOLE["seats"] == ["person", "agent:novice", "person"]
    assert WHOLE["commitment"] == commitment(SEED)
    assert len(WHOLE["end"]["ranks"]) == 3


def test_a_records_text_shows_neither_seed_nor_moves():
    text = repr(played())
    assert SEED.hex() not in text
    assert "end_turn" not in text


@pytest.mark.parametrize("moves", [0, 1, 40, len(WHOLE["moves"]) - 1])
def test_a_record_without_an_end_is_unfinished_and_says_after_how_many_moves(moves: int):
    verdict = check(moves=WHOLE["moves"][:moves], end=None)
    (fault,) = verdict.faults
    assert (fault.code, fault.facts) == ("unfinished", {"moves": moves})
    assert (verdict.sound, verdict.same_end, verdict.replayed) == (False, None, moves)
    assert not verdict.unread


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
        ({"card_list": "0" * 16}, "other-cards"),
        ({"seats": ["person"]}, "bad-seats"),
        ({"seats": ["person"] * 5}, "bad-seats"),
        ({"options": {"colour": "red"}}, "bad-options"),
        ({"form": 0}, "other-form"),
        ({"form": 2}, "other-form"),
        ({"form": 2, "moves": 7, "players": []}, "other-form"),
        ({"form": -1}, "malformed"),
        ({"form": 10**400}, "malformed"),
        ({"seats": ["Ann", "Ben"]}, "malformed"),
        ({"seats": []}, "malformed"),
        ({"host_seed": "00"}, "malformed"),
        ({"host_seed": "G" * 64}, "malformed"),
        ({"host_seed": "a" * 64 + "\n"}, "malformed"),
        ({"commitment": None}, "malformed"),
        ({"contributions": [["start", "1"], ["moon" * 20, "full"]]}, "malformed"),
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
    assert check(version=99).faults[0].facts == {"recorded": 99, "known": [GAME.version]}
    assert check(scheme=5).faults[0].facts == {"recorded": 5, "known": [2, 3, 4]}


def test_a_record_of_other_cards_is_not_replayed_with_these():
    card_list = json.loads((Path(__file__).parents[2] / "engine/archaeology/cards.json").read_text())
    card_list["treasures"][0]["sales"][4] = 16
    assert code(verify(deepcopy(WHOLE), {"archaeology": create(card_list)})) == "other-cards"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("{", "not-json"),
        ("{'form': 1}", "not-json"),
        (b"\xff\x00", "not-utf8"),
        (b'{"game": "\xfcber"}', "not-utf8"),
        (json.dumps(WHOLE).encode("utf-16-le"), "not-json"),
        (json.dumps(WHOLE).encode("utf-16"), "byte-order-mark"),
        (json.dumps(WHOLE).encode("utf-8-sig"), "byte-order-mark"),
        ("\ufeff" + json.dumps(WHOLE), "byte-order-mark"),
        ("[" * 200_000, "too-deep"),
        ("9" * 10_000, "long-number"),
        ("null", "not-an-object"),
        ("7", "not-an-object"),
        ("[]", "not-an-object"),
        ('"record"', "not-an-object"),
        ("NaN", "no-number"),
        ('{"version": -Infinity}', "no-number"),
        (json.dumps({str(n): n for n in range(200)}), "many-keys"),
        ('"' + "x" * LARGEST + '"', "too-large"),
        (b" " * (LARGEST + 1), "too-large"),
        ("{}", "malformed"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_record_is_refused_by_name(text: str | bytes, expected: str):
    verdict = verify(text, GAMES)
    assert code(verdict) == expected
    assert verdict.unread
    assert verdict.record is None


def test_a_number_beyond_all_floats_is_no_version():
    assert code(verify(json.dumps(WHOLE).replace('"version": 1,', '"version": 1e999,'), GAMES)) == "malformed"


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


def test_the_codes_of_illegal_moves_are_the_rules_own():
    state = GAME.new(3, Options(), match_key(SEED, AGREED))
    seat = GAME.pending(state)[0].seat
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, seat, GAME.load_move({"kind": "end_turn"}))
    (fault,) = check(moves=[[seat, {"kind": "end_turn"}]]).faults
    assert fault.facts == {"reason": caught.value.code, "facts": caught.value.facts}


# -- one reading only


@pytest.mark.parametrize(
    "twice", [f'{{"commitment": "{commitment(b"another")}", ', '{"moves": [], ', '{"end": null, ']
)
def test_a_key_that_stands_twice_is_refused(twice: str):
    text = json.dumps(WHOLE)
    verdict = verify(text.replace("{", twice, 1), GAMES)
    assert code(verdict) == "twice"
    assert verdict.faults[0].facts == {"key": twice.split('"')[1]}


def test_a_key_that_stands_twice_deep_inside_is_refused():
    text = json.dumps(WHOLE)
    at = text.index('{"kind": "trade"')
    assert code(verify(text[:at] + '{"kind": "trade", ' + text[at + 1 :], GAMES)) == "twice"


@pytest.mark.parametrize("disguised", [float, str, bool, lambda n: [n]], ids=["1.0", "text", "true", "list"])
@pytest.mark.parametrize("place", ["form", "version", "scheme", "moves.0.0", "end.ranks.0", "end.scores.0"])
def test_what_only_looks_like_an_integer_is_refused(place: str, disguised: Callable[[int], object]):
    record = deepcopy(WHOLE)
    *way, last = [int(part) if part.isdecimal() else part for part in place.split(".")]
    holder: Any = record
    for part in way:
        holder = holder[part]
    holder[last] = disguised(holder[last])
    verdict = verify(record, GAMES)
    assert code(verdict) == "malformed"
    assert verdict.faults[0].facts["where"].startswith(place)
    assert verify(json.dumps(record), GAMES).faults == verdict.faults


@pytest.mark.parametrize(
    "disguised", [float, str, bool, lambda n: -1 - n], ids=["1.0", "text", "true", "negative"]
)
@pytest.mark.parametrize("part", ["cards", "victim", "count", "chamber"])
def test_what_only_looks_like_an_integer_in_a_move_is_refused(part: str, disguised: Callable[[int], object]):
    moves = deepcopy(WHOLE["moves"])
    at = next(n for n, (_, move) in enumerate(moves) if part in move)
    value = moves[at][1][part]
    if isinstance(value, dict):
        value[next(iter(value))] = disguised(next(iter(value.values())))
    else:
        moves[at][1][part] = disguised(value)
    (fault,) = check(moves=moves).faults
    assert (fault.code, fault.move) == ("malformed-move", at)


class _Level(Options):
    level: int = 1
    fast: bool = False
    limits: tuple[int, ...] = ()


class _Levelled(Archaeology):
    options_type = _Level


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, None),
        ({"level": 2, "fast": True, "limits": [1, 2]}, None),
        ({"level": "2"}, "bad-options"),
        ({"level": 2.0}, "bad-options"),
        ({"level": True}, "bad-options"),
        ({"fast": 1}, "bad-options"),
        ({"fast": "true"}, "bad-options"),
        ({"limits": ["1"]}, "bad-options"),
        ({"limits": {"1": 1}}, "bad-options"),
        ({"level": float("nan")}, "bad-options"),
        ({"\ud800": 1}, "bad-options"),
    ],
)
def test_options_are_taken_in_their_own_types_alone(options: dict[str, Any], expected: str | None):
    levelled: dict[str, Any] = {GAME.key: _Levelled(create().card_list)}
    faults = verify({**WHOLE, "options": options}, levelled).faults
    assert [fault.code for fault in faults] == ([expected] if expected else [])


# -- contributions


START = ["start", "1300000000000000042"]


def contributed(
    *pairs: Any, seats: tuple[str, ...] = ("person", "agent:novice", "person"), scheme: int = 2
) -> str:
    """The code for a record with these contributions; "illegal-move" where they may be, for the deal is another."""
    return code(check(contributions=list(pairs), seats=list(seats), scheme=scheme))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([START], "illegal-move"),
        ([START, ["seat 1", "a"], ["seat 3", "b"]], "illegal-move"),
        ([["start", str(2**64 - 1)]], "illegal-move"),
        ([], "no-start"),
        ([["seat 1", "a"]], "no-start"),
        ([["seat 1", "a"], START], "no-start"),
        ([START, START], "second-start"),
        ([START, ["seat 1", "a"], ["start", "2"]], "second-start"),
        ([["start", ""]], "bad-start"),
        ([["start", "0"]], "bad-start"),
        ([["start", "moon"]], "bad-start"),
        ([["start", "01"]], "bad-start"),
        ([["start", "+1"]], "bad-start"),
        ([["start", "-1"]], "bad-start"),
        ([["start", "1 "]], "bad-start"),
        ([["start", "1\n"]], "bad-start"),
        ([["start", "1.0"]], "bad-start"),
        ([["start", "١٢"]], "bad-start"),
        ([["start", str(2**64)]], "bad-start"),
        ([["start", "1" * 2_000]], "bad-start"),
        ([START, ["moon", "full"]], "bad-source"),
        ([START, ["seat", "a"]], "bad-source"),
        ([START, ["seat 01", "a"]], "bad-source"),
        ([START, ["seat 1\n", "a"]], "bad-source"),
        ([START, ["Seat 1", "a"]], "bad-source"),
        ([START, ["seat 0", "a"]], "bad-source"),
        ([START, ["seat -1", "a"]], "bad-source"),
        ([START, ["seat 100", "a"]], "bad-source"),
        ([START, ["seat 4", "a"]], "no-such-seat"),
        ([START, ["seat 99", "a"]], "no-such-seat"),
        ([START, ["seat 3", "a"], ["seat 1", "b"]], "word-order"),
        ([START, ["seat 1", "a"], ["seat 1", "b"]], "second-word"),
        ([START, ["seat 1", ""]], "bad-word"),
        ([START, ["seat 1", "x" * 65]], "bad-word"),
        ([START, ["seat 1", "x" * 64]], "illegal-move"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_contributions_are_those_of_a_start(pairs: list[Any], expected: str):
    assert contributed(*pairs) == expected


@pytest.mark.parametrize(
    ("agreed", "expected"),
    [
        ([], "no-start"),
        ([("seat 1", "a")], "no-start"),
        ([("start", "1"), ("start", "2")], "second-start"),
        ([("start", "moon")], "bad-start"),
        ([("start", "007")], "bad-start"),
        ([("start", "1"), ("seat 3", "a"), ("seat 1", "b")], "word-order"),
        ([("start", "1"), ("seat 9", "a")], "no-such-seat"),
        ([("start", "1"), ("seat 01", "a")], "bad-source"),
        ([("start", "1"), ("seat 2", "a")], "word-of-agent"),
        ([("start", "1"), ("seat 1", "a"), ("seat 1", "b")], "second-word"),
        ([("start", "1"), ("seat 1", "a" * 65)], "bad-word"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_a_match_that_was_played_by_the_key_of_such_contributions_is_refused_too(
    agreed: list[tuple[str, str]], expected: str
):
    assert (
        code(verify(played(agreed=[Contribution(*pair) for pair in agreed]).model_dump_json(), GAMES))
        == expected
    )


def test_a_word_is_of_a_seat_that_a_person_has():
    pairs = (START, ["seat 2", "a"])
    assert contributed(*pairs) == "word-of-agent"
    assert contributed(*pairs, seats=("person", "agent", "person")) == "word-of-agent"


@pytest.mark.parametrize(
    "word",
    [
        " a",
        "a ",
        "a  b",
        "two\nlines",
        "tab\tbed",
        "\x1b[31m",
        "\u202eturned",
        "zero\u200bwidth",
        "\u200dx",
        "a\u00a0b",
    ],
)
def test_a_word_is_as_the_lobby_cleans_it(word: str):
    assert contributed(START, ["seat 1", word]) == "bad-word"


@pytest.mark.parametrize(
    "word", ["می\u200cخواهم", "👩\u200d👩\u200d👧", "a b", 'say "so"', "\U0001fae8", "\U000e0fff"]
)
def test_words_that_a_lobby_takes_are_taken_also_in_letters_of_a_later_unicode(word: str):
    assert contributed(START, ["seat 1", word]) == "illegal-move"


@pytest.mark.parametrize("word", ["\ufffe", "\U0010ffff", "\ufdd0"])
def test_what_will_never_be_a_character_is_in_no_word(word: str):
    assert contributed(START, ["seat 1", word]) == "bad-word"


# -- schemes


def test_a_daily_deal_is_of_its_day_and_nothing_else():
    whole = played(scheme=OF_DAY, agreed=of_day("2026-11-25"))
    assert verify(whole, GAMES).sound
    day = ["day", "2026-11-25"]
    for pairs in (
        [],
        [START],
        [START, day],
        [day, START],
        [day, day],
        [["day", "2026-13-01"]],
        [["day", "today"]],
    ):
        assert contributed(*pairs, scheme=OF_DAY) == "bad-day"
    assert contributed(day, scheme=2) == "no-start"
    other = whole.model_copy(update={"contributions": (("day", "2026-11-26"),)})
    assert not verify(other, GAMES).sound, "another day's deal is another one"


def test_the_deal_of_another_table_may_have_a_word_of_a_seat_that_an_agent_has_here():
    pairs = START, ["seat 2", "sesame"]
    assert contributed(*pairs, scheme=2) == "word-of-agent"
    assert contributed(*pairs, scheme=SAME_DEAL) == "illegal-move", "another word deals other cards"
    assert contributed(["seat 2", "sesame"], scheme=SAME_DEAL) == "no-start"
    assert contributed(START, ["seat 2", " "], scheme=SAME_DEAL) == "bad-word"
    assert verify(played(scheme=SAME_DEAL), GAMES).sound


def test_a_record_made_now_is_of_the_present_scheme():
    assert WHOLE["scheme"] == SCHEME == 2


# -- what was read


def test_a_verdict_bears_what_was_read_for_the_eye_even_where_it_does_not_fit():
    for verdict in (check(), check(commitment="0" * 64), check(version=99), check(end=None)):
        assert verdict.record
        assert verdict.record.contributions == tuple(AGREED)


@pytest.mark.parametrize(
    ("changes", "unread"),
    [
        ({"version": 99}, True),
        ({"game": "chess"}, True),
        ({"scheme": 5}, True),
        ({"card_list": ""}, True),
        ({"form": 2}, True),
        ({"moves": 1}, True),
        ({"version": 99, "commitment": "0" * 64}, False),
        ({"seats": ["person"]}, False),
        ({"options": {"colour": "red"}}, False),
        ({"end": None}, False),
        ({}, False),
    ],
)
def test_what_cannot_be_checked_here_is_told_from_what_does_not_fit(changes: dict[str, Any], unread: bool):
    assert check(**changes).unread == unread


def test_the_path_to_a_fault_holds_nothing_that_a_terminal_obeys():
    for key in ("\x1b[2J", "\u202e", "\n", "ü", "\x7f"):
        (fault,) = verify({**WHOLE, key: 1}, GAMES).faults
        assert fault.facts["where"].isascii()
        assert fault.facts["where"].isprintable()


# -- playing it again


def steps(record: Record) -> list[tuple[int, int | None, str | None, int]]:
    """By step: moves made, who made the last one, to what kind of decision, and how many events it brought about."""
    return [(step.move, step.seat, step.kind, len(step.events)) for step in replay(record, GAMES)]


def test_a_match_is_played_again_from_its_set_up_to_its_last_move():
    record = played()
    game = GAMES[record.game]
    made = steps(record)
    assert made[0][:3] == (0, None, None)
    assert [(move, seat) for move, seat, *_ in made[1:]] == [
        (number, seat) for number, (seat, _) in enumerate(record.moves, 1)
    ]
    assert all(events for *_, events in made)
    (last,) = deque(replay(record, GAMES), maxlen=1)
    outcome = game.outcome(last.state)
    assert outcome
    assert record.end
    assert (outcome.ranks, outcome.scores) == (record.end.ranks, record.end.scores)
    assert game.view(last.state, None).moves == last.move


def test_each_step_shows_the_state_after_it_and_what_the_seat_was_asked():
    record = played()
    game = GAMES[record.game]
    asked = {}
    for step in replay(record, GAMES):
        assert game.view(step.state, None).moves == step.move
        if step.seat is not None:
            assert asked[step.seat] == step.kind
        asked = {decision.seat: decision.kind for decision in game.pending(step.state)}


@pytest.mark.parametrize("at", [0, 30, len(WHOLE["moves"]) - 1])
def test_it_stops_before_the_first_move_that_does_not_fit(at: int):
    record = played()
    moves = (
        *record.moves[:at],
        (record.moves[at][0], {"kind": "steal", "victim": 99}),
        *record.moves[at + 1 :],
    )
    broken = record.model_copy(update={"moves": moves})
    assert steps(broken) == steps(record)[: at + 1]
    assert verify(broken, GAMES).replayed == at


def test_nothing_is_played_after_the_end():
    record = played()
    longer = record.model_copy(update={"moves": (*record.moves, record.moves[0])})
    assert steps(longer) == steps(record)


@pytest.mark.parametrize(
    "changed", [{"game": "chess"}, {"version": 99}, {"card_list": "other"}, {"contributions": ()}]
)
def test_of_a_match_that_cannot_be_played_here_there_is_no_step(changed: dict[str, Any]):
    assert steps(played().model_copy(update=changed)) == []


def test_a_step_does_not_print_what_is_hidden():
    (step, *_) = replay(played(), GAMES)
    assert repr(step) == "Step(move=0, seat=None, kind=None)"
