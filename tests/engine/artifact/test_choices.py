"""The facts for screens and agents: how a match stands, what can be done, and with what chances."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.choices import challenge_odds, fight_odds
from engine.artifact.party import ABILITIES
from engine.artifact.state import State
from tests.engine.artifact.every_move import every_move
from tests.engine.artifact.scene import (
    GAME,
    HIGH,
    after,
    ascending,
    d10,
    encounter,
    pick,
    play,
    roll,
    scene,
    two,
)


def facing(aids: str, parties: str = "", challenges: str = "corrected") -> State:
    """A Challenge of agility, mechanics and strength."""
    state = scene(3, 1, aids={0: aids}, parties={0: parties}, challenges=challenges)
    roll(state, 2, encounter("rope_bridge"))
    return state


def test_a_partys_strength_in_numbers():
    state = scene(3, 9, parties={0: "combat / x / ! / science"}, aids={0: "picks picks maps"})
    assert c.strength(state, 0) == c.Strength(members=5, wounded=1, abilities=12, aids=3)


def test_a_partys_aids_are_listed_by_ability_with_their_number():
    state = scene(3, 9, aids={0: "picks picks letter brass_band outboard"})
    assert [(aid.key, aid.worth, n) for aid, n in c.aids(state, 0)] == [
        ("picks", 3, 2),
        ("outboard", 4, 1),
        ("brass_band", 4, 1),
        ("letter", 3, 1),
    ]


def test_a_journal_tells_what_a_party_has_been_through():
    state = scene(3, 5, parties={0: "combat"}, aids={0: "picks"})
    roll(state, 2, d10(1), two(6, 1), pick(0), pick(0), encounter("rope_bridge"))
    play(state, m.Use(("picks",)), HIGH)
    roll(state, 1, encounter("letter"))
    assert c.journal(state, 0) == c.Journal(squares=2, spent=1, faced=1, overcome=1, fought=1, won=1)
    assert c.journal(GAME.view(state, 1), 1) == c.Journal(squares=1, found=1, fought=1)


def test_landing_stops_at_the_ends_and_where_the_artifact_lies():
    state = scene(28, 3, 12, lies=9)
    assert c.landing(state, 0, 6, 1) == 30
    assert c.landing(state, 1, 6, -1) == 1
    assert c.landing(state, 1, 6, 1) == 9
    assert c.landing(state, 2, 3, -1) == 9
    assert c.landing(state, 2, 2, -1) == 10


def test_ways_say_where_they_lead_and_whom_they_meet():
    state = scene(9, 13, 13, 5, holder=1)
    assert c.ways(state) == []
    roll(state, 4)
    assert c.ways(GAME.view(state, 0)) == [c.Way(m.FORWARD, 13, (1, 2)), c.Way(m.BACK, 5, (3,))]


def test_a_roll_leads_where_was_foretold():
    state, rng = GAME.new(4, GAME.options_type(), bytes(32)), Random(1)
    while pending := GAME.pending(state):
        seat, foretold = pending[0].seat, c.by_roll(state)
        assert bool(foretold) == (state.phase == s.ROLL)
        for event in GAME.apply(state, seat, GAME.agents["veteran"].choose(GAME.view(state, seat), rng)):
            if foretold and event.kind == "rolled":
                assert c.ways(state) == foretold[event.facts["die"]]
            elif foretold and event.kind == "moved":
                assert [way.square for way in foretold[event.facts["die"]]] == [event.facts["to"]]


def test_a_way_to_square_1_meets_nobody():
    state = scene(3, 1, 20, holder=2)
    roll(state, 5)
    assert c.ways(state)[1] == c.Way(m.BACK, 1, ())


def test_the_row_that_is_faced_and_who_is_asked():
    state = facing("picks")
    row = c.encounter(state)
    assert row
    assert (row.title, row.part, row.roll) == ("The Bridge of One Rope", 0, 8)
    assert c.encounter(scene(1, 1)) is None
    fight = scene(3, 5, aids={1: "pistols"})
    roll(fight, 2, d10(1))
    assert (c.asked(state), c.asked(fight)) == (0, 1)


def test_fitting_aids_are_those_of_who_is_asked():
    state = facing("picks picks maps lockpicks")
    assert [(aid.key, n) for aid, n in c.fitting(state)] == [("picks", 2), ("lockpicks", 1)]
    fight = scene(3, 5, aids={0: "picks", 1: "pistols maps"})
    roll(fight, 2, d10(1))
    assert [aid.key for aid, _ in c.fitting(GAME.view(fight, 0))] == ["pistols"]
    assert c.fitting(scene(1, 1, aids={0: "maps"})) == []


def test_sets_of_aids_come_with_their_exact_chances():
    state = facing("picks picks lockpicks", "agility")
    found = c.aid_sets(state)
    assert found == [(), ("picks",), ("picks", "picks"), ("lockpicks", "picks", "picks")]
    chances = [c.chance(state, keys) for keys in found]
    assert chances == [challenge_odds(1 + worth) for worth in (0, 3, 6, 9)]
    assert ascending(chances)


def test_of_sets_that_add_the_same_the_smallest_is_offered():
    state = scene(18, 1, aids={0: "kite climbing_gear outboard lockpicks"})
    roll(state, 2, encounter("spear_hall"))  # agility, mechanics
    sets = {c.worth(state, keys): keys for keys in c.aid_sets(state)}
    assert sets[4] == ("outboard",)
    assert sets[6] == ("climbing_gear", "kite")
    assert sorted(sets) == [0, 3, 4, 6, 7, 9, 10, 13]


def test_to_the_letter_aids_harm_and_the_chances_say_so():
    state = facing("picks", challenges="printed")
    assert c.aid_sets(state) == [(), ("picks",)]
    assert c.chance(state) > c.chance(state, ("picks",))


def test_the_mover_sees_its_chances_against_all_and_against_none_of_the_others_aids():
    state = scene(3, 5, parties={0: "combat"}, aids={0: "pistols", 1: "pistols pistols maps"})
    roll(state, 2, d10(1))
    view = GAME.view(state, 0)
    assert c.aid_sets(view) == [(), ("pistols",)]
    assert c.fight_chances(view) == (fight_odds(1, 6), fight_odds(1, 0))
    assert c.fight_chances(view, ("pistols",)) == (fight_odds(4, 6), fight_odds(4, 0))


def test_the_other_sees_its_own_chances_against_what_the_mover_has_shown():
    state = scene(3, 5, parties={0: "combat"}, aids={0: "pistols", 1: "pistols"})
    roll(state, 2, d10(1))
    play(state, m.Use(("pistols",)))
    assert c.fight_chances(state) == (fight_odds(0, 4),) * 2
    assert c.fight_chances(state, ("pistols",)) == (fight_odds(3, 4),) * 2


def test_nothing_is_listed_where_nothing_is_asked():
    state = scene(3, 5)
    assert (c.aid_sets(state), c.opponents(state), c.ways(state)) == ([()], [], [])
    assert list(every_move(state)) == [m.ROLL]


def test_before_a_fight_its_prospects_are_those_of_all_ten_faces():
    state = scene(3, 5, parties={0: "combat combat"})
    odds = [c.duel(state, 0, 1, ability) for ability in range(len(ABILITIES))]
    best = max(odds, key=lambda one: one.win - one.lose)
    expected = sum(one.win for one in (*odds, best)) / 10
    found = c.prospects(state, 0, 1)
    assert found.win == expected
    assert sum(found) == 1
    assert best == odds[0] == fight_odds(2, 0)


def test_what_challenges_name_counts_twice_where_it_doubles():
    state = scene(1, 1, scenario="lost_city")
    named = dict(zip(ABILITIES, c.named(state), strict=True))
    assert named["survival"] == 4 + 2  # fever, piranhas, jaguar, the Hall of Reeds, and twice the Green Maze


def fight(own: str, other: str, face: int = 1) -> State:
    return after(scene(3, 5, aids={0: own, 1: other}), 2, d10(face))


def test_any_selection_of_aids_has_its_chance():
    state = facing("picks picks lockpicks", "agility")
    assert c.chance(state) == challenge_odds(1)
    assert c.chance(GAME.view(state, 1), ("picks", "lockpicks")) == challenge_odds(7)
    assert isinstance(c.chance(state), Fraction)
    with pytest.raises(ValueError, match="no Challenge"):
        c.chance(scene(3, 5))


def test_any_selection_of_aids_for_a_fight_has_its_chances():
    state = fight("pistols pistols", "pistols")
    assert c.fight_chances(state, ("pistols",)) == (fight_odds(3, 3), fight_odds(3, 0))
    play(state, m.Use(("pistols", "pistols")))
    assert c.fight_chances(state, ("pistols",)) == (fight_odds(3, 6), fight_odds(3, 6))
    with pytest.raises(ValueError, match="no fight"):
        c.fight_chances(scene(3, 5))
