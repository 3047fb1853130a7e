"""Movement along the trail of Artifact (R50, R54, R55)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact import moves as m
from engine.artifact.challenges import befall
from engine.artifact.dice import Dice
from engine.artifact.dice import dice as dice_of
from engine.artifact.fights import look_for_fight
from engine.artifact.state import BACK, DIRECTION, END, ENTRIES, FORWARD, GONE, HOME, ROLL, SQUARES, State
from engine.artifact.turns import end_turn, finish, take
from engine.chance import below
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def roll(state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
    """The direction follows but for those without the Artifact once it has been taken (R50)."""
    state.moves += 1
    dice = dice_of(state)
    die = 1 + below(dice, 6)
    at = state.at[seat]
    if state.holder == seat or (at == END and state.lies != END):
        step = BACK
    elif state.lies == END or at == HOME:
        step = FORWARD
    else:
        state.die = die
        state.phase = DIRECTION
        events.append(make(Event, ("rolled", seat, {"die": die}, _NOTHING, (), True)))
        return
    _travel(state, seat, die, step, dice, events)


def go(state: State, seat: int, move: m.Go, events: list[Event]) -> None:
    if move.forward is not True and move.forward is not False:
        raise IllegalMove("no-such-direction")
    state.moves += 1
    die, state.die = state.die, 0
    _travel(state, seat, die, FORWARD if move.forward else BACK, dice_of(state), events)


def _travel(state: State, seat: int, die: int, step: int, dice: Dice, events: list[Event]) -> None:
    """R55: the move stops, the Artifact is taken, a holder on 1 wins, there is a fight, there is an encounter."""
    at, lies = state.at[seat], state.lies
    to = at + die * step
    if to < HOME:
        to = HOME
    elif to > END:
        to = END
    takes = lies != GONE and (at < lies <= to or to <= lies < at)
    if takes:
        to = lies
    state.at[seat] = to
    state.step = step
    state.journal[seat * ENTRIES + SQUARES] += abs(to - at)
    rolled = state.phase == ROLL
    direction = "forward" if step == FORWARD else "back"
    facts = {"die": die, "from": at, "to": to, "direction": direction, "round": state.round}
    events.append(make(Event, ("moved", seat, facts, _NOTHING, (), rolled)))
    if takes:
        take(state, seat, "reached" if lies == END else "picked_up", events)
    if to == HOME:
        if state.holder == seat:
            finish(state, events)
        else:
            end_turn(state, events)
    elif state.at.count(to) > 1:
        look_for_fight(state, seat, dice, events)
    else:
        befall(state, seat, dice, events)
