"""Placing a die in Artifacts, Inc.: what gains, buys, turns or sells, and what a seat gets and spends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, PILES
from engine.artifacts_inc.catalogue import ANY, NO_PILE, Action
from engine.artifacts_inc.choices import SCROLL, counted, majority, majority_of
from engine.artifacts_inc.company import LOWER, ROWS, UPPER, CompanyCard, Place, around, holding, together
from engine.artifacts_inc.state import ABILITIES, CARDS, CLOSE, FREE, GOAL, State
from engine.errors import IllegalMove
from engine.game import Event, make


def earn(state: State, seat: int, source: int, reputation: int) -> None:
    """Adds reputation from this source."""
    if reputation:
        earned = list(state.earned[seat])
        earned[source] += reputation
        state.earned[seat] = tuple(earned)
        state.reputation[seat] += reputation


def look_at_goal(state: State, seat: int, earned: int, events: list[Event]) -> None:
    """Tells of the first seat that reaches the goal, so that this round is the last, and of each that comes near it."""
    if state.last or (reputation := state.reputation[seat]) < CLOSE:
        return
    if reputation >= GOAL:
        state.last = True
        events.append(Event("reached", seat, {"reputation": reputation, "round": state.round}))
    elif reputation - earned < CLOSE:
        events.append(Event("near", seat, {"reputation": reputation}))


def pay_out(state: State, seat: int, dollars: int, facts: dict[str, Any]) -> None:
    """Adds dollars, and tells them in an event's facts."""
    state.dollars[seat] += dollars
    facts["dollars"] = dollars


def check_held(state: State, seat: int, artifact: int, n: int) -> None:
    """Raises `IllegalMove` unless the seat has so many artifacts of this kind."""
    if state.artifacts[seat][artifact] < n:
        have = state.artifacts[seat][artifact]
        raise IllegalMove("too-few-artifacts", artifact=ARTIFACTS[artifact], need=n, have=have)


def spend(state: State, seat: int, artifact: int, n: int) -> None:
    """Takes artifacts off the seat's cards, beginning with the card that it got first (R29, R61)."""
    state.artifacts[seat][artifact] -= n
    cubes = state.cubes[seat]
    for at in range(artifact, len(cubes), len(ARTIFACTS)):
        have = cubes[at]
        if have >= n:
            cubes[at] = have - n
            return
        n -= have
        cubes[at] = 0


_NOTHING: Final[Mapping[str, Any]] = {}
PUBLIC: Final = -1
"""Stands where an own card's index is expected, and means a public card."""


def slot_of(state: State, seat: int, move: m.Placement, *doing: str) -> tuple[int, Action]:
    """The index of the card that a die may be placed on (or `PUBLIC`), and the action. Raises `IllegalMove`."""
    die = move.die
    if die not in state.dice:
        raise IllegalMove("no-such-die", die=die)
    card, copy, number = on = move.on
    if 0 <= card < state.catalogue.public and not copy:
        at, slots = PUBLIC, state.catalogue.side(2 * card).slots
    else:
        powers = state.powers[seat]
        try:
            at = powers.cards.index((card, copy))
        except ValueError:
            raise IllegalMove("no-such-card") from None
        slots = powers.holdings[at].side.slots
    if not 0 <= number < len(slots):
        raise IllegalMove("no-such-slot")
    if on in state.covered:
        raise IllegalMove("slot-covered")
    requires, faces, action = slots[number]
    if not faces >> die & 1:
        raise IllegalMove("requirement-unmet", die=die, requires=requires)
    if action.do not in doing:
        raise IllegalMove("other-action", action=action.do)
    return at, action


def cover(state: State, move: m.Placement) -> None:
    """Places the die: from here on the move is legal."""
    state.moves += 1
    state.dice.remove(move.die)
    state.covered.append(move.on)
    state.laid.append(move.die)


def facts_of(state: State, move: m.Placement) -> dict[str, Any]:
    """The facts that the event of each placement has."""
    return {"on": state.catalogue.cards[move.on.card].key, "die": move.die}


def place_die(state: State, seat: int, move: m.PlaceDie, events: list[Event]) -> None:
    """Gains an artifact or earns dollars."""
    at, action = slot_of(state, seat, move, "gain", "earn")
    cover(state, move)
    do, artifact, dollars = action
    facts = facts_of(state, move)
    state.dollars[seat] += dollars
    facts["dollars"] = dollars
    if do == "earn":
        events.append(make(Event, ("earned", seat, facts, _NOTHING, (), False)))
        return
    state.cubes[seat][at * len(ARTIFACTS) + artifact] += 1
    state.artifacts[seat][artifact] += 1
    facts["artifact"] = ARTIFACTS[artifact]
    events.append(make(Event, ("gained", seat, facts, _NOTHING, (), False)))


def gather(state: State, seat: int, move: m.Gather, events: list[Event]) -> None:
    """Takes an artifact that an Expedition yields (R60)."""
    _, action = slot_of(state, seat, move, "gather")
    artifact = move.artifact
    if not 0 <= artifact < len(ARTIFACTS):
        raise IllegalMove("no-such-artifact")
    index = _yielding(state, seat, artifact)
    cover(state, move)
    state.cubes[seat][index * len(ARTIFACTS) + artifact] += 1
    state.artifacts[seat][artifact] += 1
    lies = state.catalogue.cards[state.sides[seat][index] >> 1].key
    facts = {**facts_of(state, move), "artifact": ARTIFACTS[artifact], "lies": lies}
    pay_out(state, seat, action.dollars, facts)
    events.append(make(Event, ("gathered", seat, facts, _NOTHING, (), False)))


def _yielding(state: State, seat: int, artifact: int) -> int:
    """The index of the Expedition that a gathered artifact goes on: the first that yields it (R29, R61)."""
    sides = state.catalogue.sides
    for index, number in enumerate(state.sides[seat]):
        side = sides[number]
        if side and side.yields >> artifact & 1:
            return index
    raise IllegalMove("no-expedition-yields", artifact=ARTIFACTS[artifact])


_NO_CUBES: Final = (0,) * len(ARTIFACTS)


def buy(state: State, seat: int, move: m.Buy, events: list[Event]) -> None:
    """Buys a card on offer and lays it beside the company's."""
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
    look_at_goal(state, seat, facts["reputation"] + facts["counted"], events)


def turn_card(state: State, seat: int, move: m.TurnCard, events: list[Event]) -> None:
    """Turns an own card to level 2."""
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
    look_at_goal(state, seat, facts["reputation"] + facts["counted"], events)


def own_index(state: State, seat: int, own: CompanyCard) -> int:
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


def fill_order(state: State, seat: int, move: m.FillOrder, events: list[Event]) -> None:
    """Sells artifacts to a museum for an order."""
    _, action = slot_of(state, seat, move, "museum")
    museum, order = move.museum, move.order
    if not 0 <= museum < len(ARTIFACTS) or action.artifact not in (ANY, museum):
        raise IllegalMove("other-museum")
    sizes = state.catalogue.orders(museum, state.seats)
    if not 0 <= order < len(sizes):
        raise IllegalMove("no-such-order")
    if state.orders[museum][order] != FREE:
        raise IllegalMove("order-filled")
    size = sizes[order]
    check_held(state, seat, museum, size)
    cover(state, move)
    spend(state, seat, museum, size)
    taken = state.orders[museum]
    state.orders[museum] = (*taken[:order], seat, *taken[order + 1 :])
    bonus = state.catalogue.museums[museum].bonus  # R22, R38
    led = majority_of(taken, sizes)
    takes_lead = led != seat == majority(state, museum)
    facts = {
        **facts_of(state, move),
        "artifact": ARTIFACTS[museum],
        "order": order,
        "count": size,
        "bonus": bonus,
        "takes_lead": takes_lead,
        **({"passes": led} if takes_lead and led is not None else {}),
    }
    pay_out(state, seat, size + bonus + action.dollars, facts)
    events.append(make(Event, ("filled", seat, facts, _NOTHING, (), False)))


def collect(state: State, seat: int, move: m.Collect, events: list[Event]) -> None:
    """Sells a set of artifacts to Private Collectors."""
    _, action = slot_of(state, seat, move, "collect")
    sold = move.artifacts
    if len(sold) != len(ARTIFACTS) or min(sold) < 0:
        raise IllegalMove("malformed-artifacts")
    total = sum(sold)
    if not total:  # R23
        raise IllegalMove("nothing-to-sell")
    for artifact, n in enumerate(sold):
        check_held(state, seat, artifact, n)
    cover(state, move)
    for artifact, n in enumerate(sold):
        if n:
            spend(state, seat, artifact, n)
    artifacts = {key: n for key, n in zip(ARTIFACTS, sold, strict=True) if n}
    facts = {**facts_of(state, move), "artifacts": artifacts}
    pay_out(state, seat, total + len(artifacts) - 1 + action.dollars, facts)
    events.append(make(Event, ("collected", seat, facts, _NOTHING, (), False)))


def sell_one(state: State, seat: int, move: m.SellOne, events: list[Event]) -> None:
    """Sells one artifact for the slot's dollars."""
    _, action = slot_of(state, seat, move, "sell")
    artifact = move.artifact
    if not 0 <= artifact < len(ARTIFACTS):
        raise IllegalMove("no-such-artifact")
    check_held(state, seat, artifact, 1)
    cover(state, move)
    spend(state, seat, artifact, 1)
    facts = {**facts_of(state, move), "artifact": ARTIFACTS[artifact]}
    pay_out(state, seat, action.dollars, facts)
    events.append(make(Event, ("sold", seat, facts, _NOTHING, (), False)))
