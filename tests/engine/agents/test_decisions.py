"""The moves of sensible players of Archaeology, a position a sentence."""

from __future__ import annotations

from tests.engine.agents.positions import cards, choice, position, storm, thief, turn

END = {"kind": "end_turn"}


def trade(give: str, take: str) -> dict[str, object]:
    return {"kind": "trade", "give": cards(give), "take": cards(take)}


def sell(treasure: str, count: int) -> dict[str, object]:
    return {"kind": "sell", "treasure": treasure, "count": count}


def test_a_pair_of_cups_is_sold_while_storms_threaten() -> None:
    assert turn("expert", "broken_cup*2 pot_shard", site=10, storms=4) == [sell("broken_cup", 2), END]


def test_an_expert_buys_the_fifth_coin_and_sells_the_set() -> None:
    moves = turn("expert", "coin*4 pot_shard*2", "coin parchment_scrap")
    assert moves == [trade("pot_shard*2", "coin"), sell("coin", 5)]


def test_the_fourth_mask_is_bought_at_any_price() -> None:
    moves = turn("expert", "pharaohs_mask*3 talisman coin", "pharaohs_mask")
    assert moves == [trade("coin talisman", "pharaohs_mask"), sell("pharaohs_mask", 4)]


def test_worthless_cards_go_to_the_storm() -> None:
    view = storm("pharaohs_mask*2 talisman*2 pot_shard*3 parchment_scrap")
    lost = choice("expert", view)
    assert lost == {"kind": "discard", "cards": cards("pot_shard*3 parchment_scrap")}


def test_half_a_set_is_not_broken_to_save_single_cards() -> None:
    assert choice("expert", storm("broken_cup*2 pot_shard parchment_scrap")) == {
        "kind": "discard",
        "cards": cards("pot_shard parchment_scrap"),
    }


def test_a_map_explores_rather_than_being_sold_or_traded() -> None:
    view = position("map pot_shard", "talisman", chambers=True)
    assert choice("expert", view) == {"kind": "explore", "chamber": 0}


def test_where_every_chamber_is_explored_a_map_is_no_exploration() -> None:
    assert choice("expert", position("map talisman*2", "coin"))["kind"] != "explore"


def test_a_turn_without_anything_to_gain_is_ended() -> None:
    assert choice("expert", position("coin talisman", "")) == END


def test_who_must_sell_sells_even_without_a_good_set() -> None:
    view = position("coin pharaohs_mask", "", "talisman", site=0, duty=True)
    assert choice("expert", view)["kind"] == "sell"


def test_when_nobody_else_holds_cards_and_the_site_is_empty_all_is_sold() -> None:
    moves = turn("expert", "coin*2 pharaohs_mask map", "", site=0, other="")
    assert {move["treasure"]: move["count"] for move in moves} == {"coin": 2, "pharaohs_mask": 1, "map": 1}


def test_a_thief_goes_to_the_fuller_hand() -> None:
    assert choice("expert", thief("coin", "pot_shard", "talisman*4"))["victim"] == 2


def test_an_expert_steals_where_it_knows_of_masks() -> None:
    view = thief("pharaohs_mask", "pot_shard*3", "pharaohs_mask*3", known=True)
    assert choice("expert", view)["victim"] == 2
    view = thief("pharaohs_mask", "pharaohs_mask*3", "pot_shard*3", known=True)
    assert choice("expert", view)["victim"] == 1


def test_an_expert_buys_a_map_to_explore_with() -> None:
    moves = choice("expert", position("talisman coin pot_shard", "map", chambers=True))
    assert moves["kind"] == "trade"
    assert moves["take"] == cards("map")


def test_an_expert_waits_for_the_fourth_mask_while_the_site_is_full() -> None:
    assert choice("expert", position("pharaohs_mask*3", "", site=50)) == END


def test_an_expert_prefers_the_same_money_in_fewer_cards_at_the_end() -> None:
    moves = turn("expert", "pot_shard*3", "talisman", site=0)
    assert moves == [trade("pot_shard*3", "talisman"), sell("talisman", 1)]


def test_an_expert_puts_its_last_cards_into_the_best_sets() -> None:
    """Two Talismans ($7) and three Coins ($10) come to $17; five Coins and two Pot Shards to $32."""
    moves = turn("expert", "talisman*2 coin*3", "coin*2 pot_shard*2", site=0)
    assert trade("talisman*2", "pot_shard*2 coin*2") in moves
    assert sell("coin", 5) in moves
