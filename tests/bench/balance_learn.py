"""Learns opinions of a card list by play: `python -m tests.bench.balance_learn OUT [--cards FILE]`.

In every match each seat has random deviations from the opinions held so far, in all of them at once. Opinions then move
towards the deviations of those who did well, and away from those of who did badly (an evolution strategy). They are
written to OUT after each batch, so that it may be stopped at any time. Put in the place of
`engine/artifacts_inc/opinions.json`, they are what experts know.
"""

from __future__ import annotations

import argparse
import json
import os
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final

from engine.artifacts_inc.agents.expert import Expert, Opinions, learnt
from engine.artifacts_inc.state import OVER
from engine.game import Options
from tests.bench.balance import begin_process, game_of
from tests.bench.balance_players import BRIEF, deviating, scale

BATCH: Final = ((4, 32), (2, 20), (3, 16))
"""Seats and matches of a batch."""
STEP: Final = 3.0
"""How far a batch moves opinions, as a multiple of what its matches show."""
KEPT: Final = 0.5
"""How much of a batch's direction the next one keeps."""
LEAD: Final = 0.06
"""The worth of a point of reputation above the others, beside the victory."""


def gains(cards: str | None, opinions: Opinions, match: tuple[int, str]) -> tuple[dict[str, float], int]:
    """For each opinion the deviations of a match's seats, weighted by how well they did, and the number of seats."""
    seats, seed = match
    game, rng = game_of(cards), Random(seed)
    by = scale(game.catalogue)
    drawn = [deviating(opinions, rng, by) for _ in range(seats)]
    players = [Expert(game, BRIEF, opinions=held) for held, _ in drawn]
    state = game.new(seats, Options(), rng.randbytes(32))
    while state.phase != OVER:
        seat = state.active
        for move in players[seat].moves(game.view(state, seat), rng):
            game.apply(state, seat, move)
    outcome = game.outcome(state)
    assert outcome
    mean = sum(outcome.scores) / seats
    found = dict.fromkeys(by, 0.0)
    for seat, (_, deviations) in enumerate(drawn):
        share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
        did = seats / 2 * (share - 1 / seats) + LEAD * (outcome.scores[seat] - mean)
        for name, deviation in deviations.items():
            found[name] += did * deviation
    return found, seats


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.balance_learn", description="Learns opinions of a card list by play."
    )
    parser.add_argument("out", type=Path, help="the file to write the opinions to")
    parser.add_argument("--cards", metavar="FILE", help="a card list in place of the built-in one")
    parser.add_argument("--begin", type=Path, help="a file with the opinions to begin with (the expert's)")
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    catalogue = game_of(chosen.cards).catalogue
    by = scale(catalogue)
    begun: Opinions = learnt().opinions
    if chosen.begin:
        begun = json.loads(chosen.begin.read_text(encoding="utf-8"))["opinions"]
    opinions = {name: begun.get(name, 0.0) for name in by}
    direction = dict.fromkeys(by, 0.0)
    with Pool(chosen.processes, begin_process) as pool:
        for batch in range(chosen.batches):
            matches = [(n, f"learn {chosen.seed} {batch} {n} {i}") for n, many in BATCH for i in range(many)]
            results = pool.map(partial(gains, chosen.cards, opinions), matches, chunksize=4)
            seats = sum(count for _, count in results)
            for name, size in by.items():
                shown = sum(found[name] for found, _ in results) / seats
                direction[name] = KEPT * direction[name] + (1 - KEPT) * shown
                opinions[name] += STEP * size * direction[name]
            rounded = {name: round(opinion, 4) for name, opinion in opinions.items()}
            data = {"cards": catalogue.digest, "opinions": rounded}
            chosen.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
            print(f"batch {batch + 1} of {chosen.batches}", flush=True)


if __name__ == "__main__":
    main()
