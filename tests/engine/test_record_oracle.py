"""The engine's verifier and the one written from docs/record.md alone agree on every record, true or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import Contribution, match_key
from engine.game import AnyGame, Options
from engine.record import Agreement, make_record, verify
from engine.registry import load_games
from tests.engine.record_oracle import SEATS, NoRecord, Unsound, check
from tests.sampling import examples

GAMES = {key: game for key, game in load_games().items() if key in SEATS}
WORDS = ("", "Käse", 'say "so" \\o/', "می\u200cخواهم", "👩\u200d🚀")


def cases() -> list[tuple[AnyGame, int, Options]]:
    """Every game at every number of seats, with every monument and with a drawn one."""
    return [
        (game, seats, options)
        for game in GAMES.values()
        for seats in range(game.min_seats, game.max_seats + 1)
        for options in {str(o): o for o in (*game.variants(seats), game.options_type())}.values()
    ]


def played(game: AnyGame, seats: int, options: Options, rng: Random, hesitant: float) -> dict[str, Any]:
    """The record of a random match. The hesitant pass where they may, so that some day they must sell."""
    seed = rng.randbytes(32)
    words = [(f"seat {n}", rng.choice(WORDS)) for n in range(1, seats + 1)]
    agreed = [Contribution("start", str(rng.randrange(1, 2**64)))]
    agreed += [Contribution(source, word) for source, word in words if word]
    state: Any = game.new(seats, options, match_key(seed, agreed))
    moves: list[tuple[int, dict[str, Any]]] = []
    while waiting := game.pending(state):
        seat = rng.choice(waiting).seat
        data = game.dump_move(game.sample(state, seat, rng))
        if waiting[0].kind == "act" and rng.random() < hesitant:
            data = passing(game, state) or data
        game.apply(state, seat, game.load_move(data))
        moves.append((seat, data))
    made = make_record(
        game,
        Agreement(
            options=options,
            seats=["person"] * seats,
            host_seed=seed,
            contributions=agreed,
            scheme=rng.choice((2, 4)),
        ),
        moves,
        game.outcome(state),
    )
    return made.model_dump(mode="json")


def passing(game: AnyGame, state: Any) -> dict[str, Any] | None:
    """The move that ends a turn in the game's "act", where the seat may end it."""
    match game.key:
        case "artifacts-inc":
            return {"kind": "pass"}
        case "archaeology" | "expedition" if not state.site and not state.duty:
            return {"kind": "end_turn"}
        case _:
            return None


def agreed_verdict(text: str) -> bool:
    """Whether the record is sound, on which both verifiers agree."""
    match, record = None, True
    try:
        match = check(text.encode("utf-8", "surrogatepass"))
    except NoRecord:
        record = False
    except Unsound:
        pass
    verdict = verify(text, GAMES)
    assert verdict.sound == (match is not None), verdict
    assert verdict.unread == (not record), verdict
    if match and verdict.record and verdict.record.end:
        assert match.end() == verdict.record.end.model_dump(mode="json")
    return verdict.sound


def test_every_published_game_is_specified():
    unspecified = set(load_games(unpublished=False)) - set(GAMES)
    assert not unspecified, "docs/adding-a-game.md says what to write, under Fairness"


@pytest.mark.parametrize("hesitant", [0, 0.8])
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case[0].key}-{case[1]}-{case[2]}")
def test_random_matches_are_sound_to_both(case: tuple[AnyGame, int, Options], hesitant: float):
    assert agreed_verdict(json.dumps(played(*case, Random(str(case[2])), hesitant)))


# -- records that somebody has changed


@cache
def sample(number: int) -> dict[str, Any]:
    """One of some records to be changed."""
    game, seats, options = cases()[number]
    return played(game, seats, options, Random(number), number % 2 / 2)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in JSON data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def disguised(value: Any) -> list[Any]:
    """Texts that might pass for a value where readers are not strict, and texts near them."""
    match value:
        case bool():
            return [int(value), str(value).lower(), not value]
        case int():
            return [
                float(value),
                str(value),
                bool(value),
                value + 1,
                value - 1,
                -value,
                value + 2**64,
                [value],
            ]
        case str():
            return [
                f"{value} ",
                f" {value}",
                f"0{value}",
                f"+{value}",
                value.upper(),
                value[:-1],
                f"{value}\u200b",
                [value],
            ]
        case float():
            return [int(value), str(value)]
        case None:
            return [False, 0, "", {}, [], "null"]
        case dict():
            return [list(value.items()), {**value, "": None}, None]
        case _:
            return [[*value, None], dict.fromkeys(map(str, value)), value[::-1], None]


def change(record: dict[str, Any], draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
    """Changes something somewhere."""
    often = [name for name in ("moves", "contributions") * 3 if name in record]
    top = draw(st.sampled_from([*record, *often]))
    path = draw(st.sampled_from([(top, *place) for place in places(record[top])]))
    holder: Any = record
    for key in path[:-1]:
        holder = holder[key]
    key = path[-1]
    match draw(st.sampled_from(["disguise", "delete", "twice", "swap", "other"])):
        case "disguise":
            holder[key] = draw(st.sampled_from(disguised(holder[key])))
        case "delete":
            del holder[key]
        case "twice" if isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
        case "swap" if isinstance(holder, list):
            holder[key], holder[key - 1] = holder[key - 1], holder[key]
        case _ if isinstance(holder, list):
            holder[key] = deepcopy(draw(st.sampled_from(holder)))
        case _:
            holder[key] = draw(st.sampled_from(disguised(holder[key])))


BY_EYE = ("scheme", "options", "seats", "moves")
"""Facts that the rest of a record may not settle: the players, the legal moves, a monument that nobody explored."""


def settled(record: dict[str, Any]) -> str:
    """Facts in which no two sound records can differ, if all else is the same."""
    kept = {name: value for name, value in record.items() if name not in BY_EYE}
    return json.dumps({**kept, "seats": len(record["seats"])}, sort_keys=True)


@given(st.integers(0, len(cases()) - 1), st.integers(1, 3), st.data())
@examples(400)
def test_a_changed_record_is_unsound_unless_nothing_that_matters_has_changed(
    number: int, changes: int, data: st.DataObject
):
    record = deepcopy(sample(number))
    for _ in range(changes):
        change(record, data.draw)
    if agreed_verdict(json.dumps(record)):
        assert settled(record) == settled(sample(number))


@given(st.integers(0, len(cases()) - 1), st.data())
@examples(200)
def test_a_text_in_which_something_was_overwritten_is_unsound_unless_nothing_that_matters_has_changed(
    number: int, data: st.DataObject
):
    text = json.dumps(sample(number))
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 3))
    put = data.draw(st.text("0123456789\"'{}[],:. -+eEtruefalsnu\\\x00\ufeff\ud800", max_size=3))
    changed = text[:at] + put + text[at + length :]
    if agreed_verdict(changed):
        assert settled(json.loads(changed)) == settled(sample(number))


def with_word(word: str) -> dict[str, Any]:
    record = deepcopy(sample(0))
    record["contributions"] = [record["contributions"][0], ["seat 1", word]]
    return record


def with_first_move(seat: int, **more: Any) -> dict[str, Any]:
    record = deepcopy(sample(0))
    record["moves"][0] = [seat, {**record["moves"][0][1], **more}]
    return record


def with_end(part: str, value: int) -> dict[str, Any]:
    record = deepcopy(sample(0))
    record["end"][part][0] = value
    return record


@pytest.mark.parametrize(
    ("record", "readable"),
    [
        pytest.param(with_first_move(0, note="\ud800"), False, id="half a character in a move"),
        pytest.param(with_first_move(0, **{"\udfff": 1}), False, id="half a character in a move's key"),
        pytest.param(with_first_move(0, note="\ud83c\udfff"), True, id="a whole one, written as two halves"),
        pytest.param(with_first_move(99), True, id="a seat that the match does not have"),
        pytest.param(with_first_move(100), False, id="a seat that no match has"),
        pytest.param(with_end("ranks", 99), True, id="a rank that is not so"),
        pytest.param(with_end("ranks", 100), False, id="a rank that no match has"),
        pytest.param(with_end("scores", 1_000_000), True, id="a score that is not so"),
        pytest.param(with_end("scores", 1_000_001), False, id="a score that no match has"),
        pytest.param(
            {**sample(0), "game": "chess", "commitment": "0" * 64},
            True,
            id="a false commitment in a game that is not known here",
        ),
        pytest.param(with_word("\ufffe"), True, id="a noncharacter"),
        pytest.param(with_word("\U0003fffe"), True, id="a noncharacter far up"),
        pytest.param(with_word("\ufdd0"), True, id="a noncharacter amid others"),
        pytest.param(with_word("x" * 2_001), False, id="a word that is longer than anything"),
    ],
)
def test_what_does_not_fit_and_what_is_no_record_are_told_apart(
    record: dict[str, Any], readable: bool
) -> None:
    text = json.dumps(record)
    assert not agreed_verdict(text)
    assert verify(text, GAMES).unread is not readable
