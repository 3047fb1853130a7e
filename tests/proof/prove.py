"""One run from its start to its verdict."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.app.load import spare_the_collector
from tests.bench.stranger import NO_LIMITS
from tests.bot.postgres import Server, server
from tests.bot.replication import Pair, replicated
from tests.bot.store.samples import Home
from tests.proof.discord import ProofDiscord
from tests.proof.explain import timeline
from tests.proof.matches import look_through, open_matches
from tests.proof.people import Person
from tests.proof.plan import ANSWERED_WITHIN, DRAIN_SECONDS, Plan
from tests.proof.processes import Process, Service
from tests.proof.run import Run
from tests.proof.trouble import Happening, Trouble
from tests.proof.verdict import Verdict, judge
from tests.proof.watch import Watch

STARTS_WITHIN: Final = 120.0
"""Seconds that all shards have to be connected at the start, and again after the troubles."""
SENT_WITHIN: Final = 20.0
"""Seconds that the bot has to tell the last results."""
SETTINGS: Final = {
    **NO_LIMITS,
    "LOG_FORMAT": "json",
    "AGENT_DELAY": "[0.2, 1.0]",
    "PICTURES": "false",  # they would only take time from presses
    "SHARD_COUNT": "",  # Discord is asked
    "DRAIN_SECONDS": f"{DRAIN_SECONDS:g}",
}

Happens = Callable[[Plan, list[Service], Server | Pair], Happening]


async def prove(
    plan: Plan, *, keep: str | None = None, before: str = "", happens: Happens = Trouble
) -> Verdict:
    """Does what the plan says, or what else is to happen while people play.

    `keep` is a folder in which the logs stay. Each process runs the Python code `before` first.
    """
    with tempfile.TemporaryDirectory(prefix="digsite-proof-") as temporary:
        folder = Path(keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for log in folder.glob("*.log"):
            log.unlink()
        if not plan.failovers:
            running = server()
            url = running.url(await running.database())
            return await _prove(plan, running, url, folder, before, happens)
        async with replicated() as pair:
            url = pair.address.url(await pair.primary.database())
            return await _prove(plan, pair, url, folder, before, happens)


async def _prove(
    plan: Plan, running: Server | Pair, url: str, folder: Path, before: str, happens: Happens
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
        people = [
            asyncio.create_task(Person(discord, plan, spot, user).play())
            for spot in spots
            for user in spot.people
        ]
        people.append(asyncio.create_task(_terminate(discord, services, plan)))
        happening = happens(plan, services, running)
        played = loop.time()
        try:
            await happening.make()
            recovered = await _until(lambda: _all_connected(discord, services, plan))
            await asyncio.sleep(plan.quiet)
        finally:
            ended = loop.time()
            for task in people:
                task.cancel()
            await asyncio.gather(*people, return_exceptions=True)
            await asyncio.sleep(ANSWERED_WITHIN + 1)
            notified_until = await _all_sent(url, discord)
            await asyncio.gather(*(service.end() for service in services))
        await watch.stop()
        kept = await look_through(url)
        processes: list[Process] = [process for service in services for process in service.processes]
        run = Run(
            plan,
            discord,
            watch.seen,
            processes,
            kept,
            played,
            ended,
            happening.away,
            ready_after,
            notified_until,
            time.time() - loop.time(),
        )
        moments = sorted(timeline(run, range(plan.shards)))
        (folder / "timeline.txt").write_text("".join(f"{at - played:8.2f} {what}\n" for at, what in moments))
        verdict = judge(run)
        verdict.faults += happening.faults
        if not recovered:
            verdict.faults.append("after the troubles, some shards were not connected any more")
        verdict.faults += [f"{task.get_name()}: {error!r}" for task in people if (error := _error(task))]
        return verdict


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
    return len({each.shard for each in discord.open_sessions() if each.process in there}) == plan.shards


async def _all_sent(url: str, discord: ProofDiscord) -> float:
    """Waits, but not for ever, for the results of the matches that have ended until now; returns this time."""
    ended_by = time.time()
    with suppress(TimeoutError):
        async with asyncio.timeout(SENT_WITHIN):
            over = "SELECT id FROM tables WHERE status = 'over'"
            while any(table not in discord.results for (table,) in await Home(url).query(over)):
                await asyncio.sleep(0.5)
    return ended_by


async def _terminate(discord: ProofDiscord, services: list[Service], plan: Plan) -> None:
    """Prints from time to time how far things are, and forgets what is too old to matter."""
    loop, seen = asyncio.get_running_loop(), 0
    began = loop.time()
    with suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(30)
            discord.forget_tokens()
            new, seen = discord.presses[seen:], len(discord.presses)
            answered = sum(press.made.answered is not None for press in new)
            moved = sum(press.acknowledged for press in new)
            started = sum(len(service.processes) for service in services)
            what = f"{len(new)} more presses, {answered} answered, {moved} moves; {started} processes started"
            print(f"{loop.time() - began:.0f} s: {what}", flush=True)
