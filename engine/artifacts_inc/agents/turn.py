"""A turn's possible courses, as `engine.agents.lines` searches them.

Whatever can be done in any order is looked at in one order alone: what gains, then what sells, then what buys, each
by its space; a purchase may open new spaces, so after it all is looked at again. An ability is used for a die just
before that is placed. The outcome of chance, such as a roll again or a refilled offer, is not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.agents.lines import Judged
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.layout import best_place
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.catalogue import ANY, Ability, Action
from engine.artifacts_inc.choices import (
    dive_due,
    faces,
    fillable,
    gatherable,
    purchases,
    turnable,
)
from engine.artifacts_inc.company import OwnCard, Space
from engine.artifacts_inc.state import State

STOPPER: Final = 0
"""A die of no face, which fits nowhere. With it the rules never end the planned turn (R37), nor roll for the next."""
_SELLING: Final = ("museum", "collect", "sell")
_GAINING, _SELLS, _BUYS = range(3)
_DIES_TRIED: Final = 2
"""Different dice that are tried on a slot: those that fit the fewest others."""
PIP: Final = 0.02
"""The expected worth of a pip of an unplaced die, in reputation."""

Apply = Callable[[State, int, Any], object]
Key = tuple[int, int]
"""How far the one order has come: what kind of deed, and on which space."""


class Course(NamedTuple):
    """A position within the turn, and how far the order of deeds has come."""

    state: State
    since: Key = (-1, -1)


def planned(state: State) -> Course:
    """The course's beginning: a position in which the turn does not end, and nothing is revealed."""
    start = state.copy()
    start.dice = [STOPPER, *start.dice]
    start.piles = [() for _ in start.piles]
    return Course(start)


class Turn:
    """The plan of the active seat's turn (`engine.agents.lines.Plan`)."""

    def __init__(self, apply: Apply, standing: Standing) -> None:
        self._apply = apply
        self._standing = standing
        self._seat = standing.seat
        self.judged = 0
        """How many positions have been judged."""

    # -- what the search asks

    def left(self, course: Course, /) -> int:
        return len(course.state.dice) - 1

    def same(self, course: Course, /) -> Hashable:
        state, seat = course.state, self._seat
        return (
            tuple(state.dice),
            frozenset(state.covered),
            state.dollars[seat],
            tuple(state.artifacts[seat]),
            state.sides[seat],
            state.places[seat],
            tuple(state.orders),
            len(state.divers),
            tuple(sorted(state.used)),
            course.since,
        )

    def judge(self, course: Course, /) -> Judged:
        self.judged += 1
        state = course.state
        worth = self._standing.worth(state)
        pips = sum(state.dice)
        return Judged(worth, self._standing.worth(state, PIP * pips) if pips else worth)

    def steps(self, course: Course, /) -> Iterator[tuple[tuple[m.Move, ...], Course]]:
        for moves, since in self._deeds(course):
            state = course.state.copy()
            for move in moves:
                self._apply(state, self._seat, move)
            yield moves, Course(state, since)

    # -- what can be done next

    def _deeds(self, course: Course) -> Iterator[tuple[tuple[m.Move, ...], Key]]:
        state, since = course
        dice = state.dice[1:]
        powers = state.powers[self._seat]
        usable = [
            (own, ability)
            for own, ability in powers.abilities
            if ability.do != "roll" and state.used.count(own) < ability.uses
        ]
        if since <= (_GAINING, -1):
            for moves in self._dives(state, dice, usable):
                yield moves, (_GAINING, 0)
        covered = state.covered
        reach = _reach(powers.spots, covered, dice)
        for at, (space, slot) in enumerate(powers.spots):
            if space in covered:
                continue
            do = slot.action.do
            kind = _BUYS if do == "buy" else _SELLS if do in _SELLING else _GAINING
            key = (kind, at)
            if key < since:
                continue
            dies = self._dies(dice, slot.faces, reach, usable)
            if not dies:
                continue
            options = list(self._options(state, slot.action))
            after = (-1, -1) if kind == _BUYS else key
            for turned, die in dies:
                for make, asks in options:
                    yield (*turned, make(die, space, *asks)), after

    def _dies(
        self, dice: Sequence[int], fits: int, reach: dict[int, int], usable: Sequence[tuple[OwnCard, Ability]]
    ) -> list[tuple[tuple[m.Move, ...], int]]:
        """Dice for a slot: the fitting ones that fit least else, or one that an ability makes fit."""
        fitting = [die for die in dict.fromkeys(dice) if fits >> die & 1]
        if fitting:
            fitting.sort(key=lambda die: (reach[die], die))
            return [((), die) for die in fitting[:_DIES_TRIED]]
        for own, ability in usable:
            for die in sorted(dict.fromkeys(dice), key=lambda die: (reach[die], die)):
                for face in faces(ability, die):
                    if fits >> face & 1:
                        return [((m.TurnDie(own, die, face),), face)]
        return []

    def _dives(
        self, state: State, dice: Sequence[int], usable: Sequence[tuple[OwnCard, Ability]]
    ) -> Iterator[tuple[m.Move, ...]]:
        """The cheapest dive with the dice as they are, and with one of them raised by an ability."""
        due = dive_due(state)
        if due is None or not dice:
            return
        plain = _cheapest(dice, due)
        if plain:
            yield (m.Dive(plain),)
        for own, ability in usable:
            die = min(dice)
            face = max(faces(ability, die), default=die)
            if face > die:
                raised = sorted([*dice, face])
                raised.remove(die)
                sum_ = _cheapest(raised, due)
                if sum_ and face in sum_ and (not plain or len(sum_) < len(plain)):
                    yield m.TurnDie(own, die, face), m.Dive(sum_)
                    return

    def _options(
        self, state: State, action: Action
    ) -> Iterator[tuple[Callable[..., m.Move], tuple[Any, ...]]]:
        """How an action can be carried out, what is never better left out."""
        match action.do:
            case "gather":
                for artifact in gatherable(state):
                    yield m.Gather, (artifact,)
            case "museum":
                yield from ((m.FillOrder, order) for order in self._orders(state, action.artifact))
            case "collect":
                for sold in self._collections(state):
                    yield m.Collect, (sold,)
            case "sell":
                for artifact, n in enumerate(state.artifacts[self._seat]):
                    if n:
                        yield m.SellOne, (artifact,)
            case "buy":
                sides, places = state.sides[self._seat], state.places[self._seat]
                for card in purchases(state):
                    yield m.Buy, (card, best_place(state.catalogue, sides, places, card))
                for own in dict.fromkeys(turnable(state)):
                    yield m.TurnCard, (own,)
            case _:
                yield m.PlaceDie, ()

    def _orders(self, state: State, museum: int = ANY) -> list[tuple[int, int]]:
        """The orders that can be filled; of equal ones the highest (R27)."""
        by_size = {
            (kind, state.catalogue.orders(kind, state.seats)[order]): (kind, order)
            for kind, order in fillable(state, museum)
        }
        return list(by_size.values())

    def _collections(self, state: State) -> list[tuple[int, ...]]:
        """All artifacts, one of each kind, and all but those that an order asks for."""
        held = tuple(state.artifacts[self._seat])
        if not any(held):
            return []
        one = tuple([min(1, n) for n in held])
        found = [held, one]
        for kept, n in enumerate(held):
            if n:
                found.append(tuple([0 if kind == kept else n for kind, n in enumerate(held)]))
                found.append(tuple([1 if kind == kept else n for kind, n in enumerate(held)]))
        return [sold for sold in dict.fromkeys(found) if any(sold)]


def _cheapest(dice: Sequence[int], due: int) -> tuple[int, ...] | None:
    """The fewest dice that reach a sum, of these the least pips."""
    ordered = sorted(dice)
    for count in range(1, len(ordered) + 1):
        if sum(ordered[-count:]) >= due:
            chosen = ordered[-count:]
            rest = ordered[:-count]
            for at in range(count):
                for other in rest:
                    if other < chosen[at] and sum(chosen) - chosen[at] + other >= due:
                        rest.remove(other)
                        rest.append(chosen[at])
                        chosen[at] = other
                        break
            return tuple(sorted(chosen))
    return None


def _reach(
    spots: Sequence[tuple[Space, Any]], covered: Sequence[Space], dice: Sequence[int]
) -> dict[int, int]:
    """How many free slots each face fits."""
    free = [slot.faces for space, slot in spots if space not in covered]
    return {die: sum([fits >> die & 1 for fits in free]) for die in set(dice)}
