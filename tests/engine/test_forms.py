"""Moves as JSON data: what follows from the fields of their classes."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

import pytest
from pydantic import AfterValidator, Field

from engine.errors import BadData
from engine.forms import ALWAYS, Moves, Spelled, by_key

SUITS: Final = ("sun", "moon")
NUMBERS: Final = {"palace": 7, "hut": 8}
"""The catalogue: numbers by key."""


def _number(key: str, catalogue: dict[str, int]) -> int:
    if key not in catalogue:
        raise BadData("a move names a card that does not exist")
    return catalogue[key]


def _key(number: int, catalogue: dict[str, int]) -> str:
    return next(key for key, n in catalogue.items() if n == number)


Card = Annotated[int, Spelled(str, _number, _key)]


class Place(NamedTuple):
    suit: Annotated[int, by_key(SUITS)]
    copy: int = 0
    slot: Annotated[int, ALWAYS] = 0


class Build(NamedTuple):
    card: Card
    on: Place


class PassOn(NamedTuple):
    cards: Annotated[
        tuple[Annotated[int, Field(ge=1, le=6)], ...],
        Field(max_length=2),
        AfterValidator(lambda cards: tuple(sorted(cards))),
    ]
    to: int | None = None


class EndTurn(NamedTuple):
    """Has no parts."""


MOVES: Final = Moves[Build | PassOn | EndTurn](Build, PassOn, EndTurn)


@pytest.mark.parametrize(
    ("move", "data"),
    [
        (
            Build(8, Place(1, 2, 3)),
            {"kind": "build", "card": "hut", "on": {"suit": "moon", "copy": 2, "slot": 3}},
        ),
        (Build(7, Place(0)), {"kind": "build", "card": "palace", "on": {"suit": "sun", "slot": 0}}),
        (PassOn((1, 2)), {"kind": "pass_on", "cards": [1, 2]}),
        (PassOn((), 3), {"kind": "pass_on", "cards": [], "to": 3}),
        (EndTurn(), {"kind": "end_turn"}),
    ],
)
def test_a_move_is_written_by_its_fields_and_read_again(move: Any, data: dict[str, Any]):
    assert MOVES.dump(move, NUMBERS) == data
    read = MOVES.load(data, NUMBERS)
    assert read == move
    assert type(read) is type(move)


def test_what_has_its_default_may_be_written_all_the_same():
    data = {"kind": "build", "card": "hut", "on": {"suit": "moon", "copy": 0, "slot": 3}}
    assert MOVES.load(data, NUMBERS) == Build(8, Place(1, 0, 3))


def test_checks_of_pydantic_change_what_is_read():
    assert MOVES.load({"kind": "pass_on", "cards": [5, 2]}) == PassOn((2, 5))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "end_turn", "note": 1},
        {"kind": "pass_on"},
        {"kind": "pass_on", "cards": [True]},
        {"kind": "pass_on", "cards": [1.0]},
        {"kind": "pass_on", "cards": ["1"]},
        {"kind": "pass_on", "cards": [1, 2, 3]},
        {"kind": "pass_on", "cards": [1], "to": None},
        {"kind": "build", "card": "hut", "on": {"suit": "moon"}},
        {"kind": "build", "card": "hut", "on": {"suit": "stars", "slot": 1}},
        {"kind": "build", "card": "hut", "on": ["moon", 0, 1]},
        {"kind": "build", "card": "castle", "on": {"suit": "moon", "slot": 1}},
    ],
)
def test_a_malformed_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData, match="a move"):
        MOVES.load(data, NUMBERS)


def test_a_game_with_one_kind_of_move_reads_it_too():
    assert Moves[EndTurn](EndTurn).load({"kind": "end_turn"}) == EndTurn()
