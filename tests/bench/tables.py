"""How fast tables are, on a real file: moves at once, the start with many live matches, and a press beside many.

Moves go the way that a press takes them: `Tables.play`, which returns once the move is durable.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from statistics import median

from bot.app.load import spare_the_collector
from bot.clock import SystemClock
from bot.tables import lobby
from bot.tables.cache import CacheLimits
from bot.tables.model import DAY, Seat
from bot.tables.service import Tables
from tests.bench.report import Report
from tests.bot.tables.samples import GAME, make_tables, random_move, tables_on

TABLES = 200
RATE = 2000
"""Moves a second that people make in the paced run."""
SECONDS = 5.0
ROUNDS = 3
MANY = (10, 1_000, 10_000)
PRESSES = 400
"""Presses at each number of tables, for each way to press."""
TOGETHER = 250
"""Tables that are opened at once."""


def run() -> Iterator[Report]:
    """All three."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        yield asyncio.run(moves(Path(folder)))
        files = asyncio.run(many_tables(Path(folder)))
        yield start(files[max(files)], max(files))
        yield asyncio.run(presses(files))


# -- moves at once


async def moves(folder: Path) -> Report:
    """Two hundred tables, as fast as they can, and at a set pace."""
    rows: list[tuple[str, ...]] = []
    spare_the_collector()  # as the host does at its start
    for number in range(ROUNDS):
        async with tables_on(folder / f"moves-{number}.sqlite3", SystemClock()) as tables:
            await open_matches(tables, range(1, TABLES + 1))
            for name, pace in (("as fast as they can", None), (f"{RATE:,} a second", RATE)):
                spent = time.process_time()
                rate, waits = await _everybody_moves(tables, pace)
                spent = (time.process_time() - spent) / len(waits)
                waited = (_ms(waits, part) for part in (0.5, 0.99, 1.0))
                rows.append((name, f"{rate:,.0f}", *waited, f"{spent * 1e6:.0f}"))
    return Report(
        f"Moves at {TABLES} live tables, each durable before it is acknowledged",
        ("people move", "moves/s", "median ms", "99 % ms", "longest ms", "processor µs"),
        sorted(rows),
        (
            f"Random legal moves of people for {SECONDS:g} s a run, the runs in turn; ended matches begin anew.",
            f"Goal: {RATE:,} moves/s, of which 99 % are durable within 50 ms. At a set pace a wait counts from the "
            "moment the move was to be made, so that a late start counts too.",
            f"As fast as they can, all {TABLES} tables wait at all times: {TABLES} / (moves/s) is the least wait.",
            "Processor: the time of both threads for one move, the players' own included. It tells a busy machine, "
            "on which the other figures suffer, from slow code.",
        ),
    )


async def open_matches(tables: Tables, channels: range) -> list[int]:
    """Matches of three people in these channels."""
    ids: list[int] = []
    for first in channels[::TOGETHER]:
        some = [channel for channel in channels if first <= channel < first + TOGETHER]
        ids += await asyncio.gather(*(_open_match(tables, channel) for channel in some))
    return ids


async def _open_match(tables: Tables, channel: int) -> int:
    people = [channel * 10 + seat for seat in range(3)]
    seats = [Seat(f"Player {person}", person) for person in people]
    table = await tables.open(
        lobby.NewTable(
            GAME, guild_id=1, channel_id=channel, user_id=people[0], seats=seats, locale="en", limit=DAY
        )
    )
    async with tables.change(table.id) as draft:
        lobby.freeze(draft, people[0])
        lobby.begin(draft, channel)
    return table.id


async def _everybody_moves(tables: Tables, pace: int | None) -> tuple[float, list[float]]:
    """Moves a second, and how long each move waited, the shortest wait first."""
    waits: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(*(_player(tables, channel, start, pace, waits) for channel in range(1, TABLES + 1)))
    took = time.perf_counter() - start
    return len(waits) / took, sorted(waits)


async def _player(tables: Tables, channel: int, start: float, pace: int | None, waits: list[float]) -> None:
    rng = Random(f"{start}/{channel}")
    table = await tables.live_in(channel)
    every = TABLES / pace if pace else 0.0
    due = start + every * channel / TABLES
    while (now := time.perf_counter()) < start + SECONDS:
        if pace:
            await asyncio.sleep(max(0.0, due - now))
        if table is None or not table.live:
            table = await tables.get(await _open_match(tables, channel))
        seat, drawn, move = random_move(table, rng)
        person = table.seats[seat].user_id
        assert person is not None
        began = due if pace else time.perf_counter()
        table = await tables.play(table.id, person, drawn, move, _interaction())
        waits.append(time.perf_counter() - began)
        due += every


def _interaction() -> int:
    return time.time_ns()


def _ms(waits: list[float], part: float) -> str:
    return f"{waits[min(len(waits) - 1, int(len(waits) * part))] * 1000:.1f}"


# -- many live tables


async def many_tables(folder: Path) -> dict[int, Path]:
    """Files with so many live matches, by their number."""
    files = {count: folder / f"many-{count}.sqlite3" for count in MANY}
    for count, path in files.items():
        async with tables_on(path, SystemClock()) as tables:
            await open_matches(tables, range(1, count + 1))
            await all_drawn(tables)
    return files


async def all_drawn(tables: Tables) -> None:
    """The messages that are to be drawn anew are taken as drawn."""
    while jobs := await tables.store.due(tables.clock.now()):
        await tables.store.finish(jobs)


_START = """
import time; began = time.perf_counter()
import asyncio, sys
from pathlib import Path
from random import Random
from bot.clock import SystemClock
from bot.app.client import make_client
from bot.settings import Settings
import cogs
from engine.registry import load_games

def most_memory():
    lines = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0])

async def main():
    count = int(sys.argv[2])
    settings = Settings(_env_file=None, database_path=Path(sys.argv[1]), agent_delay=(60, 60))
    client = make_client(settings, SystemClock(), load_games(), cogs.setup)
    made = time.perf_counter()
    await client.host.start()
    cogs.setup(client.host, client.tree)
    tables = client.host.tables

    async def press(channel):
        table = await tables.live_in(channel)
        (decision,) = table.game.pending(table.state)
        move = table.game.sample(table.state, decision.seat, Random(channel))
        person = table.seats[decision.seat].user_id
        await tables.play(table.id, person, str(decision.id), move, time.time_ns())

    await press(count // 2)
    ready = time.perf_counter()
    first = most_memory()
    for channel in range(1, count + 1):
        await press(channel)
    print(ready - began, ready - made, first, most_memory())
    await client.host.close()

asyncio.run(main())
"""


def start(path: Path, count: int) -> Report:
    """A new process on a file with many live matches, until its first press is answered."""
    rows: list[tuple[str, ...]] = []
    for number in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", _START, path, str(count)], check=True, stdout=subprocess.PIPE, text=True
        )
        whole, host, first, later = map(float, done.stdout.split())
        memory = (f"{kibibytes / 1024:.0f}" for kibibytes in (first, later))
        rows.append((f"start {number + 1}", f"{whole:.2f}", f"{host:.2f}", *memory))
    return Report(
        f"Start with {count:,} live matches on file",
        ("", "ready, s", "of it the host, s", "MB then", "MB after presses at all tables"),
        rows,
        (
            "From the start of Python's work, imports included, until the first press is durable: what is ready "
            "then is the whole bot but Discord's own login.",
            "Goal: ready in 3 s, with 300 MB.",
        ),
    )


# -- a press beside many others

AT_HAND, READ, ANY = "at hand", "read first", "any of all"
FEW = 5


async def presses(files: dict[int, Path]) -> Report:
    """The cost of one press, beside few and beside many live tables."""
    rows = [row for way in (AT_HAND, READ, ANY) for row in await _compare(files, way)]
    return Report(
        "One press after another, by the number of live tables",
        (
            "the table",
            "µs of",
            *(f"{count:,} tables" for count in files),
            *(f"{count:,} : {min(files):,}" for count in list(files)[1:]),
        ),
        rows,
        (
            f"Medians of {PRESSES} rounds; in each there is one press beside each number of tables, in random order, "
            "so that what else the machine does strikes all alike. The last columns are the medians of the rounds' "
            "ratios; they are what to compare.",
            "A press is timed from the look at the table until its move is durable; most of that is the disk's. "
            "Processor: the time of both threads.",
            "At hand: it was used just before. Read first: it has to be read from the file. Any of all: drawn anew "
            f"for each press; {CacheLimits().tables:,} are held ready.",
            "Goal: ratios up to 1.2.",
        ),
    )


async def _compare(files: dict[int, Path], way: str) -> list[tuple[str, ...]]:
    times: dict[int, list[tuple[float, float]]] = {count: [] for count in files}
    async with AsyncExitStack() as stack:
        pressers = {
            count: Presser(await stack.enter_async_context(tables_on(path, SystemClock())), count, way)
            for count, path in files.items()
        }
        for presser in pressers.values():
            await presser.look_around()
        turns = list(pressers)
        for number in range(PRESSES):
            Random(number).shuffle(turns)
            for count in turns:
                times[count].append(await pressers[count].press())
    rows: list[tuple[str, ...]] = []
    for place, what in enumerate(("time", "processor")):
        base, *others = figures = [[took[place] for took in of_count] for of_count in times.values()]
        ratios = [
            median(each / first for each, first in zip(other, base, strict=True) if first) for other in others
        ]
        microseconds = (f"{median(of_count) * 1e6:,.0f}" for of_count in figures)
        rows.append((way, what, *microseconds, *(f"{ratio:.2f}" for ratio in ratios)))
    return rows


class Presser:
    """Presses at one of so many tables, one after another."""

    def __init__(self, tables: Tables, count: int, way: str) -> None:
        self._tables = tables
        self._way = way
        self._channels = range(1, 1 + (FEW if way == AT_HAND else count))
        self._ids: dict[int, int] = {}
        self._rng = Random(count)

    async def look_around(self) -> None:
        """Has used every table once."""
        for channel in self._channels:
            table = await self._tables.live_in(channel)
            self._ids[channel] = table.id if table else await _open_match(self._tables, channel)

    async def press(self) -> tuple[float, float]:
        """Presses, and gives the seconds that it took, and those of the processor."""
        channel = self._rng.choice(self._channels)
        # A table layer of its own has no table ready.
        tables = make_tables(self._tables.store, self._tables.clock) if self._way == READ else self._tables
        began, spent = time.perf_counter(), time.process_time()
        table = await tables.get(self._ids[channel])
        seat, drawn, move = random_move(table, self._rng)
        person = table.seats[seat].user_id
        assert person is not None
        table = await tables.play(table.id, person, drawn, move, _interaction())
        took = time.perf_counter() - began, time.process_time() - spent
        if not table.live:
            self._ids[channel] = await _open_match(tables, channel)
        await all_drawn(tables)
        return took
