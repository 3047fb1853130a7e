"""Invariants of every game, whatever its rules: the checks that every registered game goes through.

A *walk* is a random match kept move by move; a check takes a walk and looks at all of it. The invariants of hidden
cards stands in `secrecy`.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine.errors import BadData, IllegalMove
from engine.game import AnyGame, Event, Options, dump_event, load_event
from engine.registry import load_games
from tests.sampling import SAMPLING

LONGEST = 20_000
"""More moves than a random match of any game takes."""
WATCHED = 60
"""The slowest checks look at about so many moments of a walk."""
TWINS = 3


@dataclass(frozen=True)
class Case:
    """A game at a number of seats with options."""

    game: AnyGame
    seats: int
    options: Options
    name: str

    def new(self, number: int) -> Any:
        return self.game.new(self.seats, self.options, key(number))

    @property
    def viewers(self) -> tuple[int | None, ...]:
        return (None, *range(self.seats))


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def cases(games: Mapping[str, AnyGame] | None = None) -> list[Case]:
    """Every registered game (or these games), at every number of seats, with all its variants."""
    found: list[Case] = []
    for game in (games or load_games()).values():
        for seats in range(game.min_seats, game.max_seats + 1):
            variants = game.variants(seats)
            for options in variants:
                words = [str(value) for value in options.model_dump(mode="json").values()]
                name = "-".join([game.key, str(seats), *(words if len(variants) > 1 else ())])
                found.append(Case(game, seats, options, name))
    return found


def few(cases: Sequence[Case]) -> list[Case]:
    """Some of these cases, in which every game, every number of seats and every variant occurs."""
    games: dict[str, dict[int, list[Case]]] = {}
    for case in cases:
        games.setdefault(case.game.key, {}).setdefault(case.seats, []).append(case)
    chosen: list[Case] = []
    for by_seats in games.values():
        columns = list(by_seats.values())
        for number in range(max(len(columns), *map(len, columns))):
            column = columns[number % len(columns)]
            chosen.append(column[number % len(column)])
    return chosen


def swept(cases: Sequence[Case]) -> Any:
    """A test's parameter: each case, and all but a few of them are left to the full run."""
    quick = {case.name for case in few(cases)}
    return [
        pytest.param(case, id=case.name, marks=() if case.name in quick else pytest.mark.exhaustive)
        for case in cases
    ]


@dataclass(frozen=True)
class Step:
    """A move in a walk: the state before it, and what it brought about."""

    state: Any
    seat: int
    move: Any
    events: list[Event]

    @property
    def kind(self) -> tuple[object, ...]:
        """The moves and their results, without the numbers."""
        return (type(self.move), *((event.kind, event.reveals) for event in self.events))


@dataclass(frozen=True)
class Walk:
    """A random match from its start to its end."""

    case: Case
    number: int
    steps: list[Step] = field(default_factory=list[Step])
    end: Any = None
    share: int = 1
    """Only one in so many of the moments is looked at that the checks ask for."""

    @property
    def states(self) -> list[Any]:
        return [*(step.state for step in self.steps), self.end]

    def watched(self, limit: int = WATCHED) -> list[Step]:
        """Some steps, spread over the whole match: another choice in each walk, but one of each kind, and the last."""
        stride = max(1, self.share * len(self.steps) // limit)
        chosen = set(range(self.number % stride, len(self.steps), stride)) | {len(self.steps) - 1}
        kinds = {self.steps[number].kind for number in chosen}
        for number, step in enumerate(self.steps):
            if step.kind not in kinds:
                kinds.add(step.kind)
                chosen.add(number)
        return [self.steps[number] for number in sorted(chosen)]

    def moments(self, limit: int = WATCHED) -> list[Any]:
        return [*(step.state for step in self.watched(limit)), self.end]


def walk(case: Case, number: int) -> Walk:
    """A match of random moves, of the seats in a random order where several may move."""
    game, rng = case.game, Random(number)
    state = case.new(number)
    steps: list[Step] = []
    while pending := game.pending(state):
        seat = rng.choice(pending).seat
        before = game.copy(state)
        move = game.sample(state, seat, rng)
        steps.append(Step(before, seat, move, game.apply(state, seat, move)))
        assert len(steps) < LONGEST, "the match does not end"
    return Walk(case, number, steps, state)


# -- helpers


def dumped(game: AnyGame, state: Any) -> str:
    return json.dumps(game.dump(state), sort_keys=True)


def try_move(game: AnyGame, state: Any, seat: int, move: Any) -> list[Event] | str:
    """The events of a move on a copy of the state, or why it is illegal."""
    twin = game.copy(state)
    try:
        return game.apply(twin, seat, move)
    except IllegalMove as error:
        return json.dumps([type(error).__name__, vars(error)], sort_keys=True)


# -- the checks


def check_course(walk: Walk) -> None:
    """A match waits for somebody until it is over, its decisions are numbered by the moves, views agree."""
    game, case = walk.case.game, walk.case
    for moves, state in enumerate(walk.states):
        pending, outcome = game.pending(state), game.outcome(state)
        assert bool(pending) == (outcome is None) == (state is not walk.end)
        assert len({decision.seat for decision in pending}) == len(pending)
        assert all(0 <= decision.seat < case.seats and decision.id <= moves for decision in pending)
        if len(pending) == 1:
            assert pending[0].id == moves or len(game.pending(walk.states[moves - 1])) > 1
    for state in walk.moments():
        for viewer in case.viewers:
            view = game.view(state, viewer)
            assert (view.viewer, view.seats) == (viewer, case.seats)
            assert view.pending == game.pending(state)
            assert view.outcome == game.outcome(state)
    outcome = game.outcome(walk.end)
    assert outcome
    assert len(outcome.ranks) == len(outcome.scores) == case.seats
    assert outcome.winners
    assert all(rank == 1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks)
    assert game.view(walk.end, None).moves == len(walk.steps)


def check_decisions(walk: Walk) -> None:
    """A decision bears the number of moves made when it arose, and stays as it is until its seat has answered.

    One that was renumbered when another seat answers would make the screens of all who still think stale.
    """
    game = walk.case.game
    assert all(decision.id == 0 for decision in game.pending(walk.states[0]))
    for moves, (step, after) in enumerate(zip(walk.steps, walk.states[1:], strict=True), 1):
        before = {d.seat: d for d in game.pending(step.state) if d.seat != step.seat}
        for decision in game.pending(after):
            earlier = before.get(decision.seat)
            if earlier is not None and earlier.kind == decision.kind:
                assert decision == earlier, f"{earlier} is still open and has become {decision}"
            else:
                assert decision.id == moves, f"{decision} arose after {moves} moves"


def check_determinism(walk: Walk) -> None:
    """The same key and the same moves, read from their data, give the same events and states."""
    game = walk.case.game
    state = walk.case.new(walk.number)
    assert [dump_event(e) for e in game.opening(state)] == [dump_event(e) for e in game.opening(state)]
    for step, after in zip(walk.steps, walk.states[1:], strict=True):
        data = json.loads(json.dumps(game.dump_move(step.move)))
        move = game.load_move(data)
        assert move == step.move
        assert game.dump_move(move) == data
        events = game.apply(state, step.seat, move)
        assert [dump_event(e) for e in events] == [dump_event(e) for e in step.events]
        assert dumped(game, state) == dumped(game, after)


def check_snapshots(walk: Walk) -> None:
    """A match read from its snapshot is the same to all, and goes on the same."""
    game = walk.case.game
    for step in walk.watched():
        text = dumped(game, step.state)
        read = game.load(json.loads(text))
        assert dumped(game, read) == text
        for viewer in walk.case.viewers:
            assert game.view(read, viewer) == game.view(step.state, viewer)
        events = game.apply(read, step.seat, step.move)
        assert [dump_event(e) for e in events] == [dump_event(e) for e in step.events]
    assert dumped(game, game.load(json.loads(dumped(game, walk.end)))) == dumped(game, walk.end)


def check_copies(walk: Walk) -> None:
    """Changes of a copy do not change the match; nor does a view of it."""
    game, rng = walk.case.game, Random(walk.number)
    for step in walk.watched():
        before = dumped(game, step.state)
        data = game.dump(step.state)
        text = json.dumps(data)
        twin = game.copy(step.state)
        for _ in range(10):
            if pending := game.pending(twin):
                seat = pending[0].seat
                game.apply(twin, seat, game.sample(twin, seat, rng))
        for viewer in walk.case.viewers:
            game.view(step.state, viewer)
        game.sample(step.state, step.seat, rng)
        assert dumped(game, step.state) == before
        game.apply(game.load(data), step.seat, step.move)
        assert json.dumps(data) == text


def check_refusals(walk: Walk) -> None:
    """A move at the wrong time, or by who is not asked, is refused and changes nothing."""
    game, rng = walk.case.game, Random(walk.number)
    moves = [(step.seat, step.move) for step in walk.steps]
    for state in walk.moments(30):
        asked = {decision.seat for decision in game.pending(state)}
        before = dumped(game, state)
        for seat in {-1, walk.case.seats, *range(walk.case.seats)} - asked:
            with pytest.raises(IllegalMove):
                game.apply(state, seat, rng.choice(moves)[1])
        for seat, move in rng.sample(moves, min(len(moves), 20)):
            twin = game.copy(state)
            try:
                game.apply(twin, seat, move)
            except IllegalMove as error:
                json.dumps([error.code, error.facts])
                assert dumped(game, twin) == before
        assert dumped(game, state) == before


def check_simultaneous(walk: Walk) -> None:
    """Where several seats decide, the order of their moves changes nothing."""
    game = walk.case.game
    for state in walk.moments():
        for one, other in combinations(game.pending(state), 2):
            rng = Random(walk.number)
            moves = {d.seat: game.sample(state, d.seat, rng) for d in (one, other)}
            ways = (game.copy(state), game.copy(state))
            for way, order in zip(ways, ((one, other), (other, one)), strict=True):
                for decision in order:
                    game.apply(way, decision.seat, moves[decision.seat])
            assert dumped(game, ways[0]) == dumped(game, ways[1])


def upcoming_decisions(game: AnyGame, state: Any, seats: int) -> dict[int, str]:
    """The kinds of the upcoming decisions, by seat."""
    found: dict[int, str] = {}
    for seat in range(seats):
        twin = game.upcoming(state, seat)
        if twin is not None:
            found[seat] = next(decision.kind for decision in game.pending(twin) if decision.seat == seat)
    return found


def check_upcoming(walk: Walk) -> None:
    """An upcoming decision is asked later, before anything else, whatever the seats answer that are asked now."""
    game, seats, rng = walk.case.game, walk.case.seats, Random(walk.number)
    for number, step in enumerate(walk.steps):
        expected = upcoming_decisions(game, step.state, seats)
        if not expected:
            continue
        before = dumped(game, step.state)
        asked = {decision.seat for decision in game.pending(step.state)}
        assert not expected.keys() & asked, "a seat that is asked has an upcoming decision"
        for move in (step.move, *(game.sample(step.state, step.seat, rng) for _ in range(TWINS))):
            after = game.copy(step.state)
            game.apply(after, step.seat, move)
            now = {decision.seat: decision.kind for decision in game.pending(after)}
            still = now | upcoming_decisions(game, after, seats)
            for seat, kind in expected.items():
                assert still.get(seat) == kind, f"seat {seat} is not asked for {kind} but {still.get(seat)}"
            unexpected = {seat for seat, kind in now.items() if expected.get(seat) != kind}
            assert unexpected <= asked, f"the seats {unexpected} are asked next and had no upcoming decision"
        for seat, kind in expected.items():
            twin = game.upcoming(step.state, seat)
            assert (number, seat, kind) in game.pending(twin)
            game.apply(twin, seat, game.sample(twin, seat, rng))
        assert dumped(game, step.state) == before, "a premove has changed the match"


def check_events(walk: Walk) -> None:
    """Events are JSON, come back from it, and have a public half and a half for those in the know."""
    seats = range(walk.case.seats)
    opening = walk.case.game.opening(walk.case.new(walk.number))
    for event in (*opening, *(event for step in walk.steps for event in step.events)):
        data = dump_event(event)
        assert dump_event(load_event(json.loads(json.dumps(data)))) == json.loads(json.dumps(data))
        assert event.seat is None or event.seat in seats
        assert bool(event.secret) == bool(event.known_to)
        assert all(seat in seats for seat in event.known_to)
        assert not set(event.facts) & set(event.secret)
        assert repr(event) == repr(event._replace(facts={}, secret={}))
    assert all(step.events for step in walk.steps)


def check_determinization(walk: Walk) -> None:
    """Random play goes on from an determinized state to its end."""
    game, rng = walk.case.game, Random(walk.number)
    for state in walk.moments(5):
        for viewer in walk.case.viewers:
            twin = game.determinize(game.view(state, viewer), rng)
            for _ in range(LONGEST):
                if not (pending := game.pending(twin)):
                    break
                game.apply(twin, pending[0].seat, game.sample(twin, pending[0].seat, rng))
            assert game.outcome(twin)


def check_agents(walk: Walk) -> None:
    """Agents choose legal moves from a view alone, and the same ones again."""
    game, agents = walk.case.game, walk.case.game.agents
    for name, agent in agents.items():
        for step in walk.watched(4 if agent.slow else 25):
            for decision in game.pending(step.state):
                view = pickle.loads(pickle.dumps(game.view(step.state, decision.seat)))
                move = agent.choose(view, Random(5))
                assert agent.choose(view, Random(5)) == move, f"{name} does not repeat itself"
                result = try_move(game, step.state, decision.seat, move)
                assert not isinstance(result, str), f"{name} chose {move}: {result}"


def check_options(walk: Walk) -> None:
    """Options come back from their data, from a record's too."""
    data = json.loads(walk.case.options.model_dump_json())
    assert walk.case.game.load_options(data) == walk.case.options
    assert walk.case.game.load_options(data, strict=True) == walk.case.options


def check_reading(walk: Walk) -> None:
    """A move is read in one way only: from values of their own types, and nothing beside them."""
    game = walk.case.game
    for step in walk.watched(20):
        for data in disguised(game.dump_move(step.move)):
            assert not is_read(game, data), f"{data} is read as a move"


def is_read(game: AnyGame, data: dict[str, Any]) -> bool:
    try:
        game.load_move(data)
    except BadData:
        return False
    return True


def disguised(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A move's data with something in it that only looks like what it stands for."""
    yield {**data, "note": None}
    for key, value in data.items():
        match value:
            case bool():
                others: list[Any] = [int(value), str(value).lower()]
            case int():
                others = [float(value), str(value), bool(value)]
            case dict():
                others = list(disguised(value))
            case _:
                others = [None]
        yield from ({**data, key: other} for other in others)


CHECKS: tuple[Callable[[Walk], None], ...] = (
    check_course,
    check_decisions,
    check_determinism,
    check_snapshots,
    check_copies,
    check_refusals,
    check_simultaneous,
    check_upcoming,
    check_events,
    check_determinization,
    check_agents,
    check_options,
    check_reading,
)


def walks(case: Case, more: int = 0) -> Iterator[Walk]:
    """A few matches of a case; fewer where there are many variants. `more`: so many besides."""
    usual = 2 if len(case.game.variants(case.seats)) == 1 else 1
    return (walk(case, number) for number in range((usual + more) * SAMPLING))


def a_walk(case: Case) -> Walk:
    """One match of a case, which is looked at here and there."""
    return replace(walk(case, 0), share=5)


def novice_match(game: AnyGame, seats: str, number: int, **options: Any) -> tuple[Any, Counter[str]]:
    """A match of novices ("n") and random players ("r"), and how often novices made each kind of move."""
    state = game.new(len(seats), game.options_type(**options), sha256(f"novice {number}".encode()).digest())
    rng, played = Random(number), Counter[str]()
    while pending := game.pending(state):
        seat = pending[0].seat
        if seats[seat] == "n":
            move = game.agents["novice"].choose(game.view(state, seat), rng)
            played[type(move).__name__] += 1
        else:
            move = game.sample(state, seat, rng)
        game.apply(state, seat, move)
    return state, played
