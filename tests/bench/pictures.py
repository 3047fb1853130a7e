"""What pictures cost: the time to draw and to render each, the size of its file, and presses with and without them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any, Final

from bot.art.picture import Picture
from bot.art.rendering import render
from bot.language import speaking
from bot.ui.game_screens import AnyScreens
from cogs import make_screens
from engine.game import AnyGame
from engine.registry import load_games
from tests.bench import requests
from tests.bench.report import Report
from tests.bench.requests import FULL_SPEED, TABLES, WARMING, Evening
from tools.art import match_of

MATCHES: Final = 2
"""Matches of each game and number of seats, of which pictures are taken."""
MOMENTS: Final = (0.0, 0.3, 0.6, 0.9, 1.0)
TRIES: Final = 2
"""How often each is rendered: the quickest counts, because other programs take time from it."""
ROUNDS: Final = 3


def run() -> Iterator[Report]:
    """The pictures of all games, and the presses that are answered with pictures on and off."""
    yield drawn()
    yield asyncio.run(presses())


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


async def presses() -> Report:
    """How many presses a second are answered with pictures on and off, by turns."""
    rates: dict[str, list[float]] = {"off": [], "on": []}
    waits: dict[str, list[float]] = {"off": [], "on": []}
    uploads = 0
    for _round in range(ROUNDS):
        for choice, found in rates.items():
            async with requests.bot(PICTURES=choice) as (discord, file):
                evening = Evening(discord, file, TABLES)
                await evening.open_tables()
                paced = evening.play("their own screens", TABLES / 24)
                await asyncio.sleep(WARMING)
                waits[choice] += evening.waits[len(evening.waits) // 4 :]
                paced.cancel()
                evening.waits.clear()
                discord.uploads = 0
                began = asyncio.get_running_loop().time()
                fast = evening.play("their own screens", 0.0)
                await asyncio.sleep(FULL_SPEED)
                found.append(len(evening.waits) / (asyncio.get_running_loop().time() - began))
                fast.cancel()
                await asyncio.gather(paced, fast, return_exceptions=True)
                uploads += discord.uploads if choice == "on" else 0
    rows = [
        (
            choice,
            requests.ms(sorted(waits[choice]), 0.5),
            requests.ms(sorted(waits[choice]), 0.99),
            f"{median(found):,.0f}",
            f"{median(rates['off']) / median(found):.2f}",
        )
        for choice, found in rates.items()
    ]
    return Report(
        f"Presses at {TABLES} tables with pictures on and off",
        ("pictures", "median ms", "99 % ms", "presses/s", "a press costs"),
        rows,
        (
            f"As in the benchmark `requests`, by turns, {ROUNDS} times each. Pictures sent a second at full speed: "
            f"{uploads / ROUNDS / FULL_SPEED:.0f}.",
            "Goal: a press costs at most 1.1 times as much with pictures.",
        ),
    )
