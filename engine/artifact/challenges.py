"""Encounters and Challenges of Artifact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact import moves as m
from engine.artifact.aids import spend, without, worth
from engine.artifact.catalogue import SECOND, Challenge
from engine.artifact.dice import THREE, TWO, Dice
from engine.artifact.dice import dice as dice_of
from engine.artifact.state import CHALLENGE, END, ENTRIES, FACED, FORWARD, FOUND, GIVE_UP, OVERCOME, State
from engine.artifact.turns import end_turn, is_decided
from engine.artifact.wounds import let_fall, wound
from engine.chance import below
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}
LOWEST, HIGHEST = 2, END - 1
"""R51: a party that is thrown back comes to these squares at most."""


def befall(state: State, seat: int, dice: Dice, events: list[Event]) -> None:
    """The encounter of the square (R47); squares 1 and 30 have none (R55)."""
    square = state.at[seat]
    if square == END:
        end_turn(state, events)
        return
    scenario = state.catalogue.scenarios[state.scenario]
    thrown = TWO[below(dice, 36)]
    encounter = scenario.parts[square >= SECOND][thrown[0] + thrown[1]]
    facts = {
        "scenario": scenario.key,
        "part": encounter.part + 1,
        "dice": thrown,
        "encounter": encounter.key,
    }
    if encounter.aid:
        held = [*state.aids[seat], encounter.key]
        held.sort()
        state.aids[seat] = tuple(held)
        state.journal[seat * ENTRIES + FOUND] += 1
        events.append(make(Event, ("aid", seat, facts, _NOTHING, (), True)))
        end_turn(state, events)
        return
    events.append(make(Event, ("challenge", seat, facts, _NOTHING, (), True)))
    state.encounter = encounter.key
    if encounter.fits.isdisjoint(state.aids[seat]):
        _face(state, seat, 0, dice, events)
    else:
        state.phase = CHALLENGE


def face_it(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    fits = state.catalogue.scenarios[state.scenario].encounters[state.encounter].fits
    left = without(state, seat, move.aids, fits)
    state.moves += 1
    used = tuple(sorted(move.aids))
    spend(state, seat, used, left, events)
    _face(state, seat, worth(state, used), dice_of(state), events)


def _face(state: State, seat: int, aids: int, dice: Dice, events: list[Event]) -> None:
    """The ability roll against the Challenge roll (R40, R57)."""
    challenge = state.catalogue.scenarios[state.scenario].encounters[state.encounter].challenge
    assert challenge
    die, thrown, against = THREE[below(dice, 216)]
    counts, abilities = state.counts[seat], 0
    for ability in challenge.abilities:
        abilities += counts[ability]
    abilities *= challenge.times
    total = die + abilities + aids
    overcome = against > total if state.printed else total >= against
    facts = {
        "encounter": state.encounter,
        "die": die,
        "abilities": abilities,
        "aids": aids,
        "total": total,
        "dice": thrown,
        "against": against,
        "overcome": overcome,
    }
    events.append(make(Event, ("faced", seat, facts, _NOTHING, (), True)))
    entries = seat * ENTRIES
    state.journal[entries + FACED] += 1
    if overcome:
        state.journal[entries + OVERCOME] += 1
        end_turn(state, events)
    else:
        _suffer(state, seat, challenge, dice, events)


def _suffer(state: State, seat: int, challenge: Challenge, dice: Dice, events: list[Event]) -> None:
    """The penalty of a Challenge that was not overcome (R51, R58)."""
    match challenge.penalty:
        case "turn_lost":
            state.skips[seat] = True
            events.append(Event("turn_lost", seat))
        case "squares_lost":
            _throw_back(state, seat, challenge.squares, events)
        case "aid_lost":
            if len(set(state.aids[seat])) > 1:
                state.phase = GIVE_UP
                return
            _lose_aid(state, seat, next(iter(state.aids[seat]), None), events)
        case wounds:
            square = state.at[seat]
            fell = wound(state, seat, dice, events)
            if not fell and wounds == "two_wounds":
                fell = wound(state, seat, dice, events)
            if fell:
                if state.holder == seat:
                    let_fall(state, seat, square, events)
                if is_decided(state, events):
                    return
    end_turn(state, events)


def _throw_back(state: State, seat: int, squares: int, events: list[Event]) -> None:
    """The holder toward 30, others against the move just made; nothing else happens there (R51, R54)."""
    at = state.at[seat]
    back = FORWARD if state.holder == seat else -state.step
    to = min(HIGHEST, max(LOWEST, at + squares * back))
    state.at[seat] = to
    events.append(Event("thrown_back", seat, {"squares": squares, "from": at, "to": to}))


def give_up(state: State, seat: int, move: m.GiveUp, events: list[Event]) -> None:
    if move.aid not in state.aids[seat]:
        raise IllegalMove("aid-not-held", aid=move.aid)
    state.moves += 1
    _lose_aid(state, seat, move.aid, events)
    end_turn(state, events)


def _lose_aid(state: State, seat: int, aid: str | None, events: list[Event]) -> None:
    if aid is not None:
        left = list(state.aids[seat])
        left.remove(aid)
        state.aids[seat] = tuple(left)
    facts = {"scenario": state.catalogue.scenarios[state.scenario].key, "aid": aid}
    events.append(Event("aid_lost", seat, facts))
