"""The number of moves that a seat usually makes, which each game states, beside matches of its novices."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import median
from typing import Any

import pytest

from engine.game import AnyGame
from engine.registry import load_games

GAMES = load_games()


def moves_of(game: AnyGame, seats: int, options: Any, seed: int) -> list[int]:
    """The numbers of moves of the seats in a match of novices."""
    rng, novice, made = Random(seed), game.agents["novice"], Counter[int]()
    state = game.new(seats, options, rng.randbytes(32))
    while pending := game.pending(state):
        seat = pending[0].seat
        game.apply(state, seat, novice.choose(game.view(state, seat), rng))
        made[seat] += 1
    return [made[seat] for seat in range(seats)]


@pytest.mark.parametrize(
    "key", sorted(key for key, game in GAMES.items() if game.published or game.usual_moves)
)
def test_seats_usually_make_about_as_many_moves_as_their_game_says(key: str) -> None:
    game = GAMES[key]
    assert [*game.usual_moves] == [*range(game.min_seats, game.max_seats + 1)]
    for seats, usual in game.usual_moves.items():
        variants = game.variants(seats)
        made = [
            number
            for seed in range(4)
            for number in moves_of(game, seats, variants[seed % len(variants)], seed)
        ]
        assert 0.75 * usual < median(made) < 1.25 * usual, (seats, made)
        assert min(made) > usual / 3, "nobody who plays a match to its end has made too few"
