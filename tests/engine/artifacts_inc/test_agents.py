"""The novice of Artifacts, Inc.: legal whatever the cards, far better than chance, and at home with every effect."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.state import State
from engine.game import Options
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.scene import GAME, scene, space
from tests.engine.conformance import novice_match

NOVICE = GAME.agents["novice"]


def test_a_novice_beats_chance():
    won = 0
    for number in range(40):
        state, _ = novice_match(GAME, "nr" if number % 2 else "rn", number)
        outcome = GAME.outcome(state)
        assert outcome
        won += outcome.winners == (number % 2 == 0,)
    assert won >= 38


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_matches_among_novices_are_as_long_as_matches_should_be(seats: int):
    rounds = sorted(novice_match(GAME, "n" * seats, number)[0].round for number in range(15))
    assert 8 <= rounds[7] <= 14
    assert rounds[-1] <= 20


@pytest.mark.exhaustive
def test_a_novice_uses_all_that_there_is_to_do():
    played: Counter[str] = Counter()
    for number in range(60):
        played += novice_match(GAME, "n" * (2 + number % 3), number)[1]
    assert set(played) >= {kind.__name__ for kind in m.Move.__args__} - {"SellOne", "Gather"}


@pytest.mark.parametrize("game", [STRANGE, BARE], ids=["strange", "bare"])
def test_a_novice_plays_whatever_the_cards(game: ArtifactsInc):
    for number in range(12):
        state, played = novice_match(game, "nr" if number % 2 else "nnn", number)
        assert game.outcome(state)
        assert played["PlaceDie"]


def choice(state: State) -> m.Move:
    return NOVICE.choose(GAME.view(state, 0), Random(0))


def test_a_novice_takes_the_best_step_that_it_thinks_of():
    state = scene(dice="1 5", artifacts="gem*2@headquarters", divers=(1,) * 10)
    chosen = Counter(NOVICE.choose(GAME.view(state, 0), Random(number)) for number in range(60))
    assert len(chosen) > 2
    assert isinstance(chosen.most_common(1)[0][0], m.FillOrder)


def test_a_novice_rolls_at_once_and_passes_when_nothing_is_left():
    assert choice(GAME.new(2, Options(), bytes(32))) == m.Roll()
    state = scene(dice="2", covered=[space("guide_work")], laid=[1])
    state.divers = (1,) * 10
    assert choice(state) == m.PASS
