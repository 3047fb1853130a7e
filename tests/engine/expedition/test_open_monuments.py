"""The Mine, the Sphinx and the Buried Ruins: all see what comes out of them ("The monuments", R9, R11, R12, R15)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.archaeology_family.card_list import TREASURES
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, counts, hand, kind, sell
from tests.engine.expedition.scene import (
    GAME,
    STOP,
    TURN_UP,
    asked,
    chamber,
    explore,
    guess,
    names,
    play,
    refused,
    scene,
    turned_up,
)

# -- the Mine


def test_r11_at_least_one_card_is_turned_up():
    state = scene("map coin", "coin", monument="mine", site="coin")
    entered, turned = play(state, explore())
    assert (entered.kind, entered.facts) == ("entered", {"chamber": 0, "maps": 1})
    assert (turned.kind, turned.facts, turned.reveals) == (
        "turned_up",
        {"treasure": kind("pot_shard"), "worth": 1},
        True,
    )
    assert asked(state) == (0, "mine")
    assert sum(state.chambers[0]) == 14


def test_the_miner_stops_at_will_and_takes_all_that_is_turned_up():
    state = scene("map coin", "coin", monument="mine", site="coin")
    play(state, explore(), TURN_UP, TURN_UP)
    (event,) = play(state, STOP)
    assert (event.kind, event.facts) == ("mined", {"cards": cards("pot_shard*3"), "worth": 3})
    assert hand(state, 0) == cards("pot_shard*3 coin")
    assert chamber(state) == cards("pot_shard*12")
    assert asked(state) == (0, "act")


def test_r11_at_exactly_five_it_stops_by_itself():
    state = turned_up("coin*7 talisman*8", "coin", "talisman")
    play(state, explore())
    events = play(state, TURN_UP)
    assert names(events) == ["turned_up", "mined"]
    assert events[1].facts == {"cards": cards("coin talisman"), "worth": 5}
    assert hand(state, 0) == cards("coin*2 talisman")
    assert asked(state) == (0, "act")


def test_above_five_all_go_back_and_nothing_is_gained():
    state = scene("map coin", "coin", monument="mine", chambers=("talisman*8",), site="coin")
    play(state, explore())
    events = play(state, TURN_UP)
    assert names(events) == ["turned_up", "collapsed"]
    assert events[1].facts == {"cards": cards("talisman*2"), "worth": 6}
    assert chamber(state) == cards("talisman*8")
    assert hand(state, 0) == cards("coin")
    assert state.maps_gone == 1
    assert asked(state) == (0, "act")


@pytest.mark.parametrize(
    ("order", "end"),
    [
        ("pharaohs_mask pot_shard", "mined"),
        ("pharaohs_mask coin", "collapsed"),
        ("coin coin pot_shard", "mined"),
        ("coin coin coin", "collapsed"),
        ("pot_shard coin coin", "mined"),
        ("talisman pot_shard coin", "collapsed"),
    ],
)
def test_five_is_safe_and_six_is_not(order: str, end: str):
    treasures = order.split()
    state = turned_up("pot_shard*4 coin*4 talisman*3 pharaohs_mask*4", *treasures)
    events = play(state, explore(), *[TURN_UP] * (len(treasures) - 1))
    assert names(events) == ["turned_up", end]


def test_r11_when_the_mine_holds_no_more_cards_all_turned_up_are_taken():
    state = scene("map coin", "coin", monument="mine", chambers=("pot_shard*3",), site="coin")
    play(state, explore(), TURN_UP)
    assert asked(state) == (0, "mine")
    assert names(play(state, TURN_UP)) == ["turned_up", "mined"]
    assert hand(state, 0) == cards("pot_shard*3 coin")
    assert asked(state) == (0, "act")


def test_r11_an_only_card_is_taken_at_once():
    state = scene("map coin", "coin", monument="mine", chambers=("coin",), site="coin")
    assert names(play(state, explore())) == ["entered", "turned_up", "mined"]


def test_r11_the_mine_can_be_explored_again_but_not_when_empty():
    state = scene("map*2 coin", "coin", monument="mine", chambers=("coin*2",), site="coin " * 4)
    play(state, explore(), STOP)
    assert refused(state, explore()).code == "explored-already"
    play(state, END_TURN, DIG_MOVE, END_TURN, DIG_MOVE, explore())
    assert not any(state.chambers[0])
    state = scene("map coin", "coin", monument="mine", chambers=("",), site="coin")
    assert refused(state, explore()).code == "chamber-empty"


def test_in_the_mine_nothing_else_is_done():
    state = scene("map coin", "coin", monument="mine", site="coin")
    play(state, explore())
    assert refused(state, sell("coin")).code == "not-now"
    assert refused(state, END_TURN).code == "not-now"
    assert refused(state, explore()).code == "not-now"
    assert refused(state, STOP, seat=1).code == "not-your-move"


def test_every_card_left_in_the_mine_is_as_likely_to_turn_up():
    shown: Counter[str] = Counter()
    after_one: Counter[str] = Counter()
    for number in range(1500):
        state = scene("map", "coin", monument="mine", chambers=("pot_shard*3 coin*2 talisman",), site="coin")
        state.key = number.to_bytes(32, "big")
        first = play(state, explore())[1].facts["treasure"]
        shown[TREASURES[first]] += 1
        if first == kind("pot_shard"):
            after_one[TREASURES[play(state, TURN_UP)[0].facts["treasure"]]] += 1
    assert [round(shown[t] / 250) for t in ("pot_shard", "coin", "talisman")] == [3, 2, 1]
    total = sum(after_one.values())
    assert [round(5 * after_one[t] / total) for t in ("pot_shard", "coin", "talisman")] == [2, 2, 1]


def test_r15_what_was_turned_up_and_went_back_is_known_to_lie_in_the_mine():
    state = turned_up("coin*7 pharaohs_mask*4 talisman*4", "pharaohs_mask", "talisman")
    play(state, explore(), TURN_UP)
    for viewer in (None, 0, 1):
        assert GAME.view(state, viewer).within == (tuple(counts("pharaohs_mask talisman", 7)),)


def test_r15_what_is_turned_up_again_may_be_the_card_known_before():
    state = turned_up("coin*7 pharaohs_mask*4 talisman*4", "pharaohs_mask")
    state.within = [counts("pharaohs_mask talisman*2", 7)]
    play(state, explore())
    assert GAME.view(state, None).within == (tuple(counts("talisman*2", 7)),)
    play(state, STOP)
    assert GAME.view(state, None).within == (tuple(counts("talisman*2", 7)),)


def test_r15_two_seen_at_once_are_two():
    state = scene("map coin", "coin", monument="mine", chambers=("talisman*8",), site="coin")
    state.within = [counts("talisman", 7)]
    play(state, explore(), TURN_UP)
    assert GAME.view(state, 1).within == (tuple(counts("talisman*2", 7)),)


def test_r15_what_is_taken_from_the_mine_is_known_to_be_in_the_hand():
    state = scene("map coin", "coin", monument="mine", site="coin")
    play(state, explore(), TURN_UP, STOP)
    assert GAME.view(state, 1).known[0] == tuple(counts("pot_shard*2", 7))
    assert GAME.view(state, None).known[0] == tuple(counts("pot_shard*2", 7))


def test_what_is_turned_up_is_seen_while_it_lies_there():
    state = scene("map coin", "coin", monument="mine", site="coin")
    play(state, explore(), TURN_UP)
    view = GAME.view(state, 1)
    assert (view.turned, view.worth_turned, view.chambers) == ((0, 0), 2, (13,))


# -- the Sphinx


def test_the_sphinx_turns_up_five_and_gives_those_of_the_named_kinds():
    state = scene("map talisman", "coin", monument="sphinx", chambers=("coin*5",), site="coin")
    named, revealed = play(state, guess("coin", "map"))
    assert (named.kind, named.facts) == (
        "named",
        {"chamber": 0, "maps": 1, "treasures": (kind("coin"), kind("map"))},
    )
    assert (revealed.kind, revealed.facts, revealed.reveals) == (
        "revealed",
        {"cards": cards("coin*5"), "taken": cards("coin*5")},
        True,
    )
    assert hand(state, 0) == cards("coin*5 talisman")
    assert chamber(state) == ()
    assert asked(state) == (0, "act")


def test_both_named_kinds_are_taken_and_the_others_go_back():
    state = scene("map", "coin", monument="sphinx", chambers=("coin*2 talisman pot_shard*2",), site="coin")
    (_, revealed) = play(state, guess("talisman", "coin"))
    assert revealed.facts == {
        "cards": cards("coin*2 talisman pot_shard*2"),
        "taken": cards("coin*2 talisman"),
    }
    assert hand(state, 0) == cards("coin*2 talisman")
    assert chamber(state) == cards("pot_shard*2")


def test_only_five_of_fifteen_are_turned_up_all_as_likely():
    shown: Counter[int] = Counter()
    for number in range(600):
        state = scene("map coin", "coin", monument="sphinx", site="coin")
        state.key = number.to_bytes(32, "big")
        (_, revealed) = play(state, guess("map", "talisman"))
        assert sum(n for _, n in revealed.facts["cards"]) == 5
        shown.update(dict(revealed.facts["cards"]))
    assert all(900 < shown[kind(t)] < 1100 for t in ("pot_shard", "parchment_scrap", "coin"))


def test_fewer_than_five_are_all_turned_up():
    state = scene("map", "coin", monument="sphinx", chambers=("coin talisman*2",), site="coin")
    (_, revealed) = play(state, guess("coin", "pot_shard"))
    assert revealed.facts == {"cards": cards("coin talisman*2"), "taken": cards("coin")}


def test_the_sphinx_can_be_explored_again_but_not_when_empty():
    state = scene("map*2 pot_shard", "coin", monument="sphinx", site="coin " * 4)
    play(state, guess("coin", "talisman"), END_TURN, DIG_MOVE, END_TURN, DIG_MOVE, guess("coin", "talisman"))
    assert state.maps_gone == 2
    state = scene("map", "coin", monument="sphinx", chambers=("",), site="coin")
    assert refused(state, guess("coin", "talisman")).code == "chamber-empty"


def test_r9_two_different_treasures_of_the_game_in_play_are_named():
    state = scene("map coin", "coin", monument="sphinx", site="coin")
    assert refused(state, guess("coin", "coin")).code == "names-must-differ"
    assert refused(state, guess("coin", "broken_tablet")).code == "no-such-treasure"
    assert refused(state, guess("coin", "map")._replace(treasures=(-1, 2))).code == "no-such-treasure"
    assert refused(state, explore()).code == "sphinx-needs-names"
    with_four = scene(*["map coin"] * 4, monument="sphinx", site="coin")
    assert refused(with_four, guess("coin", "broken_pendant")).code == "no-such-treasure"
    play(with_four, guess("coin", "broken_tablet"))
    play(scene(*["map coin"] * 5, monument="sphinx", site="coin"), guess("coin", "broken_pendant"))


def test_r9_maps_may_be_named_though_none_lie_there():
    state = scene("map", "coin", monument="sphinx", chambers=("talisman*15",), site="coin")
    assert names(play(state, guess("map", "coin"))) == ["named", "revealed", "ended"]


def test_the_sphinx_wants_a_map_too():
    state = scene("coin", "coin", monument="sphinx", site="coin")
    assert refused(state, guess("coin", "talisman")).code == "too-few-maps"
    state = scene("map coin", "coin", monument="sphinx", site="coin coin")
    play(state, guess("coin", "talisman"))
    assert refused(state, guess("coin", "talisman")).code == "explored-already"


def test_r15_all_know_what_the_sphinx_showed_and_gave():
    state = scene("map", "coin", monument="sphinx", chambers=("coin*2 talisman pot_shard*2",), site="coin")
    play(state, guess("talisman", "coin"))
    for viewer in (None, 1):
        view = GAME.view(state, viewer)
        assert view.known[0] == tuple(counts("coin*2 talisman", 7))
        assert view.within == (tuple(counts("pot_shard*2", 7)),)


def test_r15_cards_shown_twice_may_be_the_same():
    state = scene("map", "coin", monument="sphinx", chambers=("coin*5 talisman*10",), site="coin")
    state.within = [counts("coin*4 talisman*2", 7)]
    (_, revealed) = play(state, guess("coin", "pot_shard"))
    shown = dict(revealed.facts["cards"])
    coins, talismans = shown.get(kind("coin"), 0), shown.get(kind("talisman"), 0)
    left = counts(f"coin*{max(4, coins) - coins} talisman*{max(2, talismans)}", 7)
    assert GAME.view(state, 1).within == (tuple(left),)


# -- the Buried Ruins


def test_a_map_takes_all_cards_of_a_chamber_of_the_ruins_before_all_eyes():
    state = scene("map", "coin", monument="ruins", chambers=("coin", "coin talisman", ""), site="coin")
    (event,) = play(state, explore(1))
    facts = {"chamber": 1, "maps": 1, "count": 2, "cards": cards("coin talisman")}
    assert (event.kind, event.facts, event.secret, event.reveals) == ("explored", facts, {}, False)
    assert hand(state, 0) == cards("coin talisman")
    assert chamber(state, 1) == ()
    for viewer in (None, 1):
        view = GAME.view(state, viewer)
        assert view.known[0] == tuple(counts("coin talisman", 7))
        assert view.within == (tuple(counts("coin", 7)), tuple(counts("", 7)), tuple(counts("", 7)))


def test_r12_an_empty_chamber_of_the_ruins_cannot_be_explored():
    state = scene("map*2 coin", "map coin", monument="ruins", site="coin coin")
    play(state, explore(1), END_TURN, DIG_MOVE)
    assert refused(state, explore(1)).code == "chamber-empty"
    assert GAME.view(state, 1).explorable == (0, 2)


def test_the_ruins_lie_open_to_all():
    state = scene("map", "coin", monument="ruins", site="coin", pile="coin talisman pot_shard")
    for viewer in (None, 0, 1):
        view = GAME.view(state, viewer)
        assert view.within == tuple(tuple(counts(t, 7)) for t in ("coin", "talisman", "pot_shard"))
        assert view.pile == 3
