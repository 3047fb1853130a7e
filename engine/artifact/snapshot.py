"""Checks of a state of Artifact that was read: the rules can go on from a state that passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.artifact.catalogue import SECOND, Scenario
from engine.artifact.party import CHOICE, EQUIPMENT_KEYS, MEMBERS, ROLLS, SIZES, WELL, WOUNDED
from engine.artifact.party import GONE as GONE_MEMBER
from engine.artifact.state import (
    ABILITY,
    ATTACK,
    CHALLENGE,
    DEFEND,
    DIRECTION,
    END,
    ENTRIES,
    GIVE_UP,
    GONE,
    HOME,
    NOBODY,
    NONE,
    OPPONENT,
    OVER,
    PARTY,
    State,
)
from engine.order import first_by

_MOVED: Final = frozenset({OPPONENT, ABILITY, ATTACK, DEFEND, CHALLENGE, GIVE_UP})
"""The phases in which the active party has moved."""
_FIGHTING: Final = frozenset({ABILITY, ATTACK, DEFEND})
_FACING: Final = frozenset({CHALLENGE, GIVE_UP})


def fitting(state: State) -> Iterator[tuple[bool, str]]:
    """Whether a state just read is one of a match, part by part; what comes later relies on what came before."""
    by_seat = (state.rolls, state.created, state.members, state.wounds, state.aids, state.at, state.skips)
    yield all(len(part) == state.seats for part in by_seat), "a list by seat"
    yield len(state.journal) == state.seats * ENTRIES, "a list by seat"
    yield (
        max(state.first, state.active, state.holder, state.opponent) < state.seats,
        "a seat that does not exist",
    )
    making = state.phase == PARTY
    yield not state.waiting >> state.seats and bool(state.waiting) == making, "waiting"
    yield bool(state.die) == (state.phase == DIRECTION), "die"
    yield bool(state.step) == (state.phase in _MOVED), "step"
    yield bool(state.encounter) == (state.phase in _FACING), "encounter"
    yield (state.opponent != NOBODY) == (state.phase in _FIGHTING), "opponent"
    yield (state.ability != NONE) == (state.phase in (ATTACK, DEFEND)), "ability"
    yield not state.used or state.phase == DEFEND, "used"
    yield state.scenario < len(state.catalogue.scenarios), "scenario"
    yield from _beginning_fits(state) if making else _match_fits(state)


def _beginning_fits(state: State) -> Iterator[tuple[bool, str]]:
    yield _is_beginning(state), "its beginning"
    yield all(_is_being_made(state, seat) for seat in range(state.seats)), "created"


def _match_fits(state: State) -> Iterator[tuple[bool, str]]:
    scenario = state.catalogue.scenarios[state.scenario]
    yield not any(state.rolls) and not any(state.created), "rolls"
    yield first_by(state.order, state.seats, faces=CHOICE) == state.first, "order"
    yield all(_is_party(state, seat, scenario) for seat in range(state.seats)), "members"
    yield _artifact_fits(state), "holder"
    yield _is_over(state) == (state.phase == OVER), "phase"
    yield state.phase == OVER or _turn_fits(state, scenario), "its turn"


def _is_beginning(state: State) -> bool:
    """Nothing has happened but that some have made their parties."""
    new = State(catalogue=state.catalogue, seats=state.seats, key=state.key)
    made = state.seats - state.waiting.bit_count()
    as_new = ("order", "round", "first", "active", "members", "wounds", "aids", "at", "skips", "holder")
    as_new += ("lies", "journal", "hands")
    return state.moves == made and all(getattr(state, name) == getattr(new, name) for name in as_new)


def _is_being_made(state: State, seat: int) -> bool:
    """A party has its rolls, and its player's choice once it has been made."""
    rolls, created = state.rolls[seat], state.created[seat]
    if len(rolls) != ROLLS or (created is None) != bool(state.waiting >> seat & 1):
        return False
    if created is None:
        return True
    in_order = [key for key in EQUIPMENT_KEYS if key in created.equipment]
    return len(created.tens) == rolls.count(CHOICE) and list(created.equipment) == in_order


def _is_party(state: State, seat: int, scenario: Scenario) -> bool:
    """Members have lost one ability with the first wound, all with the second; who is out has nothing."""
    wounds, party, aids = state.wounds[seat], state.members[seat], state.aids[seat]
    if len(wounds) != MEMBERS or len(party) != MEMBERS:
        return False
    for wound, member, size in zip(wounds, party, SIZES, strict=True):
        if len(member) != (size if wound == WELL else size - 1 if wound == WOUNDED else 0):
            return False
    if wounds[0] != WELL and any(wound != GONE_MEMBER for wound in wounds[1:]):
        return False
    if list(aids) != sorted(aids) or not all(key in scenario.aids for key in aids):
        return False
    out = all(wound == GONE_MEMBER for wound in wounds)
    return out == (state.at[seat] == GONE) and not (out and (aids or state.skips[seat]))


def _artifact_fits(state: State) -> bool:
    """It is held by a party still in, which had it last, or lies on a square."""
    holder, lies, hands = state.holder, state.lies, state.hands
    for held in hands:
        if held.seat >= state.seats or not HOME < held.square <= END or not 1 <= held.round <= state.round:
            return False
    if (lies == END) == bool(hands):
        return False
    if holder == NOBODY:
        return lies not in (GONE, HOME)
    return lies == GONE and state.at[holder] != GONE and hands[-1].seat == holder


def _is_over(state: State) -> bool:
    left = state.seats - state.at.count(GONE)
    return left == 1 or (state.holder != NOBODY and state.at[state.holder] == HOME)


def _turn_fits(state: State, scenario: Scenario) -> bool:
    """The open decision is possible."""
    seat, phase = state.active, state.phase
    square = state.at[seat]
    if square in (GONE, state.lies) or state.skips[seat]:
        return False
    others = [s for s, at in enumerate(state.at) if at == square and s != seat]
    match phase:
        case "roll":
            return True
        case "direction":
            return state.holder != seat and state.lies != END and square not in (HOME, END)
        case "opponent":
            return square != HOME and len(others) > 1 and state.holder not in others
        case "ability" | "attack" | "defend":
            return square != HOME and state.opponent in others and _fight_fits(state, others, scenario)
        case _:
            return square not in (HOME, END) and _challenge_fits(state, scenario)


def _fight_fits(state: State, others: Sequence[int], scenario: Scenario) -> bool:
    if state.holder in others and state.opponent != state.holder:
        return False
    if state.phase == ABILITY:
        return True
    fits = scenario.fits[state.ability]
    asked = state.active if state.phase == ATTACK else state.opponent
    spent = list(state.used) == sorted(state.used) and all(key in fits for key in state.used)
    return spent and not fits.isdisjoint(state.aids[asked])


def _challenge_fits(state: State, scenario: Scenario) -> bool:
    encounter = scenario.encounters.get(state.encounter)
    if (
        encounter is None
        or encounter.challenge is None
        or encounter.part != (state.at[state.active] >= SECOND)
    ):
        return False
    held = set(state.aids[state.active])
    if state.phase == CHALLENGE:
        return not encounter.fits.isdisjoint(held)
    return encounter.challenge.penalty == "aid_lost" and len(held) > 1
