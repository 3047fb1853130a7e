"""Questions of people about themselves: the list of 200 live matches, a profile, a leaderboard, all ratings again."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bot.clock import SystemClock
from bot.language import speaking
from bot.people.own_matches.screens import Shown, own_matches
from bot.ratings import NEW, Rating, rate
from bot.store.sqlite.engine import rewrite_small_tables
from bot.tables.own_tables import own_tables
from cogs import make_screens
from engine.registry import load_games
from tests.bench.report import Report
from tests.bot.store.rated import rated_of, recomputed
from tests.bot.store.samples import in_file
from tests.bot.tables.samples import ANA, BEN, match_of, tables_on

LIVE = 200
ENDED = 1_000
TIMES = 30
MATCHES = 100_000
PEOPLE = 2_000


def run() -> Iterator[Report]:
    """Both."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        yield asyncio.run(lists(Path(folder)))
        yield asyncio.run(ratings(Path(folder)))


async def lists(folder: Path) -> Report:
    """`/games mine` of a person with 200 live matches among 1,000 others that the person has played."""
    async with tables_on(folder / "lists.sqlite3", SystemClock()) as tables:
        for channel in range(LIVE + ENDED):
            table = await match_of(tables, ANA, BEN, channel=channel + 1)
            if channel >= LIVE:
                await tables.give_up(table.id)
        screens = make_screens(load_games())
        spent: dict[str, list[float]] = {"query, bodies": [], "one page": []}
        found = await own_tables(tables, ANA, 1)
        for _ in range(TIMES):
            began = time.perf_counter()
            found = await own_tables(tables, ANA, 1)
            read = time.perf_counter()
            with speaking("en"):
                own_matches(found, screens, Shown(0.0, 0.0, in_server=True), 0).view().to_components()
            spent["query, bodies"].append(read - began)
            spent["one page"].append(time.perf_counter() - read)
        assert len(found) == LIVE
    rows = [(name, f"{median(times) * 1000:.1f} ms") for name, times in spent.items()]
    return Report(f"/games mine, {LIVE} live matches of {LIVE + ENDED}", ("part", "median"), rows)


async def ratings(folder: Path) -> Report:
    """The ratings of 100,000 matches, read from a file, computed again and compared."""
    path = folder / "ratings.sqlite3"
    store = in_file(path, SystemClock())
    await store.open()  # makes the layout
    await store.close()
    _fill(path)
    await store.open()
    began = time.perf_counter()
    rows = await rated_of(store, 1)
    read = time.perf_counter()
    assert recomputed(rows) == []
    done = time.perf_counter()
    times = [("read", read - began), ("computed again", done - read)]
    results, engine = store.results, store.engine
    parts: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "a leaderboard": lambda: results.leaderboard(1, "archaeology", 1),
        "the number of matches by game": lambda: results.games_of(1, 1),
        "a profile": lambda: results.with_person(7, 1),
        "a person is taken out": lambda: results.forget_person(5),
        "the writer after a deletion": lambda: engine.write(rewrite_small_tables),
    }
    for name, run_part in parts.items():
        spent: list[float] = []
        for _ in range(5 if name != "a person is taken out" else 1):
            began = time.perf_counter()
            await run_part()
            spent.append(time.perf_counter() - began)
        times.append((name, median(spent)))
    await store.close()
    return Report(f"Ratings, {MATCHES:,} matches", ("part", "seconds"), [(n, f"{t:.3f}") for n, t in times])


def _fill(path: Path) -> None:
    """Stores rated matches of two to four people, whose ratings follow from each other."""
    rng, known, rows = Random(1), dict[int, Rating](), list[tuple[float | str | None, ...]]()
    for number in range(1, MATCHES + 1):
        people = rng.sample(range(PEOPLE), rng.randrange(2, 5))
        before, places = [known.get(user, NEW) for user in people], [rng.randrange(1, 4) for _ in people]
        weights = [1.0] * len(people)
        after = rate(before, places, weights)
        known.update(zip(people, after, strict=True))
        for seat, (user, place, old, new) in enumerate(zip(people, places, before, after, strict=True)):
            head = (1, number, seat, number, "archaeology", 1, float(number), 40, user + 1, place, 10)
            rows.append((*head, *old, *new, None, 1.0))
    with closing(sqlite3.connect(path)) as connection, connection:
        users = [(user + 1, user + 1) for user in range(PEOPLE)]
        connection.executemany("INSERT INTO players VALUES (?, ?)", users)
        connection.executemany(f"INSERT INTO results VALUES ({', '.join('?' * 17)})", rows)
