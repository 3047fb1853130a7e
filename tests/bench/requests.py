"""The cost of play in requests, live and by mail: the real bot, through the wire.

The bot runs as `python -m bot run` does; its Discord is on loopback (`tests.bench.busy_discord`). A request *counts* if
it counts towards Discord's limit for all requests of a bot; what is done through an interaction's token does not.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from tests.bench.busy_discord import BusyDiscord, Shown, mentions
from tests.bench.report import Report
from tests.bench.stranger import NO_LIMITS

TABLES = 100
TOGETHER: Final = 25
"""Tables that are opened at a time."""
PEOPLE: Final = 3
EVERY = 6.7
"""Seconds between two presses at a table: a human pace."""
WARMING = 25.0
SECONDS = 60.0
"""Seconds for which presses are counted, after those in which all tables were opened and play began."""
MAIL_TABLES = 20
SERVER: Final = 1
BUSY: Final = 700_000
"""The first of the people's ids."""

Way = Literal["their own screens", "the table message", "the call"]
"""Where people press what can be pressed there; all else, and all presses of the first way, on their own screens."""
WAYS: Final[tuple[Way, ...]] = ("their own screens", "the table message", "the call")
MOVES: Final = ("g.dig", "g.steal", "g.discard", "g.end")
"""The presses, whichever comes first; before a turn is ended, a set is sometimes sold."""
SELL: Final = "g.sell"

LATER = 60.0
QUARTER_PAST: Final = """
import bot.ui.router
bot.ui.router.TOKEN_LIVES = {seconds}
"""
"""In live play, the tokens of presses on private screens are always fresh; that of the table message may die."""
BY_MAIL: Final = """
import bot.ui.router
bot.ui.router.TOKEN_LIVES = 3.0
import bot.ui.private_screens
bot.ui.private_screens.PRESENT = 3.0
"""
"""Between two presses of a match by mail every token dies, and nobody is there any more. Here that takes seconds."""


def run() -> Iterator[Report]:
    """Requests live and by mail."""
    yield asyncio.run(live())
    yield asyncio.run(by_mail())


# -- requests


async def live() -> Report:
    """Everybody is there: a press every few seconds at each table."""
    columns: dict[str, Tally] = {}
    for way in WAYS:
        async with bot() as (discord, file):
            evening = Evening(discord, file, TABLES)
            await evening.open_tables()
            columns[way] = await evening.counted(evening.play(way, EVERY), WARMING, SECONDS)
    async with bot(QUARTER_PAST.format(seconds=LATER)) as (discord, file):
        evening = Evening(discord, file, TABLES)
        await evening.open_tables()
        columns["later"] = await evening.counted(evening.play(WAYS[0], EVERY), LATER + WARMING, SECONDS)
    return _requests(
        f"Requests for each move in live play, {TABLES} tables of {PEOPLE}",
        columns,
        f"A press every {EVERY:g} s at each table, for {SECONDS:g} s. Everybody opened their own screen once, on the "
        "table message.",
        "Later: their own screens, but nobody has pressed the table message for so long that no token for it lives any "
        f"more. (Here a token lives for {LATER:g} s, and not for 15 minutes.) That is where boards lag.",
        "Goal: 0.3 that count.",
    )


async def by_mail() -> Report:
    """Everybody comes back hours later: no token lives any more, and nobody is there."""
    columns: dict[str, Tally] = {}
    for way in WAYS:
        async with bot(BY_MAIL, BOARD_LAG="0") as (discord, file):
            evening = Evening(discord, file, MAIL_TABLES, mail=True)
            await evening.open_tables()
            columns[way] = await evening.counted(evening.play(way, EVERY), EVERY, SECONDS)
    return _requests(
        f"Requests for each move by mail, {MAIL_TABLES} tables of {PEOPLE}",
        columns,
        f"As live, but every token dies, and nobody is taken to be there any more, 3 s after each press. The moves of "
        f"one turn are {EVERY:g} s apart, so that each is drawn by itself: what comes in quick succession costs less.",
        "Goal: 2 that count.",
    )


class Tally:
    """The requests that were made in some time, by route, and the moves that became durable meanwhile."""

    def __init__(self, routes: Counter[tuple[bool, str]], moves: int, presses: int) -> None:
        self.routes, self.moves, self.presses = routes, moves, presses

    def each(self, counts: bool, route: str) -> str:
        return f"{self.routes[counts, route] / max(1, self.moves):.2f}"

    def all(self, counts: bool) -> str:
        made = sum(n for (counted, _), n in self.routes.items() if counted == counts)
        return f"{made / max(1, self.moves):.2f}"


def _requests(title: str, columns: dict[str, Tally], *notes: str) -> Report:
    routes = sorted({key for tally in columns.values() for key in tally.routes}, reverse=True)
    rows = [
        (route, "counts" if counts else "free", *(tally.each(counts, route) for tally in columns.values()))
        for counts, route in routes
    ]
    rows.append(("all that count", "", *(tally.all(True) for tally in columns.values())))
    rows.append(("all others", "", *(tally.all(False) for tally in columns.values())))
    rows.append(("moves", "", *(f"{tally.moves:,}" for tally in columns.values())))
    rows.append(("presses", "", *(f"{tally.presses:,}" for tally in columns.values())))
    return Report(title, ("requests for each move", "", *columns), rows, notes)


class Evening:
    """So many tables, and the people who play there."""

    def __init__(
        self,
        discord: BusyDiscord,
        file: Path,
        tables: int,
        *,
        mail: bool = False,
        server_of: Callable[[int], int] = lambda _channel: SERVER,
    ) -> None:
        """`server_of` says on which server a channel is."""
        self.tables = tables
        self._discord = discord
        self._file = file
        self._mail = mail
        self._server_of = server_of
        self._people = {
            channel: [BUSY + channel * PEOPLE + seat for seat in range(PEOPLE)]
            for channel in range(1_000, 1_000 + tables)
        }
        self._loop = asyncio.get_running_loop()
        self.presses = 0
        self.waits: list[float] = []
        """Seconds until each press was answered."""

    async def open_tables(self) -> None:
        """Starts a match at each table. Then everybody opens their own screen."""
        channels = list(self._people)
        for first in range(0, len(channels), TOGETHER):
            some = channels[first : first + TOGETHER]
            await asyncio.gather(*(self._open(channel, self._people[channel]) for channel in some))

    async def _open(self, channel: int, people: list[int]) -> None:
        host, *others = people
        guild = self._server_of(channel)
        last = self._discord.standing(channel, "again")
        after = last.id if last else 0
        await self._discord.command("start", user=host, guild=guild, channel=channel)
        lobby = await self._discord.stands(
            channel, "join", after=after
        )  # a late answer is no answer to the command
        for person in others:
            lobby = await (await self._discord.use(lobby, "join", user=person, guild=guild)).shown
        await self._discord.use(lobby, "start", user=host, guild=guild)
        board = await self._discord.stands(channel, "more", after=after)
        for person in people:
            await (await self._discord.use(board, "hand", user=person, guild=guild)).shown

    async def counted(self, playing: asyncio.Task[None], warming: float, seconds: float) -> Tally:
        """The requests in so many seconds of this play, once it has warmed up."""
        await asyncio.sleep(warming)
        self._discord.routes.clear()
        moves, presses, began = self._moves(), self.presses, self._loop.time()
        await asyncio.sleep(seconds - (self._loop.time() - began))
        tally = Tally(self._discord.routes.copy(), self._moves() - moves, self.presses - presses)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
        return tally

    def _moves(self) -> int:
        with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as store:
            return int(store.execute("SELECT count(*) FROM moves").fetchone()[0])

    def play(self, way: Way, every: float) -> asyncio.Task[None]:
        """Has people press at each table at this pace, seconds apart; 0: as soon as the last press was answered."""

        async def all_tables() -> None:
            await asyncio.gather(*(self._play(channel, way, every) for channel in self._people))

        return asyncio.create_task(all_tables())

    async def _play(self, channel: int, way: Way, every: float) -> None:
        rng = Random(channel)
        due = self._loop.time() + rng.random() * every
        while True:
            await asyncio.sleep(max(0.0, due - self._loop.time()))
            due += every
            if await self._press(channel, way, rng):
                continue
            await asyncio.sleep(0.05)
            if self._discord.standing(channel, "again") and not self._discord.standing(channel, "more"):
                await self._open(channel, self._people[channel])  # the match is over

    async def _press(self, channel: int, way: Way, rng: Random) -> bool:
        """Whoever is asked presses what leads on."""
        for person in self._people[channel]:
            found = self._comes(channel, person, way) if self._mail else None
            found = found or self._goes_on(channel, person, way, rng)
            if found is None:
                continue
            shown, intent = found
            answer = await self._discord.use(shown, intent, user=person, guild=self._server_of(channel))
            self.presses += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(30):
                    await answer.shown
                    self.waits.append(answer.at - answer.asked)
            return True
        return False

    def _comes(self, channel: int, person: int, way: Way) -> tuple[Shown, str] | None:
        """The press of a person who was called, and whose own screen is an old one."""
        call, own = self._call_of(channel, person), self._discord.own_screen(channel, person)
        if call is None or (own is not None and own.id > call.id):
            return None
        board = self._discord.standing(channel, "more")
        shown = call if way == "the call" or board is None else board
        return shown, "g.dig" if way != "their own screens" and shown.control("g.dig") else "hand"

    def _goes_on(self, channel: int, person: int, way: Way, rng: Random) -> tuple[Shown, str] | None:
        """The press of a person whose own screen has an open decision."""
        own = self._discord.own_screen(channel, person)
        # The last seller must sell something: then nothing else is offered.
        intent = own and next((move for move in (*MOVES, SELL) if own.control(move)), None)
        if own is None or intent is None:
            return None
        if intent == "g.end" and own.control(SELL) and rng.random() < 0.4:
            intent = SELL
        elsewhere = {
            "the table message": self._discord.standing(channel, "more"),
            "the call": self._call_of(channel, person),
        }.get(way)
        return (elsewhere if elsewhere is not None and elsewhere.control(intent) else own), intent

    def _call_of(self, channel: int, person: int) -> Shown | None:
        """The message that calls this person."""
        shown = self._discord.channels[channel].values()
        return next((each for each in shown if mentions(each, person) and not each.control("again")), None)


# -- the bots


@asynccontextmanager
async def bot(
    before: str = "", file: Path | None = None, **settings: str
) -> AsyncIterator[tuple[BusyDiscord, Path]]:
    """Digsite, with no agents that move and no limits on tables, and its file: a new one, if none is given."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        file = file or Path(folder) / "digsite.sqlite3"
        async with BusyDiscord(answers_in=0.0).serving() as discord:
            assert isinstance(discord, BusyDiscord)
            environment: dict[str, Any] = {"LOG_LEVEL": "WARNING", **NO_LIMITS, **settings}
            process = await discord.start_bot(file, before=before, **environment)
            async with running(process, discord):
                yield discord, file


@asynccontextmanager
async def running(process: asyncio.subprocess.Process, discord: BusyDiscord) -> AsyncIterator[None]:
    """The context in which this process is a bot of this Discord."""
    assert process.stderr is not None
    discord.bots.append(process.pid)
    log = asyncio.create_task(process.stderr.read())
    try:
        await discord.connected()
        yield
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        if text := (await log).decode().strip():
            print(text, file=sys.stderr)
    assert " ERROR " not in text, "the bot failed, so its figures are worth nothing"
