"""Every legal move, for tests: the rules and random play are held against it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.choices import fitting, opponents
from engine.artifact.party import ABILITIES
from engine.artifact.state import Position


def every_move(position: Position) -> Iterator[m.Move]:
    """Every legal move of the seat that is asked, once each, after the parties are made.

    Making a party has too many ways to be listed.
    """
    match position.phase:
        case s.ROLL:
            yield m.ROLL
        case s.DIRECTION:
            yield from (m.FORWARD, m.BACK)
        case s.OPPONENT:
            yield from map(m.Meet, opponents(position))
        case s.ABILITY:
            yield from map(m.Name, range(len(ABILITIES)))
        case s.GIVE_UP:
            yield from map(m.GiveUp, sorted(set(position.aids[position.active])))
        case s.ATTACK | s.DEFEND | s.CHALLENGE:
            held = fitting(position)
            for counts in product(*(range(n + 1) for _, n in held)):
                keys = [aid.key for (aid, _), n in zip(held, counts, strict=True) for _ in range(n)]
                yield m.Use(tuple(sorted(keys)))
        case _:
            return
