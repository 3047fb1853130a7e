"""How long a person's move takes while agents are to move at hundreds of other tables, as after a start."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bot.app.host import Host
from bot.clock import SystemClock
from tests.bench.report import Report
from tests.bot.hosts import make_host
from tests.bot.tables.samples import Presses, match_of, tables_on

TABLES = (0, 300, 1_000)
SECONDS = 5.0
EVERY = 0.05
"""Seconds between two moves of the person."""
PERSON, FRIEND = 1, 2
LOOK = 0.05
"""Seconds between two looks for what is due, as the bot has them where something is."""


def run() -> Report:
    """With so many tables at which three agents are to move without a pause."""
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        for count in TABLES:
            waits, moves = asyncio.run(measure(Path(folder) / f"{count}.sqlite3", count))
            figures = (waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.99))
            rows.append(
                (f"{count:,}", *(f"{ms:.1f}" for ms in (*figures, waits[-1] * 1000)), f"{moves:,.0f}")
            )
    return Report(
        "A person's move beside tables at which agents are to move",
        ("tables of agents", "median ms", "99 % ms", "longest ms", "agents' moves/s"),
        rows,
        (
            f"A move every {EVERY * 1000:g} ms for {SECONDS:g} s, from the press until it is durable. At each of the "
            "other tables a person waits for three agents, all of them due at once; no messages are drawn.",
        ),
    )


async def measure(path: Path, count: int) -> tuple[list[float], float]:
    """How long the person's moves took, the shortest first, and the moves of agents a second."""
    async with tables_on(path, SystemClock()) as tables:
        for channel in range(1, count + 1):
            await match_of(tables, 1_000 + channel, agents=3, first=1, limit=None, channel=channel)
    host, _drawn = make_host(path, SystemClock())
    await host.start()
    made = 0
    agent_turn = host.tables.agent_turn

    async def counted(table_id: int) -> None:
        nonlocal made
        await agent_turn(table_id)
        made += 1

    host.tables.agent_turn = counted
    jobs = asyncio.create_task(_run_jobs(host))
    began = time.perf_counter()
    waits = await _moves(host)
    took = time.perf_counter() - began
    jobs.cancel()
    await asyncio.gather(jobs, return_exceptions=True)
    await host.close()
    return sorted(waits), made / took


async def _moves(host: Host) -> list[float]:
    waits: list[float] = []
    presses = Presses(host.tables)
    channel, until = 1_000_000, time.perf_counter() + SECONDS
    table = await match_of(host.tables, PERSON, FRIEND, channel=channel)
    while (due := time.perf_counter()) < until:
        table = await presses.move(table)
        waits.append(time.perf_counter() - due)
        if not table.live:
            channel += 1
            table = await match_of(host.tables, PERSON, FRIEND, channel=channel)
        await asyncio.sleep(EVERY)
    return waits


async def _run_jobs(host: Host) -> None:
    while True:
        await host.start_due()
        await asyncio.sleep(LOOK)
