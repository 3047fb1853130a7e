"""Random play: every legal move of a decision may come up, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.sampling import mix
from engine.archaeology_family.state import STEAL, STORM, State
from engine.chance import LARGEST
from tests.engine.archaeology.oracle import is_legal
from tests.engine.archaeology.scene import GAME, scene


def choices(available: list[int]) -> Iterator[Bundles]:
    """Every choice among some cards."""
    for counts in product(*(range(n + 1) for n in available)):
        yield tuple((kind, n) for kind, n in enumerate(counts) if n)


def legal_moves(state: State) -> set[Any]:
    hand = state.hands[state.asked]
    candidates: list[Any] = [m.Dig(), m.EndTurn()]
    candidates += [m.Steal(seat) for seat in range(state.seats)]
    candidates += [m.Discard(cards) for cards in choices(hand)]
    candidates += [m.Trade(give, take) for give in choices(hand) for take in choices(state.market)]
    candidates += [m.Explore(chamber) for chamber in range(3)]
    candidates += [m.Sell(treasure, n) for treasure in range(7) for n in range(1, 6)]
    return {(type(move), move) for move in candidates if is_legal(state, state.asked, move)}


@pytest.mark.parametrize(
    ("state", "draws"),
    [
        (scene("coin map*2 pot_shard", "coin", market="talisman pot_shard coin", site="coin"), 100_000),
        (scene("pot_shard*7 map", "coin", market="broken_cup*2 pharaohs_mask", site="coin"), 60_000),
        (scene("coin*2 pot_shard*2 parchment_scrap talisman", "coin", market="", site="coin"), 3_000),
        (scene("coin*2 map*2", "coin", market="coin talisman", duty=True), 10_000),
        (scene("coin*2 map*3 pot_shard*2", "coin", phase=STORM, site="coin"), 3_000),
        (scene("coin*4", "coin", phase=STORM, site="coin"), 100),
        (scene("coin", "map", "", "coin*3", phase=STEAL, site="coin"), 200),
        (scene("coin", "coin", site="coin", dig=True), 20),
    ],
    ids=["all kinds", "large hand", "empty market", "must sell", "storm", "storm, one kind", "thief", "dig"],
)
def test_every_legal_move_may_come_up_and_no_other(state: State, draws: int):
    rng = Random(20)
    drawn = {(type(move), move) for move in (GAME.sample(state, state.asked, rng) for _ in range(draws))}
    assert drawn == legal_moves(state)


def test_cards_are_mixed_as_the_standard_library_shuffles_them_from_the_same_bits() -> None:
    for count in (0, 1, 2, 3, 17, 64, LARGEST):
        quick, standard, cards, same = Random(count), Random(count), list(range(count)), list(range(count))
        mix(cards, quick)
        standard.shuffle(same)
        assert (cards, quick.random()) == (same, standard.random())


def test_sold_cards_are_counted_alike_in_play_in_snapshots_and_in_imagined_worlds() -> None:
    game, rng = GAME, Random(3)
    state = game.new(3, game.options_type(), bytes(32))
    while pending := game.pending(state):
        seat = pending[0].seat
        game.apply(state, seat, game.sample(state, seat, rng))
        sold = [0] * state.kinds
        for kind, n in (each for sets in state.sold for each in sets):
            sold[kind] += n
        world = game.determinize(game.view(state, seat), rng)
        assert state.gone == game.load(game.dump(state)).gone == world.gone == sold
    assert any(state.gone)
