"""The facts that a planned turn looks at: the table as it stands, and a position within the turn."""

from __future__ import annotations

from typing import NamedTuple

from engine.artifacts_inc.agents.box import Company, Museums, Orders, Places
from engine.artifacts_inc.state import ROUNDS, Numbers, Position


class Table(NamedTuple):
    """The facts of a match that the worth of a turn's end depends on, as they are when an agent plans.

    Lists go by seat. `seat` is the active one, `last` says whether the round is the last in any case (R32), `dived`
    whether the seat has dived in this turn.
    """

    seat: int
    first: int
    last: bool
    dived: bool
    dollars: Numbers
    reputation: Numbers
    artifacts: tuple[Numbers, ...]
    sides: tuple[Numbers, ...]
    places: tuple[Places, ...]
    offers: tuple[Numbers, ...]
    orders: Orders
    divers: Numbers


def table_of(position: Position) -> Table:
    """The facts of a view, or of a state."""
    return Table(
        position.active,
        position.first,
        position.round >= ROUNDS,
        bool(position.dived),
        tuple(position.dollars),
        tuple(position.reputation),
        tuple(map(tuple, position.artifacts)),
        tuple(position.sides),
        tuple(map(tuple, position.places)),
        tuple(map(tuple, position.offers)),
        tuple(map(tuple, position.orders)),
        tuple(position.divers),
    )


class Course(NamedTuple):
    """A position within the active seat's turn, as far as the turn can change it.

    `dice` are ascending; `covered` are spots and `used` uses of abilities, as the company counts them; `taken` are the
    U cards that are gone, `reputation` the seat's own. Of deeds that can be done in any order, only those from the key
    `since` on are looked at.
    """

    dice: Numbers
    covered: int
    used: int
    since: int
    dollars: int
    artifacts: Numbers
    company: Company
    museums: Museums
    taken: int
    reputation: int

    @property
    def kept(self) -> tuple[object, ...]:
        """All that is left of it once the turn has ended."""
        return self[4:]
