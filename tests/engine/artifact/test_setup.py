"""How a match begins: scenario, parties made by all at once, and the order of play."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.artifact import moves as m
from engine.artifact.choices import members_of, named, people, proposal, rolled
from engine.artifact.party import ABILITIES
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import PARTY, State
from engine.errors import BadData
from tests.engine.artifact.scene import GAME

every_number = pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])


def begin(seats: int, number: int = 0, **options: Any) -> State:
    return GAME.new(seats, ArtifactOptions(**options), number.to_bytes(32, "big"))


def made(state: State, seats: Any = None) -> State:
    """The state after these seats (all of them) have made random parties."""
    for seat in range(state.seats) if seats is None else seats:
        GAME.apply(state, seat, GAME.sample(state, seat, Random(seat)))
    return state


# -- the scenario


def test_the_scenario_is_the_hosts_choice_or_drawn():
    assert GAME.catalogue.scenarios[begin(2, scenario="ice_tomb").scenario].key == "ice_tomb"
    drawn = Counter(begin(2, number).scenario for number in range(600))
    assert set(drawn) == {0, 1, 2}
    assert all(150 < n < 250 for n in drawn.values())
    assert [begin(2, 3).drawn, begin(2, 3, scenario="ice_tomb").drawn] == [True, False]


@pytest.mark.parametrize("strict", [False, True])
def test_a_scenario_that_does_not_exist_is_no_option(strict: bool):
    with pytest.raises(BadData, match="options of artifact, scenario"):
        GAME.load_options({"scenario": "lost_cause"}, strict=strict)
    with pytest.raises(BadData, match="options of artifact, scenario"):
        begin(2, scenario="lost_cause")


def test_options_come_as_texts():
    options = GAME.load_options({"scenario": "drowned_temple", "challenges": "printed"})
    assert options == ArtifactOptions(scenario="drowned_temple", challenges="printed")
    assert GAME.load_options({}) == ArtifactOptions()
    with pytest.raises(BadData, match="challenges"):
        GAME.load_options({"challenges": "hard"})


# -- parties (R48, R52, R67)


def test_r48_every_10_is_the_players_choice_in_the_order_of_the_rolls():
    state = begin(2)
    state.rolls[0] = (10, 2, 3, 4, 10, 1, 2, 10, 4, 5, 6, 7, 8, 9, 10, 1)
    GAME.apply(state, 0, m.Create((8, 7, 6, 5), ("pistols", "texts")))
    made(state, [1])
    assert state.members[0] == ((8, 1, 2, 3, 7), (0, 1, 6), (3, 4, 5), (6, 7, 8), (5,), (0,))


def test_r52_two_players_may_choose_the_same_equipment():
    state = begin(2)
    for seat in (0, 1):
        choice = (0,) * state.rolls[seat].count(10)
        GAME.apply(state, seat, m.Create(choice, ("texts", "maps")))
    assert list(state.aids) == [("maps", "texts")] * 2


def test_r67_rolls_and_choices_are_private_until_all_have_made_theirs():
    state = made(begin(3), [0])
    views = {viewer: GAME.view(state, viewer) for viewer in (None, 0, 1, 2)}
    assert [views[viewer].rolls for viewer in (None, 0, 1)] == [(), state.rolls[0], state.rolls[1]]
    assert [views[viewer].created is None for viewer in (None, 0, 1)] == [True, False, True]
    assert all(view.members == ((), (), ()) and view.aids == ((), (), ()) for view in views.values())
    assert {view.waiting for view in views.values()} == {0b110}


def test_every_face_may_be_rolled_and_each_as_often():
    rolls = Counter(roll for number in range(200) for roll in begin(2, number).rolls[number % 2])
    assert set(rolls) == set(range(1, 11))
    assert all(250 < n < 390 for n in rolls.values())


# -- the order of play (R59)


@every_number
def test_everybody_may_begin(seats: int):
    first = Counter(made(begin(seats, number)).first for number in range(400))
    assert all(400 / seats * 0.65 < first[seat] < 400 / seats * 1.35 for seat in range(seats))


# -- what is proposed to a player


def test_a_proposal_is_legal_and_the_same_again():
    for number in range(60):
        state = begin(2, number)
        view = GAME.view(state, number % 2)
        move = proposal(view)
        assert proposal(view) == move
        GAME.apply(state, number % 2, move)


def test_a_proposal_chooses_what_challenges_name_and_the_party_lacks():
    state = begin(2, scenario="lost_city")
    state.rolls[0] = (10, 1, 1, 1, 3, 3, 3, 4, 4, 4, 5, 5, 5, 9, 9, 6)
    view = GAME.view(state, 0)
    assert rolled(view)[ABILITIES.index("strength")] == 0
    weights = named(view)
    assert weights[ABILITIES.index("strength")] == max(weights)
    assert proposal(view).tens == (ABILITIES.index("strength"),)


def test_before_the_sheets_are_shown_a_seat_sees_its_members_with_the_tens_open():
    state = begin(2)
    state.rolls[0] = (10, 2, 3, 4, 10, 1, 2, 10, 4, 5, 6, 7, 8, 9, 10, 1)
    view = GAME.view(state, 0)
    assert people(view, 0) == []
    assert members_of(view) == [
        ("leader", (None, 1, 2, 3, None)),
        ("companion", (0, 1, None)),
        ("companion", (3, 4, 5)),
        ("companion", (6, 7, 8)),
        ("helper", (None,)),
        ("helper", (0,)),
    ]
    assert members_of(GAME.view(state, None)) == []
    assert state.phase == PARTY
