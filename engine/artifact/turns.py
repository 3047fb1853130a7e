"""The end of a turn and of the match in Artifact, and the Artifact coming into a party's hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact.state import GONE, HOME, NOBODY, OVER, ROLL, Held, State
from engine.game import Event, Outcome, make

_NOTHING: Final[Mapping[str, Any]] = {}


def take(state: State, seat: int, kind: str, events: list[Event]) -> None:
    """The Artifact comes into a party's hands; `kind` is the event's."""
    square = state.at[seat]
    state.holder, state.lies = seat, GONE
    state.hands = (*state.hands, Held(state.round, seat, square))
    facts: dict[str, Any] = {"square": square}
    if kind == "reached":
        facts["scenario"] = state.catalogue.scenarios[state.scenario].key
    events.append(make(Event, (kind, seat, facts, _NOTHING, (), False)))


def end_turn(state: State, events: list[Event]) -> None:
    """Begins the next party's turn; one that loses its turn is skipped."""
    state.encounter = ""
    state.step = 0
    following = state.active
    while True:
        following += 1
        if following == state.seats:
            following = 0
        if following == state.first:
            state.round += 1
        if state.at[following] == GONE:
            continue
        if not state.skips[following]:
            break
        state.skips[following] = False
        events.append(Event("skipped", following))
    state.active = following
    state.phase = ROLL
    if state.at[following] == state.lies:  # R54
        take(state, following, "picked_up", events)


def is_decided(state: State, events: list[Event]) -> bool:
    """Ends the match where one party is left (R46)."""
    if state.at.count(GONE) < state.seats - 1:
        return False
    finish(state, events)
    return True


def finish(state: State, events: list[Event]) -> None:
    """Ends the match."""
    state.phase = OVER
    state.encounter = ""
    state.step = 0
    end = outcome(state)
    assert end
    key = state.catalogue.scenarios[state.scenario].key
    facts = {"scenario": key, "winner": end.winners[0], "why": end.why, "round": state.round}
    events.append(Event("over", None, facts, reveals=True))


def outcome(state: State) -> Outcome | None:
    """The party that brought the Artifact home ("home") or is the last ("last") has won; the others rank alike."""
    if state.phase != OVER:
        return None
    home = state.holder != NOBODY and state.at[state.holder] == HOME
    winner = state.holder if home else next(s for s, square in enumerate(state.at) if square != GONE)
    scores = tuple([int(seat == winner) for seat in range(state.seats)])
    return Outcome(tuple([2 - score for score in scores]), scores, "home" if home else "last")
