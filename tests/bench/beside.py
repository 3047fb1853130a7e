"""Presses, films, reviews and the engine beside an earlier commit: `BEFORE=COMMIT python -m tests.bench beside`.

Both are measured in processes of their own, in turn, so that what else the machine does strikes them alike. Without
`BEFORE`, the commit is the last one whose films were drawn frame by frame, and whose reviews appraised all decisions.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.bench.presses import HEAD, TABLES, by_turns, constant, digsite, ms, row
from tests.bench.report import Report

BEFORE: Final = os.environ.get("BEFORE", "d18c85bb")
ROUNDS: Final = 3
HERE: Final = Path(__file__).parents[2]

COMMON: Final = """
import json, sys, time
from random import Random
from tests.bot.replay.records import ENGINES, SCREENS, played
key, seats = sys.argv[1], int(sys.argv[2])
game = ENGINES[key]
"""
FILM: Final = """
from bot.replay.film import make_film
record = played(key, seats)
begun = time.process_time()
film = make_film(record, ENGINES, SCREENS, everything=True, report=lambda *_: None)
found = [film.frames, len(film.data)]
"""
REVIEW: Final = """
import asyncio
from bot.replay.reviews import PendingReview, Reviews, _Request
from bot.tables.history import OwnMove
from bot.tables.thinking import Thinkers
from engine.record import replay
from types import SimpleNamespace as Some
record = played(key, seats, int(sys.argv[3]))
made, view = [], None
for step in replay(record, ENGINES):
    if step.move and view is not None:
        made.append(OwnMove(step.move, view, game.load_move(dict(record.moves[step.move - 1][1]))))
    following = record.moves[step.move][0] if step.move < len(record.moves) else None
    view = game.view(step.state, following) if following == 0 else None
made = made if len(made) <= 60 else [made[number * len(made) // 60] for number in range(60)]
body = Some(host_seed=bytes(32).hex(), options=record.options)
table = Some(id=1, game=game, state=step.state, seats=record.seats, contributions=[], body=body)
context = Some(tables=Some(games=ENGINES), screens_of=lambda _table: SCREENS[key])
thinkers = Thinkers(0)
async def at_once(thinking, game, *arguments):
    return thinking(game, *arguments)
thinkers._here = at_once
reviews = Reviews(thinkers, None)
first, appraise = [], thinkers.appraise
async def appraised(*given):
    appraisal = await appraise(*given)
    first.append(time.process_time() - begun)
    return appraisal
thinkers.appraise = appraised
async def reviewed():
    if hasattr(reviews, "_made"):  # before reviews had a course
        pending = PendingReview(_Request(table, 0, 0, False, 0), 1, record, made, 16)
        return await reviews._made(context, pending)
    from bot.replay.findings import Played
    new = "screens" in Played._fields  # earlier it had none
    own = Played.of(record, ENGINES, *[SCREENS[key]][: int(new)], made)
    pending = PendingReview(_Request(table, 0, 0, 0), 1, own.decisions(60), own.turning(60))
    return await reviews._found(context, pending, own)
begun = time.process_time()
review = asyncio.run(reviewed())
shown = [[(each.turn, each.gain, each.appraisal.error) for each in found] for found in (review.costs, review.leads)]
first = first[0] if hasattr(PendingReview, "step") and first else time.process_time() - begun
found = [first, *shown]
"""
RANDOM: Final = """
from tests.bench.engine import random_play
play = random_play(game)
play(0)
begun = time.process_time()
found = sum(play(number) for number in range(1, 400))
"""
PLAYOUTS: Final = """
from engine.agents.advice import adviser_of
playouts = adviser_of(game).playouts
states = [game.new(seats, game.variants(seats)[0], bytes([number]) * 32) for number in range(200)]
begun = time.process_time()
for state in states:
    playouts.play(state, 10_000)
found = sum(state.moves for state in states)
"""
FAMILY: Final = [("archaeology", 2), ("archaeology", 4), ("expedition", 2), ("expedition", 4)]
ENGINE: Final = (
    (
        "400 random matches",
        RANDOM,
        [("archaeology", 2), ("expedition", 2), ("artifact", 2), ("artifacts-inc", 2)],
    ),
    ("200 matches of quickened Experts", PLAYOUTS, FAMILY),
)
START: Final = """
import json, time
import bot.cli.run, cogs
from engine.registry import load_games
cogs.make_screens(load_games())
begun, found = 0.0, None
"""
MEASURED: Final = """
print(json.dumps([time.process_time() - begun, found]))
"""


def run() -> Iterator[Report]:
    """Films and reviews, and what reviews stand on."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        archive = subprocess.run(
            ["git", "archive", BEFORE], cwd=HERE, check=False, capture_output=True
        ).stdout
        if not archive:
            yield Report(
                f"Beside {BEFORE}", COLUMNS, [], ["The earlier commit is not here, so nothing was measured."]
            )
            return
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield _beside(
            "Films", Path(folder), FILM, [("archaeology", 4), ("artifacts-inc", 4), ("artifact", 4)]
        )
        yield _reviews(Path(folder))
        yield _start(Path(folder))
        yield from asyncio.run(_presses(Path(folder)))
        for title, program, cases in ENGINE:
            yield _beside(title, Path(folder), program, cases)


async def _presses(before: Path) -> list[Report]:
    """A press as fast as the bot can, beside a bot that answers a constant; and one at a human pace, with pictures."""
    async with AsyncExitStack() as stack:
        trees = {"before": before, "now": HERE}
        bots = [await stack.enter_async_context(constant())]
        for name, tree in trees.items():
            bot = digsite(name, TABLES, PICTURES="off", PYTHONPATH=str(tree))
            bots.append(await stack.enter_async_context(bot))
        await by_turns(bots)
        fast = Report(f"Presses beside {BEFORE}", HEAD, [row(each, bots[0]) for each in bots])
    async with AsyncExitStack() as stack:
        paced = [
            await stack.enter_async_context(
                digsite(name, TABLES, PICTURES="on", BOARD_LAG="0", PYTHONPATH=str(tree))
            )
            for name, tree in trees.items()
        ]
        for _ in range(ROUNDS):
            for each in paced:
                await each.wait_at_leisure()
        rows = [
            (
                each.name,
                *(f"{median(spent[part] for spent in each.leisure) * 1000:.1f}" for part in (0, 1)),
                *(ms(each.waits, part) for part in (0.5, 0.99)),
            )
            for each in paced
        ]
        note = "Milliseconds: of the processor for each press, and until the press is answered. Nothing is put off."
        return [
            fast,
            Report(
                f"Presses at a human pace beside {BEFORE}",
                ("", "bot", "renderer", "50 %", "99 %"),
                rows,
                (note,),
            ),
        ]


def _start(before: Path) -> Report:
    old, new = _in_turn(before, START)
    rows = [_row("modules for a start", [each for each, _ in old], [each for each, _ in new])]
    return Report(f"A start beside {BEFORE}", ("", *COLUMNS[1:]), rows, (NOTE,))


def _measured(tree: Path, program: str, *arguments: object) -> tuple[float, Any]:
    """Seconds of processor time, and what was found."""
    done = subprocess.run(
        [sys.executable, "-c", program + MEASURED, *map(str, arguments)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        stdout=subprocess.PIPE,
    )
    seconds, found = json.loads(done.stdout.splitlines()[-1])
    return seconds, found


def _in_turn(before: Path, program: str, *arguments: object) -> list[list[tuple[float, Any]]]:
    """The rounds of the earlier commit, and those of this one."""
    rounds: list[list[tuple[float, Any]]] = [[], []]
    for _ in range(ROUNDS):
        for found, tree in zip(rounds, (before, HERE), strict=True):
            found.append(_measured(tree, program, *arguments))
    return rounds


def _row(name: str, old: list[float], new: list[float]) -> tuple[str, ...]:
    return name, f"{median(old):.2f}", f"{median(new):.2f}", f"{median(new) / median(old):.2f}"


COLUMNS: Final = ("seats", "before", "now", "now : before")


def _beside(title: str, before: Path, program: str, cases: list[tuple[str, int]]) -> Report:
    rows: list[tuple[str, ...]] = []
    for key, seats in cases:
        old, new = _in_turn(before, COMMON + program, key, seats)
        rows.append(_row(f"{key}, {seats}", [each for each, _ in old], [each for each, _ in new]))
    return Report(f"{title} beside {BEFORE}", COLUMNS, rows, (NOTE,))


NOTE: Final = f"Seconds of processor time, medians of {ROUNDS} rounds in turn."


def _reviews(before: Path) -> Report:
    """Reviews: the time of the first page and of all, and the figures that they show, with their errors."""
    rows: list[tuple[str, ...]] = []
    notes = [
        NOTE,
        "The first page is there once a decision is appraised, and grows; before, it came with all. Turns, with costs "
        "and then leads and their errors:",
    ]
    for key, seats, seed in (("archaeology", 2, 1), ("expedition", 2, 1), ("archaeology", 4, 2)):
        old, new = _in_turn(before, COMMON + REVIEW, key, seats, seed)
        firsts = [[found[0] for _, found in rounds] for rounds in (old, new)]
        rows.append(_row(f"{key}, {seats}: first page", *firsts))
        rows.append(_row(f"{key}, {seats}: all", [each for each, _ in old], [each for each, _ in new]))
        for name, rounds in (("before", old), ("now", new)):
            _, costs, leads = rounds[0][1]
            notes.append(f"{key}, {seats}, {name}: {_figures(costs)}; {_figures(leads)}")
    return Report(f"Reviews beside {BEFORE}", COLUMNS, rows, notes)


def _figures(found: list[list[float]]) -> str:
    return ", ".join(f"{turn}: {gain:.1f} ±{error:.1f}" for turn, gain, error in found) or "none"
