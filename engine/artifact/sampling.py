"""Random legal moves for random play: every one may come up, if not equally often."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.artifact.moves import BACK, FORWARD, HOLD_BACK, ROLL, Create, GiveUp, Meet, Move, Name, Use
from engine.artifact.party import ABILITIES, CHOICE, EQUIPMENT_KEYS
from engine.artifact.state import (
    ABILITY,
    CHALLENGE,
    DIRECTION,
    GIVE_UP,
    OPPONENT,
    PARTY,
    State,
)
from engine.artifact.state import ROLL as ROLLING
from engine.game import make

_KINDS: Final = len(ABILITIES)
_PIECES: Final = len(EQUIPMENT_KEYS)


def sample_move(state: State, seat: int, rng: Random) -> Move:
    """A random legal move for the decision that this seat has to make."""
    phase, random = state.phase, rng.random
    if phase == ROLLING:
        return ROLL
    if phase == DIRECTION:
        return FORWARD if random() < 0.5 else BACK
    if phase == ABILITY:
        return make(Name, (int(random() * _KINDS),))
    if phase == GIVE_UP:
        return make(GiveUp, (rng.choice(state.aids[seat]),))
    if phase == OPPONENT:
        square = state.at[seat]
        return make(Meet, (rng.choice([s for s, at in enumerate(state.at) if at == square and s != seat]),))
    if phase == PARTY:
        return sample_party(state, seat, rng)
    scenario = state.catalogue.scenarios[state.scenario]
    fits = scenario.encounters[state.encounter].fits if phase == CHALLENGE else scenario.fits[state.ability]
    used = tuple([key for key in state.aids[seat] if key in fits and random() < 0.5])
    return make(Use, (used,)) if used else HOLD_BACK


def sample_party(state: State, seat: int, rng: Random) -> Create:
    """A random way to make a party of what this seat has rolled."""
    tens = tuple([int(rng.random() * _KINDS) for _ in range(state.rolls[seat].count(CHOICE))])
    one = int(rng.random() * _PIECES)
    other = (one + 1 + int(rng.random() * (_PIECES - 1))) % _PIECES
    return make(Create, (tens, (EQUIPMENT_KEYS[min(one, other)], EQUIPMENT_KEYS[max(one, other)])))
