"""The level between novice and expert in Artifacts, Inc.: one line, one card to buy, a taste for dives; and quick."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from engine.agents.lines import Judged
from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.expert import LITTLE, Veteran
from engine.artifacts_inc.agents.table import Course
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.state import State
from engine.game import Options
from tests.bench.agents import Job, compare
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.scene import BUILT_IN, GAME, dive, scene

LEVEL = "veteran"
whatever_cards = pytest.mark.parametrize(
    "game", [GAME, BUILT_IN, STRANGE, BARE], ids=["scene", "built-in", "strange", "bare"]
)


def victories(first: str, second: str, matches: int, seats: int = 2) -> float:
    """Victories of `first` in mirrored matches with the built-in cards."""
    seeds = range(matches // seats)
    return sum(compare(Job(GAME.key, first, second, seats, seed) for seed in seeds).shares)


def choice(state: State, level: str = LEVEL) -> m.Move:
    return GAME.agents[level].choose(GAME.view(state, 0), Random(0))


def test_it_is_quick_enough_to_play_for_people_who_are_away():
    assert isinstance(GAME.agents[LEVEL], Veteran)
    assert not GAME.agents[LEVEL].slow


def test_it_beats_a_novice():
    assert victories(LEVEL, "novice", 30) >= 15  # wins 61 in a hundred


def test_a_player_fresh_from_the_lesson_wins_a_part_of_the_matches_against_it():
    assert 2 <= victories("pupil", LEVEL, 20) <= 12  # wins 34 in a hundred


@pytest.mark.system
def test_it_loses_to_an_expert():
    assert victories(LEVEL, "expert", 20) <= 7  # wins 17 in a hundred


@pytest.mark.exhaustive
def test_it_wins_more_than_its_share_among_three_novices_and_less_among_experts():
    assert victories(LEVEL, "novice", 16, seats=4) >= 6  # wins 56 in a hundred, where a fair share is 25
    assert victories(LEVEL, "expert", 16, seats=4) <= 3  # wins 5 in a hundred


@whatever_cards
def test_its_decisions_are_legal_short_and_the_same_each_time_whatever_the_cards(
    game: ArtifactsInc, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a match among its like, and wherever random play leads."""
    judged = [0]
    judge = Turn.judge

    def counted(turn: Turn, course: Course, /) -> Judged:
        judged[-1] += 1
        return judge(turn, course)

    monkeypatch.setattr(Turn, "judge", counted)
    agent, twin, kinds = Veteran(game), Veteran(game), set[str]()
    for seats in (2, 4):
        state = game.new(seats, Options(), sha256(f"narrow {seats}".encode()).digest())
        rng, moves = Random(seats), 0
        while game.pending(state):
            seat, view = state.active, game.view(state, state.active)
            judged.append(0)
            move = agent.choose(view, Random(moves))
            kinds.add(type(move).__name__)
            if moves % 10 == 0:
                judged.append(0)
                assert twin.choose(view, Random(moves)) == move
            astray = seats == 4 and rng.random() < 0.5
            game.apply(state.copy() if astray else state, seat, move)
            if astray:
                game.apply(state, seat, game.sample(state, seat, rng))
            moves += 1
            assert moves < 3000
        assert game.outcome(state)
    assert max(judged) <= LITTLE.positions + LITTLE.rolls * LITTLE.rolled_limit
    assert kinds >= {"PlaceDie", "FillOrder", "Buy", "TurnCard"}


def test_it_dives_where_an_expert_would_do_better():
    state = scene(dice="1 6")
    assert choice(state) == dive(6)
    assert isinstance(choice(state, "expert"), m.PlaceDie)


def test_it_passes_over_a_good_purchase_for_another_that_seems_best_at_a_glance():
    state = scene(dice="1", dollars=4)
    assert isinstance(choice(state), m.PlaceDie)
    assert isinstance(choice(state, "expert"), m.Buy)


def test_it_fills_an_order_with_what_it_has_just_gained():
    state = scene(dice="1 1 3", dollars=1, divers=(1,) * 10)
    first = choice(state)
    assert isinstance(first, m.PlaceDie)
    GAME.apply(state, 0, first)
    assert isinstance(choice(state), m.FillOrder)
