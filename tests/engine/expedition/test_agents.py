"""The agents end every match of every monument by legal moves. (How well they play: tests/engine/agents.)"""

from __future__ import annotations

from random import Random

import pytest

from engine.expedition.state import MONUMENTS, MonumentKey
from tests.engine.expedition.scene import GAME, begin


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
