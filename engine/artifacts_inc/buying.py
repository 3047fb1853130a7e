"""Placements that buy or turn a card in Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, PILES
from engine.artifacts_inc.catalogue import NO_PILE, Action
from engine.artifacts_inc.choices import SCROLL, counted
from engine.artifacts_inc.company import LOWER, ROWS, UPPER, OwnCard, Place, around, holding, together
from engine.artifacts_inc.placing import cover, facts_of, slot_of
from engine.artifacts_inc.reputation import check_held, earn, look_at_goal, pay_out, spend
from engine.artifacts_inc.state import ABILITIES, CARDS, State
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}
_NO_CUBES: Final = (0,) * len(ARTIFACTS)


def buy(state: State, seat: int, move: m.Buy, events: list[Event]) -> None:
    _, action = slot_of(state, seat, move, "buy")
    number = move.card
    cards = state.catalogue.cards
    card = cards[number] if 0 <= number < len(cards) else None
    if card is None or card.pile == NO_PILE or number not in state.offers[card.pile]:
        raise IllegalMove("not-on-offer")
    _check_cost(state, seat, number)
    place = _open_place(state, seat, move.place)
    cover(state, move)
    _pay(state, seat, number)
    index = len(state.sides[seat])
    powers = state.powers[seat]
    copy = sum([own.card == number for own in powers.cards])
    state.sides[seat] = (*state.sides[seat], 2 * number)
    state.powers[seat] = powers.with_card(holding(state.catalogue, 2 * number, copy))
    state.places[seat] = (*state.places[seat], place)
    state.cubes[seat] += _NO_CUBES
    facts = _purchase(state, seat, index, move, action)
    events.append(make(Event, ("bought", seat, facts, _NOTHING, (), False)))
    _refill(state, card.pile, number, events)
    look_at_goal(state, seat, events)


def turn_card(state: State, seat: int, move: m.TurnCard, events: list[Event]) -> None:
    _, action = slot_of(state, seat, move, "buy")
    index, sides, powers = own_index(state, seat, move.own), state.sides[seat], state.powers[seat]
    if sides[index] & 1:
        raise IllegalMove("turned-already")
    _check_cost(state, seat, move.own.card)
    cover(state, move)
    _pay(state, seat, move.own.card)
    turned = holding(state.catalogue, sides[index] + 1, move.own.copy)
    state.sides[seat] = (*sides[:index], sides[index] + 1, *sides[index + 1 :])
    state.powers[seat] = together(
        state.catalogue, (*powers.holdings[:index], turned, *powers.holdings[index + 1 :])
    )
    facts = _purchase(state, seat, index, move, action)
    events.append(make(Event, ("turned_card", seat, facts, _NOTHING, (), False)))
    look_at_goal(state, seat, events)


def own_index(state: State, seat: int, own: OwnCard) -> int:
    """The index of an own card. Raises `IllegalMove`."""
    cards = state.powers[seat].cards
    if own not in cards:
        raise IllegalMove("no-such-card")
    return cards.index(own)


def _check_cost(state: State, seat: int, number: int) -> None:
    card = state.catalogue.cards[number]
    if card.dollars > state.dollars[seat]:
        raise IllegalMove("too-few-dollars", cost=card.dollars, have=state.dollars[seat])
    if card.scrolls:
        check_held(state, seat, SCROLL, card.scrolls)


def _pay(state: State, seat: int, number: int) -> None:
    card = state.catalogue.cards[number]
    state.dollars[seat] -= card.dollars
    if card.scrolls:
        spend(state, seat, SCROLL, card.scrolls)


def _open_place(state: State, seat: int, place: Place) -> Place:
    """The place, if it is next to one of the seat's cards and free (R34). Raises `IllegalMove`."""
    if place.row not in (UPPER, LOWER):
        raise IllegalMove("no-such-row")
    taken = state.places[seat]
    if place in taken:
        raise IllegalMove("place-taken")
    if not any(beside in taken for beside in around(place)):
        raise IllegalMove("place-apart")
    return place


def _purchase(
    state: State, seat: int, index: int, move: m.Buy | m.TurnCard, action: Action
) -> dict[str, Any]:
    """Scores the side that is now up (R20) and says what was bought."""
    number, place = state.sides[seat][index], state.places[seat][index]
    card, side = state.catalogue.cards[number >> 1], state.catalogue.side(number)
    ability = counted(state, seat, side, place) if side.counts else 0
    earn(state, seat, CARDS, side.reputation)
    earn(state, seat, ABILITIES, ability)
    facts = {
        "card": card.key,
        "place": [ROWS[place.row], place.column],
        "cost": card.dollars,
        "scrolls": card.scrolls,
        "reputation": side.reputation,
        "counted": ability,
        **facts_of(state, move),
    }
    pay_out(state, seat, action.dollars, facts)
    return facts


def _refill(state: State, pile: int, number: int, events: list[Event]) -> None:
    """Puts the pile's next card on offer at once (R28). It is a revelation if it could have been another card."""
    offer, cards = list(state.offers[pile]), state.piles[pile]
    offer.remove(number)
    if cards:
        new, state.piles[pile] = cards[-1], cards[:-1]
        offer.append(new)
        facts = {"pile": PILES[pile], "card": state.catalogue.cards[new].key}
        unknown = cards.count(new) < len(cards)
        events.append(make(Event, ("revealed", None, facts, _NOTHING, (), unknown)))
    state.offers[pile] = tuple(offer)
