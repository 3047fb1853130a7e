"""States as JSON data and back, checked: what is read is a state that the rules can go on from, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.errors import BadData, UnknownVersion
from engine.treasures.state import State

FORM = 1
"""The version of the snapshots' form."""

Counts = list[Annotated[int, Field(ge=0, le=200)]]


class Snapshot(BaseModel):
    """The fields of a `State`, as they stand in a snapshot."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    form: Literal[1]
    seats: int = Field(ge=2, le=8)
    kinds: int = Field(ge=1, le=9)
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    counters: dict[str, int]
    site: list[Annotated[int, Field(ge=-2, le=8)]]
    market: Counts
    hands: list[Counts]
    chambers: list[Counts]
    sold: list[list[tuple[int, int]]]
    known: list[Counts]
    learnt: list[dict[int, Counts]]
    thieves: int
    sandstorms: int
    maps_gone: int
    active: int
    asked: int
    phase: str
    queue: list[int]
    moves: int = Field(ge=0)
    dry: bool
    acted: bool
    fruitful: bool
    row: list[int]
    stall: int
    duty: bool

    @model_validator(mode="after")
    def _fits(self) -> Snapshot:
        lists = (self.hands, self.sold, self.known, self.learnt)
        if any(len(by_seat) != self.seats for by_seat in lists):
            raise ValueError("a list by seat has another length than there are seats")
        counts = (self.market, *self.hands, *self.chambers, *self.known)
        if any(len(by_kind) != self.kinds for by_kind in counts):
            raise ValueError("a list by treasure has another length than there are kinds")
        seats = range(self.seats)
        if any(seat not in seats for seat in (self.active, self.asked, *self.queue, *self.row)):
            raise ValueError("a seat does not exist")
        return self


_LISTS = ("counters", "site", "market", "hands", "chambers", "known", "learnt", "queue", "row")
_PLAIN = (
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


def dump(state: State) -> dict[str, Any]:
    """The state as JSON data. Its lists are the state's own: write them out before the state changes."""
    data: dict[str, Any] = {"form": FORM, "key": state.key.hex()}
    for name in (*_PLAIN, *_LISTS, "sold"):
        data[name] = getattr(state, name)
    data["learnt"] = [{str(observer): counts for observer, counts in about.items()} for about in state.learnt]
    return data


def read(data: Mapping[str, Any], form: type[Snapshot] = Snapshot) -> Snapshot:
    """The checked fields of a snapshot. Raises `BadData`, `UnknownVersion`; their texts hide what was read."""
    if data.get("form") != FORM:
        raise UnknownVersion(f"the snapshot has form {data.get('form')!r}; this version reads form {FORM}")
    try:
        return form.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise BadData(f"the snapshot is damaged at {path or 'its whole'}: {first['type']}") from None


def fill(state: State, fields: Snapshot) -> None:
    """Gives an empty state what a snapshot holds."""
    for name in (*_PLAIN, *_LISTS):
        setattr(state, name, getattr(fields, name))
    state.sold = [list(sets) for sets in fields.sold]
