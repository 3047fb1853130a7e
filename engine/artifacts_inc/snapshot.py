"""States as JSON data and back. What is read is checked: the rules can go on from it, or it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from engine.artifacts_inc.card_list import ARTIFACTS, PILES, STARTING
from engine.artifacts_inc.catalogue import NO_PILE, Catalogue
from engine.artifacts_inc.choices import MOST_DICE, majority
from engine.artifacts_inc.company import LOWER, OwnCard, Place, Space, around, powers_of
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
    STARTING_PLACES,
    State,
)
from engine.forms import SnapshotForm, check_parts, read_snapshot, write_snapshot
from engine.order import first_by

FORM: Final = 1
"""The version of the snapshots' form."""

_Number = Annotated[int, Field(ge=0)]
_Seat = Annotated[int, Field(ge=0, le=3)]
_Face = Annotated[int, Field(ge=1, le=6)]
_Dice = Annotated[list[_Face], Field(max_length=MOST_DICE)]
_BySource = Annotated[list[_Number], Field(min_length=len(SOURCES), max_length=len(SOURCES))]
_Three = Annotated[list[_Number], Field(min_length=3, max_length=3)]
_Two = Annotated[list[int], Field(min_length=2, max_length=2)]
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
    rolls: list[_Three]
    dice: _Dice
    covered: list[_Three]
    laid: _Dice
    used: list[_Two]
    dived: _Dice
    dollars: list[_Number]
    earned: list[_BySource]
    sides: list[list[_Number]]
    places: list[list[_Two]]
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
        if first_by(self.rolls, self.seats, faces=6) != self.first:
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
        if len(self.covered) != len(self.laid) or len(set(map(tuple, self.covered))) != len(self.covered):
            raise ValueError("each covered space has a die")
        if self.dived and self.divers[-1:] != [self.active]:
            raise ValueError("who dives takes a card")
        return self


_PLAIN: Final = ("seats", "moves", "round", "first", "active", "phase")
_LISTS: Final = ("dice", "laid", "dived", "dollars", "divers")
_NESTED: Final = ("rolls", "covered", "used", "earned", "sides", "cubes", "piles", "offers", "orders")


def dump(state: State) -> dict[str, Any]:
    """The state as JSON data that share nothing with it."""
    digest = state.catalogue.digest
    data = write_snapshot(state, FORM, digest, plain=_PLAIN, lists=_LISTS, nested=_NESTED)
    data["places"] = [[list(place) for place in places] for places in state.places]
    return data


def load(data: Mapping[str, Any], catalogue: Catalogue) -> State:
    """The state that `dump` made these data from.

    Raises `BadData`, `UnknownVersion`; their texts hide what was read.
    """
    fields = read_snapshot(Snapshot, data, version=FORM, card_list=catalogue.digest)
    state = State(catalogue, fields.seats, bytes.fromhex(fields.key))
    for name in _PLAIN:
        setattr(state, name, getattr(fields, name))
    state.counters = dict(fields.counters)
    state.rolls = tuple([(seat, low, high) for seat, low, high in fields.rolls])
    state.dice, state.laid = list(fields.dice), list(fields.laid)
    state.covered = [Space(*space) for space in fields.covered]
    state.used = [OwnCard(*own) for own in fields.used]
    state.dived, state.divers = tuple(fields.dived), tuple(fields.divers)
    state.dollars = list(fields.dollars)
    for name in ("earned", "sides", "piles", "offers", "orders"):
        setattr(state, name, [tuple(part) for part in getattr(fields, name)])
    state.places = [tuple([Place(*place) for place in places]) for places in fields.places]
    state.cubes = [list(cubes) for cubes in fields.cubes]
    check_parts(_fitting(state))
    state.derive()
    return state


def _fitting(state: State) -> Iterable[tuple[bool, str]]:
    """Whether a state just read fits its card list, part by part; what comes later relies on what came before."""
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
    return played or sides == tuple([2 * number for number in catalogue.start])


def _touch(places: Sequence[Place]) -> bool:
    """The starting cards side by side, each later one beside an earlier."""
    laid = list(STARTING_PLACES)
    if tuple(places[:STARTING]) != STARTING_PLACES:
        return False
    for place in places[STARTING:]:
        if not 0 <= place.row <= LOWER or place in laid:
            return False
        if not any(beside in laid for beside in around(place)):
            return False
        laid.append(place)
    return True


def _are_all_cards(state: State) -> bool:
    """Every asset is in its pile, on offer, or somebody's; what is on offer was refilled (R28)."""
    catalogue = state.catalogue
    owned = [side >> 1 for sides in state.sides for side in sides[STARTING:]]
    for number, (pile, offer) in enumerate(zip(state.piles, state.offers, strict=True)):
        bought = [card for card in owned if catalogue.cards[card].pile == number]
        if sorted([*pile, *offer, *bought]) != sorted(catalogue.piles[number]):
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
    """What this turn has covered and used is there, on one level or the other (R21)."""
    catalogue, sides = state.catalogue, state.sides[state.active]
    levels = {
        own: [catalogue.side(number) for number in range(side & ~1, side + 1)]
        for own, side in zip(powers_of(catalogue, sides).cards, sides, strict=True)
    }
    levels |= {OwnCard(card.number): list(card.sides) for card in catalogue.public_cards}
    slots = {own: max(len(side.slots) for side in up) for own, up in levels.items()}
    uses = {own: max(side.ability.uses if side.ability else 0 for side in up) for own, up in levels.items()}
    covered = all(space.slot < slots.get(space.own, 0) for space in state.covered)
    return covered and all(state.used.count(own) <= uses.get(own, 0) for own in state.used)
