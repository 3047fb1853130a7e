"""A bot that is killed: every move that was acknowledged is there when the next one opens the store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bot.store.samples import Home
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

_PLAY_UNTIL_KILLED = """
import asyncio, sys
from bot.clock import SystemClock
from tests.bot.store.samples import Home, a_move, kept
from tests.patience import PATIENCE

async def play(store, channel):
    row = await kept(store, channel)
    while True:
        await store.commit(a_move(row, interaction_id=row.id * 10**6 + row.sequence))
        print(row.id, row.sequence, flush=True)

async def main():
    store = Home.of(sys.argv[1]).store(SystemClock(), lock_timeout=PATIENCE)
    await store.open()
    await asyncio.gather(*(play(store, channel) for channel in range(8)))

asyncio.run(main())
"""


async def test_every_acknowledged_move_survives_a_kill(home: Home) -> None:
    root = Path(__file__).parents[3]
    acknowledged: dict[int, int] = {}
    for bots in range(2):  # the second bot plays on in the store of the first, which was killed
        if bots:
            await home.change("UPDATE tables SET status = 'over'")  # which frees the channels
        with subprocess.Popen(
            [sys.executable, "-c", _PLAY_UNTIL_KILLED, home.place],
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
        ) as bot:
            assert bot.stdout is not None
            for _ in range(400):
                table, sequence = map(int, bot.stdout.readline().split())
                acknowledged[table] = sequence
            bot.kill()
            for line in bot.stdout.read().splitlines(keepends=True):
                if line.endswith("\n"):
                    table, sequence = map(int, line.split())
                    acknowledged[table] = sequence
        store = home.store(ManualClock(), lock_timeout=PATIENCE)
        await store.open()
        for table, sequence in acknowledged.items():
            row = await store.table(table)
            moves = await store.moves(table)
            assert row is not None
            assert row.sequence == len(moves) == len(await store.log(table)) >= sequence
            assert [move.sequence for move in moves] == list(range(1, len(moves) + 1))
        await store.close()
