"""Checks of a state of Artifacts, Inc. that was read: the rules can go on from a state that passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.artifacts_inc.card_list import ARTIFACTS, STARTING
from engine.artifacts_inc.catalogue import NO_PILE
from engine.artifacts_inc.choices import majority
from engine.artifacts_inc.company import LOWER, MOST_DICE, OwnCard, Place, around, powers_of
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
    STARTING_PLACES,
    State,
)
from engine.order import first_by


def fitting(state: State) -> Iterator[tuple[bool, str]]:
    """Whether a state just read fits its card list, part by part; what comes later relies on what came before."""
    yield from _lists_fit(state)
    yield from _turn_coheres(state)
    yield all(_is_company(state, seat) for seat in range(state.seats)), "sides"
    yield all(_touch(places) for places in state.places), "places"
    yield _are_all_cards(state), "piles"
    yield _orders_fit(state), "orders"
    yield len(state.divers) <= len(state.catalogue.dives), "divers"
    yield all(_earned_fits(state, seat) for seat in range(state.seats)), "earned"
    yield _turn_fits(state), "its turn"


def _lists_fit(state: State) -> Iterator[tuple[bool, str]]:
    by_seat = (state.dollars, state.earned, state.sides, state.places, state.cubes)
    yield all(len(part) == state.seats for part in by_seat), "a list by seat"
    for sides, places, cubes in zip(state.sides, state.places, state.cubes, strict=True):
        yield len(places) == len(sides) and len(cubes) == len(ARTIFACTS) * len(sides), "a list by card"
    owners = {seat for orders in state.orders for seat in orders} - {FREE}
    yield max(state.first, state.active, *state.divers, *owners) < state.seats, "a seat that does not exist"
    yield first_by(state.rolls, state.seats, faces=6) == state.first, "rolls"


def _turn_coheres(state: State) -> Iterator[tuple[bool, str]]:
    """Whether dice, spaces and phase fit together."""
    placed = len(state.laid) + len(state.dived)
    busy = bool(state.dice or state.covered or placed or state.used)
    yield state.phase != ARRANGE or not (state.round > 1 or busy), "phase"
    yield state.phase != ACT or 0 < len(state.dice) <= MOST_DICE - placed, "dice"
    ended = not busy and (state.active + 1) % state.seats == state.first
    yield state.phase != OVER or ended, "phase"
    yield state.dice == sorted(state.dice) and list(state.dived) == sorted(state.dived), "dice"
    yield len(set(state.covered)) == len(state.covered) == len(state.laid), "covered"
    yield not state.dived or state.divers[-1:] == (state.active,), "dived"


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
    """The spaces covered and the abilities used in this turn exist, on one level or the other (R21)."""
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
