"""The agents that play until the game has its own: they end every match by legal moves, and make sense."""

from __future__ import annotations

from random import Random

import pytest

from engine.expedition import moves as x
from engine.expedition.state import MONUMENTS, ExpeditionState, MonumentKey
from tests.engine.expedition.scene import (
    DIG_MOVE,
    GAME,
    TURN_UP,
    begin,
    explore,
    keep,
    play,
    scene,
    sell,
    turned_up,
)


@pytest.mark.parametrize("level", sorted(GAME.agents))
@pytest.mark.parametrize("monument", MONUMENTS)
def test_agents_play_every_monument_to_the_end(level: str, monument: MonumentKey):
    for seats in (2, 5):
        state, rng = begin(seats, monument), Random(seats)
        for _ in range(2_000):
            if not GAME.pending(state):
                break
            GAME.apply(state, state.asked, GAME.agents[level].choose(GAME.view(state, state.asked), rng))
        assert GAME.outcome(state)


def choice(state: ExpeditionState) -> object:
    return GAME.agents["novice"].choose(GAME.view(state, state.asked), Random(1))


def test_a_tent_is_used_before_a_great_loss_or_the_last_storm():
    great = scene("coin*2", "coin*6", site="sandstorm coin", dig=True)
    play(great, DIG_MOVE)
    assert choice(great) == x.UseTent(True)
    small = scene("coin*2", "coin*2", site="sandstorm coin", dig=True)
    play(small, DIG_MOVE)
    assert choice(small) == x.UseTent(False)
    small.sandstorms = GAME.table.sandstorms.by_seats[2]
    assert choice(small) == x.UseTent(True)


def test_what_completes_a_set_is_kept():
    state = scene(
        "map broken_cup", "coin", monument="tomb", chambers=("broken_cup pot_shard*6", ""), site="coin"
    )
    play(state, explore(0))
    assert choice(state) == keep("broken_cup pot_shard")


def test_an_unknown_chamber_is_looked_at():
    state = scene("coin*3", "coin", monument="temple", site="coin")
    state.privy[0] = [0]
    play(state, sell("coin"))
    assert choice(state) == x.LookAt(1)
    state.privy = [[0], [0], [0]]
    assert choice(state) == x.LookAt(None)


def test_the_mine_is_left_when_the_next_card_is_likely_too_much():
    state = turned_up("pot_shard*8 pharaohs_mask*4", "pharaohs_mask")
    play(state, explore())
    assert choice(state) == x.Stop()
    state = turned_up("pot_shard*8 pharaohs_mask*4", "pot_shard")
    play(state, explore())
    assert choice(state) == TURN_UP
