"""Matches set up by hand: dice, cards and artifacts are written as text.

Cards are named by key: "biplane" lies at level 1, "biplane+" at level 2, "biplane@lower:0" in that place; without
one a card lies right of the upper row's last. The four starting cards are everybody's; "headquarters+" turns one.
Artifacts are "gem*2 scroll", on the first card that yields them, or on "gem@headquarters".

Scenes have a card list of their own (in `SCENE_CARDS`), so that what they show of the rules does not depend on the
numbers of the built-in one, which change when the game is balanced anew. Its keys are the built-in list's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, PILES
from engine.artifacts_inc.choices import usual_place
from engine.artifacts_inc.company import ROWS, CompanyCard, Place, Space
from engine.artifacts_inc.state import ACT, CARDS, DIVES, OFFERED, SOURCES, State
from engine.errors import IllegalMove
from engine.game import Event, Options

SCENE_CARDS = Path(__file__).with_name("scene_cards")
"""The folder with the scenes' card list, as an operator's setting names one."""
CARD_LIST: dict[str, Any] = json.loads((SCENE_CARDS / "artifacts_inc.json").read_text(encoding="utf-8"))
GAME: ArtifactsInc = create(CARD_LIST)
BUILT_IN: ArtifactsInc = create()
KEY = bytes(range(32))
PASS = m.PASS
START = ("desert_expedition", "canyon_expedition", "headquarters", "adventurers")
ROLLS = {2: ((0, 6, 6), (1, 1, 1)), 3: ((0, 6, 6), (1, 1, 1), (2, 1, 1))}
ROLLS[4] = (*ROLLS[3], (3, 1, 1))


def scene(
    own: str = "",
    *,
    dice: str = "",
    artifacts: str = "",
    dollars: int = 0,
    others: Mapping[int, str] | None = None,
    offer: str = "",
    orders: Mapping[str, Mapping[int, int]] | None = None,
    divers: Sequence[int] = (),
    seats: int = 2,
    active: int = 0,
    game: ArtifactsInc = GAME,
    **more: Any,
) -> State:
    """A match in its second round, begun by seat 0, in which seat `active` has rolled these dice.

    `offer` are cards that must be on offer. `orders` are seats by artifact and order, `divers` the seats that took
    the first U cards.
    """
    state = game.new(seats, Options(), KEY)
    state.rolls, state.first, state.active = ROLLS[seats], 0, active
    state.round, state.phase = 2, ACT
    state.dollars = [0] * seats
    state.dollars[active] = dollars
    for seat, text in {active: own, **(others or {})}.items():
        for word in text.split():
            _give(state, seat, word)
    for key in offer.split():
        _offer(state, key)
    for artifact, filled in (orders or {}).items():
        museum = ARTIFACTS.index(artifact)
        row = list(state.orders[museum])
        for order, seat in filled.items():
            row[order] = seat
        state.orders[museum] = tuple(row)
    state.divers = tuple(divers)
    for seat in range(seats):
        _count(state, seat)
    for word in artifacts.split():
        _hand(state, active, word)
    state.derive()
    state.dice = sorted(int(die) for die in dice.split())
    for name, value in more.items():
        setattr(state, name, value)
    return state


def card(key: str) -> int:
    return GAME.catalogue.numbers[key]


def number_in(state: State, key: str) -> int:
    return state.catalogue.numbers[key]


def _give(state: State, seat: int, word: str) -> None:
    name, _, place = word.partition("@")
    key, level = name.rstrip("+"), name.count("+")
    number = number_in(state, key)
    if number in state.catalogue.start:
        at = [side >> 1 for side in state.sides[seat]].index(number)
        sides = list(state.sides[seat])
        sides[at] += level
        state.sides[seat] = tuple(sides)
        return
    _take(state, number)
    row, _, column = place.partition(":")
    where = Place(ROWS.index(row), int(column)) if place else usual_place(state, seat)
    state.sides[seat] = (*state.sides[seat], 2 * number + level)
    state.places[seat] = (*state.places[seat], where)
    state.cubes[seat] += [0] * len(ARTIFACTS)


def _take(state: State, number: int) -> None:
    """Takes a copy of a card out of its pile or, with a refill, off the offer."""
    pile = state.catalogue.cards[number].pile
    hidden, offer = list(state.piles[pile]), list(state.offers[pile])
    (hidden if number in hidden else offer).remove(number)
    while hidden and len(offer) < OFFERED[pile]:
        offer.append(hidden.pop())
    state.piles[pile], state.offers[pile] = tuple(hidden), tuple(offer)


def _offer(state: State, key: str) -> None:
    """Sees to it that a card is on offer, in the place of the first other one there."""
    number = number_in(state, key)
    pile = state.catalogue.cards[number].pile
    hidden, offer = list(state.piles[pile]), list(state.offers[pile])
    if number not in offer:
        hidden[hidden.index(number)], offer[0] = offer[0], number
    state.piles[pile], state.offers[pile] = tuple(hidden), tuple(offer)


def _count(state: State, seat: int) -> None:
    """The reputation that the cards' icons and the dives have given."""
    earned = [0] * len(SOURCES)
    for at, side in enumerate(state.sides[seat]):
        both = state.catalogue.cards[side >> 1].sides
        turned_up = both[: 1 + (side & 1)]
        earned[CARDS] += sum(up.reputation for up in turned_up[at < len(START) :])
    dives = zip(state.catalogue.dives, state.divers, strict=False)
    earned[DIVES] = sum(dive.reputation for dive, diver in dives if diver == seat)
    state.earned[seat] = tuple(earned)


def _hand(state: State, seat: int, word: str) -> None:
    name, _, on = word.partition("@")
    artifact, _, n = name.partition("*")
    kind = ARTIFACTS.index(artifact)
    cards = [side >> 1 for side in state.sides[seat]]
    sides = [state.catalogue.side(side) for side in state.sides[seat]]
    at = cards.index(number_in(state, on)) if on else 0
    if not on:
        yielding = [i for i, side in enumerate(sides) if side.yields >> kind & 1]
        at = yielding[0] if yielding else 0
    state.cubes[seat][at * len(ARTIFACTS) + kind] += int(n or 1)


# -- moves


def space(key: str, slot: int = 0, copy: int = 0) -> Space:
    return Space(card(key), copy, slot)


def own(key: str, copy: int = 0) -> CompanyCard:
    return CompanyCard(card(key), copy)


def place(text: str) -> Place:
    """ "upper:4" """
    row, _, column = text.partition(":")
    return Place(ROWS.index(row), int(column))


def put(die: int, key: str, slot: int = 0, copy: int = 0) -> m.PlaceDie:
    return m.PlaceDie(die, space(key, slot, copy))


def gather(die: int, artifact: str, key: str = "biplane") -> m.Gather:
    return m.Gather(die, space(key), ARTIFACTS.index(artifact))


def fill(die: int, artifact: str, order: int, key: str | None = None) -> m.FillOrder:
    return m.FillOrder(die, space(key or f"{artifact}_museum"), ARTIFACTS.index(artifact), order)


def collect(die: int, text: str, key: str = "private_collectors") -> m.Collect:
    sold = [0] * len(ARTIFACTS)
    for word in text.split():
        artifact, _, n = word.partition("*")
        sold[ARTIFACTS.index(artifact)] += int(n or 1)
    return m.Collect(die, space(key), tuple(sold))


def buy(die: int, key: str, where: str = "upper:4", at: str = "headquarters", slot: int = 0) -> m.Buy:
    return m.Buy(die, space(at, slot), card(key), place(where))


def turn(die: int, key: str, copy: int = 0, at: str = "headquarters", slot: int = 0) -> m.TurnCard:
    return m.TurnCard(die, space(at, slot), own(key, copy))


def dive(*dice: int) -> m.Dive:
    return m.Dive(dice)


def turn_die(key: str, die: int, to: int, copy: int = 0) -> m.TurnDie:
    return m.TurnDie(own(key, copy), die, to)


def roll_again(key: str, *dice: int, copy: int = 0) -> m.RollAgain:
    return m.RollAgain(own(key, copy), dice)


def roll(*keys: str) -> m.Roll:
    return m.Roll(tuple(map(card, keys)) or None)


# -- play


def play(state: State, *moves: object, game: ArtifactsInc = GAME) -> list[Event]:
    """Plays moves, each for the seat that is asked, and returns the last one's events."""
    events: list[Event] = []
    for move in moves:
        events = game.apply(state, state.active, move)
    return events


def refused(state: State, move: object, seat: int | None = None, game: ArtifactsInc = GAME) -> IllegalMove:
    """The error with which a move is refused, after checking that nothing has changed."""
    before = game.dump(state)
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, state.active if seat is None else seat, move)
    assert game.dump(state) == before
    return caught.value


def code(state: State, move: object, seat: int | None = None, game: ArtifactsInc = GAME) -> str:
    return refused(state, move, seat, game).code


def legal(state: State, move: object, game: ArtifactsInc = GAME) -> bool:
    try:
        game.apply(state.copy(), state.active, move)
    except IllegalMove:
        return False
    return True


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def facts(events: list[Event], kind: str) -> Mapping[str, Any]:
    """The facts of the one event of this kind."""
    (found,) = [event for event in events if event.kind == kind]
    return found.facts


def held(state: State, artifact: str, seat: int = 0) -> int:
    return state.artifacts[seat][ARTIFACTS.index(artifact)]


def cubes(state: State, key: str, seat: int = 0, copy: int = 0) -> dict[str, int]:
    """The artifacts on a card."""
    at = state.powers[seat].cards.index(own(key, copy))
    on = state.cubes[seat][at * len(ARTIFACTS) : (at + 1) * len(ARTIFACTS)]
    return {artifact: n for artifact, n in zip(ARTIFACTS, on, strict=True) if n}


def asked(state: State, game: ArtifactsInc = GAME) -> tuple[int, str] | None:
    """The seat that is asked, and the decision; None when the match is over."""
    pending = game.pending(state)
    return (pending[0].seat, pending[0].kind) if pending else None


def on_offer(state: State, pile: str) -> list[str]:
    return [state.catalogue.cards[number].key for number in state.offers[PILES.index(pile)]]


def sound(state: State, game: ArtifactsInc = GAME) -> bool:
    """Whether the scene is a match that could be: its snapshot is accepted."""
    return game.dump(game.load(game.dump(state))) == game.dump(state)
