"""A turn: the dig with its Thieves and Sandstorms, trades, exploration and sales. Rulings R1, R2, R3 and R8."""

import pytest

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM
from engine.game import Options
from tests.engine.archaeology.scene import GAME, counts, explore, kinds, play, refused, scene
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, discard, hand, kind, sell, trade

# -- digging


def test_a_dug_treasure_goes_to_the_hand_unseen_by_the_others():
    state = scene("coin", "map", site="talisman coin", dig=True)
    (event,) = play(state, DIG_MOVE)
    assert hand(state, 0) == cards("coin talisman")
    assert (event.kind, event.seat, event.reveals) == ("found", 0, True)
    assert event.seen_by(0) == {"treasure": kind("talisman")}
    assert event.seen_by(1) == event.seen_by(None) == {}
    assert GAME.pending(state) == ((1, 0, "act"),)


def test_a_map_is_a_treasure_like_another():
    state = scene("coin", "coin", site="map", dig=True)
    (event,) = play(state, DIG_MOVE)
    assert hand(state, 0) == cards("coin map")
    assert event.facts == {}


def test_cards_are_dug_from_the_top_one_a_turn():
    state = scene("coin", "coin", site="talisman map pot_shard", dig=True)
    play(state, DIG_MOVE, END_TURN, DIG_MOVE)
    assert hand(state, 0) == cards("coin talisman")
    assert hand(state, 1) == cards("coin map")
    assert state.site == [kind("pot_shard")]


def test_a_turn_begins_with_the_dig_and_has_only_one():
    state = scene("coin", "coin", site="talisman coin", dig=True)
    assert refused(state, END_TURN).code == "not-now"
    assert refused(state, sell("coin")).code == "not-now"
    assert refused(state, trade("coin", "coin")).code == "not-now"
    assert refused(state, explore(0)).code == "not-now"
    play(state, DIG_MOVE)
    assert refused(state, DIG_MOVE).code == "no-dig-due"


def test_there_is_no_hand_limit():
    state = scene("coin*14 talisman*8 pot_shard*18", "map", site="map map", dig=True)
    play(state, DIG_MOVE)
    assert sum(state.hands[0]) == 41


def test_play_goes_clockwise():
    state = scene("coin", "coin", "coin", site="coin " * 9, dig=True, active=1)
    asked: list[int] = []
    for _ in range(4):
        play(state, DIG_MOVE)
        asked.append(state.active)
        play(state, END_TURN)
    assert asked == [1, 2, 0, 1]


def test_only_the_asked_seat_may_move():
    state = scene("coin", "coin", "coin", site="coin coin", dig=True)
    for seat in (1, 2, 3, -1):
        assert refused(state, DIG_MOVE, seat).code == "not-your-move"


def test_what_is_no_move_is_refused():
    state = scene("coin", "coin")
    for nonsense in (None, "dig", (), ((2, 1),), object()):
        assert refused(state, nonsense).code == "unknown-move"


# -- thieves


def test_a_thief_takes_a_random_card_from_the_chosen_opponent():
    state = scene("coin", "talisman*2", "map*3", site="thief coin", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["thief"]
    assert GAME.pending(state) == ((1, 0, "steal"),)
    (event,) = play(state, m.Steal(2))
    assert hand(state, 0) == cards("coin map")
    assert hand(state, 2) == cards("map*2")
    assert (event.kind, event.seat, event.reveals) == ("stolen", 0, True)
    assert state.phase == ACT


def test_every_card_of_the_hand_may_be_the_stolen_one():
    stolen: list[int] = []
    for number in range(600):
        state = scene(
            "", "coin*3 talisman*2 map", site="thief coin", dig=True, key=number.to_bytes(32, "big")
        )
        stolen.append(play(state, DIG_MOVE)[1].secret["treasure"])
    shares = [stolen.count(kind(key)) / 600 for key in ("coin", "talisman", "map")]
    assert shares == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=0.06)


def test_a_thief_is_counted_for_all_to_see():
    state = scene("coin", "coin", site="thief coin", dig=True)
    before = GAME.view(state, None).thieves
    (event, _) = play(state, DIG_MOVE)
    assert (event.kind, event.facts, event.reveals) == ("thief", {}, True)
    assert GAME.view(state, None).thieves == before - 1


def test_a_thief_ends_the_dig():
    state = scene("coin", "coin", site="thief coin", dig=True)
    play(state, DIG_MOVE)
    assert state.phase == ACT
    assert refused(state, DIG_MOVE).code == "no-dig-due"


def test_with_one_possible_victim_nobody_is_asked():
    state = scene("coin", "", "map", site="thief coin", dig=True)
    thief, stolen = play(state, DIG_MOVE)
    assert (thief.kind, stolen.kind, stolen.facts) == ("thief", "stolen", {"victim": 2})
    assert hand(state, 0) == cards("coin map")


def test_with_no_possible_victim_nothing_happens():
    state = scene("coin", "", "", site="thief coin", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["thief"]
    assert state.phase == ACT
    assert hand(state, 0) == cards("coin")


def test_r2_a_thief_must_be_used_on_an_opponent_who_holds_cards():
    state = scene("coin", "coin", "", "map", site="thief coin", dig=True)
    play(state, DIG_MOVE)
    assert state.phase == STEAL
    assert refused(state, m.Steal(2)).code == "thief-needs-cards"
    for seat in (0, -1, 4, 99):
        assert refused(state, m.Steal(seat)).code == "thief-needs-opponent"
    for move in (END_TURN, sell("coin"), DIG_MOVE):
        assert refused(state, move).code in ("not-now", "no-dig-due")


def test_r8_what_a_thief_took_is_known_to_the_two_concerned_only():
    state = scene("coin", "map", "talisman", site="thief coin", dig=True)
    (event,) = play(state, DIG_MOVE, m.Steal(1))
    for viewer in (0, 1):
        assert event.seen_by(viewer) == {"victim": 1, "treasure": MAP}
    for viewer in (2, None):
        assert event.seen_by(viewer) == {"victim": 1}


def test_nobody_steals_without_a_thief():
    assert refused(scene("coin", "coin"), m.Steal(1)).code == "no-thief-due"


# -- sandstorms


def test_r2_seats_lose_one_after_another_from_the_digger_clockwise():
    state = scene("coin*2", "coin*4", "coin*3", site="sandstorm coin", dig=True, active=1)
    assert kinds(play(state, DIG_MOVE)) == ["sandstorm"]
    asked: list[int] = []
    for text in ("coin*2", "coin", "coin"):
        asked.append(state.asked)
        (event,) = play(state, discard(text))
        assert event == ("lost", asked[-1], {"cards": cards(text)}, {}, (), False)
    assert asked == [1, 2, 0]
    assert state.market == counts("coin*4")
    assert GAME.pending(state) == ((4, 1, "dig"),)


def test_r2_who_chooses_later_has_seen_what_went_before():
    state = scene("coin*2", "map*2", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE, discard("coin"))
    assert GAME.view(state, 1).market == tuple(counts("coin"))


def test_r2_a_hand_of_none_or_one_is_not_asked():
    state = scene("coin", "", "map*2", "coin", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.pending(state) == ((1, 2, "sandstorm"),)
    play(state, discard("map"))
    assert GAME.pending(state) == ((2, 0, "dig"),)


def test_r2_a_hand_of_a_single_treasure_is_asked_all_the_same():
    state = scene("coin*4", "", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.pending(state) == ((1, 0, "sandstorm"),)


def test_after_a_sandstorm_the_same_player_digs_again():
    state = scene("coin*2", "coin", site="sandstorm sandstorm thief coin", dig=True)
    play(state, DIG_MOVE, discard("coin"))
    assert (state.phase, state.active) == (DIG, 0)
    assert kinds(play(state, DIG_MOVE)) == ["sandstorm"]
    assert kinds(play(state, DIG_MOVE)) == ["thief", "stolen"]


def test_a_sandstorm_takes_exactly_half_rounded_down():
    state = scene("coin*4 map", "coin", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    for text, chosen in (("coin", 1), ("coin*2 map", 3), ("coin*4 map", 5)):
        error = refused(state, discard(text))
        assert (error.code, error.facts) == ("discard-count", {"due": 2, "chosen": chosen})
    assert refused(state, m.Discard(())).code == "discard-count"
    assert refused(state, discard("map*2")).code == "not-in-hand"
    assert refused(state, discard("talisman coin")).code == "not-in-hand"


def test_nothing_is_lost_without_a_sandstorm():
    assert refused(scene("coin*2", "coin"), discard("coin")).code == "no-sandstorm"


def test_the_others_wait_while_somebody_chooses_what_to_lose():
    state = scene("coin*2", "coin*2", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert refused(state, discard("coin"), 1).code == "not-your-move"
    assert refused(state, END_TURN).code == "not-now"
    assert refused(state, DIG_MOVE).code == "no-dig-due"
    assert (state.phase, state.queue) == (STORM, [1])


def test_r3_after_a_sandstorm_as_last_card_the_turn_goes_on_to_the_actions():
    state = scene("coin*2", "coin*2", site="sandstorm", dig=True)
    play(state, DIG_MOVE, discard("coin"), discard("coin"))
    assert GAME.pending(state) == ((3, 0, "act"),)
    assert refused(state, DIG_MOVE).code == "no-dig-due"
    play(state, END_TURN)
    assert state.row == []


def test_r3_a_sandstorm_as_last_card_that_strikes_nobody_goes_on_at_once():
    state = scene("coin", "", site="sandstorm", dig=True)
    assert kinds(play(state, DIG_MOVE)) == ["sandstorm"]
    assert GAME.pending(state) == ((1, 0, "act"),)


# -- trades


def test_a_trade_lays_cards_in_the_market_and_takes_others():
    state = scene("coin*2 map", "coin", market="talisman pot_shard", site="coin")
    (event,) = play(state, trade("coin*2", "talisman"))
    assert hand(state, 0) == cards("talisman map")
    assert state.market == counts("coin*2 pot_shard")
    assert event.facts == {"give": cards("coin*2"), "take": cards("talisman"), "over": 1}
    assert not event.secret
    assert not event.reveals
    assert state.asked == 0


def test_what_is_over_is_lost():
    state = scene("pharaohs_mask coin", "coin", market="pot_shard*2", site="coin")
    (event,) = play(state, trade("pharaohs_mask", "pot_shard"))
    assert event.facts["over"] == 3
    error = refused(state, trade("pot_shard", "pharaohs_mask"))
    assert (error.code, error.facts) == ("trade-too-dear", {"short": 3})


@pytest.mark.parametrize(("give", "take"), [("coin", "pot_shard*3"), ("map*2", "pharaohs_mask*2")])
def test_nothing_is_had_below_its_trade_value(give: str, take: str):
    state = scene("coin*3 map*2", "coin", market="pot_shard*5 pharaohs_mask*2", site="coin")
    assert refused(state, trade(give, take)).code == "trade-too-dear"


def test_r1_a_trade_gives_and_takes_at_least_one_card():
    state = scene("coin", "coin", market="pot_shard", site="coin")
    for move in (m.Trade((), cards("pot_shard")), m.Trade(cards("coin"), ()), m.Trade((), ())):
        assert refused(state, move).code == "trade-needs-both"


def test_r1_the_cards_taken_lay_in_the_market_before():
    state = scene("coin*2", "coin", market="pot_shard coin", site="coin")
    assert refused(state, trade("coin*2", "coin*2")).code == "not-in-market"
    assert refused(state, trade("coin", "map")).code == "not-in-market"
    play(state, trade("coin", "coin"))
    assert hand(state, 0) == cards("coin*2")


def test_only_cards_of_the_hand_are_given():
    state = scene("coin", "map*3", market="pot_shard", site="coin")
    assert refused(state, trade("coin*2", "pot_shard")).code == "not-in-hand"
    assert refused(state, trade("map", "pot_shard")).code == "not-in-hand"


def test_cards_must_be_written_in_order_and_by_one_bundle_a_treasure():
    state = scene("coin*2 map", "coin", market="pot_shard coin*2 map", site="coin")
    take = cards("pot_shard")
    coin, chart = kind("coin"), MAP
    for give in (
        ((chart, 1), (coin, 1)),
        ((coin, 1), (coin, 1)),
        ((coin, 0),),
        ((coin, -1),),
        ((-1, 1),),
        ((7, 1),),
        ((99, 1),),
    ):
        assert refused(state, m.Trade(give, take)).code == "malformed-cards"
        assert refused(state, m.Trade(cards("coin"), give)).code == "malformed-cards"


def test_one_may_trade_as_often_as_one_likes():
    state = scene("coin", "coin", market="coin", site="coin")
    for _ in range(50):
        play(state, trade("coin", "coin"))
    assert GAME.pending(state) == ((50, 0, "act"),)


# -- the pyramid


@pytest.mark.parametrize(
    ("chamber", "maps", "found"), [(0, 1, "coin*3"), (1, 2, "coin*5"), (2, 3, "pot_shard*7")]
)
def test_maps_open_a_chamber(chamber: int, maps: int, found: str):
    state = scene(f"talisman map*{maps}", "coin", site="coin")
    (event,) = play(state, explore(chamber))
    assert hand(state, 0) == cards(f"talisman {found}")
    assert state.maps_gone == maps
    assert sum(state.chambers[chamber]) == 0
    assert (event.kind, event.reveals) == ("explored", True)
    assert GAME.view(state, None).chambers[chamber] == 0


def test_r8_what_came_out_of_a_chamber_is_known_to_who_explored_it():
    state = scene("map", "coin", "coin", site="coin")
    (event,) = play(state, explore(0))
    assert event.seen_by(0) == {"chamber": 0, "maps": 1, "count": 3, "cards": cards("coin*3")}
    for viewer in (1, 2, None):
        assert event.seen_by(viewer) == {"chamber": 0, "maps": 1, "count": 3}


def test_a_chamber_is_explored_once_a_game():
    state = scene("map*2", "map", site="coin")
    play(state, explore(0))
    assert refused(state, explore(0)).code == "chamber-explored"


def test_several_chambers_may_be_explored_in_a_turn():
    state = scene("map*6", "coin", site="coin")
    play(state, explore(2), explore(0), explore(1))
    assert hand(state, 0) == cards("coin*8 pot_shard*7")


@pytest.mark.parametrize(("chamber", "maps"), [(0, 0), (1, 1), (2, 2)])
def test_too_few_maps_open_nothing(chamber: int, maps: int):
    state = scene(f"coin map*{maps}", "map*3", site="coin")
    error = refused(state, explore(chamber))
    assert (error.code, error.facts) == ("too-few-maps", {"cost": chamber + 1})


@pytest.mark.parametrize("chamber", [-1, 3, 99])
def test_there_are_three_chambers(chamber: int):
    assert refused(scene("map*3", "coin", site="coin"), explore(chamber)).code == "no-such-chamber"


# -- sales


def test_a_sold_set_lies_before_the_seller_for_its_price():
    state = scene("coin*5", "map", site="coin")
    (event,) = play(state, sell("coin*3"))
    assert event == ("sold", 0, {"treasure": kind("coin"), "count": 3, "price": 10}, {}, (), False)
    assert state.sold == [[(kind("coin"), 3)], []]
    assert hand(state, 0) == cards("coin*2")
    assert GAME.view(state, 1).money == (10, 0)


def test_a_sold_set_never_grows():
    state = scene("coin*5", "map", site="coin")
    play(state, sell("coin*2"), sell("coin*2"))
    assert GAME.money(state) == (5 + 5, 0)


def test_a_map_is_sold_for_three_dollars():
    state = scene("map*2 coin", "map", site="coin")
    play(state, sell("map"), sell("map"))
    assert GAME.money(state) == (6, 0)
    assert state.maps_gone == 0


@pytest.mark.parametrize(
    "largest",
    ["pot_shard*5", "parchment_scrap*4", "coin*5", "talisman*5", "broken_cup*2", "map", "pharaohs_mask*4"],
)
def test_no_set_is_larger_than_its_largest(largest: str):
    ((treasure, most),) = cards(largest)
    state = scene("coin", "map", site="coin")
    state.hands[0][treasure] = most + 1
    error = refused(state, m.Sell(treasure, most + 1))
    assert (error.code, error.facts) == ("set-too-large", {"treasure": treasure, "largest": most})
    play(state, m.Sell(treasure, most))
    assert GAME.money(state)[0] == GAME.prices[treasure][-1]


def test_only_cards_of_the_hand_are_sold():
    state = scene("coin", "map*3", site="coin")
    assert refused(state, sell("coin*2")).code == "not-in-hand"
    error = refused(state, sell("map"))
    assert (error.code, error.facts) == ("not-in-hand", {"treasure": MAP})


def test_a_set_is_of_a_treasure_and_holds_a_card():
    state = scene("coin", "map", site="coin")
    for treasure, count in ((-1, 1), (7, 1), (99, 1), (kind("coin"), 0), (kind("coin"), -1)):
        assert refused(state, m.Sell(treasure, count)).code == "no-such-set"


def test_sold_sets_are_safe_from_thieves_and_sandstorms():
    state = scene("coin*2 map", "talisman*3", site="sandstorm thief coin", active=0)
    play(state, sell("coin*2"), END_TURN)
    play(state, DIG_MOVE, discard("talisman"), DIG_MOVE)
    assert state.sold[0] == [(kind("coin"), 2)]
    assert GAME.money(state)[0] == 5


def test_one_may_do_nothing_at_all():
    state = scene("coin", "coin", site="coin coin", dig=True)
    assert play(state, DIG_MOVE, END_TURN) == [("ended", 0, {}, {}, (), False)]


def test_r8_public_is_what_lies_open_and_how_many_cards_lie_where():
    state = GAME.new(3, Options(), bytes(32))
    view = GAME.view(state, None)
    assert view.market == tuple(state.market)
    assert view.sizes == (4, 4, 4)
    assert view.chambers == (3, 5, 7)
    assert view.hand is None
    for seat in range(3):
        assert GAME.view(state, seat).hand == tuple(state.hands[seat])
