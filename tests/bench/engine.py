"""How fast the engine plays: random matches on one core, beside other projects' games in the same run.

The others are measured where they are installed (`pip install '.[bench]'`), each through its own interface for
whoever plays a game move by move: ask what is legal, choose at random, step.
"""

from __future__ import annotations

import importlib
import time
import warnings
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any, NamedTuple

from engine.game import AnyGame
from engine.registry import load_games
from tests.bench.report import Report

ROUNDS = 9
SLICE = 0.15
"""Seconds of processor time that a contender gets in a round."""

Play = Callable[[int], int]
"""Plays the match of this number and returns how many moves it took."""


class Contender(NamedTuple):
    name: str
    play: Play


def run() -> Report:
    """Random matches of every registered game, and of the others."""
    missing: list[str] = []
    contenders = [*ours(), *others(missing)]
    rates = measure(contenders)
    base = rates[contenders[0].name]
    rows: list[tuple[str, ...]] = []
    for contender in contenders:
        own = rates[contender.name]
        low, high = sorted(own)[len(own) // 4], sorted(own)[-1 - len(own) // 4]
        ratio = median(first / rate for first, rate in zip(base, own, strict=True))
        rows.append((contender.name, f"{median(own):,.0f}", f"{low:,.0f} to {high:,.0f}", f"{ratio:,.2f}"))
    return Report(
        "Random matches on one core",
        ("game", "moves/s", "middle half of the rounds", "first row is faster by"),
        rows,
        [*NOTES, *(f"Not installed, so not measured: {name}." for name in missing)],
    )


NOTES = (
    f"Medians of {ROUNDS} rounds. In each round every row gets {SLICE} s of processor time in turn, so that what else "
    "the machine does strikes them alike. The last column is the median of the rounds' ratios; it is what to compare.",
    "Setting up each match counts in its time, importing and making the game does not.",
    "Digsite: a move is one decision of a seat: `pending`, `sample`, `apply` with all checks and events. Chance "
    "(deal, dig site, thefts) is drawn from the HMAC streams, and is no move. With views: the mover's whole view "
    "is made before each move as well.",
    "RLCard: a move is one action of a player. `game`: the rules; `step` always returns what the next player sees, "
    "which lists Uno's legal actions (Gin Rummy's judge is asked for them). `env`: the same, encoded for learning.",
    "PettingZoo: a move is one action of an agent; `last` gives observation and mask of the legal actions.",
    "OpenSpiel's games written in Python: a move is one action of a player; chance outcomes are drawn too, but not "
    "counted.",
    "The games differ in how much a move does. The rows tell how many decisions a second a search or a training "
    "run gets, not whose code is better.",
)


def measure(contenders: list[Contender]) -> dict[str, list[float]]:
    """Moves a second of each contender, in each round."""
    rates: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for contender in contenders:
        contender.play(0)
    for number in range(ROUNDS):
        for contender in contenders:
            rates[contender.name].append(rate(contender.play, number))
    return rates


def rate(play: Play, number: int) -> float:
    """Moves a second over a slice of time. Matches are numbered anew in every round."""
    moves, match = 0, 1_000_000 * number
    start = time.process_time()
    while (spent := time.process_time() - start) < SLICE:
        match += 1
        moves += play(match)
    return moves / spent


# -- Digsite


def ours() -> Iterator[Contender]:
    games = load_games()
    first = "archaeology"
    for key in sorted(games, key=lambda key: (key != first, key)):
        game = games[key]
        yield Contender(f"Digsite {key}", random_play(game))
        yield Contender(f"Digsite {key}, with views", random_play(game, views=True))


def random_play(game: AnyGame, *, views: bool = False) -> Play:
    """Matches at every number of seats and in every variant in turn."""
    settings = [
        (seats, options)
        for seats in range(game.min_seats, game.max_seats + 1)
        for options in game.variants(seats)
    ]

    def play(number: int) -> int:
        rng = Random(number)
        seats, options = settings[number % len(settings)]
        state = game.new(seats, options, number.to_bytes(32, "big"))
        pending, apply, sample, view = game.pending, game.apply, game.sample, game.view
        moves = 0
        while waiting := pending(state):
            seat = waiting[0].seat
            if views:
                view(state, seat)
            apply(state, seat, sample(state, seat, rng))
            moves += 1
        return moves

    return play


# -- others


def others(missing: list[str]) -> Iterator[Contender]:
    """The other projects' games; those that are not installed are named in `missing`."""
    for name, contenders in (("rlcard", rlcard), ("pettingzoo", pettingzoo), ("open_spiel", open_spiel)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield from contenders()
        except ImportError as error:
            missing.append(f"{name} ({error})")


def rlcard() -> Iterator[Contender]:
    lib = importlib.import_module("rlcard")
    for name in ("uno", "gin-rummy"):
        yield Contender(f"RLCard {name}, game", rlcard_game(lib.make(name)))
        yield Contender(f"RLCard {name}, env", rlcard_env(lib.make(name)))


def rlcard_game(env: Any) -> Play:
    game = env.game

    def play(number: int) -> int:
        rng = Random(number)
        env.seed(number)
        state, _ = game.init_game()
        moves = 0
        while not game.is_over():
            legal = state.get("legal_actions") or game.judge.get_legal_actions()
            state, _ = game.step(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def rlcard_env(env: Any) -> Play:
    def play(number: int) -> int:
        rng = Random(number)
        env.seed(number)
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def pettingzoo() -> Iterator[Contender]:
    module = importlib.import_module("pettingzoo.classic")
    env = module.connect_four_v3.env()

    def play(number: int) -> int:
        rng = Random(number)
        env.reset(seed=number)
        moves = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            moves += 1
        return moves

    yield Contender("PettingZoo connect four", play)


def open_spiel() -> Iterator[Contender]:
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games")
    for name in ("block_dominoes", "liars_poker"):
        yield Contender(f"OpenSpiel {name}", spiel_play(pyspiel.load_game(f"python_{name}")))


def spiel_play(game: Any) -> Play:
    def play(number: int) -> int:
        rng = Random(number)
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = [outcome for outcome, _ in state.chance_outcomes()]
                state.apply_action(outcomes[int(rng.random() * len(outcomes))])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play
