"""The quickened Expert that plays matches on: it plays as the Expert does, whatever it meets."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.planner import best_holdings
from engine.archaeology_family.agents.playouts import TO_THE_END, Playouts, best_trade
from engine.game import AnyGame
from engine.registry import load_games
from tests.engine.conformance import cases, few

GAMES = load_games()
FAMILY = [case for case in few(cases(GAMES)) if case.game.key in ("archaeology", "expedition")]


def playouts_of(game: AnyGame) -> Playouts[Any]:
    master = game.agents["master"]
    assert isinstance(master, Master)
    return master.playouts


def start(game: AnyGame, seed: int, seats: int = 2, options: Any = None) -> Any:
    return game.new(seats, options or game.options_type(), sha256(f"playouts {seed}".encode()).digest())


def test_matches_played_on_end_as_those_of_experts_do() -> None:
    game = GAMES["archaeology"]
    expert = game.agents["expert"]
    same = 0
    for seed in range(20):
        quick, slow = start(game, seed), start(game, seed)
        playouts_of(game).play(quick, TO_THE_END)
        while pending := game.pending(slow):
            seat = pending[0].seat
            game.apply(slow, seat, expert.choose(game.view(slow, seat), Random(0)))
        same += game.outcome(quick) == game.outcome(slow)
    assert same >= 18  # of two equally good trades they may take different ones


@pytest.mark.parametrize("case", FAMILY, ids=lambda case: case.name)
def test_a_match_is_played_on_from_wherever_it_stands(case: Any) -> None:
    """From positions of random play, duties at the dry end included; an illegal move would be refused."""
    game, rng = case.game, Random(7)
    state = start(game, 1, case.seats, case.options)
    before = 0
    while pending := game.pending(state):
        if rng.random() < 0.1:
            after = game.copy(state)
            playouts_of(game).play(after, TO_THE_END)
            assert game.outcome(after)
            before += 1
        game.apply(state, pending[0].seat, game.sample(state, pending[0].seat, rng))
    assert before


def test_so_many_changes_of_turn_are_played_and_the_world_is_left_as_it_was() -> None:
    game = GAMES["expedition"]
    world = start(game, 2)
    untouched, turns = game.copy(world), [world.active]
    for changes in range(1, 5):
        after = game.copy(world)
        playouts_of(game).play(after, changes)
        turns.append(after.active)
    assert turns == [world.active, 1 - world.active] * 2 + [world.active]
    playouts_of(game).outlook_after(world, game.sample(world, world.asked, Random(1)), 3)
    assert world == untouched


cards = st.lists(st.integers(0, 4), min_size=4, max_size=4)


@given(cards, cards, st.lists(st.integers(1, 4), min_size=4, max_size=4), st.integers(0, 1000))
def test_the_best_trade_is_the_planners(
    hand: list[int], market: list[int], costs: list[int], seed: int
) -> None:
    rng = Random(seed)
    worth: list[list[float]] = []
    for _ in hand:
        values = [0.0]
        for _ in range(8):
            values.append(values[-1] + rng.randint(0, 9))
        worth.append(values)
    gain, holdings = best_trade(worth, hand, market, costs)
    within = [values[: have + lie + 1] for values, have, lie in zip(worth, hand, market, strict=True)]
    budget = sum(n * cost for n, cost in zip(hand, costs, strict=True))
    planned = best_holdings(within, hand, costs, budget)
    value = [
        sum(values[n] for values, n in zip(worth, held, strict=True)) for held in (hand, planned, holdings)
    ]
    assert value[1] == value[2] == value[0] + gain
    assert sum(n * cost for n, cost in zip(holdings, costs, strict=True)) <= budget
