"""The course of turns in Artifacts, Inc., with rolling, turning and diving with dice, and the end of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.choices import majority
from engine.artifacts_inc.company import MOST_DICE, CompanyCard, Usable, powers_of
from engine.artifacts_inc.placing import earn, look_at_goal, own_index
from engine.artifacts_inc.state import ACT, ARRANGE, DIVES, MUSEUMS, OVER, ROUNDS, State, cubes_on_museums
from engine.chance import draws, roll_for_first
from engine.errors import IllegalMove
from engine.game import Event, Outcome, make, rank

_NOTHING: Final[Mapping[str, Any]] = {}


def throw(state: State, stream: str, count: int) -> list[int]:
    """Rolls so many dice and returns their faces in ascending order, for the order in which they fell means
    nothing.
    """
    dice = [1 + number for number in draws(state.key, state.counters, stream, 6, count)]
    dice.sort()
    return dice


def roll(state: State, seat: int, events: list[Event]) -> None:
    """Rolls the dice of a turn."""
    count = state.powers[seat].dice
    state.phase = ACT
    state.dice = throw(state, "dice", count if count < MOST_DICE else MOST_DICE)
    facts = {"dice": state.dice.copy(), "round": state.round}
    events.append(make(Event, ("rolled", seat, facts, _NOTHING, (), True)))


def dive(state: State, seat: int, move: m.Dive, events: list[Event]) -> None:
    """Places dice on the Dive space for the top U card."""
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
    look_at_goal(state, seat, top.reputation, events)


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


def _usable(state: State, seat: int, own: CompanyCard, *doing: str) -> Usable:
    """A card whose ability can be used now. Raises `IllegalMove`."""
    own_index(state, seat, own)
    for usable in state.powers[seat].abilities:
        if usable.own == own and usable.ability.do in doing:
            if state.used.count(own) >= usable.ability.uses:
                raise IllegalMove("ability-used", uses=usable.ability.uses)
            return usable
    raise IllegalMove("no-such-ability")


def turn_die(state: State, seat: int, move: m.TurnDie, events: list[Event]) -> None:
    """Turns a die to another face by a card's ability."""
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
    """Rolls dice again by a card's ability."""
    usable = _usable(state, seat, move.by, "roll")
    left = _without(state, move.dice, "roll-needs-dice")
    state.moves += 1
    state.used.append(usable.own)
    rolled = throw(state, "dice", len(move.dice))
    state.dice = sorted(left + rolled)
    facts = {"by": state.catalogue.cards[move.by.card].key, "dice": sorted(move.dice), "rolled": rolled}
    events.append(make(Event, ("rolled_again", seat, facts, _NOTHING, (), True)))


def choose_first(state: State) -> None:
    """Each seat rolls two dice, and the highest sum begins (R33)."""

    def roll_each(seats: Sequence[int]) -> list[tuple[int, int, int]]:
        dice = [throw(state, "first", 2) for _ in seats]
        return [(seat, low, high) for seat, (low, high) in zip(seats, dice, strict=True)]

    state.rolls, state.first = roll_for_first(state.seats, roll_each)
    state.active = state.first


def arrange(state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
    """The starting cards' order, and the first roll (R36)."""
    order = move.order
    lying = tuple([side >> 1 for side in state.sides[seat]])
    if order is not None and sorted(order) != list(state.catalogue.start):
        raise IllegalMove("not-the-starting-cards")
    state.moves += 1
    if order is not None and order != lying:
        state.sides[seat] = tuple([2 * number for number in order])
        state.powers[seat] = powers_of(state.catalogue, state.sides[seat])
        keys = [state.catalogue.cards[number].key for number in order]
        events.append(Event("arranged", seat, {"order": keys}))
    roll(state, seat, events)


def pass_(state: State, seat: int, move: m.Pass, events: list[Event]) -> None:
    """Ends the turn: the dice left are not placed."""
    state.moves += 1
    events.append(make(Event, ("passed", seat, {"dice": state.dice.copy()}, _NOTHING, (), False)))
    state.dice.clear()


def end_turn(state: State, events: list[Event]) -> None:
    """Begins the next seat's turn, or ends the match with the last round."""
    state.covered.clear()
    state.laid.clear()
    state.used.clear()
    state.dived = ()
    following = state.active + 1
    if following == state.seats:
        following = 0
    if following == state.first:
        if state.last or state.round == ROUNDS:
            _finish(state, events)
            return
        state.round += 1
    state.active = following
    if state.round == 1:
        state.phase = ARRANGE
    else:
        roll(state, following, events)


def _finish(state: State, events: list[Event]) -> None:
    """Pays the majorities (R27) and names the winners."""
    state.phase = OVER
    for museum, card in enumerate(state.catalogue.museums):
        seat = majority(state, museum)
        if seat is not None:
            earn(state, seat, MUSEUMS, card.majority)
            orders = state.orders[museum]
            cubes = orders.count(seat)
            tied = any(orders.count(other) == cubes for other in range(state.seats) if other != seat)
            facts = {"artifact": ARTIFACTS[museum], "cubes": cubes, "reputation": card.majority}
            facts["tied"] = tied
            events.append(Event("majority", seat, facts))
    end = outcome(state)
    assert end
    events.append(Event("over", None, {"winners": end.winners, "scores": end.scores}, reveals=True))


def outcome(state: State) -> Outcome | None:
    """Most reputation; then more dollars, more cubes on museums (R24). `detail` is the tie-break that decided."""
    if state.phase != OVER:
        return None
    reputation, dollars = tuple(state.reputation), tuple(state.dollars)
    cubes = tuple([cubes_on_museums(state, seat) for seat in range(state.seats)])
    ranks = rank(list(zip(reputation, dollars, cubes, strict=True)))
    first = max(zip(reputation, dollars, strict=True))
    if reputation.count(first[0]) == 1:
        return Outcome(ranks, reputation, "reputation", dollars)
    if list(zip(reputation, dollars, strict=True)).count(first) == 1:
        return Outcome(ranks, reputation, "dollars", dollars)
    return Outcome(ranks, reputation, "cubes" if ranks.count(1) == 1 else "shared", cubes)
