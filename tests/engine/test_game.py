"""The parts that all games share: events, ranks, options, errors."""

from __future__ import annotations

import json
from random import Random
from typing import Literal

import pytest

from engine.archaeology import create
from engine.errors import BadData, IllegalMove, NotYourMove
from engine.game import Decision, Event, Options, Outcome, dump_event, load_event, make, own_decision, rank
from tests.sealed import Sealed

STOLEN = Event("stolen", 0, {"victim": 1}, {"treasure": 5}, (0, 1), True)


def test_those_in_the_know_see_the_secret_half_too():
    assert STOLEN.seen_by(0) == STOLEN.seen_by(1) == {"victim": 1, "treasure": 5}
    assert STOLEN.seen_by(2) == STOLEN.seen_by(None) == {"victim": 1}


def test_an_event_shows_neither_half_in_its_text():
    assert repr(STOLEN) == str(STOLEN) == f"{STOLEN}" == "Event(kind='stolen', seat=0)"
    assert "5" not in repr([STOLEN])


def test_an_event_is_stored_without_its_empty_parts():
    assert dump_event(Event("passed", 2)) == {"kind": "passed", "seat": 2}
    assert dump_event(STOLEN) == {
        "kind": "stolen",
        "seat": 0,
        "facts": {"victim": 1},
        "secret": {"treasure": 5},
        "knows": [0, 1],
        "final": True,
    }


@pytest.mark.parametrize(
    "event", [STOLEN, Event("over", None, {"winners": [0]}, reveals=True), Event("passed", 2)]
)
def test_an_event_comes_back_from_storage(event: Event):
    assert load_event(json.loads(json.dumps(dump_event(event)))) == event


def test_equal_keys_share_a_rank():
    assert rank([(5, 0), (9, -3), (5, 0), (9, -4)]) == (3, 1, 3, 2)
    assert rank([(1,)]) == (1,)


def test_the_winners_are_all_of_rank_one():
    assert Outcome((1, 3, 1), (7, 2, 7), "shared").winners == (0, 2)


def test_named_tuples_made_the_fast_way_are_the_same():
    assert make(Decision, (1, 2, "act")) == Decision(1, 2, "act")
    assert type(make(Decision, (1, 2, "act"))) is Decision
    assert make(Decision, (1, 2, "act")).kind == "act"


def test_an_error_carries_a_code_and_facts():
    error = IllegalMove("discard-count", due=3, chosen=2)
    assert (error.code, error.facts) == ("discard-count", {"due": 3, "chosen": 2})
    assert NotYourMove().code == "not-your-move"
    assert isinstance(NotYourMove(), IllegalMove)


class _Choice(Options):
    monument: Literal["temple", "tomb"] = "temple"


def test_options_are_checked_where_they_come_in():
    game = create()
    assert game.load_options({}) == Options()
    assert list(game.variants(3)) == [Options()]
    with pytest.raises(BadData, match="archaeology, colour"):
        game.load_options({"colour": "red"})
    game.options_type = _Choice  # type: ignore[misc]
    assert game.load_options({"monument": "tomb"}) == _Choice(monument="tomb")
    with pytest.raises(BadData, match="monument") as caught:
        game.load_options({"monument": "shed"})
    assert caught.value.where == ("monument",)


def test_the_own_decision_is_the_one_that_waits_for_the_viewer():
    game = Sealed()
    state = game.new(3, Options(), bytes(32))
    game.apply(state, 1, game.sample(state, 1, Random(1)))
    found = [own_decision(game.view(state, viewer)) for viewer in (0, 1, 2, None)]
    assert found == [Decision(0, 0, "bid"), None, Decision(0, 2, "bid"), None]


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 99])
def test_a_number_of_seats_that_the_game_is_not_for_is_refused(seats: int):
    with pytest.raises(BadData, match="sealed is for 2 to 4 players"):
        Sealed().new(seats, Options(), bytes(32))
