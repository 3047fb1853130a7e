"""The Great Pyramid, the Temple and the Tomb: what comes out of them is seen by who explores ("The monuments")."""

from __future__ import annotations

import pytest

from engine.archaeology_family.card_list import MAP
from engine.expedition.state import MonumentKey
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, hand, sell, trade
from tests.engine.expedition.scene import (
    GAME,
    STOP,
    TURN_UP,
    asked,
    chamber,
    explore,
    guess,
    keep,
    look,
    names,
    play,
    refused,
    scene,
)

# -- exploring any of them


def test_an_exploration_is_made_once_a_turn():
    state = scene("map*3 coin", "coin", site="coin coin")
    play(state, explore(0))
    assert refused(state, explore(1)).code == "explored-already"
    assert GAME.view(state, 0).explorable == ()
    play(state, END_TURN, DIG_MOVE)
    assert not state.explored
    assert GAME.view(state, 1).explorable == (1, 2)
    play(state, END_TURN, DIG_MOVE, explore(1))


def test_trades_and_sales_are_made_as_often_as_wanted_around_an_exploration():
    state = scene("map coin*3 pot_shard", "coin", market="talisman pot_shard", site="coin")
    play(
        state,
        sell("coin"),
        trade("pot_shard", "pot_shard"),
        explore(0),
        sell("coin"),
        trade("coin", "pot_shard"),
    )
    assert asked(state) == (0, "act")


@pytest.mark.parametrize("monument", ["great_pyramid", "temple", "tomb", "mine", "ruins"])
def test_a_chamber_must_exist_and_not_be_empty_and_the_maps_be_there(monument: MonumentKey):
    state = scene("coin", "coin", monument=monument, site="coin")
    last = len(state.chambers)
    assert refused(state, explore(last)).code == "no-such-chamber"
    assert refused(state, explore(-1)).code == "no-such-chamber"
    cost = GAME.view(state, 0).costs[last - 1]
    error = refused(state, explore(last - 1))
    assert (error.code, error.facts) == ("too-few-maps", {"cost": cost})
    state.hands[0][MAP] = cost - 1
    assert refused(state, explore(last - 1)).code == "too-few-maps"
    state.chambers[last - 1] = [0] * state.kinds
    once = monument in ("great_pyramid", "temple")
    assert refused(state, explore(last - 1)).code == ("chamber-explored" if once else "chamber-empty")
    assert refused(state, guess("coin", "map")).code == "no-sphinx"


def test_exploring_is_for_the_actions_of_ones_turn():
    state = scene("map coin", "coin", site="coin", dig=True)
    assert refused(state, explore(0)).code == "not-now"
    assert refused(state, explore(0), seat=1).code == "not-your-move"


def test_answers_are_refused_where_nothing_is_asked():
    state = scene("map coin", "coin", site="coin")
    for move, code in (
        (look(0), "no-look-due"),
        (keep("coin*2"), "no-choice-due"),
        (TURN_UP, "not-in-mine"),
        (STOP, "not-in-mine"),
    ):
        assert refused(state, move).code == code
    assert refused(state, None).code == "unknown-move"


def test_discarded_maps_leave_the_game():
    state = scene("map*3", "coin", site="coin")
    play(state, explore(2))
    assert state.maps_gone == 3
    assert not any(state.market)
    assert GAME.view(state, None).maps_gone == 3


# -- the Great Pyramid


@pytest.mark.parametrize(
    ("number", "maps", "found"), [(0, 1, "coin*2"), (1, 2, "coin*5"), (2, 3, "pot_shard*8")]
)
def test_maps_take_the_chambers_of_two_five_and_eight(number: int, maps: int, found: str):
    state = scene(f"map*{maps} talisman", "coin", site="coin")
    (event,) = play(state, explore(number))
    assert hand(state, 0) == cards(f"talisman {found}")
    assert (event.kind, event.seat, event.told_to, event.reveals) == ("explored", 0, (0,), True)
    assert event.facts == {"chamber": number, "maps": maps, "count": (2, 5, 8)[number]}
    assert event.secret == {"cards": cards(found)}
    assert not any(state.chambers[number])
    assert asked(state) == (0, "act")


def test_each_chamber_of_the_pyramid_is_explored_once():
    state = scene("map*2 coin", "map coin", site="coin coin")
    play(state, explore(0), END_TURN, DIG_MOVE)
    assert refused(state, explore(0)).code == "chamber-explored"


# -- the Temple


@pytest.mark.parametrize("number", range(3))
def test_two_maps_take_any_chamber_of_the_temple(number: int):
    state = scene("map*2 talisman", "coin", monument="temple", site="coin")
    before = chamber(state, number)
    (event,) = play(state, explore(number))
    assert hand(state, 0) == (*before, *cards("talisman"))
    assert event.facts == {"chamber": number, "maps": 2, "count": 5}
    assert (event.secret, event.told_to) == ({"cards": before}, (0,))
    assert not any(state.chambers[number])


def test_each_chamber_of_the_temple_is_explored_once():
    state = scene("map*2 coin", "map*2 coin", monument="temple", site="coin coin")
    play(state, explore(0), END_TURN, DIG_MOVE)
    assert refused(state, explore(0)).code == "chamber-explored"
    play(state, explore(1))


def test_r10_after_each_sale_the_seller_may_look_into_one_chamber():
    state = scene("coin*3 talisman", "coin", monument="temple", site="coin")
    for number in (2, 0):
        play(state, sell("coin"))
        assert GAME.view(state, 1).look
        (event,) = play(state, look(number))
        assert (event.kind, event.seat, event.facts) == ("looked", 0, {"chamber": number})
        assert event.reveals
        assert (event.secret, event.told_to) == ({"cards": chamber(state, number)}, (0,))
        assert refused(state, look(1)).code == "no-look-due"
        assert asked(state) == (0, "act")
    assert [sum(c) for c in state.chambers] == [5, 5, 5]


@pytest.mark.parametrize("move", [END_TURN, trade("coin", "coin"), explore(0)])
def test_r10_the_look_ends_when_the_seller_goes_on(move: object):
    state = scene("coin*3 map*2", "coin", monument="temple", market="coin", site="coin")
    play(state, sell("coin"), move)
    assert not GAME.view(state, 0).look
    assert refused(state, look(1), seat=state.asked).code == "no-look-due"
    assert state.privy == [[], [], []]


def test_r10_a_further_sale_gives_one_look_and_not_two():
    state = scene("coin*3", "coin", monument="temple", site="coin")
    play(state, sell("coin"), sell("coin"), look(0))
    assert refused(state, look(1)).code == "no-look-due"


def test_r10_all_see_that_a_look_is_offered_and_a_refused_move_keeps_it():
    state = scene("coin*3", "coin", monument="temple", site="coin")
    play(state, sell("coin"))
    assert refused(state, explore(0)).code == "too-few-maps"
    assert refused(state, look(3)).code == "no-such-chamber"
    assert [GAME.view(state, viewer).look for viewer in (0, 1, None)] == [True] * 3


def test_r10_only_a_chamber_that_holds_cards_is_looked_at():
    chambers = ("", "coin*5", "coin*5")
    state = scene("coin*3", "coin", monument="temple", chambers=chambers, site="coin")
    play(state, sell("coin"))
    assert refused(state, look(0)).code == "chamber-explored"
    assert refused(state, look(3)).code == "no-such-chamber"
    assert refused(state, look(-1)).code == "no-such-chamber"
    play(state, look(1))


def test_r10_no_look_is_offered_where_the_chambers_are_empty():
    state = scene("coin*3", "coin", monument="temple", chambers=("", "", ""), site="coin")
    play(state, sell("coin"))
    assert refused(state, look(0)).code == "no-look-due"


def test_r10_no_look_is_offered_where_the_sale_has_ended_the_game():
    state = scene("coin", "", monument="temple")
    assert names(play(state, sell("coin"))) == ["sold", "over"]
    assert asked(state) is None


@pytest.mark.parametrize("site", ["", "coin"])
def test_r10_the_look_comes_before_the_turn_of_an_emptied_hand_ends(site: str):
    state = scene("coin", "coin", monument="temple", site=site)
    assert names(play(state, sell("coin"))) == ["sold"]
    assert asked(state) == (0, "act")
    declining = GAME.copy(state)
    assert names(play(declining, END_TURN)) == ["ended"]
    assert names(play(state, look(0))) == ["looked", "ended"]
    assert asked(declining) == asked(state) == (1, "dig" if site else "act")


def test_r10_the_look_is_offered_where_nobody_holds_a_card_but_the_match_goes_on():
    state = scene("coin", "", monument="temple", site="coin")
    play(state, sell("coin"))
    assert GAME.view(state, 0).look
    assert asked(state) == (0, "act")


def test_a_sale_at_another_monument_offers_no_look():
    for monument in ("great_pyramid", "tomb", "mine", "sphinx", "ruins"):
        state = scene("coin*2", "coin", monument=monument, site="coin")
        play(state, sell("coin"))
        assert refused(state, look(0)).code == "no-look-due"


# -- the Tomb


def test_who_explores_the_tomb_sees_all_and_keeps_two():
    state = scene("map pot_shard", "coin", monument="tomb", site="coin")
    (opened,) = play(state, explore(0))
    assert (opened.kind, opened.seat, opened.reveals) == ("opened", 0, True)
    assert opened.facts == {"chamber": 0, "maps": 1, "count": 7}
    assert (opened.secret, opened.told_to) == ({"cards": cards("coin*5 talisman*2")}, (0,))
    assert asked(state) == (0, "keep")
    (kept,) = play(state, keep("coin talisman"))
    assert (kept.kind, kept.seat, kept.reveals) == ("kept", 0, False)
    assert kept.facts == {"chamber": 0, "count": 2, "left": 5}
    assert (kept.secret, kept.told_to) == ({"cards": cards("coin talisman")}, (0,))
    assert hand(state, 0) == cards("pot_shard coin talisman")
    assert chamber(state) == cards("coin*4 talisman")
    assert asked(state) == (0, "act")


def test_the_map_is_spent_before_the_look():
    state = scene("map pot_shard", "coin", monument="tomb", site="coin")
    play(state, explore(1))
    assert (hand(state, 0), state.maps_gone) == (cards("pot_shard"), 1)
    for move in (explore(0), END_TURN, sell("pot_shard")):
        assert refused(state, move).code in ("not-now", "explored-already")


@pytest.mark.parametrize("text", ["talisman*2", "coin*2", "coin talisman"])
def test_any_two_cards_of_the_chamber_are_kept(text: str):
    state = scene("map", "coin", monument="tomb", site="coin")
    play(state, explore(0), keep(text))
    assert hand(state, 0) == cards(text)


def test_neither_fewer_nor_more_nor_others_are_kept():
    state = scene("map pot_shard", "coin", monument="tomb", site="coin")
    play(state, explore(0))
    error = refused(state, keep("coin"))
    assert (error.code, error.facts) == ("keep-count", {"due": 2, "chosen": 1})
    assert refused(state, keep("coin*2 talisman")).code == "keep-count"
    assert refused(state, keep("")).code == "keep-count"
    assert refused(state, keep("pot_shard coin")).code == "not-in-chamber"
    assert refused(state, keep("talisman*3")).code == "not-in-chamber"
    assert refused(state, keep("coin*2")._replace(cards=((2, 1), (2, 1)))).code == "malformed-cards"


def test_a_chamber_of_the_tomb_can_be_explored_while_it_has_cards():
    state = scene(
        "map*5 coin", "coin", monument="tomb", chambers=("coin*7", "pot_shard*8"), site="coin " * 20
    )
    left: list[int] = []
    for _ in range(3):
        play(state, explore(0), keep("coin*2"), END_TURN, DIG_MOVE, END_TURN, DIG_MOVE)
        left.append(sum(state.chambers[0]))
    (event,) = play(state, explore(0))
    assert left == [5, 3, 1]
    assert event.facts == {"chamber": 0, "maps": 1, "count": 1}
    assert (event.kind, event.secret) == ("explored", {"cards": cards("coin")})
    assert asked(state) == (0, "act")
    play(state, END_TURN, DIG_MOVE, END_TURN, DIG_MOVE)
    assert refused(state, explore(0)).code == "chamber-empty"


def test_of_the_last_two_cards_both_are_taken_unasked():
    state = scene("map", "coin", monument="tomb", chambers=("coin talisman", "coin*8"), site="coin")
    (event,) = play(state, explore(0))
    assert (event.kind, event.facts["count"]) == ("explored", 2)
    assert hand(state, 0) == cards("coin talisman")
    assert asked(state) == (0, "act")


def test_three_like_cards_are_chosen_from_all_the_same():
    state = scene("map", "coin", monument="tomb", chambers=("coin*3", "coin*8"), site="coin")
    play(state, explore(0))
    assert asked(state) == (0, "keep")
