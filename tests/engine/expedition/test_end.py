"""How a match comes to its end, where that differs from the first game (R4, R5, R6, R14)."""

from __future__ import annotations

import pytest

from engine.expedition.state import ExpeditionState, MonumentKey
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, hand, sell, trade
from tests.engine.expedition.scene import (
    GAME,
    STOP,
    TURN_UP,
    asked,
    explore,
    guess,
    keep,
    look,
    names,
    play,
    refused,
    scene,
)

# -- R14


def test_r14_a_mine_that_collapses_over_the_last_card_meets_the_duty_to_sell():
    state = scene("map", "coin", monument="mine", chambers=("talisman*8",), duty=True, row=[0, 1])
    assert refused(state, END_TURN).code == "must-sell"
    play(state, explore())
    assert names(play(state, TURN_UP)) == ["turned_up", "collapsed", "ended"]
    assert asked(state) == (1, "act")
    assert not state.duty


def test_r14_a_sphinx_that_gives_nothing_for_the_last_card_meets_the_duty_to_sell():
    state = scene("map", "coin", monument="sphinx", duty=True, stall=6)
    assert names(play(state, guess("talisman", "map"))) == ["named", "revealed", "ended"]
    assert asked(state) == (1, "act")
    assert not state.duty


def test_r14_with_cards_left_the_duty_remains():
    state = scene("map coin", "coin", monument="mine", chambers=("talisman*8",), duty=True, row=[0, 1])
    play(state, explore(), TURN_UP)
    assert asked(state) == (0, "act")
    assert refused(state, END_TURN).code == "must-sell"
    play(state, sell("coin"))
    assert asked(state) == (1, "act")


def test_r14_what_an_exploration_yields_can_be_sold_for_the_duty():
    state = scene("map", "coin", monument="mine", duty=True, row=[0, 1])
    play(state, explore(), STOP)
    assert refused(state, END_TURN).code == "must-sell"


def test_a_turn_without_a_card_left_ends_even_without_a_duty():
    state = scene("map", "coin", monument="mine", chambers=("talisman*8",), site="coin")
    play(state, explore())
    assert names(play(state, TURN_UP)) == ["turned_up", "collapsed", "ended"]
    assert asked(state) == (1, "dig")
    assert not state.explored


# -- R4


def test_r4_an_exploration_that_yields_nothing_can_end_the_match():
    state = scene("map", "", monument="mine", chambers=("talisman*8",))
    play(state, explore())
    assert asked(state) == (0, "mine")
    assert names(play(state, TURN_UP)) == ["turned_up", "collapsed", "over"]
    assert asked(state) is None
    assert GAME.outcome(state)


def test_r4_the_match_goes_on_while_somebody_explores_with_the_last_card_of_all():
    state = scene("map", "", monument="tomb")
    play(state, explore())
    assert asked(state) == (0, "keep")
    play(state, keep("coin*2"))
    assert asked(state) == (0, "act")
    assert hand(state, 0) == cards("coin*2")


def test_r4_the_dig_goes_on_though_nobody_holds_a_card():
    state = scene("map", "", monument="sphinx", site="coin coin")
    play(state, guess("talisman", "map"))
    assert asked(state) == (1, "dig")


def test_r4_cards_left_in_the_monument_do_not_prolong_the_match():
    state = scene("coin", "")
    assert names(play(state, sell("coin"))) == ["sold", "over"]


def test_r4_without_cards_a_player_is_skipped_at_the_dry_end():
    state = scene("map", "", "coin", monument="mine", chambers=("talisman*8",), tents=[True] * 3)
    play(state, explore(), TURN_UP)
    assert asked(state) == (2, "act")
    play(state, END_TURN)
    assert asked(state) == (2, "act")


# -- R5 and R6: explorations go on the same way whatever the monument


def explored(state: ExpeditionState) -> None:
    """Explores what the monument is, and nothing more."""
    play(state, guess("coin", "talisman") if state.monument == "sphinx" else explore())
    if state.phase == "keep":
        play(state, keep("coin*2"))
    if state.phase == "mine":
        play(state, STOP)


every_monument = pytest.mark.parametrize(
    "monument", ["great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins"]
)


@every_monument
def test_r5_an_exploration_ends_the_row_and_is_no_pass(monument: MonumentKey):
    state = scene("map*2 coin", "coin*2", "coin", monument=monument, row=[1, 2], stall=2)
    explored(state)
    assert state.row == []
    assert names(play(state, END_TURN)) == ["ended"]
    assert state.row == []


@every_monument
def test_r6_an_exploration_sets_the_count_back_to_zero(monument: MonumentKey):
    state = scene("map*2 coin", "coin*2", monument=monument, stall=5)
    explored(state)
    assert state.stall == 0
    play(state, END_TURN)
    assert state.stall == 0
    assert not state.duty


def test_r6_an_exploration_that_yields_nothing_counts_as_one():
    state = scene("map coin", "coin*2", monument="mine", chambers=("talisman*8",), stall=5)
    play(state, explore(), TURN_UP, END_TURN)
    assert state.stall == 0


def test_r6_trades_alone_count_up_to_three_turns_a_player():
    state = scene("coin", "coin", monument="temple", market="coin")
    for turn in range(6):
        assert not state.duty
        play(state, trade("coin", "coin"), END_TURN)
        assert state.stall == turn + 1
    assert state.duty
    play(state, sell("coin"), END_TURN)
    assert asked(state) == (1, "act")
    assert not state.duty


def test_r5_who_must_sell_may_look_into_the_temple_too():
    state = scene("coin*2", "coin", monument="temple", duty=True, row=[0, 1])
    play(state, sell("coin"))
    play(state, look(0), END_TURN)
    assert asked(state) == (1, "act")


def test_the_example_trade_is_as_in_the_first_game():
    state = scene("parchment_scrap*2 coin", "coin", market="talisman pot_shard", site="coin")
    (event,) = play(state, trade("parchment_scrap*2 coin", "talisman pot_shard"))
    assert event.facts["over"] == 0
    assert hand(state, 0) == cards("talisman pot_shard")


def test_r7_and_the_tie_break_hold_here():
    state = scene("coin", "", sold=[[], [(2, 1)]])
    play(state, sell("coin"))
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks, outcome.scores, outcome.why) == ((1, 1), (2, 2), "shared")
    state = scene("coin*2", "", sold=[[], [(0, 3), (2, 1)]])
    play(state, sell("coin*2"))
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks, outcome.scores, outcome.why) == ((1, 2), (5, 5), "fewer-cards")


def test_what_is_left_in_pile_and_chambers_is_nobodys():
    state = scene("coin", "coin", monument="ruins", pile="coin coin coin")
    play(state, sell("coin"), sell("coin"))
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.scores == (2, 2)


def test_digging_begins_a_new_exploration():
    state = scene("map*2 coin", "coin", monument="ruins", site="coin coin coin", dry=False)
    play(state, explore(0), END_TURN, DIG_MOVE, END_TURN, DIG_MOVE, explore(1))
    assert hand(state, 0) == cards("coin*3 talisman")
