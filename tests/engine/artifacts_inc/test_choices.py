"""The possible actions for screens and agents: from a view or a state, and always those that the rules allow."""

from __future__ import annotations

from random import Random

import pytest

from engine.artifacts_inc import choices as c
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Slot
from engine.artifacts_inc.company import Place, Space
from engine.artifacts_inc.moves import Buy, PlaceDie, TurnCard
from engine.artifacts_inc.state import company, finds
from engine.game import Options
from tests.engine.artifacts_inc.every_move import every_move
from tests.engine.artifacts_inc.scene import (
    GAME,
    KEY,
    card,
    code,
    dive,
    fill,
    legal,
    own,
    play,
    put,
    roll_again,
    scene,
    space,
    turn_die,
)


def named(spaces: list[tuple[Space, Slot]]) -> list[tuple[str, int]]:
    return [(GAME.catalogue.cards[found.card].key, found.slot) for found, _ in spaces]


def test_what_a_die_can_do_is_public_cards_first_then_ones_own():
    state = scene("antiquarian airfield", dice="4 1", artifacts="fossil", dollars=2)
    assert named(c.spaces(GAME.view(state, 1), 4)) == [
        ("fossil_museum", 0),
        ("private_collectors", 0),
        ("guide_work", 0),
        ("desert_expedition", 0),
        ("canyon_expedition", 1),
        ("headquarters", 0),
        ("antiquarian", 0),
    ]
    assert named(c.spaces(state, 1)) == [
        ("fossil_museum", 0),
        ("private_collectors", 0),
        ("guide_work", 0),
        ("canyon_expedition", 0),
        ("headquarters", 0),
    ]


def test_a_die_can_do_less_once_spaces_are_covered_and_means_are_spent():
    state = scene(dice="1 1 4 6", artifacts="fossil", dollars=1)
    assert ("headquarters", 0) not in named(c.spaces(state, 1))
    play(state, fill(1, "fossil", 0))
    left = named(c.spaces(state, 4))
    assert left == [
        ("guide_work", 0),
        ("desert_expedition", 0),
        ("canyon_expedition", 1),
        ("headquarters", 0),
    ]
    play(state, put(4, "desert_expedition"))
    assert ("desert_expedition", 0) not in named(c.spaces(state, 6))
    assert ("scroll_museum", 0) in named(c.spaces(state, 6))


def test_the_first_of_two_copies_is_told_from_the_second():
    state = scene("mountain_expedition mountain_expedition", dice="6 5")
    play(state, put(6, "mountain_expedition"))
    assert space("mountain_expedition", copy=0) not in dict(c.spaces(state, 5))
    assert space("mountain_expedition", copy=1) in dict(c.spaces(state, 5))


def test_the_orders_that_can_be_filled():
    state = scene(dice="6", artifacts="fossil*2 gem@headquarters", orders={"fossil": {1: 1}}, seats=3)
    assert c.fillable(state) == [(0, 0), (0, 2), (0, 3), (3, 0), (3, 1)]
    assert c.fillable(state, ARTIFACTS.index("gem")) == [(3, 0), (3, 1)]
    assert c.fillable(state, ARTIFACTS.index("scroll")) == []


def test_the_cards_that_can_be_paid():
    state = scene("biplane headquarters+", offer="caravan", dice="1", dollars=3)
    keys = [GAME.catalogue.cards[number] for number in c.purchases(state)]
    assert keys
    assert all(found.dollars <= 3 and not found.scrolls for found in keys)
    assert len(set(keys)) == len(keys)
    assert c.turnable(state) == [own("desert_expedition"), own("canyon_expedition")]
    state = scene(offer="caravan", dice="1", dollars=2, artifacts="scroll")
    assert card("caravan") in c.purchases(state)
    assert c.turnable(state) == []


@pytest.mark.parametrize(
    ("dice", "taken", "bells", "sets"),
    [
        ("1 1", 0, "", [(1, 1)]),
        ("1 2 3", 0, "", [(2,), (3,)]),
        ("1 1 2 5", 2, "", [(1, 5), (2, 5)]),
        ("1 1 2 2", 2, "", [(1, 1, 2, 2)]),
        ("6 6 6", 9, "", []),
        ("6 6 6", 9, "diving_bell", [(6, 6, 6)]),
        ("1 4", 1, "diving_bell+", [(1,), (4,)]),
        ("6", 10, "", []),
    ],
)
def test_the_least_sets_of_dice_for_a_dive(dice: str, taken: int, bells: str, sets: list[tuple[int, ...]]):
    state = scene(bells, dice=dice, divers=(1,) * taken)
    assert c.dives(GAME.view(state, None)) == sets
    assert c.cheapest_dive(state) == (sets[0] if sets else None)
    assert all(legal(state, dive(*found)) for found in sets)


def test_the_sum_that_a_dive_must_reach():
    assert c.dive_due(scene("diving_bell", dice="1", divers=(1,) * 4)) == 8
    assert c.dive_due(scene(dice="1", divers=(1,) * 10)) is None
    state = scene(dice="2 2")
    play(state, dive(2))
    assert c.dive_due(state) is None
    assert c.dives(state) == []
    assert code(state, dive(2)) == "dived-already"


def test_the_abilities_that_are_left():
    state = scene("airfield+ field_office caravan", dice="1 2 3")
    assert [(found[0], found[1].do, found[2]) for found in c.abilities(state)] == [
        (own("airfield"), "set", 2),
        (own("field_office"), "turn", 1),
        (own("caravan"), "roll", 1),
    ]
    play(state, turn_die("airfield", 1, 6), turn_die("field_office", 2, 3), roll_again("caravan", 3))
    assert [(found[0], found[2]) for found in c.abilities(state)] == [(own("airfield"), 1)]
    assert c.abilities(GAME.new(2, Options(), KEY)) == []


def test_the_faces_that_an_ability_reaches():
    state = scene("airfield field_office caravan", dice="1")
    reach = {ability.do: [c.faces(ability, die) for die in (1, 4)] for _, ability, _ in c.abilities(state)}
    assert reach == {"set": [(2, 3, 4, 5, 6), (1, 2, 3, 5, 6)], "turn": [(2,), (3, 5)], "roll": [(), ()]}


def test_a_company_as_people_look_at_it():
    state = scene("airfield@lower:0 airfield+", dice="1 2", artifacts="fossil*2 gem@airfield")
    play(state, turn_die("airfield", 1, 2, copy=1))
    cards = company(GAME.view(state, None), 0)
    assert [held.card.key for held in cards[4:]] == ["airfield", "airfield"]
    assert [held.level for held in cards] == [1, 1, 1, 1, 1, 2]
    assert cards[1].artifacts == (2, 0, 0, 0)
    assert cards[4].artifacts == (0, 0, 0, 1)
    assert [held.place for held in cards[4:]] == [Place(1, 0), Place(0, 4)]
    assert [held.used for held in cards] == [0, 0, 0, 0, 0, 1]
    assert cards[5].side.ability
    assert cards[5].side.ability.uses == 2


def test_finds_are_counted_by_kind():
    state = scene(divers=(0, 1, 0, 0))
    assert finds(state, 0) == (2, 0, 1)
    assert finds(state, 1) == (0, 1, 0)


def test_no_list_is_made_for_a_match_that_is_over():
    state = scene(dice="1", active=1, round=60, artifacts="fossil")
    GAME.apply(state, 1, PlaceDie(1, space("guide_work")))
    assert GAME.outcome(state)
    assert list(every_move(state)) == []
    assert c.dives(state) == c.abilities(state) == []


def test_views_and_states_give_the_same_lists():
    rng = Random(1)
    state = GAME.new(3, Options(), KEY)
    while GAME.pending(state):
        view = GAME.view(state, None)
        for seat in range(3):
            assert c.places(view, seat) == c.places(state, seat)
            assert c.usual_place(state, seat) in c.places(state, seat)
            assert c.dice_of(view, seat) == c.dice_of(state, seat)
        assert c.purchases(view) == c.purchases(state)
        assert c.turnable(view) == c.turnable(state)
        assert c.dives(view) == c.dives(state)
        GAME.apply(state, state.active, GAME.sample(state, state.active, rng))


def test_buying_and_turning_score_what_was_told():
    rng = Random(3)
    seen = {"bought": 0, "turned_card": 0}
    for number in range(20):
        state = GAME.new(2, Options(), number.to_bytes(32, "big"))
        while GAME.pending(state):
            move = GAME.sample(state, state.active, rng)
            promised: int | None = None
            if isinstance(move, Buy):
                promised = dict(c.scored_places(state, move.card))[move.place].total
            elif isinstance(move, TurnCard):
                promised = c.turning_score(state, move.own).total
            before, seat = state.reputation[state.active], state.active
            events = GAME.apply(state, seat, move)
            if promised is not None:
                seen[events[0].kind] += 1
                assert events[0].facts["reputation"] + events[0].facts["counted"] == promised
                if GAME.pending(state):
                    assert state.reputation[seat] - before == promised
    assert min(seen.values()) > 50
