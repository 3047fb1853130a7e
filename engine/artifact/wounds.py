"""Wounds (R43, R45, R58) in Artifact."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.artifact.cast import cast
from engine.artifact.dice import Dice
from engine.artifact.party import ABILITIES, LEADER, WELL, WOUNDED
from engine.artifact.party import GONE as GONE_MEMBER
from engine.artifact.state import GONE, NOBODY, Numbers, State
from engine.artifact.turns import take
from engine.chance import below
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def wound(state: State, seat: int, dice: Dice, events: list[Event]) -> bool:
    """Wounds a member at random; says whether the party is out with its last one."""
    wounds, party = state.wounds[seat], state.members[seat]
    exposed = _exposed(wounds)
    member = exposed[below(dice, len(exposed))]
    abilities = party[member]
    if wounds[member] == WELL:
        state.wounds[seat] = (*wounds[:member], WOUNDED, *wounds[member + 1 :])
        lost = left = abilities
        if abilities:
            # Of an ability that the member has more than once the first goes: which one, no event would tell.
            place = abilities.index(abilities[below(dice, len(abilities))])
            lost = abilities[place : place + 1]
            left = abilities[:place] + abilities[place + 1 :]
        kind = "wounded"
    else:
        state.wounds[seat] = (*wounds[:member], GONE_MEMBER, *wounds[member + 1 :])
        lost, left = abilities, ()
        kind = "member_out"
    if lost:
        state.members[seat] = (*party[:member], left, *party[member + 1 :])
        counts = list(state.counts[seat])
        for ability in lost:
            counts[ability] -= 1
        state.counts[seat] = tuple(counts)
    facts = {"member": member, "cast": cast(state), "lost": [ABILITIES[ability] for ability in lost]}
    events.append(make(Event, (kind, seat, facts, _NOTHING, (), True)))
    if kind == "wounded" or member != LEADER:
        return False
    events.append(Event("party_out", seat, {"square": state.at[seat]}))
    state.at[seat] = GONE
    state.skips[seat] = False
    state.aids[seat] = ()
    return True


def let_fall(state: State, seat: int, square: int, events: list[Event]) -> None:
    """The Artifact of a party that is out falls; a party that stands there takes it at once (R45)."""
    state.holder, state.lies = NOBODY, square
    events.append(Event("fell", seat, {"square": square}))
    for turn in range(1, state.seats):
        other = (seat + turn) % state.seats
        if state.at[other] == square:
            take(state, other, "picked_up", events)
            return


@lru_cache(maxsize=1 << 10)
def _exposed(wounds: Numbers) -> Numbers:
    """The members that can be wounded: all still in but the leader, who is the last (R58)."""
    others = tuple([n for n, wound in enumerate(wounds) if n != LEADER and wound != GONE_MEMBER])
    return others or (LEADER,)
