"""One run from its start to its verdict."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from bot.app.memory import spare_the_collector
from tests.bench.stranger import NO_LIMITS
from tests.bot.postgres import Server, server
from tests.bot.store.samples import Home
from tests.proof.discord import ProofDiscord
from tests.proof.matches import look_through, open_matches
from tests.proof.people import Person
from tests.proof.plan import ANSWERED_WITHIN, DRAIN_SECONDS, Plan
from tests.proof.processes import Process, Service
from tests.proof.run import Run, Span
from tests.proof.trouble import Trouble
from tests.proof.verdict import Verdict, judge
from tests.proof.watch import Seen, Watch

STARTS_WITHIN: Final = 120.0
"""Seconds that all shards have to be connected at the start, and again after the troubles."""
TOLD_WITHIN: Final = 20.0
"""Seconds that the bot has to tell the last results."""
SETTINGS: Final = {
    **NO_LIMITS,
    "LOG_FORMAT": "json",
    "AGENT_DELAY": "[0.2, 1.0]",
    "PICTURES": "false",  # they would only take time from presses
    "SHARD_COUNT": "",  # Discord is asked
    "DRAIN_SECONDS": f"{DRAIN_SECONDS:g}",
}


class Happening(Protocol):
    """What happens to the processes while people play."""

    @property
    def done(self) -> Counter[str]:
        """How often each kind of thing was done."""
        ...

    @property
    def timeline(self) -> Sequence[tuple[float, str]]:
        """What was done when, on the loop's clock."""
        ...

    @property
    def away(self) -> Sequence[Span]:
        """From when to when the database server was taken down."""
        ...

    async def make(self) -> None:
        """Does all of it."""
        ...


Happens = Callable[[Plan, list[Service], Server], Happening]


async def prove(
    plan: Plan, *, keep: str | None = None, before: str = "", happens: Happens = Trouble
) -> Verdict:
    """Does what the plan says, or what else is to happen while people play.

    `keep` is a folder in which the logs stay. Each process runs the Python code `before` first.
    """
    running = server()
    url = running.url(await running.database())
    if keep is not None:
        folder = Path(keep)
        folder.mkdir(parents=True, exist_ok=True)
        for log in folder.glob("*.log"):
            log.unlink()
        return await _prove(plan, running, url, folder.resolve(), before, happens)
    with tempfile.TemporaryDirectory(prefix="digsite-proof-") as temporary:
        return await _prove(plan, running, url, Path(temporary), before, happens)


async def _prove(
    plan: Plan, running: Server, url: str, folder: Path, before: str, happens: Happens
) -> Verdict:
    loop = asyncio.get_running_loop()
    spare_the_collector()
    spots = await open_matches(url, plan)
    async with ProofDiscord(plan, {spot.guild for spot in spots}).serving() as discord:
        assert isinstance(discord, ProofDiscord)
        watch = Watch(url, plan.shards)
        await watch.start()
        services = [
            Service(f"p{number + 1}", discord, folder, {**SETTINGS, "DATABASE_URL": url}, before)
            for number in range(plan.processes)
        ]
        began = loop.time()
        for service in services:
            service.start()
        if not await _until(lambda: _all_connected(discord, services, plan)):
            raise TimeoutError(f"It took longer than {STARTS_WITHIN:g} s until all shards were connected.")
        ready_after = loop.time() - began
        print(f"all shards are connected after {ready_after:.1f} s", flush=True)
        stalls = Stalls()
        people = [
            asyncio.create_task(Person(discord, plan, spot, user).play())
            for spot in spots
            for user in spot.people
        ]
        helpers = [asyncio.create_task(stalls.measure()), asyncio.create_task(_tell(discord, services, plan))]
        happening = happens(plan, services, running)
        played = loop.time()
        try:
            await happening.make()
            recovered = await _until(lambda: _all_connected(discord, services, plan))
            await asyncio.sleep(plan.quiet)
        finally:
            ended = loop.time()
            for task in (*people, *helpers):
                task.cancel()
            await asyncio.gather(*people, *helpers, return_exceptions=True)
            await asyncio.sleep(ANSWERED_WITHIN + 1)
            told_until = await _all_told(url, discord)
            await asyncio.gather(*(service.end() for service in services))
        await watch.stop()
        kept = await look_through(url)
        _write_timeline(folder / "timeline.txt", happening, watch.seen, services, played)
        processes: list[Process] = [process for service in services for process in service.processes]
        run = Run(
            plan,
            discord,
            watch.seen,
            processes,
            kept,
            played,
            ended,
            happening.done,
            happening.away,
            ready_after,
            told_until,
            stalls.found,
            time.time() - loop.time(),
        )
        verdict = judge(run)
        if not recovered:
            verdict.faults.append("after the troubles, some shards were not connected any more")
        verdict.faults += [f"{task.get_name()}: {error!r}" for task in people if (error := _error(task))]
        return verdict


def _write_timeline(
    file: Path, happening: Happening, seen: Seen, services: list[Service], began: float
) -> None:
    """What happened when, in seconds since people began to play."""
    events = list(happening.timeline)
    for process in (process for service in services for process in service.processes):
        events.append((process.started, f"{process.name} starts, pid {process.pid}"))
        if process.ended is not None:
            events.append((process.ended, f"{process.name} has ended with status {process.status}"))
        events += [
            (until, f"{process.name} is thawed") for _since, until in process.frozen if until is not None
        ]
    for shard in range(services[0].discord.shards):
        events += [(at, f"shard {shard}: owner {owner}") for at, owner in seen.owners(shard)]
    file.write_text("".join(f"{at - began:8.2f} {what}\n" for at, what in sorted(events)))


def _error(task: asyncio.Task[None]) -> BaseException | None:
    return None if task.cancelled() else task.exception()


async def _until(happened: Callable[[], bool]) -> bool:
    """Waits for this, but not for ever; returns whether it has happened."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STARTS_WITHIN):
            while not happened():
                await asyncio.sleep(0.2)
    return happened()


def _all_connected(discord: ProofDiscord, services: list[Service], plan: Plan) -> bool:
    """Whether some living process has a session for each shard."""
    there = {service.now.name for service in services if service.now is not None}
    return {session.shard for session in discord.open_sessions() if session.process in there} == set(
        range(plan.shards)
    )


async def _all_told(url: str, discord: ProofDiscord) -> float:
    """Waits, but not for ever, until the result of each match that has ended stands in its channel.

    Returns until when a match must have ended that is told.
    """
    ended_by = time.time()

    async def untold() -> bool:
        over = await Home(url).query("SELECT id FROM tables WHERE status = 'over'")
        return any(table not in discord.results for (table,) in over)

    with suppress(TimeoutError):
        async with asyncio.timeout(TOLD_WITHIN):
            while await untold():
                await asyncio.sleep(0.5)
    return ended_by


STALLED: Final = 0.02
"""Seconds by which it counts as late."""


class Stalls:
    """When this program's own loop was late, which delays Discord's answers."""

    def __init__(self) -> None:
        self.found: list[tuple[float, float]] = []
        """From when to when."""

    async def measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + 0.05
            await asyncio.sleep(0.05)
            if loop.time() > due + STALLED:
                self.found.append((due, loop.time()))


async def _tell(discord: ProofDiscord, services: list[Service], plan: Plan) -> None:
    """Prints from time to time how far things are, and forgets what is too old to matter."""
    loop, seen = asyncio.get_running_loop(), 0
    began = loop.time()
    with suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(30)
            discord.forget_tokens()
            new, seen = discord.presses[seen:], len(discord.presses)
            answered = sum(press.answered is not None for press in new)
            acknowledged = sum(press.acknowledged for press in new)
            started = sum(len(service.processes) for service in services)
            print(
                f"{loop.time() - began:.0f} s: {len(new)} more presses, {answered} answered, {acknowledged} moves; "
                f"{started} processes started",
                flush=True,
            )
