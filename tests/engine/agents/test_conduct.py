"""The conduct of any agent of any game: legal moves, the same ones for the same view and chance, an end."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from engine.game import AnyGame, Options
from engine.registry import load_games
from tests.engine.conformance import cases, few
from tests.sampling import amount

GAMES = load_games()
FEW = {case.name for case in few(cases(GAMES))}
CASES = [
    pytest.param(
        case.game.key,
        level,
        case.seats,
        case.options,
        id=f"{case.name}-{level}",
        marks=() if case.name in FEW else pytest.mark.exhaustive,
    )
    for case in cases(GAMES)
    for level in case.game.agents
]
pytestmark = pytest.mark.sampled
each = pytest.mark.parametrize(("key", "level", "seats", "options"), CASES)

MATCHES = amount(4, 2)
"""How many matches of a game are played at a number of seats.

Where there are many variants, each gets fewer. A slow agent plays one.
"""
REPEATED = amount(1, 3)
"""One in so many moves is chosen once more."""
SLOW = 0.1
"""The share of positions in which a slow agent is asked, where others always are."""
TURN = 60
"""More moves than any turn needs."""


def matches(game: AnyGame, level: str, seats: int, options: Options, purpose: str) -> list[Any]:
    """The first states of some matches for this level's agent."""
    count = 1 if game.agents[level].slow else max(1, MATCHES // len(game.variants(seats)))
    return [game.new(seats, options, sha256(f"{purpose} {seed}".encode()).digest()) for seed in range(count)]


@each
def test_an_agent_makes_legal_moves_to_the_end_and_repeats_itself(
    key: str, level: str, seats: int, options: Options
) -> None:
    game = GAMES[key]
    agent, twin = game.agents[level], load_games()[key].agents[level]
    for seed, state in enumerate(matches(game, level, seats, options, "conduct")):
        chance = Random(seed)
        moves = 0
        while pending := game.pending(state):
            seat = pending[0].seat
            view, number = game.view(state, seat), chance.random()
            move = agent.choose(view, Random(number))
            if moves % REPEATED == 0:
                assert twin.choose(view, Random(number)) == move
            game.apply(state, seat, move)
            moves += 1
            assert moves < 3000
        assert game.outcome(state)


@each
def test_an_agents_turn_ends_wherever_it_begins(key: str, level: str, seats: int, options: Options) -> None:
    """No trading to and fro: from positions of random play, the agent's own turn is over after a few legal moves.

    R5's and R6's duties are among these positions.
    """
    game = GAMES[key]
    agent = game.agents[level]
    for seed, state in enumerate(matches(game, level, seats, options, "turns")):
        chance = Random(seed)
        while pending := game.pending(state):
            seat = pending[0].seat
            if chance.random() < (SLOW / 2 if agent.slow else 0.2):
                _finish_turn(game, game.copy(state), seat, agent)
            game.apply(state, seat, game.sample(state, seat, chance))


def _finish_turn(game: AnyGame, state: Any, seat: int, agent: Any) -> None:
    for _ in range(TURN):
        pending = game.pending(state)
        if not pending or pending[0].seat != seat:
            return
        game.apply(state, seat, agent.choose(game.view(state, seat), Random(0)))
    pytest.fail(f"a turn of {TURN} moves and more")


@pytest.mark.parametrize("key", GAMES)
def test_the_novice_is_there_and_quick(key: str) -> None:
    assert not GAMES[key].agents["novice"].slow
