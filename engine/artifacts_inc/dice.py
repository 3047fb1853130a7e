"""Rolling, turning and diving with dice in Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.buying import own_index
from engine.artifacts_inc.card_list import FINDS
from engine.artifacts_inc.company import MOST_DICE, OwnCard, Usable
from engine.artifacts_inc.reputation import earn, look_at_goal
from engine.artifacts_inc.state import ACT, DIVES, State
from engine.chance import draws
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def throw(state: State, stream: str, count: int) -> list[int]:
    """Rolls so many dice and returns their faces in ascending order, for the order in which they fell means
    nothing.
    """
    dice = [1 + number for number in draws(state.key, state.counters, stream, 6, count)]
    dice.sort()
    return dice


def roll(state: State, seat: int, events: list[Event]) -> None:
    count = state.powers[seat].dice
    state.phase = ACT
    state.dice = throw(state, "dice", count if count < MOST_DICE else MOST_DICE)
    facts = {"dice": state.dice.copy(), "round": state.round}
    events.append(make(Event, ("rolled", seat, facts, _NOTHING, (), True)))


def dive(state: State, seat: int, move: m.Dive, events: list[Event]) -> None:
    if state.dived:
        raise IllegalMove("dived-already")
    taken = len(state.divers)
    if taken == len(state.catalogue.dives):
        raise IllegalMove("no-dive-left")
    left = _without(state, move.dice, "dive-needs-dice")
    top = state.catalogue.dives[taken]
    bonus = state.powers[seat].dive
    reached = sum(move.dice) + bonus
    if reached < top.number:
        raise IllegalMove("dive-too-low", number=top.number, sum=reached, bonus=bonus)
    state.moves += 1
    state.dice = left
    state.dived = tuple(sorted(move.dice))
    state.divers = (*state.divers, seat)
    earn(state, seat, DIVES, top.reputation)
    facts = {
        "dice": state.dived,
        "bonus": bonus,
        "number": top.number,
        "find": FINDS[top.find],
        "reputation": top.reputation,
    }
    events.append(make(Event, ("dived", seat, facts, _NOTHING, (), False)))
    look_at_goal(state, seat, events)


def _without(state: State, dice: Sequence[int], none: str) -> list[int]:
    """The unplaced dice that are left without some of them. Raises `IllegalMove`, `none` where none are named."""
    if not dice:
        raise IllegalMove(none)
    left = state.dice.copy()
    for die in dice:
        if die not in left:
            raise IllegalMove("no-such-die", die=die)
        left.remove(die)
    return left


def _usable(state: State, seat: int, own: OwnCard, *doing: str) -> Usable:
    """A card whose ability can be used now. Raises `IllegalMove`."""
    own_index(state, seat, own)
    for usable in state.powers[seat].abilities:
        if usable.own == own and usable.ability.do in doing:
            if state.used.count(own) >= usable.ability.uses:
                raise IllegalMove("ability-used", uses=usable.ability.uses)
            return usable
    raise IllegalMove("no-such-ability")


def turn_die(state: State, seat: int, move: m.TurnDie, events: list[Event]) -> None:
    usable = _usable(state, seat, move.by, "turn", "set")
    die, to = move.die, move.to
    if die not in state.dice:
        raise IllegalMove("no-such-die", die=die)
    if not 1 <= to <= 6:
        raise IllegalMove("no-such-face")
    if die == to:
        raise IllegalMove("same-face")
    if usable.ability.do == "turn" and abs(to - die) > 1:
        raise IllegalMove("face-out-of-reach", die=die)
    state.moves += 1
    state.used.append(usable.own)
    state.dice.remove(die)
    state.dice.append(to)
    state.dice.sort()
    facts = {"by": state.catalogue.cards[move.by.card].key, "die": die, "to": to}
    events.append(make(Event, ("turned_die", seat, facts, _NOTHING, (), False)))


def roll_again(state: State, seat: int, move: m.RollAgain, events: list[Event]) -> None:
    usable = _usable(state, seat, move.by, "roll")
    left = _without(state, move.dice, "roll-needs-dice")
    state.moves += 1
    state.used.append(usable.own)
    rolled = throw(state, "dice", len(move.dice))
    state.dice = sorted(left + rolled)
    facts = {
        "by": state.catalogue.cards[move.by.card].key,
        "dice": sorted(move.dice),
        "rolled": rolled,
    }
    events.append(make(Event, ("rolled_again", seat, facts, _NOTHING, (), True)))
