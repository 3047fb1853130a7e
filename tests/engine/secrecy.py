"""Invariants of every game's secrets: facts hidden from viewers change nothing that they see.

Nothing here knows a game's rules. The checks of secrecy use *twins*: states that `determinize` makes of one
view, all alike to its viewer and each with other hidden cards. The viewer's sight of the same move may then differ
between twins only where chance or a revelation says so. `docs/adding-a-game.md` says what such checks cannot see.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import combinations
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from engine.errors import IllegalMove
from engine.game import AnyGame, Event
from tests.engine.conformance import Case, Step, Walk, key, try_move
from tests.sampling import amount

TWINS = 3
"""How many twins are compared with the real state."""
DRAWS = 12
"""How many twins are drawn at most until `TWINS` of them can play a move, one of them with the same outcome of chance.
"""
STARTS = 60
"""How many set-ups of a case are compared."""
MOST_STARTS = amount(1_500, 600)
"""How many set-ups are made at most until two of them tell everybody the same."""
REDRAWN = 8
"""Of how many set-ups twins are made, and how many twins of each."""

Viewer = int | None
Lines = tuple[str, ...]


# -- what a viewer sees, as text


def seen(events: Sequence[Event], viewer: Viewer) -> Lines:
    """The lines of the match's log as a viewer may know them."""
    return tuple(json.dumps([e.kind, e.seat, e.reveals, dict(e.seen_by(viewer))]) for e in events)


def withheld(event: Event, viewer: Viewer) -> bool:
    """Whether the event has a secret that the viewer is not told."""
    return bool(event.secret) and viewer not in event.known_to


def shown(view: Any) -> tuple[Any, ...]:
    """All that a view shows, whatever its own comparison makes of it."""
    return _values(type(view))(view)


@cache
def _values(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


def contents(view: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(view, field.name)) for field in fields(view)]


def leaves(view: Any) -> dict[str, Any]:
    """The single values in a view, by where they stand in it."""
    return {path: leaf for name, value in contents(view) for path, leaf in _leaves(name, value)}


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        parts: Sequence[tuple[Any, Any]] = contents(value)
    elif isinstance(value, Mapping):
        parts = list(value.items())
    elif isinstance(value, (tuple, list)):
        parts = list(enumerate(value))
    else:
        yield path, value
        return
    for name, part in parts:
        yield from _leaves(f"{path}.{name}", part)


def check_plain(view: Any, elsewhere: Any) -> None:
    """A view holds what it shows and nothing else: plain values, and what is the same object in any other match."""
    _check_own(view, "view")
    for name, value in contents(view):
        if value is not getattr(elsewhere, name):
            _check_plain(value, f"view.{name}")


def _check_own(value: Any, path: str) -> None:
    """A dataclass has its fields and nothing beside them."""
    declared = {field.name for field in fields(value)}
    assert getattr(value, "__dict__", dict.fromkeys(declared)).keys() == declared, f"{path} holds more"


def _check_plain(value: Any, path: str) -> None:
    if is_dataclass(value):
        _check_own(value, path)
        for name, part in contents(value):
            _check_plain(part, f"{path}.{name}")
    elif isinstance(value, Mapping):
        for name, part in value.items():
            _check_plain(name, f"{path}, key")
            _check_plain(part, f"{path}.{name}")
    elif isinstance(value, (tuple, list)):
        assert not hasattr(value, "__dict__"), f"{path} holds more"
        for number, part in enumerate(value):
            _check_plain(part, f"{path}.{number}")
    else:
        assert value is None or type(value) in (bool, int, float, str), f"{path} is a {type(value)}"


# -- views


def check_views(walk: Walk) -> None:
    """A state determinized from a view gives that view, and to everybody else the public facts.

    It is made from the view alone, which can be sent to another process; and from a view of a determinized state as
    from a view of a match.
    """
    game, rng = walk.case.game, Random(walk.number)
    for state in walk.moments():
        public = shown(game.view(state, None))
        for viewer in walk.case.viewers:
            view = game.view(state, viewer)
            assert view == game.view(state, viewer)
            sent = pickle.loads(pickle.dumps(view))
            assert sent == view
            twin, other = state, rng.choice(walk.case.viewers)
            for _ in range(TWINS):
                twin = game.determinize(sent, rng)
                again = game.view(twin, viewer)
                assert again == view
                assert shown(again) == shown(view)
                assert shown(game.view(twin, None)) == public, f"what {viewer} knows is told to all"
            known = game.view(twin, other)
            deeper = game.determinize(known, rng)
            assert game.view(deeper, other) == known
            assert shown(game.view(deeper, None)) == public, f"what {other} knows is told to all"
    elsewhere = game.view(walk.case.new(0), None)
    for state in walk.moments(10):
        for viewer in walk.case.viewers:
            check_plain(game.view(state, viewer), elsewhere)


def check_texts_hide(walk: Walk) -> None:
    """The text of a state or a view is the same whatever it hides."""
    game, rng = walk.case.game, Random(walk.number)
    for state in walk.moments():
        assert key(walk.number).hex() not in repr(state)
        twin = game.determinize(game.view(state, None), rng)
        assert repr(twin) == repr(state)
        for viewer in walk.case.viewers:
            assert repr(game.view(twin, viewer)) == repr(game.view(state, viewer))


# -- the set-up


def check_opening(walk: Walk) -> None:
    """A viewer's events of the set-up follow from the viewer's view of it, their public halves from the public view.

    So nobody is told what somebody else was dealt, or what lies hidden; chance is no excuse, for it has spoken.
    """
    case, game, rng = walk.case, walk.case.game, Random(walk.number)
    for start in _starts(case, range(walk.number, walk.number + 4)):
        for viewer in case.viewers:
            for _ in range(TWINS):
                facts = game.opening(game.determinize(game.view(start.state, viewer), rng))
                for reader in {viewer, None}:
                    lines = (seen(start.events, reader), seen(facts, reader))
                    assert lines[0] == lines[1], f"the opening tells {reader} what is hidden: {lines}"


def check_deal(walk: Walk) -> None:
    """At the start all see what the opening tells all, and what one seat alone sees can be determinized otherwise.

    - Where two set-ups are told in the same public lines, they look the same to a spectator.
    - Whatever differs from one set-up to another in what one seat sees and the public does not, differs between the
      twins of every other viewer too: nobody else's view fixes it. Seats that share it are told so by the opening.
    """
    if walk.number:
        return
    case = walk.case
    check_public_start(case)
    starts = list(_starts(case, range(STARTS)))
    private = {seat: differing(case, starts, seat) for seat in range(case.seats)}
    for viewer in case.viewers:
        check_not_fixed(case, starts[:REDRAWN], viewer, private)


class Start(NamedTuple):
    """A set-up and what is told of it."""

    state: Any
    events: list[Event]


def _starts(case: Case, numbers: range) -> Iterator[Start]:
    for number in numbers:
        state = case.new(1_000 + number)
        yield Start(state, case.game.opening(state))


def check_public_start(case: Case) -> None:
    """Two set-ups of the same public lines look the same to a spectator."""
    by_lines: dict[Lines, tuple[Any, ...]] = {}
    repeated = 0
    for start in _starts(case, range(MOST_STARTS)):
        now = shown(case.game.view(start.state, None))
        lines = seen(start.events, None)
        repeated += lines in by_lines
        assert by_lines.setdefault(lines, now) == now, f"all see more of the set-up than {lines} tell"
        if repeated == STARTS:
            break


def differing(case: Case, starts: Sequence[Start], seat: int) -> set[str]:
    """Where a seat's first view shows what the public's does not, and not the same in every set-up."""
    private: dict[str, Counter[str]] = defaultdict(Counter)
    for start in starts:
        public, own = leaves(case.game.view(start.state, None)), leaves(case.game.view(start.state, seat))
        for path in own.keys() | public.keys():
            if path in private or own.get(path) != public.get(path):
                private[path][repr(own.get(path))] += 1
    # A fact that seldom differs need not differ among a few twins.
    return {path for path, values in private.items() if values.total() - max(values.values()) > 2}


def check_not_fixed(
    case: Case, starts: Sequence[Start], viewer: Viewer, private: Mapping[int, set[str]]
) -> None:
    """The private facts of others at the start differ between the viewer's twins of some set-up."""
    game, rng = case.game, Random(0)
    shared = {seat for event in starts[0].events if viewer in event.known_to for seat in event.known_to}
    fixed = {seat: set(paths) for seat, paths in private.items() if seat != viewer and seat not in shared}
    for start in starts:
        view = game.view(start.state, viewer)
        twins = [game.determinize(view, rng) for _ in range(REDRAWN)]
        for seat, paths in fixed.items():
            views = [leaves(game.view(twin, seat)) for twin in twins] if paths else []
            paths -= {path for path in paths if len({repr(one.get(path)) for one in views}) > 1}
    facts = {seat: sorted(paths) for seat, paths in fixed.items() if paths}
    assert not facts, f"{viewer} knows from the start what only these seats see: {facts}"


# -- moves


@dataclass(frozen=True)
class Played:
    """A state in which a move was played, and what it brought about."""

    state: Any
    events: list[Event]


def check_secrecy(walk: Walk) -> None:
    """A viewer's sight of a move, and after it, follows from the viewer's view before.

    For the same move on twins:

    - a seat is told the same about the legality of it and of other moves, whether it is asked or not;
    - a view is what the view before and the lines seen since make it: nothing comes in otherwise;
    - lines differ first at an event that is `reveals`, so at chance or a revelation; never in their number alone,
      and never in the public half of an event whose secret the viewer is not told.

    And for other moves of the same seat that are hidden from the viewer: the lines alone tell them apart.
    """
    game, rng = walk.case.game, Random(walk.number)
    by_kind: dict[type, list[Any]] = defaultdict(list)
    for step in walk.steps:
        by_kind[type(step.move)].append(step.move)
    for step in walk.watched():
        for viewer in walk.case.viewers:
            view = game.view(step.state, viewer)
            if viewer is not None:
                twins = [step.state, *(game.determinize(view, rng) for _ in range(TWINS))]
                kinds = list(by_kind.values()) if viewer == step.seat else [rng.choice([*by_kind.values()])]
                for move in (step.move, *map(rng.choice, kinds)):
                    check_verdicts(game, twins, viewer, move)
            played = list(same_move(game, step, viewer, rng))
            hidden = [] if viewer == step.seat else list(hidden_moves(game, step, viewer, rng))
            for reader in {viewer, None}:
                check_nothing_comes_in(game, played, reader, step.move)
                check_nothing_comes_in(game, hidden, reader, step.move)
                for one, other in combinations(distinct(played, reader), 2):
                    check_difference(one.events, other.events, reader)


def same_move(game: AnyGame, step: Step, viewer: Viewer, rng: Random) -> Iterator[Played]:
    """The step's move played in the real state and in the viewer's twins that can play it.

    Twins are drawn until one of them tells the viewer the same, so that what comes after chance is compared as well.
    """
    view, facts = game.view(step.state, viewer), seen(step.events, viewer)
    twin, played, alike = game.copy(step.state), 0, -1
    for _ in range(DRAWS):
        try:
            events = game.apply(twin, step.seat, step.move)
        except IllegalMove:
            pass
        else:
            yield Played(twin, events)
            played += 1
            alike += seen(events, viewer) == facts
        if played > TWINS and alike:
            return
        twin = game.determinize(view, rng)


def distinct(played: Sequence[Played], viewer: Viewer) -> list[Played]:
    """One of each that the viewer was told otherwise, or of which others know."""
    found: dict[Any, Played] = {}
    for one in played:
        found.setdefault((seen(one.events, viewer), *(event.known_to for event in one.events)), one)
    return [*found.values()]


def hidden_moves(game: AnyGame, step: Step, viewer: Viewer, rng: Random) -> Iterator[Played]:
    """Moves of the step's seat that are hidden from the viewer, in the real state and in the viewer's twins.

    A move is hidden that brings about an event with a secret withheld, not by chance. Of an open move everybody sees
    all, whether a line tells it or not.
    """
    view = game.view(step.state, viewer)
    for state in (
        game.copy(step.state),
        game.copy(step.state),
        game.determinize(view, rng),
        game.determinize(view, rng),
    ):
        move = game.sample(state, step.seat, rng)
        events = game.apply(state, step.seat, move)
        if any(withheld(event, viewer) and not event.reveals for event in events):
            yield Played(state, events)


def check_nothing_comes_in(game: AnyGame, played: Sequence[Played], viewer: Viewer, move: Any) -> None:
    """Twins whose viewer was told the same look the same to that viewer."""
    after: dict[Lines, tuple[Any, ...]] = {}
    for one in played:
        now = shown(game.view(one.state, viewer))
        before = after.setdefault(seen(one.events, viewer), now)
        assert now == before, f"{viewer} sees more after {move} than the events tell"


def check_verdicts(game: AnyGame, twins: Sequence[Any], seat: int, move: Any) -> None:
    """A move is legal for a seat in all twins, or illegal in all for the same reason."""
    verdicts = {v if isinstance(v := try_move(game, twin, seat, move), str) else "legal" for twin in twins}
    assert len(verdicts) == 1, f"whether {move} is legal tells {seat} what is hidden: {verdicts}"


def check_difference(one: Sequence[Event], other: Sequence[Event], viewer: Viewer) -> None:
    """The first line in which two twins' logs differ for the viewer is one that may differ."""
    lines = (seen(one, viewer), seen(other, viewer))
    at = next((n for n, (a, b) in enumerate(zip(*lines, strict=False)) if a != b), None)
    for a, b in list(zip(one, other, strict=False))[:at]:
        assert set(a.known_to) != set(b.known_to) or a.known_to == b.known_to, (
            f"the order of {a.known_to} tells in {lines}"
        )
    if lines[0] == lines[1]:
        return
    assert at is not None, f"{viewer} sees fewer lines: {lines}"
    a, b = one[at], other[at]
    assert a.reveals, f"{viewer} sees what is hidden in {lines}"
    assert b.reveals, f"{viewer} sees what is hidden in {lines}"
    secrets = withheld(a, viewer) + withheld(b, viewer)
    alike = (a.kind, a.seat) == (b.kind, b.seat)
    assert secrets < (1 if alike else 2), f"the public half tells {viewer} of the secret in {lines}"


def check_sealed(walk: Walk) -> None:
    """Where several seats decide at once, what one of them chose is seen by nobody who is still asked.

    Nor does it show in what they may do. The other checks cannot tell: to them a move is as public as the lines that
    it brings about.
    """
    game, rng = walk.case.game, Random(walk.number)
    for step in walk.watched():
        others = {decision for decision in game.pending(step.state) if decision.seat != step.seat}
        if not others:
            continue
        tried = {d.seat: [game.sample(step.state, d.seat, rng) for _ in range(TWINS)] for d in others}
        shown_to: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for move in (step.move, *(game.sample(step.state, step.seat, rng) for _ in range(2 * TWINS))):
            way = game.copy(step.state)
            events = game.apply(way, step.seat, move)
            still = game.pending(way)
            assert others <= set(still), f"{move} answers for others than {step.seat}"
            for viewer in (None, *tried):
                now = (
                    seen(events, viewer),
                    shown(game.view(way, viewer)),
                    _verdicts(game, way, viewer, tried),
                )
                assert shown_to.setdefault((viewer, still), now) == now, (
                    f"{viewer} sees what {step.seat} chose"
                )


def _verdicts(game: AnyGame, state: Any, viewer: Viewer, tried: Mapping[int, Sequence[Any]]) -> list[str]:
    """The events that the seat is told of its moves."""
    if viewer is None:
        return []
    results = [try_move(game, state, viewer, move) for moves in tried.values() for move in moves]
    return [result if isinstance(result, str) else "legal" for result in results]


def check_upcoming_hides(walk: Walk) -> None:
    """The upcoming decisions are public; the view of one, and the premoves for it, follow from the view of the match.

    The match that a seat is shown for its answer may hold nothing else that this seat, or a spectator, does not know.
    """
    game, rng, seats = walk.case.game, Random(walk.number), range(walk.case.seats)
    for step in walk.watched():
        real = [game.upcoming(step.state, seat) for seat in seats]
        for viewer in walk.case.viewers if any(real) else ():
            for _ in range(TWINS):
                twin = game.determinize(game.view(step.state, viewer), rng)
                for seat, one in enumerate(real):
                    other = game.upcoming(twin, seat)
                    assert (one is None) == (other is None), f"{viewer} may not know whether {seat} is asked"
                    if one is None:
                        continue
                    for reader in {viewer, None}:
                        views = game.view(one, reader), game.view(other, reader)
                        assert views[0] == views[1], (
                            f"{reader} sees in {seat}'s upcoming decision what is hidden"
                        )
                    if seat == viewer:
                        for asked in (one, other):
                            check_verdicts(game, [one, other], seat, game.sample(asked, seat, rng))


CHECKS: tuple[Callable[[Walk], None], ...] = (
    check_views,
    check_texts_hide,
    check_opening,
    check_deal,
    check_secrecy,
    check_sealed,
    check_upcoming_hides,
)
