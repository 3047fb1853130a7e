"""Checks of a state of The New Expedition that was read, beyond those of the family."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.archaeology_family.state import ACT, DIG, STEAL, STORM
from engine.expedition.monuments import KEPT
from engine.expedition.state import KEEP, MINE, NO_LOOK, TENT, ExpeditionState

_ASKING: Final = {KEEP: "tomb", MINE: "mine"}
"""By phase, the monument that asks in it."""
_SECRET: Final = ("temple", "tomb")
"""Monuments whose chambers are known to some seats and not to others."""

_BEFORE_ACTIONS: Final = (DIG, STEAL, STORM, TENT)


def monument_fits(state: ExpeditionState) -> Iterator[tuple[bool, str]]:
    """Whether lists have their lengths, and what is known of the monument's chambers lies there."""
    chambers = len(state.chambers)
    yield len(state.tents) == state.seats and chambers == len(state.within) == len(state.privy), "a list"
    yield all(len(counts) == state.kinds for counts in state.within), "within"
    yield max((*state.pile, *state.turned), default=0) < state.kinds, "a treasure that is not in play"
    privy = [seat for seats in state.privy for seat in seats]
    yield max((*state.sheltered, *privy), default=0) < state.seats, "a seat that does not exist"
    ordered = all(seats == sorted(set(seats)) for seats in state.privy)
    yield ordered and (not privy or state.monument in _SECRET), "privy"
    hidden = state.monument in (*_SECRET, "great_pyramid")
    yield not (hidden and any(map(any, state.within))), "within"
    for chamber, within in zip(state.chambers, state.within, strict=True):
        yield all(n <= have for n, have in zip(within, chamber, strict=True)), "within"


def asks_rightly(state: ExpeditionState) -> Iterator[tuple[bool, str]]:
    """Whether the phase fits the monument and the Tents, and nothing is left over from another phase."""
    yield _ASKING.get(state.phase, state.monument) == state.monument, "monument"
    sizes = [sum(hand) for hand in state.hands]
    coheres = {
        TENT: state.tents[state.asked] and sizes[state.asked] > 1 and not state.dry,
        KEEP: _may_choose(state),
        MINE: bool(state.turned) and any(map(any, state.chambers)) and state.explored,
    }
    yield coheres.get(state.phase, True), "its phase"
    yield state.phase == TENT or not state.sheltered, "sheltered"
    yield not any(state.tents[seat] for seat in state.sheltered), "sheltered"
    yield state.phase == MINE or not state.turned, "turned"
    yield state.phase == KEEP or state.opened is None, "opened"
    yield not state.explored or state.phase not in _BEFORE_ACTIONS, "explored"
    yield NO_LOOK <= state.look <= state.moves, "look"
    yield state.look != state.moves or _may_look(state, sizes), "look"


def _may_look(state: ExpeditionState, sizes: list[int]) -> bool:
    """Whether a sale may just have given the right to look into a chamber (R10)."""
    in_turn = state.monument == "temple" and state.phase == ACT and state.fruitful
    return in_turn and any(map(any, state.chambers)) and (bool(state.site) or any(sizes))


def _may_choose(state: ExpeditionState) -> bool:
    """Whether the active seat has a chamber's cards before it, more than it may keep."""
    number = state.opened
    if number is None or not 0 <= number < len(state.chambers):
        return False
    return state.explored and sum(state.chambers[number]) > KEPT and state.privy[number] == [state.active]
