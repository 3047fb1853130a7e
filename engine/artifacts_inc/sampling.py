"""Random legal moves for random play: every one may come up, if not equally often.

Something to do is drawn (a card, the Dive space, a pass) until something drawn can be done. Nothing is listed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from engine.artifacts_inc.catalogue import ANY, Action, Side
from engine.artifacts_inc.choices import SCROLL, dive_bonus, gatherable
from engine.artifacts_inc.moves import (
    PASS,
    Buy,
    Collect,
    Dive,
    FillOrder,
    Gather,
    Move,
    PlaceDie,
    Roll,
    RollAgain,
    SellOne,
    TurnCard,
    TurnDie,
)
from engine.artifacts_inc.state import (
    ARRANGE,
    COPY_BITS,
    FREE,
    OwnCard,
    Space,
    State,
    around,
    place_of,
)
from engine.artifacts_inc.table import ARTIFACTS, SLOTS
from engine.game import make

_Source = Callable[[], float]

_COPY_MASK: Final = (1 << COPY_BITS) - 1
_ROLL: Final = Roll()
_KINDS: Final = len(ARTIFACTS)
_TRIES: Final = 4


def sample_move(state: State, seat: int, rng: Random) -> Move:
    """A random legal move of the active seat."""
    random = rng.random
    if state.phase == ARRANGE:
        if random() < 0.5:
            return _ROLL
        order = list(state.catalogue.start)
        rng.shuffle(order)
        return Roll(tuple(order))
    catalogue = state.catalogue
    public, sides = catalogue.public, state.sides[seat]
    # own cards twice, so that matches get on; then the public cards, a dive, a pass
    dive = 2 * len(sides) + public
    while True:
        drawn = int(random() * (dive + 2))
        move = None
        if drawn < dive:
            at = drawn - public
            if at < 0:
                card = catalogue.cards[drawn]
                move = _on_card(state, seat, drawn, 0, drawn, card.sides[0], random)
            else:
                index = at >> 1
                side = catalogue.sides[sides[index]]
                assert side
                if side.slots or side.ability:
                    own = state.owned[seat][index]
                    copy = own & _COPY_MASK
                    move = _on_card(state, seat, own >> COPY_BITS, copy, public + index, side, random)
        elif drawn == dive:
            move = _dive(state, seat, random)
        elif random() < 0.5:
            return PASS
        if move:
            return move


def _on_card(
    state: State, seat: int, card: int, copy: int, at: int, side: Side, random: _Source
) -> Move | None:
    """A move with a card: a die on one of its slots, or its ability. None where what was tried first cannot be done."""
    slots = side.slots
    if not slots or (side.ability and random() < 0.5):
        return _use(state, card, copy, at, side, random)
    number = int(random() * len(slots)) if len(slots) > 1 else 0
    dice = state.dice
    die = dice[int(random() * len(dice))]
    _, faces, action = slots[number]
    if not faces >> die & 1 or at * SLOTS + number in state.covered:
        return None
    space = make(Space, (card, copy, number))
    do = action.do
    if do == "gain" or do == "earn":
        return make(PlaceDie, (die, space))
    if do == "buy":
        return _purchase(state, seat, die, space, random)
    return _sale(state, seat, die, space, action, random)


def _sale(state: State, seat: int, die: int, space: Space, action: Action, random: _Source) -> Move | None:
    held = state.artifacts[seat]
    if action.do == "gather":
        kinds = gatherable(state)
        return make(Gather, (die, space, kinds[int(random() * len(kinds))])) if kinds else None
    if not any(held):
        return None
    if action.do == "museum":
        museum = action.artifact if action.artifact != ANY else int(random() * _KINDS)
        orders = state.orders[museum]
        order = int(random() * len(orders))
        if orders[order] != FREE or state.catalogue.orders(museum, state.seats)[order] > held[museum]:
            return None
        return make(FillOrder, (die, space, museum, order))
    if action.do == "sell":
        artifact = int(random() * _KINDS)
        return make(SellOne, (die, space, artifact)) if held[artifact] else None
    sold = tuple([int(random() * (n + 1)) if n else 0 for n in held])
    return make(Collect, (die, space, sold)) if any(sold) else None


def _purchase(state: State, seat: int, die: int, space: Space, random: _Source) -> Buy | TurnCard | None:
    """A card on offer in a random place, or a card of one's own to turn; a few tries."""
    cards, sides = state.catalogue.cards, state.sides[seat]
    dollars, scrolls = state.dollars[seat], state.artifacts[seat][SCROLL]
    offers = [card for offer in state.offers for card in offer]
    for _ in range(_TRIES):
        drawn = int(random() * (len(offers) + len(sides)))
        if drawn < len(offers):
            card = cards[offers[drawn]]
            if card.dollars <= dollars and card.scrolls <= scrolls:
                return make(Buy, (die, space, card.number, place_of(_place(state, seat, random))))
        else:
            side = sides[drawn - len(offers)]
            card = cards[side >> 1]
            if not side & 1 and card.dollars <= dollars and card.scrolls <= scrolls:
                own = state.owned[seat][drawn - len(offers)]
                mine = make(OwnCard, (own >> COPY_BITS, own & _COPY_MASK))
                return make(TurnCard, (die, space, mine))
    return None


def _place(state: State, seat: int, random: _Source) -> int:
    """An open place beside a random card; there is always one left of the leftmost."""
    taken = state.places[seat]
    while True:
        place = around(taken[int(random() * len(taken))])[int(random() * 3)]
        if place not in taken:
            return place


def _dive(state: State, seat: int, random: _Source) -> Dive | None:
    """Random dice, if they reach the top U card."""
    taken, dives = len(state.divers), state.catalogue.dives
    if state.dived or taken == len(dives):
        return None
    due = dives[taken].number - dive_bonus(state, seat)
    dice = state.dice
    if sum(dice) < due:
        return None
    chosen = _some(dice, random)
    while sum(chosen) < due:
        chosen = _some(dice, random)
    return make(Dive, (tuple(chosen),))


def _some(dice: list[int], random: _Source) -> list[int]:
    """At least one of these dice."""
    while True:
        chosen = [die for die in dice if random() < 0.7]
        if chosen:
            return chosen


def _use(
    state: State, card: int, copy: int, at: int, side: Side, random: _Source
) -> TurnDie | RollAgain | None:
    ability = side.ability
    if ability is None or state.used.count(at - state.catalogue.public) >= ability.uses:
        return None
    by, dice = make(OwnCard, (card, copy)), state.dice
    if ability.do == "roll":
        return make(RollAgain, (by, tuple(_some(dice, random))))
    die = dice[int(random() * len(dice))]
    one_off = die + (1 if random() < 0.5 else -1)
    to = one_off if ability.do == "turn" else (die + int(random() * 5)) % 6 + 1
    return make(TurnDie, (by, die, to)) if 1 <= to <= 6 else None
