"""A match of The New Expedition as JSON data and back: the form of the Archaeology family with more fields."""

from __future__ import annotations

from collections.abc import Set
from typing import Annotated, Any, ClassVar, Final

from pydantic import Field, model_validator

from engine.archaeology_family import snapshot as family
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM
from engine.expedition.monuments import KEPT
from engine.expedition.state import KEEP, MINE, NO_LOOK, TENT, ExpeditionState, MonumentKey

_Card = Annotated[int, Field(ge=0, le=8)]

_ASKING: Final = {KEEP: "tomb", MINE: "mine"}
"""By phase, the monument that asks in it."""
_SECRET: Final = ("temple", "tomb")
"""Monuments whose chambers are known to some seats and not to others."""

_BEFORE_ACTIONS: Final = (DIG, STEAL, STORM, TENT)


class ExpeditionSnapshot(family.Snapshot):
    """The fields of an `ExpeditionState`, as they stand in a snapshot."""

    phases: ClassVar[Set[str]] = family.Snapshot.phases | {TENT, KEEP, MINE}
    open_phases: ClassVar[Set[str]] = family.Snapshot.open_phases | {TENT}

    monument: MonumentKey
    explored: bool
    look: int
    tents: list[bool]
    sheltered: list[int]
    within: list[family.Counts]
    privy: list[list[int]]
    pile: list[_Card]
    turned: list[_Card]
    opened: int | None

    @model_validator(mode="after")
    def _fits_monument(self) -> ExpeditionSnapshot:
        if len(self.tents) != self.seats or not len(self.chambers) == len(self.within) == len(self.privy):
            raise ValueError("a list has another length than it should")
        if any(len(counts) != self.kinds for counts in self.within):
            raise ValueError("a list by treasure has another length than there are kinds")
        if any(kind >= self.kinds for kind in (*self.pile, *self.turned)):
            raise ValueError("a treasure is not in play")
        privy = [seat for seats in self.privy for seat in seats]
        if any(not 0 <= seat < self.seats for seat in (*self.sheltered, *privy)):
            raise ValueError("a seat does not exist")
        if (privy and self.monument not in _SECRET) or any(
            seats != sorted(set(seats)) for seats in self.privy
        ):
            raise ValueError("a chamber cannot be known to those seats")
        public = any(map(any, self.within))
        if public and self.monument in (*_SECRET, "great_pyramid"):
            raise ValueError("nothing of that monument is known to all")
        for chamber, within in zip(self.chambers, self.within, strict=True):
            if any(n > have for n, have in zip(within, chamber, strict=True)):
                raise ValueError("more is known of a chamber than it holds")
        return self

    @model_validator(mode="after")
    def _fits_phase(self) -> ExpeditionSnapshot:
        asking = _ASKING.get(self.phase)
        if asking and asking != self.monument:
            raise ValueError("that monument asks nothing of the kind")
        sizes = [sum(hand) for hand in self.hands]
        coheres = {
            TENT: self.tents[self.asked] and sizes[self.asked] > 1 and not self.dry,
            KEEP: self._may_choose(),
            MINE: bool(self.turned) and any(map(any, self.chambers)) and self.explored,
        }
        if not coheres.get(self.phase, True):
            raise ValueError("the phase does not fit the cards")
        if (
            (self.sheltered and self.phase != TENT)
            or (self.turned and self.phase != MINE)
            or (self.opened is not None and self.phase != KEEP)
            or (self.explored and self.phase in _BEFORE_ACTIONS)
            or not NO_LOOK <= self.look <= self.moves
            or (self.look == self.moves and not self._may_look(sizes))
            or any(self.tents[seat] for seat in self.sheltered)
        ):
            raise ValueError("something is left over from another phase")
        return self

    def _may_act(self, size: int) -> bool:
        return self.look == self.moves or super()._may_act(size)

    def _may_look(self, sizes: list[int]) -> bool:
        """Whether a sale may just have given the right to look into a chamber (R10)."""
        in_turn = self.monument == "temple" and self.phase == ACT and self.fruitful
        return in_turn and any(map(any, self.chambers)) and (bool(self.site) or any(sizes))

    def _may_choose(self) -> bool:
        """Whether the active seat has a chamber's cards before it, more than it may keep."""
        number = self.opened
        if number is None or not 0 <= number < len(self.chambers):
            return False
        return self.explored and sum(self.chambers[number]) > KEPT and self.privy[number] == [self.active]


_OWN: Final = (
    "monument",
    "explored",
    "look",
    "opened",
    "tents",
    "sheltered",
    "within",
    "privy",
    "pile",
    "turned",
)


def dump_own(state: ExpeditionState) -> dict[str, Any]:
    """What a state has beyond the family's, as JSON data that share nothing with it."""
    twin = state.copy()
    return {name: getattr(twin, name) for name in _OWN}


def fill(state: ExpeditionState, fields: ExpeditionSnapshot) -> None:
    """Gives an empty state what a snapshot holds."""
    family.fill(state, fields)
    for name in _OWN:
        setattr(state, name, getattr(fields, name))
