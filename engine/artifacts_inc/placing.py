"""Placing a die in Artifacts, Inc.: what every placement checks, and the placements that gain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Action
from engine.artifacts_inc.reputation import pay_out
from engine.artifacts_inc.state import State
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}
PUBLIC: Final = -1
"""Stands where an own card's index is expected, and means a public card."""


def slot_of(state: State, seat: int, move: m.Placement, *doing: str) -> tuple[int, Action]:
    """The index of the card that a die may be placed on (or `PUBLIC`), and the action. Raises `IllegalMove`."""
    die = move.die
    if die not in state.dice:
        raise IllegalMove("no-such-die", die=die)
    card, copy, number = on = move.on
    if 0 <= card < state.catalogue.public and not copy:
        at, slots = PUBLIC, state.catalogue.side(2 * card).slots
    else:
        powers = state.powers[seat]
        try:
            at = powers.cards.index((card, copy))
        except ValueError:
            raise IllegalMove("no-such-card") from None
        slots = powers.holdings[at].side.slots
    if not 0 <= number < len(slots):
        raise IllegalMove("no-such-slot")
    if on in state.covered:
        raise IllegalMove("slot-covered")
    requires, faces, action = slots[number]
    if not faces >> die & 1:
        raise IllegalMove("requirement-unmet", die=die, requires=requires)
    if action.do not in doing:
        raise IllegalMove("other-action", action=action.do)
    return at, action


def cover(state: State, move: m.Placement) -> None:
    """Places the die: from here on the move is legal."""
    state.moves += 1
    state.dice.remove(move.die)
    state.covered.append(move.on)
    state.laid.append(move.die)


def facts_of(state: State, move: m.Placement) -> dict[str, Any]:
    return {"on": state.catalogue.cards[move.on.card].key, "die": move.die}


def place_die(state: State, seat: int, move: m.PlaceDie, events: list[Event]) -> None:
    at, action = slot_of(state, seat, move, "gain", "earn")
    cover(state, move)
    do, artifact, dollars = action
    facts = facts_of(state, move)
    state.dollars[seat] += dollars
    facts["dollars"] = dollars
    if do == "earn":
        events.append(make(Event, ("earned", seat, facts, _NOTHING, (), False)))
        return
    state.cubes[seat][at * len(ARTIFACTS) + artifact] += 1
    state.artifacts[seat][artifact] += 1
    facts["artifact"] = ARTIFACTS[artifact]
    events.append(make(Event, ("gained", seat, facts, _NOTHING, (), False)))


def gather(state: State, seat: int, move: m.Gather, events: list[Event]) -> None:
    _, action = slot_of(state, seat, move, "gather")
    artifact = move.artifact
    if not 0 <= artifact < len(ARTIFACTS):
        raise IllegalMove("no-such-artifact")
    index = _yielding(state, seat, artifact)
    cover(state, move)
    state.cubes[seat][index * len(ARTIFACTS) + artifact] += 1
    state.artifacts[seat][artifact] += 1
    lies = state.catalogue.cards[state.sides[seat][index] >> 1].key
    facts = {**facts_of(state, move), "artifact": ARTIFACTS[artifact], "lies": lies}
    pay_out(state, seat, action.dollars, facts)
    events.append(make(Event, ("gathered", seat, facts, _NOTHING, (), False)))


def _yielding(state: State, seat: int, artifact: int) -> int:
    """The index of the Expedition that a gathered artifact goes on: the first that yields it (R29, R61)."""
    sides = state.catalogue.sides
    for index, number in enumerate(state.sides[seat]):
        side = sides[number]
        if side and side.yields >> artifact & 1:
            return index
    raise IllegalMove("no-expedition-yields", artifact=ARTIFACTS[artifact])
