"""A bot is killed while fifty matches are played: no acknowledged move is lost, and every match goes on."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import pytest

from bot.app.host import Host
from bot.clock import SystemClock
from bot.store.model import StoreError
from engine.archaeology import create
from engine.fairness import match_key
from tests.bot.hosts import make_host, run_due
from tests.bot.postgres import server
from tests.bot.tables.samples import GAME, Presses, match_of

ROOT = Path(__file__).parents[3]
MATCHES = 50

# Two people and an agent sit at each table. The program prints every move that was acknowledged: a person's move when
# its press is answered, and an agent's move once the table that others see contains it.
_PLAY_UNTIL_KILLED = """
import asyncio, signal, sys
from bot.clock import SystemClock
from tests.bot.hosts import make_host
from tests.bot.store.samples import Home
from tests.bot.tables.samples import Presses, match_of

def report(table, known):
    if table.sequence > known.get(table.id, -1):
        known[table.id] = table.sequence
        print(table.id, table.sequence, flush=True)

async def play(host, channel, known):
    presses = Presses(host.tables, channel)
    table = await match_of(host.tables, channel * 10, channel * 10 + 1, channel=channel, agents=1)
    report(table, known)
    while True:
        while not table.live:
            await asyncio.sleep(1)
        if table.seats[table.state.asked].user_id is None:
            await host.tables.agent_turn(table.id)
            table = await host.tables.get(table.id)
        else:
            table = await presses.move(table)
        report(table, known)

async def main():
    host, _drawn = make_host(Home.of(sys.argv[1]).place, SystemClock())
    await host.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    known = {}
    players = [asyncio.create_task(play(host, channel, known)) for channel in range(1, int(sys.argv[2]) + 1)]
    jobs = asyncio.create_task(run_jobs(host))
    await stop.wait()
    for task in (*players, jobs):
        task.cancel()
    await asyncio.gather(*players, jobs, return_exceptions=True)
    await host.close()

async def run_jobs(host):
    while True:
        await host.start_due()
        await asyncio.sleep(0.02)

asyncio.run(main())
"""


def play_and_end(place: Path | str, how: signal.Signals, moves: int) -> tuple[dict[int, int], int]:
    """The last acknowledged move of each table, and the exit status of the process, which is ended with this signal."""
    acknowledged: dict[int, int] = defaultdict(int)

    def note(line: str) -> None:
        if line.endswith("\n"):  # the last line may be incomplete
            table, sequence = map(int, line.split())
            acknowledged[table] = sequence

    with subprocess.Popen(
        [sys.executable, "-c", _PLAY_UNTIL_KILLED, place, str(MATCHES)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as bot:
        assert bot.stdout is not None
        for _ in range(moves):
            note(bot.stdout.readline())
        bot.send_signal(how)
        for line in bot.stdout.read().splitlines(keepends=True):
            note(line)
    return acknowledged, bot.returncode


async def check(host: Host, acknowledged: dict[int, int]) -> None:
    """Every acknowledged move is on file, once, and replays to what the table shows."""
    game = create()
    for table_id, sequence in acknowledged.items():
        table = await host.tables.get(table_id)
        moves = await host.store.moves(table_id)
        assert table.sequence == len(moves) >= sequence
        assert [move.sequence for move in moves] == list(range(1, len(moves) + 1))
        presses = [move.interaction_id for move in moves if move.interaction_id is not None]
        assert len(presses) == len(set(presses))
        seed = bytes.fromhex(table.body.host_seed)
        state = game.new(len(table.seats), game.load_options({}), match_key(seed, table.contributions))
        for move in moves:
            game.apply(state, move.seat, game.load_move(json.loads(move.move)))
        assert game.dump(state) == game.dump(table.state)


async def play_on(host: Host, table_id: int) -> None:
    """Plays the match to its end: people press, and agents move by their jobs."""
    presses = Presses(host.tables, table_id)
    table = await host.tables.get(table_id)
    while table.live:
        if table.seats[table.state.asked].user_id is None:
            await run_due(host)
            table = await host.tables.get(table_id)
        else:
            table = await presses.move(table)
    assert table.status == "over"
    assert GAME.outcome(table.state) is not None


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.system)])
async def place(request: pytest.FixtureRequest, path: Path) -> Path | str:
    """Where the matches are kept: a file, or a database on a real server."""
    if request.param == "sqlite":
        return path
    running = server()
    return running.url(await running.database())


async def test_every_acknowledged_move_survives_a_kill_and_every_match_goes_on(place: Path | str) -> None:
    moves = random.randint(MATCHES * 4, MATCHES * 20)
    acknowledged, _status = play_and_end(place, signal.SIGKILL, moves)
    assert len(acknowledged) == MATCHES
    host, _drawn = make_host(place, SystemClock())
    await host.start()
    await check(host, acknowledged)
    live = [table for table in acknowledged if (await host.tables.get(table)).live]
    await asyncio.gather(*(play_on(host, table) for table in live[:20]))
    for table in live[20:]:
        before = await host.tables.get(table)
        if before.seats[before.state.asked].user_id is None:
            await run_due(host)
        else:
            await Presses(host.tables, table).move(before)
        assert (await host.tables.get(table)).sequence > before.sequence
    await host.close()


@pytest.mark.system
async def test_a_bot_that_is_told_to_stop_finishes_what_is_in_hand_and_exits_well(place: Path | str) -> None:
    began = asyncio.get_running_loop().time()
    acknowledged, status = play_and_end(place, signal.SIGTERM, MATCHES * 6)
    assert status == 0
    assert asyncio.get_running_loop().time() - began < 15
    host, _drawn = make_host(place, SystemClock())
    await host.start()
    await check(host, acknowledged)
    await host.close()


@pytest.mark.system
@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_database_server_that_goes_down_amid_matches_loses_no_move_and_doubles_none(
    mode: str,
) -> None:
    running = server()
    host, _drawn = make_host(running.url(await running.database()), SystemClock())
    await host.start()
    acknowledged: dict[int, int] = {}
    down = asyncio.Event()

    async def play(channel: int) -> None:
        table = await match_of(host.tables, channel * 10, channel * 10 + 1, channel=channel)
        presses = Presses(host.tables, channel)
        moves = 0
        while table.live and (moves < 10 or not down.is_set()):
            with suppress(StoreError):  # as a person who reads that it could not be saved, and presses again
                table = await presses.move(table)
                acknowledged[table.id] = table.sequence
                moves += 1

    async def take_down() -> None:
        while sum(acknowledged.values()) < 50:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(running.stop, mode)  # type: ignore[arg-type]
        await asyncio.to_thread(running.start)
        down.set()

    await asyncio.gather(take_down(), *(play(channel) for channel in range(1, 11)))
    assert len(acknowledged) == 10
    await check(host, acknowledged)
    await host.close()
