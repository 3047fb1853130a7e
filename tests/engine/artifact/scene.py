"""Matches set up by hand, and dice that fall as a test wants them.

A party is text: each member's abilities, the leader's first, with slashes between the members. "!" after a member's
abilities says that it is wounded, "x" that it is out. Where less is written than six members, the rest are well and
have no abilities that matter (they have Personality).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest

from engine.artifact import Artifact, create
from engine.artifact import moves as m
from engine.artifact import turns as thrown
from engine.artifact.choices import people
from engine.artifact.party import ABILITIES, GONE, SIZES, WELL, WOUNDED, counted
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import END, NOBODY, ROLL, Held, State
from engine.errors import IllegalMove
from engine.game import Event

GAME: Artifact = create()
KEY = bytes(range(32))
DULL = "personality"

ENCOUNTERS = {
    "fever": (3, 3),
    "rope_bridge": (4, 4),
    "letter": (3, 4),
    "rival_agent": (1, 2),
    "rapids": (1, 1),
    "caimans": (6, 6),
    "jaguar": (5, 6),
    "boatman": (2, 3),
    "spear_hall": (3, 3),
    "stairway": (4, 4),
    "keeper": (1, 2),
    "rubbings": (3, 4),
    "green_maze": (6, 6),
    "idol": (5, 5),
    "serpent_gate": (1, 1),
    "honey_hunters": (2, 3),
}
"""Dice that bring about events of the Lost City: the first six are on its first table from 2 to 15, the later ones of
the same dice on its second."""


def party(text: str = "") -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Members and wounds."""
    members: list[tuple[int, ...]] = []
    wounds: list[int] = []
    words = [word.strip() for word in text.split("/")] if text else []
    for number, size in enumerate(SIZES):
        word = words[number] if number < len(words) else ""
        wound = GONE if word == "x" else WOUNDED if word.endswith("!") else WELL
        named = [] if wound == GONE else word.rstrip("!").split()
        room = 0 if wound == GONE else size - wound
        assert len(named) <= room, f"member {number} has room for {room} abilities"
        members.append(tuple(ABILITIES.index(name) for name in named + [DULL] * (room - len(named))))
        wounds.append(wound)
    return tuple(members), tuple(wounds)


def scene(
    *squares: int,
    parties: Mapping[int, str] | None = None,
    aids: Mapping[int, str] | None = None,
    active: int = 0,
    holder: int = NOBODY,
    lies: int | None = None,
    skips: Sequence[int] = (),
    scenario: str = "lost_city",
    challenges: Any = "corrected",
    game: Artifact = GAME,
    **more: Any,
) -> State:
    """A match in its fifth round, begun by seat 0, with a party on each of these squares, before the roll.

    A party on square 0 is out. Where the Artifact is neither held nor lies elsewhere, it has not been taken.
    """
    seats = len(squares)
    state = game.new(seats, ArtifactOptions(scenario=scenario, challenges=challenges), KEY)
    state.waiting, state.phase, state.rolls = 0, ROLL, [()] * seats
    state.order = ((0, 10), *((seat, 1) for seat in range(1, seats)))
    state.round, state.first, state.active, state.moves = 5, 0, active, 40
    state.at = list(squares)
    for seat, square in enumerate(squares):
        text = (parties or {}).get(seat, "") if square else "/".join("x" * 6)
        state.members[seat], state.wounds[seat] = party(text)
        state.counts[seat] = counted(state.members[seat])
        state.aids[seat] = tuple(sorted((aids or {}).get(seat, "").split()))
        state.skips[seat] = seat in skips
    state.holder = holder
    state.lies = lies if lies is not None else END if holder == NOBODY else 0
    if state.lies != END:
        state.hands = (Held(4, holder if holder != NOBODY else 0, END),)
    for name, value in more.items():
        setattr(state, name, value)
    return state


# -- dice: what a throw is as a number


def d6(face: int) -> int:
    return face - 1


def d10(face: int) -> int:
    return face - 1


def two(one: int, other: int) -> int:
    return 6 * (one - 1) + other - 1


def encounter(key: str) -> int:
    """The two dice of an event of the Lost City."""
    return two(*ENCOUNTERS[key])


def against(die: int, one: int, other: int) -> int:
    """An ability roll's die against a Challenge roll."""
    return 36 * (die - 1) + two(one, other)


def pick(number: int) -> int:
    """The member, or the ability, with this number among those that may be drawn."""
    return number


HIGH = against(6, 1, 1)
"""Dice with which any Challenge is overcome, read with R40."""
LOW = against(1, 6, 6)
"""Dice with which a party without abilities and Aids fails."""


@contextmanager
def dice(*numbers: int) -> Iterator[None]:
    """Within it the dice fall like this; all of them must be thrown, and no more."""
    left = iter(numbers)
    with patch.object(thrown, "words", lambda *_: left):
        yield
    assert not list(left), "more dice were laid out than are thrown"


def play(
    state: State, move: Any, *numbers: int, seat: int | None = None, game: Artifact = GAME
) -> list[Event]:
    """Plays a move of who is asked, with these dice."""
    if seat is None:
        seat = game.pending(state)[0].seat
    with dice(*numbers):
        return game.apply(state, seat, move)


def roll(state: State, face: int, *numbers: int) -> list[Event]:
    """Rolls for movement."""
    return play(state, m.ROLL, d6(face), *numbers)


def after(state: State, face: int, *numbers: int) -> State:
    roll(state, face, *numbers)
    return state


def refused(state: State, move: Any, seat: int | None = None, game: Artifact = GAME) -> IllegalMove:
    """Why a move is refused; nothing has changed."""
    before = game.dump(state)
    if seat is None:
        seat = game.pending(state)[0].seat
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, seat, move)
    assert game.dump(state) == before
    return caught.value


# -- what came of it


def kinds(events: Sequence[Event]) -> list[str]:
    return [found.kind for found in events]


def facts(events: Sequence[Event], kind: str) -> dict[str, Any]:
    (found,) = [event for event in events if event.kind == kind]
    return dict(found.facts)


def asked(state: State, game: Artifact = GAME) -> tuple[int, str] | None:
    """The seats that are asked, with their decisions."""
    pending = game.pending(state)
    return (pending[0].seat, pending[0].kind) if pending else None


def wounds(state: State, seat: int) -> list[int]:
    return [person.wound for person in people(state, seat)]


def sound(state: State, game: Artifact = GAME) -> State:
    """The state, which can be stored and read."""
    assert game.dump(game.load(game.dump(state))) == game.dump(state)
    return state


def ascending(numbers: Sequence[Any]) -> bool:
    return all(one <= other for one, other in pairwise(numbers))
