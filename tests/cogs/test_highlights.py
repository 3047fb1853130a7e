"""The highlights of a result: true to what was played, counted anew here from moves and final states."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from bot.language import speaking
from bot.tables.model import Seat
from bot.ui.screens import components as ui
from bot.ui.screens.ended import ended as show_result
from bot.ui.screens.game_parts import leader
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from engine.archaeology_family import moves as m
from engine.artifacts_inc import moves as im
from engine.game import Event
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, Match, matches, random_match
from tests.cogs.limits import EVERY_LANGUAGE, LONG_NAMES, fits
from tests.cogs.table_driver import Room
from tests.engine.conformance import LONGEST

SEATS = ("Ana", "Ben", "Cara", "Dan", "Eve", "Fay")
NAMES = Names([Seat(name, number) for number, name in enumerate(SEATS, 1)])
DESCRIBED = [key for key in PLAYED if type(SCREENS[key]).highlights is not AnyScreens.highlights]
"""The games that tell what was worth remembering."""

Totals = list[int]


@dataclass
class Played:
    """A whole match of random moves: its final view, its events as all saw them, and its moves with their states."""

    seats: int
    view: Any
    events: list[SeenEvent]
    moves: list[tuple[int, Any]]
    states: list[Any]
    """The state before each move, and at last the final one."""

    def count(self, worth: Callable[[Any], int]) -> Totals:
        """For each seat, what its moves are worth together."""
        return [sum(worth(move) for seat, move in self.moves if seat == who) for who in range(self.seats)]


def played(key: str, seed: int) -> Played:
    rng, game = Random(f"{key}:{seed}"), ENGINES[key]
    seats = rng.randint(game.min_seats, game.max_seats)
    options = rng.choice(list(game.variants(seats)))
    state = game.new(seats, options, rng.randbytes(32))
    events = game.opening(state)
    moves: list[tuple[int, Any]] = []
    states: list[Any] = []
    while pending := game.pending(state):
        assert len(moves) < LONGEST, "the match does not end"
        seat = rng.choice(pending).seat
        move = game.sample(state, seat, rng)
        moves.append((seat, move))
        states.append(game.copy(state))
        events += game.apply(state, seat, move)
    described = [SeenEvent(event.kind, event.seat, event.seen_by(None)) for event in events]
    return Played(seats, game.view(state, None), described, moves, [*states, state])


def lines(key: str, match: Played) -> list[str]:
    return SCREENS[key].highlights(match.events, match.view, NAMES)


def line(text: str, totals: Totals) -> list[str]:
    """The line that these totals ought to give, put together here from nothing but the totals."""
    best = max(totals)
    who = [f"**{SEATS[seat]}**" for seat, total in enumerate(totals) if total == best]
    return [f"{text}: {who[0]}, {best}."] if best and len(who) == 1 else []


def starting_with(found: Iterable[str], beginning: str) -> list[str]:
    return [one for one in found if one.startswith(beginning)]


# -- counted anew


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_thefts_and_losses_of_the_treasure_games(key: str) -> None:
    compared = 0
    for seed in range(25):
        match, game = played(key, seed), ENGINES[key]
        shown = lines(key, match)
        thefts = [0] * match.seats
        for (thief, _move), (before, after) in zip(
            match.moves, itertools.pairwise(match.states), strict=True
        ):
            gained = [sum(new) - sum(old) for old, new in zip(before.hands, after.hands, strict=True)]
            thefts[thief] += gained[thief] == 1 and sorted(gained)[0] == -1
        lost = match.count(lambda move: sum(n for _, n in move.cards) if isinstance(move, m.Discard) else 0)
        wanted = [
            *line("🦹 Stole the most cards", thefts),
            *line("🌪️ Most cards lost to Sandstorms", lost),
        ]
        assert [one for one in shown if not one.startswith(("💎", "💰"))] == wanted, (game.key, seed)
        compared += len(wanted)
    assert compared > 15


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_the_dearest_set_is_the_dearest_of_all_that_were_sold(key: str) -> None:
    described = 0
    for seed in range(25):
        match = played(key, seed)
        view = match.view
        sold = [
            (view.prices[kind][n - 1], n, SEATS[seat])
            for seat, sets in enumerate(view.sold)
            for kind, n in sets
        ]
        price = max(sold)[0]
        best = [sale for sale in sold if sale[0] == price]
        shown = starting_with(lines(key, match), "💎 Most valuable set: ")
        if len({seller for _price, _n, seller in best}) > 1:
            assert not shown, "a tie is no highlight"
            continue
        described += 1
        assert re.findall(r"\*\*(\w+)\*\*", shown[0]) == [best[0][2]]
        assert int(re.findall(r"(\d+) [A-Z]", shown[0])[0]) in {n for _price, n, _seller in best}
        assert re.findall(r"\$(\d+)", shown[0]) == [str(price)]
    assert described > 8


def test_sources_and_dives_of_artifacts_inc() -> None:
    key, compared = "artifacts-inc", 0
    for seed in range(12):
        match = played(key, seed)
        won, *shown = lines(key, match)
        winner = match.view.outcome.winners[0]
        assert won.startswith(f"🏆 **{SEATS[winner]}**")
        assert sum(map(int, re.findall(r"⭐ (\d+)", won))) <= match.view.outcome.scores[winner]
        assert shown == [
            *line("🤿 Most dives", match.count(lambda move: int(isinstance(move, im.Dive)))),
        ], seed
        compared += 1 + len(shown)
    assert compared > 12


# -- ties, nothing, and moves that were taken back


def test_a_tie_gives_no_line_and_neither_does_nothing() -> None:
    assert leader([]) is leader([0, 0]) is leader([1, 1]) is None
    events = [
        SeenEvent("stolen", 0, {"victim": 1}),
        SeenEvent("stolen", 2, {"victim": 1}),
        SeenEvent("traded", 1, {"give": [[0, 1]], "take": [[0, 1]], "over": 1}),
        SeenEvent("lost", 1, {"cards": [[0, 2]]}),
        *[SeenEvent("sold", seat, {"treasure": 2, "count": 4, "price": 5}) for seat in (1, 0, 1)],
        SeenEvent("sold", 2, {"treasure": 3, "count": 1, "price": 40}),
    ]
    view = ENGINES["archaeology"].view(crafted.craft([{}, {}, {"coin": 1}]), None)
    assert SCREENS["archaeology"].highlights(events, view, NAMES) == [
        "💰 Lead changes: 1. **Cara** took it for good with 🧿 1 Talisman for $40.",
        "💎 Most valuable set: **Cara**, 🧿 1 Talisman for $40.",
        "🌪️ Most cards lost to Sandstorms: **Ben**, 2.",
    ], "two thieves stole equally often, and a trade at a loss is none without"
    events += [
        SeenEvent("sold", seat, {"treasure": 2, "count": 2, "price": n}) for seat, n in ((1, 30), (0, 1))
    ]
    level = SCREENS["archaeology"].highlights(events, view, NAMES)[0]
    assert level == "💰 Lead changes: 1. **Ben** drew level at the end with 🪙 2 Coins for $30.", level
    for key in PLAYED:
        match = random_match(key, 1, moves=LONGEST)
        assert SCREENS[key].highlights([], match.game.view(match.state, None), NAMES) == []


async def test_the_result_tells_how_long_it_took_and_leaves_out_what_was_taken_back(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 3}, {}], rest="sold", phase=crafted.ACT, explored=True))
    page = await ana.hand()
    two = next(label for label in page.menu(digger.SELL).options if label.startswith("2 Coins"))
    await ana.choose(page, digger.SELL, two)
    await ana.press(page, "Undo")
    await room.later(3 * 3600 + 125)
    for _ in range(3):
        await some_game.move(ana, page)
    result = await room.result()
    assert "· 3 hours and 2 minutes · 3 moves" in result.text
    assert "💎 Most valuable set: **Ana**, 🪙 1 Coin for $2." in result.text
    assert "2 Coins" not in result.text.partition("💎")[2]


# -- on the message


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", DESCRIBED)
def test_they_stand_below_the_ranks_and_fit_with_the_longest_names(key: str, language: str) -> None:
    described = 0
    for match in matches(key, 6):
        table, rows = match.table(names=LONG_NAMES * 2), match.rows()
        if table.status != "over":
            continue
        with speaking(language):
            screen = show_result(table, match.screens, rows)
            fits(screen)
            view = match.game.view(match.state, None)
            events = [SeenEvent(event.kind, event.seat, event.facts) for _, event in match.events]
            shown = match.screens.highlights(events, view, Names(table.seats))
        assert len(shown) <= 4
        texts = list(ui.texts(screen.items))
        assert texts[2:] == (["\n".join(shown)] if shown else [])
        described += len(shown)
    assert described


def test_a_highlight_never_rests_on_what_only_a_seat_knows() -> None:
    event = Event("stolen", 0, {"victim": 1}, {"treasure": 3}, (0, 1), True)
    match = Match(ENGINES["archaeology"], random_match("archaeology", 1, moves=LONGEST).state, [(1, event)])
    text = str(show_result(match.table(), match.screens, match.rows()).view().to_components())
    assert "Stole the most cards" in text
    assert "Talisman" not in text.partition("Stole the most cards")[2]
