"""What one may not know changes nothing of what one sees: compared byte for byte, for every viewer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from bot.store.base import LogRow
from bot.ui import table_screens as show
from bot.ui.kit import Screen
from bot.ui.names import Names
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import PLAYED, Match, matches, random_match, row
from tests.engine.conformance import Case, cases

STATES = 60


def sent(screen: Screen) -> str:
    """The screen as it goes to Discord."""
    return json.dumps(screen.view().to_components())


def other_world(match: Match, viewer: int | None, rng: Random) -> Any:
    """Another state that this viewer cannot tell from the real one."""
    return match.game.imagine(match.game.view(match.state, viewer), rng)


def choices_of(match: Match, seat: int, rng: Random) -> dict[str, list[str]]:
    """Some of the options of the seat's own menus, as if half chosen."""
    chosen: dict[str, list[str]] = {}
    screen = show.private(match.table(), match.screens, seat, [])
    for part in json.loads(sent(screen))[0]["components"]:
        for control in part.get("components", ()):
            if control["type"] == 3 and rng.random() < 0.6:
                intent = control["custom_id"].split(":")[2]
                options = [option["value"] for option in control["options"]]
                chosen.setdefault(intent, []).append(rng.choice(options))
    return chosen


def all_that_is_shown(
    match: Match,
    state: Any,
    rows: Sequence[LogRow],
    viewer: int | None,
    half_chosen: Sequence[Mapping[str, Sequence[str]]],
) -> dict[str, object]:
    """Everything that this viewer may come to see of the match in this state and with this log, by what it is."""
    table, screens = match.table(state), match.screens
    names = Names(table.seats)
    public = match.game.view(state, None)
    shown: dict[str, object] = {
        "board": sent(show.board(table, screens, rows[-show.RECENT :], 0.0)),
        "log": sent(show.log_page(table, screens, rows, viewer, None)),
        "asks": [screens.asks(public, decision.seat, names) for decision in public.pending],
        "announcements": [screens.notice(public, decision.seat) for decision in public.pending],
        "more": sent(show.more(table, 1, manages=True)),
    }
    if table.status == "over":
        shown["result"] = sent(show.result(table, screens))
    if viewer is not None:
        view = match.game.view(state, viewer)
        shown["hand"] = screens.hand_text(view)
        for number, choices in enumerate(half_chosen):
            screen = show.private(table, screens, viewer, rows[-show.OWN_RECENT :], choices=choices)
            shown[f"private screen {number}"] = sent(screen)
    return shown


def other_log(match: Match, viewer: int | None) -> list[LogRow]:
    """The match's log with other secrets of the same kind in the place of those that this viewer does not know."""
    secrets: dict[str, list[Any]] = {}
    for _made, event in match.events:
        if event.secret and event.secret not in secrets.setdefault(event.kind, []):
            secrets[event.kind].append(event.secret)

    def seen(event: Event) -> Event:
        if not event.secret or viewer in event.knows:
            return event
        others = secrets[event.kind]
        return event._replace(secret=others[(others.index(event.secret) + 1) % len(others)])

    return [row(seen(event), sequence) for sequence, event in match.events]


def compare(match: Match, rng: Random) -> None:
    """Nobody's screens tell them apart from what they cannot know."""
    for viewer in (None, *range(match.game.view(match.state, None).seats)):
        state = other_world(match, viewer, rng)
        choices = [{}] if viewer is None else [{}, choices_of(match, viewer, rng)]
        seen = all_that_is_shown(match, match.state, match.rows(), viewer, choices)
        assert seen == all_that_is_shown(match, state, other_log(match, viewer), viewer, choices)
        assert viewer is None or len(seen) >= 8


@pytest.mark.parametrize("key", PLAYED)
def test_hidden_cards_change_nothing_on_any_screen(key: str) -> None:
    rng = Random(7)
    for match in matches(key, STATES):
        compare(match, rng)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_nor_in_any_game_at_any_number_of_seats_whatever_its_options(case: Case) -> None:
    """Moments of every kind, spread over a match in which what is seldom made is made whenever it can be."""
    rng = Random(case.name)
    state = case.game.new(case.seats, case.options, rng.randbytes(32))
    match = Match(case.game, state, [(0, event) for event in case.game.opening(state)])
    compared: Counter[str] = Counter()
    for moves in range(3000):
        pending = case.game.pending(state)
        if not pending:
            break
        kind = pending[0].kind
        if moves % 12 == 5 or compared[kind] < 2:
            compare(match, rng)
            compared[kind] += 1
        seat = rng.choice(pending).seat
        match.events += [(moves, event) for event in case.game.apply(state, seat, eager(match, seat, rng))]
    compare(match, rng)
    assert case.game.outcome(state)
    assert compared.total() > 8


def eager(match: Match, seat: int, rng: Random) -> Any:
    """A random legal move; of several drawn, one of a kind that is seldom made."""
    drawn = [match.game.sample(match.state, seat, rng) for _ in range(8)]
    seldom = [
        move for move in drawn if match.game.dump_move(move)["kind"] not in ("sell", "end_turn", "trade")
    ]
    return rng.choice(seldom or drawn)


@pytest.mark.parametrize("key", PLAYED)
def test_the_log_tells_who_does_not_know_the_same_whatever_was_hidden(key: str) -> None:
    told = list(secrets(key))
    compared = 0
    for match, event in told:
        table = match.table()
        for secret in other_secrets(match, event, told):
            changed = event._replace(secret=secret)
            for viewer in (None, *range(len(table.seats))):
                lines = [show.log_lines(table, match.screens, [row(e)], viewer) for e in (event, changed)]
                assert len(lines[0]) == len(lines[1]) == 1
                if viewer not in event.knows:
                    assert lines[0] == lines[1]
                compared += 1
    assert not told or compared > 100


def secrets(key: str) -> Iterator[tuple[Match, Event]]:
    """The events of some matches that not everybody may know the whole of."""
    for seed in range(12):
        match = random_match(key, seed, moves=120)
        yield from ((match, event) for _made, event in match.events if event.secret)


def other_secrets(match: Match, event: Event, told: Sequence[tuple[Match, Event]]) -> list[Any]:
    """What else was hidden in such an event, at as many seats: two examples."""
    found: list[Any] = []
    for elsewhere, other in told:
        if (other.kind, len(elsewhere.table().seats)) != (event.kind, len(match.table().seats)):
            continue
        if other.secret.keys() == event.secret.keys() and other.secret not in (event.secret, *found):
            found.append(other.secret)
            if len(found) == 2:
                break
    return found


@pytest.mark.parametrize("key", PLAYED)
def test_who_knows_reads_more_and_nobody_reads_more_lines(key: str) -> None:
    """The check above would pass on a log that says nothing: those who know must read it, of each kind of event."""
    kinds: set[str] = set()
    read: set[str] = set()
    for seed in range(12):
        match = random_match(key, seed, moves=120)
        rows = match.rows()
        table = match.table()
        by_viewer = [show.log_lines(table, match.screens, rows, v) for v in (None, *range(len(table.seats)))]
        assert {len(lines) for lines in by_viewer} == {len(rows)}
        for number, (_made, event) in enumerate(match.events):
            for viewer in event.knows if event.secret else ():
                kinds.add(event.kind)
                if by_viewer[viewer + 1][number] != by_viewer[0][number]:
                    read.add(event.kind)
    assert read == kinds


@pytest.mark.parametrize("key", PLAYED)
def test_the_rules_refuse_in_the_same_words_whatever_is_hidden(key: str) -> None:
    rng = Random(9)
    for match in matches(key, 30):
        for decision in match.game.pending(match.state):
            other = other_world(match, decision.seat, rng)
            elsewhere = random_match(key, rng.randrange(1000))
            for wanted in elsewhere.game.pending(elsewhere.state):
                move = elsewhere.game.sample(elsewhere.state, wanted.seat, rng)
                assert refused(match, match.state, decision.seat, move) == refused(
                    match, other, decision.seat, move
                )


def refused(match: Match, state: Any, seat: int, move: Any) -> str | None:
    try:
        match.game.apply(match.game.copy(state), seat, move)
    except IllegalMove as error:
        return match.screens.refuse(error, match.game)
    return None


def test_the_comparison_sees_a_leak() -> None:
    """It would catch a screen on which one seat saw another's hand."""
    match, rng = random_match("archaeology", 2, moves=30), Random(1)
    other = other_world(match, 0, rng)
    assert match.game.view(match.state, 0) == match.game.view(other, 0)
    assert match.game.view(match.state, 1).hand != match.game.view(other, 1).hand
    tables = match.table(), match.table(other)
    assert len({sent(show.private(table, match.screens, 0, [])) for table in tables}) == 1
    assert len({sent(show.private(table, match.screens, 1, [])) for table in tables}) == 2


def test_a_secret_is_not_in_an_events_repr() -> None:
    assert "talisman" not in repr(Event("found", 0, {}, {"treasure": "talisman"}, (0,), True))
