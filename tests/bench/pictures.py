"""What pictures cost: the time to draw and to render each, and the size of its file.

What presses cost with and without them is in the benchmark `presses`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any, Final

from bot.art.picture import Picture
from bot.art.rendering import render
from bot.language import speaking
from bot.ui.screens.game_screens import AnyScreens
from cogs import make_screens
from engine.game import AnyGame
from engine.registry import load_games
from tests.bench.report import Report
from tools.art import match_of

MATCHES: Final = 2
"""Matches of each game and number of seats, of which pictures are taken."""
MOMENTS: Final = (0.0, 0.3, 0.6, 0.9, 1.0)
TRIES: Final = 2
"""How often each is rendered: the quickest counts, because other programs take time from it."""


def run() -> Iterator[Report]:
    """The pictures of all games."""
    yield drawn()


@dataclass
class Cost:
    """What one picture costs: milliseconds of one core to compose and to render, bytes of its file."""

    composing: float
    rendering: float
    size: int


def drawn() -> Report:
    """The cost of every kind of picture of every game, at moments of random matches with all numbers of seats."""
    rows: list[tuple[str, ...]] = []
    for key, screens in make_screens(games := load_games()).items():
        costs: dict[str, list[Cost]] = {}
        for kind, draw in _pictures(games[key], screens):
            with speaking("en"):
                draw()  # parts are made once
                began = process_time()
                picture = draw()
                composing = process_time() - began
            if picture is not None:
                costs.setdefault(kind, []).append(_cost(picture, composing))
        for kind, all_of_kind in costs.items():
            rendering = sorted(cost.rendering for cost in all_of_kind)
            rows.append(
                (
                    f"{key}: {kind}",
                    f"{len(all_of_kind)}",
                    f"{median(cost.composing for cost in all_of_kind):.2f}",
                    f"{max(cost.composing for cost in all_of_kind):.2f}",
                    f"{median(rendering):.0f}",
                    f"{rendering[-1]:.0f}",
                    f"{median(cost.size for cost in all_of_kind) / 1000:.0f}",
                    f"{max(cost.size for cost in all_of_kind) / 1000:.0f}",
                )
            )
    return Report(
        "Pictures",
        ("picture", "seen", "compose ms", "most", "render ms", "most", "kB", "most"),
        rows,
        (
            "Milliseconds of one core. Composing is done in the bot's own process, rendering in another.",
            "Goals: rendering 120 ms in the median and 300 ms at most, 150 kB at most.",
        ),
    )


def _pictures(game: AnyGame, screens: AnyScreens) -> Iterator[tuple[str, Any]]:
    yield "banner", screens.banner
    for seats in range(game.min_seats, game.max_seats + 1):
        variants = game.variants(seats)
        for match in range(MATCHES):
            states = match_of(game, seats, variants[match % len(variants)], bytes([seats, match]))
            for share in MOMENTS:
                state = states[round((len(states) - 1) * share)]
                public, own = game.view(state, None), game.view(state, match % seats)
                yield "table", lambda view=public: screens.table_picture(view)
                yield "own", lambda view=own: screens.own_picture(view)
            last = game.view(states[-1], None)
            yield "result", lambda view=last: screens.podium(view)


def _cost(picture: Picture, composing: float) -> Cost:
    times: list[float] = []
    data = b""
    for _try in range(TRIES):
        began = process_time()
        data = render(picture.svg)
        times.append(process_time() - began)
    return Cost(composing * 1000, min(times) * 1000, len(data))
