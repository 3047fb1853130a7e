"""The rulings R20 to R39 and R60 to R66, each by its number."""

from __future__ import annotations

from copy import deepcopy

import pytest

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import dice_of, majority, places, scored_places, usual_place
from engine.artifacts_inc.company import LOWER, UPPER, Place
from engine.artifacts_inc.state import ABILITIES, CARDS, State
from engine.game import Options
from tests.engine.artifacts_inc.scene import (
    CARD_LIST,
    GAME,
    KEY,
    PASS,
    START,
    asked,
    buy,
    card,
    code,
    collect,
    cubes,
    dive,
    facts,
    fill,
    gather,
    held,
    kinds,
    legal,
    on_offer,
    place,
    play,
    put,
    roll,
    roll_again,
    scene,
    space,
    turn,
    turn_die,
)

FOSSIL, SCROLL, STATUE, GEM = range(4)


# -- R20: reputation of a side just turned up


def test_r20_turning_a_card_scores_what_level_2_shows_and_level_1_stays():
    state = scene("field_office", dice="1 1", dollars=2)
    assert state.reputation[0] == 1
    play(state, turn(1, "field_office"))
    assert state.reputation[0] == 1 + 3


def test_r20_what_comes_later_adds_nothing():
    state = scene("diving_bell salvage_fleet", dice="6 6", divers=(1,))
    assert state.reputation[0] == 3
    play(state, dive(6))  # a Doubloon
    assert state.earned[0] == (3, 0, 1, 0)


def test_r20_a_count_is_made_once_and_again_when_the_card_is_turned():
    state = scene(offer="diving_bell", dice="1 1 1", dollars=8, divers=(0, 1, 0))
    play(state, buy(1, "diving_bell"))
    assert state.earned[0][ABILITIES] == 2
    state.covered, state.laid = [], []
    play(state, turn(1, "diving_bell"))
    assert state.earned[0][ABILITIES] == 4


# -- R21: what counts in the turn of a purchase


def test_r21_dice_of_a_card_bought_now_are_rolled_from_the_next_turn_on():
    state = scene(dice="1 1", dollars=6)
    play(state, buy(1, "hired_adventurers"))
    assert state.dice == [1]
    assert dice_of(state, 0) == 4
    assert len(facts(play(state, PASS, PASS), "rolled")["dice"]) == 4


def test_r21_slots_and_abilities_of_a_card_bought_now_may_be_used_at_once():
    state = scene(offer="antiquarian", dice="1 3 4", dollars=4)
    play(state, buy(1, "antiquarian"))
    play(state, put(4, "antiquarian"))
    assert state.dollars[0] == 4
    state.covered, state.laid, state.dice = [], [], [1, 3]
    play(state, buy(1, "airfield", "upper:5"), turn_die("airfield", 3, 6))
    assert state.dice == [6]


def test_r21_a_die_on_a_card_that_is_turned_covers_the_same_slot_of_the_new_side():
    state = scene(dice="1 4 4", dollars=3)
    play(state, put(4, "desert_expedition"), turn(1, "desert_expedition"))
    assert code(state, put(4, "desert_expedition", 0)) == "slot-covered"
    play(state, put(4, "desert_expedition", 1))
    assert held(state, "scroll") == 2


def test_r21_uses_made_this_turn_count_against_the_new_side():
    state = scene("field_office", dice="1 3 3", dollars=2)
    play(state, turn_die("field_office", 3, 4), turn(1, "field_office"))
    play(state, turn_die("field_office", 3, 2))
    assert code(state, turn_die("field_office", 2, 3)) == "ability-used"


# -- R22, R23: sales


def test_r22_a_bonus_is_paid_at_every_sale_and_orders_may_be_filled_in_any_sequence():
    state = scene("curators_office", dice="1 1 1", artifacts="fossil*4")
    play(state, fill(1, "fossil", 2), fill(1, "fossil", 0, "curators_office"))
    assert state.dollars[0] == (3 + 1) + (1 + 1)
    assert state.orders[FOSSIL][:3] == (0, -1, 0)


def test_r23_private_collectors_need_an_artifact():
    state = scene(dice="1 1")
    assert code(state, collect(1, "")) == "nothing-to-sell"
    assert code(scene(dice="1 1", artifacts="fossil"), collect(1, "")) == "nothing-to-sell"


def test_r23_a_sale_through_the_curators_office_counts_as_one_to_that_museum():
    state = scene("curators_office", dice="1 1", artifacts="gem@headquarters")
    play(state, fill(1, "gem", 0, "curators_office"))
    assert state.orders[GEM][0] == 0
    assert majority(state, GEM) == 0


# -- R24: ties at the end


@pytest.mark.parametrize(
    ("reputation", "dollars", "cubes_", "ranks", "why", "detail"),
    [
        ([20, 21, 3], [9, 0, 0], [3, 0, 0], (2, 1, 3), "reputation", (9, 0, 0)),
        ([20, 20, 3], [2, 3, 9], [3, 0, 0], (2, 1, 3), "dollars", (2, 3, 9)),
        ([20, 20, 3], [2, 2, 9], [1, 2, 0], (2, 1, 3), "cubes", (1, 2, 0)),
        ([20, 20, 3], [2, 2, 9], [1, 1, 0], (1, 1, 3), "shared", (1, 1, 0)),
        ([20, 3, 3], [2, 2, 2], [1, 1, 2], (1, 3, 2), "reputation", (2, 2, 2)),
    ],
)
def test_r24_more_dollars_then_more_cubes_then_the_victory_is_shared(
    reputation: list[int],
    dollars: list[int],
    cubes_: list[int],
    ranks: tuple[int, ...],
    why: str,
    detail: tuple[int, ...],
):
    state = scene(seats=3, dice="1", active=2)
    filled = [seat for seat, n in enumerate(cubes_) for _ in range(n)]
    for museum, seat in enumerate(filled):
        state.orders[museum % 4] = (
            *state.orders[museum % 4][: museum // 4],
            seat,
            *state.orders[0][1 + museum // 4 :],
        )
    won = [sum((3, 2, 4, 4)[museum] for museum, s in enumerate(filled[:4]) if s == seat) for seat in range(3)]
    state.earned = [(n - w, 0, 0, 0) for n, w in zip(reputation, won, strict=True)]
    state.derive()
    state.dollars, state.dice, state.round = list(dollars), [1], 60
    play(state, PASS)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.ranks, outcome.why, outcome.detail) == (
        tuple(reputation),
        ranks,
        why,
        detail,
    )


# -- R25: a die lies only where its action is carried out


def test_r25_a_die_may_be_placed_only_where_its_action_is_carried_out():
    state = scene("auction_house biplane", dice="6 6", dollars=1)
    for move, why in (
        (fill(6, "gem", 0), "too-few-artifacts"),
        (buy(6, "airfield"), "too-few-dollars"),
        (turn(6, "desert_expedition"), "too-few-dollars"),
        (collect(6, "", "auction_house"), "nothing-to-sell"),
        (gather(6, "gem"), "no-expedition-yields"),
        (dive(1), "no-such-die"),
    ):
        assert code(state, move) == why


def test_r25_a_full_museum_and_an_empty_u_pile_take_no_dice():
    full = {"fossil": dict.fromkeys(range(6), 1)}
    state = scene(dice="6 6", artifacts="fossil*6", orders=full, divers=(1,) * 10)
    assert {code(state, fill(6, "fossil", order)) for order in range(6)} == {"order-filled"}
    assert code(state, dive(6, 6)) == "no-dive-left"


def test_r25_a_dive_needs_a_die_and_several_diving_bells_add_up():
    state = scene("diving_bell+ diving_bell", dice="1 2", divers=(1,) * 3)
    assert code(state, dive()) == "dive-needs-dice"
    assert code(state, dive(1)) == "dive-too-low"
    assert facts(play(state, dive(2)), "dived")["bonus"] == 6
    state = scene("diving_bell+", dice="1 2")
    assert code(state, dive()) == "dive-needs-dice"


def test_r25_dice_that_need_not_be_placed_are_left():
    state = scene(dice="5 5 6")
    assert kinds(play(state, PASS)) == ["passed", "rolled"]


# -- R26: places


def test_r26_the_buyer_chooses_among_all_legal_places():
    state = scene(dice="1 1", dollars=2)
    legal_places = places(state, 0)
    expected = [Place(UPPER, -1), Place(UPPER, 4), *(Place(LOWER, column) for column in range(4))]
    assert legal_places == expected
    for row in (UPPER, LOWER):
        for column in range(-3, 8):
            move = m.Buy(1, space("headquarters"), card("airfield"), Place(row, column))
            assert legal(state, move) == (Place(row, column) in expected)


def test_r26_the_usual_place_is_the_right_end_of_the_upper_row():
    assert usual_place(scene(), 0) == Place(UPPER, 4)
    assert usual_place(scene("biplane@lower:3 caravan@lower:4 airfield@lower:5"), 0) == Place(UPPER, 4)
    assert usual_place(scene("biplane@upper:-1 caravan@upper:4"), 0) == Place(UPPER, 5)


# -- R27: majorities


@pytest.mark.parametrize(
    ("filled", "winner"),
    [
        ({}, None),
        ({0: 2}, 2),
        ({0: 1, 1: 0}, 0),  # the later of two orders of 1 is the higher
        ({8: 0, 0: 1, 1: 1}, 1),  # most cubes first
        ({8: 0, 7: 1, 6: 1, 0: 0}, 0),
        ({5: 2, 4: 1}, 2),
        ({0: 0, 1: 1, 2: 2, 3: 0, 4: 1}, 1),
    ],
)
def test_r27_the_majority_goes_to_most_cubes_then_to_the_highest_order(
    filled: dict[int, int], winner: int | None
):
    state = scene(seats=3, orders={"statue": filled})
    assert majority(state, STATUE) == winner
    state.active, state.dice, state.round = 2, [1], 60
    play(state, PASS)
    assert [earned[3] for earned in state.earned] == [4 * (seat == winner) for seat in range(3)]


# -- R28: refills


def test_r28_a_row_is_refilled_at_once_from_its_pile():
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    next_card = state.catalogue.cards[state.piles[1][-1]].key
    events = play(state, buy(1, "caravan"))
    assert facts(events, "revealed") == {"pile": "B", "card": next_card}
    assert on_offer(state, "B")[-1] == next_card
    assert len(on_offer(state, "B")) == 4


def test_r28_a_row_is_shorter_once_its_pile_runs_out():
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    state.piles[1] = ()
    assert kinds(play(state, buy(1, "caravan"))) == ["bought"]
    assert len(on_offer(state, "B")) == 3
    state = scene("airfield " * 4, dice="1 1", dollars=2)
    assert kinds(play(state, buy(1, "airfield", "lower:0"))) == ["bought"]
    assert on_offer(state, "E") == []


def test_r28_a_card_that_could_be_another_is_a_revelation():
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    (revealed,) = [e for e in play(state, buy(1, "caravan")) if e.kind == "revealed"]
    assert revealed.reveals
    assert revealed.seat is None


def test_r28_a_card_that_all_could_foretell_is_none():
    """Pile E holds nothing but Airfields; the last card of a pile is known by counting."""
    state = scene(dice="1 1", dollars=2)
    assert not any(event.reveals for event in play(state, buy(1, "airfield")))
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    state.piles[1] = state.piles[1][:1]
    events = play(state, buy(1, "caravan"))
    assert kinds(events) == ["bought", "revealed"]
    assert not any(event.reveals for event in events)


# -- R29: Expeditions and where artifacts lie


def test_r29_an_artifact_is_spent_from_whichever_card_it_lies_on():
    state = scene(
        "dig_camp", dice="1 1 1", artifacts="fossil*2@dig_camp scroll@headquarters", offer="caravan"
    )
    state.dollars[0] = 2
    play(state, buy(1, "caravan", "lower:0"))
    assert cubes(state, "headquarters") == {}
    play(state, fill(1, "fossil", 1))
    assert cubes(state, "dig_camp") == {}


def test_r29_a_dig_camp_is_no_expedition():
    state = scene("dig_camp explorers_club", dice="1")
    expeditions = [c.key for c in state.catalogue.cards if c.expedition]
    assert expeditions == [
        "desert_expedition",
        "canyon_expedition",
        "mountain_expedition",
        "jungle_expedition",
    ]


def strange() -> ArtifactsInc:
    """A game in which the Jungle Expedition's sides yield scrolls too."""
    card_list = deepcopy(CARD_LIST)
    jungle = card_list["piles"]["A"][1]
    jungle["sides"][0]["slots"].append(
        {"requires": "odd", "action": {"do": "gain", "artifact": "scroll"}, "provenance": "house"}
    )
    return create(card_list)


def test_r29_on_a_card_that_yields_two_kinds_they_are_kept_apart():
    game = strange()
    state = scene("jungle_expedition biplane", dice="5 5 5 5", game=game)
    play(state, put(5, "jungle_expedition"), put(5, "jungle_expedition", 1), game=game)
    assert cubes(state, "jungle_expedition") == {"scroll": 1, "statue": 1}
    play(state, gather(5, "statue"), game=game)
    assert cubes(state, "jungle_expedition") == {"scroll": 1, "statue": 2}


# -- R30: dice and cubes


def test_r30_die_icons_beyond_seven_give_nothing():
    state = scene("hired_adventurers+ " * 3, dice="1")
    assert dice_of(state, 0) == 7
    assert len(facts(play(state, PASS, PASS), "rolled")["dice"]) == 7


def test_r30_cubes_do_not_run_out():
    state = scene(dice="1 1", artifacts="fossil*40")
    play(state, put(1, "canyon_expedition"))
    assert held(state, "fossil") == 41


# -- R31: nothing is hidden but the piles' order


def test_r31_a_view_shows_both_sides_of_every_card():
    view = GAME.view(scene(), 1)
    assert all(len(c.sides) == 2 for c in view.catalogue.cards[view.catalogue.public :])
    state = scene()
    seen = {viewer: GAME.view(state, viewer) for viewer in (None, 0, 1)}
    assert all({**vars(view), "viewer": None} == vars(seen[None]) for view in seen.values())


# -- R32: the last round


def test_r32_a_game_ends_with_its_60th_round():
    state = scene(dice="1", seats=3, active=2, round=59)
    play(state, PASS)
    assert asked(state) == (0, "act")
    assert state.round == 60
    play(state, PASS, PASS)
    assert kinds(play(state, PASS))[-1] == "over"
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.scores == (0, 0, 0)


# -- R33: the first player


def test_r33_players_tied_for_the_highest_roll_roll_again():
    again = 0
    for number in range(300):
        state = GAME.new(4, Options(), number.to_bytes(32, "big"))
        rolls = list(state.rolls)
        rolling = [0, 1, 2, 3]
        while len(rolling) > 1:
            thrown, rolls = rolls[: len(rolling)], rolls[len(rolling) :]
            assert [seat for seat, _, _ in thrown] == rolling
            best = max(one + other for _, one, other in thrown)
            rolling = [seat for seat, one, other in thrown if one + other == best]
            again += len(rolling) > 1
        assert rolls == []
        assert rolling == [state.first]
    assert again > 20


# -- R34: rows


def test_r34_there_are_two_rows_and_never_a_third():
    state = scene("biplane@lower:0", dice="1 1", dollars=2)
    for row in (-1, 2):
        move = m.Buy(1, space("headquarters"), card("airfield"), Place(row, 0))
        assert code(state, move) == "no-such-row"


def test_r34_either_row_may_run_beyond_the_other_at_both_ends():
    laid = "airfield@upper:-1 airfield@lower:-1 airfield@lower:-2 biplane@upper:4 biplane@lower:4 caravan@lower:5"
    state = scene(laid, dice="1 1", dollars=2)
    for where in ("lower:-3", "upper:-2", "lower:6", "upper:5"):
        assert legal(state, buy(1, "airfield", where))


def test_r34_rows_may_have_gaps_which_may_be_filled():
    state = scene("biplane@lower:0 caravan@lower:2", dice="1 1", dollars=2)
    play(state, buy(1, "airfield", "lower:1"))
    assert (
        code(scene("biplane@lower:0 caravan@lower:2", dice="1", dollars=2), buy(1, "airfield", "lower:2"))
        == "place-taken"
    )
    assert code(scene(dice="1", dollars=2), buy(1, "airfield", "upper:1")) == "place-taken"


def test_r34_only_directly_touching_places_are_adjacent():
    """A gap breaks adjacency, and corners do not touch."""
    state = scene("mountain_expedition@lower:0", offer="explorers_club", dice="1", dollars=6)
    scores = {where: found.counted for where, found in scored_places(state, card("explorers_club"))}
    assert scores[place("lower:1")] == 2  # right of the one, under the Canyon Expedition
    assert scores[place("lower:2")] == 0
    assert scores[place("lower:-1")] == 1
    assert scores[place("upper:-1")] == 1  # left of the Desert Expedition; the other is at its corner
    state = scene(
        "mountain_expedition@lower:0 jungle_expedition@lower:2", offer="explorers_club", dice="1", dollars=6
    )
    events = play(state, buy(1, "explorers_club", "lower:1"))
    assert facts(events, "bought")["counted"] == 3  # a card has at most three neighbours


# -- R35: public cards


def test_r35_each_public_card_has_one_slot_free_again_each_turn():
    state = scene(dice="1 1 1", artifacts="fossil*3")
    play(state, put(1, "guide_work"), fill(1, "fossil", 0))
    for move in (put(1, "guide_work"), fill(1, "fossil", 1)):
        assert code(state, move) == "slot-covered"
    play(state, PASS)
    state.dice = [1, 1]
    play(state, put(1, "guide_work"))
    assert len(state.covered) == 1


# -- R36: the order of the starting cards


def test_r36_the_starting_order_may_be_changed_until_the_first_roll():
    state = GAME.new(2, Options(), KEY)
    order = ("headquarters", "adventurers", "canyon_expedition", "desert_expedition")
    events = play(state, roll(*order))
    assert kinds(events) == ["arranged", "rolled"]
    assert facts(events, "arranged") == {"order": list(order)}
    view = GAME.view(state, None)
    cards = [view.catalogue.cards[side >> 1].key for side in view.sides[state.active]]
    assert cards == list(order)
    assert code(state, roll(*order)) == "rolled-already"


def test_r36_they_lie_in_the_usual_order_unless_it_is_changed():
    state = GAME.new(2, Options(), KEY)
    events = play(state, roll())
    assert kinds(events) == ["rolled"]
    assert tuple(state.catalogue.cards[side >> 1].key for side in state.sides[state.first]) == START
    play(state, PASS)
    assert kinds(play(state, roll(*START))) == ["rolled"]


def test_r36_everybody_may_in_their_own_first_turn_and_in_no_other():
    state = GAME.new(3, Options(), KEY)
    for _ in range(3):
        assert asked(state) == (state.active, "arrange")
        play(state, roll(*reversed(START)), PASS)
    assert asked(state) == (state.first, "act")
    assert code(state, roll()) == "rolled-already"


def test_r36_the_new_order_decides_on_neighbours():
    state = GAME.new(2, Options(), KEY)
    play(state, roll("desert_expedition", "headquarters", "canyon_expedition", "adventurers"))
    found = dict(scored_places(state, card("explorers_club")))
    assert [found[place(f"lower:{column}")].counted for column in range(4)] == [1, 0, 1, 0]


# -- R38, R39


def test_r38_the_office_needs_its_own_requirement_and_leaves_the_museum_free():
    for first, second in (("gem_museum", "curators_office"), ("curators_office", "gem_museum")):
        state = scene("curators_office", dice="1 5 5", artifacts="gem*3@headquarters")
        dice = {"gem_museum": 5, "curators_office": 1}
        assert code(state, fill(1, "gem", 0)) == "requirement-unmet"
        play(state, fill(dice[first], "gem", 1, first), fill(dice[second], "gem", 0, second))
        assert state.orders[GEM][:2] == (0, 0)


def test_r39_abilities_may_be_used_at_any_time_and_several_on_one_die():
    state = scene("airfield field_office", dice="1 2 2")
    play(state, put(2, "guide_work"), turn_die("airfield", 2, 5), turn_die("field_office", 5, 6))
    assert state.dice == [1, 6]


def test_r39_only_unplaced_dice_are_turned():
    state = scene("airfield", dice="2 3")
    play(state, put(2, "guide_work"))
    assert code(state, turn_die("airfield", 2, 6)) == "no-such-die"


def test_r39_a_caravan_rolls_one_or_more_chosen_dice():
    state = scene("caravan", dice="1 2 6 6")
    for dice in ((1,), (1, 2), (1, 2, 6, 6)):
        twin = state.copy()
        (event,) = play(twin, roll_again("caravan", *dice))
        assert event.reveals
        assert event.facts["dice"] == list(dice)
        left = [1, 2, 6, 6]
        for die in dice:
            left.remove(die)
        assert twin.dice == sorted(left + event.facts["rolled"])
    assert code(state, roll_again("caravan")) == "roll-needs-dice"
    assert code(state, roll_again("caravan", 1, 1)) == "no-such-die"


def test_r39_a_6_never_becomes_1_nor_a_1_a_6():
    state = scene("field_office", dice="1 6")
    assert code(state, turn_die("field_office", 6, 1)) == "face-out-of-reach"
    assert code(state, turn_die("field_office", 1, 6)) == "face-out-of-reach"
    assert code(state, turn_die("field_office", 6, 7)) == "no-such-face"
    assert code(state, turn_die("field_office", 1, 0)) == "no-such-face"


def test_r39_abilities_of_another_are_none_of_ones_own():
    state = scene(dice="2 3", others={1: "airfield"})
    assert code(state, turn_die("airfield", 2, 6)) == "no-such-card"


# -- R60 to R66


def test_r60_an_expedition_yields_what_its_upper_side_names():
    state = scene("dig_camp mountain_expedition biplane", dice="3 3")
    for artifact in ("gem", "fossil", "scroll"):
        assert legal(state, gather(3, artifact))
    assert not legal(state, gather(3, "statue"))
    state = scene("dig_camp biplane", dice="3 3")
    play(state, gather(3, "fossil"))
    assert cubes(state, "dig_camp") == {}
    assert cubes(state, "canyon_expedition") == {"fossil": 1}


def test_r60_slots_that_gain_an_artifact_work_alike_on_any_card():
    state = scene("dig_camp", dice="3 3")
    play(state, put(3, "dig_camp"))
    assert cubes(state, "dig_camp") == {"fossil": 1}


def test_r61_spent_artifacts_come_off_the_card_that_came_first():
    state = scene("dig_camp dig_camp", dice="1 1", artifacts="fossil@dig_camp fossil*2@canyon_expedition")
    play(state, collect(1, "fossil*2"))
    assert cubes(state, "canyon_expedition") == {}
    assert cubes(state, "dig_camp") == {"fossil": 1}


def test_r61_a_biplanes_artifact_lies_on_the_first_expedition_that_yields_it():
    state = scene("jungle_expedition jungle_expedition biplane", dice="3 3")
    play(state, gather(3, "statue"))
    assert cubes(state, "jungle_expedition", copy=0) == {"statue": 1}
    assert cubes(state, "jungle_expedition", copy=1) == {}


def test_r62_the_dive_space_takes_more_dice_than_needed_laid_together_once_a_turn():
    state = scene(dice="1 2 3 4")
    events = play(state, dive(2, 3, 4))
    assert facts(events, "dived")["dice"] == (2, 3, 4)
    assert state.dived == (2, 3, 4)
    assert code(state, dive(1)) == "dived-already"
    play(state, PASS)
    assert asked(state) == (1, "act")
    state.dice = [4, 4]
    assert legal(state, dive(4))


def test_r63_level_2_pays_its_dollars_in_place_of_level_1s():
    for name, dollars in (("auction_house", 2), ("auction_house+", 3)):
        state = scene(name, dice="2 2", artifacts="fossil")
        play(state, collect(2, "fossil", "auction_house"))
        assert state.dollars[0] == 1 + dollars


def test_r63_the_same_after_a_figure_repeats_the_count_alone():
    state = scene("research_institute", dice="1 1", dollars=6, artifacts="scroll", orders={"fossil": {0: 0}})
    play(state, turn(1, "research_institute"))
    assert state.earned[0][CARDS : ABILITIES + 1] == (2 + 3, 1)


def test_r63_an_auction_house_needs_an_artifact():
    assert code(scene("auction_house", dice="2 2"), collect(2, "", "auction_house")) == "nothing-to-sell"


def test_r64_each_purchase_is_complete_before_the_next():
    state = scene("headquarters+", offer="caravan", dice="1 1 1", dollars=8, artifacts="scroll*2")
    new = state.catalogue.cards[state.piles[1][-1]]
    play(state, buy(1, "caravan"))
    assert state.reputation[0] == 2 + 2
    state.dollars[0] = new.dollars
    assert legal(state, buy(1, new.key, "upper:5", slot=1))


def test_r64_a_card_bought_this_turn_may_be_turned_this_turn():
    state = scene("headquarters+", dice="1 1 1", dollars=4)
    play(state, buy(1, "airfield"), turn(1, "airfield", slot=1))
    assert state.earned[0][CARDS] == 2 + 1 + 3


def test_r64_several_copies_of_a_card_may_be_owned():
    state = scene("airfield airfield+ airfield", dice="1 1", dollars=2)
    assert code(state, turn(1, "airfield", copy=1)) == "turned-already"
    play(state, turn(1, "airfield", copy=2))
    assert [side & 1 for side in state.sides[0][4:]] == [0, 1, 1]
    assert [cards.copy for cards in state.powers[0].cards[4:]] == [0, 1, 2]


def test_r65_finds_are_no_artifacts_and_u_cards_no_assets():
    state = scene(dice="2 2")
    before: State = state.copy()
    play(state, dive(2))
    assert (state.artifacts, state.cubes, state.sides, state.places) == (
        before.artifacts,
        before.cubes,
        before.sides,
        before.places,
    )
    assert code(state, collect(2, "")) == "nothing-to-sell"


def test_r65_only_finds_taken_so_far_are_held():
    state = scene(offer="diving_bell", dice="1 6", dollars=4, divers=(1, 1))
    play(state, buy(1, "diving_bell"))
    assert state.earned[0][ABILITIES] == 0


def test_r66_headquarters_may_turn_itself_and_its_second_slot_is_then_free():
    state = scene(dice="1 1 1", dollars=7)
    play(state, turn(1, "headquarters"))
    assert code(state, turn(1, "desert_expedition")) == "slot-covered"
    play(state, turn(1, "desert_expedition", slot=1))
    assert state.reputation[0] == 4


def test_r66_a_covered_slot_stays_covered_even_if_its_die_fails_the_new_requirement():
    """A Canyon Expedition's first slot takes a 1; here its level 2 asks for a 6 there."""
    card_list = deepcopy(CARD_LIST)
    card_list["start"][1]["sides"][1]["slots"][0]["requires"] = "=6"
    game = create(card_list)
    state = scene(dice="1 1 6", dollars=3, game=game)
    play(state, put(1, "canyon_expedition"), turn(1, "canyon_expedition"), game=game)
    assert code(state, put(6, "canyon_expedition"), game=game) == "slot-covered"
    assert game.dump(game.load(game.dump(state))) == game.dump(state)


def test_the_museums_are_numbered_by_their_artifacts():
    assert [GAME.catalogue.cards[n].key for n in range(4)] == [f"{artifact}_museum" for artifact in ARTIFACTS]
