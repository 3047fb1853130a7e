"""A match of The New Expedition: what its state and its views have beyond those of the Archaeology family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Self, get_args

from engine.archaeology_family.state import Further, State, View, together

# The phases that the family does not have; each is the kind of the decision that waits.
TENT: Final = "tent"
KEEP: Final = "keep"
MINE: Final = "mine"

NO_LOOK: Final = -1

MonumentKey = Literal["great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins"]
MONUMENTS: Final[tuple[MonumentKey, ...]] = get_args(MonumentKey)
"""The monuments' keys; one drawn at random is drawn by its place here, so never reorder."""


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

    __slots__ = ("look", "monument", "opened", "pile", "privy", "sheltered", "tents", "turned", "within")

    def __init__(self, seats: int, kinds: int, key: bytes, monument: MonumentKey) -> None:
        super().__init__(seats, kinds, key)
        self.monument: MonumentKey = monument
        self.look = NO_LOOK
        self.tents: list[bool] = [True] * seats
        self.sheltered: list[int] = []
        self.within: list[list[int]] = []
        self.privy: list[list[int]] = []
        self.pile: list[int] = []
        self.turned: list[int] = []
        self.opened: int | None = None

    def copy(self) -> Self:
        twin = super().copy()
        twin.monument = self.monument
        twin.look = self.look
        twin.opened = self.opened
        twin.tents = self.tents.copy()
        twin.sheltered = self.sheltered.copy()
        twin.within = [counts.copy() for counts in self.within]
        twin.privy = [seats.copy() for seats in self.privy]
        twin.pile = self.pile.copy()
        twin.turned = self.turned.copy()
        return twin


@dataclass(frozen=True, repr=False)
class ExpeditionView(View):
    """What one seat (or a spectator) may know of a match.

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
