"""The agents of Artifact: at home with every decision, sensible in plain positions, each better than the one below.

The veteran keeps Aids for the fights that matter and goes where the holder must pass.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.artifact import Artifact
from engine.artifact import moves as m
from engine.artifact.agents.standing import delayed, holding, racing
from engine.artifact.party import ABILITIES
from engine.artifact.state import State
from tests.bench.agents import Job, compare
from tests.engine.artifact.scenarios import HARSH, LOADED
from tests.engine.artifact.scene import GAME, LOW, after, d10, encounter, play, roll, scene
from tests.engine.conformance import novice_match


def test_a_novice_beats_chance():
    won = 0
    for number in range(120):
        outcome = GAME.outcome(novice_match(GAME, "nr" if number % 2 else "rn", number)[0])
        assert outcome
        won += outcome.winners == (number % 2 == 0,)
    assert won >= 85


def test_a_veteran_beats_a_novice():
    jobs = [Job("artifact", "veteran", "novice", 2, seed) for seed in range(200)]
    assert sum(compare(jobs).shares) >= 212  # of 400; some 233 are expected


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_matches_among_novices_are_as_long_as_matches_should_be(seats: int):
    rounds = sorted(novice_match(GAME, "n" * seats, number)[0].round for number in range(25))
    assert 14 <= rounds[12] <= 21
    assert rounds[22] <= 25


def test_a_novice_uses_all_that_there_is_to_do():
    played: Counter[str] = Counter()
    for number in range(40):
        played += novice_match(GAME, "n" * (2 + number % 5), number)[1]
    assert set(played) == {kind.__name__ for kind in m.Move.__args__}


@pytest.mark.parametrize("level", ["novice", "veteran"])
@pytest.mark.parametrize("game", [LOADED, HARSH, GAME], ids=["loaded", "harsh", "built-in"])
def test_an_agent_plays_whatever_the_scenario(game: Artifact, level: str):
    for seats in (2, 4, 6):
        for number, options in enumerate(game.variants(seats)):
            state, rng = game.new(seats, options, bytes([number]) * 32), Random(number)
            while pending := game.pending(state):
                seat = pending[0].seat
                view = game.view(state, seat)
                game.apply(state, seat, game.agents[level].choose(view, rng))
            assert game.outcome(state)


# -- positions


def choice(state: State, level: str) -> Any:
    seat = GAME.pending(state)[0].seat
    return GAME.agents[level].choose(GAME.view(state, seat), Random(0))


def doubtful(party: str, **more: Any) -> State:
    """A Challenge for which seat 0 has Picks."""
    state = scene(3, 1, parties={0: party}, aids={0: "picks"}, **more)
    return after(state, 2, encounter("rope_bridge"))


def named(ability: int) -> State:
    """Seat 0 fights for the Artifact, has rolled a 10, and has Pistols."""
    state = scene(3, 5, parties={0: "science", 1: "science"}, aids={0: "pistols"}, holder=1)
    roll(state, 2)
    play(state, m.FORWARD, d10(10))
    if ability >= 0:
        play(state, m.Name(ability))
    return state


FIVE, THREE = " ".join(["agility"] * 5), " ".join(["agility"] * 3)
STRONG = (
    "combat strength agility navigation survival / mechanics linguistics science / combat strength agility"
)
WEAK = "! / x / x / x / x / x"
PICKS = m.Use(("picks",))
COMBAT = ABILITIES.index("combat")
CHOICES: list[tuple[str, State, Any]] = [
    ("an Aid is kept for a fight", doubtful("agility agility"), m.HOLD_BACK),
    ("to the letter Aids are kept", doubtful("", challenges="printed"), m.HOLD_BACK),
    ("a fight for the Artifact with what helps",
        after(scene(3, 5, parties={0: "science", 1: "science"}, aids={0: "pistols"}, holder=1), 2),
        m.FORWARD),
    ("the ability for which there is an Aid", named(-1), m.Name(COMBAT)),
    ("which is then spent", named(COMBAT), m.Use(("pistols",))),
    ("where the Artifact lies", after(scene(9, 20, lies=6), 4), m.BACK),
    ("far ahead", after(scene(9, 20, lies=25), 4), m.FORWARD),
    ("between the holder and home", after(scene(20, 22, holder=1), 3), m.BACK),
    ("wait for it", after(scene(20, 10, holder=1), 3), m.BACK),
    ("away from a party that has nothing to win", after(scene(4, 20, 26, holder=2), 3), m.FORWARD),
    ("to either side", after(scene(4, 7, 26, holder=2), 3), m.BACK),
    ("the Aid of least worth is given up",
        after(scene(18, 9, aids={0: "outboard rubbings"}), 2, encounter("idol"), LOW), m.GiveUp("rubbings")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "move"), [pytest.param(state, move, id=name) for name, state, move in CHOICES]
)
def test_a_sensible_player_does_this(state: State, move: Any):
    assert choice(state, "veteran") == move


def test_a_novice_overlooks_a_part_but_always_heads_for_the_artifact():
    def choices(state: State) -> set[Any]:
        view = GAME.view(state, 0)
        return {GAME.agents["novice"].choose(view, Random(number)) for number in range(40)}

    assert choices(after(scene(9, 20, lies=11), 4)) == {m.FORWARD}
    assert choices(doubtful("agility agility")) == {PICKS, m.HOLD_BACK}


# -- the veteran's estimate of the pursuit


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
