"""The course of turns and the end of a match of Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import majority
from engine.artifacts_inc.company import powers_of
from engine.artifacts_inc.dice import roll, throw
from engine.artifacts_inc.reputation import earn
from engine.artifacts_inc.state import ARRANGE, MUSEUMS, OVER, ROUNDS, State, cubes_on_museums
from engine.errors import IllegalMove
from engine.game import Event, Outcome, make, rank
from engine.order import roll_for_first

_NOTHING: Final[Mapping[str, Any]] = {}


def choose_first(state: State) -> None:
    """Each seat rolls two dice, and the highest sum begins (R33)."""

    def roll_each(seats: Sequence[int]) -> list[tuple[int, int, int]]:
        dice = [throw(state, "first", 2) for _ in seats]
        return [(seat, low, high) for seat, (low, high) in zip(seats, dice, strict=True)]

    state.rolls, state.first = roll_for_first(state.seats, roll_each)
    state.active = state.first


def arrange(state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
    """The starting cards' order, and the first roll (R36)."""
    order = move.order
    lying = tuple([side >> 1 for side in state.sides[seat]])
    if order is not None and sorted(order) != list(state.catalogue.start):
        raise IllegalMove("not-the-starting-cards")
    state.moves += 1
    if order is not None and order != lying:
        state.sides[seat] = tuple([2 * number for number in order])
        state.powers[seat] = powers_of(state.catalogue, state.sides[seat])
        keys = [state.catalogue.cards[number].key for number in order]
        events.append(Event("arranged", seat, {"order": keys}))
    roll(state, seat, events)


def pass_(state: State, seat: int, move: m.Pass, events: list[Event]) -> None:
    state.moves += 1
    events.append(make(Event, ("passed", seat, {"dice": state.dice.copy()}, _NOTHING, (), False)))
    state.dice.clear()


def end_turn(state: State, events: list[Event]) -> None:
    state.covered.clear()
    state.laid.clear()
    state.used.clear()
    state.dived = ()
    following = state.active + 1
    if following == state.seats:
        following = 0
    if following == state.first:
        if state.last or state.round == ROUNDS:
            _finish(state, events)
            return
        state.round += 1
    state.active = following
    if state.round == 1:
        state.phase = ARRANGE
    else:
        roll(state, following, events)


def _finish(state: State, events: list[Event]) -> None:
    """Pays the majorities (R27) and names the winners."""
    state.phase = OVER
    for museum, card in enumerate(state.catalogue.museums):
        seat = majority(state, museum)
        if seat is not None:
            earn(state, seat, MUSEUMS, card.majority)
            orders = state.orders[museum]
            cubes = orders.count(seat)
            tied = any(orders.count(other) == cubes for other in range(state.seats) if other != seat)
            facts = {"artifact": ARTIFACTS[museum], "cubes": cubes, "reputation": card.majority}
            facts["tied"] = tied
            events.append(Event("majority", seat, facts))
    end = outcome(state)
    assert end
    events.append(Event("over", None, {"winners": end.winners, "scores": end.scores}, reveals=True))


def outcome(state: State) -> Outcome | None:
    """Most reputation; then more dollars, more cubes on museums (R24). `detail` is the tie-break that decided."""
    if state.phase != OVER:
        return None
    reputation, dollars = tuple(state.reputation), tuple(state.dollars)
    cubes = tuple([cubes_on_museums(state, seat) for seat in range(state.seats)])
    ranks = rank(list(zip(reputation, dollars, cubes, strict=True)))
    first = max(zip(reputation, dollars, strict=True))
    if reputation.count(first[0]) == 1:
        return Outcome(ranks, reputation, "reputation", dollars)
    if list(zip(reputation, dollars, strict=True)).count(first) == 1:
        return Outcome(ranks, reputation, "dollars", dollars)
    return Outcome(ranks, reputation, "cubes" if ranks.count(1) == 1 else "shared", cubes)
