"""Records of matches that novice agents have played, as the host makes them."""

from __future__ import annotations

from functools import cache
from random import Random

from cogs import GAMES, make_screens
from engine.fairness import Contribution, match_key
from engine.game import Options
from engine.record import Agreement, Record, make_record
from engine.registry import load_games

ENGINES = load_games()
SCREENS = make_screens(ENGINES)
PLAYED = sorted(made.game for made in GAMES)
START = Contribution("start", "1300000000931135530")


@cache
def played(key: str, seats: int = 3, seed: int = 1, *, moves: int | None = None, variant: int = 0) -> Record:
    """A match that was played to its end or, if so many `moves` are given, was given up then."""
    game = ENGINES[key]
    options: Options = game.variants(seats)[variant]
    host_seed, rng = bytes([seed]) * 32, Random(f"{key} {seed}")
    state = game.new(seats, options, match_key(host_seed, [START]))
    made: list[tuple[int, dict[str, object]]] = []
    while (pending := game.pending(state)) and (moves is None or len(made) < moves):
        seat = rng.choice(pending).seat
        move = game.agents["novice"].choose(game.view(state, seat), rng)
        made.append((seat, game.dump_move(move)))
        game.apply(state, seat, move)
    return make_record(
        game,
        Agreement(
            options=options,
            seats=["person", *["agent:novice"] * (seats - 1)],
            host_seed=host_seed,
            contributions=[START],
        ),
        made,
        game.outcome(state),
    )
