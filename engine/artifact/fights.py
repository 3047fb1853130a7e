"""Fights between parties of Artifact (R44, R53, R56)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact import moves as m
from engine.artifact.aids import spend, without, worth
from engine.artifact.challenges import befall
from engine.artifact.dice import TWO, Dice, dice_of
from engine.artifact.party import ABILITIES, CHOICE
from engine.artifact.state import (
    ABILITY,
    ATTACK,
    DEFEND,
    ENTRIES,
    FOUGHT,
    NOBODY,
    NONE,
    OPPONENT,
    WON,
    Held,
    Keys,
    State,
)
from engine.artifact.turns import end_turn, is_decided
from engine.artifact.wounds import wound
from engine.chance import below
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def look_for_fight(state: State, seat: int, dice: Dice, events: list[Event]) -> None:
    """Begins the fight on the mover's square; the mover chooses the opponent where it may (R44)."""
    square, at = state.at[seat], state.at
    holder = state.holder
    if holder not in (NOBODY, seat) and at[holder] == square:
        _begin_fight(state, seat, holder, dice, events)
        return
    others = [other for other in range(state.seats) if at[other] == square and other != seat]
    if len(others) == 1:
        _begin_fight(state, seat, others[0], dice, events)
    else:
        state.phase = OPPONENT


def meet(state: State, seat: int, move: m.Meet, events: list[Event]) -> None:
    """Begins the fight with the chosen opponent."""
    other = move.seat
    if other == seat or not 0 <= other < state.seats or state.at[other] != state.at[seat]:
        raise IllegalMove("no-such-opponent")
    state.moves += 1
    _begin_fight(state, seat, other, dice_of(state), events)


def _begin_fight(state: State, seat: int, other: int, dice: Dice, events: list[Event]) -> None:
    state.opponent = other
    die = 1 + below(dice, 10)
    ability = None if die == CHOICE else ABILITIES[die - 1]
    facts = {"other": other, "square": state.at[seat], "die": die, "ability": ability}
    events.append(make(Event, ("met", seat, facts, _NOTHING, (), True)))
    if die == CHOICE:
        state.phase = ABILITY
    else:
        _look_for_aids(state, seat, die - 1, dice, events)


def name(state: State, seat: int, move: m.Name, events: list[Event]) -> None:
    """Names the ability of the fight, on a 10 (R42)."""
    if not 0 <= move.ability < len(ABILITIES):
        raise IllegalMove("no-such-ability")
    state.moves += 1
    events.append(Event("named", seat, {"ability": ABILITIES[move.ability]}))
    _look_for_aids(state, seat, move.ability, dice_of(state), events)


def _look_for_aids(state: State, seat: int, ability: int, dice: Dice, events: list[Event]) -> None:
    """Asks the mover for Aids. A party without a fitting Aid is not asked: the sheets are public (R49)."""
    state.ability = ability
    if _fits(state).isdisjoint(state.aids[seat]):
        _look_for_answer(state, dice, events)
    else:
        state.phase = ATTACK


def _look_for_answer(state: State, dice: Dice, events: list[Event]) -> None:
    if _fits(state).isdisjoint(state.aids[state.opponent]):
        _fight(state, (), dice, events)
    else:
        state.phase = DEFEND


def _fits(state: State) -> frozenset[str]:
    return state.catalogue.scenarios[state.scenario].fits[state.ability]


def attack(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    """Spends the mover's Aids on the fight."""
    left = without(state, seat, move.aids, _fits(state))
    state.moves += 1
    state.used = tuple(sorted(move.aids))
    spend(state, seat, state.used, left, events)
    _look_for_answer(state, dice_of(state), events)


def defend(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    """Spends the opponent's Aids, and both roll."""
    left = without(state, seat, move.aids, _fits(state))
    state.moves += 1
    used = tuple(sorted(move.aids))
    spend(state, seat, used, left, events)
    _fight(state, used, dice_of(state), events)


def _fight(state: State, theirs: Keys, dice: Dice, events: list[Event]) -> None:
    """Both roll; the lower is Wounded, and what it held goes to the other. Then comes the encounter."""
    seat, other, ability = state.active, state.opponent, state.ability
    rolled = TWO[below(dice, 36)]
    own = [state.counts[seat][ability], state.counts[other][ability]]
    aids = [worth(state, state.used), worth(state, theirs)]
    mine, yours = rolled[0] + own[0] + aids[0], rolled[1] + own[1] + aids[1]
    winner = None if mine == yours else seat if mine > yours else other
    facts = {
        "other": other,
        "ability": ABILITIES[ability],
        "dice": rolled,
        "abilities": own,
        "aids": aids,
        "totals": [mine, yours],
        "winner": winner,
    }
    events.append(make(Event, ("fought", seat, facts, _NOTHING, (), True)))
    state.opponent, state.ability, state.used = NOBODY, NONE, ()
    state.journal[seat * ENTRIES + FOUGHT] += 1
    state.journal[other * ENTRIES + FOUGHT] += 1
    if winner is not None:
        state.journal[winner * ENTRIES + WON] += 1
        loser = other if winner == seat else seat
        fell = wound(state, loser, dice, events)
        if state.holder == loser:  # R45
            facts = {"other": loser, "square": state.at[winner]}
            state.holder = winner
            state.hands = (*state.hands, Held(state.round, winner, state.at[winner]))
            events.append(make(Event, ("seized", winner, facts, _NOTHING, (), False)))
        if fell and is_decided(state, events):
            return
        if fell and loser == seat:
            end_turn(state, events)
            return
    befall(state, seat, dice, events)
