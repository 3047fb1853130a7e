"""A match as a text: every move, what it shows to whom, and what else would have been legal.

The text is a record of behaviour, kept in the tree. The moves are read from it, so that nothing but the rules
can change the rest.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from random import Random
from typing import Any

from engine.errors import IllegalMove
from engine.game import AnyGame, Event
from tests.engine.conformance import Case, key

NUMBER = 2009
"""Names the match among those of its game."""
MOVE = "> "

Played = tuple[int, dict[str, Any]]


def random_moves(case: Case) -> list[Played]:
    """A whole match of random moves."""
    game, rng = case.game, Random(NUMBER)
    state = case.new(NUMBER)
    moves: list[Played] = []
    while pending := game.pending(state):
        seat = rng.choice(pending).seat
        move = game.sample(state, seat, rng)
        game.apply(state, seat, move)
        moves.append((seat, game.dump_move(move)))
    return moves


def read_moves(text: str) -> list[Played]:
    """The moves that a playthrough tells."""
    lines = [line.removeprefix(MOVE) for line in text.splitlines() if line.startswith(MOVE)]
    return [(int(seat), json.loads(data)) for seat, _, data in (line.partition(" ") for line in lines)]


def playthrough(case: Case, moves: Sequence[Played]) -> str:
    """The text of the match with these moves."""
    return "\n".join(_lines(case, moves)) + "\n"


def _lines(case: Case, moves: Sequence[Played]) -> Iterator[str]:
    game = case.game
    yield f"{game.key}, version {game.version}, cards {game.cards_digest}, {case.seats} seats"
    yield f"options {_text(case.options.model_dump(mode='json'))}"
    yield f"key {key(NUMBER).hex()}"
    known: dict[str, int] = dict.fromkeys((_text(data) for _, data in moves), 0)
    state = case.new(NUMBER)
    yield from _described(game.opening(state), case.seats)
    shown: dict[int | None, dict[str, str]] = {}
    for number, (seat, data) in enumerate(moves):
        yield ""
        yield f"# {number}"
        yield from _changes(case, state, shown)
        yield f"legal: {_legal(game, state, known)}"
        yield f"{MOVE}{seat} {_text(data)}"
        yield from _described(game.apply(state, seat, game.load_move(data)), case.seats)
    yield ""
    yield f"# {len(moves)}"
    yield from _changes(case, state, shown)
    yield f"outcome: {game.outcome(state)}"


def _changes(case: Case, state: Any, shown: dict[int | None, dict[str, str]]) -> Iterator[str]:
    """The newly public facts, and the facts that one seat sees and not all."""
    public: dict[str, str] = {}
    for viewer in case.viewers:
        view = case.game.view(state, viewer)
        parts = {f.name: repr(getattr(view, f.name)) for f in fields(view) if f.name != "viewer"}
        if viewer is None:
            public = parts
        else:
            parts = {name: text for name, text in parts.items() if text != public[name]}
        before = shown.get(viewer, {})
        who = "all see" if viewer is None else f"{viewer} sees"
        for name, text in parts.items():
            if before.get(name) != text:
                yield f"{who} {name} {text}"
        for name in before:
            if name not in parts:
                yield f"{who} {name} as all do"
        shown[viewer] = parts


def _legal(game: AnyGame, state: Any, known: Sequence[str] | dict[str, int]) -> str:
    """How many of the match's different moves could be played now, by whom, and why the others could not."""
    verdicts: list[str] = []
    for decision in game.pending(state):
        found: Counter[str] = Counter()
        for text in known:
            try:
                game.apply(game.copy(state), decision.seat, game.load_move(json.loads(text)))
            except IllegalMove as error:
                found[error.code] += 1
            else:
                found["legal"] += 1
        verdicts.append(f"{decision.seat} " + ", ".join(f"{code} {n}" for code, n in sorted(found.items())))
    return "; ".join(verdicts)


def _described(events: Sequence[Event], seats: int) -> Iterator[str]:
    for event in events:
        mark = " (final)" if event.reveals else ""
        yield f"{event.kind} {event.seat} {_text(event.facts)}{mark}"
        for viewer in range(seats):
            if event.seen_by(viewer) != event.facts:
                yield f"  to {viewer}: {_text(event.seen_by(viewer))}"


def _text(data: object) -> str:
    return json.dumps(data, sort_keys=True)
