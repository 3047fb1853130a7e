"""Agents and advice know nothing but the view: in matches that look the same to a seat, they say the same."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.agents.advice import advice, adviser_of
from engine.archaeology_family.agents.master import Master
from engine.artifacts_inc.agents.master import Master as MasterOfTurns
from engine.game import AnyGame
from engine.registry import load_games
from tests.engine.conformance import cases, few

GAMES = load_games()
each = pytest.mark.parametrize("case", few(cases(GAMES)), ids=lambda case: case.name)
TWINS = 2
MASTERS = (Master, MasterOfTurns)


class Twins(NamedTuple):
    """A match, and others with other hidden cards that look the same to the seat that is asked."""

    seat: int
    states: list[Any]


def positions(game: AnyGame, seats: int, options: Any, share: float) -> Iterator[Twins]:
    """Twins of a part of the positions of a match of random play."""
    rng = Random(f"{game.key} {seats}")
    state = game.new(seats, options, sha256(b"secrecy").digest())
    while pending := game.pending(state):
        seat = pending[0].seat
        if rng.random() < share:
            view = game.view(state, seat)
            yield Twins(seat, [state, *(game.determinize(view, rng) for _ in range(TWINS))])
        game.apply(state, seat, game.sample(state, seat, rng))


@each
def test_agents_and_advice_depend_on_nothing_hidden(case: Any) -> None:
    game = case.game
    asked = 0
    for twins in positions(game, case.seats, case.options, 0.1):
        views = [game.view(state, twins.seat) for state in twins.states]
        for agent in game.agents.values():
            if not agent.slow or isinstance(agent, MASTERS):
                assert len({repr(agent.choose(view, Random(3))) for view in views}) == 1
        if not game.agents[list(game.agents)[-1]].slow or isinstance(game.agents.get("master"), MASTERS):
            assert len({repr(advice(game, [view], b"3")) for view in views}) == 1
        asked += 1
    assert asked


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_what_playouts_remember_of_one_match_says_nothing_of_another(key: str) -> None:
    """The tables that are kept between searches follow from the situation that they are kept under."""
    game = GAMES[key]
    master: Any = game.agents["master"]
    playouts = master.playouts
    compared = 0
    for seats in (2, 4):
        for options in game.variants(seats):
            for twins in positions(game, seats, options, 0.5):
                for state in twins.states:
                    assert repr(playouts.ends(state)) == repr(playouts.make_ends(state))
                    compared += 1
    assert compared > 100


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if adviser_of(game)])
def test_advice_is_legal_and_has_a_reason(key: str) -> None:
    game = GAMES[key]
    for twins in positions(game, game.min_seats, game.options_type(), 0.05):
        state = twins.states[0]
        advised = advice(game, [game.view(state, twins.seat)], b"1")
        assert advised
        assert game.apply(game.copy(state), twins.seat, advised.move)
        assert advised.reason.code
        assert game.load_move(game.dump_move(advised.move)) == advised.move


@pytest.mark.parametrize("key", GAMES)
def test_nobody_is_advised_who_is_not_asked(key: str) -> None:
    game = GAMES[key]
    state = game.new(game.min_seats, game.options_type(), bytes(32))
    asked = {decision.seat for decision in game.pending(state)}
    assert advice(game, [game.view(state, None)], b"1") is None
    for seat in set(range(game.min_seats)) - asked:
        assert advice(game, [game.view(state, seat)], b"1") is None
