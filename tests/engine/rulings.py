"""Rulings and examples of the rule pages as tables: a row has a name, a state, the moves, and all that follows.

A row's name begins with the number of its ruling, where it has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from engine.errors import IllegalMove
from engine.game import AnyGame, Event

Play = Callable[[Any, Any], list[Event]]
"""Makes a move of a row on a state and returns its events."""
OF_THE_GAME = ("asked", "events", "facts", "ended")


def judged(game: AnyGame, state: Any, seat: int, move: Any) -> str:
    """Why the engine refuses a move, or "legal"."""
    try:
        game.apply(state.copy(), seat, move)
    except IllegalMove as error:
        return error.code
    return "legal"


class Ruling(NamedTuple):
    name: str
    state: Any
    moves: tuple[Any, ...]
    follows: Mapping[str, Any]


def row(name: str, state: Any, *moves: Any, **follows: Any) -> Ruling:
    """A ruling. Of what follows, these names have a meaning of their own; any other is an attribute of the state.

    `asked`: the seat and the kind of the decision, None once the match is over; `events`: the kinds of the last move's
    events; `facts`: some of their facts, by kind; `refuses`: moves by the code with which each is refused; `ended`:
    winners and reason. Of a dict only the entries named are compared.
    """
    return Ruling(name, state, moves, follows)


def each(table: Sequence[Ruling]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("ruling", table, ids=[ruling.name for ruling in table])


def check(game: AnyGame, ruling: Ruling, play: Play, read: Callable[[Any, str], Any] = getattr) -> None:
    """Plays a ruling's moves and compares what follows; `read` gives a part of a state by its name."""
    state = game.copy(ruling.state)
    events: list[Event] = []
    for move in ruling.moves:
        events = play(state, move)
    for name, expected in ruling.follows.items():
        if name == "refuses":
            for code, moves in expected.items():
                assert [refusal(game, state, move).code for move in moves] == [code] * len(moves)
        else:
            found = _found(game, state, events, name) if name in OF_THE_GAME else read(state, name)
            assert _part(found, expected) == expected, name


def refusal(game: AnyGame, state: Any, move: Any, seat: int | None = None) -> IllegalMove:
    """The error with which a move of the seat that is asked is refused; nothing has changed."""
    before = game.dump(state)
    pending = game.pending(state)
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, seat if seat is not None else pending[0].seat if pending else 0, move)
    assert game.dump(state) == before
    return caught.value


def _found(game: AnyGame, state: Any, events: list[Event], name: str) -> Any:
    match name:
        case "asked":
            pending = game.pending(state)
            return (pending[0].seat, pending[0].kind) if pending else None
        case "events":
            return " ".join(event.kind for event in events)
        case "facts":
            return {event.kind: event.facts for event in events}
        case _:
            outcome = game.outcome(state)
            return outcome and (outcome.winners, outcome.why)


def _part(found: Any, expected: Any) -> Any:
    """The entries of a value that are expected of it."""
    if not isinstance(expected, dict):
        return found
    return {key: _part(found[key], part) for key, part in expected.items()}
