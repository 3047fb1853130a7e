"""Sandstorms, Tents, and what they do to the Ruins ("What differs in a turn", R12, R13)."""

from __future__ import annotations

import pytest

from engine.archaeology_family.card_list import bundles
from engine.game import Decision
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, cards, discard, hand, kind
from tests.engine.expedition.scene import (
    GAME,
    LAID,
    PILE,
    SAVE_TENT,
    USE_TENT,
    asked,
    chamber,
    explore,
    names,
    play,
    refused,
    scene,
)


def test_the_example_with_adele_ben_christopher_and_daria():
    adele, ben, christopher, daria = range(4)
    state = scene(
        "coin",
        "pot_shard*6",
        "parchment_scrap*5",
        "talisman*3",
        site="sandstorm coin",
        dig=True,
        tents=[False, True, True, True],
    )
    assert names(play(state, DIG_MOVE)) == ["sandstorm"]
    for seat, move in ((ben, SAVE_TENT), (christopher, SAVE_TENT), (daria, USE_TENT)):
        assert asked(state) == (seat, "tent")
        play(state, move)
    assert asked(state) == (ben, "sandstorm")
    assert refused(state, discard("pot_shard*2")).facts == {"due": 3, "chosen": 2}
    play(state, discard("pot_shard*3"))
    assert asked(state) == (christopher, "sandstorm")
    play(state, discard("parchment_scrap*2"))
    assert asked(state) == (adele, "dig")
    assert [hand(state, seat) for seat in range(4)] == [
        cards("coin"),
        cards("pot_shard*3"),
        cards("parchment_scrap*3"),
        cards("talisman*3"),
    ]
    assert bundles(state.market) == cards("pot_shard*3 parchment_scrap*2")
    assert state.tents == [False, True, True, False]
    assert names(play(state, DIG_MOVE)) == ["found"]
    assert hand(state, adele) == cards("coin*2")


def test_all_tents_are_declared_before_anybody_loses_anything():
    state = scene(*["coin*4"] * 3, site="sandstorm coin", dig=True, active=1)
    order: list[tuple[int, str]] = []
    play(state, DIG_MOVE)
    while state.phase != "dig":
        order.append((state.asked, state.phase))
        play(state, SAVE_TENT if state.phase == "tent" else discard("coin*2"))
    tents, losses = [(seat, "tent") for seat in (2, 0, 1)], [(seat, "sandstorm") for seat in (2, 0, 1)]
    assert order == tents + losses
    assert state.active == state.asked == 1


@pytest.mark.parametrize("digger", range(4))
def test_the_order_begins_at_the_left_and_ends_with_who_dug(digger: int):
    state = scene(*["coin*2"] * 4, site="sandstorm coin", dig=True, active=digger, tents=[False] * 4)
    play(state, DIG_MOVE)
    order: list[int] = []
    while state.phase == "sandstorm":
        order.append(state.asked)
        play(state, discard("coin"))
    assert order == [(digger + n) % 4 for n in (1, 2, 3, 4)]


def test_a_used_tent_leaves_the_game():
    state = scene("coin*4", "coin*4", site="sandstorm sandstorm coin", dig=True)
    play(state, DIG_MOVE, USE_TENT, SAVE_TENT, discard("coin*2"))
    assert state.tents == [True, False]
    play(state, DIG_MOVE)
    assert asked(state) == (0, "tent")
    play(state, SAVE_TENT)
    assert asked(state) == (1, "sandstorm")


def test_a_saved_tent_is_asked_about_again():
    state = scene("coin*4", "coin*4", site="sandstorm sandstorm coin", dig=True, tents=[False, True])
    play(state, DIG_MOVE, SAVE_TENT, discard("coin*2"), discard("coin*2"), DIG_MOVE)
    assert asked(state) == (1, "tent")


def test_nobody_loses_where_all_use_their_tents():
    state = scene("coin*4", "coin*4", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE, USE_TENT, USE_TENT)
    assert asked(state) == (0, "dig")
    assert not any(state.market)
    assert not state.sheltered


def test_a_declaration_is_a_fact_that_all_see():
    state = scene("coin*4", "coin*4", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    for seat, move, used in ((1, SAVE_TENT, False), (0, USE_TENT, True)):
        (event,) = play(state, move)
        assert (event.kind, event.seat, event.facts, event.told_to) == ("tent", seat, {"used": used}, ())


def test_who_sheltered_is_seen_while_the_others_declare():
    state = scene(*["coin*4"] * 3, site="sandstorm coin", dig=True)
    play(state, DIG_MOVE, USE_TENT)
    view = GAME.view(state, 2)
    assert view.sheltered == (1,)
    assert view.tents == (True, False, True)
    assert view.queue == (0,)
    play(state, SAVE_TENT, SAVE_TENT)
    assert GAME.view(state, 2).sheltered == ()


def test_r13_with_no_or_one_card_nobody_is_asked_about_the_tent():
    state = scene("coin*2", "coin", "", "coin*3", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert asked(state) == (3, "tent")
    play(state, SAVE_TENT)
    assert asked(state) == (0, "tent")
    play(state, SAVE_TENT)
    assert asked(state) == (3, "sandstorm")


def test_r13_a_storm_over_small_hands_asks_nobody():
    state = scene("coin", "coin", site="sandstorm coin", dig=True)
    assert names(play(state, DIG_MOVE)) == ["sandstorm"]
    assert asked(state) == (0, "dig")
    assert state.tents == [True, True]


def test_r2_a_hand_of_a_single_treasure_is_asked_all_the_same():
    state = scene("", "coin*2", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert asked(state) == (1, "tent")
    play(state, SAVE_TENT)
    assert asked(state) == (1, "sandstorm")


def test_r3_after_a_last_sandstorm_the_turn_goes_on_without_a_dig():
    state = scene("coin*2", "coin*2", site="sandstorm", dig=True)
    play(state, DIG_MOVE, USE_TENT, USE_TENT)
    assert asked(state) == (0, "act")
    play(state, END_TURN)
    assert not state.row  # R5: a turn that dug the last card is no pass


def test_r3_nobody_is_asked_and_the_turn_goes_on():
    state = scene("coin", "coin", site="sandstorm", dig=True)
    play(state, DIG_MOVE)
    assert asked(state) == (0, "act")


def test_a_tent_is_no_move_at_other_times():
    state = scene("coin*4", "coin*4", site="sandstorm coin", dig=True)
    assert refused(state, USE_TENT).code == "no-tent-due"
    play(state, DIG_MOVE)
    assert refused(state, USE_TENT, seat=0).code == "not-your-move"
    for move, code in (
        (DIG_MOVE, "no-dig-due"),
        (discard("coin*2"), "no-sandstorm"),
        (END_TURN, "not-now"),
        (explore(), "not-now"),
    ):
        assert refused(state, move).code == code
    play(state, SAVE_TENT, SAVE_TENT)
    assert refused(state, USE_TENT).code == "no-tent-due"


def test_tents_losses_and_what_monuments_ask_are_given_a_quarter_of_the_limit():
    assert GAME.time_shares == {"tent": 0.25, "sandstorm": 0.25, "keep": 0.25, "mine": 0.25}


def test_a_declaration_is_a_decision_of_its_own():
    state = scene("coin*4", "coin*4", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.pending(state) == (Decision(1, 1, "tent"),)
    play(state, SAVE_TENT)
    assert GAME.pending(state) == (Decision(2, 0, "tent"),)


# -- the Ruins


def test_r12_a_sandstorm_adds_a_card_to_each_chamber_before_the_tents():
    state = scene("coin*4", "coin*4", monument="ruins", pile=PILE, site="sandstorm coin", dig=True)
    storm, uncovered = play(state, DIG_MOVE)
    assert storm.kind == "sandstorm"
    assert (uncovered.kind, uncovered.seat, uncovered.reveals) == ("uncovered", 0, True)
    assert uncovered.facts == {"treasures": [kind("coin"), kind("talisman"), kind("pot_shard")], "pile": 9}
    assert asked(state) == (1, "tent")
    assert [chamber(state, n) for n in range(3)] == [
        cards("coin*2"),
        cards("talisman*2"),
        cards("pot_shard*2"),
    ]
    view = GAME.view(state, None)
    assert view.within == tuple(map(tuple, state.chambers))
    assert view.pile == 9


def test_r12_the_pile_serves_four_storms_and_later_ones_add_nothing():
    state = scene("coin", "coin", monument="ruins", pile=PILE, site="sandstorm " * 6 + "coin", dig=True)
    for storm in range(1, 7):
        events = play(state, DIG_MOVE)
        sizes = [sum(c) for c in state.chambers]
        assert sizes == [1 + min(storm, 4)] * 3
        assert names(events) == ["sandstorm", "uncovered"][: 2 if storm <= 4 else 1]
    assert not state.pile


def test_r12_an_empty_chamber_is_filled_again_and_can_then_be_explored_again():
    state = scene("map*3 coin", "coin", monument="ruins", pile=PILE, site="coin sandstorm coin coin")
    play(state, explore(0), END_TURN, DIG_MOVE, END_TURN)
    assert sum(state.chambers[0]) == 0
    play(state, DIG_MOVE)
    while state.phase != "dig":
        play(state, USE_TENT)
    assert [sum(c) for c in state.chambers] == [1, 2, 2]
    play(state, DIG_MOVE, explore(0))
    assert [sum(c) for c in state.chambers] == [0, 2, 2]


def test_other_monuments_do_not_mind_sandstorms():
    for monument in LAID:
        if monument != "ruins":
            state = scene("coin", "coin", monument=monument, site="sandstorm coin", dig=True)
            before = [c.copy() for c in state.chambers]
            assert names(play(state, DIG_MOVE)) == ["sandstorm"]
            assert state.chambers == before
