"""The course of turns and rounds, and the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.artifacts_inc.state import State
from engine.game import Event, Options
from tests.engine.artifacts_inc.scene import (
    GAME,
    KEY,
    PASS,
    asked,
    buy,
    code,
    dive,
    facts,
    fill,
    kinds,
    play,
    put,
    refused,
    roll,
    roll_again,
    scene,
    turn,
)


def begin(seats: int = 3) -> State:
    return GAME.new(seats, Options(), KEY)


# -- rolling


def test_a_first_turn_waits_for_its_roll_and_later_turns_roll_by_themselves():
    state = begin(3)
    events: list[Event] = []
    for turn_ in range(3):
        seat = (state.first + turn_) % 3
        assert asked(state) == (seat, "arrange")
        events = play(state, roll())
        assert kinds(events) == ["rolled"]
        assert facts(events, "rolled") == {"dice": state.dice, "round": 1}
        assert len(state.dice) == 3
        assert asked(state) == (seat, "act")
        events = play(state, PASS)
    assert kinds(events) == ["passed", "rolled"]
    assert asked(state) == (state.first, "act")
    assert facts(events, "rolled") == {"dice": state.dice, "round": 2}


def test_a_roll_is_chance_and_a_placement_is_not():
    state = scene(dice="1 1 1", dollars=9, offer="airfield")
    for move in (put(1, "guide_work"), put(1, "canyon_expedition")):
        assert not any(event.reveals for event in play(state, move))
    events = play(state, PASS)
    assert [event.kind for event in events if event.reveals] == ["rolled"]


def test_dice_are_told_in_ascending_order():
    for number in range(20):
        state = GAME.new(2, Options(), number.to_bytes(32, "big"))
        (event,) = play(state, roll())
        assert event.facts["dice"] == sorted(event.facts["dice"])
        assert all(1 <= die <= 6 for die in event.facts["dice"])


def test_what_is_laid_and_used_is_taken_back_at_the_end_of_the_turn():
    state = scene("caravan", dice="2 2 2 2", divers=())
    play(state, roll_again("caravan", 2), PASS, PASS)
    state.dice = [3, 3, 3]
    play(state, put(3, "guide_work"), put(3, "canyon_expedition", 1), dive(3))
    assert asked(state) == (1, "act")
    assert [*state.covered, *state.laid, *state.used, *state.dived] == []


def test_a_die_that_is_placed_is_gone_from_the_unplaced_ones():
    state = scene(dice="4 4 6")
    play(state, put(4, "desert_expedition"))
    assert state.dice == [4, 6]
    assert state.covered == [put(4, "desert_expedition").on]
    assert state.laid == [4]


# -- ends of turns


def test_r37_a_turn_ends_by_itself_when_no_die_is_unplaced():
    state = scene(dice="4")
    events = play(state, put(4, "guide_work"))
    assert kinds(events) == ["earned", "rolled"]
    assert asked(state) == (1, "act")


def test_r37_a_turn_goes_on_while_dice_are_unplaced_even_if_none_can_be_placed():
    state = scene(dice="1 2")
    play(state, put(1, "guide_work"))
    assert asked(state) == (0, "act")
    assert kinds(play(state, PASS)) == ["passed", "rolled"]


def test_a_pass_tells_the_dice_that_were_left():
    assert facts(play(scene(dice="2 5"), PASS), "passed") == {"dice": [2, 5]}


def test_play_goes_clockwise():
    state = scene(dice="1", seats=4, active=2)
    play(state, PASS)
    assert asked(state) == (3, "act")
    play(state, PASS)
    assert asked(state) == (0, "act")
    assert state.round == 3


# -- the end


def near(reputation: list[int], active: int = 0, **more: Any) -> State:
    """A match in which somebody may reach the goal: the cards' icons have given this reputation."""
    state = scene(seats=len(reputation), active=active, **more)
    state.earned = [(n, 0, 0, 0) for n in reputation]
    state.derive()
    return state


def test_the_round_is_finished_once_somebody_has_20():
    state = near([18, 0, 0], dice="1 1", dollars=4)
    events = play(state, turn(1, "headquarters"))
    assert facts(events, "reached") == {"reputation": 20, "round": 2}
    play(state, PASS)
    assert asked(state) == (1, "act")
    play(state, PASS)
    assert asked(state) == (2, "act")
    events = play(state, PASS)
    assert kinds(events) == ["passed", "over"]
    assert asked(state) is None


def test_19_is_not_enough_and_the_goal_is_told_once():
    state = near([17, 0], dice="1 1 1 1", dollars=20)
    events = play(state, turn(1, "headquarters"))
    assert "reached" not in kinds(events)
    play(state, turn(1, "desert_expedition", slot=1))
    assert state.last
    state.dice, state.covered, state.laid = [1, 1], [], []
    assert "reached" not in kinds(play(state, turn(1, "canyon_expedition")))


def test_a_dive_and_a_bought_card_may_reach_the_goal_too():
    state = near([19, 0], dice="2 2")
    assert kinds(play(state, dive(2))) == ["dived", "reached"]
    state = near([15, 0], dice="1 1", dollars=8, offer="world_exhibition")
    assert kinds(play(state, buy(1, "world_exhibition"))) == ["bought", "revealed", "reached"]


def test_majorities_count_only_at_the_end():
    state = near([18, 0], dice="1 1", artifacts="fossil*2", active=0)
    play(state, fill(1, "fossil", 1))
    assert state.reputation == [18, 0]
    state.last = True
    events = play(state, PASS, PASS)
    assert kinds(events)[-2:] == ["majority", "over"]
    assert state.earned[0] == (18, 0, 0, 3)
    assert state.reputation == [21, 0]


def test_the_over_event_tells_winners_and_scores():
    state = near([20, 7, 20], active=2, dice="1")
    state.dollars = [1, 0, 2]
    events = play(state, PASS)
    assert facts(events, "over") == {"winners": (2,), "scores": (20, 7, 20)}


def test_nobody_may_move_when_it_is_over():
    state = near([20, 7], active=1, dice="1")
    play(state, PASS)
    assert GAME.outcome(state)
    for seat in (0, 1):
        assert refused(state, PASS, seat).code == "not-your-move"


def test_only_the_active_seat_may_move():
    state = scene(dice="1")
    assert code(state, PASS, seat=1) == "not-your-move"
    assert code(begin(2), roll(), seat=1 - begin(2).first) == "not-your-move"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_have_as_many_turns(seats: int):
    """Random matches end with the last player of the order."""
    for number in range(5):
        state, rng = GAME.new(seats, Options(), number.to_bytes(32, "big")), Random(number)
        turns = [0] * seats
        while GAME.pending(state):
            events = GAME.apply(state, state.active, GAME.sample(state, state.active, rng))
            for event in events:
                if event.kind == "rolled":
                    assert event.seat is not None
                    turns[event.seat] += 1
        assert turns == [state.round] * seats
