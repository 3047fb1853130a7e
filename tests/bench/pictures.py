"""The cost of pictures: the time to draw and to render each, and the size of its file.

The cost of presses with and without them is in the benchmark `presses`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import process_time
from typing import Final, TypeVar

from bot.art.picture import Picture
from bot.art.rendering import Tiles, render
from bot.language import speaking
from bot.ui.screens.game_screens import AnyScreens
from cogs import make_screens
from engine.game import AnyGame
from engine.registry import load_games
from tests.bench.report import Report
from tools.art import match_of

T = TypeVar("T")

SEATS: Final = 4
"""The number of players of each match, or as many as the game can have."""
MOMENTS: Final = 30
"""After so many moves of each match its pictures are rendered: after each one, from the middle of the match on."""


def run() -> Iterator[Report]:
    """The pictures of all games."""
    yield drawn()


@dataclass
class Costs:
    """The cost of the pictures of a kind: milliseconds of one core, and the bytes of their files."""

    composing: list[float] = field(default_factory=list[float])
    cold: list[float] = field(default_factory=list[float])
    played: list[float] = field(default_factory=list[float])
    warm: list[float] = field(default_factory=list[float])
    sizes: list[int] = field(default_factory=list[int])


def drawn() -> Report:
    """The cost of every kind of picture of every game, over a random match of each."""
    rows: list[tuple[str, ...]] = []
    for key, screens in make_screens(games := load_games()).items():
        costs, tiles = _match(games[key], screens)
        for kind, cost in costs.items():
            rows.append(
                (
                    f"{key}: {kind}",
                    f"{len(cost.sizes)}",
                    f"{median(cost.composing):.2f}",
                    *(
                        f"{figure(times):.1f}"
                        for times in (cost.cold, cost.played, cost.warm)
                        for figure in (median, max)
                    ),
                    f"{median(cost.sizes) / 1000:.1f}",
                    f"{tiles.bytes / 1e6:.1f}",
                )
            )
    return Report(
        "Pictures",
        ("picture", "seen", "compose", "cold", "most", "played", "most", "warm", "most", "kB", "MB of tiles"),
        rows,
        (
            "Milliseconds of one core. Composing is done in the bot's own process, rendering in another.",
            "Cold: without any tile. Played: with those of the match's earlier pictures. Warm: with all its tiles.",
            "Goals: played 15 ms in the median, cold 300 ms at most, 150 kB at most.",
        ),
    )


def _match(game: AnyGame, screens: AnyScreens) -> tuple[dict[str, Costs], Tiles]:
    costs: dict[str, Costs] = {}
    tiles = Tiles()
    for kind, draw in _pictures(game, screens):
        with speaking("en"):
            draw()  # parts are made once
            composing, picture = _timed(draw)
        if picture is not None:
            cost = costs.setdefault(kind, Costs())
            cost.composing.append(composing)
            cost.played.append(_timed(partial(render, picture, tiles))[0])
            cost.warm.append(_timed(partial(render, picture, tiles))[0])
            took, data = _timed(partial(render, picture, Tiles()))
            cost.cold.append(took)
            cost.sizes.append(len(data))
    return costs, tiles


def _timed(act: Callable[[], T]) -> tuple[float, T]:
    began = process_time()
    made = act()
    return (process_time() - began) * 1000, made


def _pictures(game: AnyGame, screens: AnyScreens) -> Iterator[tuple[str, Callable[[], Picture | None]]]:
    """How to draw the pictures of a match in their order: the table's after each move, and those of all hands."""
    yield "banner", screens.banner
    seats = min(SEATS, game.max_seats)
    states = match_of(game, seats, game.variants(seats)[-1], b"pictures")
    for state in states[len(states) // 2 :][:MOMENTS]:
        public = game.view(state, None)
        yield "table", lambda view=public: screens.table_picture(view)
        for seat in range(seats):
            own = game.view(state, seat)
            yield "own", lambda view=own: screens.own_picture(view)
    last = game.view(states[-1], None)
    yield "result", lambda: screens.podium(last)
