"""The examples of the rule text, one by one."""

from __future__ import annotations

from engine.artifacts_inc.card_list import ARTIFACTS
from tests.engine.artifacts_inc.scene import (
    PASS,
    asked,
    collect,
    cubes,
    facts,
    fill,
    kinds,
    legal,
    play,
    put,
    scene,
    turn,
)

TOM, WENDY = 0, 1


def test_tom_fills_the_gem_museums_order_of_2_for_5_dollars():
    state = scene("mountain_expedition", dice="5 1", artifacts="gem*2")
    assert cubes(state, "mountain_expedition") == {"gem": 2}
    sizes = state.catalogue.orders(ARTIFACTS.index("gem"), 2)
    assert legal(state, fill(5, "gem", sizes.index(1)))
    events = play(state, fill(5, "gem", sizes.index(2)))
    assert state.dollars[TOM] == 5
    assert cubes(state, "mountain_expedition") == {}
    assert state.orders[ARTIFACTS.index("gem")] == (-1, TOM, -1, -1, -1, -1)
    sold = facts(events, "filled")
    assert (sold["count"], sold["bonus"], sold["dollars"]) == (2, 3, 5)


def test_private_collectors_pay_6_dollars_for_a_fossil_a_scroll_and_two_statues():
    state = scene("jungle_expedition", dice="2 1", artifacts="fossil scroll statue*2")
    play(state, collect(2, "fossil scroll statue*2"))
    assert state.dollars[TOM] == 6
    assert not any(state.artifacts[TOM])


def test_wendy_on_the_first_order_of_1_loses_the_fossil_museum_to_tom_on_the_second():
    state = scene(dice="1", orders={"fossil": {0: WENDY, 1: TOM}}, seats=3, active=2, round=60)
    assert state.catalogue.orders(ARTIFACTS.index("fossil"), 3)[:2] == (1, 1)
    events = play(state, PASS)
    assert state.earned[TOM] == (0, 0, 0, 3)
    assert state.earned[WENDY] == (0, 0, 0, 0)
    (majority,) = [event for event in events if event.kind == "majority"]
    assert (majority.seat, majority.facts) == (
        TOM,
        {"artifact": "fossil", "cubes": 1, "reputation": 3, "tied": True},
    )


def test_tom_last_in_the_order_reaches_20_and_the_game_ends_with_his_turn():
    state = scene(dice="1 1 1", dollars=4, seats=4, active=3, earned=[(0, 0, 0, 0)] * 3 + [(18, 0, 0, 0)])
    state.derive()
    events = play(state, turn(1, "headquarters"))
    assert kinds(events) == ["turned_card", "reached"]
    assert asked(state) == (3, "act")  # he finishes his turn
    play(state, put(1, "guide_work"))
    events = play(state, PASS)
    assert kinds(events)[-1] == "over"
    assert asked(state) is None


def test_a_card_with_two_actions_takes_a_1_and_a_3_or_more():
    """The Canyon Expedition in the text's picture: each die carries its action out once."""
    state = scene(dice="1 3 6")
    play(state, put(1, "canyon_expedition", 0), put(3, "canyon_expedition", 1))
    assert cubes(state, "canyon_expedition") == {"fossil": 2}
    assert not legal(state, put(6, "canyon_expedition", 1))
