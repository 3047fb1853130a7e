"""How well a game's agents play, and how long they think: `python -m tests.bench.agents`."""

from __future__ import annotations

import argparse
import math
import time
from hashlib import sha256
from random import Random

from engine.registry import load_games
from engine.treasures.moves import Dig, Discard, EndTurn, Explore, Sell
from engine.treasures.agents.museum import largest_set
from engine.treasures.table import MAP


class Hasty:
    slow = False

    def choose(self, view, rng):
        if view.phase == "dig":
            return Dig()
        hand = view.hand
        if view.phase == "act":
            maps = [c for c in range(min(hand[MAP], len(view.chambers))) if view.chambers[c]]
            if maps:
                return Explore(maps[-1])
            for kind, n in enumerate(hand):
                if kind != MAP and n >= len(view.prices[kind]):
                    return Sell(kind, len(view.prices[kind]))
            if view.dry:
                for kind, n in enumerate(hand):
                    if n:
                        return Sell(kind, largest_set(view.prices[kind], n))
            return EndTurn()
        if view.phase == "sandstorm":
            cards = sorted((view.prices[k][-1] * view.trade[k] * 0 + view.trade[k], n, k) for k, n in enumerate(hand) if n)
            due = view.to_lose
            lost = {}
            for _, n, k in cards:
                if due:
                    lost[k] = min(n, due)
                    due -= lost[k]
            return Discard(tuple(sorted(lost.items())))
        from engine.treasures.moves import Steal
        return Steal(max(view.victims, key=lambda s: view.sizes[s]))


class RandomAgent:
    slow = False

    def __init__(self, game):
        self.game = game


def play(game, agents, seed, times=None):
    state = game.new(len(agents), game.options_type(), sha256(f"bench {seed}".encode()).digest())
    rngs = [Random(f"{seed}/{s}") for s in range(len(agents))]
    moves = 0
    while pending := game.pending(state):
        seat = pending[0].seat
        agent = agents[seat]
        if isinstance(agent, RandomAgent):
            move = game.sample(state, seat, rngs[seat])
        else:
            view = game.view(state, seat)
            t = time.perf_counter()
            move = agent.choose(view, rngs[seat])
            if times is not None:
                times.setdefault(type(agent).__name__, []).append(time.perf_counter() - t)
        game.apply(state, seat, move)
        moves += 1
        assert moves < 5000
    return game.outcome(state)


def duel(game, a, b, pairs, first=0, times=None):
    points = []
    margin = 0
    for seed in range(first, first + pairs):
        p = 0
        for seats in ((a, b), (b, a)):
            outcome = play(game, list(seats), seed, times)
            me = seats.index(a)
            if me in outcome.winners:
                p += 1 / len(outcome.winners)
            margin += outcome.scores[me] - outcome.scores[1 - me]
        points.append(p / 2)
    mean = sum(points) / pairs
    sd = math.sqrt(sum((p - mean) ** 2 for p in points) / max(1, pairs - 1))
    return mean, 1.96 * sd / math.sqrt(pairs), margin / pairs / 2


if __name__ == "__main__":
    game = load_games()["archaeology"]
    novice = game.agents["novice"]
    times = {}
    print("novice-random", duel(game, novice, RandomAgent(game), 100, times=times))
    print("novice-hasty", duel(game, novice, Hasty(), 200, times=times))
    for k, v in times.items():
        v.sort()
        print(k, len(v), sum(v) / len(v) * 1e3, v[int(len(v) * 0.99)] * 1e3, v[-1] * 1e3)
