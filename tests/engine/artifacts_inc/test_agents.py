"""The novice of Artifacts, Inc.: legal whatever the cards, far better than chance, and at home with every effect."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.choices import scored_places
from engine.artifacts_inc.state import State
from engine.game import Options
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.scene import (
    GAME,
    START,
    card,
    dive,
    fill,
    gather,
    put,
    scene,
    space,
    turn_die,
)
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


def test_a_novice_places_the_lowest_die_that_serves():
    assert choice(scene(dice="4 6", divers=(1,) * 10)) == put(4, "desert_expedition")


def test_a_novice_dives_where_one_die_is_enough():
    assert choice(scene(dice="1 6 6", divers=(1, 1))) == dive(6)


def test_a_novice_turns_a_die_that_has_nothing_to_do():
    state = scene("airfield", dice="2 2", artifacts="gem*4@headquarters", divers=(1,) * 10)
    assert choice(state) == turn_die("airfield", 2, 5)


def test_a_novice_fills_an_order_rather_than_let_artifacts_lie():
    state = scene(dice="1 5", artifacts="gem*2@headquarters", divers=(1,) * 10)
    assert choice(state) == fill(5, "gem", 1)


def test_a_novice_gathers_what_it_has_least_of():
    covered = [space(key) for key in ("fossil_museum", "private_collectors")] + [
        space("canyon_expedition", 1)
    ]
    state = scene("biplane", dice="3", artifacts="fossil", divers=(1,) * 10, covered=covered, laid=[1, 1, 3])
    assert choice(state) == gather(3, "scroll")


def test_a_novice_buys_with_its_last_die_and_where_the_card_scores_most():
    turned = " ".join(f"{key}+" for key in START)
    state = scene(turned, offer="explorers_club", dice="1", dollars=6, divers=(1,) * 10)
    state.offers = [offer if number == 2 else () for number, offer in enumerate(state.offers)]
    state.offers[2] = (card("explorers_club"),)
    move = choice(state)
    assert isinstance(move, m.Buy)
    assert dict(scored_places(state, move.card))[move.place].counted == 1


def test_a_novice_rolls_at_once_and_passes_when_nothing_is_left():
    assert choice(GAME.new(2, Options(), bytes(32))) == m.Roll()
    state = scene(dice="2", covered=[space("guide_work")], laid=[1])
    state.divers = (1,) * 10
    assert choice(state) == m.PASS
