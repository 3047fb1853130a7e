"""The rulings of the rule page, each by its number."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.artifact import moves as m
from engine.artifact.choices import opponents, ways
from engine.artifact.party import ABILITIES, EQUIPMENT
from engine.artifact.state import State, cast
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
    refused,
    roll,
    scene,
    sound,
    two,
    wounds,
)

LAST = "! / x / x / x / x / x"
"""A party of a Wounded leader: one wound more, and it is out."""
COMBAT = d10(1)


def overcame(challenges: str, die: int, one: int, other: int) -> bool:
    state = scene(3, 1, challenges=challenges)
    numbers = (encounter("rope_bridge"), against(die, one, other))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.artifact.journeys._suffer", lambda *_: None)
        return facts(roll(state, 2, *numbers), "faced")["overcome"]


# -- Challenges


def test_r40_a_challenge_is_overcome_by_an_equal_or_higher_ability_roll():
    assert overcame("corrected", 5, 2, 3)
    assert overcame("corrected", 6, 2, 3)
    assert not overcame("corrected", 4, 2, 3)


def test_r40_to_the_letter_the_challenge_roll_must_be_higher():
    assert not overcame("printed", 5, 2, 3)
    assert not overcame("printed", 6, 2, 3)
    assert overcame("printed", 4, 2, 3)


def test_r40_in_a_fight_the_lower_roll_loses_under_both_readings():
    for challenges in ("corrected", "printed"):
        state = scene(3, 5, challenges=challenges)
        events = roll(state, 2, COMBAT, two(1, 6), pick(0), pick(0), encounter("letter"))
        assert facts(events, "fought")["winner"] == 1
        assert any(wounds(state, 0))


def test_r41_equipment_is_worth_3_and_event_aids_what_they_state():
    assert {aid.worth for aid in EQUIPMENT} == {3}
    worths = {
        aid.worth for s in GAME.catalogue.scenarios for key, aid in s.aids.items() if key in s.encounters
    }
    assert worths == {2, 3, 4}


def test_r42_an_aid_fits_only_what_names_its_ability():
    state = scene(3, 1, aids={0: "picks pistols letter"})
    roll(state, 2, encounter("rope_bridge"))  # agility, mechanics, strength
    assert refused(state, m.Use(("pistols",))).code == "aid-does-not-fit"
    assert facts(play(state, m.Use(("picks",)), HIGH), "used")["worth"] == 3


def test_r42_who_has_no_fitting_aid_is_not_asked():
    state = scene(3, 1, aids={0: "pistols letter"})
    assert kinds(roll(state, 2, encounter("rope_bridge"), HIGH)) == ["moved", "challenge", "faced"]


def test_r42_on_a_10_the_mover_names_the_ability_before_aids_are_shown():
    state = scene(3, 5, aids={0: "pistols", 1: "pistols picks"})
    events = roll(state, 2, d10(10))
    assert facts(events, "met") == {"other": 1, "square": 5, "die": 10, "ability": None}
    assert asked(sound(state)) == (0, "ability")
    assert kinds(play(state, m.Name(ABILITIES.index("strength")))) == ["named"]
    assert asked(sound(state)) == (1, "defend")  # the mover has no Aid for it


def test_r42_and_r56_in_a_fight_the_mover_shows_its_aids_first_then_the_other():
    state = scene(3, 5, aids={0: "pistols", 1: "pistols pistols"})
    assert kinds(roll(state, 2, COMBAT)) == ["moved", "met"]
    assert asked(sound(state)) == (0, "attack")
    events = play(state, m.Use(("pistols",)))
    assert [(e.kind, e.seat, e.facts, e.reveals) for e in events] == [
        ("used", 0, {"scenario": "lost_city", "aids": ["pistols"], "worth": 3}, False)
    ]
    assert asked(sound(state)) == (1, "defend")
    assert GAME.view(state, None).used == ("pistols",)
    events = play(state, m.Use(("pistols", "pistols")), two(1, 1), pick(0), pick(0), encounter("letter"))
    assert kinds(events) == ["used", "fought", "wounded", "aid"]
    assert facts(events, "fought")["totals"] == [4, 7]
    assert (state.aids[0], state.aids[1]) == (("letter",), ())


def test_r42_the_other_may_be_asked_alone_and_aids_may_be_held_back():
    state = scene(3, 5, aids={1: "pistols"})
    roll(state, 2, COMBAT)
    assert asked(state) == (1, "defend")
    assert GAME.out_of_turn == {"defend"}
    events = play(state, m.HOLD_BACK, two(1, 1), encounter("letter"))
    assert facts(events, "used") == {"scenario": "lost_city", "aids": [], "worth": 0}
    assert state.aids[1] == ("pistols",)


# -- wounds


def test_r43_the_lost_ability_is_drawn_among_the_members_each_counting():
    for number, ability in enumerate(["combat", "combat", "science"]):
        state = scene(3, 1, parties={0: "/ combat combat science"})
        events = roll(state, 2, encounter("rope_bridge"), LOW, pick(0), pick(number))
        assert facts(events, "wounded") == {"member": 1, "cast": cast(state), "lost": [ability]}


def test_r43_of_abilities_that_are_alike_the_first_goes_whichever_was_drawn():
    """Or the sheet would show what no event tells."""
    left = set()
    for number in (0, 2):
        state = scene(3, 1, parties={0: "/ combat science combat"})
        roll(state, 2, encounter("rope_bridge"), LOW, pick(0), pick(number))
        left.add(state.members[0][1])
    assert left == {(ABILITIES.index("science"), ABILITIES.index("combat"))}


def test_r43_a_member_without_abilities_can_still_be_wounded():
    state = scene(3, 1)
    roll(state, 2, encounter("rope_bridge"), LOW, pick(4), pick(0))
    assert state.members[0][5] == ()
    roll(state, 2, encounter("letter"))
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(4))
    assert facts(events, "member_out") == {"member": 5, "cast": cast(state), "lost": []}


def test_r58_the_wounded_is_drawn_among_all_still_in_wounded_or_not_but_the_leader():
    for number, member in enumerate([1, 3, 4]):
        state = scene(3, 1, parties={0: "/ ! / x / / ! / x"})
        events = roll(
            state, 2, encounter("rope_bridge"), LOW, pick(number), *([pick(0)] if member == 3 else [])
        )
        assert facts(events, "wounded" if member == 3 else "member_out")["member"] == member


def test_r58_the_leader_is_chosen_when_nobody_else_is_left():
    state = scene(3, 1, parties={0: "combat / x / x / x / x / x"})
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(0), pick(0))
    assert facts(events, "wounded") == {"member": 0, "cast": cast(state), "lost": ["combat"]}


def test_r58_chances_among_members_are_equal():
    drawn: Counter[int] = Counter()
    for number in range(4_000):
        state = scene(3, 1, scenario="lost_city", key=number.to_bytes(32, "big"))
        GAME.apply(state, 0, m.ROLL)
        drawn.update([member for member, wound in enumerate(wounds(state, 0)) if wound])
    total = sum(drawn.values())
    assert set(drawn) == {1, 2, 3, 4, 5}
    assert all(abs(n - total / 5) < 4 * (total * 0.16) ** 0.5 for n in drawn.values())


def test_r58_a_second_wound_removes_all_of_the_members_abilities():
    state = scene(3, 1, parties={0: "/ combat science!"})
    before = state.counts[0]
    roll(state, 2, encounter("rope_bridge"), LOW, pick(0))
    lost = {
        ABILITIES[a] for a, (then, now) in enumerate(zip(before, state.counts[0], strict=True)) if now < then
    }
    assert lost == {"combat", "science"}
    sound(state)


def test_r58_a_stated_penalty_replaces_the_wound():
    for square, key in ((3, "rapids"), (3, "fever"), (18, "idol")):
        state = scene(square, 1)
        assert not facts(roll(state, 2, encounter(key), LOW), "faced")["overcome"]
        assert not any(wounds(state, 0))


# -- fights


def test_r44_the_holder_is_fought_where_it_is_among_several():
    state = scene(3, 5, 5, holder=2)
    roll(state, 2)
    events = play(state, m.FORWARD, COMBAT, two(1, 1), encounter("letter"))
    assert facts(events, "met")["other"] == 2
    assert kinds(events).count("fought") == 1


def test_r44_else_the_mover_chooses_and_fights_once():
    state = scene(3, 5, 5, 5)
    assert kinds(roll(state, 2)) == ["moved"]
    assert asked(sound(state)) == (0, "opponent")
    assert opponents(state) == [1, 2, 3]
    events = play(state, m.Meet(3), COMBAT, two(1, 1), encounter("letter"))
    assert [e.facts["other"] for e in events if e.kind == "fought"] == [3]
    assert asked(state) == (1, "roll")


def test_r44_a_holder_that_comes_to_several_chooses_too():
    state = scene(8, 5, 5, holder=0)
    roll(state, 3)
    assert asked(sound(state)) == (0, "opponent")


def test_r44_there_is_no_fight_on_square_1():
    state = scene(3, 1, 9, holder=2)
    roll(state, 3)
    assert kinds(play(state, m.BACK)) == ["moved"]
    assert state.at == [1, 1, 9]


def test_r44_the_fight_comes_before_the_event():
    state = scene(3, 5)
    events = roll(state, 2, COMBAT, two(1, 1), encounter("letter"))
    assert kinds(events) == ["moved", "met", "fought", "aid"]


def test_r53_passing_is_free_and_nobody_is_displaced():
    state = scene(3, 5, 7)
    events = roll(state, 4, COMBAT, two(2, 2), encounter("letter"))
    assert facts(events, "met")["other"] == 2
    assert state.at == [7, 5, 7]


def test_r53_a_party_due_to_skip_still_defends():
    state = scene(3, 5, aids={1: "pistols"}, skips=[1])
    roll(state, 2, COMBAT)
    assert asked(state) == (1, "defend")
    play(state, m.Use(("pistols",)), two(1, 1), pick(0), pick(0), encounter("letter"))
    assert asked(state) == (0, "roll")  # and skips afterwards


# -- parties out, and the Artifact on the ground


def test_r45_a_mover_that_falls_in_a_fight_has_no_event():
    state = scene(3, 5, 9, parties={0: LAST})
    events = roll(state, 2, COMBAT, two(1, 6), pick(0))
    assert kinds(events) == ["moved", "met", "fought", "member_out", "party_out"]
    assert facts(events, "party_out") == {"square": 5}
    assert (state.at, asked(sound(state))) == ([0, 5, 9], (1, "roll"))


def test_r45_the_winner_takes_the_artifact_of_who_falls_in_a_fight():
    for seats, mover in (((8, 5, 9), 0), ((5, 8, 9), 1)):
        state = scene(*seats, parties={0: LAST}, holder=0, active=mover)
        if mover == 0:
            events = roll(state, 3, COMBAT, two(1, 6), pick(0))
        else:
            roll(state, 3)
            events = play(state, m.BACK, COMBAT, two(6, 1), pick(0), encounter("letter"))
        assert facts(events, "seized") == {"other": 0, "square": 5}
        assert "fell" not in kinds(events)
        assert (state.holder, state.lies) == (1, 0)
        sound(state)


def fallen(*squares: int, active: int = 0) -> State:
    """The holder, seat 0, fails on square 5 and is out."""
    state = scene(7, *squares, parties={0: LAST}, holder=0, active=active)
    roll(state, 2, encounter("rope_bridge"), LOW, pick(0))
    return sound(state)


def test_r45_otherwise_the_artifact_falls_on_that_square():
    state = fallen(9, 12)
    assert (state.holder, state.lies, state.at[0]) == (-1, 5, 0)


def test_r45_a_party_that_stands_there_takes_it_at_once():
    """It came there while the holder was away, so nobody has fought: the holder moves onto it and wins, then fails."""
    state = scene(7, 9, 5, parties={0: LAST}, holder=0)
    events = roll(state, 2, COMBAT, two(3, 3), encounter("rope_bridge"), LOW, pick(0))
    assert kinds(events)[-3:] == ["party_out", "fell", "picked_up"]
    assert (state.holder, state.lies) == (2, 0)
    assert state.hands[-1] == (5, 2, 5)


def test_r45_of_several_that_stand_there_the_first_in_turn_order_after_the_one_that_is_out():
    state = scene(5, 7, 5, 5, parties={1: LAST}, holder=1, active=1)
    roll(state, 2)
    play(state, m.Meet(0), COMBAT, two(3, 3), encounter("rope_bridge"), LOW, pick(0))
    assert state.holder == 2
    state = scene(5, 5, 7, 9, parties={2: LAST}, holder=2, active=2)
    roll(state, 2)
    play(state, m.Meet(1), COMBAT, two(3, 3), encounter("rope_bridge"), LOW, pick(0))
    assert state.holder == 0


def test_r45_the_next_to_pass_the_square_takes_the_artifact_and_stops_there():
    state = fallen(9, 12)
    roll(state, 6)
    assert [way.square for way in ways(state)] == [15, 5]
    events = play(state, m.BACK, encounter("letter"))
    assert kinds(events) == ["moved", "picked_up", "aid"]
    assert facts(events, "moved") == {"die": 6, "from": 9, "to": 5, "direction": "back", "round": 5}
    assert (state.holder, state.lies) == (1, 0)


def test_r45_the_next_to_land_on_the_square_takes_the_artifact():
    state = fallen(9, 12)
    roll(state, 4)
    play(state, m.BACK, encounter("letter"))
    assert (state.holder, state.at[1]) == (1, 5)


def test_r46_when_one_party_is_left_it_wins_at_once():
    state = scene(3, 5, 0, parties={1: LAST})
    events = roll(state, 2, COMBAT, two(6, 1), pick(0))
    assert kinds(events) == ["moved", "met", "fought", "member_out", "party_out", "over"]
    assert facts(events, "over") == {"scenario": "lost_city", "winner": 0, "why": "last", "round": 5}
    sound(state)


def test_r46_the_last_party_has_the_artifact_that_it_won_in_the_last_fight():
    state = scene(3, 5, 0, parties={1: LAST}, holder=1)
    roll(state, 2)
    events = play(state, m.FORWARD, COMBAT, two(6, 1), pick(0))
    assert kinds(events)[-3:] == ["party_out", "seized", "over"]
    assert (state.holder, facts(events, "over")["why"]) == (0, "last")
    sound(state)


def test_r46_the_last_party_wins_by_the_others_misfortune_and_without_the_artifact():
    state = scene(7, 20, parties={0: LAST}, holder=0)
    events = roll(state, 2, encounter("rope_bridge"), LOW, pick(0))
    assert kinds(events)[-3:] == ["party_out", "fell", "over"]
    outcome = GAME.outcome(sound(state))
    assert outcome
    assert (outcome.winners, outcome.why) == ((1,), "last")


def test_r59_parties_that_are_out_are_passed_over_and_rounds_go_on():
    state = scene(0, 5, 0, 9, active=1)
    roll(state, 1, encounter("letter"))
    assert asked(state) == (3, "roll")
    roll(state, 1, encounter("letter"))
    assert (asked(state), state.round) == ((1, "roll"), 6)


# -- movement


def test_r47_the_second_table_begins_with_square_16():
    tables = GAME.catalogue.scenarios[GAME.catalogue.numbers["lost_city"]].parts
    for square, part in ((15, 0), (16, 1)):
        state = scene(square - 1, 1)
        events = roll(state, 1, two(3, 2))
        assert facts(events, "aid")["encounter"] == tables[part][5].key


def test_r50_the_direction_is_chosen_after_the_roll_by_all_without_the_artifact():
    for holder, lies in ((1, None), (-1, 20)):
        state = scene(9, 25, 12, holder=holder, lies=lies)
        events = roll(state, 4)
        assert [(e.kind, e.facts, e.reveals) for e in events] == [("rolled", {"die": 4}, True)]
        assert asked(sound(state)) == (0, "direction")
        assert [(way.move, way.square) for way in ways(state)] == [(m.FORWARD, 13), (m.BACK, 5)]


def test_r50_before_it_has_been_taken_all_move_forward():
    assert kinds(roll(scene(9, 25), 4, encounter("letter"))) == ["moved", "aid"]


def test_r50_on_1_and_on_30_there_is_only_one_direction():
    state = scene(1, 25, holder=1)
    assert facts(roll(state, 4, encounter("letter")), "moved")["to"] == 5
    state = scene(30, 25, holder=1)
    assert facts(roll(state, 4, encounter("honey_hunters")), "moved")["to"] == 26


def test_r55_no_exact_roll_is_needed_at_either_end():
    assert roll(scene(29, 5), 6)[0].facts["to"] == 30
    assert roll(scene(2, 5, holder=0), 6)[0].facts["to"] == 1


def test_r55_squares_1_and_30_have_no_event_and_30_has_fights():
    state = scene(28, 30, holder=1)
    roll(state, 5)
    events = play(state, m.FORWARD, COMBAT, two(6, 1), pick(0), pick(0))
    assert kinds(events) == ["moved", "met", "fought", "wounded", "seized"]
    assert (state.at[0], state.holder) == (30, 0)


def test_r55_there_is_an_event_whatever_the_fights_result():
    for dice, wounded in ((two(6, 1), True), (two(1, 6), True), (two(1, 1), False)):
        state = scene(3, 5)
        more = (pick(0), pick(0)) if wounded else ()
        assert kinds(roll(state, 2, COMBAT, dice, *more, encounter("letter")))[-1] == "aid"


# -- penalties


def test_r51_squares_lost_take_a_party_back_against_its_move_and_nothing_happens_there():
    state = scene(8, 7, 9, holder=2)
    roll(state, 2)
    events = play(state, m.FORWARD, encounter("rapids"), LOW)
    assert facts(events, "thrown_back") == {"squares": 3, "from": 10, "to": 7}
    assert kinds(events)[-1] == "thrown_back"  # no fight with seat 1
    state = scene(8, 9, 29, holder=2)
    roll(state, 2)
    assert facts(play(state, m.BACK, encounter("rapids"), LOW), "thrown_back")["to"] == 9


def test_r51_squares_lost_take_the_holder_toward_30():
    state = scene(8, 20, holder=0)
    assert facts(roll(state, 2, encounter("rapids"), LOW), "thrown_back") == {
        "squares": 3,
        "from": 6,
        "to": 9,
    }


def test_r51_squares_lost_end_at_2_and_29():
    state = scene(1, 20)
    assert facts(roll(state, 2, encounter("rapids"), LOW), "thrown_back")["to"] == 2
    state = scene(30, 20, holder=0)
    assert facts(roll(state, 2, encounter("green_maze"), LOW), "thrown_back")["to"] == 29


def test_r51_a_turn_lost_is_the_whole_next_turn():
    state = scene(3, 9)
    roll(state, 2, encounter("fever"), LOW)
    events = roll(state, 1, encounter("letter"))
    assert [(e.kind, e.seat) for e in events][-1] == ("skipped", 0)
    assert (asked(sound(state)), state.skips, state.round) == ((1, "roll"), [False, False], 6)


def test_r51_an_aid_lost_is_of_its_players_choice():
    state = scene(18, 9, aids={0: "picks pistols"})
    roll(state, 2, encounter("idol"))
    play(state, m.HOLD_BACK, LOW)
    assert asked(sound(state)) == (0, "give_up")
    events = play(state, m.GiveUp("picks"))
    assert [(e.kind, e.facts) for e in events] == [("aid_lost", {"scenario": "lost_city", "aid": "picks"})]
    assert (state.aids[0], asked(state)) == (("pistols",), (1, "roll"))


def test_r51_where_there_is_one_kind_of_aid_or_none_nothing_is_asked():
    for aids, lost, left in (("maps maps", "maps", ("maps",)), ("", None, ())):
        state = scene(18, 9, aids={0: aids})
        events = roll(state, 2, encounter("idol"), LOW)
        assert facts(events, "aid_lost") == {"scenario": "lost_city", "aid": lost}
        assert (state.aids[0], asked(state)) == (left, (1, "roll"))


def test_r51_two_wounds_come_one_after_the_other_perhaps_on_the_same_member():
    state = scene(3, 9)
    events = roll(state, 2, encounter("caimans"), LOW, pick(2), pick(0), pick(2))
    assert kinds(events)[-2:] == ["wounded", "member_out"]
    assert wounds(state, 0) == [0, 0, 0, 2, 0, 0]


def test_r51_of_two_wounds_the_first_may_be_the_last():
    state = scene(3, 9, 12, parties={0: LAST})
    events = roll(state, 2, encounter("caimans"), LOW, pick(0))
    assert kinds(events)[-2:] == ["member_out", "party_out"]


def test_r54_who_is_thrown_onto_the_artifacts_square_takes_it_when_its_next_turn_begins():
    state = scene(9, 12, 20, lies=8)
    roll(state, 2)
    play(state, m.FORWARD, encounter("rapids"), LOW)
    assert (state.at[0], state.holder, state.lies) == (8, -1, 8)
    sound(state)
    roll(state, 1)
    play(state, m.FORWARD, encounter("letter"))
    roll(state, 1)
    events = play(state, m.FORWARD, encounter("honey_hunters"))
    assert [(e.kind, e.seat) for e in events][-1] == ("picked_up", 0)
    assert (state.holder, asked(sound(state))) == (0, (0, "roll"))
    assert roll(state, 3, encounter("letter"))[0].facts["to"] == 5


def test_r54_a_skipped_turn_does_not_pick_it_up():
    state = scene(8, 12, lies=8, active=1, skips=[0])
    roll(state, 1)
    events = play(state, m.FORWARD, encounter("letter"))
    assert kinds(events)[-1] == "skipped"
    assert state.holder == -1


def test_r54_another_that_comes_there_first_takes_it_and_then_fights():
    state = scene(8, 12, 20, lies=8, active=1)
    roll(state, 6)
    events = play(state, m.BACK, COMBAT, two(6, 1), pick(0), pick(0), encounter("letter"))
    assert kinds(events) == ["moved", "picked_up", "met", "fought", "wounded", "aid"]
    assert (state.at[1], state.holder) == (8, 1)


def test_r54_the_holder_in_squares_lost_is_judged_after_the_fight():
    state = scene(8, 10, holder=1)
    roll(state, 2)
    events = play(state, m.FORWARD, COMBAT, two(6, 1), pick(0), pick(0), encounter("rapids"), LOW)
    assert facts(events, "thrown_back") == {"squares": 3, "from": 10, "to": 13}


# -- Aids and abilities


def test_r57_twice_doubles_all_named_abilities_and_never_aids_or_dice():
    state = scene(20, 1, parties={0: "survival"}, aids={0: "maps"})
    roll(state, 2, encounter("green_maze"))
    faced = facts(play(state, m.Use(("maps",)), against(4, 1, 1)), "faced")
    assert (faced["abilities"], faced["aids"], faced["die"], faced["total"]) == (2, 3, 4, 9)


def test_r57_fights_do_not_double():
    state = scene(20, 22, parties={0: "survival"})
    events = roll(state, 2, d10(5), two(1, 1), pick(0), pick(0), encounter("rubbings"))
    assert facts(events, "fought")["abilities"] == [1, 0]


def test_r57_to_the_letter_aids_may_still_be_spent():
    state = scene(3, 1, aids={0: "picks"}, challenges="printed")
    roll(state, 2, encounter("rope_bridge"))
    faced = facts(play(state, m.Use(("picks",)), against(1, 2, 3)), "faced")
    assert (faced["total"], faced["against"], faced["overcome"]) == (4, 5, True)


def test_r58_aids_belong_to_the_party_without_limit_and_go_with_it():
    state = scene(3, 9, 12, parties={0: LAST}, aids={0: "pistols", 1: "picks"})
    for _ in range(12):
        state.active = 0
        state.at[0] = 3
        roll(state, 2, encounter("letter"))
    assert state.aids[0] == ("letter",) * 12 + ("pistols",)
    state.active, state.at[0] = 0, 3
    roll(state, 2, encounter("rope_bridge"), LOW, pick(0))
    assert (state.at[0], state.aids[0], state.aids[1]) == (0, (), ("picks",))


def test_r58_aids_are_never_won():
    state = scene(3, 5, 9, parties={1: LAST}, aids={0: "maps", 1: "picks pistols"}, holder=1)
    roll(state, 2)
    events = play(state, m.FORWARD, d10(3), two(6, 1), pick(0), encounter("rope_bridge"), HIGH)
    assert "party_out" in kinds(events)
    assert (state.holder, state.aids[0], state.aids[1]) == (0, ("maps",), ())


def test_r52_each_of_a_members_abilities_counts():
    state = scene(3, 1, parties={0: "/ agility agility agility"})
    assert facts(roll(state, 2, encounter("rope_bridge"), HIGH), "faced")["abilities"] == 3


def test_r56_the_opponent_is_chosen_before_the_ability_is_rolled():
    state = scene(3, 5, 5)
    assert kinds(roll(state, 2)) == ["moved"]
    assert kinds(play(state, m.Meet(1), d10(10))) == ["met"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_r49_sheets_and_holder_are_public(viewer: Any):
    view = GAME.view(scene(20, 9, holder=0, aids={1: "picks"}), viewer)
    assert (view.holder, view.aids[1], len(view.members[0])) == (0, ("picks",), 6)
