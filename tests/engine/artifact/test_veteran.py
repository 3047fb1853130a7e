"""The veteran of Artifact: it keeps Aids for the fights that matter and goes where the holder must pass."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.artifact import moves as m
from engine.artifact.agents.standing import delayed, holding, racing
from engine.artifact.party import ABILITIES
from engine.artifact.state import State
from tests.bench.agents import Job, compare
from tests.engine.artifact.scenarios import HARSH, LOADED
from tests.engine.artifact.scene import GAME, LOW, d10, encounter, play, roll, scene


def choice(state: State, game: Any = GAME) -> Any:
    seat = game.pending(state)[0].seat
    return game.agents["veteran"].choose(game.view(state, seat), Random(0))


def after(state: State, face: int, *numbers: int) -> State:
    roll(state, face, *numbers)
    return state


# -- the pursuit


def test_who_is_nearer_to_home_with_the_artifact_has_the_better_chance():
    chances = [holding(0.0, True, square, 30, True) for square in range(2, 30)]
    assert chances[0] == 1.0
    assert all(near >= far - 1e-9 for near, far in pairwise(chances))


@pytest.mark.parametrize("lead", [-0.6, -0.1, 0.3, 0.8])
def test_the_pursuit_is_the_same_from_both_sides(lead: float):
    for square in (5, 12, 24):
        for other in (3, 12, 17):
            own, rival = holding(lead, True, square, other, True), holding(-lead, False, square, other, True)
            assert own == pytest.approx(1 - rival)
    assert racing(lead, 9, 14, True) == pytest.approx(1 - racing(-lead, 14, 9, False))


def test_a_lead_in_fights_helps_and_a_lost_turn_harms():
    assert (
        holding(0.4, True, 20, 14, True)
        > holding(0.1, True, 20, 14, True)
        > holding(-0.4, True, 20, 14, True)
    )
    assert delayed(0.0, True, 20, 14, holder_skips=True) < holding(0.0, True, 20, 14, False)
    assert delayed(0.0, True, 20, 14, holder_skips=False) > holding(0.0, True, 20, 14, True)


# -- decisions


def test_a_veteran_keeps_an_aid_for_a_fight_where_a_novice_would_spend_it():
    doubtful = after(
        scene(3, 1, parties={0: "agility agility"}, aids={0: "picks"}), 2, encounter("rope_bridge")
    )
    view = GAME.view(doubtful, 0)
    assert GAME.agents["novice"].choose(view, Random(0)) == m.Use(("picks",))
    assert choice(doubtful) == m.HOLD_BACK


def test_to_the_letter_a_veteran_keeps_its_aids():
    state = scene(3, 1, aids={0: "picks"}, challenges="printed")
    assert choice(after(state, 2, encounter("rope_bridge"))) == m.HOLD_BACK


def test_a_veteran_names_the_ability_for_which_it_has_an_aid_and_spends_it_on_the_artifact():
    state = scene(3, 5, parties={0: "science", 1: "science"}, aids={0: "pistols"}, holder=1)
    roll(state, 2)
    assert choice(state) == m.FORWARD
    play(state, m.FORWARD, d10(10))
    assert choice(state) == m.Name(ABILITIES.index("combat"))
    play(state, m.Name(ABILITIES.index("combat")))
    assert choice(state) == m.Use(("pistols",))


def test_a_veteran_waits_between_the_holder_and_home():
    assert choice(after(scene(20, 22, holder=1), 3)) == m.BACK
    assert choice(after(scene(20, 10, holder=1), 3)) == m.BACK


def test_a_veteran_keeps_away_from_a_party_that_has_nothing_to_win():
    assert choice(after(scene(4, 20, 26, holder=2), 3)) == m.FORWARD
    assert choice(after(scene(4, 7, 26, holder=2), 3)) == m.BACK


def test_a_veteran_goes_where_the_artifact_lies():
    assert choice(after(scene(9, 20, lies=6), 4)) == m.BACK
    assert choice(after(scene(9, 20, lies=25), 4)) == m.FORWARD


def test_a_veteran_gives_up_the_aid_of_least_worth():
    state = scene(18, 9, aids={0: "outboard rubbings"})
    assert choice(after(state, 2, encounter("idol"), LOW)) == m.GiveUp("rubbings")


# -- matches


@pytest.mark.parametrize("game", [LOADED, HARSH], ids=["loaded", "harsh"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_veteran_plays_whatever_the_scenario(game: Any, seats: int):
    for number in range(3):
        for options in game.variants(seats):
            state = game.new(seats, options, bytes([number]) * 32)
            while game.pending(state):
                seat = game.pending(state)[0].seat
                game.apply(state, seat, choice_of(game, state, seat))
            assert game.outcome(state)


def choice_of(game: Any, state: State, seat: int) -> Any:
    return game.agents["veteran"].choose(game.view(state, seat), Random(0))


def test_a_veteran_beats_a_novice():
    jobs = [Job("artifact", "veteran", "novice", 2, seed) for seed in range(200)]
    assert sum(compare(jobs).shares) >= 212  # of 400; some 233 are expected
