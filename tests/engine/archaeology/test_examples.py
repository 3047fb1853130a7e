"""The examples of the rule text."""

import pytest

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import bundles
from tests.engine.archaeology.scene import GAME, explore, play, refused, scene
from tests.engine.archaeology_family import DIG_MOVE, cards, discard, hand, kind, sell, trade


@pytest.mark.parametrize(("size", "lost"), [(6, 3), (5, 2), (3, 1), (2, 1)])
def test_a_sandstorm_takes_half_of_a_hand_rounded_down(size: int, lost: int):
    state = scene(f"coin*{size}", "", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.view(state, 0).to_lose == lost
    for wrong in (lost - 1, lost + 1):
        assert refused(state, m.Discard(((kind("coin"), wrong),) if wrong else ())).code == "discard-count"
    play(state, discard(f"coin*{lost}"))
    assert hand(state, 0) == cards(f"coin*{size - lost}")
    assert bundles(state.market) == cards(f"coin*{lost}")


def test_a_hand_of_one_loses_nothing_to_a_sandstorm():
    state = scene("coin", "", site="sandstorm coin", dig=True)
    play(state, DIG_MOVE)
    assert GAME.pending(state) == ((1, 0, "dig"),)
    assert hand(state, 0) == cards("coin")


def test_two_parchment_scraps_and_a_coin_buy_a_talisman_and_a_pot_shard():
    state = scene("parchment_scrap*2 coin map", "", market="talisman pot_shard broken_cup", site="coin")
    (event,) = play(state, trade("parchment_scrap*2 coin", "talisman pot_shard"))
    assert hand(state, 0) == cards("map talisman pot_shard")
    assert event.facts["over"] == 0


def test_of_six_talismans_only_five_are_sold_as_one_set():
    state = scene("talisman*6", "map", site="coin")
    assert refused(state, sell("talisman*6")).code == "set-too-large"
    play(state, sell("talisman*5"), sell("talisman"))
    assert GAME.money(state)[0] == 40 + 3


def test_four_talismans_two_talismans_and_five_coins_bring_61_dollars():
    state = scene("talisman*6 coin*5", "")
    play(state, sell("talisman*4"), sell("talisman*2"), sell("coin*5"))
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.scores == (24 + 7 + 30, 0)


def test_one_two_and_three_maps_open_chambers_of_three_five_and_seven():
    state = scene("map*6", "", site="coin")
    found = [dict(play(state, explore(chamber))[0].facts) for chamber in (0, 1, 2)]
    assert found == [
        {"chamber": 0, "maps": 1, "count": 3},
        {"chamber": 1, "maps": 2, "count": 5},
        {"chamber": 2, "maps": 3, "count": 7},
    ]
