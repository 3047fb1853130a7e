"""Aids that a party of Artifact spends (R42)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact.state import ENTRIES, SPENT, Keys, State
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def without(state: State, seat: int, aids: Keys, fits: frozenset[str]) -> Keys:
    """The Aids that a seat has left without these, which must all fit. Raises `IllegalMove`."""
    if not aids:
        return state.aids[seat]
    left = list(state.aids[seat])
    for key in aids:
        if key not in left:
            raise IllegalMove("aid-not-held", aid=key)
        if key not in fits:
            raise IllegalMove("aid-does-not-fit", aid=key)
        left.remove(key)
    return tuple(left)


def spend(state: State, seat: int, aids: Keys, left: Keys, events: list[Event]) -> None:
    """Takes spent Aids from a party, which has `left`, and tells what they add."""
    state.aids[seat] = left
    state.journal[seat * ENTRIES + SPENT] += len(aids)
    scenario = state.catalogue.scenarios[state.scenario].key
    facts = {"scenario": scenario, "aids": list(aids), "worth": worth(state, aids)}
    events.append(make(Event, ("used", seat, facts, _NOTHING, (), False)))


def worth(state: State, aids: Keys) -> int:
    """The sum that these Aids add to a roll."""
    if not aids:
        return 0
    known = state.catalogue.scenarios[state.scenario].aids
    return sum([known[key].worth for key in aids])
