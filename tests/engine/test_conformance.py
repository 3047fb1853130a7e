"""Every registered game, at every number of seats and in every variant, against the checks of both modules.

The tests' own games go through them too: the sample, and one in which all decide at once. And the checks of
`conformance` against themselves: games that break a rule of the house are found out. For those of `secrecy` see
`test_leaks`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import random
from typing import Any

import pytest

from engine.archaeology import Archaeology
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.state import STORM
from engine.game import Decision, Event
from tests.engine import conformance, secrecy
from tests.engine.broken import broken, changed, fails, sealed
from tests.engine.secrecy import check_upcoming_hides
from tests.oasis.rules import Oasis
from tests.sampling import FULL
from tests.sealed import Sealed

CHECKS = (*conformance.CHECKS, *secrecy.CHECKS)
CASES = [*conformance.cases(), *conformance.cases({Sealed.key: Sealed(), Oasis.key: Oasis()})]


@cache
def of(name: str) -> tuple[conformance.Walk, ...]:
    case = next(case for case in CASES if case.name == name)
    return tuple(conformance.walks(case)) if FULL else (conformance.a_walk(case),)


@pytest.mark.sampled
@pytest.mark.parametrize("check", CHECKS, ids=[check.__name__.removeprefix("check_") for check in CHECKS])
@pytest.mark.parametrize("case", conformance.swept(CASES))
def test_the_game_conforms(case: conformance.Case, check: Callable[[conformance.Walk], None]):
    for walk in of(case.name):
        check(walk)


def test_all_games_at_all_numbers_of_seats_are_here():
    assert {"archaeology-2", "archaeology-3", "archaeology-4"} <= {case.name for case in CASES}


def test_every_game_number_of_seats_and_variant_is_among_the_few_of_every_run():
    chosen = conformance.few(CASES)
    assert {(case.game.key, case.seats) for case in chosen} == {(case.game.key, case.seats) for case in CASES}
    assert {(case.game.key, str(case.options)) for case in chosen} == {
        (case.game.key, str(case.options)) for case in CASES
    }
    assert len(chosen) < len(CASES) / 2


# -- games that break a rule of the house, each found by the check that is there for it


def test_chance_from_elsewhere_is_found():
    def strike(self: Archaeology, state: Any, events: list[Event]) -> None:
        state.key = random().hex().encode().ljust(32)[:32]
        Archaeology.strike(self, state, events)

    assert fails(conformance.check_determinism, broken(strike=strike))


def test_a_snapshot_that_forgets_is_found():
    def load(self: Archaeology, data: Any) -> Any:
        state = Archaeology.load(self, data)
        state.learnt = [{} for _ in range(state.seats)]
        return state

    assert fails(conformance.check_snapshots, broken(load=load))


def test_a_copy_that_shares_is_found():
    def copy(self: Archaeology, state: Any) -> Any:
        twin = Archaeology.copy(self, state)
        twin.market = state.market
        return twin

    assert fails(conformance.check_copies, broken(copy=copy))


def test_a_secret_for_nobody_is_found():
    def change(event: Event, _: Any) -> Event:
        return event._replace(known_to=())

    assert fails(conformance.check_events, broken(apply=changed(change)))


def test_a_move_that_is_read_in_more_ways_than_one_is_found():
    def load_move(self: Archaeology, data: Any) -> Any:
        return (
            m.Sell(TREASURES.index(data["treasure"]), int(data["count"]))
            if "count" in data
            else m.MOVES.load(data)
        )

    assert fails(conformance.check_reading, broken(load_move=load_move))
    assert not fails(conformance.check_reading, broken())


# -- games that break the contract of premoves


def test_who_could_answer_ahead_and_is_not_asked_is_found():
    def upcoming(self: Archaeology, state: Any, seat: int) -> Any:
        if state.phase == STORM and seat != state.asked:  # those whom it strikes no more, too
            return self.asked_next(state, seat, STORM, [seat])
        return None

    assert fails(conformance.check_upcoming, broken(upcoming=upcoming))
    assert not fails(conformance.check_upcoming, broken())


def test_who_is_asked_next_and_could_not_answer_ahead_is_found():
    def upcoming(self: Archaeology, state: Any, seat: int) -> Any:
        return Archaeology.upcoming(self, state, seat) if seat in state.queue[1:] else None

    assert fails(conformance.check_upcoming, broken(upcoming=upcoming))


def test_an_answer_ahead_that_changes_the_match_is_found():
    def upcoming(self: Archaeology, state: Any, seat: int) -> Any:
        twin = Archaeology.upcoming(self, state, seat)
        if twin is not None:
            twin.market = state.market
        return twin

    assert fails(conformance.check_upcoming, broken(upcoming=upcoming))


def test_a_hand_that_decides_who_answers_ahead_is_found():
    def upcoming(self: Archaeology, state: Any, seat: int) -> Any:
        return Archaeology.upcoming(self, state, seat) if max(state.hands[seat]) > 1 else None

    assert fails(check_upcoming_hides, broken(upcoming=upcoming))
    assert not fails(check_upcoming_hides, broken())


def test_an_answer_ahead_that_shows_what_is_hidden_is_found():
    def upcoming(self: Archaeology, state: Any, seat: int) -> Any:
        twin = Archaeology.upcoming(self, state, seat)
        if twin is not None:
            twin.market[twin.site[-1]] += twin.site[-1] >= 0
        return twin

    assert fails(check_upcoming_hides, broken(upcoming=upcoming))


# -- games that break what is asked of simultaneous decisions


def test_decisions_that_are_numbered_anew_when_another_answers_are_found():
    def pending(self: Sealed, state: Any) -> tuple[Decision, ...]:
        return tuple(decision._replace(id=state.moves) for decision in Sealed.pending(self, state))

    assert not fails(conformance.check_decisions, sealed())
    assert fails(conformance.check_decisions, sealed(pending=pending))


def test_a_second_decision_under_the_number_of_the_first_is_found():
    def pending(self: Sealed, state: Any) -> tuple[Decision, ...]:
        return tuple(decision._replace(id=0) for decision in Sealed.pending(self, state))

    assert fails(conformance.check_decisions, sealed(pending=pending))


def test_one_stream_for_all_who_decide_at_once_is_found():
    assert not fails(conformance.check_simultaneous, sealed())
    assert fails(conformance.check_simultaneous, sealed(_stream=lambda self, seat: "seats"))
