"""A recorded match, split into turns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.game import AnyGame
from engine.record import Record, Step, replay

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a match, and its turn.

    `turn` counts from 1; 0 is the set-up. `owner` is the seat whose turn it is; None in the set-up. Other seats may
    have decisions in the turn too. `nth` is the turn's number as players count: the round where the game tells rounds,
    else the number of turns that the owner has begun.
    """

    step: Step
    turn: int
    owner: int | None
    nth: int


def moments(record: Record, games: Mapping[str, AnyGame]) -> Iterator[Moment]:
    """The moments of a match, as far as it can be replayed. A moment is valid until the next: its state is mutable."""
    turn, owner, nth, rounds, begun = 0, None, 0, 0, [0] * len(record.seats)
    for step in replay(record, games):
        if step.seat not in (None, owner) and (
            owner is None or step.kind not in games[record.game].out_of_turn
        ):
            turn, owner = turn + 1, step.seat
            begun[step.seat] += 1
            nth = rounds or begun[step.seat]
        rounds = int(getattr(step.state, "round", 0))
        yield Moment(step, turn, owner, nth)


def sampled(made: Sequence[T], most: int) -> list[T]:
    """At most so many of these, evenly spaced."""
    if len(made) <= most:
        return [*made]
    return [made[number * len(made) // most] for number in range(most)]


def seed_of(record: Record, what: str, number: int) -> bytes:
    """The seed of a thought about a match. It follows from public facts alone."""
    return hashlib.sha256(f"review:{record.commitment}:{what}:{number}".encode()).digest()
