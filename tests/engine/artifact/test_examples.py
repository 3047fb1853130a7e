"""The rules and examples of the rule text, sentence by sentence."""

from __future__ import annotations

import pytest

from engine.artifact import moves as m
from engine.artifact.choices import challenge_bonus, people
from engine.artifact.party import ABILITIES, EQUIPMENT, SIZES
from engine.artifact.state import cast
from tests.engine.artifact.scene import (
    GAME,
    HIGH,
    LOW,
    against,
    asked,
    d10,
    encounter,
    facts,
    kinds,
    pick,
    play,
    roll,
    scene,
    sound,
    two,
    wounds,
)


def test_in_a_challenge_of_twice_strength_4_abilities_add_8():
    state = scene(18, 1, parties={0: "strength strength / strength / strength"})
    assert challenge_bonus(state, 0, "stairway") == 4 * 2
    events = roll(state, 2, encounter("stairway"), against(1, 4, 5))
    assert facts(events, "faced")["abilities"] == 8
    assert facts(events, "faced")["total"] == 9
    assert facts(events, "faced")["overcome"]


def test_a_party_is_a_leader_of_5_abilities_3_companions_of_3_and_2_helpers_of_1():
    party = people(scene(1, 1), 0)
    assert [person.role for person in party] == ["leader", *["companion"] * 3, *["helper"] * 2]
    assert [len(person.abilities) for person in party] == [5, 3, 3, 3, 1, 1] == list(SIZES)


def test_the_ten_sided_die_names_the_abilities_in_the_order_of_the_table():
    assert [key.capitalize() for key in ABILITIES] == [
        "Combat", "Strength", "Agility", "Navigation", "Survival", "Mechanics", "Linguistics", "Personality",
        "Science",
    ]  # fmt: skip


def test_each_piece_of_equipment_is_an_aid_for_its_ability():
    assert {aid.key: ABILITIES[aid.ability] for aid in EQUIPMENT} == {
        "pistols": "combat",
        "picks": "strength",
        "climbing_gear": "agility",
        "sextant": "navigation",
        "maps": "survival",
        "lockpicks": "mechanics",
        "tomes": "linguistics",
        "texts": "science",
    }


def test_a_party_moves_as_many_squares_as_it_rolls():
    state = scene(4, 1)
    events = roll(state, 5, encounter("letter"))
    assert state.at == [9, 1]
    assert facts(events, "moved") == {"die": 5, "from": 4, "to": 9, "direction": "forward", "round": 5}
    assert asked(state) == (1, "roll")


def test_the_end_of_the_trail_stops_the_move_and_the_first_there_takes_the_artifact():
    state = scene(28, 5)
    events = roll(state, 6)
    assert state.at[0] == 30
    assert kinds(events) == ["moved", "reached"]
    assert (state.holder, state.lies) == (0, 0)
    assert asked(sound(state)) == (1, "roll")


def test_the_holder_moves_toward_1_and_the_others_choose():
    state = scene(20, 12, holder=0)
    roll(state, 3, encounter("rubbings"))
    assert state.at[0] == 17
    assert kinds(roll(state, 4)) == ["rolled"]
    assert asked(sound(state)) == (1, "direction")
    play(state, m.BACK, encounter("letter"))
    assert state.at[1] == 8


def test_who_brings_the_artifact_to_square_1_wins():
    state = scene(5, 12, 3, holder=0)
    events = roll(state, 6)
    assert kinds(events) == ["moved", "over"]
    assert facts(events, "over") == {"scenario": "lost_city", "winner": 0, "why": "home", "round": 5}
    outcome = GAME.outcome(sound(state))
    assert outcome
    assert (outcome.winners, outcome.ranks, outcome.why) == ((0,), (1, 2, 2), "home")
    assert asked(state) is None


@pytest.mark.parametrize(
    ("square", "face", "part", "key"),
    [(1, 1, 1, "boatman"), (10, 5, 1, "boatman"), (10, 6, 2, "honey_hunters"), (27, 2, 2, "honey_hunters")],
)
def test_squares_2_to_15_have_events_of_the_first_table_and_16_to_29_of_the_second(
    square: int, face: int, part: int, key: str
):
    state = scene(square, 1)
    events = roll(state, face, two(2, 3))
    assert facts(events, "aid") == {"scenario": "lost_city", "part": part, "dice": (2, 3), "encounter": key}
    assert state.aids[0] == (key,)


def test_a_challenge_is_faced_at_once():
    state = scene(3, 1)
    events = roll(state, 2, encounter("rope_bridge"), HIGH)
    assert kinds(events) == ["moved", "challenge", "faced"]
    assert facts(events, "faced") == {
        "encounter": "rope_bridge",
        "die": 6,
        "abilities": 0,
        "aids": 0,
        "total": 6,
        "dice": (1, 1),
        "against": 2,
        "overcome": True,
    }


def test_an_aid_is_added_and_crossed_off_once_used():
    state = scene(3, 1, aids={0: "picks pistols"})
    assert kinds(roll(state, 2, encounter("rope_bridge"))) == ["moved", "challenge"]
    assert asked(sound(state)) == (0, "challenge")
    events = play(state, m.Use(("picks",)), against(2, 2, 3))
    assert facts(events, "used") == {"scenario": "lost_city", "aids": ["picks"], "worth": 3}
    assert facts(events, "faced")["total"] == 5
    assert facts(events, "faced")["overcome"]
    assert state.aids[0] == ("pistols",)


def test_who_fails_has_a_member_wounded_who_loses_an_ability_and_a_second_wound_is_final():
    state = scene(3, 1, parties={0: "/ navigation science"})
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(0), pick(1))
    assert facts(events, "wounded") == {"member": 1, "cast": cast(state), "lost": ["science"]}
    assert wounds(state, 0) == [0, 1, 0, 0, 0, 0]
    assert ABILITIES.index("science") not in people(state, 0)[1].abilities
    roll(state, 2, encounter("letter"))
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(0))
    assert facts(events, "member_out") == {
        "member": 1,
        "cast": cast(state),
        "lost": ["navigation", "personality"],
    }
    assert wounds(sound(state), 0) == [0, 2, 0, 0, 0, 0]


def test_an_event_may_state_another_outcome():
    state = scene(3, 1)
    events = roll(state, 2, encounter("fever"), LOW)
    assert kinds(events) == ["moved", "challenge", "faced", "turn_lost"]
    assert not any(wounds(state, 0))
    assert sound(state).skips == [True, False]


def test_who_moves_onto_another_party_fights_it_and_the_lower_is_wounded():
    state = scene(3, 5, parties={0: "combat combat", 1: "combat"})
    events = roll(state, 2, d10(1), two(3, 3), pick(4), pick(0), encounter("letter"))
    assert kinds(events) == ["moved", "met", "fought", "wounded", "aid"]
    assert facts(events, "fought") == {
        "other": 1,
        "ability": "combat",
        "dice": (3, 3),
        "abilities": [2, 1],
        "aids": [0, 0],
        "totals": [5, 4],
        "winner": 0,
    }
    assert wounds(state, 1) == [0, 0, 0, 0, 0, 1]


def test_equal_rolls_in_a_fight_change_nothing():
    state = scene(3, 5, holder=1)
    roll(state, 2)
    events = play(state, m.FORWARD, d10(1), two(4, 4), encounter("letter"))
    assert kinds(events) == ["moved", "met", "fought", "aid"]
    assert facts(events, "fought")["winner"] is None
    assert state.holder == 1
    assert not any(wounds(state, 0) + wounds(state, 1))


def test_the_winner_of_a_fight_takes_the_artifact():
    state = scene(3, 5, holder=1)
    roll(state, 2)
    events = play(state, m.FORWARD, d10(1), two(4, 3), pick(0), pick(0), encounter("letter"))
    assert kinds(events) == ["moved", "met", "fought", "wounded", "seized", "aid"]
    assert facts(events, "seized") == {"other": 1, "square": 5}
    assert state.holder == 0
    assert [held.seat for held in sound(state).hands] == [1, 0]


def test_the_highest_begins_and_then_around_the_table():
    state = scene(1, 1, 1, active=2)
    roll(state, 1, encounter("letter"))
    assert asked(state) == (0, "roll")
    roll(state, 2, encounter("letter"))
    assert asked(state) == (1, "roll")


def test_a_round_ends_before_the_first_players_turn_whoever_that_is():
    state = scene(3, 9, 12, active=2, first=1, order=((0, 1), (1, 10), (2, 1)))
    roll(state, 1, encounter("letter"))
    assert (asked(state), state.round) == ((0, "roll"), 5)
    roll(state, 1, encounter("letter"))
    assert (asked(sound(state)), state.round) == ((1, "roll"), 6)
