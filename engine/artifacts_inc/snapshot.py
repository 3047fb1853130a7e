"""States as JSON data and back, checked: what is read is a state the rules can go on from, or is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from engine.artifacts_inc.catalogue import NO_PILE, Catalogue
from engine.artifacts_inc.choices import MOST_DICE, majority
from engine.artifacts_inc.state import (
    ABILITIES,
    ACT,
    ARRANGE,
    CARDS,
    DIVES,
    FREE,
    MUSEUMS,
    OFFERED,
    OVER,
    ROUNDS,
    SOURCES,
    State,
    around,
)
from engine.artifacts_inc.table import ARTIFACTS, PILES, SLOTS, STARTING
from engine.errors import BadData
from engine.forms import SnapshotForm, read_snapshot

FORM: Final = 1
"""The version of the snapshots' form."""

_Number = Annotated[int, Field(ge=0)]
_Seat = Annotated[int, Field(ge=0, le=3)]
_Face = Annotated[int, Field(ge=1, le=6)]
_Dice = Annotated[list[_Face], Field(max_length=MOST_DICE)]
_BySource = Annotated[list[_Number], Field(min_length=len(SOURCES), max_length=len(SOURCES))]
_ByPile = Annotated[list[list[_Number]], Field(min_length=len(PILES), max_length=len(PILES))]


class Snapshot(SnapshotForm):
    """The fields of a `State` that do not follow from the others, as they stand in a snapshot."""

    model_config = ConfigDict(strict=True)

    form: Literal[1]
    seats: Annotated[int, Field(ge=2, le=4)]
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    counters: dict[str, _Number]
    moves: _Number
    round: Annotated[int, Field(ge=1, le=ROUNDS)]
    first: _Seat
    active: _Seat
    phase: Literal["arrange", "act", "over"]
    rolls: list[Annotated[list[int], Field(min_length=3, max_length=3)]]
    dice: _Dice
    covered: list[_Number]
    laid: _Dice
    used: list[_Number]
    dived: _Dice
    dollars: list[_Number]
    earned: list[_BySource]
    sides: list[list[_Number]]
    places: list[list[int]]
    cubes: list[list[_Number]]
    piles: _ByPile
    offers: _ByPile
    orders: Annotated[
        list[list[Annotated[int, Field(ge=FREE, le=3)]]],
        Field(min_length=len(ARTIFACTS), max_length=len(ARTIFACTS)),
    ]
    divers: list[_Seat]

    @model_validator(mode="after")
    def _fits(self) -> Snapshot:
        seats = range(self.seats)
        for by_seat in (self.dollars, self.earned, self.sides, self.places, self.cubes):
            if len(by_seat) != self.seats:
                raise ValueError("a list by seat has another length than there are seats")
        for sides, places, cubes in zip(self.sides, self.places, self.cubes, strict=True):
            if len(places) != len(sides) or len(cubes) != len(ARTIFACTS) * len(sides):
                raise ValueError("a list by card has another length than there are cards")
        owners = {seat for orders in self.orders for seat in orders} - {FREE}
        if not {self.first, self.active, *self.divers, *owners} <= set(seats):
            raise ValueError("a seat does not exist")
        if _began(self.rolls, self.seats) != self.first:
            raise ValueError("the rolls for the first player do not make this one the first")
        return self

    @model_validator(mode="after")
    def _coheres(self) -> Snapshot:
        placed = len(self.laid) + len(self.dived)
        busy = bool(self.dice or self.covered or placed or self.used)
        if self.phase == ARRANGE and (self.round > 1 or busy):
            raise ValueError("nobody arranges cards now")
        if self.phase == ACT and not 0 < len(self.dice) <= MOST_DICE - placed:
            raise ValueError("there are no dice, or too many")
        if self.phase == OVER and (busy or (self.active + 1) % self.seats != self.first):
            raise ValueError("a match ends with a round")
        if self.dice != sorted(self.dice) or self.dived != sorted(self.dived):
            raise ValueError("dice are ascending")
        if len(self.covered) != len(self.laid) or len(set(self.covered)) != len(self.covered):
            raise ValueError("each covered space has a die")
        if self.dived and self.divers[-1:] != [self.active]:
            raise ValueError("who dives takes a card")
        return self


def _began(rolls: Sequence[Sequence[int]], seats: int) -> int | None:
    """Who begins by these rolls (R33); None where they are none that a match begins with."""
    tied, left = list(range(seats)), [tuple(roll) for roll in rolls]
    while len(tied) > 1:
        thrown, left = left[: len(tied)], left[len(tied) :]
        if [seat for seat, *_ in thrown] != tied or any(not 1 <= d <= 6 for _, *dice in thrown for d in dice):
            return None
        best = max(sum(dice) for _, *dice in thrown)
        tied = [seat for seat, *dice in thrown if sum(dice) == best]
    return None if left else tied[0]


_PLAIN: Final = ("seats", "moves", "round", "first", "active", "phase")
_LISTS: Final = ("dice", "covered", "laid", "used", "dived", "dollars", "divers")
_NESTED: Final = ("earned", "sides", "places", "cubes", "piles", "offers", "orders")


def dump(state: State) -> dict[str, Any]:
    """The state as JSON data that share nothing with it."""
    data: dict[str, Any] = {"form": FORM, "table": state.catalogue.digest, "key": state.key.hex()}
    data |= {name: getattr(state, name) for name in _PLAIN}
    data["counters"] = dict(state.counters)
    data["rolls"] = [list(roll) for roll in state.rolls]
    data |= {name: list(getattr(state, name)) for name in _LISTS}
    data |= {name: [list(part) for part in getattr(state, name)] for name in _NESTED}
    return data


def load(data: Mapping[str, Any], catalogue: Catalogue) -> State:
    """The state that `dump` made these data from.

    Raises `BadData`, `UnknownVersion`; their texts hide what was read.
    """
    fields = read_snapshot(Snapshot, data, version=FORM, table=catalogue.digest)
    state = State(catalogue, fields.seats, bytes.fromhex(fields.key))
    for name in (*_PLAIN, *_LISTS, *_NESTED):
        setattr(state, name, getattr(fields, name))
    state.counters = dict(fields.counters)
    state.rolls = tuple([(seat, one, other) for seat, one, other in fields.rolls])
    for fits, where in _fitting(state):
        if not fits:
            raise BadData(f"the snapshot is damaged at {where}")
    state.derive()
    return state


def _fitting(state: State) -> Iterable[tuple[bool, str]]:
    """Whether a state just read fits its card table, part by part; what comes later relies on what came before."""
    yield all(_is_company(state, seat) for seat in range(state.seats)), "sides"
    yield all(_touch(places) for places in state.places), "places"
    yield _are_all_cards(state), "piles"
    yield _orders_fit(state), "orders"
    yield len(state.divers) <= len(state.catalogue.dives), "divers"
    yield all(_earned_fits(state, seat) for seat in range(state.seats)), "earned"
    yield _turn_fits(state), "its turn"


def _is_company(state: State, seat: int) -> bool:
    """The starting cards in some order, then others; before a seat's first turn nothing but the former, as dealt."""
    catalogue, sides = state.catalogue, state.sides[seat]
    first, later = sides[:STARTING], sides[STARTING:]
    if sorted(side >> 1 for side in first) != list(catalogue.start):
        return False
    if not all(side < len(catalogue.sides) and catalogue.cards[side >> 1].pile != NO_PILE for side in later):
        return False
    turns = (state.active - state.first) % state.seats + (state.phase != ARRANGE)
    played = state.round > 1 or (seat - state.first) % state.seats < turns
    return played or sides == [2 * number for number in catalogue.start]


def _touch(places: Sequence[int]) -> bool:
    """The starting cards side by side, each later one beside an earlier."""
    laid = list(range(0, 2 * STARTING, 2))
    if list(places[:STARTING]) != laid:
        return False
    for place in places[STARTING:]:
        if place in laid or not any(beside in laid for beside in around(place)):
            return False
        laid.append(place)
    return True


def _are_all_cards(state: State) -> bool:
    """Every asset is in its pile, on offer, or somebody's; what is on offer was refilled (R28)."""
    catalogue = state.catalogue
    owned = [side >> 1 for sides in state.sides for side in sides[STARTING:]]
    for number, (pile, offer) in enumerate(zip(state.piles, state.offers, strict=True)):
        bought = [card for card in owned if catalogue.cards[card].pile == number]
        if sorted(pile + offer + bought) != sorted(catalogue.piles[number]):
            return False
        if len(offer) > OFFERED[number] or (pile and len(offer) < OFFERED[number]):
            return False
    return True


def _orders_fit(state: State) -> bool:
    return all(
        len(orders) == len(state.catalogue.orders(museum, state.seats))
        for museum, orders in enumerate(state.orders)
    )


def _earned_fits(state: State, seat: int) -> bool:
    """Reputation is what the sides turned up so far, the dives and, at the end, the museums give."""
    catalogue, earned = state.catalogue, state.earned[seat]
    up = [catalogue.side(number) for side in state.sides[seat] for number in range(side & ~1, side + 1)]
    start = [catalogue.side(side & ~1) for side in state.sides[seat][:STARTING]]
    icons = sum(side.reputation for side in up) - sum(side.reputation for side in start)
    dived = sum(
        dive.reputation for dive, diver in zip(catalogue.dives, state.divers, strict=False) if diver == seat
    )
    won = [museum for museum in range(len(ARTIFACTS)) if majority(state, museum) == seat]
    museums = sum(catalogue.museums[museum].majority for museum in won) if state.phase == OVER else 0
    counting = any(side.counts for side in up)
    return (earned[CARDS], earned[DIVES], earned[MUSEUMS]) == (icons, dived, museums) and (
        counting or not earned[ABILITIES]
    )


def _turn_fits(state: State) -> bool:
    """What this turn has covered and used is there."""
    catalogue, sides = state.catalogue, state.sides[state.active]
    for code in state.covered:
        at, slot = divmod(code, SLOTS)
        index = at - catalogue.public
        if index >= len(sides):
            return False
        number = 2 * at if index < 0 else sides[index]
        if not any(side and slot < len(side.slots) for side in catalogue.sides[number & ~1 : number + 1]):
            return False
    for index in set(state.used):
        if index >= len(sides):
            return False
        sides_up = catalogue.sides[sides[index] & ~1 : sides[index] + 1]
        uses = [side.ability.uses for side in sides_up if side and side.ability]
        if state.used.count(index) > max(uses, default=0):
            return False
    return True
