"""A master's decisions: it does what an expert does unless it is sure of something better, and trades once a turn."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.agents.advice import advice
from engine.archaeology_family.agents.master import MOVES, SCREENED, Effort, Master
from engine.archaeology_family.card_list import MAP, TREASURES
from engine.archaeology_family.moves import EndTurn, Sell, Trade
from engine.archaeology_family.state import ACT, STORM, View
from engine.game import Options
from tests.engine.agents.positions import GAME, KINDS, choice, counts
from tests.engine.archaeology_family import census


@pytest.fixture(autouse=True)
def full_effort(hasty_masters: None) -> Iterator[None]:
    """Here masters try as much as at a table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "effort", Effort())
        yield


def endgame(hand: str, market: str, other: str, site: str = "", **fields: Any) -> View:
    """The view of seat 0 late in a match of two: all other cards are sold, by turns, and all hazards dug."""
    state = GAME.new(2, Options(), bytes(32))
    state.hands = [counts(hand), counts(other)]
    state.market = counts(market)
    state.site = [TREASURES.index(key) for key in site.split()]
    state.chambers = [[0] * KINDS for _ in state.chambers]
    state.thieves = GAME.card_list.thieves.by_seats[2]
    state.sandstorms = GAME.card_list.sandstorms.by_seats[2]
    state.active = state.asked = 0
    state.phase, state.dry = ACT, not site
    left = [n - placed for n, placed in zip(GAME.copies, census(state), strict=True)]
    state.maps_gone, left[MAP] = left[MAP], 0
    for kind, n in enumerate(left):
        largest = GAME.largest[kind]
        sets = [largest] * (n // largest) + [n % largest] * (n % largest > 0)
        for number, count in enumerate(sets):
            state.sold[number % 2].append((kind, count))
    for name, value in fields.items():
        setattr(state, name, value)
    assert census(state) == list(GAME.copies)
    return GAME.view(state, 0)


def master() -> Master[Any, Any]:
    agent = GAME.agents["master"]
    assert isinstance(agent, Master)
    return agent


def test_a_master_sees_what_its_purchase_leaves_to_others() -> None:
    """Three Masks for nearly everything: the other player would take up what was given for them. Passing is $14 better,
    and as nothing is hidden any more, there is no doubt about it.
    """
    view = endgame(
        "pot_shard*3 coin*2 map*2",
        "parchment_scrap*7 talisman*3 pharaohs_mask*3",
        "pot_shard parchment_scrap coin*3 map broken_cup*2",
    )
    assert choice("expert", view)["take"] == {"pharaohs_mask": 3}
    assert choice("master", view) == {"kind": "end_turn"}
    first, *_ = master().ranked(view, Random(1))
    assert (first.gain, first.error) == (14.0, 0.0)


def test_a_master_does_not_trade_twice_in_a_turn() -> None:
    hand, market = "pot_shard*4 coin*2 talisman", "pot_shard*3 coin*2 map broken_cup"
    before = endgame(hand, market, "coin", "coin coin")
    assert type(GAME.agents["expert"].choose(before, Random(1))) is Trade
    traded = endgame(hand, market, "coin", "coin coin", acted=True)
    assert any(type(move) is Trade for move in master().moves(before, Random(1)))
    assert not any(type(move) is Trade for move in master().moves(traded, Random(1)))


def test_advice_sells_a_whole_set_before_its_trade_and_follows_its_plan() -> None:
    hand, market = (
        "parchment_scrap*2 coin*2 talisman broken_cup*2",
        "pot_shard*3 parchment_scrap*7 coin*6 talisman",
    )
    view = endgame(hand, market, "coin map")
    state, views, moves = GAME.determinize(view, Random(1)), list[View](), list[Any]()
    sale, *rest = master().playouts.line(state, GAME.agents["expert"].choose(view, Random(1)))
    assert (sale, type(rest[0])) == (Sell(TREASURES.index("broken_cup"), 2), Trade)
    while state.asked == 0:
        views.append(GAME.view(state, 0))
        hint = advice(GAME, views, b"1")
        assert hint is not None
        moves.append(hint.move)
        GAME.apply(state, 0, hint.move)
    assert moves[0] == sale
    assert [type(move) for move in moves].count(Trade) == 1


def test_a_master_tries_trades_that_only_players_with_other_likings_would_make() -> None:
    view = endgame(
        "pot_shard*4 coin*2 talisman*2",
        "pot_shard*3 coin*3 broken_cup*2 pharaohs_mask*2",
        "coin",
        "coin coin",
    )
    usual, *others = moves = master().moves(view, Random(2))
    trades = [move for move in others if type(move) is Trade]
    assert usual == GAME.agents["expert"].choose(view, Random(1))
    assert len(trades) == SCREENED
    assert len({repr(move) for move in moves}) == len(moves) <= MOVES + SCREENED
    for move in moves:
        world = GAME.determinize(view, Random(3))
        GAME.apply(world, 0, move)  # an illegal move would be refused


def test_a_master_tries_other_losses_in_a_sandstorm() -> None:
    state = GAME.new(2, Options(), bytes(32))
    state.hands[0] = counts("pot_shard*2 coin*2 talisman*2 broken_cup map")
    state.phase, state.active, state.asked, state.sandstorms = STORM, 0, 0, 1
    view = GAME.view(state, 0)
    moves = master().moves(view, Random(2))
    assert len(moves) > 3
    assert all(sum(n for _, n in move.cards) == 4 for move in moves)


def test_a_single_move_is_made_without_a_search() -> None:
    view = endgame("coin", "", "coin", "coin coin", acted=True)
    (only,) = master().ranked(view, Random(1))
    assert (only.move, only.worlds) == (EndTurn(), 0)


def test_a_masters_choice_is_the_first_that_it_ranks_and_the_others_follow_by_gain() -> None:
    view = endgame("pot_shard*3 coin*2 map*2", "parchment_scrap*7 talisman*3", "coin*3 map", "coin pot_shard")
    ranked = master().ranked(view, Random(4))
    assert ranked[0].move == master().choose(view, Random(4))
    assert len(ranked) > 4
    assert [one.gain for one in ranked[1:]] == sorted((one.gain for one in ranked[1:]), reverse=True)
