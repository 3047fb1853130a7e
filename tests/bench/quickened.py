"""How fast the quickened Expert of Artifacts, Inc. plays, and how well: `python -m tests.bench.quickened`.

First it plays matches of two by itself, and their number a second of processor time is printed. Beside it stands that
of the Expert, asked for a line at a time, in the same run: what else the machine does strikes both alike. Then the two
play mirrored matches. Its haste is `LEAN`; `--haste 6,900,1,4,10` takes the one with which Masters play on.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from hashlib import sha256
from random import Random

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc.agents.expert import Expert
from engine.artifacts_inc.agents.master import Master
from engine.artifacts_inc.agents.playouts import Haste
from engine.artifacts_inc.state import OVER, State
from engine.game import Options
from tests.bench.agents import by_deals, wilson
from tests.bench.balance import begin_process

LEAN = Haste(width=4, purchases=2, sales=1)
"""For many matches: 1.7 times as fast as the usual haste, and still about as strong as the Expert."""
MATCHES = 400
ROUNDS = 10
"""Times that the two are measured in turn."""

Turn = Callable[[State], None]
"""Plays the rest of the active seat's turn."""


def experts_turn(game: ArtifactsInc, expert: Expert, rng: Random) -> Turn:
    def turn(state: State) -> None:
        seat, number = state.active, state.round
        while state.phase != OVER and (state.active, state.round) == (seat, number):
            for move in expert.moves(game.view(state, seat), rng):
                game.apply(state, seat, move)

    return turn


def start(game: ArtifactsInc, number: int) -> State:
    return game.new(2, Options(), sha256(f"quickened {number}".encode()).digest())


def seconds(game: ArtifactsInc, turns: tuple[Turn, Turn], number: int) -> float:
    """Seconds of processor time for a match."""
    state, begun = start(game, number), time.process_time()
    while state.phase != OVER:
        turns[state.active](state)
    return time.process_time() - begun


def share(game: ArtifactsInc, turns: tuple[Turn, Turn], number: int) -> float:
    """The first seat's share of a match's victory."""
    state = start(game, number)
    while state.phase != OVER:
        turns[state.active](state)
    outcome = game.outcome(state)
    assert outcome
    return 1 / len(outcome.winners) if 0 in outcome.winners else 0.0


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.quickened", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"mirrored matches ({MATCHES})")
    parser.add_argument("--haste", help="five numbers, as in `playouts.Haste`")
    chosen = parser.parse_args()
    begin_process()
    game = create()
    master, expert = game.agents["master"], game.agents["expert"]
    assert isinstance(master, Master)
    assert isinstance(expert, Expert)
    playouts = master.playouts
    playouts.haste = Haste(*map(int, chosen.haste.split(","))) if chosen.haste else LEAN
    quick, strong = playouts.turn, experts_turn(game, expert, Random(1))
    spent = [0.0, 0.0]
    for number in range(ROUNDS):
        for which, turn in enumerate((quick, strong)):
            spent[which] += sum([seconds(game, (turn, turn), 4 * number + more) for more in range(4)])
    rates = [4 * ROUNDS / each for each in spent]
    print(
        f"quickened: {rates[0]:.1f} matches a second; Expert: {rates[1]:.1f}; ratio {rates[0] / rates[1]:.1f}"
    )
    shares: list[float] = []
    for number in range(chosen.matches // 2):
        shares += [share(game, (quick, strong), number), 1 - share(game, (strong, quick), number)]
    rate = sum(shares) / len(shares)
    low, high = wilson(rate, len(shares))
    print(
        f"quickened against Expert: {rate:.1%} [{low:.1%}, {high:.1%}] ±{by_deals(2, shares):.1%} "
        f"of {len(shares)} mirrored matches"
    )


if __name__ == "__main__":
    main()
