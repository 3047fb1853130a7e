"""The cost of a server that the bot is on, whether or not anybody plays there: `python -m tests.bench servers`."""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final, cast

import discord
import psutil
from discord.state import AutoShardedConnectionState

from bot.gateway.lean_state import LeanState
from tests.bench.report import Report
from tests.bot.servers import server, state_of

SERVERS: Final = 4000
CHANNELS: Final = 40
THREADS: Final = 5
ROLES: Final = 25
EMOJI: Final = 30
"""The parts of a server of some hundred people."""


def _described(servers: int) -> Iterator[str]:
    """Discord's events of so many servers, one after the other."""
    for number in range(servers):
        first = (1 << 50) + (number << 22)
        channels = range(first + 10_000, first + 10_000 + CHANNELS)
        threads = {first + 20_000 + each: channels[each] for each in range(THREADS)}
        yield json.dumps(server(first, channels=channels, threads=threads, roles=ROLES, emojis=EMOJI))


def _learn(lean: bool, servers: int) -> tuple[float, float]:
    """Bytes and seconds of the processor a server, in this process."""
    return asyncio.run(_learn_all(LeanState if lean else AutoShardedConnectionState, servers))


async def _learn_all(kind: type[AutoShardedConnectionState[Any]], servers: int) -> tuple[float, float]:
    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
    state = state_of(kind, client, lambda *_arguments: None)
    parse = cast("dict[str, Any]", state.parsers)["GUILD_CREATE"]
    gc.collect()
    process, taken = psutil.Process(), 0.0
    before = process.memory_info().rss
    for text in _described(servers):
        began = time.process_time()
        parse(json.loads(text))
        taken += time.process_time() - began
    gc.collect()
    assert len(state.guilds) == servers
    return (process.memory_info().rss - before) / servers, taken / servers


def run() -> Report:
    """Compares what the bot remembers of a server with what discord.py remembers by itself."""
    figures: dict[bool, tuple[float, float]] = {}
    for lean in (False, True):
        spawned = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(
            1, mp_context=spawned
        ) as pool:  # a process of its own, so that it begins empty
            figures[lean] = pool.submit(_learn, lean, SERVERS).result()
    return Report(
        "What a server costs that the bot is on",
        ("", "memory", "processor, once a connection"),
        [
            (name, f"{figures[lean][0] / 1000:.1f} kB", f"{figures[lean][1] * 1000:.2f} ms")
            for name, lean in (("discord.py by itself", False), ("the bot", True))
        ],
        (
            f"{SERVERS:,} servers, each with {CHANNELS} channels, {THREADS} active threads, {ROLES} roles and {EMOJI} "
            "emoji, as Discord tells of them when a shard connects.",
        ),
    )
