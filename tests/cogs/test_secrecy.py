"""Hidden facts change nothing that a viewer sees: compared byte for byte, for every viewer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from bot.store.model import LogRow
from bot.ui.screens.board import LOG_ROWS, Watcher, board, watched
from bot.ui.screens.chronicle import NEWS_ROWS
from bot.ui.screens.ended import ended
from bot.ui.screens.game_screens import Pressed
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import more
from bot.ui.screens.names import Names
from bot.ui.screens.pages import log_page, sheet
from bot.ui.screens.private import Personal, explained, private
from cogs.archaeology_family.trading import OFFER, OWN, TAKE
from engine.errors import IllegalMove
from engine.game import Event
from tests.cogs.in_memory import ENGINES, SCREENS, SHOWN, Match, matches, random_match, row
from tests.cogs.screen_text import log_lines
from tests.engine.conformance import LONGEST, Case, cases, swept
from tests.sampling import SAMPLING, amount

pytestmark = pytest.mark.sampled

EACH_GAME = pytest.mark.parametrize("key", SHOWN)
STATES = amount(30, 16)
MATCHES = amount(8, 6) * SAMPLING
MOMENTS = 6
"""About so many of a match are looked at, and two of each kind of decision at least."""


def sent(screen: Screen) -> str:
    """The screen as it goes to Discord."""
    return json.dumps(screen.view().to_components())


def other_world(match: Match, viewer: int | None, rng: Random) -> Any:
    """Another state that this viewer cannot tell from the real one."""
    return match.game.determinize(match.game.view(match.state, viewer), rng)


def choices_of(match: Match, seat: int, rng: Random) -> dict[str, list[str]]:
    """Some of the options of the seat's own menus, as a selection."""
    chosen: dict[str, list[str]] = {}
    screen = private(match.table(), match.screens, seat, [])
    for part in json.loads(sent(screen))[0]["components"]:
        for control in part.get("components", ()):
            if control["type"] == 3 and rng.random() < 0.6:
                intent = control["custom_id"].split(":")[2]
                options = [option["value"] for option in control["options"]]
                least = max(1, control["min_values"])
                picked = rng.sample(options, least)
                chosen.setdefault(intent, []).extend(picked)
                if intent == OFFER and picked != [OWN]:  # the same trade, put together
                    chosen[TAKE] = [picked[0].partition(">")[2]]
    return chosen


def all_that_is_shown(
    match: Match,
    state: Any,
    rows: Sequence[LogRow],
    viewer: int | None,
    selections: Sequence[Mapping[str, Sequence[str]]],
) -> dict[str, object]:
    """Everything that this viewer may come to see of the match in this state and with this log, by what it is."""
    table, screens = match.table(state), match.screens
    names = Names(table.seats)
    public = match.game.view(state, None)
    shown: dict[str, object] = {
        "board": sent(board(table, screens, rows[-LOG_ROWS:], 0.0)),
        "log": sent(log_page(table, screens, rows, viewer, None)),
        "asks": [screens.public_prompt(public, decision.seat, names) for decision in public.pending],
        "announcements": [screens.prompt(public, decision.seat) for decision in public.pending],
        "more": sent(more(table, screens, 1, manages=True)),
        "watching": sent(watched(table, screens, rows[-LOG_ROWS:], 0.0, Watcher(True, False))),
    }
    for number, looked_up in enumerate(screens.sheets(public, names)):
        pressed = Pressed(looked_up.intent, looked_up.arg, {})
        shown[f"sheet {number}"] = sent(sheet(table, screens, pressed))
    if table.status == "over":
        shown["result"] = sent(ended(table, screens, rows))
    if viewer is not None:
        view = match.game.view(state, viewer)
        shown["hand"] = screens.private_text(view)
        for number, choices in enumerate(selections):
            screen = private(table, screens, viewer, rows[-NEWS_ROWS:], Personal(choices))
            shown[f"private screen {number}"] = sent(screen)
    if viewer == 0:
        alone = match.private(state)
        shown["private match"] = sent(private(alone, screens, 0, rows[-NEWS_ROWS:]))
        shown["private match, explained"] = sent(explained(alone, screens, 0))
    return shown


def other_log(match: Match, viewer: int | None) -> list[LogRow]:
    """The match's log with other secrets of the same kind in the place of those that this viewer does not know."""
    secrets: dict[str, list[Any]] = {}
    for _made, event in match.events:
        if event.secret and event.secret not in secrets.setdefault(event.kind, []):
            secrets[event.kind].append(event.secret)

    def seen(event: Event) -> Event:
        if not event.secret or viewer in event.known_to:
            return event
        others = secrets[event.kind]
        return event._replace(secret=others[(others.index(event.secret) + 1) % len(others)])

    return [row(seen(event), sequence, match.movers.get(sequence)) for sequence, event in match.events]


def compare(match: Match, rng: Random) -> None:
    """Nobody's screens tell them apart from what they cannot know."""
    rows = match.rows()
    for viewer in (None, *compared_seats(match)):
        state = other_world(match, viewer, rng)
        choices = [{}] if viewer is None else [{}, choices_of(match, viewer, rng)]
        seen = all_that_is_shown(match, match.state, rows, viewer, choices)
        assert seen == all_that_is_shown(match, state, other_log(match, viewer), viewer, choices)
        assert viewer is None or len(seen) >= 8


def compared_seats(match: Match) -> list[int]:
    """All seats; in the quick run those that are asked, which see the most, and one of the others."""
    seats = match.game.view(match.state, None).seats
    asked = [decision.seat for decision in match.game.pending(match.state)]
    others = [seat for seat in range(seats) if seat not in asked]
    return [*asked, *others[: amount(seats, 1)]]


@EACH_GAME
def test_hidden_cards_change_nothing_on_any_screen(key: str) -> None:
    rng = Random(7)
    for match in matches(key, STATES):
        compare(match, rng)


@pytest.mark.parametrize("case", swept(cases({key: ENGINES[key] for key in SCREENS})))
def test_nor_in_any_game_at_any_number_of_seats_whatever_its_options(case: Case) -> None:
    """Moments of every kind, spread over matches in which what is seldom made is made whenever it can be."""
    for number in range(SAMPLING):
        rng = Random(f"{case.name}{number or ''}")
        states = eager_match(case, rng)
        assert case.game.outcome(states[-1].state)
        chosen = moments(states)
        assert len(chosen) >= min(len(states), MOMENTS)
        for match in chosen:
            compare(match, rng)


def eager_match(case: Case, rng: Random) -> list[Match]:
    """A match before each of its moves and at its end, each move one of a kind that has been made least so far."""
    state = case.game.new(case.seats, case.options, rng.randbytes(32))
    states = [Match(case.game, case.game.copy(state), [(0, event) for event in case.game.opening(state)])]
    made: Counter[type] = Counter()
    while pending := case.game.pending(state):
        seat = rng.choice(pending).seat
        move = min((case.game.sample(state, seat, rng) for _ in range(8)), key=lambda move: made[type(move)])
        made[type(move)] += 1
        disclosed = [(len(states), event) for event in case.game.apply(state, seat, move)]
        movers = {**states[-1].movers, len(states): seat}
        states.append(Match(case.game, case.game.copy(state), [*states[-1].events, *disclosed], movers))
        assert len(states) < LONGEST
    return states


def moments(states: Sequence[Match]) -> list[Match]:
    """The start, the end, some moments between, and two of each kind of decision."""
    stride = max(1, len(states) // MOMENTS)
    compared: Counter[str] = Counter()
    chosen: list[Match] = []
    for number, match in enumerate(states):
        kinds = {decision.kind for decision in match.game.pending(match.state)}
        if number % stride == 0 or match is states[-1] or any(compared[kind] < 2 for kind in kinds):
            chosen.append(match)
            compared.update(kinds)
    return chosen


@EACH_GAME
def test_the_log_tells_who_does_not_know_the_same_whatever_was_hidden(key: str) -> None:
    """And who knows reads which it was, of each kind of event: a log that says nothing would pass otherwise."""
    disclosed = list(secrets(key))
    compared = 0
    kinds: set[str] = set()
    read: set[str] = set()
    for match, event in disclosed:
        table = match.table()
        for secret in other_secrets(match, event, disclosed):
            changed = event._replace(secret=secret)
            kinds.add(event.kind)
            for viewer in (None, *range(len(table.seats))):
                lines = [log_lines(table, match.screens, [row(e)], viewer) for e in (event, changed)]
                assert len(lines[0]) == len(lines[1]) == 1
                if viewer not in event.known_to:
                    assert lines[0] == lines[1]
                elif lines[0] != lines[1]:
                    read.add(event.kind)
                compared += 1
    assert read == kinds
    assert compared >= min(len(disclosed), 100), "a short game has fewer secrets"


def secrets(key: str) -> Iterator[tuple[Match, Event]]:
    """The events of some matches that not everybody may know the whole of."""
    for seed in range(MATCHES):
        match = random_match(key, seed, moves=120)
        yield from ((match, event) for _made, event in match.events if event.secret)


def other_secrets(match: Match, event: Event, disclosed: Sequence[tuple[Match, Event]]) -> list[Any]:
    """Other facts that were hidden in such an event, at as many seats: two examples."""
    found: list[Any] = []
    for elsewhere, other in disclosed:
        if (other.kind, len(elsewhere.table().seats)) != (event.kind, len(match.table().seats)):
            continue
        if other.secret.keys() == event.secret.keys() and other.secret not in (event.secret, *found):
            found.append(other.secret)
            if len(found) == 2:
                break
    return found


@EACH_GAME
def test_nobody_reads_more_lines(key: str) -> None:
    for seed in range(MATCHES):
        match = random_match(key, seed, moves=120)
        rows, table = match.rows(), match.table()
        for viewer in (None, *range(len(table.seats))):
            assert len(log_lines(table, match.screens, rows, viewer)) == len(rows)


@EACH_GAME
def test_the_rules_refuse_in_the_same_words_whatever_is_hidden(key: str) -> None:
    """Whoever tries a move, asked or not: one that is legal elsewhere."""
    rng = Random(9)
    refusals = 0
    for match in matches(key, STATES // 2):
        elsewhere = random_match(key, rng.randrange(1000))
        for seat in range(match.game.view(match.state, None).seats):
            other = other_world(match, seat, rng)
            for wanted in elsewhere.game.pending(elsewhere.state):
                move = elsewhere.game.sample(elsewhere.state, wanted.seat, rng)
                text = refused(match, match.state, seat, move)
                assert text == refused(match, other, seat, move)
                refusals += text is not None
    assert refusals > 10


def refused(match: Match, state: Any, seat: int, move: Any) -> str | None:
    try:
        match.game.apply(match.game.copy(state), seat, move)
    except IllegalMove as error:
        return match.screens.refuse(error)
    return None


def test_the_comparison_sees_a_leak() -> None:
    """It would catch a screen on which one seat saw another's hand."""
    match, rng = random_match("archaeology", 2, moves=30), Random(1)
    other = other_world(match, 0, rng)
    assert match.game.view(match.state, 0) == match.game.view(other, 0)
    assert match.game.view(match.state, 1).hand != match.game.view(other, 1).hand
    tables = match.table(), match.table(other)
    assert len({sent(private(table, match.screens, 0, [])) for table in tables}) == 1
    assert len({sent(private(table, match.screens, 1, [])) for table in tables}) == 2


def test_a_secret_is_not_in_an_events_repr() -> None:
    assert "talisman" not in repr(Event("found", 0, {}, {"treasure": "talisman"}, (0,), True))
