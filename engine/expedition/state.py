"""A match of The New Expedition: what its state and its views have beyond those of the Archaeology family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from engine.archaeology_family.state import Counts, Further, Seat, State, View, together
from engine.state import Hidden, Seen, no_items, start

# The phases that the family does not have; each is the kind of the decision that waits.
TENT: Final = "tent"
KEEP: Final = "keep"
MINE: Final = "mine"

NO_LOOK: Final = -1

MonumentKey = Literal["great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins"]
MONUMENTS: Final[tuple[MonumentKey, ...]] = get_args(MonumentKey)
"""The monuments' keys; one drawn at random is drawn by its place here, so never reorder."""

_Treasure = Annotated[int, Field(ge=0, le=8)]


class ExpeditionState(State):
    """Everything about a match.

    `look` is the number of moves made when a sale gave the right to look into a chamber of the Temple, which lapses
    with the next move (R10); else `NO_LOOK`. `tents[s]`: seat s has its Tent still; `sheltered`: who has used theirs
    so far while the Tents of a Sandstorm are declared.

    `within[c]` counts, by treasure, the cards that everybody knows to lie in chamber c, a lower bound;
    `privy[c]` are the seats that know all of it (R16). `pile` is the Ruins' pile, its top card last. `turned`
    are the cards turned up in the Mine, in neither chamber nor hand yet; `opened` is the chamber of the Tomb
    whose cards are being chosen from.
    """

    monument: MonumentKey
    explored: bool = False
    look: Hidden[int] = NO_LOOK
    opened: int | None = None
    tents: list[bool] = start(lambda match: [True] * match.seats)
    sheltered: list[Seat] = start(no_items)
    within: Annotated[list[Counts], Seen("all", "public_within")] = start(no_items)
    privy: list[list[Seat]] = start(no_items)
    pile: Hidden[list[_Treasure]] = start(no_items)
    turned: list[_Treasure] = start(no_items)


@dataclass(frozen=True, repr=False)
class ExpeditionView(View):
    """The parts of a match that one seat (or a spectator) may know.

    By chamber: `costs` are its Maps; `public_within` counts the cards that everybody knows to lie in it; `insight`
    is what the viewer knows to lie in some beyond that, and `within` counts both together: lower bounds, and all
    that lies there where they add up to the chamber's size. `privy` are the seats that know all of it (R16); who
    they are is public. `pile` is the number of cards in the Ruins' pile. `turned` are the treasures turned up in
    the Mine, in order, and `opened` the Tomb's chamber being chosen from, if any is.
    `tents[s]`: seat s has its Tent still; `sheltered`: who has just used it. `explored`: not again this turn.
    `look`: the active seat may look into a chamber of the Temple before it goes on (R10).
    """

    monument: MonumentKey
    explored: bool
    look: bool
    tents: tuple[bool, ...]
    sheltered: tuple[int, ...]
    costs: tuple[int, ...]
    public_within: tuple[tuple[int, ...], ...]
    insight: Further
    privy: tuple[tuple[int, ...], ...]
    pile: int
    turned: tuple[int, ...]
    opened: int | None

    @property
    def within(self) -> tuple[tuple[int, ...], ...]:
        """By chamber, the cards that the viewer knows to lie there."""
        return together(self.public_within, self.insight)

    @property
    def unseen(self) -> list[int]:
        left = super().unseen
        for counts in self.within:
            for kind, n in enumerate(counts):
                left[kind] -= n
        for kind in self.turned:
            left[kind] -= 1
        return left

    @property
    def explorable(self) -> tuple[int, ...]:
        """The chambers that can still be explored this turn, by who has the Maps."""
        return () if self.explored else tuple(number for number, size in enumerate(self.chambers) if size)

    @property
    def worth_turned(self) -> int:
        """The trade values turned up in the Mine, in all."""
        return sum(self.trade[kind] for kind in self.turned)

    @property
    def choice(self) -> tuple[int, ...] | None:
        """The cards that the viewer is to choose from in the Tomb."""
        mine = self.opened is not None and self.viewer == self.active
        return self.within[self.opened or 0] if mine else None
