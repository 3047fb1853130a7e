"""What any agent of any game keeps to: legal moves, the same ones for the same view and chance, an end."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from engine.registry import load_games

GAMES = load_games()
CASES = [
    (key, level, seats)
    for key, game in GAMES.items()
    for level in game.agents
    for seats in range(game.min_seats, game.max_seats + 1)
]


@pytest.mark.parametrize(("key", "level", "seats"), CASES)
def test_an_agent_makes_legal_moves_to_the_end_and_repeats_itself(key: str, level: str, seats: int) -> None:
    game = GAMES[key]
    agent, twin = game.agents[level], load_games()[key].agents[level]
    for seed in range(4):
        state = game.new(seats, game.options_type(), sha256(f"conduct {seed}".encode()).digest())
        chance = Random(seed)
        moves = 0
        while pending := game.pending(state):
            seat = pending[0].seat
            view, number = game.view(state, seat), chance.random()
            move = agent.choose(view, Random(number))
            assert twin.choose(view, Random(number)) == move
            game.apply(state, seat, move)
            moves += 1
            assert moves < 3000
        assert game.outcome(state)


@pytest.mark.parametrize(("key", "level", "seats"), CASES)
def test_an_agent_copes_with_positions_that_it_would_not_have_reached(
    key: str, level: str, seats: int
) -> None:
    """Random play all around, R5's and R6's duties included; the agent's move must be legal wherever it is asked."""
    game = GAMES[key]
    agent = game.agents[level]
    for seed in range(4):
        state = game.new(seats, game.options_type(), sha256(f"astray {seed}".encode()).digest())
        chance = Random(seed)
        while pending := game.pending(state):
            seat = pending[0].seat
            game.apply(game.copy(state), seat, agent.choose(game.view(state, seat), chance))
            game.apply(state, seat, game.sample(state, seat, chance))


@pytest.mark.parametrize("key", GAMES)
def test_the_novice_is_there_and_quick_ones_come_first(key: str) -> None:
    agents = GAMES[key].agents
    assert next(iter(agents)) == "novice"
    assert not agents["novice"].slow
