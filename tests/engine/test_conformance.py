"""Every registered game, at every number of seats and in every variant, against `conformance`'s checks.

A game of the tests' own, in which all decide at once, goes through them too. And the checks against themselves:
games that leak on purpose are found out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import random
from typing import Any

import pytest

from engine.archaeology import Archaeology, create
from engine.errors import EngineError, IllegalMove
from engine.game import AnyGame, Decision, Event, Options
from engine.treasures import moves as m
from tests.engine.conformance import (
    CHECKS,
    Case,
    Walk,
    cases,
    check_copies,
    check_decisions,
    check_determinism,
    check_events,
    check_reading,
    check_sealed,
    check_secrecy,
    check_simultaneous,
    check_snapshots,
    check_texts_hide,
    check_views,
    walks,
)
from tests.sealed import NONE, Bid, Sealed

CASES = [*cases(), *cases({Sealed.key: Sealed()})]


@cache
def of(name: str) -> tuple[Walk, ...]:
    return tuple(walks(next(case for case in CASES if case.name == name)))


@pytest.mark.parametrize("check", CHECKS, ids=[check.__name__.removeprefix("check_") for check in CHECKS])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_game_conforms(case: Case, check: Callable[[Walk], None]):
    for walk in of(case.name):
        check(walk)


def test_all_games_at_all_numbers_of_seats_are_here():
    assert {"archaeology-2", "archaeology-3", "archaeology-4"} <= {case.name for case in CASES}


# -- games that break a rule of the house, each found by the check that is there for it


def broken(**methods: Any) -> Archaeology:
    """Archaeology with some of its methods replaced."""
    return type("Broken", (Archaeology,), methods)(create().table)


def fails(check: Callable[[Walk], None], game: AnyGame) -> bool:
    try:
        for walk in walks(Case(game, 3, Options(), "broken")):
            check(walk)
    except (AssertionError, EngineError):
        return True
    return False


def changed(change: Callable[[Event, Any], Event]) -> Any:
    """An `apply` whose events are changed, each with the state after them."""

    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        return [change(event, state) for event in Archaeology.apply(self, state, seat, move)]

    return apply


def test_a_dug_card_told_to_all_is_found():
    def change(event: Event, _: Any) -> Event:
        return event._replace(facts={"kind": event.secret["treasure"]}) if event.kind == "found" else event

    assert fails(check_secrecy, broken(apply=changed(change)))


def test_a_hand_told_by_an_open_event_is_found():
    def change(event: Event, state: Any) -> Event:
        facts = {**event.facts, "left": state.hands[(state.active + 1) % 3][2]}
        return event._replace(facts=facts) if event.kind == "traded" else event

    assert fails(check_secrecy, broken(apply=changed(change)))


def test_a_line_that_only_some_see_is_found():
    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        events = Archaeology.apply(self, state, seat, move)
        return [*events, Event("hint", seat)] if state.hands[(state.active + 1) % 3][2] else events

    assert fails(check_secrecy, broken(apply=apply))


def test_a_view_that_shows_other_hands_is_found():
    def view(self: Archaeology, state: Any, viewer: int | None) -> Any:
        return replace(Archaeology.view(self, state, viewer), known=tuple(map(tuple, state.hands)))

    assert not fails(check_views, broken(view=view))
    assert fails(check_secrecy, broken(view=view))


def test_a_refusal_that_tells_of_hidden_cards_is_found():
    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        try:
            return Archaeology.apply(self, state, seat, move)
        except IllegalMove as error:
            raise IllegalMove(error.code, next=state.site[-1:]) from None

    assert fails(check_secrecy, broken(apply=apply))


def test_a_skipped_question_is_found():
    """Who holds cards of one treasure only is not asked what to lose: the skipping tells."""

    def strike(self: Archaeology, state: Any, events: list[Event]) -> None:
        state.queue = [
            s
            for s in self._storm_order(state)
            if sum(state.hands[s]) > 1 and sum(map(bool, state.hands[s])) > 1
        ]
        self._next_in_storm(state, events)

    assert fails(check_secrecy, broken(_strike=strike))


def test_chance_from_elsewhere_is_found():
    def take(self: Archaeology, state: Any, *rest: Any) -> None:
        state.key = random().hex().encode().ljust(32)[:32]
        Archaeology._take(self, state, *rest)

    assert fails(check_determinism, broken(_take=take))


def test_a_snapshot_that_forgets_is_found():
    def load(self: Archaeology, data: Any) -> Any:
        state = Archaeology.load(self, data)
        state.learnt = [{} for _ in range(state.seats)]
        return state

    assert fails(check_snapshots, broken(load=load))


def test_a_copy_that_shares_is_found():
    def copy(self: Archaeology, state: Any) -> Any:
        twin = Archaeology.copy(self, state)
        twin.market = state.market
        return twin

    assert fails(check_copies, broken(copy=copy))


def test_a_secret_for_nobody_is_found():
    def change(event: Event, _: Any) -> Event:
        return event._replace(knows=())

    assert fails(check_events, broken(apply=changed(change)))


def test_a_move_that_is_read_in_more_ways_than_one_is_found():
    def load_move(self: Archaeology, data: Any) -> Any:
        return (
            m.Sell(m.read_treasure(data["treasure"]), int(data["count"]))
            if "count" in data
            else m.load_move(data)
        )

    assert fails(check_reading, broken(load_move=load_move))
    assert not fails(check_reading, broken())


def test_a_text_that_shows_is_found():
    class Open(type(create().new(2, Options(), bytes(32)))):
        __slots__ = ()

        def __repr__(self) -> str:
            return f"{self.hands}"

    def make(self: Archaeology, seats: int, kinds: int, key: bytes, options: Options) -> Any:
        return Open(seats, kinds, key)

    assert fails(check_texts_hide, broken(_make=make))


# -- games that break what is asked of simultaneous decisions


def sealed(**methods: Any) -> Sealed:
    """The game of sealed bids with some of its methods replaced."""
    return type("Broken", (Sealed,), methods)()


def test_decisions_that_are_numbered_anew_when_another_answers_are_found():
    def pending(self: Sealed, state: Any) -> tuple[Decision, ...]:
        return tuple(decision._replace(id=state.moves) for decision in Sealed.pending(self, state))

    assert not fails(check_decisions, sealed())
    assert fails(check_decisions, sealed(pending=pending))


def test_a_second_decision_under_the_number_of_the_first_is_found():
    def pending(self: Sealed, state: Any) -> tuple[Decision, ...]:
        return tuple(decision._replace(id=0) for decision in Sealed.pending(self, state))

    assert fails(check_decisions, sealed(pending=pending))


def test_one_stream_for_all_who_decide_at_once_is_found():
    assert not fails(check_simultaneous, sealed())
    assert fails(check_simultaneous, sealed(_stream=lambda self, seat: "seats"))


def test_a_choice_told_before_all_have_answered_is_found():
    def apply(self: Sealed, state: Any, seat: int, move: Bid) -> list[Event]:
        first, *others = Sealed.apply(self, state, seat, move)
        return [first._replace(facts=first.secret, secret={}, knows=()), *others]

    assert not fails(check_sealed, sealed())
    assert fails(check_sealed, sealed(apply=apply))


def test_a_view_of_anothers_choice_is_found():
    def view(self: Sealed, state: Any, viewer: int | None) -> Any:
        return replace(Sealed.view(self, state, viewer), bid=max(state.bids, default=NONE))

    assert fails(check_sealed, sealed(view=view))


def test_a_line_that_depends_on_anothers_choice_is_found():
    def apply(self: Sealed, state: Any, seat: int, move: Bid) -> list[Event]:
        events = Sealed.apply(self, state, seat, move)
        return [*events, Event("hint", seat)] if move.number > 4 else events

    assert fails(check_sealed, sealed(apply=apply))
