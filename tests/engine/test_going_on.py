"""A match of any game goes on alike from its snapshot and from its moves, with card lists of others too."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import AnyGame
from tests.engine.artifact.scenarios import HARSH, LOADED
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.conformance import cases
from tests.sampling import examples

EVERY = cases()
OTHERS: dict[str, AnyGame] = {"loaded": LOADED, "harsh": HARSH, "strange": STRANGE, "bare": BARE}
"""Games with other cards and scenarios than the built-in ones."""
CASES = {
    key: [case for case in EVERY if case.game.key == key] for key in {case.game.key: 0 for case in EVERY}
}
CASES |= {key: cases({key: game}) for key, game in OTHERS.items()}


def played(game: AnyGame, state: Any, rng: Random) -> tuple[int, Any]:
    """The seat that made a random move, and the move."""
    seat = rng.choice(game.pending(state)).seat
    move = game.sample(state, seat, rng)
    game.apply(state, seat, move)
    return seat, move


@pytest.mark.parametrize("key", CASES)
@given(st.data(), st.integers(0, 2**32 - 1), st.integers(0, 300))
@examples(60)
def test_a_match_goes_on_alike_from_its_snapshot_and_from_its_moves(
    key: str, data: st.DataObject, number: int, moves: int
) -> None:
    case = data.draw(st.sampled_from(CASES[key]))
    game, rng = case.game, Random(number)
    state, replay = case.new(number), case.new(number)
    for _ in range(moves):
        if not game.pending(state):
            break
        seat, move = played(game, state, rng)
        game.apply(replay, seat, game.load_move(json.loads(json.dumps(game.dump_move(move)))))
    read = game.load(json.loads(json.dumps(game.dump(state))))
    assert game.dump(read) == game.dump(replay) == game.dump(state)
    for step in range(30):
        if not game.pending(state):
            break
        assert played(game, read, Random(step)) == played(game, state, Random(step))
        assert game.dump(read) == game.dump(state)
