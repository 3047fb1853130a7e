"""How well a game's agents play, and how long they think: `python -m tests.bench.agents [--matches N] [--game KEY]`.

Two-player matches are mirrored: each seed is played twice with the seats swapped, so that luck of the deal evens out.
A shared victory counts as its share. Intervals are Wilson's at 95 %. At more seats one agent sits among copies of
another, in each seat of each seed in turn; its share of the victories is compared with a fair one.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from multiprocessing import Pool
from random import Random
from typing import Any, NamedTuple

from engine.game import Agent, AnyGame, Outcome
from engine.registry import load_games
from engine.treasures.agents.museum import largest_set
from engine.treasures.moves import Dig, Discard, EndTurn, Explore, Sell, Steal
from engine.treasures.state import ACT, DIG, STORM, View
from engine.treasures.table import MAP

RANDOM = "random"
"""Plays `Game.sample`."""
HASTY = "hasty"

LONGEST = 20_000
"""More moves than any match should need."""


class Pairing(NamedTuple):
    """`first` should win at least `target` of the matches against `second`."""

    first: str
    second: str
    target: float


class Hasty:
    """Sells each largest set the moment it is whole, explores as soon as it can, and never trades.

    To a Sandstorm it loses the cards of the least trade value, a Thief it sends to the fullest hand, and when the
    dig site is empty it sells all it holds.
    """

    slow = False

    def choose(self, view: View, rng: Random) -> Any:
        hand = view.hand
        assert hand is not None
        if view.phase == DIG:
            return Dig()
        if view.phase == ACT:
            return _explore(view) or _sale(view, hand) or EndTurn()
        if view.phase == STORM:
            cards = sorted(range(len(hand)), key=lambda kind: view.trade[kind])
            lost: dict[int, int] = {}
            for kind in cards:
                lost[kind] = min(hand[kind], view.to_lose - sum(lost.values()))
            return Discard(tuple(sorted((kind, n) for kind, n in lost.items() if n)))
        return Steal(max(view.victims, key=lambda seat: view.sizes[seat]))


def _explore(view: View) -> Explore | None:
    assert view.hand is not None
    reach = range(min(view.hand[MAP], len(view.chambers)))
    chambers = [number for number in reach if view.chambers[number]]
    return Explore(chambers[-1]) if chambers else None


def _sale(view: View, hand: Sequence[int]) -> Sell | None:
    for kind, n in enumerate(hand):
        largest = len(view.prices[kind])
        if n >= largest and kind != MAP:
            return Sell(kind, largest)
        if n and view.dry:
            return Sell(kind, largest_set(view.prices[kind], n))
    return None


PAIRINGS: dict[str, tuple[Pairing, ...]] = {
    "archaeology": (
        Pairing("novice", RANDOM, 0.95),
        Pairing("novice", HASTY, 0.60),
        Pairing("veteran", "novice", 0.65),
    ),
}
BASELINES: dict[str, dict[str, Agent[Any, Any]]] = {"archaeology": {HASTY: Hasty()}}


def pairings(game: AnyGame) -> tuple[Pairing, ...]:
    """The pairings asked of a game; where none are, the weakest against random play and each against the next."""
    levels = list(game.agents)
    usual = [Pairing(levels[0], RANDOM, 0.5)] + [Pairing(high, low, 0.5) for low, high in pairwise(levels)]
    return PAIRINGS.get(game.key, tuple(usual))


# -- playing


@cache
def game_of(key: str) -> AnyGame:
    """One game a process."""
    return load_games()[key]


class Player:
    """An agent, a baseline or random play, by name; counts the time of its decisions (CPU, wall) in seconds."""

    def __init__(self, game: AnyGame, name: str) -> None:
        self.name = name
        self.times: list[tuple[float, float]] = []
        self._game = game
        self._agent = None if name == RANDOM else {**game.agents, **BASELINES.get(game.key, {})}[name]

    def move(self, state: Any, seat: int, rng: Random) -> Any:
        if self._agent is None:
            return self._game.sample(state, seat, rng)
        view = self._game.view(state, seat)
        wall, cpu = time.perf_counter(), time.process_time()
        move = self._agent.choose(view, rng)
        self.times.append((time.process_time() - cpu, time.perf_counter() - wall))
        return move


def play(game: AnyGame, players: Sequence[Player], seed: int | str) -> Outcome:
    """One match to its end."""
    key = sha256(f"bench {seed}".encode()).digest()
    state = game.new(len(players), game.options_type(), key)
    sources = [Random(f"{seed} {seat}") for seat in range(len(players))]
    for _ in range(LONGEST):
        if not (pending := game.pending(state)):
            break
        seat = pending[0].seat
        game.apply(state, seat, players[seat].move(state, seat, sources[seat]))
    outcome = game.outcome(state)
    assert outcome, f"a match of {game.key} did not end in {LONGEST} moves"
    return outcome


class Job(NamedTuple):
    """One seed of a comparison: `first` plays each seat in turn, `second` all the others."""

    game: str
    first: str
    second: str
    seats: int
    seed: int


class Result(NamedTuple):
    """Shares of victories and leads in score of `first`, a match each; the times of all decisions by player."""

    shares: list[float]
    leads: list[float]
    times: dict[str, list[tuple[float, float]]]


def run(job: Job) -> Result:
    """Plays a job's matches."""
    game = game_of(job.game)
    first, second = Player(game, job.first), Player(game, job.second)
    shares: list[float] = []
    leads: list[float] = []
    for place in range(job.seats):
        outcome = play(game, [first if seat == place else second for seat in range(job.seats)], job.seed)
        winners = outcome.winners
        shares.append(1 / len(winners) if place in winners else 0.0)
        leads.append(outcome.scores[place] - max(s for i, s in enumerate(outcome.scores) if i != place))
    return Result(shares, leads, {first.name: first.times, second.name: second.times})


# -- reporting


def wilson(rate: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a rate seen in n trials.

    >>> [round(bound, 3) for bound in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    z = 1.96
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def compare(jobs: Iterable[Job], mapper: Callable[..., Iterable[Result]] = map) -> Result:
    """The results of many jobs together."""
    total = Result([], [], {})
    for result in mapper(run, jobs):
        total.shares.extend(result.shares)
        total.leads.extend(result.leads)
        for name, times in result.times.items():
            total.times.setdefault(name, []).extend(times)
    return total


def report(label: str, result: Result, aim: str) -> None:
    """Prints one comparison."""
    n = len(result.shares)
    rate = sum(result.shares) / n
    low, high = wilson(rate, n)
    lead = sum(result.leads) / n
    print(
        f"  {label:34} {rate:6.1%}  [{low:.1%}, {high:.1%}]  lead {lead:+6.1f}  {n:5} matches  {aim}",
        flush=True,
    )


def report_times(times: dict[str, list[tuple[float, float]]]) -> None:
    """Prints how long each player thought; wall time includes what else the machine did."""
    print(
        f"  {'milliseconds a decision':24} {'mean':>8} {'p99':>8} {'worst':>8} {'worst (wall)':>13}   decisions"
    )
    for name, pairs in times.items():
        if not pairs:
            continue
        cpu = sorted(1000 * used for used, _ in pairs)
        wall = max(1000 * passed for _, passed in pairs)
        mean, p99 = sum(cpu) / len(cpu), cpu[int(len(cpu) * 0.99)]
        print(f"  {name:24} {mean:8.3f} {p99:8.3f} {cpu[-1]:8.2f} {wall:13.2f}   {len(cpu):9}", flush=True)


def bench(key: str, matches: int, first_seed: int, mapper: Callable[..., Iterable[Result]]) -> None:
    """Prints a game's figures."""
    game = game_of(key)
    times: dict[str, list[tuple[float, float]]] = {}
    print(f"{key}: agents, weakest first: {', '.join(game.agents)}")
    fewest = max(2, game.min_seats)
    for pair in pairings(game):
        seeds = range(first_seed, first_seed + max(1, matches // fewest))
        result = compare([Job(key, pair.first, pair.second, fewest, seed) for seed in seeds], mapper)
        report(f"{pair.first} against {pair.second}", result, f"(to reach: {pair.target:.0%})")
        for name, more in result.times.items():
            times.setdefault(name, []).extend(more)
    for seats in range(fewest + 1, game.max_seats + 1):
        for pair in pairings(game):
            for one, others in ((pair.first, pair.second), (pair.second, pair.first)):
                seeds = range(first_seed, first_seed + max(1, matches // (4 * seats)))
                result = compare([Job(key, one, others, seats, seed) for seed in seeds], mapper)
                report(f"{seats} seats: {one} among {others}", result, f"(fair share: {1 / seats:.0%})")
    report_times(times)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.agents", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="two-player matches a pairing (1000)")
    parser.add_argument("--game", help="only the game with this key")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    keys = [chosen.game] if chosen.game else list(load_games())
    if chosen.processes == 1:
        for key in keys:
            bench(key, chosen.matches, chosen.seed, map)
        return
    with Pool(chosen.processes) as pool:
        for key in keys:
            bench(key, chosen.matches, chosen.seed, lambda work, jobs: pool.imap(work, jobs, chunksize=4))


if __name__ == "__main__":
    main()
