"""What one may not know changes nothing of what one sees: compared byte for byte, for every viewer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from bot.ui import table_screens as show
from bot.ui.kit import Screen
from bot.ui.names import Names
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import PLAYED, Match, matches, random_match, row

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


@pytest.mark.parametrize("key", PLAYED)
def test_hidden_cards_change_nothing_on_any_screen(key: str) -> None:
    rng = Random(7)
    compared = 0
    for match in matches(key, STATES):
        table, rows, names = match.table(), match.rows(), Names(match.table().seats)
        for viewer in (None, *range(len(table.seats))):
            state = other_world(match, viewer, rng)
            other = match.table(state)
            assert sent(show.board(table, match.screens, rows[-5:], 0.0)) == sent(
                show.board(other, match.screens, rows[-5:], 0.0)
            )
            if viewer is None:
                continue
            choices = choices_of(match, viewer, rng)
            for half_chosen in ({}, choices):
                assert sent(
                    show.private(table, match.screens, viewer, rows[-3:], choices=half_chosen)
                ) == sent(show.private(other, match.screens, viewer, rows[-3:], choices=half_chosen))
            mine, imagined = (match.game.view(s, viewer) for s in (match.state, state))
            assert match.screens.hand_text(mine) == match.screens.hand_text(imagined)
            for view in (mine, imagined):
                for decision in view.pending:
                    assert match.screens.asks(view, decision.seat, names)
            compared += 1
        if table.status == "over":
            other = match.table(other_world(match, None, rng))
            assert sent(show.result(table, match.screens)) == sent(show.result(other, match.screens))
    assert compared > STATES


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
