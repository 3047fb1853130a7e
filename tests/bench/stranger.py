"""How long a stranger waits while one account keeps a thousand tables busy: the real bot, through the wire.

The bot runs as `python -m bot run` does; its Discord is on loopback (`tests.bench.busy_discord`).
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from tests.bench.busy_discord import Answer, BusyDiscord, Shown
from tests.bench.report import Report
from tests.bot import hosts

TABLES = 1_000
"""Tables of the busy account."""
ROUNDS = 3
"""Times that strangers play through what is measured."""
PATIENCE = 90.0
"""Seconds after which the measuring of a wait is given up."""
STANDING = 150.0
"""Seconds for which the boards of the busy account's matches are waited for at most."""
PAUSE = 5.0
"""Seconds after which a stranger has the table brought to the bottom: so long Discord counts edits of one channel."""

NO_LIMITS: Final = {name.upper(): "0" for name in hosts.NO_LIMITS}
"""The settings, as they stand in the environment, of a bot with which one account may open so many tables."""

BUSY: Final = 500
"""The busy account."""
FIRST_SERVER: Final = 1
ELSEWHERE: Final = 100_000
"""A server in which the busy account has no table."""
MOVES: Final = ("g.dig", "g.steal", "g.discard", "g.end")
"""The presses of the busy account on its private screens, whichever comes first."""

START, JOIN, MATCH, BOARD, TABLE, AGAIN = (
    "/archaeology start answered",
    "Join answered",
    "Start Match answered",
    "Start Match: the board stands",
    "/archaeology table: the board stands",
    "/archaeology table answered",
)
WHAT: Final = (START, JOIN, MATCH, BOARD, TABLE, AGAIN)

Waits = dict[str, list[float]]


def run() -> Iterator[Report]:
    """Beside tables in one server, and beside tables in as many servers."""
    yield asyncio.run(measure("in one server", spread=False))
    yield asyncio.run(measure("each in a server of its own", spread=True))


async def measure(where: str, *, spread: bool) -> Report:
    """The waits of strangers with nobody else there, beside lobbies, and beside matches."""
    columns: dict[str, Waits] = {}
    async with bot_and_discord() as discord:
        crowd = Crowd(discord, spread=spread)
        columns["idle"] = await crowd.strangers(ELSEWHERE)
        await crowd.open_tables()
        columns["lobbies"] = await crowd.strangers(ELSEWHERE)
        async with crowd.playing():
            columns["starts"] = await crowd.strangers(ELSEWHERE)
            standing = await crowd.standing()
            columns["matches"] = await crowd.strangers(ELSEWHERE)
            if not spread:
                columns["same server"] = await crowd.strangers(FIRST_SERVER)
    rows = [(what, *_figures(what, columns)) for what in WHAT]
    idle, *others = columns
    ratios = [f"{name} : idle" for name in others]
    return Report(
        f"A stranger beside {TABLES:,} tables of one account, {where}",
        ("seconds until", idle, *others, *ratios),
        rows,
        (
            f"The longest wait of {ROUNDS} rounds, from the press to the answer's, or the board's, arrival at Discord, "
            "which takes 0.1 s for each request, 50 requests a second and 5 of a kind in a channel in 5 s. "
            f">{PATIENCE:g}: given up.",
            "Lobbies: right after the last was opened. Starts: right after Start Match was pressed in all of them at "
            "once. Matches: against three agents each; the account presses whenever a board changes. It took "
            f"{standing:.0f} s until all their boards stood (waited for {STANDING:g} s at most). Discord refused "
            f"{discord.refused:,} of {discord.counted:,} requests.",
            "Same server: the strangers play in the server that has the busy tables.",
            "Goal: answered and drawn within 2 s.",
        ),
    )


def _figures(what: str, columns: dict[str, Waits]) -> Iterator[str]:
    longest = [max(waits[what]) for waits in columns.values()]
    for wait in longest:
        yield f"{wait:.2f}" if wait < PATIENCE else f">{PATIENCE:g}"
    for wait in longest[1:]:
        yield f"{wait / longest[0]:.1f}" if wait < PATIENCE else "-"


@asynccontextmanager
async def bot_and_discord(**settings: str) -> AsyncIterator[BusyDiscord]:
    """A bot without limits on tables, connected to its Discord."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        async with BusyDiscord().serving() as fake:
            assert isinstance(fake, BusyDiscord)
            file = Path(folder) / "digsite.sqlite3"
            bot = await fake.start_bot(file, LOG_LEVEL="WARNING", **NO_LIMITS, **settings)
            log = asyncio.create_task(_log_of(bot))
            try:
                await fake.connected()
                yield fake
            finally:
                with suppress(ProcessLookupError):
                    bot.terminate()
                await bot.wait()
                await log


async def _log_of(bot: Process) -> None:
    assert bot.stderr is not None
    lines: list[bytes] = [line async for line in bot.stderr]
    if "SHOW_LOG" in os.environ:
        print(b"".join(lines).decode())


class Crowd:
    """The busy account and the strangers."""

    def __init__(self, discord: BusyDiscord, *, spread: bool) -> None:
        self._discord = discord
        self._tables = {
            channel: channel if spread else FIRST_SERVER for channel in range(1_000, 1_000 + TABLES)
        }
        """The server of each of the busy account's channels."""
        self._channels = itertools.count(50_000)
        self._people = itertools.count(10_000)
        self._loop = asyncio.get_running_loop()

    @property
    def channels(self) -> Iterable[int]:
        """Where the busy account has its tables."""
        return self._tables

    # -- the busy account

    async def open_tables(self) -> None:
        """Opens a lobby with three agents in each channel."""
        for channel, guild in self._tables.items():
            await self._discord.command("start", user=BUSY, guild=guild, channel=channel, agents=3)
        for channel in self._tables:  # a busy bot acknowledges first, and then posts the lobby by itself
            await self._discord.stands(channel, "start")

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """All matches are started at once, and played as fast as their boards follow."""
        players = [asyncio.create_task(self._play(channel, guild)) for channel, guild in self._tables.items()]
        try:
            yield
        finally:
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)

    async def _play(self, channel: int, guild: int) -> None:
        lobby = self._discord.standing(channel, "start")
        assert lobby is not None
        await self._discord.use(lobby, "start", user=BUSY, guild=guild)
        while True:
            board = await self._discord.stands(channel, "hand")
            screen = await self._pressed(board, "hand", guild)
            while screen is not None:
                move = next((move for move in MOVES if screen.control(move)), None)
                screen = await self._pressed(screen, move, guild) if move else None
            await self._discord.changed(channel)

    async def _pressed(self, shown: Shown, intent: str, guild: int) -> Shown | None:
        answer = await self._discord.use(shown, intent, user=BUSY, guild=guild)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                return await answer.shown
        return None

    async def standing(self) -> float:
        """Waits until all boards stand; the seconds that it took."""
        began = self._loop.time()
        with suppress(TimeoutError):
            async with asyncio.timeout(STANDING):
                for channel in self._tables:
                    await self._discord.stands(channel, "hand")
        return self._loop.time() - began

    # -- strangers

    async def strangers(self, guild: int) -> Waits:
        """The waits of two people who have no other table while they open one, start and bring it to the bottom."""
        waits: Waits = {what: [] for what in WHAT}
        for _ in range(ROUNDS):
            with suppress(TimeoutError):
                await self._stranger(guild, waits)
            for what in WHAT:  # what was not come to any more
                waits[what] += [PATIENCE] * (ROUNDS - len(waits[what]) if len(waits[what]) == 0 else 0)
        return waits

    async def _stranger(self, guild: int, waits: Waits) -> None:
        channel, host, friend = next(self._channels), next(self._people), next(self._people)
        lobby = await self._answered(
            START, waits, await self._discord.command("start", user=host, guild=guild, channel=channel)
        )
        answer = await self._discord.use(lobby, "join", user=friend, guild=guild)
        lobby = await self._answered(JOIN, waits, answer)
        answer = await self._discord.use(lobby, "start", user=host, guild=guild)
        board, _ = await asyncio.gather(
            self._drawn(BOARD, waits, answer, after=0), self._answered(MATCH, waits, answer)
        )
        await asyncio.sleep(PAUSE)
        answer = await self._discord.command("table", user=host, guild=guild, channel=channel)
        await asyncio.gather(
            self._drawn(TABLE, waits, answer, after=board.id), self._answered(AGAIN, waits, answer)
        )

    async def _answered(self, what: str, waits: Waits, answer: Answer) -> Shown:
        try:
            async with asyncio.timeout(PATIENCE):
                shown = await answer.shown
        except TimeoutError:
            waits[what].append(PATIENCE)
            raise
        waits[what].append(answer.at - answer.asked)
        return shown

    async def _drawn(self, what: str, waits: Waits, answer: Answer, *, after: int) -> Shown:
        try:
            async with asyncio.timeout(PATIENCE):
                board = await self._discord.stands(answer.channel, "hand", after=after)
        except TimeoutError:
            waits[what].append(PATIENCE)
            raise
        waits[what].append(self._loop.time() - answer.asked)
        return board
