"""The worth of a deal to a seat: how a good agent does in it, against others of all kinds."""

from __future__ import annotations

from random import Random

from engine.game import AnyGame, Options


def score_of_deal(game: AnyGame, seats: int, options: Options, key: bytes, seat: int, rng: Random) -> int:
    """The score that the strongest quick agent makes in a seat of the match with this key.

    A quick agent of a random level plays each of the other seats, so the mean of several scores tells what the deal is
    worth to the seat. Every agent sees its own view alone.
    """
    quick = [agent for agent in game.agents.values() if not agent.slow]
    agents = [quick[-1] if each == seat else rng.choice(quick) for each in range(seats)]
    state = game.new(seats, options, key)
    while pending := game.pending(state):
        asked = pending[0].seat
        game.apply(state, asked, agents[asked].choose(game.view(state, asked), rng))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores[seat]
