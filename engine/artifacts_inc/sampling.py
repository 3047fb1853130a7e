"""Random legal moves for random play: every one may come up, though not all equally often.

Something to do is drawn (a slot, an ability, a dive, a pass) until it is something that can be done. No list of all
moves is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY, Action
from engine.artifacts_inc.choices import SCROLL
from engine.artifacts_inc.company import Place, Space, Usable, around
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
from engine.artifacts_inc.state import ARRANGE, FREE, State
from engine.game import make

_Source = Callable[[], float]

_ROLL: Final = Roll()
_PASSING: Final = 0.5
"""The part of the passes drawn that is played. The others are drawn anew, so that turns go on for a while."""
_KINDS: Final = len(ARTIFACTS)
_TRIES: Final = 4


def sample_move(state: State, seat: int, rng: Random) -> Move:
    """A random legal move of the active seat."""
    if state.phase == ARRANGE:
        return _arrangement(state, rng)
    random = rng.random
    dice, covered, powers = state.dice, state.covered, state.powers[seat]
    spots, abilities = powers.spots, powers.abilities
    slots, many = len(spots), len(dice)
    dive = slots + len(abilities)
    while True:
        point = random() * (dive + 2)
        drawn = int(point)
        if drawn < slots:
            space, (_, faces, action) = spots[drawn]
            die = dice[int((point - drawn) * many)]
            if not faces >> die & 1 or space in covered:
                continue
            move = _PLACEMENTS[action.do](state, seat, die, space, action, random)
        elif drawn < dive:
            move = _use(state, abilities[drawn - slots], random)
        elif drawn == dive:
            move = _dive(state, powers.dive, random)
        else:
            move = PASS if random() < _PASSING else None
        if move is not None:
            return move


def _arrangement(state: State, rng: Random) -> Roll:
    if rng.random() < 0.5:
        return _ROLL
    order = list(state.catalogue.start)
    rng.shuffle(order)
    return Roll(tuple(order))


# -- placements by action: a random way to carry out each with this die, or None where what was tried first cannot be


def _plain(state: State, seat: int, die: int, space: Space, action: Action, random: _Source) -> PlaceDie:
    return make(PlaceDie, (die, space))


def _gather(
    state: State, seat: int, die: int, space: Space, action: Action, random: _Source
) -> Gather | None:
    artifact = int(random() * _KINDS)
    return make(Gather, (die, space, artifact)) if state.powers[seat].yields >> artifact & 1 else None


def _order(
    state: State, seat: int, die: int, space: Space, action: Action, random: _Source
) -> FillOrder | None:
    held = state.artifacts[seat]
    if not any(held):
        return None
    museum = action.artifact if action.artifact != ANY else int(random() * _KINDS)
    orders = state.orders[museum]
    order = int(random() * len(orders))
    if orders[order] != FREE or state.catalogue.orders(museum, state.seats)[order] > held[museum]:
        return None
    return make(FillOrder, (die, space, museum, order))


def _sell_one(
    state: State, seat: int, die: int, space: Space, action: Action, random: _Source
) -> SellOne | None:
    held = state.artifacts[seat]
    if not any(held):
        return None
    artifact = int(random() * _KINDS)
    return make(SellOne, (die, space, artifact)) if held[artifact] else None


def _collect(
    state: State, seat: int, die: int, space: Space, action: Action, random: _Source
) -> Collect | None:
    held = state.artifacts[seat]
    if not any(held):
        return None
    sold = tuple([int(random() * (n + 1)) if n else 0 for n in held])
    return make(Collect, (die, space, sold)) if any(sold) else None


def _purchase(
    state: State, seat: int, die: int, space: Space, action: Action, random: _Source
) -> Buy | TurnCard | None:
    """A purchase of a random card in a random place, or of an own card's level 2. None after a few vain tries."""
    catalogue, sides = state.catalogue, state.sides[seat]
    dollars, scrolls = state.dollars[seat], state.artifacts[seat][SCROLL]
    if dollars < catalogue.cheapest:
        return None
    piles = len(state.offers)
    for _ in range(_TRIES):
        pile = int(random() * (piles + 2))
        if pile < piles:
            if offer := state.offers[pile]:
                card = catalogue.cards[offer[int(random() * len(offer))]]
                if card.dollars <= dollars and card.scrolls <= scrolls:
                    return make(Buy, (die, space, card.number, _place(state, seat, random)))
        else:
            index = int(random() * len(sides))
            card = catalogue.cards[sides[index] >> 1]
            if not sides[index] & 1 and card.dollars <= dollars and card.scrolls <= scrolls:
                return make(TurnCard, (die, space, state.powers[seat].cards[index]))
    return None


_PLACEMENTS: Final[Mapping[str, Callable[[State, int, int, Space, Action, _Source], Move | None]]] = {
    "gain": _plain,
    "earn": _plain,
    "buy": _purchase,
    "gather": _gather,
    "museum": _order,
    "sell": _sell_one,
    "collect": _collect,
}


def _place(state: State, seat: int, random: _Source) -> Place:
    """An open place beside a random card; there is always one left of the leftmost."""
    taken = state.places[seat]
    while True:
        place = around(taken[int(random() * len(taken))])[int(random() * 3)]
        if place not in taken:
            return place


def _dive(state: State, bonus: int, random: _Source) -> Dive | None:
    """Random dice, if they reach the top U card."""
    taken, dives = len(state.divers), state.catalogue.dives
    if state.dived or taken == len(dives):
        return None
    due = dives[taken].number - bonus
    dice = state.dice
    if sum(dice) < due:
        return None
    chosen = _some(dice, random)
    while sum(chosen) < due:
        chosen = _some(dice, random)
    return make(Dive, (tuple(chosen),))


def _some(dice: list[int], random: _Source) -> list[int]:
    while True:
        chosen = [die for die in dice if random() < 0.7]
        if chosen:
            return chosen


def _use(state: State, usable: Usable, random: _Source) -> TurnDie | RollAgain | None:
    own, ability = usable
    if state.used.count(own) >= ability.uses:
        return None
    dice = state.dice
    if ability.do == "roll":
        return make(RollAgain, (own, tuple(_some(dice, random))))
    die = dice[int(random() * len(dice))]
    one_off = die + (1 if random() < 0.5 else -1)
    to = one_off if ability.do == "turn" else (die + int(random() * 5)) % 6 + 1
    return make(TurnDie, (own, die, to)) if 1 <= to <= 6 else None
