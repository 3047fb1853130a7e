"""The checks of `secrecy` against games that leak on purpose: each leak is found by the check that is there for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Annotated, Any

import pytest

from engine.archaeology import Archaeology, create
from engine.archaeology_family.card_list import MAP, bundles
from engine.archaeology_family.turns import ask_next
from engine.chance import draw
from engine.errors import IllegalMove
from engine.expedition import Expedition
from engine.expedition.moves import Keep
from engine.game import Decision, Event, Options, Outcome
from engine.state import Seen, start
from tests.engine import secrecy
from tests.engine.broken import broken, changed, expedition_with, fails, fault, sealed
from tests.engine.secrecy import (
    check_deal,
    check_opening,
    check_sealed,
    check_secrecy,
    check_texts_hide,
    check_views,
)
from tests.sealed import NONE, Bid, Sealed
from tests.sealed import State as SealedState
from tests.sealed import View as SealedView

MASK = 6


@dataclass(frozen=True, slots=True, repr=False)
class Uncompared(SealedView):
    """A view of the game of sealed bids, and all hands in a field that its comparison leaves out."""

    hands: tuple[tuple[int, ...], ...] = field(default=(), compare=False)


class Points(tuple[int, ...]):
    """Equal to the points, with room for more behind them."""


def parts(view: SealedView) -> dict[str, Any]:
    return {part.name: getattr(view, part.name) for part in fields(view)}


# -- views


def test_a_view_that_shows_other_hands_is_found():
    def view(self: Archaeology, state: Any, viewer: int | None) -> Any:
        whole = Archaeology.view(self, state, viewer)
        return replace(whole, public_known=tuple(map(tuple, state.hands)), learnt=())

    game = broken(view=view)
    assert not fails(check_views, game)
    assert "sees more after" in str(fault(check_secrecy, game))
    assert "all see more of the set-up" in str(fault(check_deal, game))


def test_a_view_that_mixes_what_one_seat_knows_with_what_all_know_is_found():
    """A state determinized from it looks the same to its viewer, and tells everybody what the viewer alone knows."""

    def view(self: Archaeology, state: Any, viewer: int | None) -> Any:
        whole = Archaeology.view(self, state, viewer)
        return replace(whole, public_known=whole.known, learnt=())

    assert "is told to all" in str(fault(check_views, broken(view=view)))


def test_what_a_view_leaves_out_of_its_comparison_is_found():
    def view(self: Sealed, state: Any, viewer: int | None) -> Any:
        hands = tuple(map(tuple, state.hands))
        return Uncompared(**parts(Sealed.view(self, state, viewer)), hands=hands)

    assert fails(check_views, sealed(view=view))


def test_a_view_that_brings_an_object_along_is_found():
    def view(self: Sealed, state: Any, viewer: int | None) -> Any:
        return replace(Sealed.view(self, state, viewer), points=Points(state.points))

    assert "view.points" in str(fault(check_views, sealed(view=view)))


def test_a_text_that_shows_is_found():
    class Open(type(create().new(2, Options(), bytes(32)))):
        __slots__ = ()

        def __repr__(self) -> str:
            return f"{self.hands}"

    def make(self: Archaeology, seats: int, kinds: int, key: bytes, options: Options) -> Any:
        return Open(seats=seats, kinds=kinds, key=key)

    assert fails(check_texts_hide, broken(_make=make))


@pytest.mark.parametrize("facts", [{"kind": "rich"}, {"id": 1_000}], ids=["kind", "number"])
def test_a_decision_that_tells_of_the_hand_is_found(facts: dict[str, Any]):
    def pending(self: Archaeology, state: Any) -> tuple[Decision, ...]:
        decisions = Archaeology.pending(self, state)
        return tuple(d._replace(**facts) if state.hands[d.seat][MASK] else d for d in decisions)

    assert fails(check_views, broken(pending=pending))


def test_a_seat_that_is_not_asked_for_what_it_holds_is_found():
    def pending(self: Sealed, state: Any) -> tuple[Decision, ...]:
        decisions = Sealed.pending(self, state)
        return tuple(d for d in decisions if len(set(state.hands[d.seat])) > 1) or decisions

    assert fails(check_views, sealed(pending=pending))


# -- the set-up


def opening(events_of: Callable[[Any], Sequence[Event]]) -> Archaeology:
    """Archaeology with more told of the set-up."""

    def opening_with(self: Archaeology, state: Any) -> list[Event]:
        return [*Archaeology.opening(self, state), *events_of(state)]

    return broken(opening=opening_with)


def dealt(state: Any, seat: int, knows: int, **facts: Any) -> Event:
    """A hand as it is told to one seat."""
    return Event("dealt", seat, facts, {"cards": bundles(state.hands[seat])}, (knows,), True)


def test_each_seat_may_be_told_what_it_was_dealt():
    game = opening(lambda state: [dealt(state, seat, seat) for seat in range(state.seats)])
    assert fault(check_opening, game) is None
    assert fault(check_deal, game) is None


@pytest.mark.parametrize(
    "events_of",
    [
        lambda state: [Event("dealt", 0, {"cards": bundles(state.hands[0])}, reveals=True)],
        lambda state: [Event("lies", None, {"cards": bundles(state.chambers[0])}, reveals=True)],
        lambda state: [dealt(state, 0, 1)],
        lambda state: [dealt(state, 0, 0, masks=state.hands[0][MASK])],
        lambda state: [Event("lucky", 0, reveals=True)] if state.hands[0][MASK] else [],
        lambda state: [dealt(state, seat, seat) for seat in sorted(range(3), key=lambda s: state.hands[s])],
    ],
    ids=["a hand", "a chamber", "to another seat", "in the public half", "by a line", "by the order"],
)
def test_an_opening_that_tells_what_is_hidden_is_found(events_of: Callable[[Any], Sequence[Event]]):
    assert "the opening tells" in str(fault(check_opening, opening(events_of)))


def test_an_opening_that_tells_of_the_numbers_held_is_found():
    def opening_with(self: Sealed, state: Any) -> list[Event]:
        return [
            *Sealed.opening(self, state),
            Event("highest", None, {"of": max(max(state.hands))}, reveals=True),
        ]

    assert "the opening tells" in str(fault(check_opening, sealed(opening=opening_with)))


@dataclass(frozen=True, slots=True, repr=False)
class MarkedView(SealedView):
    """A view of the game of sealed bids, the viewer's mark, and what is seen of others' marks."""

    mark: int | None = None
    others: tuple[tuple[int, int], ...] = ()


class MarkedState(SealedState):
    marks: Annotated[list[int], Seen("owner", "mark")] = start(lambda match: [0] * match.seats)


class Marked(Sealed):
    """Sealed bids between seats that are each dealt a mark at the start: a secret that nothing ever comes of.

    `peeks`: the seats whose marks a viewer sees besides its own.
    """

    state_type = MarkedState
    peeks: Callable[[int | None, int], Sequence[int]] = staticmethod(lambda viewer, seats: ())

    def new(self, seats: int, options: Options, seed: bytes) -> Any:
        state: Any = super().new(seats, options, seed)
        state.marks = [draw(state.key, state.counters, f"mark {seat}", 5) for seat in range(seats)]
        return state

    def view(self, state: Any, viewer: int | None) -> MarkedView:
        others = tuple((seat, state.marks[seat]) for seat in self.peeks(viewer, state.seats))
        own = {"pending": self.pending(state), "outcome": self.outcome(state)}
        answered = tuple(number != NONE for number in state.bids)
        return MarkedView(**state.seen_by(viewer), **own, answered=answered, others=others)

    def determinize(self, view: Any, rng: Random) -> Any:
        state: Any = super().determinize(view, rng)
        seen = {view.viewer: view.mark, **dict(view.others)}
        state.marks = [seen.get(seat, rng.randrange(5)) for seat in range(view.seats)]
        return state


def test_a_secret_that_each_seat_is_dealt_is_no_leak():
    assert [fault(check, Marked()) for check in secrecy.CHECKS] == [None] * len(secrecy.CHECKS)


@pytest.mark.parametrize(
    ("peeks", "found"),
    [
        (lambda viewer, seats: range(seats), "all see more of the set-up"),
        (lambda viewer, seats: () if viewer is None else [(viewer + 1) % seats], "knows from the start"),
        (lambda viewer, seats: [0] if viewer == 1 else (), "knows from the start"),
    ],
    ids=["by all", "by the neighbour", "by one seat"],
)
def test_a_dealt_secret_that_others_see_is_found(peeks: Any, found: str):
    game = type("Peeking", (Marked,), {"peeks": staticmethod(peeks)})()
    assert found in str(fault(check_deal, game))
    assert not any(fails(check, game) for check in secrecy.CHECKS if check is not check_deal)


def test_a_hidden_place_that_all_see_from_the_start_is_found():
    def new(self: Archaeology, seats: int, options: Options, seed: bytes) -> Any:
        state = Archaeology.new(self, seats, options, seed)
        state.stall = bundles(state.chambers[0])[0][0]
        return state

    game = broken(new=new)
    assert not fails(check_views, game)
    assert "all see more of the set-up" in str(fault(check_deal, game))


# -- moves


def test_a_dug_card_told_to_all_is_found():
    def change(event: Event, _: Any) -> Event:
        return event._replace(facts={"kind": event.secret["treasure"]}) if event.kind == "found" else event

    assert fails(check_secrecy, broken(apply=changed(change)))


def test_a_dug_card_told_by_the_kind_of_its_event_is_found():
    def change(event: Event, _: Any) -> Event:
        is_map = event.kind == "found" and event.secret["treasure"] == MAP
        return event._replace(kind="found-map") if is_map else event

    assert "tells" in str(fault(check_secrecy, broken(apply=changed(change))))


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


def test_hands_told_by_the_order_of_secret_lines_are_found():
    def strike(self: Archaeology, state: Any, events: list[Event]) -> None:
        seats = sorted(range(state.seats), key=lambda seat: state.hands[seat])
        events += [
            Event("braced", seat, {}, {"cards": bundles(state.hands[seat])}, (seat,), True) for seat in seats
        ]
        Archaeology.strike(self, state, events)

    assert "tells" in str(fault(check_secrecy, broken(strike=strike)))


def test_a_card_told_by_the_order_of_those_who_know_it_is_found():
    def change(event: Event, _: Any) -> Event:
        odd = event.kind == "stolen" and event.secret["treasure"] % 2
        return event._replace(known_to=event.known_to[::-1]) if odd else event

    assert "the order of" in str(fault(check_secrecy, broken(apply=changed(change))))


def test_a_refusal_that_tells_of_hidden_cards_is_found():
    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        try:
            return Archaeology.apply(self, state, seat, move)
        except IllegalMove as error:
            raise IllegalMove(error.code, next=state.site[-1:]) from None

    assert fails(check_secrecy, broken(apply=apply))


def test_a_refusal_that_tells_who_is_not_asked_is_found():
    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        if seat != state.asked:
            raise IllegalMove("not-your-move", masks=state.hands[state.asked][MASK])
        return Archaeology.apply(self, state, seat, move)

    assert "whether" in str(fault(check_secrecy, broken(apply=apply)))


def test_a_skipped_question_is_found():
    """A seat that holds cards of one treasure only is not asked what to lose, and all can conclude what it holds."""

    def strike(self: Archaeology, state: Any, events: list[Event]) -> None:
        state.queue = [
            s
            for s in self.storm_order(state)
            if sum(state.hands[s]) > 1 and sum(map(bool, state.hands[s])) > 1
        ]
        ask_next(self, state, events)

    assert fails(check_secrecy, broken(strike=strike))


def test_a_hidden_choice_that_shows_in_others_views_is_found():
    """Which cards were kept in the Tomb is told in no line, and counted where all can see."""

    def reply(self: Expedition, state: Any, seat: int, move: Any) -> list[Event]:
        events = Expedition._reply(self, state, seat, move)
        if isinstance(move, Keep):
            state.stall += move.cards[0][0]
        return events

    def init(self: Expedition, card_list: Any) -> None:
        Expedition.__init__(self, card_list)
        self._handlers[Keep] = self._reply

    game = expedition_with(_reply=reply, __init__=init)
    assert "sees more after" in str(fault(check_secrecy, game, "tomb"))


def test_an_outcome_that_tells_what_lies_hidden_is_found():
    def outcome(self: Archaeology, state: Any) -> Outcome | None:
        whole = Archaeology.outcome(self, state)
        return whole and replace(whole, detail=tuple(map(tuple, state.chambers)))

    assert "sees more after" in str(fault(check_secrecy, broken(outcome=outcome)))


# -- simultaneous decisions


def test_a_choice_told_before_all_have_answered_is_found():
    def apply(self: Sealed, state: Any, seat: int, move: Bid) -> list[Event]:
        first, *others = Sealed.apply(self, state, seat, move)
        return [first._replace(facts=first.secret, secret={}, known_to=()), *others]

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


def test_a_refusal_that_depends_on_anothers_choice_is_found():
    def apply(self: Sealed, state: Any, seat: int, move: Bid) -> list[Event]:
        try:
            return Sealed.apply(self, state, seat, move)
        except IllegalMove as error:
            raise IllegalMove(error.code, highest=max(state.bids)) from None

    assert "sees what" in str(fault(check_sealed, sealed(apply=apply)))
