"""The last turns: passing, the duty to sell, the end and who wins. Rulings R4, R5, R6 and R7."""

import pytest

from engine.archaeology_family.state import ACT, DIG, OVER
from tests.engine.archaeology.scene import GAME, explore, kinds, play, refused, scene
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, kind, sell, trade

# -- R4: who is asked


def test_r4_while_the_dig_site_has_cards_a_player_without_cards_digs():
    state = scene("coin", "", site="talisman coin")
    play(state, END_TURN)
    assert GAME.pending(state) == ((1, 1, "dig"),)


def test_r4_while_the_dig_site_has_cards_the_game_goes_on_though_nobody_holds_any():
    state = scene("coin", "", site="thief coin coin")
    assert kinds(play(state, sell("coin"))) == ["sold", "ended"]
    assert GAME.pending(state) == ((1, 1, "dig"),)
    assert kinds(play(state, DIG_MOVE)) == ["thief", "ended"]
    assert GAME.pending(state) == ((2, 0, "dig"),)
    assert GAME.outcome(state) is None


def test_r4_a_player_without_cards_is_skipped_once_the_dig_site_is_empty():
    state = scene("coin", "", "", "map")
    play(state, END_TURN)
    assert GAME.pending(state) == ((1, 3, "act"),)
    play(state, END_TURN)
    assert state.active == 0


def test_r4_players_without_cards_are_not_counted_among_those_who_must_pass():
    state = scene("coin", "", "map")
    play(state, END_TURN, END_TURN)
    assert state.duty
    assert refused(state, END_TURN).code == "must-sell"


def test_r4_the_game_ends_at_the_sale_after_which_nobody_holds_a_card():
    state = scene("coin map", "")
    play(state, sell("coin"))
    assert state.phase == ACT
    assert kinds(play(state, sell("map"))) == ["sold", "over"]
    assert GAME.pending(state) == ()
    assert refused(state, END_TURN).code == "not-your-move"


def test_r4_the_game_ends_when_the_last_dug_card_leaves_nobody_a_card():
    state = scene("", "", site="thief", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["thief", "over"]
    state = scene("", "", site="sandstorm", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["sandstorm", "over"]
    assert state.phase == OVER


def test_r4_selling_the_last_card_in_the_turn_that_dug_the_site_empty_ends_the_game():
    state = scene("", "", site="coin", dig=True)
    assert kinds(play(state, DIG_MOVE, sell("coin"))) == ["sold", "over"]


def test_the_turn_of_an_emptied_hand_ends_by_itself():
    state = scene("coin", "map", site="coin")
    assert kinds(play(state, sell("coin"))) == ["sold", "ended"]
    assert GAME.pending(state) == ((1, 1, "dig"),)


def test_an_empty_hand_ends_the_turn_after_a_last_card_that_gave_nothing():
    state = scene("", "map", site="sandstorm", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["sandstorm", "ended"]
    assert GAME.pending(state) == ((1, 1, "act"),)


# -- R5: passing in a row


def test_r5_when_all_have_passed_in_a_row_the_first_must_sell():
    state = scene("coin", "coin", "coin", active=1)
    assert kinds(play(state, END_TURN)) == ["passed"]
    play(state, END_TURN, END_TURN)
    assert state.active == 1
    assert refused(state, END_TURN).code == "must-sell"
    assert kinds(play(state, sell("coin"))) == ["sold", "ended"]
    assert not state.duty


def test_r5_after_the_sale_a_new_row_begins():
    state = scene("coin*3", "coin")
    play(state, END_TURN, END_TURN, sell("coin"), END_TURN)
    assert GAME.view(state, None).row == ()
    play(state, END_TURN)
    play(state, END_TURN)
    assert state.active == 1
    assert refused(state, END_TURN).code == "must-sell"


def test_r5_who_must_sell_may_do_other_things_as_well():
    state = scene("coin map", "coin", market="talisman")
    play(state, END_TURN, END_TURN, trade("map", "talisman"))
    assert refused(state, END_TURN).code == "must-sell"
    play(state, sell("coin"), trade("talisman", "map"), END_TURN)
    assert state.active == 1


def test_r5_an_exploration_does_not_discharge_from_selling():
    state = scene("coin map", "coin")
    play(state, END_TURN, END_TURN, explore(0))
    assert refused(state, END_TURN).code == "must-sell"
    play(state, sell("coin"), END_TURN)


@pytest.mark.parametrize("action", [trade("map", "talisman"), explore(0), sell("coin")])
def test_r5_any_action_ends_the_row(action: object):
    state = scene("coin", "coin*2 map*2", market="talisman")
    play(state, END_TURN)
    assert state.row == [0]
    play(state, action)
    assert state.row == []
    assert kinds(play(state, END_TURN)) == ["ended"]
    assert not state.duty
    play(state, END_TURN)
    assert not state.duty
    play(state, END_TURN)
    assert state.duty


def test_r5_a_turn_that_dug_is_no_pass():
    state = scene("coin", "coin", site="map", dig=True)
    play(state, DIG_MOVE)
    assert kinds(play(state, END_TURN)) == ["ended"]
    assert state.row == []
    play(state, END_TURN)
    assert state.row == [1]
    play(state, END_TURN)
    assert GAME.view(state, 0).row == (1, 0)
    assert state.active == 1
    assert state.duty


def test_r5_a_player_alone_with_cards_may_pass_once():
    state = scene("coin", "", "")
    play(state, END_TURN)
    assert state.active == 0
    assert refused(state, END_TURN).code == "must-sell"


def test_r5_nobody_must_sell_while_the_dig_site_has_cards():
    state = scene("coin", "coin", site="coin " * 8)
    play(state, END_TURN)
    for _ in range(8):
        play(state, DIG_MOVE, END_TURN)
    assert state.row == []
    assert state.stall == 0


# -- R6: trading for ever


def trade_on(state, turns: int):
    """So many turns with one trade and no sale."""
    for _ in range(turns):
        play(state, trade("coin", "coin"), END_TURN)


def test_r6_trades_alone_cannot_put_off_the_end_for_ever():
    state = scene("coin", "coin", market="coin")
    trade_on(state, 6)
    assert state.active == 0
    play(state, trade("coin", "coin"))
    assert refused(state, END_TURN).code == "must-sell"
    play(state, sell("coin"))
    assert (state.active, state.duty, state.stall) == (1, False, 0)


def test_r6_the_count_is_three_turns_for_each_who_holds_cards():
    state = scene("coin", "coin", "", "coin", market="coin")
    trade_on(state, 8)
    assert not state.duty
    play(state, trade("coin", "coin"), END_TURN)
    assert state.duty


def test_r6_a_sale_sets_the_count_back():
    state = scene("coin*3", "coin", market="coin")
    trade_on(state, 4)
    play(state, sell("coin"), END_TURN)
    assert state.stall == 0
    trade_on(state, 5)
    assert not state.duty


def test_r6_after_a_sale_the_turns_are_counted_again():
    state = scene("coin*3", "coin", market="coin")
    play(state, sell("coin"), END_TURN)
    trade_on(state, 5)
    assert not state.duty
    trade_on(state, 1)
    assert refused(state, END_TURN).code == "must-sell"


def test_r6_an_exploration_sets_the_count_back():
    state = scene("coin map", "coin", market="coin")
    trade_on(state, 4)
    play(state, explore(0), END_TURN)
    assert state.stall == 0
    trade_on(state, 5)
    assert not state.duty


def test_r6_only_turns_begun_with_the_dig_site_empty_are_counted():
    state = scene("coin", "coin", market="coin", site="coin", active=0)
    trade_on(state, 1)
    play(state, DIG_MOVE)
    trade_on(state, 1)
    assert state.stall == 0
    trade_on(state, 1)
    assert state.stall == 1


def test_r6_the_duty_outlasts_an_exploration():
    state = scene("coin map", "coin", market="coin")
    trade_on(state, 6)
    play(state, explore(0))
    assert refused(state, END_TURN).code == "must-sell"


def test_r6_passes_are_counted_with_the_trades():
    state = scene("coin", "coin", market="coin")
    for _ in range(3):
        play(state, END_TURN, trade("coin", "coin"), END_TURN)
    assert state.stall == 6
    assert refused(state, END_TURN).code == "must-sell"


# -- who wins


def finished(*sold: list[tuple[str, int]]):
    """A match that has just ended with these sets sold."""
    state = scene(*["" for _ in sold], site="thief", dig=True)
    state.sold = [[(kind(key), n) for key, n in sets] for sets in sold]
    (event,) = play(state, DIG_MOVE)[1:]
    outcome = GAME.outcome(state)
    assert outcome
    assert event == ("over", None, {"winners": outcome.winners, "scores": outcome.scores}, {}, (), True)
    return outcome


def test_the_highest_total_wins():
    outcome = finished([("coin", 5)], [("talisman", 5)], [("map", 1)])
    assert outcome.scores == (30, 40, 3)
    assert outcome.ranks == (2, 1, 3)
    assert (outcome.winners, outcome.why) == ((1,), "money")


def test_each_sold_set_is_valued_by_itself():
    outcome = finished([("coin", 1), ("coin", 1), ("coin", 1)], [("coin", 3)])
    assert outcome.scores == (6, 10)


def test_among_tied_players_who_sold_fewer_cards_wins():
    outcome = finished([("coin", 5), ("coin", 4), ("coin", 1)], [("pharaohs_mask", 4)], [("coin", 1)])
    assert outcome.scores == (50, 50, 2)
    assert (outcome.ranks, outcome.why) == ((2, 1, 3), "fewer-cards")
    assert outcome.detail == (10, 4, 1)


def test_r7_still_tied_the_victory_is_shared():
    outcome = finished([("coin", 2)], [("map", 1)], [("coin", 2)])
    assert (outcome.ranks, outcome.winners, outcome.why) == ((1, 3, 1), (0, 2), "shared")


def test_a_match_that_goes_on_has_no_outcome():
    assert GAME.outcome(scene("coin", "")) is None


def test_money_is_counted_as_it_comes_in():
    state = scene("talisman*4 talisman*2 coin*5", "map", site="coin")
    play(state, sell("talisman*4"), sell("talisman*2"))
    assert GAME.view(state, None).money == (31, 0)
    assert GAME.view(state, None).sold[0] == (cards("talisman*4") + cards("talisman*2"))
    assert state.phase != DIG
