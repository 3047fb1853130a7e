"""Reputation, dollars and artifacts that a seat of Artifacts, Inc. gets and spends."""

from __future__ import annotations

from typing import Any

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.state import GOAL, State
from engine.errors import IllegalMove
from engine.game import Event


def earn(state: State, seat: int, source: int, reputation: int) -> None:
    if reputation:
        earned = list(state.earned[seat])
        earned[source] += reputation
        state.earned[seat] = tuple(earned)
        state.reputation[seat] += reputation


def look_at_goal(state: State, seat: int, events: list[Event]) -> None:
    if not state.last and state.reputation[seat] >= GOAL:
        state.last = True
        facts = {"reputation": state.reputation[seat], "round": state.round}
        events.append(Event("reached", seat, facts))


def pay_out(state: State, seat: int, dollars: int, facts: dict[str, Any]) -> None:
    state.dollars[seat] += dollars
    facts["dollars"] = dollars


def check_held(state: State, seat: int, artifact: int, n: int) -> None:
    if state.artifacts[seat][artifact] < n:
        have = state.artifacts[seat][artifact]
        raise IllegalMove("too-few-artifacts", artifact=ARTIFACTS[artifact], need=n, have=have)


def spend(state: State, seat: int, artifact: int, n: int) -> None:
    """Takes artifacts off the seat's cards, beginning with the card that it got first (R29, R61)."""
    state.artifacts[seat][artifact] -= n
    cubes = state.cubes[seat]
    for at in range(artifact, len(cubes), len(ARTIFACTS)):
        have = cubes[at]
        if have >= n:
            cubes[at] = have - n
            return
        n -= have
        cubes[at] = 0
