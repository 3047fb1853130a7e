"""Jobs that wait for their turn, and are taken back because another process does them."""

from __future__ import annotations

import asyncio

from bot.ratelimit.job_queue import AGENTS_AT_ONCE, JobQueue
from bot.ratelimit.limiter import RateLimiter
from bot.store.model import Job
from bot.tables.draft import AGENT, REDRAW
from tests.patience import PATIENCE


async def test_jobs_of_servers_that_another_process_serves_are_dropped() -> None:
    begun: list[Job] = []
    stop = asyncio.Event()

    async def work() -> None:
        await stop.wait()

    def begin(job: Job) -> asyncio.Task[None]:
        begun.append(job)
        return asyncio.create_task(work())

    limiter = RateLimiter(100.0, 100.0)
    due = JobQueue(limiter, begin)
    redraws = [Job(table, REDRAW, 0.0, guild_id=table % 2) for table in range(6)]
    agents = [Job(table, AGENT, 0.0, guild_id=table % 2) for table in range(AGENTS_AT_ONCE + 4)]
    for job in (*redraws, *agents):
        due.add(job)
    assert len(begun) == 1 + AGENTS_AT_ONCE
    due.drop(lambda job: job.guild_id == 1)
    assert {job.guild_id for job in due} == {0}
    stop.set()
    async with asyncio.timeout(PATIENCE):
        while [*due]:
            await asyncio.sleep(0.01)
    later = begun[1 + AGENTS_AT_ONCE :]
    assert len(later) == 4
    assert {job.guild_id for job in later} == {0}
    assert not limiter.saturated
