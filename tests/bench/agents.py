"""How well a game's agents play, and how long they think: `python -m tests.bench.agents [--matches N] [--game KEY]`.

A game with variants (The New Expedition's monuments) is measured in each of them, or in those that `--option` chooses.
Two-player matches are mirrored: each seed is played twice with the seats swapped, so that luck of the deal evens out.
A shared victory counts as its share. Intervals are Wilson's at 95 %, as if each match had a deal of its own. After them
stands half of the interval that follows from the deals; it is narrower, for a deal's luck evens out. At more seats an
agent sits among copies of another, in each seat of each seed in turn, and its share is compared with a fair one. The
lead is the score less the best of the others'. The gain is how much greater it is than the other agent's in the
same seat and deal; it tells agents apart in fewer matches than victories do.

The ladder (`--ladder` prints nothing else) has each level, and a cheating player (`tests.bench.ceiling`), against
the strongest level that tries out no moves (Experts; Veterans in Artifact) at each number of seats, in all variants
together, and its share by its place in the order of play. `--level` and `--against` choose two levels; if they are the
same, all play alike, and a deal is played once. `--seed` goes on where another run has ended.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import pairwise
from multiprocessing import Pool
from random import Random
from statistics import stdev
from typing import Any, NamedTuple

from engine.agents.advice import measuring_levels
from engine.game import AnyGame, Event, Options, Outcome
from engine.registry import load_games
from tests.bench.ceiling import CEILING, Ceiling, has_ceiling
from tests.bench.hasty import BASELINES, HASTY
from tests.bench.pupils import PUPILS

RANDOM = "random"
"""Plays `Game.sample`."""

MATCHES = 1000
"""With two seats, a pairing."""
LONGEST = 20_000
"""More moves than any match should need."""


class Pairing(NamedTuple):
    """`first` should win at least `target` of the matches against `second`."""

    first: str
    second: str
    target: float


FAMILY = (
    Pairing("novice", RANDOM, 0.95),
    Pairing("novice", HASTY, 0.60),
    Pairing("veteran", "novice", 0.65),
    Pairing("expert", "veteran", 0.60),
)
PAIRINGS: dict[str, tuple[Pairing, ...]] = {
    "archaeology": (*FAMILY, Pairing("master", "expert", 0.63)),
    "artifact": (Pairing("novice", RANDOM, 0.65), Pairing("veteran", "novice", 0.60)),
    "artifacts-inc": (
        Pairing("novice", RANDOM, 0.95),
        Pairing("veteran", "novice", 0.65),
        Pairing("expert", "veteran", 0.65),
        Pairing("master", "expert", 0.60),
    ),
    "expedition": (*FAMILY, Pairing("master", "expert", 0.70)),
}


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
    """An agent, a baseline or random play, by name; counts the time of its decisions (CPU, wall) in seconds.

    One that is not `timed` counts nothing: on some machines a look at the CPU's clock takes as long as a decision.
    """

    def __init__(self, game: AnyGame, name: str, *, timed: bool = True) -> None:
        self.name = name
        self.timed = timed
        self.times: list[tuple[float, float]] = []
        self._game = game
        self._cheat: Callable[[Any, int, Random], Any] | None = None
        self._agent: Any = None
        if name == RANDOM:
            self._cheat = game.sample
        elif name == CEILING:
            self._cheat = Ceiling(game).move
        else:
            self._agent = {**game.agents, **BASELINES.get(game.key, {}), **PUPILS.get(game.key, {})}[name]

    def move(self, state: Any, seat: int, rng: Random) -> Any:
        if self._cheat is not None:
            return self._cheat(state, seat, rng)
        view = self._game.view(state, seat)
        if not self.timed:
            return self._agent.choose(view, rng)
        gc.disable()  # a walk over all that this process holds, 20 ms and more, is no part of the decision
        wall, cpu = time.perf_counter(), time.process_time()
        move = self._agent.choose(view, rng)
        self.times.append((time.process_time() - cpu, time.perf_counter() - wall))
        gc.enable()
        return move


def deal(game: AnyGame, seats: int, seed: int | str, options: Options | None = None) -> Any:
    """The match of a seed before its first move."""
    return game.new(seats, options or game.options_type(), sha256(f"bench {seed}".encode()).digest())


Watch = Callable[[Any, int, Any, Sequence[Event]], None]
"""Told of each move of a match: the state before it, the seat, the move and its events."""


def play(
    game: AnyGame,
    players: Sequence[Player],
    seed: int | str,
    options: Options | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """One match to its end."""
    state = deal(game, len(players), seed, options)
    sources = [Random(f"{seed} {seat}") for seat in range(len(players))]
    for _ in range(LONGEST):
        if not (pending := game.pending(state)):
            break
        seat = pending[0].seat
        move = players[seat].move(state, seat, sources[seat])
        before = game.copy(state) if watch else None
        events = game.apply(state, seat, move)
        if watch:
            watch(before, seat, move, events)
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
    options: Options | None = None


class Result(NamedTuple):
    """Shares of victories and leads in score of `first`, a match each; the times of all decisions by player.

    `gains` are by how much the leads are greater than that of a `second` in the same seat and deal among its like.

    The matches of a deal follow each other, as many as there are seats: in the first of them `first` begins, in the
    second it is second to play, and so on.
    """

    seats: int
    shares: list[float]
    leads: list[float]
    gains: list[float]
    times: dict[str, list[tuple[float, float]]]


def run_job(job: Job) -> Result:
    """Plays a job's matches."""
    game = game_of(job.game)
    first, second = Player(game, job.first), Player(game, job.second)
    result = Result(job.seats, [], [], [], {second.name: second.times, first.name: first.times})
    begins = game.pending(deal(game, job.seats, job.seed, job.options))[0].seat
    alike = play(game, [second] * job.seats, job.seed, job.options)
    for number in range(job.seats):
        place = (begins + number) % job.seats
        players = [first if seat == place else second for seat in range(job.seats)]
        outcome = alike if job.first == job.second else play(game, players, job.seed, job.options)
        result.shares.append(1 / len(outcome.winners) if place in outcome.winners else 0.0)
        result.leads.append(lead(outcome, place))
        result.gains.append(lead(outcome, place) - lead(alike, place))
    return result


def lead(outcome: Outcome, seat: int) -> int:
    """The seat's score less the best of the others'."""
    return outcome.scores[seat] - max(score for other, score in enumerate(outcome.scores) if other != seat)


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


def by_deals(seats: int, values: Sequence[float]) -> float:
    """Half of the 95 % interval of the mean that follows from the deals' means; infinite for one deal.

    >>> by_deals(2, [1.0, 0.0] * 50)
    0.0
    """
    deals = [sum(values[at : at + seats]) / seats for at in range(0, len(values), seats)]
    return 1.96 * stdev(deals) / math.sqrt(len(deals)) if len(deals) > 1 else math.inf


def compare(jobs: Iterable[Job], mapper: Callable[..., Iterable[Result]] = map) -> Result:
    """The results of many jobs together, all of them for as many seats."""
    total = Result(0, [], [], [], {})
    for result in mapper(run_job, jobs):
        total = total._replace(seats=result.seats)
        total.shares.extend(result.shares)
        total.leads.extend(result.leads)
        total.gains.extend(result.gains)
        for name, times in result.times.items():
            total.times.setdefault(name, []).extend(times)
    return total


def report(label: str, result: Result, aim: str) -> None:
    """Prints one comparison."""
    seats, shares, leads, gains, _ = result
    n = len(shares)
    rate = sum(shares) / n
    low, high = wilson(rate, n)
    print(
        f"  {label:28} {rate:6.1%}  [{low:.1%}, {high:.1%}] ±{by_deals(seats, shares):.1%}  "
        f"lead {sum(leads) / n:+6.1f}  gain {sum(gains) / n:+6.1f} ±{by_deals(seats, gains):.1f}  "
        f"{n:5} matches  {aim}",
        flush=True,
    )


def _by_place(result: Result) -> list[list[float]]:
    """The shares of the matches by the place of `first` in the order of play."""
    return [result.shares[place :: result.seats] for place in range(result.seats)]


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


def variants(game: AnyGame, seats: int, wanted: Mapping[str, str]) -> list[Options]:
    """The variants with all of the options wanted."""
    return [
        options
        for options in game.variants(seats)
        if all(str(options.model_dump().get(name)) == value for name, value in wanted.items())
    ]


class Extent(NamedTuple):
    """The measurement: so many matches a pairing, from this seed on, in the variants with these options, up to so many
    seats, and in the ladder one level alone, against another. None: the usual ones, or all.
    """

    matches: int | None
    first_seed: int
    wanted: Mapping[str, str]
    most_seats: int | None
    level: str | None
    against: str | None = None


def bench(key: str, extent: Extent, mapper: Callable[..., Iterable[Result]]) -> None:
    """Prints a game's figures: with two seats by variant, with more in all of them together."""
    matches, first_seed, wanted, most_seats, *_ = extent
    game = game_of(key)
    times: dict[str, list[tuple[float, float]]] = {}
    fewest = max(2, game.min_seats)
    if not (found := variants(game, fewest, wanted)):
        return
    count = matches or max(MATCHES // 5, MATCHES // len(found))

    def show(label: str, one: str, others: str, seats: int, n: int, every: list[Options], aim: str) -> None:
        seeds = range(first_seed, first_seed + max(1, n // seats))
        jobs = [Job(key, one, others, seats, seed, options) for seed in seeds for options in every]
        result = compare(jobs, mapper)
        report(label, result, aim)
        for name, more in result.times.items():
            times.setdefault(name, []).extend(more)

    print(f"{key}: agents, weakest first: {', '.join(game.agents)}")
    for options in found:
        if name := ", ".join(str(value) for value in options.model_dump().values()):
            print(f" {name}")
        for one, other, target in pairings(game):
            show(f"{one} against {other}", one, other, fewest, count, [options], f"(to reach: {target:.0%})")
    for seats in range(fewest + 1, (most_seats or game.max_seats) + 1):
        every = variants(game, seats, wanted)
        print(f" {seats} seats (fair share: {1 / seats:.1%})")
        for pair in pairings(game):
            for one, others in ((pair.first, pair.second), (pair.second, pair.first)):
                show(f"{one} among {others}", one, others, seats, count // 4, every, "")
    report_times(times)


def ladder(key: str, extent: Extent, mapper: Callable[..., Iterable[Result]]) -> None:
    """Prints how often each level wins against another at each number of seats, and how long it thinks."""
    matches, first_seed, wanted, most_seats, level, _ = extent
    game = game_of(key)
    against = extent.against or measuring_levels(game)[-1]
    times: dict[str, list[tuple[float, float]]] = {}
    rungs = [rung for rung in game.agents if rung != against] + [CEILING] * has_ceiling(game)
    for seats in range(max(2, game.min_seats), (most_seats or game.max_seats) + 1):
        every = variants(game, seats, wanted)
        print(f"{key}, {seats} seats: victories against {against.title()}s (fair share: {1 / seats:.1%})")
        seeds = max(1, (matches or MATCHES) // seats)
        for rung in [level] if level else rungs:
            jobs = [
                Job(key, rung, against, seats, seed, every[seed % len(every)])
                for seed in range(first_seed, first_seed + seeds)
            ]
            result = compare(jobs, mapper)
            places = ", ".join(f"{sum(mine) / len(mine):.0%}" for mine in _by_place(result))
            report(rung, result, f"(in the order of play: {places})")
            for name, more in result.times.items():
                times.setdefault(name, []).extend(more)
    report_times(times)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.agents", description=__doc__)
    count = f"two-player matches a pairing and variant ({MATCHES}, or {MATCHES // 5} where variants are many)"
    parser.add_argument("--matches", type=int, help=count)
    parser.add_argument("--game", help="only the game with this key")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="only variants with it: monument=mine",
    )
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--most-seats", type=int, metavar="N", help="no matches with more seats")
    parser.add_argument(
        "--ladder", action="store_true", help="each level against the strongest that tries out no moves"
    )
    parser.add_argument("--level", help="only the ladder of this level, or of `ceiling`")
    parser.add_argument(
        "--against", metavar="LEVEL", help="in the ladder (the strongest that tries out no moves)"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    keys = [chosen.game] if chosen.game else list(load_games())
    wanted = dict(option.split("=", 1) for option in chosen.option)
    extent = Extent(chosen.matches, chosen.seed, wanted, chosen.most_seats, chosen.level, chosen.against)
    reports = (ladder,) if chosen.ladder or chosen.level else (bench, ladder)

    def run(mapper: Callable[..., Iterable[Result]]) -> None:
        for key in keys:
            for show in reports:
                show(key, extent, mapper)

    if chosen.processes == 1:
        run(map)
        return
    with Pool(chosen.processes) as pool:
        run(lambda work, jobs: pool.imap(work, jobs, chunksize=4))


if __name__ == "__main__":
    main()
