"""The worth of a deal to each seat: how a good agent does in it, against others of all kinds."""

from __future__ import annotations

from random import Random

from engine.agents.advice import Adviser
from engine.game import AnyGame, Options


def measuring_levels(game: AnyGame) -> list[str]:
    """The levels that play deals to tell their worth, the weakest first: all but those that try out their moves."""
    return [level for level, agent in game.agents.items() if not isinstance(agent, Adviser)]


def scores_of_deal(game: AnyGame, seats: int, options: Options, key: bytes, rng: Random) -> list[int]:
    """By seat, the score that the strongest of the measuring agents makes there in the match with this key.

    Agents of random levels, the same each time, play the other seats. So the mean of several scores tells what the deal
    is worth to a seat, and to one more than to another. Every agent sees its own view alone.
    """
    levels = measuring_levels(game)
    others = [rng.choice(levels) for _ in range(seats)]
    return [
        _score(game, [*others[:seat], levels[-1], *others[seat + 1 :]], options, key, seat, rng)
        for seat in range(seats)
    ]


def _score(game: AnyGame, levels: list[str], options: Options, key: bytes, seat: int, rng: Random) -> int:
    """The seat's score once agents of these levels have played the match."""
    state = game.new(len(levels), options, key)
    while pending := game.pending(state):
        asked = pending[0].seat
        game.apply(state, asked, game.agents[levels[asked]].choose(game.view(state, asked), rng))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores[seat]
