"""Appraisals of moves that were made, and the worth of a deal."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from engine.agents.advice import advice, adviser_of, appraise
from engine.agents.deal import score_of_deal
from engine.archaeology_family.agents.master import Effort, Master
from engine.archaeology_family.moves import EndTurn, Sell
from engine.game import AnyGame
from engine.registry import load_games

GAMES = load_games()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Master, "effort", Effort(turns=120, rounds=1, likings=5, worlds=2))


@pytest.fixture
def sale(quick: None) -> tuple[Any, Sell]:
    """A view in which the agent sells a whole set early in the match, though the turn may be ended, and the sale."""
    game, rng = GAMES["archaeology"], Random(1)
    state = game.new(2, game.load_options({}), bytes(32))
    while True:
        seat = game.pending(state)[0].seat
        view = game.view(state, seat)
        best = advice(game, view, Random(1))[0]
        if best.reason.code == "sells-whole-set" and view.site > 10 and not view.duty:
            return view, best.move
        game.apply(state, seat, game.agents["novice"].choose(view, rng))


def test_the_agents_own_choice_costs_nothing_and_has_a_lead(sale: tuple[Any, Sell]) -> None:
    view, move = sale
    appraisal = appraise(GAMES["archaeology"], view, move, Random(1))
    assert (appraisal.move, appraisal.cost) == (move, 0.0)
    assert appraisal.lead != 0.0
    assert appraisal.error > 0.0
    assert appraisal.reason.code == "sells-whole-set"


def test_a_worse_move_costs_what_the_agents_choice_brings_more(sale: tuple[Any, Sell]) -> None:
    view, move = sale
    appraisal = appraise(GAMES["archaeology"], view, EndTurn(), Random(1))
    assert appraisal.move == move
    assert appraisal.lead == 0.0
    assert appraisal.cost > appraisal.error


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_an_appraisal_of_any_legal_move_follows_from_the_view_alone(key: str) -> None:
    game, rng, looked = GAMES[key], Random(key), 0
    for number, options in enumerate(game.variants(2)):
        state = game.new(2, options, sha256(bytes([number])).digest())
        while pending := game.pending(state):
            seat = pending[0].seat
            move = game.sample(state, seat, rng)
            if rng.random() < 0.08:
                view = game.view(state, seat)
                twin = game.view(game.determinize(view, rng), seat)
                assert appraise(game, view, move, Random(2)) == appraise(game, twin, move, Random(2))
                looked += 1
            game.apply(state, seat, move)
    assert looked


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if adviser_of(game)])
def test_a_deal_is_played_by_the_rules_and_the_same_again_for_the_same_chance(key: str) -> None:
    game: AnyGame = GAMES[key]
    scores = [
        score_of_deal(game, 3, game.load_options({}), bytes(32), 1, Random(number))
        for number in (1, 1, 2, 3, 4)
    ]
    assert scores[0] == scores[1]
    quick = [agent for agent in game.agents.values() if not agent.slow]
    assert (len(set(scores)) > 1) == (len(quick) > 1), "the others play differently"
