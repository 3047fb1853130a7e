"""States of the Archaeology family as JSON data and back.

What is read is checked: it is a state from which the rules can go on, or it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field, model_validator

from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State
from engine.forms import SnapshotForm, read_snapshot, write_snapshot

FORM: Final = 1
"""The version of the snapshots' form."""

Number = Annotated[int, Field(ge=0)]
Counts = list[Annotated[int, Field(ge=0, le=255)]]


class Snapshot(SnapshotForm):
    """The fields of a `State`, as they stand in a snapshot.

    A game with more phases names all in `phases`; `open_phases` are those in which other seats than the active one are
    asked.
    """

    phases: ClassVar[Set[str]] = frozenset({DIG, STEAL, STORM, ACT, OVER})
    open_phases: ClassVar[Set[str]] = frozenset({STORM})

    form: Literal[1]
    seats: int = Field(ge=2, le=8)
    kinds: int = Field(ge=1, le=9)
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    counters: dict[str, Number]
    site: list[Annotated[int, Field(ge=-2, le=8)]]
    market: Counts
    hands: list[Counts]
    chambers: list[Counts]
    sold: list[list[tuple[Number, Annotated[int, Field(ge=1)]]]]
    known: list[Counts]
    learnt: list[dict[int, Counts]]
    thieves: Number
    sandstorms: Number
    maps_gone: Number
    active: int
    asked: int
    phase: str
    queue: list[int]
    moves: Number
    dry: bool
    acted: bool
    fruitful: bool
    row: list[int]
    stall: Number
    duty: bool

    @model_validator(mode="after")
    def _fits(self) -> Snapshot:
        lists = (self.hands, self.sold, self.known, self.learnt)
        if any(len(by_seat) != self.seats for by_seat in lists):
            raise ValueError("a list by seat has another length than there are seats")
        learnt = [counts for about in self.learnt for counts in about.values()]
        counts = (self.market, *self.hands, *self.chambers, *self.known, *learnt)
        if any(len(by_kind) != self.kinds for by_kind in counts):
            raise ValueError("a list by treasure has another length than there are kinds")
        seats = range(self.seats)
        observers = [observer for about in self.learnt for observer in about]
        if any(seat not in seats for seat in (self.active, self.asked, *self.queue, *self.row, *observers)):
            raise ValueError("a seat does not exist")
        if any(
            kind >= self.kinds for kind in (*self.site, *(kind for sets in self.sold for kind, _ in sets))
        ):
            raise ValueError("a treasure is not in play")
        return self

    @model_validator(mode="after")
    def _coheres(self) -> Snapshot:
        sizes = [sum(hand) for hand in self.hands]
        coheres = {
            DIG: bool(self.site) and not self.dry,
            STEAL: any(size for seat, size in enumerate(sizes) if seat != self.active),
            STORM: sizes[self.asked] > 1,
            ACT: self._may_act(sizes[self.active]) and not (self.dry and self.site),
            OVER: not self.site and not any(sizes),
        }
        if self.phase not in self.phases or not coheres.get(self.phase, True):
            raise ValueError("the phase does not fit the cards")
        if self.phase not in self.open_phases and (self.queue or self.asked != self.active):
            raise ValueError("somebody is asked out of turn")
        for hand, known, about in zip(self.hands, self.known, self.learnt, strict=True):
            for more in about.values() or ([0] * self.kinds,):
                if any(n + m > have for n, m, have in zip(known, more, hand, strict=True)):
                    raise ValueError("more is known of a hand than it holds")
        return self

    def _may_act(self, size: int) -> bool:
        """Whether a turn may go on with so many cards in hand: there must be something to do."""
        return size > 0


_LISTS: Final = ("site", "market", "queue", "row")
_NESTED: Final = ("hands", "chambers", "known")
_PLAIN: Final = (
    "seats",
    "kinds",
    "thieves",
    "sandstorms",
    "maps_gone",
    "active",
    "asked",
    "phase",
    "moves",
    "dry",
    "acted",
    "fruitful",
    "stall",
    "duty",
)


def dump(state: State, card_list: str) -> dict[str, Any]:
    """The state as JSON data that share nothing with it. `card_list` is the card list's digest."""
    data = write_snapshot(state, FORM, card_list, plain=_PLAIN, lists=_LISTS, nested=_NESTED)
    data["sold"] = [[list(of_one) for of_one in sets] for sets in state.sold]
    data["learnt"] = [{str(o): list(counts) for o, counts in about.items()} for about in state.learnt]
    return data


def read(data: Mapping[str, Any], card_list: str, form: type[Snapshot] = Snapshot) -> Snapshot:
    """The checked fields of a snapshot, of a match with this card list (its digest).

    Raises `BadData`, `UnknownVersion`; their texts hide what was read.
    """
    return read_snapshot(form, data, version=FORM, card_list=card_list)


def fill(state: State, fields: Snapshot) -> None:
    """Gives an empty state what a snapshot holds."""
    for name in (*_PLAIN, *_LISTS, *_NESTED, "counters", "sold", "learnt"):
        setattr(state, name, getattr(fields, name))
