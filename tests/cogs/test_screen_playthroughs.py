"""The texts of whole matches and scenes of a game, against the texts that are kept in `playthroughs/`.

The matches are those of the rules' own playthroughs (`tests/engine/playthroughs`), one of each variant. Each kind of
event and of turn stands where it first happens, as spectators read it and as each seat does; each kind of decision
with the whole screens of the table and of the seats that are asked, and with the pictures: a digest of the drawing,
and its description. After a change that is meant, write the texts anew and read the difference:

    DIGSITE_WRITE_PLAYTHROUGHS=1 python -m pytest tests/cogs/test_screen_playthroughs.py
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from engine.game import AnyGame, Event
from tests.cogs.in_memory import ENGINES, Match, row
from tests.cogs.scenes import STATES, TURNS
from tests.cogs.screen_text import (
    NAMES,
    board_text,
    end_text,
    log_text,
    pictures_text,
    private_match_text,
    private_text,
    recap_text,
    sheets_text,
    state_text,
)
from tests.engine import test_playthroughs as rules
from tests.engine.conformance import Case
from tests.engine.playthrough import NUMBER, read_moves

FOLDER = Path(__file__).parent / "playthroughs"
CASES = rules.chosen()
PUBLISHED = sorted({case.game.key for case in CASES})


def playthrough(key: str) -> str:
    """The text of the game's matches, one after the other, and of its scenes."""
    written: Counter[object] = Counter()
    lines = [
        line
        for case in CASES
        if case.game.key == key
        for line in (f"##### {case.name}", *_Playthrough(case, written).lines())
    ]
    return "\n".join([*lines, *_scenes(ENGINES[key], {*lines})]) + "\n"


def _scenes(game: AnyGame, written: set[str]) -> Iterator[str]:
    """The game's scenes: turns as the log and the news have them, and the lines of screens that no match has."""
    yield "##### scenes"
    for events in TURNS.get(game.key, ()):
        match = Match(game, STATES[game.key][0][0], [])
        yield from _new(written, log_text(match, [row(event, 1, events[0].seat) for event in events]))
        yield "~ in short"
        yield from recap_text(match, events)
    for number, (state, what) in enumerate(STATES.get(game.key, ()), 1):
        match = Match(game, state, [])
        viewer = what if isinstance(what, int) else None
        yield f"# {number}: {what if viewer is None else NAMES[viewer]}"
        yield from _new(written, [*state_text(match, what), *pictures_text(match, viewer)])


def _new(written: set[str], lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line not in written:
            written.add(line)
            yield line


class _Playthrough:
    """A match on its way. `written` counts the kinds of what has been written of its game so far."""

    def __init__(self, case: Case, written: Counter[object]) -> None:
        self.case, self.written = case, written
        state = case.new(NUMBER)
        self.match = Match(case.game, state, [(0, event) for event in case.game.opening(state)])
        self.turn: list[Event] = []

    def lines(self) -> Iterator[str]:
        case, match = self.case, self.match
        text = (rules.FOLDER / f"{case.name}.txt").read_text(encoding="utf-8")
        yield from self._news(0, None, [event for _number, event in match.events])
        yield from self._moment()
        for number, (seat, data) in enumerate(read_moves(text), 1):
            events = case.game.apply(match.state, seat, case.game.load_move(data))
            if match.movers.get(number - 1) != seat:
                yield from self._turn()
            match.movers[number] = seat
            match.events += [(number, event) for event in events]
            self.turn += events
            yield from self._news(number, seat, events)
            yield from self._moment()
        yield from self._turn()
        if self._is_new("end"):
            yield from end_text(match)
            yield from sheets_text(match)
            yield "= Ana"
            yield from private_text(match, 0)
        yield from pictures_text(match, 0)

    def _is_new(self, *kind: object) -> bool:
        self.written[kind] += 1
        return self.written[kind] == 1

    def _news(self, number: int, mover: int | None, events: Sequence[Event]) -> Iterator[str]:
        """The events that have other facts than those that were written before."""
        for event in events:
            facts = {**event.facts, **event.secret}
            if self._is_new(event.kind, frozenset(name for name, value in facts.items() if value)):
                yield from log_text(self.match, [row(event, number, mover)])

    def _turn(self) -> Iterator[str]:
        """The turn that is over in short, if no turn of such events was written before."""
        if self.turn and self._is_new("turn", frozenset(event.kind for event in self.turn)):
            yield "~ in short"
            yield from recap_text(self.match, self.turn)
        self.turn = []

    def _moment(self) -> Iterator[str]:
        """All screens, if somebody is asked for something that nobody was asked for before."""
        match = self.match
        pending = match.game.pending(match.state)
        fresh = [decision for decision in pending if self._is_new("decision", decision.kind)]
        if fresh:
            yield f"\n# after {len(match.movers)} moves {NAMES[fresh[0].seat]} is asked for: {fresh[0].kind}"
            yield from board_text(match)
            for decision in fresh:
                yield f"= {NAMES[decision.seat]}"
                yield from private_text(match, decision.seat)
            yield from pictures_text(match, fresh[0].seat)
            if fresh[0].seat == 0 and self._is_new("private match"):
                yield from private_match_text(match)


@pytest.mark.parametrize("key", PUBLISHED)
def test_all_read_of_the_matches_what_is_written(key: str) -> None:
    file = FOLDER / f"{key}.txt"
    found = playthrough(key)
    if os.environ.get("DIGSITE_WRITE_PLAYTHROUGHS"):
        file.write_text(found, encoding="utf-8")
    assert file.exists(), "there is no text yet: see this module's docstring"
    assert found.splitlines() == file.read_text(encoding="utf-8").splitlines()


def test_no_text_is_left_over() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == PUBLISHED
