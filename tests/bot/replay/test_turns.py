"""Into which turns a recorded match is divided."""

from __future__ import annotations

import itertools

import pytest

from bot.replay.turns import Moment, moments
from tests.bot.replay.records import ENGINES, PLAYED, played


def turns_of(key: str, seats: int = 3, seed: int = 1) -> list[tuple[int, int | None, int | None, str | None]]:
    """By move: the turn, whose it is, who moved, and to what kind of decision."""
    return [
        (moment.turn, moment.owner, moment.step.seat, moment.step.kind)
        for moment in moments(played(key, seats, seed), ENGINES)
    ]


@pytest.mark.parametrize("key", PLAYED)
def test_every_move_belongs_to_a_turn_and_turns_follow_each_other(key: str) -> None:
    turns = turns_of(key)
    assert turns[0] == (0, None, None, None), "the set-up"
    assert len(turns) == len(played(key).moves) + 1
    numbers = [turn for turn, *_others in turns]
    assert {later - earlier for earlier, later in itertools.pairwise(numbers)} <= {0, 1}
    assert all(turn for turn in numbers[1:])
    assert numbers[-1] > 1


@pytest.mark.parametrize("key", PLAYED)
def test_a_turn_is_one_seats_and_the_next_one_anothers(key: str) -> None:
    owners = {turn: owner for turn, owner, _seat, _kind in turns_of(key)}
    for turn in range(1, len(owners)):
        assert owners[turn] != owners[turn - 1]


@pytest.mark.parametrize(("key", "kind"), [("expedition", "sandstorm"), ("artifact", "defend")])
def test_replies_of_other_seats_do_not_end_a_turn(key: str, kind: str) -> None:
    matches = [turns_of(key, 3, seed) for seed in range(1, 6)]
    replies = [
        (before, reply)
        for match in matches
        for before, reply in itertools.pairwise(match)
        if reply[3] == kind and reply[1] != reply[2]
    ]
    assert replies, f"nobody had to {kind}"
    assert all(before[0] == reply[0] for before, reply in replies)


def test_a_record_of_a_game_that_is_unknown_here_has_no_moments() -> None:
    record = played("archaeology").model_copy(update={"game": "chess"})
    assert list(moments(record, ENGINES)) == []


def test_repr_of_a_moment_hides_the_state() -> None:
    moment: Moment = next(moments(played("archaeology"), ENGINES))
    assert repr(moment).count("state") == 0
