"""The moves of sensible players of The New Expedition with Tents, Maps and monuments, a position a sentence."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.agents.advice import appraise
from engine.archaeology_family.moves import Explore, Sell, Trade
from engine.expedition.agents.explorations import Shaft
from engine.expedition.agents.worths import best_pick, drawn, worth_saving
from engine.expedition.moves import Guess, Keep, LookAt, Stop, TurnUp, UseTent
from engine.expedition.state import KEEP, MINE, TENT, ExpeditionState
from tests.engine.archaeology_family import END_TURN, cards, counts, kind
from tests.engine.expedition.scene import GAME, keep, scene

both = pytest.mark.parametrize("agent", ["novice", "expert"])

SITE = "coin " * 20


def choice(agent: str, state: ExpeditionState) -> Any:
    """The agent's move in the place of the seat that is asked."""
    return GAME.agents[agent].choose(GAME.view(state, state.asked), Random(1))


def known(state: ExpeditionState, number: int) -> ExpeditionState:
    """The same match, the asked seat knowing what lies in this chamber."""
    state.privy[number] = [state.asked]
    return state


# -- Tents


def storm(hand: str, to_come: int) -> ExpeditionState:
    """A match of two in which seat 0 is asked for its Tent, so many Sandstorms still to come."""
    dug = GAME.card_list.sandstorms.by_seats[2] - to_come
    return scene(
        hand, "coin", site=SITE + "sandstorm " * to_come, phase=TENT, active=1, asked=0, sandstorms=dug
    )


@both
def test_a_tent_is_used_against_the_last_sandstorm_whatever_it_takes(agent: str) -> None:
    assert choice(agent, storm("pot_shard*2", to_come=0)) == UseTent(True)


@both
def test_a_tent_is_saved_while_little_is_at_stake_and_storms_are_to_come(agent: str) -> None:
    assert choice(agent, storm("pot_shard*2", to_come=5)) == UseTent(False)


@both
def test_a_tent_spares_a_great_hand_at_any_time(agent: str) -> None:
    assert choice(agent, storm("pharaohs_mask*3 talisman*4 coin*4", to_come=5)) == UseTent(True)


def test_an_expert_saves_its_tent_from_a_storm_that_takes_only_small_change() -> None:
    assert choice("expert", storm("pot_shard*2 parchment_scrap*2 coin*2", to_come=5)) == UseTent(False)


def test_the_more_storms_are_to_come_the_more_a_tent_saved_is_worth() -> None:
    assert [worth_saving(n) for n in range(6)] == sorted(worth_saving(n) for n in range(6))


# -- the Mine


def mine(hand: str, turned: str, within: str, size: int = 0) -> ExpeditionState:
    """Seat 0 has turned these cards up; of the rest it knows `within`, `size` cards more lying there."""
    seen = counts(within, 7)
    up = [kind(name) for name in turned.split()]
    state = scene(
        hand, "coin", monument="mine", chambers=[within], site=SITE, phase=MINE, turned=up, explored=True
    )
    state.within = [seen]
    state.chambers = [[n + (size if number == 0 else 0) for number, n in enumerate(seen)]]
    return state


@both
def test_the_mine_is_searched_on_while_no_card_can_bury_what_is_turned_up(agent: str) -> None:
    assert choice(agent, mine("coin", "pot_shard", "pot_shard*6")) == TurnUp()


@both
def test_nobody_goes_on_in_a_mine_in_which_only_masks_are_left(agent: str) -> None:
    assert choice(agent, mine("coin", "coin", "pharaohs_mask*4")) == Stop()


def test_an_expert_risks_less_with_the_card_turned_up_that_completes_a_set() -> None:
    turned = "coin pot_shard"
    assert choice("expert", mine("parchment_scrap", turned, "", size=13)) == TurnUp()
    assert choice("expert", mine("coin*4 parchment_scrap", turned, "", size=13)) == Stop()


def test_a_master_does_in_the_mine_as_an_expert_and_a_review_tells_the_two_ways_apart() -> None:
    state = mine("coin*4 parchment_scrap", "coin pot_shard", "", size=13)
    assert choice("master", state) == Stop()
    appraisals = [appraise(GAME, GAME.view(state, 0), move, Random(0)) for move in (Stop(), TurnUp())]
    assert [type(each.move) for each in appraisals] == [Stop, Stop]
    assert appraisals[0].cost == 0
    assert appraisals[1].error > 0, "they were compared"


def test_stopping_well_in_the_mine_is_worth_what_trying_everything_gives() -> None:
    """A 2 and two 4s: the first card is kept; after the 2 a second would be one too many."""
    gains = [[0.0, 2.0, 4.0], [0.0, 5.0, 9.0]]
    assert Shaft(gains, [2, 4], [1.0, 2.0]).prospect() == pytest.approx((2.0 + 5.0 + 5.0) / 3)
    begun = Shaft(gains, [2, 4], [0.0, 2.0], [1, 0])
    assert (begun.prospect(), begun.taken()) == (0.0, 2.0)
    assert Shaft([[0.0, 2.0, 4.0, 6.0]], [1], [3.0]).prospect() == pytest.approx(6.0)


# -- the Sphinx


@both
def test_the_sphinx_is_asked_for_what_is_known_to_lie_there(agent: str) -> None:
    state = scene(
        "map coin", "coin", monument="sphinx", chambers=["broken_cup*5 coin*6 pot_shard*4"], site=SITE
    )
    state.within = [state.chambers[0].copy()]
    move = choice(agent, state)
    assert isinstance(move, Guess)
    assert sorted(move.treasures) == [kind("coin"), kind("broken_cup")]


def test_an_expert_asks_the_sphinx_for_what_completes_its_sets() -> None:
    chamber = "pot_shard*5 parchment_scrap*5 coin*5"
    state = scene(
        "map parchment_scrap*3 pot_shard*4", "coin", monument="sphinx", chambers=[chamber], site=SITE
    )
    state.within = [state.chambers[0].copy()]
    move = choice("expert", state)
    assert isinstance(move, Guess)
    assert kind("coin") in move.treasures
    assert kind("pot_shard") in move.treasures


# -- the Temple


@both
def test_a_look_goes_to_a_chamber_not_yet_known_and_is_declined_when_all_are(agent: str) -> None:
    state = known(scene("coin", "coin", monument="temple", site=SITE, look=0), 0)
    move = choice(agent, state)
    assert isinstance(move, LookAt)
    assert move.chamber in (1, 2)
    assert choice(agent, known(known(state, 1), 2)) == END_TURN


@both
def test_the_richest_chamber_known_is_explored(agent: str) -> None:
    laid = ("pot_shard*5", "pharaohs_mask*2 talisman*3", "parchment_scrap*5")
    state = scene("map*2", "coin", monument="temple", chambers=laid, site=SITE)
    assert choice(agent, known(known(state, 0), 1)) == Explore(1)


@both
def test_an_unknown_chamber_is_explored_rather_than_a_poor_one(agent: str) -> None:
    laid = ("parchment_scrap*3 pot_shard*2", "coin*5", "")
    state = known(scene("map*2", "coin", monument="temple", chambers=laid, site=SITE), 0)
    assert choice(agent, state) == Explore(1)


def test_an_expert_buys_the_second_map_that_a_chamber_costs() -> None:
    move = choice("expert", scene("map talisman", "coin", monument="temple", market="map", site=SITE))
    assert isinstance(move, Trade)
    assert move.take == cards("map")


# -- the Tomb


@both
def test_of_a_tomb_chamber_the_cards_that_complete_sets_are_kept(agent: str) -> None:
    laid = ("pot_shard*2 broken_cup coin*3 pharaohs_mask", "coin*8")
    state = scene(
        "broken_cup pharaohs_mask*3", "coin", monument="tomb", chambers=laid, site=SITE, phase=KEEP, opened=0
    )
    assert choice(agent, known(state, 0)) == keep("broken_cup pharaohs_mask")


def test_an_expert_goes_back_to_the_chamber_in_which_it_left_good_cards() -> None:
    rest = "pot_shard*5 parchment_scrap"
    for laid, number in ((("pharaohs_mask*2 coin*3", rest), 0), ((rest, "coin*8"), 1)):
        state = scene("map coin", "coin", monument="tomb", chambers=laid, site=SITE)
        assert choice("expert", known(state, 0)) == Explore(number)


@both
def test_the_tomb_keeps_two_cards_even_of_one_kind(agent: str) -> None:
    state = scene("coin", "coin", monument="tomb", chambers=("coin*7", ""), site=SITE, phase=KEEP, opened=0)
    move = choice(agent, known(state, 0))
    assert isinstance(move, Keep)
    assert move == keep("coin*2")


# -- the Ruins and the Great Pyramid


@both
def test_no_map_is_spent_on_a_lone_pot_shard_of_the_ruins(agent: str) -> None:
    laid = ("pot_shard", "parchment_scrap", "pot_shard")
    state = scene("map", "coin", monument="ruins", chambers=laid, site=SITE + "sandstorm")
    state.pile = [kind("coin")] * 12
    assert choice(agent, state) == END_TURN


@both
def test_a_chamber_of_good_cards_in_the_ruins_is_taken(agent: str) -> None:
    laid = ("coin", "pharaohs_mask talisman coin", "pot_shard*3")
    assert choice(agent, scene("map", "coin", monument="ruins", chambers=laid, site=SITE)) == Explore(1)


def test_an_expert_takes_from_the_ruins_what_makes_its_pair() -> None:
    laid = ("broken_cup coin", "talisman coin", "coin*2")
    state = scene("map broken_cup", "coin", monument="ruins", chambers=laid, site=SITE)
    assert choice("expert", state) == Explore(0)


@both
@pytest.mark.parametrize(("maps", "chamber"), [("map", 0), ("map*2", 1), ("map*3", 2)])
def test_maps_explore_the_largest_chamber_that_they_pay_for(agent: str, maps: str, chamber: int) -> None:
    assert choice(agent, scene(f"{maps} pot_shard", "coin", site=SITE)) == Explore(chamber)


@both
def test_nothing_is_explored_twice_in_a_turn(agent: str) -> None:
    assert not isinstance(choice(agent, scene("map", "coin", site=SITE, explored=True)), Explore)


def test_at_the_dry_end_an_expert_saves_a_map_for_its_next_turns_exploration() -> None:
    state = scene("map", "coin*2 talisman", monument="tomb", explored=True, acted=True, fruitful=True)
    assert choice("expert", state) == END_TURN


@both
def test_at_the_dry_end_a_map_that_can_explore_nothing_is_sold(agent: str) -> None:
    state = scene("map", "", monument="tomb", chambers=("", ""))
    assert choice(agent, state) == Sell(kind("map"), 1)


# -- estimates


def test_what_draws_should_add_counts_sets_that_they_complete() -> None:
    assert drawn([0.0, 1.0, 10.0], 1, 0.5) == 0.5
    assert drawn([0.0, 1.0, 10.0], 2, 1.0) == 10.0


def test_the_best_of_some_cards_are_worth_more_than_the_next() -> None:
    gain, lie = [1.0, 5.0], [4.0, 4.0]
    assert best_pick(gain, lie, 1, 1, 1) == pytest.approx(3.0)
    assert best_pick(gain, lie, 2, 1, 1) == pytest.approx(4.0)
    assert best_pick(gain, lie, 2, 1, 2) == pytest.approx(6.0)
    assert best_pick(gain, lie, 4, 1, 2) > best_pick(gain, lie, 4, 3, 4)
