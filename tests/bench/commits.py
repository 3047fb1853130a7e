"""How many changes of tables a store keeps in a second, on the disk of the folder for temporary files."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.clock import SystemClock
from bot.store.backends import DatabaseBackend
from bot.store.model import ALARM, Change, Job, LogRow, MoveRow, TableRow
from bot.store.store import Store
from tests.bench.report import Report
from tests.bot.postgres import Server
from tests.bot.store.samples import NOW, a_table, in_file

AT_ONCE = (1, 10, 100)
"""Numbers of tables that change all the time."""
SECONDS = 3.0
ROUNDS = 3


@dataclass(frozen=True)
class Kind:
    """A store to measure, and whether it is on a database that several processes may share."""

    name: str
    on_server: bool
    shared: bool = False


KINDS = (
    Kind("SQLite", on_server=False),
    Kind("PostgreSQL, one process alone", on_server=True),
    Kind("PostgreSQL, shared", on_server=True, shared=True),
)


def run() -> Report:
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        return asyncio.run(measured(Path(folder)))


async def measured(folder: Path) -> Report:
    server = Server(folder)
    fastest: dict[Kind, dict[int, float]] = {kind: dict.fromkeys(AT_ONCE, 0.0) for kind in KINDS}
    for number in range(
        ROUNDS
    ):  # the kinds take turns, so that a busy minute of the machine slows all of them
        for kind in KINDS:
            for tables in AT_ONCE:
                async with opened(kind, server, folder / f"{number}-{tables}.sqlite3") as store:
                    fastest[kind][tables] = max(fastest[kind][tables], await commits_a_second(store, tables))
    rows = [[kind.name, *(f"{rates[tables]:,.0f}" for tables in AT_ONCE)] for kind, rates in fastest.items()]
    return Report(
        "Commits a second",
        ["store", *(f"{tables} table{'s' if tables > 1 else ''}" for tables in AT_ONCE)],
        rows,
        [
            "Each commit is a move with two lines of the log, a table of 8 kB, and two jobs. It has returned before "
            "the next one of the same table is asked for.",
            f"The best of {ROUNDS} runs of {SECONDS:.0f} s. The server runs on the same machine and takes its part "
            "of the processors.",
        ],
    )


@asynccontextmanager
async def opened(kind: Kind, server: Server, path: Path) -> AsyncGenerator[Store]:
    """A new store of this kind."""
    store: Store = in_file(path, SystemClock())
    if kind.on_server:
        store = DatabaseBackend(server.url(await server.empty())).store(SystemClock(), shared=kind.shared)
    await store.open()
    yield store
    await store.close()


async def commits_a_second(store: Store, tables: int) -> float:
    """How many changes a second so many tables make that change all the time."""
    rows = [await store.create(Change(a_table(channel))) for channel in range(tables)]
    loop = asyncio.get_running_loop()
    until = loop.time() + SECONDS
    done = 0

    async def play(row: TableRow) -> None:
        nonlocal done
        while loop.time() < until:
            await store.commit(a_change(row))
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*map(play, rows))
    return done / (time.perf_counter() - began)


def a_change(row: TableRow) -> Change:
    """The rows that a usual move changes."""
    row.sequence += 1
    row.snapshot, row.body = f"{row.sequence:06}" * 1000, f"{row.sequence:06}" * 330
    return Change(
        row,
        [MoveRow(row.sequence, row.sequence % 4, '{"move":"dig","cards":[3,14,15]}', None, NOW)],
        log=[LogRow("game", row.sequence, '{"kind":"dug","facts":{"cards":3}}', NOW) for _ in range(2)],
        set_jobs=[Job(row.id, ALARM, NOW + row.sequence), Job(row.id, "redraw", NOW)],
        drop_jobs=["agent"],
    )
