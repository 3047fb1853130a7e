"""The people of each party have names of their own, which follow from public facts of the match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.artifact.narrator import PEOPLE, person
from engine.artifact.party import MEMBERS
from engine.artifact.state import CASTS, cast
from tests.cogs.in_memory import random_match
from tests.engine.artifact.scene import GAME, scene

MOST_SEATS = 6


def people(number: int) -> Sequence[str]:
    return [person(number, seat, member) for seat in range(MOST_SEATS) for member in range(MEMBERS)]


def test_no_two_people_of_a_match_have_the_same_name() -> None:
    assert len({*PEOPLE}) == len(PEOPLE)
    for number in range(CASTS):
        assert len({*people(number)}) == MOST_SEATS * MEMBERS


def test_matches_have_different_casts() -> None:
    assert len({tuple(people(number)) for number in range(CASTS)}) == CASTS
    state = scene(3, 9)
    before = cast(state)
    state.order = ((0, 9), (1, 3))
    assert cast(state) != before


def test_there_is_no_cast_before_the_order_of_play_is_public() -> None:
    state = GAME.new(2, GAME.load_options({"scenario": "lost_city"}), b"k" * 32)
    assert cast(state) is None
    assert person(None, 1, 0) == "Leader"


@pytest.mark.parametrize("seed", range(4))
def test_all_see_the_same_cast_and_every_wound_names_it(seed: int) -> None:
    match = random_match("artifact", seed, moves=3000)
    number = cast(match.state)
    assert number is not None
    assert {cast(GAME.view(match.state, viewer)) for viewer in (None, *range(match.state.seats))} == {number}
    wounds = [event for _made, event in match.events if event.kind in ("wounded", "member_out")]
    assert wounds
    assert {event.facts["cast"] for event in wounds} == {number}
